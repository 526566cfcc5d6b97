"""Rooms of two workers on one database, without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

import cyvasse
from cyvasse.notation.documents import setup_document
from cyvasse.server import messages as m
from cyvasse.server import rooms as module
from cyvasse.server import times
from cyvasse.server.chat import Remarks
from cyvasse.server.clocks import Fischer
from cyvasse.server.company import Company
from cyvasse.server.database import Database, Entry, Writer
from cyvasse.server.games import Friend, Games, NewGame
from cyvasse.server.herald import Herald
from cyvasse.server.names import guest_name
from cyvasse.server.people import People, Person
from cyvasse.server.presence import Attendance
from cyvasse.server.problems import NotYours, Unknown
from cyvasse.server.rooms import Room, Rooms
from tests.server.harness import actions_in, to_move

WHITE, BLACK = Person("w", "Wyl"), Person("b", "Bors")


Missing = m.Snapshot | m.Update | m.Current


class Board:
    """Somebody who follows a game and remembers what was told."""

    def __init__(self, person: str | None = None) -> None:
        self.person = person
        self.heard: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        self.heard.append(json.loads(message))

    def numbers(self) -> list[int]:
        return [message["number"] for message in self.heard if message["type"] == "update"]

    def remarks(self) -> list[str]:
        chats = [message for message in self.heard if message["type"] == "chat"]
        return [remark["text"] for chat in chats for remark in chat["remarks"]]


class Worker:
    """The rooms of one worker, with nothing around them; its hints go nowhere."""

    def __init__(self, url: str, name: str, *, shared: bool = True) -> None:
        self.database = Database(url)
        self.writer = Writer(self.database)
        self.herald = Herald()
        self.rooms = Rooms(
            self.database,
            self.writer,
            shared=shared,
            hint=lambda *_: None,
            bot_wanted=lambda _: None,
            herald=self.herald,
        )
        self.games = Games(self.database, self.rooms, self._no_setup)
        self.attendance = Attendance(self.database, name, shared=shared)
        self.company = Company(
            self.rooms,
            Remarks(self.database),
            self.attendance,
            self.herald,
            lambda *_: None,
            shared=shared,
        )

    @staticmethod
    async def _no_setup(*_: object) -> Any:
        raise AssertionError("no bots here")

    async def begin(self, **more: Any) -> str:
        """A game between two people whose screen is lifted; White begins."""
        new = NewGame("croft", Friend(), color="white", first="white", **more)
        created = await self.games.create(WHITE, new)
        await self.games.join(BLACK, created.game, created.invitation)
        rules = cyvasse.rule_set("croft")
        for person, color in ((WHITE, "white"), (BLACK, "black")):
            setup = setup_document(rules, rules.random_setup(color, seed=1))
            await self.rooms.act(created.game, person.id, m.Submit(setup=setup))
        return created.game

    async def watch(self, game: str, board: Board, chat: int = 0) -> Missing:
        """Let somebody follow a game, as a connection would."""
        async with self.rooms.watch(game, board, None) as (contest, missing):
            await self.company.welcome(board, contest, chat, None)
        await self.company.count(game)
        return missing

    async def view(self, game: str) -> Any:
        """What a spectator sees."""
        return msgspec.json.decode(cast(Any, (await self.rooms.snapshot(game, None)).view))

    async def play(self, game: str) -> int:
        """The first legal action of whoever is to act."""
        view = await self.view(game)
        person = WHITE if to_move(view) == "white" else BLACK
        command = m.Play(action=view["legal_actions"][0], ply=view["ply"])
        done = await self.rooms.act(game, person.id, command)
        assert isinstance(done, int)
        return done


def with_workers(
    folder: Path, work: Callable[[Worker, Worker], Awaitable[None]], *, shared: bool = True
) -> None:
    async def run() -> None:
        url = f"sqlite:///{folder / 'test.sqlite'}"
        workers = [Worker(url, name, shared=shared) for name in ("one", "two")]
        await workers[0].database.upgrade()
        try:
            async with asyncio.timeout(60):
                await work(*workers)
        finally:
            for worker in workers:
                await worker.rooms.close()
                await worker.writer.close()
                await worker.database.close()

    asyncio.run(run())


def test_two_workers_take_turns(tmp_path: Path) -> None:
    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        here, there = Board("w"), Board("b")
        await one.watch(game, here)
        await two.watch(game, there)
        for number in range(5, 15):
            assert await (one if number % 2 else two).play(game) == number
        for worker in (one, two):
            for late, far in await worker.rooms.behind():
                await worker.rooms.refresh(late, far)
        assert here.numbers()[-1] == there.numbers()[-1] == 14
        events = [event["number"] for m in there.heard for event in m.get("events", [])]
        assert events == list(range(5, 15))  # each once, and in order

    with_workers(tmp_path, work)


def test_whoever_comes_when_the_flag_falls_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On both workers at once: one writes it, the other reads it, nobody fails."""

    async def work(one: Worker, two: Worker) -> None:
        for _ in range(5):
            game = await one.begin(clock=Fischer(10))
            await two.rooms.snapshot(game, None)
            with monkeypatch.context() as later:
                now = times.now() + 11_000
                later.setattr(times, "now", lambda at=now: at)
                boards = [Board() for _ in range(4)]
                seen = await asyncio.gather(
                    one.rooms.snapshot(game, None),
                    two.rooms.snapshot(game, None),
                    *(one.watch(game, board) for board in boards[:2]),
                    *(two.watch(game, board) for board in boards[2:]),
                    one.rooms.expire(game),
                    two.rooms.expire(game),
                )
                for snapshot in seen[:6]:
                    assert isinstance(snapshot, m.Snapshot)
                    assert snapshot.standing.outcome is not None
                    assert snapshot.number == 5

    with_workers(tmp_path, work)


