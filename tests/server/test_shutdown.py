"""The end of a server: in order, soon, and without leaving anything behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.harness import Server, Socket, actions_in, friends, to_move, until

COME_AGAIN = 1012


def offspring(process: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: set[int] = set()
    while more := {pid for pid, parent in parents.items() if parent in found | {process}} - found:
        found |= more
    return found


def close_code(socket: Socket) -> int | None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            socket.hear()
    return socket.connection.close_code


@pytest.mark.parametrize(
    "sign",
    [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)],
    ids=["term", "int"],
)
def test_a_polite_end(own_server: Server, sign: signal.Signals) -> None:
    server = own_server
    white, black, game = friends(server, "gameofcyvasse", repetition=False)
    me = server.person()
    bot = me.create("nine-tile", {"kind": "bot", "level": 8}, first="black")["game"]
    me.submit(bot, "white")  # it thinks when the end comes

    acknowledged: list[str] = []
    sockets = {"white": white.socket(), "black": black.socket()}
    idle = [server.person().socket() for _ in range(5)]
    for socket in idle:
        socket.watch(game)

    def play() -> None:
        board = sockets["white"].watch(game)["view"]
        sockets["black"].watch(game)
        try:
            while board["legal_actions"]:
                mover = sockets[to_move(board)]
                action = board["legal_actions"][-1]
                done = mover.do(game, "play", action=action, ply=board["ply"])
                acknowledged.append(action)
                board = mover.hear_number(done["number"])["board"]
        except (ConnectionClosed, OSError):
            return

    player = threading.Thread(target=play)
    player.start()
    until(lambda: len(acknowledged) > 5, "they play")
    assert server.process is not None
    processes = offspring(server.process.pid)
    assert processes
    began = time.monotonic()
    os.kill(server.process.pid, sign)
    assert server.process.wait(60) == 0
    assert time.monotonic() - began < 20  # seconds, not until somebody gives up
    server.process = None
    player.join()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes), "nothing is left")

    for socket in idle:
        assert close_code(socket) == COME_AGAIN
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line[:1] == "{"]
    assert [line for line in lines if line["level"] not in ("info", "debug")] == []
    assert "Traceback" not in server.log.read_text()

    server.start()
    actions = actions_in(white.see(game)["view"])
    assert actions[: len(acknowledged)] == acknowledged
    assert len(actions) <= len(acknowledged) + 1
    until(lambda: me.see(bot)["view"]["ply"] > 0, "the bot moves")
    for socket in (*idle, *sockets.values()):
        socket.close()


@pytest.mark.slow
def test_an_end_before_it_has_begun(tmp_path: Path) -> None:
    """Told to stop while it starts, it stops."""
    for moment in (0.3, 1.0):
        server = Server(tmp_path)
        server.spawn()
        time.sleep(moment)
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) in (0, -signal.SIGTERM)
        server.process = None
