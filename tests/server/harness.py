"""A real server in a process of its own, and people who use it over HTTP and websockets."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import cyvasse
from cyvasse.rules.terms import Color

# Reading certificates, which nobody needs here, would take most of the time.
client = partial(httpx.Client, verify=False)
get = partial(httpx.get, verify=False)
post = partial(httpx.post, verify=False)

PATIENCE = 30.0  # for something that happens at once; a limit, not a measurement


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`cyvasse serve` with a folder, or a PostgreSQL, of its own."""

    def __init__(self, folder: Path, *arguments: str, limits: str = "0") -> None:
        self.folder = folder
        self.port = free_port()
        self.arguments = [*arguments, "--limits", limits]
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.people: list[Person] = []
        self.environment: dict[str, str] = {}
        """What it finds in its environment beside what is in ours."""
        self.python = sys.executable
        self.program = ["-m", "cyvasse"]
        """What Python is to run."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.spawn()
        self.wait()

    def wait(self) -> None:
        """Until it answers."""
        until(self._answers, "the server answers", patience=60)

    def spawn(self) -> None:
        """Start it without waiting until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        command = ["serve", "--port", str(self.port), "--data", str(self.folder)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.python, *self.program, *command, *self.arguments],
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, **self.environment},
            )

    def _answers(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended: {self.log.read_text()[-3000:]}")
        try:
            return get(f"{self.url}/healthz", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    def stop(self) -> int:
        """End it politely."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self.process = None
        return code

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)
        self.process = None

    def close(self) -> None:
        for person in self.people:
            person.http.close()
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(60)

    def person(self) -> Person:
        self.people.append(Person(self))
        return self.people[-1]


class Person:
    """Somebody with a browser: a cookie, requests, and perhaps a websocket."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = client(base_url=f"{server.url}/api/", timeout=PATIENCE)
        self.name: str = self.get("me")["name"]

    def get(self, path: str, **query: Any) -> Any:
        assert "?" not in path, "httpx drops a query of the path where parameters are given too"
        return self._answer(self.http.get(path, params=query))

    def post(self, path: str, body: Any = None) -> Any:
        return self._answer(self.http.post(path, json=body))

    def put(self, path: str, body: Any) -> Any:
        return self._answer(self.http.put(path, json=body))

    def delete(self, path: str) -> Any:
        return self._answer(self.http.delete(path))

    @staticmethod
    def _answer(response: httpx.Response) -> Any:
        if response.is_error:
            assert response.headers["content-type"] == "application/problem+json", response.text
            raise Refused(response.json())
        return response.json() if response.content else None

    def create(self, rule_set: str = "nine-tile", opponent: Any = None, **more: Any) -> Any:
        opponent = opponent or {"kind": "friend"}
        body = {"rule_set": rule_set, "opponent": opponent, "color": "white", **more}
        return self.post("games", body)

    def do(self, game: str, do: str, **more: Any) -> Any:
        return self.post(f"games/{game}/commands", {"do": do, **more})

    def see(self, game: str) -> Any:
        return self.get(f"games/{game}")

    def submit(self, game: str, color: str, seed: int = 1, **more: Any) -> Any:
        rules = cyvasse.rule_set(self.see(game)["agreement"]["rule_set"])
        return self.do(game, "submit", setup=setup_of(rules, color, seed), **more)

    def play(self, game: str, index: int = 0) -> str:
        """Do one of the legal actions."""
        view = self.see(game)["view"]
        action: str = view["legal_actions"][index % len(view["legal_actions"])]
        self.do(game, "play", action=action, ply=view["ply"])
        return action

    def socket(self) -> Socket:
        return Socket(self)


def actions_in(view: Any) -> list[str]:
    """Everything that was played, as a view tells it."""
    return [action for turn in view.get("turns", ()) for action in turn["actions"]]


class Refused(Exception):
    """A problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem)
        self.problem = problem

    @property
    def status(self) -> int:
        status: int = self.problem["status"]
        return status

    @property
    def kind(self) -> str:
        kind: str = self.problem["type"]
        return kind


class Socket:
    """A websocket that notes everything it hears."""

    def __init__(
        self,
        person: Person | None,
        server: Server | None = None,
        path: str = "/api/socket",
        sock: socket.socket | None = None,
        **more: Any,
    ) -> None:
        at = server or (person.server if person else None)
        assert at is not None
        cookie = person.http.cookies.get("cyvasse") if person else None
        headers = {"Cookie": f"cyvasse={cookie}"} if cookie else {}
        self._open = contextlib.ExitStack()
        self.connection: ClientConnection = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{at.port}{path}",
                additional_headers={**headers, **more},
                max_size=None,
                max_queue=None if sock is None else 1,
                sock=sock,
                close_timeout=PATIENCE if sock is None else 0.1,
            )
        )
        self.heard: list[dict[str, Any]] = []
        self._id = 0

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(ConnectionClosed):  # the server may have been first
            self._open.close()

    def send(self, message: Any) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(timeout))
        self.heard.append(message)
        return message

    def wait_for(
        self, kind: str, check: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any]:
        """The next message of that type for which the check holds."""
        deadline = time.monotonic() + PATIENCE
        while True:
            message = self.hear(max(0.01, deadline - time.monotonic()))
            if message["type"] == kind and check(message):
                return message

    def hear_number(self, number: int) -> dict[str, Any]:
        """The update that brought the game to that number, heard already or still to come."""
        for message in self.heard:
            if message["type"] == "update" and message["number"] == number:
                return message
        return self.wait_for("update", lambda message: bool(message["number"] == number))

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        """Send a request; its answer, done or problem."""
        self._id += 1
        self.send({"type": kind, "id": self._id, **more})
        while True:
            message = self.hear()
            if message.get("id") == self._id:
                return message

    def do(self, game: str, do: str, **more: Any) -> dict[str, Any]:
        return self.ask("do", game=game, command={"do": do, **more})

    def watch(self, game: str, **more: Any) -> dict[str, Any]:
        """Follow a game; the snapshot, update or current that answers."""
        before = len(self.heard)
        answer = self.ask("watch", game=game, **more)
        if answer["type"] == "problem":
            return answer
        return next(
            message
            for message in self.heard[before:]
            if message["type"] in ("snapshot", "update", "current")
        )

    def drain(self, seconds: float = 0.2) -> None:
        """Hear what is still under way."""
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            while True:
                self.hear(seconds)


def setup_of(rules: Any, color: str, seed: int = 1) -> dict[str, Any]:
    from cyvasse.notation.documents import setup_document

    return cast(dict[str, Any], setup_document(rules, rules.random_setup(color, seed=seed)))


def until(
    check: Callable[[], Any], what: str, patience: float = PATIENCE, pause: float = 0.05
) -> Any:
    """Wait until something is so; what the check gave then."""
    deadline = time.monotonic() + patience
    while not (found := check()):
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(pause)
    return found


def to_move(seen: Any) -> str:
    """Whose turn it is on a board that somebody sees; nobody's while the screen stands."""
    return cast(str, seen["position"]["to_move"]) if "position" in seen else ""


def deadline(standing: Any) -> int | None:
    """When something happens by itself, as the clocks and the time for setting up tell it."""
    clocks = standing["clocks"]
    if clocks["running"] is None or clocks[clocks["running"]] is None:
        return cast("int | None", standing["setup_deadline"])
    return cast(int, clocks["now"] + clocks[clocks["running"]])


@contextlib.contextmanager
def serving(folder: Path, *arguments: str, limits: str = "0") -> Iterator[Server]:
    """A server for a while."""
    server = Server(folder, *arguments, limits=limits)
    try:
        server.start()
        yield server
    finally:
        server.close()


def game_at(server: Server, position: str, white: Person, black: Person) -> str:
    """A game of these two that begins at a position, as no request can make one; with SQLite.

    It is imported as a file, and then given to the players of a game that was made for that.
    """
    start = cyvasse.parse_position(position)
    made = white.create(start.rules.id)
    black.post(f"games/{made['game']}/join", {"invitation": made["invitation"]})
    game: str = white.post("imports", {"file": str(cyvasse.Game.from_position(start))})["game"]
    seats = ", ".join(f"{color}_{part}" for color in Color for part in ("id", "name"))
    with contextlib.closing(sqlite3.connect(server.folder / "cyvasse.sqlite", PATIENCE)) as data:
        data.execute(
            f"update games set ({seats}) = (select {seats} from games where id = ?), "
            "agreement = json_set(agreement, '$.imported', json('false')), "
            "status = 'playing', turn = ?, finished_at = null where id = ?",
            (made["game"], str(start.turn), game),
        )
        data.commit()
    return game


def friends(
    server: Server, rule_set: str = "nine-tile", *, ready: bool = True, **more: Any
) -> tuple[Person, Person, str]:
    """Two people in a game with each other: White, Black and the game's id."""
    white, black = server.person(), server.person()
    created = white.create(rule_set, **more)
    game: str = created["game"]
    black.post(f"games/{game}/join", {"invitation": created["invitation"]})
    if ready:
        white.submit(game, "white")
        black.submit(game, "black")
    return white, black, game
