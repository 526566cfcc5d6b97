"""The key that signs cookies: one that anybody could guess or read is never used."""

from __future__ import annotations

import os
import pwd
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cyvasse.server.people import People, Person
from tests.server.conftest import arguments
from tests.server.disks import Start
from tests.server.harness import Server, free_port, get

GOOD = "x" * 43


def assert_refused(start: Start, words: str = "") -> None:
    """It has ended with one sentence for people, and a code for programs."""
    assert not start.serves
    assert start.code == 2, start.said
    assert start.said.startswith("cyvasse: ")
    assert start.said.count("\n") == 1, start.said
    assert "; " in start.said  # and what to do
    assert words in start.said


def forged(key: bytes) -> str:
    """A cookie that somebody makes who knows, or guesses, the key."""
    database: Any = None
    return People(database, key).cookie(Person("A" * 16, "Somebody"))


def assert_unforged(server: Server) -> None:
    """Nobody is known by a cookie that was made with what half a key could be."""

    key = (server.folder / "secret.key").read_bytes()
    assert is_known(server, key)
    for other in (b"", b"\0" * len(key), key[:20], key + b"\n", b"x"):
        assert not is_known(server, other)


def is_known(server: Server, key: bytes) -> bool:
    """Whether a cookie that was made with a key is somebody's; a stranger gets another."""
    cookie = forged(key)
    answer = get(f"{server.url}/api/me", headers={"Cookie": f"cyvasse={cookie}"})
    return f"cyvasse={cookie};" in answer.headers["Set-Cookie"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data folder that any user may use."""
    with tempfile.TemporaryDirectory(prefix="cyvasse-secret-") as place:
        os.chmod(place, 0o755)
        data = Path(place, "data")
        data.mkdir()
        data.chmod(0o777)
        yield data


def written(key: str | bytes, mode: int = 0o600) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        file.write_bytes(key if isinstance(key, bytes) else key.encode())
        file.chmod(mode)

    return write


def another_users(file: Path) -> None:
    """A key that the server's user cannot read."""
    file.write_text(GOOD)
    file.chmod(0o600 if os.geteuid() == 0 else 0)


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "empty": (written(""), "has 0 characters"),
    "blank": (written(" \n" * 40), "has 0 characters"),
    "short": (written("x" * 31 + "\n" * 40), "has 31 characters"),
    "zeros": (written(b"\0" * 43), "is not text"),
    "bytes": (written(b"\xff" * 43), "is not text"),
    "readable": (written(GOOD, 0o644), "chmod 600"),
    "readable for a group": (written(GOOD, 0o640), "chmod 600"),
    "writable": (written(GOOD, 0o602), "chmod 600"),
    "unreadable": (another_users, "Permission denied"),
    "a folder": (Path.mkdir, "is no file"),
    "a pipe": (os.mkfifo, "is no file"),
}


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_spoilt_key_is_refused_before_anything_is_served(
    folder: Path, database: str, request: pytest.FixtureRequest
) -> None:
    """Whatever the number of workers: whoever starts them looks first."""
    port = free_port()
    more = arguments(database, request)
    file = folder / "secret.key"
    for name, (spoil, words) in SPOILT.items():
        spoil(file)
        user = pwd.getpwnam("nobody").pw_uid if name == "unreadable" and not os.geteuid() else None
        with Start("--data", str(folder), "--port", str(port), *more, user=user) as start:
            assert_refused(start, words)
            assert str(file) in start.said
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
        assert {found.name for found in folder.iterdir()} == {"secret.key", "server.lock"}
        if file.is_dir():
            file.rmdir()
        else:
            file.unlink()
        (folder / "server.lock").unlink()


@pytest.mark.slow
def test_the_way_out_of_an_empty_key(tmp_path: Path) -> None:
    """It is refused; once it is removed there is a new one, and with the old nobody is known."""
    file = tmp_path / "secret.key"
    file.touch(0o600)
    server = Server(tmp_path)
    server.environment = {"CYVASSE_SECRET": ""}
    try:
        server.spawn()
        assert server.process is not None
        assert server.process.wait(60) == 2
        assert server.log.read_text().startswith(f"cyvasse: {file} has 0 characters")
        file.unlink()
        server.start()
        assert_unforged(server)
    finally:
        server.close()
