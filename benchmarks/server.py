"""How fast the server is, beside a bare websocket echo on the same machine in the same run.

    python benchmarks/server.py throughput [--games 200] [--seconds 10] [--database URL --workers 2]
    python benchmarks/server.py latency    [--rate 50] [--seconds 20]
    python benchmarks/server.py growth     [--actions 4000] [--finished 20000]

*throughput*: 200 games, 400 sockets, everyone plays as soon as it is his turn.  What counts is
acknowledged actions, and an action is acknowledged after its commit.  The echo is Litestar's, run
the same way; it answers messages of the same size over as many sockets, in turn with the games, in
three rounds.  *latency*: so many actions a second over the same games; from sending an action to
both boards.  *growth*: what a move costs in longer and longer games, and with more and more
finished games in the database.  All end by themselves and listen on loopback only.

The clients speak just enough of the websocket protocol, so that the server is measured, not they.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
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
from cyvasse.notation.documents import setup_document

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

_update = msgspec.json.Decoder()


class Seat:
    """One player at one socket."""

    def __init__(self, game: LiveGame, color: str, cookie: str) -> None:
        self.game = game
        self.color = color
        self.cookie = cookie
        self.socket: Socket | None = None

    def heard(self, message: bytes) -> None:
        if message.startswith(b'{"type":"update"'):
            self.game.updated(self, message)
        elif message.startswith(b'{"type":"done"'):
            self.game.acknowledged()
        elif message.startswith(b'{"type":"problem"'):
            raise AssertionError(message.decode())


class LiveGame:
    """One game that two clients play: quiet actions at random, so that it goes on and on."""

    def __init__(self, id: str, bench: Bench, chance: random.Random) -> None:
        self.id = id
        self.bench = bench
        self.chance = chance
        self.seats: dict[str, Seat] = {}
        self.board: dict[str, Any] = {}
        self.sent_at = 0.0
        self.waiting = 0
        self.sent = 0

    def acknowledged(self) -> None:
        if self.sent:  # the answer to `watch` comes before anything was sent
            self.bench.acknowledged += 1

    def updated(self, seat: Seat, message: bytes) -> None:
        self.waiting -= 1
        if self.waiting == 0:
            self.bench.latencies.append(time.perf_counter() - self.sent_at)
        # Only the player to act reads the board, as only one client needs to here.
        if seat.color == "white":
            self.board = _update.decode(message)["board"]
            self.bench.size += len(message)
            self.bench.measured += 1
        if self.waiting == 0:
            self.bench.ready(self)

    def act(self) -> None:
        legal = self.board["legal_actions"]
        if not legal:  # two forced passes, or nothing but captures was left for a while
            self.bench.games.remove(self)
            return
        quiet = [action for action in legal if "x" not in action and "*" not in action]
        action = self.chance.choice(quiet or legal)
        self.sent += 1
        message = (
            f'{{"type":"do","id":{self.sent},"game":"{self.id}","command":'
            f'{{"do":"play","action":"{action}","ply":{self.board["ply"]}}}}}'
        ).encode()
        self.waiting = 2
        self.sent_at = time.perf_counter()
        self.bench.request_size = len(message)
        acting = self.seats[self.board["turn"]].socket
        assert acting is not None
        acting.send(message)


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
        self.free: list[LiveGame] = []

    def ready(self, game: LiveGame) -> None:
        if self.eager:
            game.act()
        else:
            self.free.append(game)

    async def begin(self, count: int) -> None:
        """Create games through the API and connect both players of each."""
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}/api/", timeout=60
        ) as http:
            for number in range(count):
                await self._begin(http, number)

    async def _begin(self, http: httpx.AsyncClient, number: int) -> None:
        rule_set = self.rule_sets[number % len(self.rule_sets)]
        cookies = {}
        for color in ("white", "black"):
            http.cookies.clear()
            cookies[color] = (await http.get("me")).cookies["cyvasse"]
        created = await self._post(
            http,
            cookies["white"],
            "games",
            {
                "rule_set": rule_set,
                "opponent": {"kind": "friend"},
                "color": "white",
                "first": "white",
                "clock": {"kind": "fischer", "seconds": 7200, "increment": 60},
                "repetition": False,
                "quiet": False,
            },
        )
        game = LiveGame(created["game"], self, random.Random(number))
        join = {"invitation": created["invitation"]}
        await self._post(http, cookies["black"], f"games/{game.id}/join", join)
        rules = cyvasse.rule_set(rule_set)
        for color in ("white", "black"):
            named = list(rules.named_setups(color).values())
            setup = setup_document(rules, named[number % len(named)])
            commands = f"games/{game.id}/commands"
            await self._post(http, cookies[color], commands, {"do": "submit", "setup": setup})
        http.cookies.clear()
        view = (await http.get(f"games/{game.id}")).json()["view"]
        game.board = view
        for color in ("white", "black"):
            seat = Seat(game, color, cookies[color])
            game.seats[color] = seat
            seat.socket = await connect(self.port, seat.cookie, seat.heard)
            seat.socket.send(f'{{"type":"watch","game":"{game.id}"}}'.encode())
        self.games.append(game)
        self.free.append(game)

    async def _post(self, http: httpx.AsyncClient, cookie: str, path: str, body: Any) -> Any:
        http.cookies.clear()
        answer = await http.post(path, json=body, headers={"Cookie": f"cyvasse={cookie}"})
        answer.raise_for_status()
        return answer.json()

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

    def close(self) -> None:
        for game in self.games:
            for seat in game.seats.values():
                assert seat.socket is not None
                seat.socket.transport.close()


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
            served(port, Path(folder), *more),
            running(echo_port, "-c", ECHO, str(echo_port)),
        ):
            bench = Bench(port)
            await bench.begin(arguments.games)
            for _ in range(arguments.rounds):
                actions = await bench.play_eagerly(arguments.seconds)
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
                        "games": len(bench.games),
                        "request_bytes": small,
                        "board_bytes": large,
                    }
                )
                print(json.dumps(rounds[-1]), file=sys.stderr)
            bench.close()
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
            bench.close()
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
            bench.close()
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
                bench.close()
    if arguments.plot:
        Path(arguments.plot).write_text(plot(by_length, by_finished), encoding="utf-8")
    return {"microseconds_by_length": by_length, "microseconds_by_finished": by_finished}


def add_finished(file: Path, number: int) -> None:
    """Fill the database up to so many finished games of 50 facts each, as one that was played."""
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        (there,) = database.execute("SELECT count(*) FROM games WHERE id LIKE 'old-%'").fetchone()
        columns = [row[1] for row in database.execute("PRAGMA table_info(games)")]
        model = dict(zip(columns, database.execute("SELECT * FROM games").fetchone(), strict=True))
        model |= {"status": "finished", "deadline": None, "turn": None, "invitation": None}
        model |= {"public": 1, "result": "1-0", "ending": "resignation"}
        games, facts = [], []
        for i in range(there, number):
            games.append({**model, "id": f"old-{i}", "finished_at": i, "number": 50})
            facts += [(f"old-{i}", n, i, '{"kind":"offered","seat":"white"}') for n in range(1, 51)]
        slots = ", ".join(f":{column}" for column in columns)
        database.executemany(f"INSERT INTO games VALUES ({slots})", games)
        database.executemany("INSERT INTO facts VALUES (?, ?, ?, ?)", facts)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=["throughput", "latency", "growth"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--actions", type=int, default=4000)
    parser.add_argument("--finished", type=int, default=20_000)
    parser.add_argument("--database", default="", help="measure on this PostgreSQL instead")
    parser.add_argument("--workers", type=int, default=2, help="with --database")
    parser.add_argument("--plot", help="where growth draws its curves")
    arguments = parser.parse_args()
    work = {"throughput": throughput, "latency": latency, "growth": growth}[arguments.what]
    print(json.dumps(uvloop.run(work(arguments)), indent=1))


if __name__ == "__main__":
    main()
