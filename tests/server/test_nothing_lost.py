"""What was acknowledged is there, once and in order: under load, after kills, and at once."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select
from websockets.exceptions import WebSocketException

from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from tests.server.harness import (
    Person,
    Refused,
    Server,
    Socket,
    actions_in,
    friends,
    to_move,
    until,
)
from tests.tiers import lasting


def stored_events(server: Server, game: str) -> list[tuple[int, dict[str, Any]]]:
    """The events of a game as they lie in the database."""
    arguments = server.arguments
    url = f"sqlite:///{server.folder / 'cyvasse.sqlite'}"
    if "--database" in arguments:
        url = arguments[arguments.index("--database") + 1]

    async def read() -> list[tuple[int, dict[str, Any]]]:
        database = Database(url)
        query = (
            select(t.events.c.number, t.events.c.event)
            .where(t.events.c.game_id == game)
            .order_by(t.events.c.number)
        )
        async with database.read() as connection:
            rows = (await connection.execute(query)).all()
        await database.close()
        return [(number, json.loads(event)) for number, event in rows]

    return asyncio.run(read())


def kinds(server: Server, game: str) -> Counter[str]:
    return Counter(event["kind"] for _, event in stored_events(server, game))


# --- kills ----------------------------------------------------------------------------------------


class Match:
    """A game that two people play as fast as they can, noting what they were promised."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.chance = random.Random(seed)
        self.white, self.black, self.game = friends(server, "gameofcyvasse", repetition=False)
        self.acknowledged: list[str] = []
        self.asked: str | None = None
        """What was asked for last, if no answer came."""

    def play(self) -> None:
        """Until the server is gone, or the game is over."""
        try:
            with self.white.socket() as at_white, self.black.socket() as at_black:
                self._play({"white": at_white, "black": at_black})
        except (WebSocketException, OSError, EOFError):
            return

    def _play(self, sockets: dict[str, Socket]) -> None:
        board = sockets["white"].watch(self.game)["view"]
        sockets["black"].watch(self.game)
        while board["legal_actions"]:
            mover = sockets[to_move(board)]
            self.asked = self.chance.choice(board["legal_actions"])
            done = mover.do(self.game, "play", action=self.asked, ply=board["ply"])
            assert done["type"] == "done", done
            self.acknowledged.append(self.asked)
            self.asked = None
            board = mover.hear_number(done["number"])["board"]
            mover.heard.clear()

    def check(self) -> None:
        """Everything that was promised is there; what was only asked for may be."""
        view = self.white.see(self.game)["view"]
        actions = actions_in(view)
        count = len(self.acknowledged)
        assert actions[:count] == self.acknowledged
        assert actions[count:] in ([], [self.asked])
        events = stored_events(self.server, self.game)
        assert [number for number, _ in events] == list(range(1, len(events) + 1))
        assert [event["action"] for _, event in events if event["kind"] == "played"] == actions
        self.acknowledged, self.asked = actions, None


def promised(matches: list[Match]) -> int:
    return sum(len(match.acknowledged) for match in matches)


def over(matches: list[Match], playing: list[Future[None]], enough: int) -> bool:
    """Whether enough was played; short games may all have come to an end before."""
    return promised(matches) >= enough or all(each.done() for each in playing)


def kill_and_check(server: Server, games: int, rounds: int) -> int:
    """How many actions were acknowledged."""
    chance = random.Random()
    matches = [Match(server, seed) for seed in range(games)]
    for _ in range(rounds):
        for place, match in enumerate(matches):
            if not match.white.see(match.game)["view"]["legal_actions"]:
                matches[place] = Match(server, chance.randrange(1 << 30))
        with ThreadPoolExecutor(games) as threads:
            enough = promised(matches) + chance.randrange(5, 10) * games
            playing = [threads.submit(match.play) for match in matches]
            until(partial(over, matches, playing, enough), "they have played a while", pause=0.002)
            server.kill()
            for each in playing:
                each.result()
        server.start()
        for match in matches:
            match.check()
    # And the games go on.
    for match in matches:
        view = match.white.see(match.game)["view"]
        if view["legal_actions"]:
            (match.white if to_move(view) == "white" else match.black).play(match.game)
            match.acknowledged = actions_in(match.white.see(match.game)["view"])
            match.check()
    assert '"trace"' not in server.log.read_text()
    return promised(matches)


def test_kill_under_load(own_server: Server) -> None:
    rounds = 1 if "--database" in own_server.arguments else 2
    assert kill_and_check(own_server, games=4, rounds=rounds) > 10


@pytest.mark.thorough
def test_kill_under_load_again_and_again(own_server: Server) -> None:
    assert kill_and_check(own_server, games=12, rounds=lasting(6, 30)) > 100


# --- at once --------------------------------------------------------------------------------------


def at_once(deeds: list[Callable[[], Any]]) -> list[Any]:
    """Let all happen in the same moment; what each gave, or its refusal."""
    barrier = threading.Barrier(len(deeds))

    def run(deed: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return deed()
        except Refused as refused:
            return refused

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(run, deeds))


