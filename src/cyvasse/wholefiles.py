"""Files written whole or not at all: neither a full disk nor a crash leaves half of one."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path


def write_whole(
    path: Path, data: str | bytes, *, private: bool = False, fresh: bool = False
) -> None:
    """Write a file, which is then on the disk; OSError if that cannot be, and all is as before.

    A ``private`` file is for its owner alone.  A ``fresh`` one never takes the place of another:
    FileExistsError, and whoever was first has won.
    """
    data = data.encode() if isinstance(data, str) else data
    path = Path(os.path.realpath(path))  # what a link points to, so that the link stays
    if path.exists() and not path.is_file() and not fresh:
        path.write_bytes(data)  # a device or a pipe, which nothing may take the place of
        return
    part = path.with_name(f".cyvasse-{secrets.token_hex(8)}")
    try:
        _write(part, data, 0o600 if private else 0o666)
        if fresh:
            _claim(part, path)
        else:
            if path.exists() and not private:
                shutil.copymode(path, part)
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    _settle(path.parent)


def _write(path: Path, data: bytes, mode: int) -> None:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _claim(part: Path, path: Path) -> None:
    """Give a whole file its name, unless that is taken."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links: take the name first, and then put the file there.
        _write(path, b"", 0o600)
        try:
            part.replace(path)
        except BaseException:
            path.unlink()
            raise


def _settle(folder: Path) -> None:
    """Keep the name too; the file itself is safe where a folder cannot be kept like that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
