"""How fast the server is, beside a bare websocket echo on the same machine in the same run.

    python benchmarks/server.py throughput [--games 200] [--seconds 10] [--looking]
                                           [--database URL --workers 2]
    python benchmarks/server.py latency    [--rate 50] [--seconds 20]
    python benchmarks/server.py growth     [--actions 4000] [--finished 20000]
    python benchmarks/server.py crowd      [--games 2000] [--seconds 60]
    python benchmarks/server.py watchers   [--watchers 2000] [--seconds 20]

Games are begun and played with the requests that two people's pages make, files that browsers keep
aside.  *throughput*: 200 games, 400 sockets, everyone plays as soon as it is his turn.  What counts
is acknowledged actions, and an action is acknowledged after its commit; also how much the server
computes for one (with one worker).  With ``--looking`` everyone has a layer on.  The echo is
Litestar's, run the same way; it answers messages of the same size over as many sockets, in turn
with the games, in three rounds.  *latency*: so many actions a second over the same games; from
sending an action to both boards.  *growth*: what a move costs in longer and longer games, and with
more and more finished games in the database.  *crowd*: 2,000 games, one action in about five
seconds each, beside an echo with as many sockets at the same pace; a further socket asks all the
time whether the server is there, which shows its pauses.  *watchers*: how fast one quiet game is
while thousands watch another, in turn with the same game alone.  All end by themselves and listen
on loopback only.

The clients speak just enough of the websocket protocol, so that the server is measured, not they.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import gc
import json
import os
import random
import resource
import signal
import socket
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop

import cyvasse

ECHO = """
import sys
import uvicorn
from litestar import Litestar, WebSocket, websocket

@websocket("/api/socket")
async def echo(socket: WebSocket) -> None:
    await socket.accept()
    while True:
        event = await socket.receive()
        if event["type"] == "websocket.disconnect":
            return
        if event["type"] == "websocket.receive":
            await socket.send_data(event["text"], mode="text")

uvicorn.run(Litestar([echo]), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning",
            ws="websockets-sansio", ws_per_message_deflate=False)
"""


SECONDS_A_TURN = 5

# --- a small websocket client ---------------------------------------------------------------------


class Socket(asyncio.Protocol):
    """Sends text frames and hands every frame it gets to ``heard``."""

    def __init__(self, port: int, cookie: str, heard: Callable[[bytes], None]) -> None:
        self.heard = heard
        self.open = asyncio.get_running_loop().create_future()
        self._request = (
            f"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nCookie: cyvasse={cookie}\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        ).encode()
        self._buffer = b""
        self._upgraded = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data
        if not self._upgraded:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            if b" 101 " not in head[:20]:
                raise ConnectionError(head[:200].decode())
            self._upgraded = True
            self.open.set_result(None)
        at = 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 127, at + 2
            if size == 126:
                size = int.from_bytes(buffer[start : start + 2], "big")
                start += 2
            elif size == 127:
                size = int.from_bytes(buffer[start : start + 8], "big")
                start += 8
            if len(buffer) < start + size:
                break
            opcode, payload = buffer[at] & 15, buffer[start : start + size]
            at = start + size
            if opcode == 1:
                self.heard(payload)
            elif opcode == 9:
                self._write(0x8A, payload)
        self._buffer = buffer[at:]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("refused"))

    def send(self, payload: bytes) -> None:
        self._write(0x81, payload)

    def _write(self, first: int, payload: bytes) -> None:
        # Masked with zeros: clients must mask, but nobody here is to be fooled.
        size = len(payload)
        head = bytes([first])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        self.transport.write(head + b"\0\0\0\0" + payload)


async def connect(port: int, cookie: str, heard: Callable[[bytes], None]) -> Socket:
    loop = asyncio.get_running_loop()
    _, protocol = await loop.create_connection(
        lambda: Socket(port, cookie, heard), "127.0.0.1", port
    )
    await protocol.open
    return protocol


# --- servers --------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def running(port: int, *command: str) -> AsyncIterator[int]:
    process = subprocess.Popen([sys.executable, *command], start_new_session=True)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            await asyncio.sleep(0.1)
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def cpu_seconds(process: int) -> float:
    """How much a process has computed: other work on the machine disturbs this least."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


