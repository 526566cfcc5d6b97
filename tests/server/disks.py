"""A disk that can be filled and freed, and servers that are started on it again and again."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

PAGE = 4096
PATIENCE = 60.0  # a limit, not a measurement
PLENTY = 1 << 16  # pages
# By the process that servers are forked from, even what the command itself imports late; what is
# not there is left out.
IMPORTED = [
    "cyvasse.cli",
    "cyvasse.server.run",
    "cyvasse.server.app",
    "pydantic.type_adapter",
    "pytest",
    __name__,
]


class Disk:
    """A small disk of its own; ``folder`` is on it."""

    counts_names = True
    """Whether it can also run out of names for files."""
    limit: int | None = None
    """How far in a file a server on it may write."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.folder = place / "data"

    def mount(self) -> None:
        self.place.mkdir()
        options = f"size={PLENTY * PAGE}"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.place)]
        subprocess.run(command, check=True, capture_output=True)

    def unmount(self) -> None:
        # Lazily: whoever still has something open must not keep it for ever.
        subprocess.run(["umount", "--lazy", str(self.place)], check=True)

    def leave(self, pages: int = PLENTY, names: int = PLENTY, process: int | None = None) -> None:
        """Leave room for so many pages, and so many files, links and folders."""
        now = os.statvfs(self.place)
        size = (now.f_blocks - now.f_bfree) * now.f_frsize + pages * PAGE
        files = now.f_files - now.f_ffree + names
        options = f"remount,size={size},nr_inodes={files}"
        subprocess.run(["mount", "-o", options, str(self.place)], check=True)

    def empty(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Limits(Disk):
    """Where none can be mounted: the servers themselves may not write far into any file."""

    counts_names = False

    def mount(self) -> None:
        self.place.mkdir()

    def unmount(self) -> None:
        pass

    def leave(self, pages: int = PLENTY, names: int = PLENTY, process: int | None = None) -> None:
        assert names == PLENTY
        self.limit = pages * PAGE
        if process is not None:
            limits = (self.limit, resource.RLIM_INFINITY)
            resource.prlimit(process, resource.RLIMIT_FSIZE, limits)


@contextlib.contextmanager
def small_disk(place: Path) -> Iterator[Disk]:
    """A disk for a while, gone afterwards whatever happens."""
    disk = Disk(place)
    try:
        disk.mount()
    except (subprocess.CalledProcessError, OSError):  # that is for root, on Linux
        place.rmdir()
        disk = Limits(place)
        disk.mount()
    try:
        (place / "ballast").write_bytes(bytes(PAGE))  # a size of nothing would mean no limit
        yield disk
    finally:
        disk.unmount()


# --- servers --------------------------------------------------------------------------------------


class Start:
    """One start of ``cyvasse serve``: it refuses, or it serves.

    It is forked from a process that has imported everything, so that a hundred starts take
    seconds.  What it says comes through a pipe, which no full disk can stop.
    """

    def __init__(self, *arguments: str, limit: int | None = None, user: int | None = None) -> None:
        """With a disk's limit, and as another user, if they are given."""
        forks = multiprocessing.get_context("forkserver")
        forks.set_forkserver_preload(IMPORTED)
        self._ear, mouth = multiprocessing.Pipe(duplex=False)
        self._process = forks.Process(target=_serve, args=(arguments, mouth, limit, user))
        self._process.start()
        mouth.close()
        self.said = ""
        self.serves = False
        """Whether it serves; otherwise it has ended."""
        try:
            self._listen()
        except BaseException:
            self.close()
            raise

    def _listen(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.serves:
            if not self._ear.poll(max(0, deadline - time.monotonic())):
                raise AssertionError(f"it neither serves nor ends: {self.said[-3000:]}")
            heard = os.read(self._ear.fileno(), 65_536)
            if not heard:
                self._process.join()
                break
            self.said += heard.decode()
            self.serves = "Application startup complete" in self.said

    @property
    def code(self) -> int | None:
        """How it has ended."""
        return self._process.exitcode

    def close(self) -> None:
        """End it as a power cut would, if it has not ended."""
        if self.code is None and self._process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.join()
        self._process.close()
        self._ear.close()

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _serve(
    arguments: Sequence[str], mouth: Connection, limit: int | None, user: int | None
) -> None:
    """In the new process: what the command does."""
    os.setsid()
    sys.stdin = None  # workers would look for it in vain
    for stream in (1, 2):
        os.dup2(mouth.fileno(), stream)
    mouth.close()
    os.environ.pop("CYVASSE_SECRET", None)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    if user is not None:
        os.setuid(user)
    sys.argv = ["cyvasse", "serve", *arguments]
    from cyvasse.cli import main

    main()
