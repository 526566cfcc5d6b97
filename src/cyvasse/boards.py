"""The boards: squares and their names, neighbours, lines, distances, and where to draw them.

A board knows no pieces and no rules; each rule set makes its own.  A square is a whole number from
0 (row 1, leftmost) upwards inside the library and a name such as ``e4`` outside.  The letter counts
columns from ``a``, the number counts rows from White's side.

>>> small = square_board("small", 4, 4)
>>> small.neighbour(small.index("b2"), "NE") == small.index("c3")
True
>>> small.turned("b1")
'c4'
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cyvasse.errors import CyvasseError, UnknownSquareError

Point = tuple[float, float]

# Named so that "N" points away from White.  On boards of hexagons every other row is shifted by
# half a square, so there is no straight N or S: the six steps keep x + y or x or y constant.
HEXAGON_STEPS: Mapping[str, tuple[int, int]] = {
    "E": (1, 0),
    "NE": (0, 1),
    "NW": (-1, 1),
    "W": (-1, 0),
    "SW": (0, -1),
    "SE": (1, -1),
}
# A diagonal step passes between two neighbours of the square it starts from.
HEXAGON_DIAGONALS: Mapping[str, tuple[int, int]] = {
    "ENE": (1, 1),
    "N": (-1, 2),
    "WNW": (-2, 1),
    "WSW": (-1, -1),
    "S": (1, -2),
    "ESE": (2, -1),
}
SQUARE_STEPS: Mapping[str, tuple[int, int]] = {
    "E": (1, 0),
    "NE": (1, 1),
    "N": (0, 1),
    "NW": (-1, 1),
    "W": (-1, 0),
    "SW": (-1, -1),
    "S": (0, -1),
    "SE": (1, -1),
}


class Board:
    """A set of squares on a grid of columns (``x``) and rows (``y``)."""

    def __init__(
        self,
        name: str,
        coordinates: Sequence[tuple[int, int]],
        steps: Mapping[str, tuple[int, int]],
        styles: Sequence[str],
        shift: float = 0.0,
    ) -> None:
        self.name = name
        self.coordinates = tuple(sorted(coordinates, key=lambda xy: (xy[1], xy[0])))
        self.steps = steps
        self.directions = tuple(steps)
        self.styles = tuple(styles)
        """How the squares may be drawn, the usual way first."""
        self.shift = shift
        """How far each row is drawn to the right of the row below it."""
        self.squares = tuple(f"{chr(ord('a') + x)}{y + 1}" for x, y in self.coordinates)
        self.width = 1 + max(x for x, _ in self.coordinates)
        self.height = 1 + max(y for _, y in self.coordinates)
        self.numbers: Mapping[str, int] = {square: i for i, square in enumerate(self.squares)}
        """The numbers of the squares by their names; ``index`` has words for a wrong name."""
        self._at = {xy: i for i, xy in enumerate(self.coordinates)}

    def __len__(self) -> int:
        return len(self.squares)

    def __contains__(self, square: object) -> bool:
        return isinstance(square, str) and square in self.numbers

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self)} squares>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return board, (self.name,)

    def index(self, square: str) -> int:
        """The number of the square of that name."""
        try:
            return self.numbers[square]
        except (KeyError, TypeError):
            raise UnknownSquareError(
                f"no square {square!r} on the {self.name} board, "
                f"which runs from {self.squares[0]} to {self.squares[-1]}"
            ) from None

    def at(self, x: int, y: int) -> int | None:
        """The number of the square at column ``x`` and row ``y``, both counted from 0."""
        return self._at.get((x, y))

    def row(self, square: str) -> int:
        """The row number in the square's name."""
        return self.coordinates[self.index(square)][1] + 1

    def rows(self) -> list[list[str]]:
        """The names row by row as White sees them: the farthest row first."""
        rows: list[list[str]] = [[] for _ in range(self.height)]
        for square, (_, y) in zip(self.squares, self.coordinates, strict=True):
            rows[self.height - 1 - y].append(square)
        return rows

    def neighbour(self, square: int, direction: str) -> int | None:
        """The square one step away, or None beyond the edge."""
        x, y = self.coordinates[square]
        dx, dy = self.steps[direction]
        return self._at.get((x + dx, y + dy))

    def line(self, square: int, direction: str) -> list[int]:
        """The squares met by going straight on, nearest first, without the start."""
        line = []
        here = self.neighbour(square, direction)
        while here is not None:
            line.append(here)
            here = self.neighbour(here, direction)
        return line

    def diagonal(self, square: int, direction: str) -> list[int]:
        """The squares met by going on diagonally across hexagons, nearest first.

        >>> board = hexagon_board("hexagon", 11, 11, 5, 15, ["hexagons"])
        >>> [board.squares[i] for i in board.diagonal(board.index("e4"), "N")]
        ['d6', 'c8', 'b10']
        """
        x, y = self.coordinates[square]
        dx, dy = HEXAGON_DIAGONALS[direction]
        line = []
        while (x := x + dx, y := y + dy) in self._at:
            line.append(self._at[x, y])
        return line

    def ring(self, centre: int, radius: int) -> list[int | None]:
        """The places at that distance from a square of hexagons, in order round it.

        Each is a neighbour of the next, the last of the first; None stands beyond the edge.

        >>> board = hexagon_board("hexagon", 11, 11, 5, 15, ["hexagons"])
        >>> [None if i is None else board.squares[i] for i in board.ring(board.index("f1"), 1)]
        ['g1', 'f2', 'e2', None, None, None]
        """
        x, y = self.coordinates[centre]
        x += radius
        ring = []
        for direction in ("NW", "W", "SW", "SE", "E", "NE"):
            dx, dy = self.steps[direction]
            for _ in range(radius):
                ring.append(self._at.get((x, y)))
                x, y = x + dx, y + dy
        return ring

    def direction(self, start: str, end: str) -> tuple[str, int] | None:
        """Direction and distance of ``end`` if it lies straight ahead of ``start``."""
        goal = self.index(end)
        for direction in self.directions:
            line = self.line(self.index(start), direction)
            if goal in line:
                return direction, line.index(goal) + 1
        return None

    def turned(self, square: str) -> str:
        """The square that takes this one's place when the board is turned by 180°."""
        x, y = self.coordinates[self.index(square)]
        return self.squares[self._at[self.width - 1 - x, self.height - 1 - y]]

    def turned_direction(self, direction: str) -> str:
        """The opposite direction."""
        dx, dy = self.steps[direction]
        return next(name for name, step in self.steps.items() if step == (-dx, -dy))

    def distance(self, start: str, end: str) -> int:
        """How many steps lie between two squares on an empty board."""
        x1, y1 = self.coordinates[self.index(start)]
        x2, y2 = self.coordinates[self.index(end)]
        dx, dy = x2 - x1, y2 - y1
        if len(self.steps) == len(HEXAGON_STEPS):
            return max(abs(dx), abs(dy), abs(dx + dy))
        return max(abs(dx), abs(dy))

    def centre(self, square: str, style: str | None = None) -> Point:
        """Where to draw a square's middle; x to the right, y upwards, squares one unit wide."""
        x, y = self.coordinates[self.index(square)]
        height = math.sqrt(3) / 2 if (style or self.styles[0]) == "hexagons" else 1.0
        return x + self.shift * y, y * height

    def outline(self, style: str | None = None) -> list[Point]:
        """The corners of a square around its centre."""
        if (style or self.styles[0]) == "hexagons":
            radius = 1 / math.sqrt(3)
            angles = [math.radians(30 + 60 * corner) for corner in range(6)]
            return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
        return [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)]


def hexagon_board(
    name: str, width: int, height: int, low: int, high: int, styles: Sequence[str]
) -> Board:
    """The squares of a slanted grid with ``low <= x + y <= high``."""
    coordinates = [(x, y) for y in range(height) for x in range(width) if low <= x + y <= high]
    return Board(name, coordinates, HEXAGON_STEPS, styles, shift=0.5)


def square_board(name: str, width: int, height: int) -> Board:
    """A plain rectangle of squares, each with up to eight neighbours."""
    coordinates = [(x, y) for y in range(height) for x in range(width)]
    return Board(name, coordinates, SQUARE_STEPS, ["squares"])


_BOARDS: dict[str, Board] = {}


def keep_board(kept: Board) -> None:
    """Make a board known by its name, so that what lies on it can be sent to other processes."""
    if _BOARDS.setdefault(kept.name, kept) is not kept:
        raise CyvasseError(f"there is already a board {kept.name!r}")


def board(name: str) -> Board:
    """The board of that name."""
    if name not in _BOARDS:
        # It may be a board of a package that nobody has asked for yet in this process.
        from cyvasse.rules import rule_sets

        rule_sets()
    return _BOARDS[name]