def test_a_flag_is_told_even_if_whoever_found_it_goes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(one: Worker, _: Worker) -> None:
        for pause in range(8):
            game = await one.begin(clock=Fischer(10))
            board = Board("w")
            await one.watch(game, board)
            with monkeypatch.context() as later:
                now = times.now() + 11_000
                later.setattr(times, "now", lambda at=now: at)
                looking = asyncio.create_task(one.rooms.expire(game))
                for _step in range(pause):
                    await asyncio.sleep(0)
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)
                await one.rooms.close()
            if pause:
                assert board.numbers() == [5]

    with_workers(tmp_path, work)


@pytest.mark.parametrize("shared", [True, False])
def test_a_game_is_not_read_while_something_in_it_is_being_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    """Whoever acted has gone; whoever comes before the commit must not see the game of before."""

    async def work(one: Worker, _: Worker) -> None:
        game = await one.begin()
        board = Board()
        await one.watch(game, board)
        begun, may_go_on = asyncio.Event(), asyncio.Event()
        transact = one.database.transact

        async def slowly(deed: Callable[[Any], None]) -> None:
            begun.set()
            await may_go_on.wait()
            await transact(deed)

        monkeypatch.setattr(one.database, "transact", slowly)
        playing = asyncio.create_task(one.play(game))
        await begun.wait()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        looking = asyncio.create_task(one.rooms.snapshot(game, None))
        await asyncio.sleep(0.05)  # long enough to read it, if that is what it does
        may_go_on.set()
        assert (await looking).number == 5
        await one.rooms.close()
        assert board.numbers() == [5]

    with_workers(tmp_path, work, shared=shared)


def test_what_seems_to_be_done_may_have_been_undone(tmp_path: Path) -> None:
    """One worker has not heard that it was taken back on the other."""

    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        view = await one.view(game)
        play = m.Play(action=view["legal_actions"][0], ply=0)
        assert await one.rooms.act(game, "w", play) == 5
        assert await two.rooms.act(game, "w", play) == 5  # it is there already
        assert await two.rooms.act(game, "w", m.AskTakeBack()) == 6
        assert await two.rooms.act(game, "b", m.AllowTakeBack()) == 7
        assert await one.rooms.act(game, "w", play) == 8
        assert actions_in(await two.view(game)) == [play.action]

        new = NewGame("croft", Friend(), color="white")
        created = await one.games.create(WHITE, new)
        await one.games.join(BLACK, created.game, created.invitation)
        rules = cyvasse.rule_set("croft")
        submit = m.Submit(setup=setup_document(rules, rules.random_setup("white", seed=1)))
        assert await one.rooms.act(created.game, "w", submit) == 2
        assert await two.rooms.act(created.game, "w", m.Withdraw()) == 3
        assert await one.rooms.act(created.game, "w", submit) == 4

    with_workers(tmp_path, work)