def sockets_of(person: Person, number: int) -> list[Socket]:
    return [person.socket() for _ in range(number)]


def test_the_same_action_is_accepted_once(server: Server) -> None:
    white, black, game = friends(server)
    sockets = {"white": sockets_of(white, 4), "black": sockets_of(black, 4)}
    for _ in range(8):
        view = white.see(game)["view"]
        person = white if to_move(view) == "white" else black
        command = {"action": view["legal_actions"][0], "ply": view["ply"]}
        askers: list[Person | Socket] = [person, *sockets[to_move(view)]]
        answers = at_once([partial(asker.do, game, "play", **command) for asker in askers])
        after = white.see(game)
        assert actions_in(after["view"]) == [*actions_in(view), command["action"]]
        assert [answer["type"] for answer in answers[1:]] == ["done"] * 4
        assert [answer["number"] for answer in answers] == [after["number"]] * 5
    assert kinds(server, game)["played"] == 8
    for each in (*sockets["white"], *sockets["black"]):
        each.close()


def test_of_different_actions_one_is_accepted(server: Server) -> None:
    white, black, game = friends(server)
    for _ in range(4):
        view = white.see(game)["view"]
        own = sockets_of(white if to_move(view) == "white" else black, 4)
        actions = view["legal_actions"][:4]
        answers = at_once(
            [
                partial(each.do, game, "play", action=action, ply=view["ply"])
                for each, action in zip(own, actions, strict=True)
            ]
        )
        assert sorted(answer["type"] for answer in answers) == ["done"] + ["problem"] * 3
        for answer in answers:
            if answer["type"] == "problem":
                assert answer["problem"]["type"] == "behind"
                assert answer["problem"]["number"] == white.see(game)["number"]
        (won,) = [a for a, answer in zip(actions, answers, strict=True) if answer["type"] == "done"]
        assert actions_in(white.see(game)["view"])[view["ply"] :] == [won]
        for each in own:
            each.close()


def test_one_of_many_joins(server: Server) -> None:
    host = server.person()
    people = [server.person() for _ in range(6)]
    for opponent in ("friend", "anyone"):
        created = host.create(opponent={"kind": opponent}, clock={"kind": "days", "days": 1})
        game, word = created["game"], {"invitation": created["invitation"]}
        answers = at_once([partial(each.post, f"games/{game}/join", word) for each in people])
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert len(refused) == 5
        assert all(answer.status == 409 for answer in refused)
        (winner,) = [p for p, a in zip(people, answers, strict=True) if not isinstance(a, Refused)]
        seen = winner.see(game)
        assert seen["you"] == ["black"]
        assert seen["standing"]["black"]["name"] == winner.name
        assert seen["standing"]["status"] == "setup"
        assert kinds(server, game) == {"joined": 1}


def test_the_screen_is_lifted_once(server: Server) -> None:
    for _ in range(5):
        white, black, game = friends(server, ready=False)
        submit = [partial(white.submit, game, "white"), partial(black.submit, game, "black")]
        answers = at_once([*submit, *submit])
        # Whoever came when it was lifted is told so; each was accepted once at least.
        assert not all(isinstance(answer, Refused) for answer in answers[::2])
        assert not all(isinstance(answer, Refused) for answer in answers[1::2])
        assert kinds(server, game) == {"joined": 1, "ready": 2, "lifted": 1}
        assert white.see(game)["standing"]["status"] == "playing"


def test_one_rematch(server: Server) -> None:
    for _ in range(3):
        white, black, game = friends(server)
        white.do(game, "resign")
        ask = [partial(white.do, game, "rematch"), partial(black.do, game, "rematch")]
        at_once([*ask, *ask])
        assert kinds(server, game)["rematched"] == 1
        next = white.see(game)["standing"]["rematch"]
        for person in (white, black):
            assert [listed["game"] for listed in person.get("me/games")["games"]] == [next]


def test_everything_at_once(server: Server) -> None:
    """Whatever two players do at the same moment, the events make a game."""
    white, black, game = friends(server, "croft")
    for _ in range(6):
        view = white.see(game)["view"]
        if not view["legal_actions"]:
            break
        mover, other = (white, black) if to_move(view) == "white" else (black, white)
        action = view["legal_actions"][0]
        at_once(
            [
                partial(mover.do, game, "play", action=action, ply=view["ply"]),
                partial(mover.do, game, "offer_draw"),
                partial(other.do, game, "decline_draw"),
                partial(other.do, game, "ask_take_back"),
                partial(mover.do, game, "refuse_take_back"),
            ]
        )
        events = stored_events(server, game)
        assert [number for number, _ in events] == list(range(1, len(events) + 1))
        assert white.see(game)["number"] == len(events)
        assert actions_in(black.see(game)["view"]) == [
            event["action"] for _, event in events if event["kind"] == "played"
        ]
