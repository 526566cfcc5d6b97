"""Files of games for the commands: names, folders, patterns, stdin, compressed or not."""

from __future__ import annotations

import glob
import gzip
import io
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation.anyform import OnError, read_any_games

STDIN = "-"
# What a folder is searched for; each may be compressed.
SUFFIXES = (".txt", ".json", ".jsonl")
# After so many bad games a file holds something else.
MOST_PROBLEMS = 1000

GOOD, BAD, UNREADABLE = 0, 1, 2
"""Exit codes."""

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="Files of games, gzipped or not; folders, patterns, or - for stdin.",
        show_default=False,
    ),
]


class CannotReadError(CyvasseError):
    """A file that is not there or cannot be opened."""


class GameFile:
    """One file of games."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.size = Path(name).stat().st_size if name != STDIN and Path(name).is_file() else 0
        self._raw: io.BufferedReader | None = None
        self.problems = 0

    @property
    def title(self) -> str:
        """How to call the file."""
        return "stdin" if self.name == STDIN else plain(self.name)

    @property
    def done(self) -> int:
        """How many of its bytes have been read."""
        return self._raw.tell() if self._raw and self.size and not self._raw.closed else 0

    def games(self, on_error: OnError) -> Iterator[Game]:
        """Its games; those that cannot be read are told to ``on_error``, up to a limit."""
        self.problems = 0

        def note(problem: NotationError) -> None:
            self.problems += 1
            if self.problems > MOST_PROBLEMS:
                raise _TooManyError
            on_error(problem)

        with self._open() as text:
            try:
                yield from read_any_games(text, note)
            except _TooManyError:
                on_error(NotationError(f"more than {MOST_PROBLEMS} problems: the rest is not read"))
            except OSError as error:
                raise CannotReadError(f"cannot read {self.title}: {error.strerror}") from None

    def one(self, number: int) -> Game:
        """The game of that number, counted from 1; the error that it gives if it is a bad one."""
        count = 0

        def note(problem: NotationError) -> None:
            nonlocal count
            count += 1
            if count == number:
                raise problem

        for game in self.games(note):
            count += 1
            if count == number:
                return game
        have = number_of(count, "game")
        raise CyvasseError(f"{self.title} has {have}; there is no game {number}")

    @contextmanager
    def _open(self) -> Iterator[TextIO]:
        with ExitStack() as opened:
            try:
                if self.name == STDIN:
                    raw = _stdin()
                else:
                    raw = opened.enter_context(Path(self.name).open("rb"))
                zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            except OSError as error:
                raise CannotReadError(f"cannot read {self.title}: {error.strerror}") from None
            self._raw = raw
            text = io.TextIOWrapper(
                gzip.GzipFile(fileobj=raw) if zipped else raw,
                encoding="utf-8",
                errors="surrogateescape",  # half a character shows where something is no UTF-8
            )
            try:
                yield text
            finally:
                text.detach()  # stdin stays open


class _TooManyError(Exception):
    """Something that is no file of games at all."""


def _stdin() -> io.BufferedReader:
    if sys.stdin is None:
        raise CannotReadError("cannot read from stdin: it is closed")
    assert isinstance(sys.stdin.buffer, io.BufferedReader)
    return sys.stdin.buffer


def find_files(words: Iterable[str]) -> list[GameFile]:
    """The files that the words of a command line name, each once."""
    names: dict[str, None] = {}
    for word in words:
        names.update(dict.fromkeys(_expand(word)))
    return [GameFile(name) for name in names]


def _expand(word: str) -> list[str]:
    path = Path(word)
    if word == STDIN:
        return [word]
    if path.is_dir():
        found = [str(file) for file in sorted(path.rglob("*")) if _is_game_file(file)]
        if not found:
            raise CannotReadError(f"no {', '.join(SUFFIXES)} files in the folder {plain(word)}")
        return found
    if glob.has_magic(word) and not path.exists():
        found = sorted(glob.glob(word, recursive=True))
        if not found:
            raise CannotReadError(f"no file matches {plain(word)}")
        return [name for match in found for name in _expand(match)]
    return [word]


def _is_game_file(path: Path) -> bool:
    return path.is_file() and path.name.removesuffix(".gz").endswith(SUFFIXES)


def number_of(count: int, thing: str) -> str:
    """``1 game``, ``1,200 games``."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def plain(text: str) -> str:
    """What can be shown in a terminal: control characters and broken ones are spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def place(file: GameFile, problem: NotationError) -> str:
    """A problem as editors and compilers write it: file, line, column, what is wrong."""
    where = "" if problem.line is None else f"{problem.line}:{problem.column}:"
    return f"{file.title}:{where} {plain(problem.message)}"


# --- progress -------------------------------------------------------------------------------------


class ReadingProgress:
    """Tells how far a long reading is."""

    def step(self, file: GameFile) -> None:
        """A game of that file has been dealt with."""

    def end(self, file: GameFile) -> None:
        """That file has been read."""


def reading_progress(files: list[GameFile]) -> AbstractContextManager[ReadingProgress]:
    """A progress bar on stderr if somebody sits in front of it."""
    return _Bar(files) if sys.stderr.isatty() else nullcontext(ReadingProgress())


class _Bar(ReadingProgress, AbstractContextManager["_Bar"]):
    _PATIENCE = 0.2
    """Seconds between two looks at the clock of the bar."""

    def __init__(self, files: list[GameFile]) -> None:
        known = all(file.size for file in files)
        self._bar = Progress(
            BarColumn(bar_width=30),
            TextColumn("{task.fields[games]:,} games"),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=sys.stdout.isatty(),
            redirect_stderr=False,
        )
        self._task = self._bar.add_task(
            "", total=sum(file.size for file in files) if known else None, games=0
        )
        self._games = 0
        self._before = 0
        self._shown = 0.0

    def __enter__(self) -> _Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def step(self, file: GameFile) -> None:
        self._games += 1
        now = time.monotonic()
        if now - self._shown >= self._PATIENCE:
            self._shown = now
            self._show(self._before + file.done, file)

    def end(self, file: GameFile) -> None:
        self._before += file.size
        self._show(self._before, file)

    def _show(self, completed: int, file: GameFile) -> None:
        self._bar.update(self._task, completed=completed, games=self._games, description=file.title)
