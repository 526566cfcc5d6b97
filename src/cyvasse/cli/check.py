"""``cyvasse check``: whether every game of some files is what it says it is."""

from __future__ import annotations

import sys

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
    number_of,
    place,
    reading_progress,
)
from cyvasse.errors import NotationError


def check(files: Files) -> None:
    """Check games: is every action legal, every result and every noted effect right?

    Each problem is told as FILE:LINE:COLUMN, then a line for each file and a summary.  A bad game
    does not keep those behind it from being checked.  The exit code is 0 if all is well, 1 if a
    game is not, 2 if a file cannot be read.
    """
    found = find_files(files)
    games = problems = unreadable = 0
    with reading_progress(found) as progress:
        for file in found:
            try:
                games += _check(file, progress)
            except CannotReadError as error:
                print(f"cyvasse: {error}", file=sys.stderr)
                unreadable += 1
                continue
            problems += file.problems
    sums = ((len(found), "file"), (games, "game"), (problems, "problem"))
    print(", ".join(number_of(count, thing) for count, thing in sums))
    raise typer.Exit(UNREADABLE if unreadable else BAD if problems else GOOD)


def _check(file: GameFile, progress: ReadingProgress) -> int:
    """Tell the problems of a file and how it stands; how many games it holds."""
    good = 0

    def report(problem: NotationError) -> None:
        progress.step(file)
        print(place(file, problem))

    for _ in file.games(report):
        good += 1
        progress.step(file)
    progress.end(file)
    if not good and not file.problems:
        file.problems = 1
        print(f"{file.title}:1:1: there is no game in this file")
        return 0
    verdict = f"{file.problems} bad" if file.problems else "all good"
    print(f"{file.title}: {number_of(good + file.problems, 'game')}, {verdict}")
    return good + file.problems
