# cython: boundscheck=True, wraparound=True
"""Rows of squares as text: letters, numbers for runs of empty squares, rows joined by ``/``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

from cyvasse.errors import NotationError

_TOKEN = re.compile(r"[A-Za-z]|[0-9]+")
NOTHING = "-"


class GridReader:
    """Rows of squares, for texts of which many are read."""

    rows: Sequence[Sequence[str]]
    _squares: list[str]
    _ends: list[int]  # how many squares there are up to the end of each row
    _order: list[int]  # the places of the squares in the order of their names

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self.rows = rows
        self._squares = [square for row in rows for square in row]
        self._ends = list(accumulate(len(row) for row in rows))
        self._order = sorted(range(len(self._squares)), key=self._squares.__getitem__)

    def read(self, text: str, meanings: dict[str, str]) -> dict[str, str] | None:
        """What the letters mean, by square and in the order of the squares.

        None if anything about the text is unusual; ``read_grid`` finds out what.

        >>> GridReader([["a2", "b2"], ["a1", "b1"]]).read("1k/k1", {"k": "king"})
        {'a1': 'king', 'b2': 'king'}
        """
        if text == NOTHING:
            return {}
        size, squares, rows = len(text), len(self._squares), len(self._ends)
        at = place = row = 0
        found: list[str | None] = [None] * squares
        while at < size:
            here = text[at]
            at += 1
            if "1" <= here <= "9":
                run = ord(here) - 48
                if at < size and "0" <= text[at] <= "9":
                    run = 10 * run + ord(text[at]) - 48
                    at += 1
                place += run
            elif here == "/":
                if row == rows or place != self._ends[row]:
                    return None
                row += 1
            else:
                meaning = meanings.get(here)
                if meaning is None or place >= squares:
                    return None
                found[place] = meaning
                place += 1
        if row != rows - 1 or place != squares:
            return None
        read: dict[str, str] = {}
        for place in self._order:
            meaning = found[place]
            if meaning is not None:
                read[self._squares[place]] = meaning
        return read


def write_grid(rows: Sequence[Sequence[str]], letters: Mapping[str, str]) -> str:
    """The letters on their squares; ``-`` if there are none at all.

    >>> write_grid([["a2", "b2"], ["a1", "b1"]], {"b2": "k"})
    '1k/2'
    """
    if not letters:
        return NOTHING
    written = []
    for row in rows:
        text, run = "", 0
        for square in row:
            if square in letters:
                text += (str(run) if run else "") + letters[square]
                run = 0
            else:
                run += 1
        written.append(text + (str(run) if run else ""))
    return "/".join(written)


def read_grid(rows: Sequence[Sequence[str]], text: str, what: str) -> dict[str, str]:
    """The letter on each square that has one.

    >>> read_grid([["a2", "b2"], ["a1", "b1"]], "1k/2", "pieces")
    {'b2': 'k'}
    """
    if text == NOTHING:
        return {}
    parts = text.split("/")
    if len(parts) != len(rows):
        raise NotationError(f"{what}: {len(parts)} rows are given, {len(rows)} are needed")
    letters: dict[str, str] = {}
    for row, part in zip(rows, parts, strict=True):
        try:
            # What is longer cannot be right; it is not kept.
            read = _row if len(part) <= len(row) else _row.__wrapped__
            for at, letter in read(part, len(row)):
                letters[row[at]] = letter
        except NotationError as error:
            name = f"{what}, row from {row[0]} to {row[-1]}"
            raise NotationError(f"{name}: {error}") from None
    return letters


@lru_cache(1 << 12)
def _row(text: str, length: int) -> list[tuple[int, str]]:
    """The letters of a row with their places.  The same rows come again and again."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text:
        raise NotationError(f"only letters and numbers can stand in {text[:40]!r}")
    at = 0
    letters = []
    for token in tokens:
        if token.isdecimal():
            if token.startswith("0") or len(token) > 2:
                raise NotationError(f"{token[:20]} is not a number of empty squares")
            at += int(token)
        else:
            letters.append((at, token))
            at += 1
    if at != length:
        raise NotationError(f"{at} squares are given, {length} are needed")
    return letters