async def cost(bench: Bench, process: int, seconds: float) -> float:
    """Microseconds of the server's CPU for an acknowledged action."""
    before, actions = cpu_seconds(process), bench.acknowledged
    await bench.play_eagerly(seconds)
    return 1e6 * (cpu_seconds(process) - before) / (bench.acknowledged - actions)


def served(port: int, folder: Path, *more: str) -> Any:
    words = ["-m", "cyvasse", "serve", "--port", str(port), "--data", str(folder)]
    return running(port, *words, "--limits", "0", "--log-level", "warning", *more)


# --- games ----------------------------------------------------------------------------------------

_message = msgspec.json.Decoder()


class Seat:
    """One player's page: the requests that it makes, and its socket.

    tests/web/test_straight.py holds them against those of a real browser.
    """

    def __init__(self, bench: Bench, http: httpx.AsyncClient) -> None:
        self.bench = bench
        self.http = http
        self.game: LiveGame | None = None
        self.color = ""
        self.cookie = ""
        self.socket: Socket | None = None
        self.asked: list[str] = []
        """What kinds of requests it has made."""
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._id = 0

    def note(self, what: str) -> None:
        """Remember what kind of request this is."""
        game = self.game.id if self.game else "?"
        rules = self.game.rules.id if self.game else "?"
        known = what.partition("?")[0].replace(game, "{game}").replace(f"rules/{rules}", "rules/{}")
        self.asked.append(known)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request of the page."""
        self.note(f"{method} {path}")
        self.http.cookies.clear()
        headers = {"Cookie": f"cyvasse={self.cookie}"} if self.cookie else {}
        answer = await self.http.request(method, path, json=body, headers=headers)
        answer.raise_for_status()
        self.cookie = answer.cookies.get("cyvasse") or self.cookie
        return answer.json() if path.startswith("/api/") else None

    async def say(self, message: dict[str, Any]) -> None:
        """Send a message and wait until it is done."""
        assert self.socket is not None
        self._id += 1
        answered = self._answers[self._id] = asyncio.get_running_loop().create_future()
        self.note(message["type"] if "command" not in message else f"do {message['command']['do']}")
        self.socket.send(json.dumps({**message, "id": self._id}).encode())
        await answered

    async def open(self, game: LiveGame) -> None:
        """Open the page of a game, which brings how it stands, and follow it."""
        self.game = game
        await self.ask("GET", f"/game/{game.id}")
        self.socket = await connect(self.bench.port, self.cookie, self.heard)
        known = {"last": 0, "chat": 0, "room": "spectators"}
        await self.say({"type": "watch", "game": game.id, **known})

    def sit(self, color: str) -> None:
        """Be one of the players from now on."""
        assert self.game is not None
        self.color = color
        self.game.seats[color] = self

    async def set_up(self) -> None:
        """Take a good setup, keep it as a draft, and be ready."""
        assert self.game is not None
        rules = f"/api/rules/{self.game.rules.id}"
        draft = f"/api/games/{self.game.id}/drafts/{self.color}"
        await self.ask("GET", draft)
        setup = await self.ask("GET", f"{rules}/setup?color={self.color}&kind=good")
        await self.ask("POST", f"{rules}/check", {"setup": setup, "color": self.color})
        await self.ask("PUT", draft, {"setup": setup})
        command = {"do": "submit", "setup": setup, "seat": self.color}
        await self.say({"type": "do", "game": self.game.id, "command": command})

    async def look(self) -> None:
        """Look at a layer of the board of now."""
        assert self.game is not None
        await self.ask("GET", f"/api/games/{self.game.id}/layers")

    def heard(self, message: bytes) -> None:
        assert self.game is not None
        if message.startswith(b'{"type":"update"'):
            self.game.updated(self, message)
        elif message.startswith(b'{"type":"preview"'):
            self.game.goes_on(_message.decode(message)["board"])
        elif message.startswith(b'{"type":"done"'):
            if self._answers:
                self._answers.pop(_message.decode(message)["id"]).set_result(None)
            else:
                self.game.acknowledged()
        elif message.startswith(b'{"type":"problem"'):
            raise AssertionError(message.decode())


class LiveGame:
    """One game that two pages play: quiet actions at random, so that it goes on and on."""

    def __init__(self, id: str, rules: cyvasse.RuleSet, bench: Bench, number: int) -> None:
        self.id = id
        self.rules = rules
        self.bench = bench
        self.chance = random.Random(number)
        self.seats: dict[str, Seat] = {}
        self.board: dict[str, Any] = {}
        self.turn: list[str] = []
        """What was chosen of a turn that is not played yet."""
        self.lifted: set[str] = set()
        """Who was told that the screen is lifted."""
        self.begun = False
        self.sent_at = 0.0
        self.waiting = 0
        self.sent = 0

    def acknowledged(self) -> None:
        self.bench.acknowledged += len(self.turn)
        self.turn = []
        self._played()

    def updated(self, seat: Seat, message: bytes) -> None:
        if not self.begun:
            self.board = _message.decode(message).get("board", {})
            self.lifted |= {seat.color} if self.board else set()
            return
        self.waiting -= 1
        if self.waiting == 0:
            self.bench.latencies.append(time.perf_counter() - self.sent_at)
        # Only one client reads the board, as only one needs to here.
        if seat.color == "white":
            self.board = _message.decode(message)["board"]
            self.bench.size += len(message)
            self.bench.measured += 1
        self._played()

    def _played(self) -> None:
        """Go on when both boards have it and it was acknowledged."""
        if self.waiting == 0 and not self.turn:
            self.waiting = -1
            self.bench.turn_over(self)

    def goes_on(self, board: dict[str, Any]) -> None:
        """The turn that was sent is not whole."""
        self._choose(board["legal_actions"])

    def act(self) -> None:
        if not self.board["legal_actions"]:  # two forced passes, or only captures were left
            self.bench.games.remove(self)
            return
        self._choose(self.board["legal_actions"])

    def _choose(self, legal: list[str]) -> None:
        quiet = [action for action in legal if "x" not in action and "*" not in action]
        # Who can end the turn does: most turns of people are short.
        self.turn.append("end" if "end" in legal else self.chance.choice(quiet or legal))
        self.sent += 1
        actions = json.dumps(self.turn, separators=(",", ":"))
        message = (
            f'{{"type":"do","game":"{self.id}","command":{{"do":"play_turn","actions":{actions},'
            f'"ply":{self.board["ply"]},"hold":false}},"id":{self.sent + 100}}}'
        ).encode()
        self.waiting = 2
        self.sent_at = time.perf_counter()
        self.bench.request_size = len(message)
        acting = self.seats[self.board["position"]["to_move"]]
        assert acting.socket is not None
        if self.bench.noting:
            acting.note("do play_turn")
        acting.socket.send(message)


class Bench:
    """All games of a run."""

    def __init__(self, port: int, rule_sets: list[str] | None = None) -> None:
        self.port = port
        self.rule_sets = rule_sets or [rules.id for rules in cyvasse.rule_sets()]
        self.games: list[LiveGame] = []
        self.acknowledged = 0
        self.latencies: list[float] = []
        self.size = self.measured = self.request_size = 0
        self.eager = False
        self.noting = False
        """Whether pages remember what they ask for while they play."""
        self.looking = False
        """Whether everyone looks at a layer, and asks for it after every board."""
        self.free: list[LiveGame] = []
        self._http: httpx.AsyncClient | None = None
        self._looks: set[asyncio.Task[None]] = set()

    def turn_over(self, game: LiveGame) -> None:
        if self.looking:
            look = asyncio.create_task(self._look(game))
            self._looks.add(look)
            look.add_done_callback(self._looks.discard)
        else:
            self.ready(game)

    async def _look(self, game: LiveGame) -> None:
        for seat in game.seats.values():
            await seat.look()
        self.ready(game)

    def ready(self, game: LiveGame) -> None:
        if self.eager:
            game.act()
        else:
            self.free.append(game)

    async def begin(self, count: int) -> None:
        """Begin games as two people do with two pages."""
        if self._http is None:
            self._http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60)
        for number in range(len(self.games), len(self.games) + count):
            await self._begin(self._http, number)

    async def _begin(self, http: httpx.AsyncClient, number: int) -> None:
        rules = cyvasse.rule_set(self.rule_sets[number % len(self.rule_sets)])
        host, guest = Seat(self, http), Seat(self, http)
        await host.ask("GET", "/")
        created = await host.ask(
            "POST",
            "/api/games",
            {
                "rule_set": rules.id,
                "opponent": {"kind": "friend"},
                "color": "white",
                "first": "white",
                "clock": {"kind": "fischer", "seconds": 7200, "increment": 60},
                "repetition": False,
                "quiet": False,
            },
        )
        game = LiveGame(created["game"], rules, self, number)
        await host.open(game)
        await guest.open(game)
        await guest.ask("POST", f"/api/games/{game.id}/join", {"invitation": created["invitation"]})
        await guest.say({"type": "watch", "game": game.id, "chat": 0, "room": "spectators"})
        for seat, color in ((host, "white"), (guest, "black")):
            seat.sit(color)
        for seat in (host, guest):
            await seat.set_up()
        while len(game.lifted) < 2:
            await asyncio.sleep(0.001)
        game.begun = True
        self.games.append(game)
        self.free.append(game)

    async def play_eagerly(self, seconds: float) -> float:
        """Everyone plays at once; acknowledged actions a second."""
        self.eager = True
        free, self.free = self.free, []
        for game in free:
            game.act()
        await asyncio.sleep(min(1.0, seconds / 5))
        start, before = time.perf_counter(), self.acknowledged
        await asyncio.sleep(seconds)
        rate = (self.acknowledged - before) / (time.perf_counter() - start)
        self.eager = False
        while len(self.free) < len(self.games):
            await asyncio.sleep(0.05)
        return rate

    async def play_steadily(self, rate: float, seconds: float) -> list[float]:
        """So many actions a second; how long each took from sending to both boards."""
        self.latencies.clear()
        start = time.perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0, start + number / rate - time.perf_counter()))
            if self.free:
                self.free.pop(0).act()
        while len(self.free) < len(self.games):
            await asyncio.sleep(0.05)
        return self.latencies

    async def close(self) -> None:
        for game in self.games:
            for seat in game.seats.values():
                assert seat.socket is not None
                seat.socket.transport.close()

        if self._http is not None:
            await self._http.aclose()


async def echo_rate(port: int, sockets: int, size: int, seconds: float) -> float:
    """Echoed messages a second, everyone sending the next one when the last has come back."""
    echoed = 0
    stopped = False
    clients: list[Socket] = []
    payload = b"x" * size

    def client(number: int) -> Callable[[bytes], None]:
        def heard(_: bytes) -> None:
            nonlocal echoed
            echoed += 1
            if not stopped:
                clients[number].send(payload)

        return heard

    for number in range(sockets):
        clients.append(await connect(port, "", client(number)))
    for each in clients:
        each.send(payload)
    await asyncio.sleep(min(1.0, seconds / 5))
    start, before = time.perf_counter(), echoed
    await asyncio.sleep(seconds)
    rate = (echoed - before) / (time.perf_counter() - start)
    stopped = True
    await asyncio.sleep(0.2)
    for each in clients:
        each.transport.close()
    return rate


# --- what is measured -----------------------------------------------------------------------------


async def throughput(arguments: argparse.Namespace) -> dict[str, Any]:
    port, echo_port = free_port(), free_port()
    more = []
    if arguments.database:
        more = ["--database", arguments.database, "--workers", str(arguments.workers)]
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        async with (
            served(port, Path(folder), *more) as process,
            running(echo_port, "-c", ECHO, str(echo_port)),
        ):
            bench = Bench(port)
            await bench.begin(arguments.games)
            bench.looking = arguments.looking
            for _ in range(arguments.rounds):
                spent, before = cpu_seconds(process), bench.acknowledged
                actions = await bench.play_eagerly(arguments.seconds)
                spent = (cpu_seconds(process) - spent) / (bench.acknowledged - before)
                large = bench.size // bench.measured
                sockets = 2 * arguments.games
                small = bench.request_size
                echo_small = await echo_rate(echo_port, sockets, small, arguments.seconds / 2)
                echo_large = await echo_rate(echo_port, sockets, large, arguments.seconds / 2)
                rounds.append(
                    {
                        "actions": round(actions),
                        "echo": round(echo_small),
                        "echo_of_boards": round(echo_large),
                        "ratio": round(actions / echo_small, 3),
                        "ratio_to_boards": round(actions / echo_large, 3),
                        "microseconds": round(1e6 * spent),
                        "games": len(bench.games),
                        "request_bytes": small,
                        "board_bytes": large,
                    }
                )
                print(json.dumps(rounds[-1]), file=sys.stderr)
            await bench.close()
    ratio = statistics.median(each["ratio"] for each in rounds)
    boards = statistics.median(each["ratio_to_boards"] for each in rounds)
    return {"rounds": rounds, "ratio": ratio, "ratio_to_boards": boards}


async def latency(arguments: argparse.Namespace) -> dict[str, Any]:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        async with served(port, Path(folder)):
            bench = Bench(port)
            await bench.begin(arguments.games)
            found = sorted(await bench.play_steadily(arguments.rate, arguments.seconds))
            await bench.close()
    milliseconds = [1000 * each for each in found]
    return {
        "actions": len(found),
        "rate": arguments.rate,
        "median_ms": round(statistics.median(milliseconds), 1),
        "p99_ms": round(milliseconds[int(len(found) * 0.99)], 1),
        "largest_ms": round(milliseconds[-1], 1),
    }


async def growth(arguments: argparse.Namespace) -> dict[str, Any]:
    """What a move costs by the length of the game and by the number of finished games."""
    by_length = []
    by_finished = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        port = free_port()
        async with served(port, folder) as process:
            bench = Bench(port, ["nine-tile"])
            await bench.begin(20)
            while bench.acknowledged / 20 < arguments.actions:
                before = bench.acknowledged
                spent = await cost(bench, process, 3)
                length = (before + bench.acknowledged) / 2 / 20
                by_length.append((round(length), round(spent)))
            await bench.close()
        for finished in [
            0,
            arguments.finished // 100,
            arguments.finished // 10,
            arguments.finished,
        ]:
            add_finished(folder / "cyvasse.sqlite", finished)
            port = free_port()
            async with served(port, folder) as process:
                bench = Bench(port, ["nine-tile"])
                await bench.begin(20)
                await bench.play_eagerly(2)
                spent = statistics.median([await cost(bench, process, 2) for _ in range(3)])
                by_finished.append((finished, round(spent)))
                await bench.close()
    if arguments.plot:
        Path(arguments.plot).write_text(plot(by_length, by_finished), encoding="utf-8")
    return {"microseconds_by_length": by_length, "microseconds_by_finished": by_finished}


async def crowd(arguments: argparse.Namespace) -> dict[str, Any]:
    """Many games at a human pace, and an echo with as many sockets and messages."""
    allow_many_files()
    port, echo_port = free_port(), free_port()
    sockets, rate = 2 * arguments.games, arguments.games / SECONDS_A_TURN
    with tempfile.TemporaryDirectory() as folder:
        async with (
            served(port, Path(folder)) as process,
            running(echo_port, "-c", ECHO, str(echo_port)),
        ):
            bench = Bench(port)
            await bench.begin(arguments.games)
            rest()
            await bench.play_steadily(rate, SECONDS_A_TURN)  # everyone once, which does not count
            before = cpu_seconds(process)
            async with probed(port) as pauses:
                found = list(await bench.play_steadily(rate, arguments.seconds))
            busy = (cpu_seconds(process) - before) / arguments.seconds
            await bench.close()
            echoed = await echo_steadily(
                echo_port, sockets, bench.request_size, rate, min(20, arguments.seconds)
            )
    return {
        "games": len(bench.games),
        "rate": rate,
        "core_busy": round(busy, 2),
        "to_both_boards": spread(found),
        "pauses": spread(pauses),
        "echo": spread(echoed),
    }


async def watchers(arguments: argparse.Namespace) -> dict[str, Any]:
    """One game that nobody watches, with and without another that thousands watch."""
    allow_many_files()
    port = free_port()
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        async with served(port, Path(folder)) as process:
            alone, watched = Bench(port), Bench(port)
            await alone.begin(1)
            await watched.begin(1)
            heard = 0

            def hear(_: bytes) -> None:
                nonlocal heard
                heard += 1

            crowd = [await connect(port, "", hear) for _ in range(arguments.watchers)]
            for each in crowd:
                each.send(f'{{"type":"watch","game":"{watched.games[0].id}"}}'.encode())
            while heard < 2 * arguments.watchers:  # a snapshot and an answer at least
                await asyncio.sleep(0.1)
            rest()
            for _ in range(arguments.rounds):
                quiet = list(await alone.play_steadily(10, arguments.seconds))
                before, spent = heard, cpu_seconds(process)
                beside, _ = await asyncio.gather(
                    alone.play_steadily(10, arguments.seconds),
                    watched.play_steadily(arguments.rate, arguments.seconds),
                )
                ratio = statistics.median(beside) / statistics.median(quiet)
                rounds.append(
                    {
                        "alone": spread(quiet),
                        "beside": spread(beside),
                        "watched": spread(watched.latencies),
                        "watchers_told_a_second": round((heard - before) / arguments.seconds),
                        "core_busy": round((cpu_seconds(process) - spent) / arguments.seconds, 2),
                        "ratio": round(ratio, 2),
                    }
                )
                print(json.dumps(rounds[-1]), file=sys.stderr)
            for each in crowd:
                each.transport.close()
            await alone.close()
            await watched.close()
    return {"rounds": rounds, "ratio": statistics.median(each["ratio"] for each in rounds)}


def spread(seconds: list[float]) -> dict[str, float]:
    """Median, the slowest hundredth and the slowest, in milliseconds."""
    ordered = sorted(1000 * each for each in seconds)
    return {
        "count": len(ordered),
        "median_ms": round(statistics.median(ordered), 1),
        "p99_ms": round(ordered[int(len(ordered) * 0.99)], 1),
        "largest_ms": round(ordered[-1], 1),
    }


def allow_many_files() -> None:
    """As many sockets as the machine lets a process have; the server inherits this."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def rest() -> None:
    """The clients must not pause by themselves while the server is measured."""
    gc.collect()
    gc.freeze()
    gc.disable()


