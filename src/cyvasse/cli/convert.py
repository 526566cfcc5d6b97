"""``cyvasse convert``: games from one form to another."""

from __future__ import annotations

import enum
import gzip
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from cyvasse.cli.gamefiles import (
    BAD,
    GOOD,
    UNREADABLE,
    CannotReadError,
    Files,
    GameFile,
    ReadingProgress,
    find_files,
    place,
    reading_progress,
)
from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation import game_document, write_game


class Form(enum.StrEnum):
    """How games can be written."""

    GAME = "game"
    JSON = "json"
    JSONL = "jsonl"
    POSITION = "position"


_BY_SUFFIX = {".txt": Form.GAME, ".json": Form.JSON, ".jsonl": Form.JSONL}


def convert(
    files: Files,
    to: Annotated[
        Form | None,
        typer.Option(
            help="A game file, JSON (one document a game), JSON lines, or the text of a position.",
            show_default="what the name of OUT says",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to; compressed if it ends with .gz.  Or stdout."),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="With --to position: the position after that turn, 0 being the start.",
            show_default="the last",
        ),
    ] = None,
) -> None:
    """Write games in another form; the form of FILE is found out.

    FILE may hold game files, JSON documents, or positions, one a line, each of which becomes a game
    that begins there.  Games that cannot be read are told on stderr and left out; the exit code is
    1 then, and 2 if a file cannot be read.
    """
    form = to or _form_of(out)
    if turn is not None and form is not Form.POSITION:
        raise CyvasseError("--turn goes with --to position")
    found = find_files(files)
    code = GOOD
    with _writing(out) as stream, reading_progress(found) as progress:
        converter = _Converter(stream, form, turn, progress)
        for file in found:
            try:
                converter.convert(file)
            except CannotReadError as error:
                print(f"cyvasse: {error}", file=sys.stderr)
                code = UNREADABLE
    raise typer.Exit(code or (BAD if converter.problems else GOOD))


class _Converter:
    def __init__(
        self, stream: TextIO, form: Form, turn: int | None, progress: ReadingProgress
    ) -> None:
        self._stream = stream
        self._form = form
        self._turn = turn
        self._progress = progress
        self._between = ""
        self.problems = 0

    def convert(self, file: GameFile) -> None:
        def report(problem: NotationError) -> None:
            self.problems += 1
            print(place(file, problem), file=sys.stderr)

        for number, game in enumerate(file.games(report), 1):
            self._progress.step(file)
            try:
                text = _write(game, self._form, self._turn)
            except CyvasseError as error:
                report(NotationError(f"game {number + file.problems}: {error}"))
                continue
            self._stream.write(self._between + text)
            self._between = "\n" if self._form is Form.GAME else ""
        self._progress.end(file)


def _form_of(out: Path | None) -> Form:
    """The form that the name of a file asks for."""
    if out is not None:
        form = _BY_SUFFIX.get(Path(out.name.removesuffix(".gz")).suffix)
        if form is not None:
            return form
    forms = ", ".join(Form)
    raise CyvasseError(
        f"say --to with one of {forms}, or an OUT that ends with .txt, .json, .jsonl"
    )


def _write(game: Game, form: Form, turn: int | None) -> str:
    if form is Form.GAME:
        return write_game(game)
    if form is Form.POSITION:
        position = game.position if turn is None else game.position_after(turn)
        return position.text() + "\n"
    document = game_document(game)
    return json.dumps(document, indent=2 if form is Form.JSON else None, ensure_ascii=False) + "\n"


@contextmanager
def _writing(out: Path | None) -> Iterator[TextIO]:
    """Stdout, or a file that appears once it is complete."""
    if out is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    part = out.with_name(out.name + ".part")
    try:
        with part.open("wb") as raw:
            # No name and no time, so that the same games give the same file.
            zipped = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if out.suffix == ".gz" else None
            with io.TextIOWrapper(zipped or raw, encoding="utf-8", newline="\n") as stream:
                yield stream
        os.replace(part, out)
    finally:
        part.unlink(missing_ok=True)
