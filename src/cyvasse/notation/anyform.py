"""Games from a stream in whatever form they are written: game files, JSON, lines of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TextIO

from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation.gamedocuments import read_game_documents
from cyvasse.notation.gamelines import LONGEST_GAME, Lines, check_characters
from cyvasse.notation.games import read_games
from cyvasse.notation.positions import parse_position
from cyvasse.rules import rule_sets

OnError = Callable[[NotationError], object]


def read_any_games(source: str | TextIO, on_error: OnError | None = None) -> Iterator[Game]:
    """The games of a stream; its first line tells their form.

    A line with a position is a game that begins there.  ``on_error`` is as in ``read_games``.

    >>> import cyvasse
    >>> text = cyvasse.rule_set("croft").random_position(seed=1).text()
    >>> [game] = read_any_games(text)
    >>> game.position.text() == text
    True
    """
    lines = Lines(source)
    blank = 0
    try:
        first = lines.next()
        while first is not None and not first.strip() and blank < LONGEST_GAME:
            blank += len(first) + 1
            first = lines.next()
    except NotationError as error:
        if on_error is None:
            raise
        on_error(error)
        return
    if first is None:
        return
    lines.give_back([first])
    if first.startswith("{"):
        yield from read_game_documents(lines, on_error)
    elif first.split(None, 1)[:1] in [[rules.id] for rules in rule_sets()]:
        yield from _read_positions(lines, on_error)
    else:
        yield from read_games(lines, on_error)


def _read_positions(lines: Lines, on_error: OnError | None) -> Iterator[Game]:
    while True:
        try:
            line = lines.next()
            if line is None:
                return
            if not line.strip():
                continue
            check_characters(lines.number, [line])
            try:
                game = Game.from_position(parse_position(line))
            except CyvasseError as error:
                raise NotationError(str(error), lines.number, 1) from None
        except NotationError as error:
            if on_error is None:
                raise
            on_error(error)
            if lines.broken:
                return
        else:
            yield game
