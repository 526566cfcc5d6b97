"""The herald: everybody hears everything, in order, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cyvasse.server import rooms as rooms_module
from cyvasse.server import views
from cyvasse.server.company import FEW
from cyvasse.server.herald import AT_ONCE, Herald, Watcher
from cyvasse.server.limits import CROWD as PEOPLE_AT_ONE_ADDRESS
from cyvasse.server.limits import LIMITS
from tests.server.harness import Socket, friends, serving
from tests.server.test_rooms import Board, Worker, with_workers

CROWD = 10 * AT_ONCE + 1


class Listener:
    """Remembers what was told, and how often others had a turn before."""

    person = None

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.heard.append(message)


def to_all(
    crowd: list[Listener], message: Callable[[], bytes]
) -> Callable[[], Iterator[tuple[Watcher, bytes]]]:
    return lambda: ((listener, message()) for listener in crowd)


def test_a_few_hear_at_once() -> None:
    async def work() -> None:
        few = [Listener() for _ in range(AT_ONCE - 1)]
        Herald().announce("it", to_all(few, lambda: b"one"))
        assert [each.heard for each in few] == [[b"one"]] * len(few)

    asyncio.run(work())


def test_others_have_their_turn_while_a_crowd_is_told() -> None:
    async def work() -> None:
        herald = Herald()
        crowd = [Listener() for _ in range(CROWD)]
        herald.announce("it", to_all(crowd, lambda: b"one"))
        told = [sum(len(each.heard) for each in crowd)]
        while told[-1] < CROWD:
            await asyncio.sleep(0)
            told.append(sum(len(each.heard) for each in crowd))
        steps = [after - before for before, after in itertools.pairwise(told)]
        assert max([told[0], *steps]) == AT_ONCE
        await herald.close()
        assert all(each.heard == [b"one"] for each in crowd)

    asyncio.run(work())


def test_what_happens_again_is_told_together() -> None:
    async def work() -> None:
        herald = Herald()
        busy, crowd = [Listener() for _ in range(CROWD)], [Listener() for _ in range(CROWD)]
        happened: list[int] = []
        herald.announce("busy", to_all(busy, lambda: b"first"))
        for number in range(5):
            happened.append(number)
            herald.announce("it", to_all(crowd, lambda: str(len(happened)).encode()))
        await herald.close()
        assert all(each.heard == [b"5"] for each in crowd)
        assert all(each.heard == [b"first"] for each in busy)

    asyncio.run(work())


def test_a_crowd_hears_every_event_once_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also who looks again, or comes, while the others are being told."""
    encoded = 0
    real = views.update

    def counted(*arguments: Any) -> Any:
        nonlocal encoded
        encoded += 1
        return real(*arguments)

    monkeypatch.setattr(rooms_module, "update", counted)

    async def work(one: Worker, _: Worker) -> None:
        game = await one.begin()
        crowd = [Board(None if number % 3 else "w") for number in range(CROWD)]
        known: dict[Board, int] = {}

        async def look(board: Board) -> None:
            last = known.get(board)
            async with one.rooms.watch(game, board, last) as (_contest, answer):
                board.heard.append({"type": "answer", "number": answer.number})
            known[board] = answer.number

        for board in crowd[: CROWD // 2]:
            await look(board)
        for played in range(12):
            number = await one.play(game)
            for board in crowd[played :: CROWD // 3]:
                await look(board)
        await one.herald.close()
        for board in crowd:
            if board not in known:
                continue
            numbers = [message["number"] for message in board.heard]
            assert numbers == sorted(numbers)
            assert numbers[-1] == number
            seen = board.heard[0]["number"]
            for message in board.heard[1:]:
                if message["type"] == "update":
                    assert message["events"][0]["number"] == seen + 1
                    assert message["events"][-1]["number"] == message["number"]
                seen = message["number"]
        # Once for everyone who knows as much, not once for each.
        assert encoded < 12 * 8

    with_workers(tmp_path, work)


def test_the_view_of_a_long_game_is_made_once_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0

    async def work(one: Worker, _: Worker) -> None:
        nonlocal made
        game = await one.begin()
        async with one.rooms.contest(game) as contest:
            view = contest.game.view

            def counted(*arguments: Any) -> Any:
                nonlocal made
                made += 1
                return view(*arguments)

            monkeypatch.setattr(contest.game, "view", counted)
        for _times in range(5):
            for person in (None, "stranger", "w"):
                await one.rooms.snapshot(game, person)
        assert made == 2  # a spectator's, and White's
        await one.play(game)  # who looks as a spectator before
        await one.rooms.snapshot(game, None)
        assert made == 3

    with_workers(tmp_path, work)


def test_crowds_are_counted_once_in_a_while(tmp_path: Path) -> None:
    async def work(one: Worker, _: Worker) -> None:
        game = await one.begin()
        crowd = [Board(f"spectator {number}") for number in range(FEW + 30)]
        for board in crowd:
            async with one.rooms.watch(game, board, None) as (contest, _missing):
                await one.company.welcome(board, contest, 0, None)
            await one.company.count(game)
        await one.company.count_crowds()
        await one.herald.close()
        told = [[m for m in board.heard if m["type"] == "presence"] for board in crowd]
        assert all(presence[-1]["spectators"] == len(crowd) for presence in told)
        assert max(map(len, told)) <= FEW + 1

    with_workers(tmp_path, work)


@pytest.mark.slow
def test_a_flood_of_looks_is_stopped_and_slows_nobody(tmp_path: Path) -> None:
    """Looking costs more than other messages, most of all at a long game."""
    burst = int(LIMITS["look"].burst)
    with serving(tmp_path, limits="1") as server:
        white, _, game = friends(server, first="white")
        with Socket(white) as player, Socket(server.person()) as flood:
            player.watch(game)
            answers = []
            for number in range(burst + 20):
                answers.append(flood.ask("watch", game=game))
                flood.ask("unwatch", game=game)
                if number % 20 == 0:
                    flood.ask("lobby", follow=True)
            refused = [each for each in answers if each["type"] == "problem"]
            assert refused
            assert {each["problem"]["type"] for each in refused} == {"too-often"}
            assert len(answers) - len(refused) < burst + 20
            legal = white.get(f"games/{game}")["view"]["legal_actions"]
            assert player.do(game, "play", action=legal[0], ply=0)["type"] == "done"
        assert burst * PEOPLE_AT_ONE_ADDRESS > len(answers)  # or the address would be counted here