@contextlib.asynccontextmanager
async def probed(port: int) -> AsyncIterator[list[float]]:
    """Ask again and again whether the server is there; how long each answer took."""
    answers: list[float] = []
    answered = asyncio.Event()
    probe = await connect(port, "", lambda _: answered.set())

    async def ask() -> None:
        while True:
            start = time.perf_counter()
            answered.clear()
            probe.send(b'{"type":"ping"}')
            await answered.wait()
            answers.append(time.perf_counter() - start)
            await asyncio.sleep(0.01)

    task = asyncio.create_task(ask())
    try:
        yield answers
    finally:
        task.cancel()
        probe.transport.close()


async def echo_steadily(
    port: int, sockets: int, size: int, rate: float, seconds: float
) -> list[float]:
    """So many echoes a second over so many sockets, one after the other; how long each took."""
    took: list[float] = []
    sent: dict[int, float] = {}

    def client(number: int) -> Callable[[bytes], None]:
        return lambda _: took.append(time.perf_counter() - sent[number])

    clients = [await connect(port, "", client(number)) for number in range(sockets)]
    start = time.perf_counter()
    count = int(rate * seconds)
    for each in range(count):
        await asyncio.sleep(max(0, start + each / rate - time.perf_counter()))
        number = each % sockets
        sent[number] = time.perf_counter()
        clients[number].send(b"x" * size)
    while len(took) < count:
        await asyncio.sleep(0.05)
    for each_client in clients:
        each_client.transport.close()
    return took


