"""Where the squares of a board lie among the characters of a terminal.

>>> import cyvasse
>>> board = cyvasse.rule_set("croft").board
>>> grid = Grid(board, board.squares, SIZES[1], Color.WHITE)
>>> grid.place("a10"), grid.at(*grid.place("e4"))
((4, 0), 'e4')
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from cyvasse.boards import Board
from cyvasse.rules.terms import Color


class Size(NamedTuple):
    """How many characters a square takes."""

    width: int
    height: int


# Widths are even, since rows of hexagons are shifted by half a square.
SIZES = (Size(2, 1), Size(4, 1), Size(4, 2), Size(6, 3), Size(8, 4))
_LABEL = 4


class Grid:
    """Some squares of a board at one size; ``bottom`` sits at the lower edge."""

    def __init__(self, board: Board, squares: Collection[str], size: Size, bottom: Color) -> None:
        self.board = board
        self.size = size
        self.bottom = bottom
        self.margin = _LABEL if size.width > SIZES[0].width else 0
        self.rows = self._seen_rows(squares)
        centres = {square: self._centre(square) for row in self.rows for square in row}
        left = min(x for x, _ in centres.values())
        self._places = {
            square: (self.margin + round((x - left) * size.width), number * size.height)
            for number, row in enumerate(self.rows)
            for square, (x, _) in ((square, centres[square]) for square in row)
        }
        right = max(x for x, _ in self._places.values()) + size.width
        self.width = right + self.margin
        self.height = len(self.rows) * size.height + (1 if self._has_columns else 0)

    @property
    def _has_columns(self) -> bool:
        """Columns stand upright only where rows are not shifted."""
        return bool(self.margin) and self.board.shift == 0

    def place(self, square: str) -> tuple[int, int]:
        """The upper left character of a square."""
        return self._places[square]

    def __contains__(self, square: object) -> bool:
        return square in self._places

    def at(self, x: int, y: int) -> str | None:
        """The square to which a character belongs."""
        number = y // self.size.height
        if y < 0 or number >= len(self.rows):
            return None
        for square in self.rows[number]:
            start = self._places[square][0]
            if start <= x < start + self.size.width:
                return square
        return None

    @cached_property
    def labels(self) -> list[tuple[int, int, str]]:
        """Names beside the rows, and letters below upright columns, with their places."""
        found: list[tuple[int, int, str]] = []
        if not self.margin:
            return found
        middle = (self.size.height - 1) // 2
        for row in self.rows:
            x, y = self._places[row[0]]
            found.append((x - 1 - len(row[0]), y + middle, row[0]))
            x, _ = self._places[row[-1]]
            found.append((x + self.size.width + 1, y + middle, row[-1]))
        if self._has_columns:
            for square in self.rows[-1]:
                x, _ = self._places[square]
                found.append((x + (self.size.width - 2) // 2, self.height - 1, square[0]))
        return found

    def step(self, square: str, across: int, down: int, column: int) -> str:
        """The square beside, above or below; ``column`` is where an upright way began."""
        number = next(i for i, row in enumerate(self.rows) if square in row)
        row = self.rows[number]
        if across:
            return row[max(0, min(len(row) - 1, row.index(square) + across))]
        target = self.rows[max(0, min(len(self.rows) - 1, number + down))]
        return min(target, key=lambda at: abs(self._places[at][0] - column))

    def _centre(self, square: str) -> tuple[float, float]:
        shown = square if self.bottom is Color.WHITE else self.board.turned(square)
        return self.board.centre(shown, self.board.styles[0])

    def _seen_rows(self, squares: Collection[str]) -> list[list[str]]:
        """The rows from top to bottom, each from left to right, as ``bottom`` sees them."""
        shown = set(squares)
        rows = [[square for square in row if square in shown] for row in self.board.rows()]
        if self.bottom is Color.BLACK:
            rows = [row[::-1] for row in reversed(rows)]
        return [row for row in rows if row]


def fitting(board: Board, squares: Collection[str], bottom: Color, width: int, height: int) -> Grid:
    """The largest grid that fits; where none does the smallest, which then scrolls."""
    grids = [Grid(board, squares, size, bottom) for size in SIZES]
    fit = [grid for grid in grids if grid.width <= width and grid.height <= height]
    return fit[-1] if fit else grids[0]
