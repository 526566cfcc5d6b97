"""Two workers over PostgreSQL: what one hears the other tells, with hints and without."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.harness import (
    Person,
    Server,
    Socket,
    actions_in,
    free_port,
    friends,
    serving,
    to_move,
    until,
)
from tests.server.postgres import Cluster, cluster


@contextmanager
def two_workers(folder: Path, postgres: Cluster, *arguments: str) -> Iterator[Server]:
    database = postgres.database(f"workers_{os.urandom(6).hex()}")
    with serving(folder, "--database", database, "--workers", "2", *arguments) as server:
        yield server


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, postgres: Cluster) -> Iterator[Server]:
    """A server with two workers that call each other over PostgreSQL."""
    with two_workers(tmp_path_factory.mktemp("two"), postgres) as server:
        yield server


def on_both(one: Person, other: Person) -> tuple[Socket, Socket]:
    """A websocket of each, on different workers."""
    first = one.socket()
    worker = first.ask("ping")["worker"]

    def elsewhere() -> Socket | None:
        second = other.socket()
        if second.ask("ping")["worker"] != worker:
            return second
        second.close()
        return None

    second: Socket = until(elsewhere, "a connection comes to the other worker")
    return first, second


def play_across(white: Socket, black: Socket, game: str, actions: int = 2) -> None:
    """Each action is heard at once, or soon, on the other worker."""
    board = white.watch(game)["view"]
    black.watch(game)
    for _ in range(actions):
        mover, other = (white, black) if to_move(board) == "white" else (black, white)
        done = mover.do(game, "play", action=board["legal_actions"][0], ply=board["ply"])
        assert done["type"] == "done", done
        board = other.hear_number(done["number"])["board"]
        mover.hear_number(done["number"])


def play_quickly(server: Server) -> None:
    """As with hints only: whoever looks every three seconds would need a minute."""
    white, black, game = friends(server, "gameofcyvasse", repetition=False)
    at_white, at_black = on_both(white, black)
    with at_white, at_black:
        begun = time.monotonic()
        play_across(at_white, at_black, game, actions=40)
        assert time.monotonic() - begun < 40


def said(socket: Socket, text: str) -> bool:
    """Whether a remark was heard, now or before."""
    if any(_holds(message, text) for message in socket.heard):
        return True
    socket.wait_for("chat", lambda message: _holds(message, text))
    return True


def _holds(message: dict[str, Any], text: str) -> bool:
    return message["type"] == "chat" and any(r["text"] == text for r in message["remarks"])


def remarks(socket: Socket) -> list[str]:
    return [r["text"] for m in socket.heard if m["type"] == "chat" for r in m["remarks"]]


def talk_and_leave(white: Person, black: Person, game: str) -> None:
    """Chat and presence reach the other worker."""
    at_white, at_black = on_both(white, black)
    with at_white, at_black:
        play_across(at_white, at_black, game)
        present = {"white": True, "black": True}
        if not any(present.items() <= message.items() for message in at_white.heard):
            at_white.wait_for("presence", lambda message: present.items() <= message.items())
        # In quick succession, and from both sides.
        for number in range(3):
            at_white.ask("say", game=game, text=f"white {number}")
            at_black.ask("say", game=game, text=f"black {number}")
        expected = {f"{color} {number}" for color in ("white", "black") for number in range(3)}
        for socket in (at_white, at_black):
            for text in expected:
                assert said(socket, text)
            assert sorted(remarks(socket)) == sorted(expected)
        at_black.close()
        at_white.wait_for("presence", lambda message: not message["black"])


def test_hints_reach_the_other_worker(two: Server) -> None:
    play_quickly(two)
    white, black, game = friends(two)
    talk_and_leave(white, black, game)
    lobby(two)
    assert '"trace"' not in two.log.read_text()


def test_a_second_server_joins_in(two: Server, tmp_path: Path) -> None:
    """It serves the same games, and takes nobody's time for lost."""
    white, black, game = friends(two, clock={"kind": "fischer", "seconds": 600})
    database = two.arguments[two.arguments.index("--database") + 1]
    with (
        serving(tmp_path, "--database", database) as second,
        Socket(None, second) as onlooker,
        white.socket() as at_white,
    ):
        assert onlooker.watch(game)["number"] == white.see(game)["number"]
        at_white.watch(game)
        mover = white if to_move(white.see(game)["view"]) == "white" else black
        mover.play(game)
        for socket in (onlooker, at_white):
            events = socket.wait_for("update")["events"]
            assert [logged["event"]["kind"] for logged in events] == ["played"]
        assert "the server was away" not in second.log.read_text()


