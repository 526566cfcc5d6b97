"""The file in which one side of a game by mail is kept: whole, and for its owner's eyes alone."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from cyvasse.mail.checks import ChangedError
from cyvasse.mail.codes import MailError
from cyvasse.mail.correspondence import Correspondence
from cyvasse.wholefiles import write_whole

LARGEST_FILE = 10_000_000
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def read(file: Path) -> Correspondence:
    """The side that a file keeps; MailError says in which line and column it is wrong."""
    text = read_text(file, "game by mail", "'new' begins a game, 'join' takes one up")
    if not text.strip():
        raise MailError(f"{file}, line 1, column 1: this is no game by mail, but empty")
    try:
        return Correspondence.from_document(json.loads(text))
    except json.JSONDecodeError as error:
        where = f"{file}, line {error.lineno}, column {error.colno}"
        raise MailError(f"{where}: this is no game by mail: {error.msg}") from None
    except ChangedError as error:
        raise MailError(f"{file}, {_where(text, error)}: {error}") from None
    except MailError as error:
        raise MailError(f"{file}, line 1, column 1: {error}") from None
    except (ValueError, RecursionError) as error:
        raise MailError(f"{file} is no game by mail: {error}") from None


def read_text(file: Path, what: str, advice: str) -> str:
    """The text of a file that somebody has named; MailError if it has none."""
    try:
        if not file.exists():
            raise MailError(f"there is no {file}; {advice}")
        if not file.is_file():
            raise MailError(f"{file} is no file")
        if file.stat().st_size > LARGEST_FILE:
            raise MailError(f"{file} is too large for a {what}")
        data = file.read_bytes()
    except OSError as error:
        raise MailError(f"cannot read {file}: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(errors="replace").split("\n")
        where = f"line {len(before)}, column {len(before[-1]) + 1}"
        raise MailError(f"{file}, {where}: this is no {what}, nor any text") from None


def write(file: Path, game: Correspondence, *, fresh: bool = False) -> None:
    """Keep a side, all or nothing; a ``fresh`` one never in the place of another file."""
    file = Path(os.path.realpath(file))
    text = json.dumps(game.document(), indent=1) + "\n"
    if not file.parent.is_dir():
        raise MailError(f"there is no folder {file.parent}")
    try:
        write_whole(file, text, private=True, fresh=fresh)
    except FileExistsError:
        raise MailError(f"{file} exists already; choose another name") from None
    except OSError as error:
        raise MailError(f"cannot write {file}: {error.strerror}") from None


@contextlib.contextmanager
def held(file: Path) -> Iterator[Correspondence]:
    """Read a side, let it be changed, and keep it; another process waits meanwhile.

    If what is done fails, the file stays as it was.
    """
    with _locked(file):
        game = read(file)
        before = game.document()
        yield game
        if game.document() != before:
            write(file, game)


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[None]:
    if sys.platform == "win32" or not file.is_file():
        yield
        return
    with contextlib.ExitStack() as stack:
        while True:
            try:
                lock = stack.enter_context(file.open("r+b"))
            except OSError as error:
                raise MailError(f"cannot change {file}: {error.strerror}") from None
            _wait_for(lock)
            # Who held it before has put another file in its place: that is the one to lock.
            if os.path.samestat(os.fstat(lock.fileno()), file.stat()):
                break
        yield


def _wait_for(lock: IO[bytes]) -> None:
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):  # not every file system has locks
            fcntl.flock(lock, fcntl.LOCK_EX)


def _where(text: str, error: ChangedError) -> str:
    """Line and column of the part that was changed."""
    key = re.search(rf'"{re.escape(error.part)}"\s*:', text)
    start = key.start() if key else 0
    if key and error.place is not None:
        strings = list(_STRING.finditer(text, key.end()))
        start = strings[error.place].start() if error.place < len(strings) else start
    before = text[:start].split("\n")
    return f"line {len(before)}, column {len(before[-1]) + 1}"
