"""Monotonic reads: whoever has seen something is never shown less.

Two servers on one PostgreSQL are two workers that a client reaches by choice.  What they tell each
other is lost, all of it or at random.  What was acknowledged must be seen all the same: at once by
whoever asks, and soon by whoever only listens.  Chance follows a seed, which is printed;
CYVASSE_TEST_SEED lets the same happen again.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

import cyvasse
from tests.server.harness import Server, actions_in, setup_of, to_move, until
from tests.server.postgres import Cluster
from tests.server.readers import Book, Reader

RULES = cyvasse.rule_set("croft")
STEPS = 40
PLAYS = 15
Step = Callable[[], None]
FORGETFUL = Path(__file__).with_name("forgetful.py")


@pytest.fixture
def seed() -> int:
    """For everything that is left to chance; shown if the test fails."""
    drawn = int(os.environ.get("CYVASSE_TEST_SEED") or random.SystemRandom().randrange(1 << 30))
    print(f"CYVASSE_TEST_SEED={drawn}")
    return drawn


@pytest.fixture(scope="module", params=["no hints", "some hints"])
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres: Cluster
) -> Iterator[list[Server]]:
    """Two workers that hear nothing of each other, or too little, too late and too often."""
    database = postgres.database(f"monotonic_{os.urandom(6).hex()}")
    servers = []
    with ExitStack() as running:
        for name in ("one", "two"):
            server = Server(tmp_path_factory.mktemp(name), "--database", database)
            # Both believe the same cookies.
            server.environment["CYVASSE_SECRET"] = "a secret that both of the servers know"
            if request.param == "no hints":
                server.arguments += ["--channels", "memory"]
            else:
                server.program = [str(FORGETFUL)]
                server.environment["FORGETFUL_SEED"] = name
            running.callback(server.close)
            server.spawn()
            servers.append(server)
        for server in servers:
            server.wait()
        yield servers
        for server in servers:
            assert '"trace"' not in server.log.read_text()


class Walk:
    """Four people do and look at one thing after the other, each time with some worker.

    As nothing happens at the same time, every answer must hold all that was acknowledged.
    """

    def __init__(self, servers: list[Server], seed: int) -> None:
        self.servers = servers
        self.chance = random.Random(seed)
        self.people = [Reader(self.anywhere()) for _ in range(4)]
        self.white, self.black = self.people[:2]
        self.playing: list[Reader] = []
        self.open: dict[str, Reader] = {}
        """The seats in the lobby, and who offers them."""
        self.lobbies = [frozenset[str]()]
        """How the lobby has been so far."""
        self.saved: dict[tuple[Reader, str], Any] = {}
        self.last: dict[str, Any] | None = None
        """The last action as it was sent."""

    def close(self) -> None:
        for game, person in self.open.items():
            person.do(game, "abort")
        for person in self.people:
            person.hang_up()
            person.http.close()

    def anywhere(self) -> Server:
        return self.chance.choice(self.servers)

    def elsewhere(self, server: Server) -> Server:
        (other,) = [each for each in self.servers if each is not server]
        return other

    def someone(self) -> Reader:
        return self.chance.choice(self.people).go(self.anywhere())

    def other(self, player: Reader) -> Reader:
        return self.black if player is self.white else self.white

    # --- from the first game to the next ----------------------------------------------------------

    def begin(self) -> None:
        """A game; Black watches it, and talks to those who watch, before joining."""
        created = self.white.go(self.anywhere()).create("croft", first="white")
        self.open_book(Book(created["game"], self.white.name), [self.white])
        for person in (self.white, self.black, self.black):
            self.say(person)
        self.black.look_at_chat()
        join = {"invitation": created["invitation"]}
        answer = self.black.go(self.anywhere()).post(f"games/{self.book.game}/join", join)
        self.done(answer["number"], 1)
        self.playing.append(self.black)
        self.book.names["black"].append((1, self.black.name))
        for person in self.people:
            self.come_back(person)
        self.set_up()

    def open_book(self, book: Book, playing: list[Reader]) -> None:
        self.book = book
        self.playing = playing
        self.last = None
        for person in self.people:
            person.follow(self.book)
            self.come_back(person)

    def set_up(self) -> None:
        self.be_ready(self.white, "white", 1)
        self.be_ready(self.black, "black", 2)  # and the screen is lifted

    def be_ready(self, player: Reader, seat: str, events: int) -> None:
        """Be ready; the other one before having thought again, with the same setup as before."""
        setup = setup_of(RULES, seat, self.chance.randrange(1000))
        here = self.anywhere()
        there = self.elsewhere(here)
        draft = f"games/{self.book.game}/drafts/{seat}"
        kept = player.go(here).put(draft, {"setup": setup})
        assert player.go(there).get(draft) == kept
        if events == 1:
            self.act(player, here, "submit", 1, setup=setup)
            self.act(player, there, "withdraw", 1)
        self.act(player, here, "submit", events, setup=setup)
        assert self.someone().look()["standing"]["ready"][seat]

    def play_on(self) -> None:
        """The same two once more, with colours changed."""
        if self.book.number and self.someone().look()["standing"]["outcome"] is None:
            self.act(self.white, self.anywhere(), "resign", 1)
        self.act(self.black, self.anywhere(), "rematch", 1)
        self.act(self.white, self.anywhere(), "rematch", 1)
        game = self.someone().look()["standing"]["rematch"]
        self.white, self.black = self.black, self.white
        book = Book(game, self.white.name, self.black.name)
        self.open_book(book, [self.white, self.black])
        self.set_up()

    # --- what is done -----------------------------------------------------------------------------

    def act(self, player: Reader, server: Server, do: str, events: int, **more: Any) -> None:
        """Do something that so many events follow from."""
        if player.ear is not None and player.ear_at is server and self.chance.random() < 0.5:
            answer = player.ear.do(self.book.game, do, **more)
            assert answer["type"] == "done", answer
        else:
            answer = player.go(server).do(self.book.game, do, **more)
        self.done(answer["number"], events)

    def done(self, number: int, events: int) -> None:
        """So it was said, so everyone must see it."""
        self.book.number += events
        assert number == self.book.number

    def play(self, looking: Reader | None = None, server: Server | None = None) -> None:
        """One action, with a worker that need not have heard of the one before."""
        view = self.look(looking or self.someone())["view"]
        if not view["legal_actions"]:
            return
        mover = self.white if to_move(view) == "white" else self.black
        action = self.chance.choice(view["legal_actions"])
        self.last = {"seat": to_move(view), "action": action, "ply": view["ply"]}
        self.act(mover, server or self.anywhere(), "play", 1, **self.last)
        self.book.actions.append(action)

    def send_again(self) -> None:
        """The same action once more: it is done already, and that is the answer."""
        if self.last is not None:
            self.act(self.mover(), self.anywhere(), "play", 0, **self.last)

    def take_back(self) -> None:
        """And play the very same again, which must happen again."""
        here = self.anywhere()
        there = self.elsewhere(here)
        view = self.look(self.someone().go(here))["view"]
        if self.last is None or not view["legal_actions"]:
            return
        mover, turn = self.mover(), view["turns"][-1]["actions"]
        self.act(mover, there, "ask_take_back", 1)
        self.act(self.other(mover), there, "allow_take_back", 1)
        for ply, action in enumerate(turn, len(self.book.actions) - len(turn)):
            self.act(mover, here, "play", 1, action=action, ply=ply)

    def mover(self) -> Reader:
        assert self.last is not None
        return self.white if self.last["seat"] == "white" else self.black

    def say(self, person: Reader | None = None) -> None:
        person = person or self.someone()
        text = f"It is {self.chance.random()}."
        server = self.anywhere()
        if person.ear is not None and person.ear_at is server:
            assert person.ear.ask("say", game=self.book.game, text=text)["type"] == "done"
        else:
            person.go(server).post(f"games/{self.book.game}/chat", {"text": text})
        self.book.remarks["players" if person in self.playing else "spectators"] += 1

    def sign_up(self) -> None:
        """A player gets a name; the next action, with another worker, is told with it."""
        seat = self.chance.choice(("white", "black"))
        player, witness = self.white if seat == "white" else self.black, self.people[2]
        here = self.anywhere()
        there = self.elsewhere(here)
        account = {"name": f"n{self.chance.randrange(1 << 50)}", "password": "correct horse"}
        if player.go(there).get("me")["account"]:
            return
        witness.reconnect(there)
        player.go(here).post("me/account", account)
        player.name = account["name"]
        self.book.names[seat].append((self.book.number, player.name))
        if player.ear is not None:
            # The server will end this connection; until it does nothing is said by the guest.
            with suppress(ConnectionClosed):
                said = player.ear.ask("say", game=self.book.game, text="Who am I?")
                assert said["type"] == "problem", said
        player.reconnect(here)
        self.play(player, there)
        witness.listen()
        self.knows_all(witness)
        me = player.go(there).get("me")
        assert (me["name"], me["account"]) == (player.name, True)

    def offer_seat(self) -> None:
        """A seat in the lobby is new, or gone."""
        if self.open and self.chance.random() < 0.4:
            game = self.chance.choice(list(self.open))
            self.open.pop(game).go(self.anywhere()).do(game, "abort")
        else:
            person, days = self.someone(), {"kind": "days", "days": 1}
            self.open[person.create(opponent={"kind": "anyone"}, clock=days)["game"]] = person
        self.lobbies.append(frozenset(self.open))

    def save_setup(self) -> None:
        """A setup is kept under a name, or deleted."""
        person, name = self.someone(), self.chance.choice("ab")
        if self.saved.pop((person, name), None) is not None:
            person.delete(f"me/setups/croft/{name}")
        else:
            setup = setup_of(RULES, "white", self.chance.randrange(1000))
            self.saved[person, name] = person.put(f"me/setups/croft/{name}", {"setup": setup})

    # --- what is seen -----------------------------------------------------------------------------

    def come_back(self, person: Reader | None = None) -> None:
        """Somebody connects to some worker: nothing is missing then."""
        person = person or self.someone()
        if person.ear is not None and self.chance.random() < 0.5:
            person.listen()
        answer = person.reconnect(self.anywhere(), anew=self.chance.random() < 0.2)
        assert answer["number"] == self.book.number, answer["type"]
        self.knows_all(person)
        assert person.remarks[person.room] == self.book.remarks[person.room]
        assert person.lobbies[0] == frozenset(self.open)

    def knows_all(self, person: Reader) -> None:
        assert person.number == self.book.number

    def look(self, person: Reader) -> dict[str, Any]:
        snapshot = person.look()
        self.knows_all(person)
        assert actions_in(snapshot["view"]) == self.book.actions
        return snapshot

    def look_at_chat(self) -> None:
        person = self.someone()
        person.look_at_chat()
        assert person.remarks[person.room] == self.book.remarks[person.room]

    def look_at_list(self) -> None:
        person = self.chance.choice(self.playing).go(self.anywhere())
        person.look_at_list()
        self.knows_all(person)

    def look_at_file(self) -> None:
        assert self.someone().look_at_file() == self.book.actions

    def look_at_boards(self) -> None:
        self.someone().look_at_boards(len(self.book.actions))

    def look_at_lobby(self) -> None:
        seats = self.someone().get("lobby")
        assert {seat["game"] for seat in seats} == set(self.open)

    def look_at_setups(self) -> None:
        person = self.someone()
        saved = [kept for (whose, _), kept in sorted_items(self.saved) if whose is person]
        assert person.get("me/setups/croft") == saved

    def listen(self) -> None:
        self.someone().listen()

    # --- all of it --------------------------------------------------------------------------------

    def go(self, steps: int) -> None:
        self.begin()
        often: list[Step] = [self.play, self.come_back, self.come_back, self.take_back, self.say]
        doing: list[Step] = [self.send_again, self.offer_seat, self.save_setup]
        seeing: list[Step] = [
            self.look_at_chat,
            self.look_at_list,
            self.look_at_file,
            self.look_at_boards,
            self.look_at_lobby,
            self.look_at_setups,
            self.listen,
        ]
        rarely: dict[int, Step] = {
            steps // 4: self.sign_up,
            steps // 2: self.play_on,
            3 * steps // 4: self.sign_up,
        }
        for number in range(steps):
            step = self.chance.choice([*often, *often, *doing, *seeing])
            rarely.get(number, step)()
        self.end()
        self.last_word()

    def end(self) -> None:
        """Whoever only listens hears everything soon, though nobody calls."""
        present = {"white": True, "black": True, "spectators": 2}

        def heard(person: Reader) -> bool:
            person.listen()
            return (
                person.number == self.book.number
                and person.remarks[person.room] == self.book.remarks[person.room]
                and person.lobbies[-1] == frozenset(self.open)
                and present.items() <= person.presence.items()
            )

        for person in self.people:
            until(partial(heard, person), "everything is heard")
            in_order(person.lobbies, self.lobbies)

    def last_word(self) -> None:
        """Something more happens with one worker, and nobody asks the other one any more."""
        here, listener = self.anywhere(), self.people[2]
        listener.reconnect(self.elsewhere(here))
        self.end()
        if self.look(self.white.go(here))["standing"]["outcome"] is None:
            self.act(self.white, here, "resign", 1)
        else:
            self.act(self.white, here, "rematch", 1)

        def heard() -> bool:
            listener.listen()
            return listener.number == self.book.number

        until(heard, "the last word is heard")


def sorted_items(saved: dict[tuple[Reader, str], Any]) -> list[tuple[tuple[Reader, str], Any]]:
    return sorted(saved.items(), key=lambda item: item[0][1])


def in_order(told: list[frozenset[str]], been: list[frozenset[str]]) -> None:
    """Whether what was told of the lobby can have been so, one after the other."""
    at = 0
    for lobby in told:
        assert lobby in been[at:], "the lobby went back to what it was before"
        at = been.index(lobby, at)


class Crowd:
    """Some read, go away and come back as fast as they can while two others play."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.book = walk.book
        self.over = threading.Event()
        self.readers = walk.people[2:]

    def run(self) -> None:
        with ThreadPoolExecutor(len(self.readers) + 1) as threads:
            working = [threads.submit(self.play)]
            for reader in self.readers:
                chance = random.Random(self.walk.chance.random())
                working.append(threads.submit(self.read, reader, chance))
            for each in working:
                each.result()
        remarks = self.readers[0].get(f"games/{self.book.game}/chat")["remarks"]
        said = remarks[-1]["number"]
        for reader in self.readers:
            if reader.ear is None:
                reader.reconnect(self.walk.anywhere())
            until(partial(self.heard, reader, said), "everything is heard")

    def heard(self, reader: Reader, said: int) -> bool:
        reader.listen()
        return (reader.number, reader.remarks["spectators"]) == (self.book.number, said)

    def play(self) -> None:
        try:
            for _ in range(PLAYS):
                self.walk.play(self.walk.white.go(self.walk.anywhere()))
        finally:
            self.over.set()

    def read(self, reader: Reader, chance: random.Random) -> None:
        def say() -> None:
            reader.post(f"games/{self.book.game}/chat", {"text": f"{chance.random()}"})

        def come_back() -> None:
            reader.reconnect(reader.server, anew=chance.random() < 0.2)

        while not self.over.is_set():
            reader.go(chance.choice(self.walk.servers))
            deeds = [come_back, come_back, say, reader.look, reader.look_at_chat, reader.listen]
            chance.choice(deeds)()


def test_nobody_is_shown_less(pair: list[Server], seed: int) -> None:
    walk = Walk(pair, seed)
    try:
        walk.go(STEPS)
    finally:
        walk.close()


def test_nobody_is_shown_less_when_all_happens_at_once(pair: list[Server], seed: int) -> None:
    walk = Walk(pair, seed)
    try:
        walk.begin()
        Crowd(walk).run()
    finally:
        walk.close()