def test_without_hints_boards_catch_up(tmp_path: Path, postgres: Cluster) -> None:
    with two_workers(tmp_path, postgres, "--channels", "memory") as server:
        white, black, game = friends(server)
        talk_and_leave(white, black, game)
        assert '"trace"' not in server.log.read_text()


def lobby(server: Server) -> None:
    """An open seat is seen on the other worker."""
    one, other = server.person(), server.person()
    at_one, at_other = on_both(one, other)
    with at_one, at_other:
        at_one.ask("lobby")
        at_other.ask("lobby")
        game = one.create(opponent={"kind": "anyone"}, clock={"kind": "days", "days": 1})["game"]

        def offered(message: dict[str, Any]) -> bool:
            return game in [seat["game"] for seat in message["seats"]]

        for socket in (at_one, at_other):
            socket.wait_for("lobby", offered)
        other.post(f"games/{game}/join", {})
        for socket in (at_one, at_other):
            socket.wait_for("lobby", lambda message: not offered(message))


def redis_server() -> str:
    found = shutil.which("redis-server")
    if found is not None:
        try:
            import redis  # noqa: F401

            return found
        except ImportError:
            pass
    if os.environ.get("CYVASSE_REQUIRE_ALL"):
        pytest.fail("Redis is missing: apt install redis-server; pip install redis")
    pytest.skip("Redis is not installed (Debian: apt install redis-server; pip install redis)")


def listeners(port: int) -> int:
    """How many listen to a Redis; nobody does while it starts."""
    from redis import Redis, RedisError

    with Redis(port=port) as client:
        try:
            return int(client.pubsub_numsub("cyvasse")[0][1])
        except RedisError:
            return 0


def test_hints_over_redis(tmp_path: Path, postgres: Cluster) -> None:
    program = redis_server()
    port = free_port()

    def start() -> subprocess.Popen[bytes]:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        return subprocess.Popen([*command, "--dir", str(tmp_path)], stdout=subprocess.DEVNULL)

    redis = start()
    try:
        address = f"redis://127.0.0.1:{port}"
        with two_workers(tmp_path / "data", postgres, "--channels", address) as server:
            play_quickly(server)
            # Without it boards catch up, and with it again hints are heard again.
            redis.kill()
            redis.wait()
            white, black, game = friends(server)
            at_white, at_black = on_both(white, black)
            with at_white, at_black:
                play_across(at_white, at_black, game)
            redis = start()
            until(lambda: listeners(port) == 2, "both workers listen again")
            play_quickly(server)
            assert server.stop() == 0
            assert '"trace"' not in server.log.read_text()
    finally:
        redis.kill()
        redis.wait()