def add_finished(file: Path, number: int) -> None:
    """Fill the database up to so many finished games of 50 events each, as one that was played."""
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        (there,) = database.execute("SELECT count(*) FROM games WHERE id LIKE 'old-%'").fetchone()
        columns = [row[1] for row in database.execute("PRAGMA table_info(games)")]
        model = dict(zip(columns, database.execute("SELECT * FROM games").fetchone(), strict=True))
        model |= {"status": "finished", "deadline": None, "turn": None, "invitation": None}
        model |= {"public": 1, "result": "1-0", "ending": "resignation"}
        games, events = [], []
        for i in range(there, number):
            games.append({**model, "id": f"old-{i}", "finished_at": i, "number": 50})
            events += [
                (f"old-{i}", n, i, '{"kind":"offered","seat":"white"}') for n in range(1, 51)
            ]
        slots = ", ".join(f":{column}" for column in columns)
        database.executemany(f"INSERT INTO games VALUES ({slots})", games)
        database.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", events)


def plot(by_length: list[tuple[int, int]], by_finished: list[tuple[int, int]]) -> str:
    """Two small charts side by side, as SVG."""
    highest = 1.25 * max(cost for _, cost in by_length + by_finished)
    parts = [
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 300" '
            'font-family="sans-serif" font-size="13" fill="#261f19">'
            '<rect width="820" height="300" fill="#fdf8ee"/>'
        )
    ]
    charts = (
        (60, "actions played in each game before", by_length, by_length[-1][0]),
        (470, "finished games in the database", by_finished, by_finished[-1][0]),
    )
    for left, title, points, largest in charts:

        def place(x: float, y: float, left: int = left, largest: int = largest) -> str:
            return f"{left + 310 * x / largest:.1f},{240 - 200 * y / highest:.1f}"

        line = " ".join(place(x, y) for x, y in points)
        parts.append(f'<path d="M{left} 40V240H{left + 310}" fill="none" stroke="#5d5144"/>')
        parts.append(f'<polyline points="{line}" fill="none" stroke="#24509c" stroke-width="2.5"/>')
        parts += [
            f'<circle cx="{place(x, y).split(",")[0]}" cy="{place(x, y).split(",")[1]}" r="3" '
            'fill="#24509c"/>'
            for x, y in points
        ]
        parts.append(f'<text x="{left}" y="24">microseconds of CPU for an action</text>')
        parts.append(f'<text x="{left + 155}" y="285" text-anchor="middle">{title}</text>')
        parts.append(f'<text x="{left}" y="258">0</text>')
        parts.append(f'<text x="{left + 310}" y="258" text-anchor="end">{largest:,}</text>')
        parts.append(f'<text x="{left - 6}" y="48" text-anchor="end">{highest:.0f}</text>')
    return "".join(parts) + "</svg>\n"


# What can be measured, with how many games and for how many seconds usually.
MEASURED: dict[str, tuple[Callable[[argparse.Namespace], Any], int, float]] = {
    "throughput": (throughput, 200, 10),
    "latency": (latency, 200, 10),
    "growth": (growth, 20, 10),
    "crowd": (crowd, 2000, 60),
    "watchers": (watchers, 1, 20),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=list(MEASURED))
    parser.add_argument("--games", type=int)
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=float, default=50, help="actions a second; of the watched")
    parser.add_argument("--actions", type=int, default=4000)
    parser.add_argument("--finished", type=int, default=20_000)
    parser.add_argument("--database", default="", help="measure on this PostgreSQL instead")
    parser.add_argument("--workers", type=int, default=2, help="with --database")
    parser.add_argument(
        "--looking", action="store_true", help="everyone has a layer on (throughput)"
    )
    parser.add_argument("--plot", help="where growth draws its curves")
    arguments = parser.parse_args()
    work, games, seconds = MEASURED[arguments.what]
    arguments.games = arguments.games or games
    arguments.seconds = arguments.seconds or seconds
    print(json.dumps(uvloop.run(work(arguments)), indent=1))


if __name__ == "__main__":
    main()