def test_a_flag_falls_though_its_worker_has_not_heard_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker where it happened is gone, and the other one knows no deadline at all."""

    async def work(one: Worker, two: Worker) -> None:
        created = await one.games.create(WHITE, NewGame("croft", Friend(), clock=Fischer(10)))
        await two.rooms.snapshot(created.game, None)
        await one.games.join(BLACK, created.game, created.invitation)
        now = times.now() + 3_600_000
        monkeypatch.setattr(times, "now", lambda: now)
        await two.rooms.expire(created.game)
        assert (await one.rooms.snapshot(created.game, None)).standing.status == "aborted"

    with_workers(tmp_path, work)


def test_who_sits_there_is_what_the_database_says(tmp_path: Path) -> None:
    """Seats change without an event, and hints that they have may be lost."""

    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        board = Board()
        await two.watch(game, board)
        people = People(one.database, b"secret")
        name = (await people.sign_up(WHITE, "Wylla", "correct horse")).name
        assert await two.rooms.act(game, "w", m.OfferDraw()) == 5
        assert board.heard[-1]["standing"]["white"]["name"] == name == "Wylla"
        account = await people.sign_up(Person("x", "Ser"), "Borso", "correct horse")
        await people.sign_in(BLACK, account.name, "correct horse", known=False)
        with pytest.raises(NotYours):  # this cookie has a seat no longer
            await two.rooms.act(game, "b", m.AcceptDraw())
        assert await two.rooms.act(game, "x", m.AcceptDraw()) == 6

    with_workers(tmp_path, work)


def test_whoever_was_forgotten_says_nothing_more(tmp_path: Path) -> None:
    """Connections of before end a little later."""

    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        people = People(one.database, b"secret")
        account = await people.sign_up(Person("x", "Ser"), "Borso", "correct horse")
        await two.company.say(account, game, "I was here.")
        await people.forget(account)
        with pytest.raises(NotYours):
            await two.company.say(account, game, "And still am.")
        assert await people.identify(people.cookie(account)) == Person("x", guest_name("x"))

    with_workers(tmp_path, work)


def test_a_room_is_not_closed_while_somebody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ROOMS", 1)

    async def work(one: Worker, _: Worker) -> None:
        game, other = await one.begin(), await one.begin()

        async def enter(at: str) -> Room:
            async with one.rooms._entered(at) as room:
                return room

        async with one.rooms.contest(game):
            waiting = asyncio.create_task(enter(game))
            await asyncio.sleep(0.01)
            # It runs when the lock is free again, and before whoever waits for it.
            newcomer = asyncio.create_task(enter(other))
        first, _second = await asyncio.gather(waiting, newcomer)
        assert first is await enter(game)
        await one.begin()
        assert len(one.rooms) == 1

    with_workers(tmp_path, work)


def test_games_that_do_not_exist_leave_no_room(tmp_path: Path) -> None:
    async def work(one: Worker, _: Worker) -> None:
        looks = [one.rooms.snapshot(f"nothing{i % 3}", None) for i in range(30)]
        answers = await asyncio.gather(*looks, return_exceptions=True)
        assert all(isinstance(answer, Unknown) for answer in answers)
        assert len(one.rooms) == 0

    with_workers(tmp_path, work)


def test_what_could_not_be_kept_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        board = Board()
        await one.watch(game, board)

        def fail(_: Entry) -> asyncio.Future[None]:
            kept = asyncio.get_running_loop().create_future()
            kept.set_exception(OSError("no room on the disk"))
            return kept

        with monkeypatch.context() as broken:
            broken.setattr(one.writer, "append", fail)
            with pytest.raises(OSError, match="disk"):
                await one.play(game)
        assert board.numbers() == []
        assert (await one.rooms.snapshot(game, None)).number == 4
        # Here nothing is known any more; what happens elsewhere must be heard all the same.
        with monkeypatch.context() as broken:
            broken.setattr(one.writer, "append", fail)
            with pytest.raises(OSError, match="disk"):
                await one.play(game)
        await two.play(game)
        ((late, far),) = await one.rooms.behind()
        await one.rooms.refresh(late, far)
        assert board.numbers() == [5]

    with_workers(tmp_path, work)


def test_remarks_and_presence_catch_up_without_hints(tmp_path: Path) -> None:
    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        here, there, onlooker = Board("w"), Board("b"), Board(None)
        for worker, board in ((one, here), (two, there), (two, onlooker)):
            await worker.watch(game, board)
        for number in range(3):
            await one.company.say(WHITE, game, f"white {number}")
            await two.company.say(BLACK, game, f"black {number}")
            await two.company.say(Person("x", "Ser"), game, f"spectator {number}")
        for worker in (one, two, one):
            await worker.company.look()
        players = {f"{color} {number}" for color in ("white", "black") for number in range(3)}
        for board in (here, there):
            assert sorted(board.remarks()) == sorted(players)  # each once
        assert onlooker.remarks() == [f"spectator {number}" for number in range(3)]
        assert last_presence(here) == {"white": True, "black": True, "spectators": 1}

        two.rooms.unwatch(game, there)
        two.rooms.unwatch(game, onlooker)
        await two.company.count(game)
        assert last_presence(here)["black"]
        await one.company.look()
        assert last_presence(here) == {"white": True, "black": False, "spectators": 0}
        heard = len(here.heard)
        await one.company.look()
        assert len(here.heard) == heard  # nothing new, nothing told

    with_workers(tmp_path, work)


def test_remarks_come_once_and_in_order(tmp_path: Path) -> None:
    """Also to whoever comes while others speak, here and elsewhere."""

    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        first = Board("w")
        await one.watch(game, first)
        for number in range(3):
            await two.company.say(BLACK, game, f"elsewhere {number}")
        boards = [Board("b") for _ in range(3)]
        await asyncio.gather(
            one.watch(game, boards[0]),
            one.company.say(WHITE, game, "here 0"),
            one.watch(game, boards[1]),
            two.company.say(BLACK, game, "elsewhere 3"),
            one.company.say(WHITE, game, "here 1"),
            one.watch(game, boards[2]),
        )
        await one.company.look()
        for board in (first, *boards):
            chats = [message for message in board.heard if message["type"] == "chat"]
            numbers = [remark["number"] for chat in chats for remark in chat["remarks"]]
            assert numbers == list(range(1, 7))

    with_workers(tmp_path, work)


def test_whoever_comes_to_play_hears_what_the_players_said(tmp_path: Path) -> None:
    """Each room counts its own remarks."""

    async def work(one: Worker, two: Worker) -> None:
        created = await one.games.create(WHITE, NewGame("croft", Friend()))
        await one.company.say(WHITE, created.game, "Come!")
        await one.company.say(BLACK, created.game, "Who plays?")
        await two.games.join(BLACK, created.game, created.invitation)
        board = Board("b")
        async with two.rooms.watch(created.game, board, None) as (contest, _):
            await two.company.welcome(board, contest, 1, "spectators")
        assert board.remarks() == ["Come!"]
        async with two.rooms.watch(created.game, board, None) as (contest, _):
            await two.company.welcome(board, contest, 1, "players")
        assert board.remarks() == ["Come!"]

    with_workers(tmp_path, work)


def test_presence_is_noted_again_where_it_was_lost(tmp_path: Path) -> None:
    async def work(one: Worker, two: Worker) -> None:
        game = await one.begin()
        here, there = Board("w"), Board("b")
        for worker, board in ((one, here), (two, there)):
            await worker.watch(game, board)
        await two.attendance.leave()  # as if another had tidied up after it
        assert not (await one.attendance.read(game)).black
        await two.company.renew()
        assert (await one.attendance.read(game)).black
        # And somebody who left without being noted is noted so.
        two.rooms.unwatch(game, there)
        two.attendance._noted.clear()
        await two.company.renew()
        assert not (await one.attendance.read(game)).black

    with_workers(tmp_path, work)


def last_presence(board: Board) -> dict[str, Any]:
    last = [message for message in board.heard if message["type"] == "presence"][-1]
    return {key: last[key] for key in ("white", "black", "spectators")}