# --- accidents ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_postgresql_is_restarted(tmp_path: Path) -> None:
    with (
        cluster() as own,
        two_workers(tmp_path / "data", own) as server,
    ):
        white, black, game = friends(server)
        at_white, at_black = on_both(white, black)
        with at_white, at_black:
            play_across(at_white, at_black, game)
            own.restart()
            until(lambda: _healthy(server), "the server has its database again")
            # The same websockets, and the same games.
            view = until(lambda: _try(lambda: white.see(game)["view"]), "it can be read again")
            mover, other = (
                (at_white, at_black) if to_move(view) == "white" else (at_black, at_white)
            )
            command = {"action": view["legal_actions"][0], "ply": view["ply"]}

            def done() -> Any:
                answer = mover.do(game, "play", **command)
                return answer if answer["type"] == "done" else None

            number = until(done, "it can be played again")["number"]
            other.hear_number(number)
            assert actions_in(white.see(game)["view"]) == [*actions_in(view), command["action"]]
            play_across(at_white, at_black, game)
            at_black.ask("say", game=game, text="that was strange")
            assert said(at_white, "that was strange")
        until(lambda: server.log.read_text().count("heard again") == 2, "hints are back")
        play_quickly(server)


def _healthy(server: Server) -> bool:
    with httpx.Client() as client:
        return all(client.get(f"{server.url}/healthz").status_code == 200 for _ in range(4))


def _try(look: Callable[[], Any]) -> Any:
    try:
        return look()
    except Exception:
        return None


def workers(server: Server) -> list[int]:
    """The process ids of the workers."""
    assert server.process is not None
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(status[1]) == server.process.pid and b"spawn_main" in command:
                found.append(int(entry.name))
    return sorted(found)


def test_a_worker_dies(two: Server) -> None:
    """The other one carries on, a new one is started, and what it held is picked up."""
    white, black, game = friends(two)
    with ExitStack() as open:
        sockets = [open.enter_context(socket) for socket in on_both(white, black)]
        for socket in sockets:
            socket.watch(game)
        before = workers(two)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        (living,) = [socket for socket in sockets if _lives(socket)]
        view = until(lambda: _try(lambda: white.see(game)["view"]), "the game can be seen")
        mover = white if to_move(view) == "white" else black
        command = {"action": view["legal_actions"][0], "ply": view["ply"]}
        done = until(lambda: _try(lambda: mover.do(game, "play", **command)), "it can be played")
        living.hear_number(done["number"])
        until(lambda: len(workers(two)) == 2, "a new worker is started")
        assert before[0] not in workers(two)
        again = open.enter_context((black if living is sockets[0] else white).socket())
        assert again.watch(game, last=done["number"] - 1)["type"] == "update"
        at_white, at_black = on_both(white, black)
        with at_white, at_black:
            play_across(at_white, at_black, game)
        metrics = httpx.get(f"{two.url}/metrics").text
    open_sockets = [line for line in metrics.splitlines() if line.startswith("cyvasse_sockets ")]
    assert len(open_sockets) == 1
    files = {path.name for path in (two.folder / "metrics").glob("gauge_livesum_*.db")}
    assert f"gauge_livesum_{before[0]}.db" not in files
    assert files


def _lives(socket: Socket) -> bool:
    try:
        return bool(socket.ask("ping"))
    except (ConnectionClosed, OSError):
        return False


@pytest.mark.thorough
def test_a_bot_is_not_forgotten_by_a_worker_that_dies(tmp_path: Path, postgres: Cluster) -> None:
    with two_workers(tmp_path, postgres) as server:
        me = server.person()
        games = []
        for _ in range(2):
            game = me.create("nine-tile", {"kind": "bot", "level": 8}, first="black")["game"]
            me.submit(game, "white")
            games.append(game)
        for worker in workers(server):
            # One after the other, so that no game is with a worker that has not been killed.
            os.kill(worker, signal.SIGKILL)
        until(lambda: len(workers(server)) == 2, "new workers are started")
        for game in games:

            def moved(it: str = game) -> bool:
                view = _try(lambda: me.see(it)["view"])
                return bool(view and to_move(view) == "white" and view["ply"])

            until(moved, "the bot has moved", patience=120)


def test_workers_end_with_their_server(two: Server) -> None:
    left = workers(two)
    assert two.process is not None
    two.process.kill()
    two.process.wait()
    until(
        lambda: not any(Path(f"/proc/{worker}").exists() for worker in left),
        "the workers end too",
    )
