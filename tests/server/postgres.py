"""A throw-away PostgreSQL: its own folder, its own port, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.harness import free_port

# PostgreSQL refuses to run as root; these people exist on every Debian.
SERVANTS = ("postgres", "nobody")


def find(program: str) -> str | None:
    """A program of PostgreSQL, which Debian keeps out of the PATH."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in versions:
        if (folder / program).exists():
            return str(folder / program)
    return shutil.which(program)


class Cluster:
    """A running PostgreSQL."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._servant: str | None = None
        if os.geteuid() == 0:
            known = {entry.pw_name for entry in pwd.getpwall()}
            self._servant = next(name for name in SERVANTS if name in known)

    def run(self, program: str, *arguments: str) -> None:
        path = find(program)
        assert path is not None
        done = subprocess.run(
            [path, *arguments],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            user=self._servant,
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        if self._servant:
            servant = pwd.getpwnam(self._servant)
            os.chown(self.folder, servant.pw_uid, servant.pw_gid)
        data = str(self.folder / "data")
        self.run("initdb", "--pgdata", data, "--auth", "trust", "--username", "cyvasse", "-N")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= "
        options += "-c fsync=off -c max_connections=200"
        log = str(self.folder / "log")
        self.run("pg_ctl", "--pgdata", data, "-w", "-t", "60", "-l", log, "-o", options, "start")

    def restart(self) -> None:
        """As after a crash: nobody is asked, and nobody is waited for."""
        data = str(self.folder / "data")
        self.run("pg_ctl", "--pgdata", data, "-w", "-t", "60", "-m", "immediate", "restart")

    def stop(self) -> None:
        self.run("pg_ctl", "--pgdata", str(self.folder / "data"), "-m", "immediate", "stop")

    def database(self, name: str) -> str:
        """The address of a new database."""
        host = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "cyvasse")
        self.run("createdb", *host, name)
        return f"postgresql://cyvasse@127.0.0.1:{self.port}/{name}"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL for a while; skips where there is none, fails where there must be one."""
    if find("initdb") is None or find("pg_ctl") is None:
        if os.environ.get("CYVASSE_REQUIRE_ALL"):
            pytest.fail("PostgreSQL is missing: apt install postgresql")
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    # Not in pytest's folder, which only its owner may enter.
    with tempfile.TemporaryDirectory(prefix="cyvasse-postgres-", ignore_cleanup_errors=True) as new:
        running = Cluster(Path(new))
        running.start()
        try:
            yield running
        finally:
            running.stop()
