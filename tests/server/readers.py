"""Readers: people who go from worker to worker and remember all that they were ever shown.

A reader fails as soon as a worker shows less than that, or leaves something out without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cyvasse.notation import read_game
from tests.server.harness import Person, Server, Socket, actions_in

ROOMS = ("players", "spectators")


class Book:
    """One game as it was acknowledged, whoever did something and whichever worker said so."""

    def __init__(self, game: str, white: str, black: str | None = None) -> None:
        self.game = game
        self.number = 0
        self.actions: list[str] = []
        self.remarks = dict.fromkeys(ROOMS, 0)
        self.names: dict[str, list[tuple[int, str | None]]] = {
            "white": [(0, white)],
            "black": [(0, black)],
        }
        """Who sat on each seat, and since which number."""
        self._told: dict[tuple[str, int], Any] = {}

    def same(self, kind: str, number: int, what: Any) -> None:
        """What was told under a number is never told otherwise."""
        before = self._told.setdefault((kind, number), what)
        assert what == before, f"{kind} {number} was {before}, and is {what}"

    def seated(self, number: int, places: Mapping[str, Any], *, now: bool) -> None:
        """Nobody is on a seat under an older name than was acknowledged.

        A name changes without an event: what was told before may still be on its way, no answer.
        """
        for seat, names in self.names.items():
            latest = max(since for since, _ in names if since < number or now or not since)
            name = places[seat] and places[seat]["name"]
            fitting = [each for since, each in names if since >= latest]
            assert name in fitting, f"{seat} is {name} at {number}, and was {names}"


class Reader(Person):
    """Somebody whose browser reaches now this worker, now another one."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.ear: Socket | None = None
        self.ear_at: Server | None = None
        """The worker that this is connected to; requests may go to another one."""
        self.lobbies: list[frozenset[str]] = []
        """What this connection was told of the lobby."""
        self.presence: dict[str, Any] = {}
        self._taken = 0

    def follow(self, book: Book) -> None:
        """Turn to another game."""
        self.hang_up()
        self.book = book
        self.number = 0
        self.room = "spectators"
        self.remarks = dict.fromkeys(ROOMS, 0)

    def go(self, server: Server) -> Reader:
        """Ask this worker from now on."""
        self.server = server
        self.http.base_url = f"{server.url}/api/"
        return self

    # --- a connection -----------------------------------------------------------------------------

    def reconnect(self, server: Server, *, anew: bool = False) -> dict[str, Any]:
        """Connect to a worker and say what is known, or nothing; what was missing."""
        self.hang_up()
        self.ear, self.ear_at = self.go(server).socket(), server
        self._taken, self.lobbies = 0, []
        # What this connection must go on from.
        self._number = 0 if anew else self.number
        self._remarks = dict.fromkeys(ROOMS, 0) | {self.room: self.remarks[self.room]}
        self._fresh = anew
        known: dict[str, Any] = {"chat": self.remarks[self.room], "room": self.room}
        if not anew:
            known["last"] = self.number
        for answer in (
            self.ear.ask("watch", game=self.book.game, **known),
            self.ear.ask("lobby"),
        ):
            assert answer["type"] == "done", answer
        self._take_all()
        missing = ("snapshot", "update", "current")
        return next(message for message in self.ear.heard if message["type"] in missing)

    def hang_up(self) -> None:
        """Whatever is on its way is lost."""
        if self.ear is not None:
            self.ear.close()
            self.ear = self.ear_at = None

    def listen(self) -> None:
        """Take everything that this connection was told so far."""
        assert self.ear is not None
        self.ear.ask("ping")
        self._take_all()

    def _take_all(self) -> None:
        assert self.ear is not None
        for message in self.ear.heard[self._taken :]:
            if message.get("game") in (None, self.book.game):
                self._take(message)
        self._taken = len(self.ear.heard)

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self.take_snapshot(message)
                self._number, self._fresh = message["number"], False
            case "update":
                events = message["events"]
                _follows(self._number, [each["number"] for each in events])
                assert not self._fresh
                assert events[-1]["number"] == message["number"]
                for each in events:
                    self.book.same("event", each["number"], each["event"])
                self._number = message["number"]
                self._see(message)
            case "current":
                assert message["number"] == self._number
            case "chat":
                room, remarks = message["room"], message["remarks"]
                _follows(self._remarks[room], [remark["number"] for remark in remarks])
                self._remarks[room] += len(remarks)
                self.take_chat(message)
            case "presence":
                self.presence = message
            case "lobby":
                self.lobbies.append(frozenset(seat["game"] for seat in message["seats"]))

    def take_snapshot(self, message: dict[str, Any]) -> None:
        """Everything about the game: no less than was known."""
        assert message["number"] >= self.number, f"{message['number']} after {self.number}"
        self.book.same("actions at", message["number"], actions_in(message["view"]))
        self._see(message, now=True)

    def take_chat(self, message: dict[str, Any]) -> None:
        """Remarks, however they came."""
        self.room = message["room"]
        for remark in message["remarks"]:
            self.book.same(self.room, remark["number"], remark["text"])
            self.remarks[self.room] = max(self.remarks[self.room], remark["number"])

    def _see(self, message: dict[str, Any], *, now: bool = False) -> None:
        self.number = max(self.number, message["number"])
        self.book.seated(message["number"], message["standing"], now=now)

    # --- requests ---------------------------------------------------------------------------------

    def look(self) -> dict[str, Any]:
        """A snapshot."""
        snapshot: dict[str, Any] = self.see(self.book.game)
        self.take_snapshot(snapshot)
        return snapshot

    def look_at_chat(self) -> None:
        """What was said since."""
        chat = self.get(f"games/{self.book.game}/chat", after=self.remarks[self.room])
        if chat["room"] == self.room:
            _follows(self.remarks[self.room], [remark["number"] for remark in chat["remarks"]])
        self.take_chat(chat)

    def look_at_list(self) -> None:
        """The own games."""
        for finished in ("false", "true"):
            for listed in self.get("me/games", finished=finished)["games"]:
                if listed["game"] == self.book.game:
                    assert listed["number"] >= self.number
                    self.number = listed["number"]
                    self.book.seated(self.number, listed, now=True)

    def look_at_file(self) -> list[str]:
        """The actions in the game file."""
        return [str(action) for action in read_game(self._text("file")).actions]

    def look_at_boards(self, ply: int) -> None:
        """The newest boards in all their forms are those after so many actions."""
        for form in ("position", "board.svg"):
            assert self._text(form) == self._text(form, ply=ply)
        self.get(f"games/{self.book.game}/board", ply=ply)

    def _text(self, form: str, **query: Any) -> str:
        answer = self.http.get(f"games/{self.book.game}/{form}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.text


def _follows(known: int, numbers: Iterable[int]) -> None:
    """Nothing is left out, and nothing comes again."""
    numbers = list(numbers)
    expected = list(range(known + 1, known + 1 + len(numbers)))
    assert numbers == expected, f"after {known} came {numbers}"
