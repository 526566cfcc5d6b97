"""Where everything lies in a picture: squares, frame, coordinates, outlines of groups of squares.

Lengths are those of the drawings: a square is 64 wide.  x runs to the right, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cache
from itertools import pairwise

from cyvasse.boards import Board, Point
from cyvasse.draw.drawings import SIDE
from cyvasse.errors import CyvasseError
from cyvasse.rules.terms import WHITE, Color

Window = tuple[float, float, float, float]
"""A part of a picture: left, top, right, bottom."""


def number(value: float) -> str:
    """A number as short as two decimals allow.

    >>> number(2.50), number(-0.001), number(32)
    ('2.5', '0', '32')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(points: Iterable[Point], close: bool = True) -> str:
    """The points joined by straight lines."""
    joined = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{joined}{'Z' if close else ''}"


def checked_style(board: Board, style: str | None) -> str:
    """A style that the board can be drawn in; None stands for its usual one."""
    if style is None:
        return board.styles[0]
    if style not in board.styles:
        styles = " or ".join(board.styles)
        raise CyvasseError(f"the {board.name} board is drawn in {styles}, not in {style!r:.40}")
    return style


def checked_crop(board: Board, crop: object) -> tuple[str, ...]:
    """Squares of the board that a part of it has to show."""
    wanted = "a crop is the squares to be shown, such as ['c3', 'g6']"
    if isinstance(crop, str) or not isinstance(crop, Iterable):
        raise CyvasseError(f"{wanted}, not {crop!r:.40}")
    squares = tuple(crop)
    for square in squares:
        board.index(square)
    if not squares:
        raise CyvasseError(f"{wanted}; there must be at least one")
    return squares


class Layout:
    """A board, or a part of it, as it lies in front of one of the players."""

    def __init__(self, board: Board, style: str, bottom: Color) -> None:
        self.board = board
        self.style = style
        self.hexagonal = style == "hexagons"
        self._sign = 1 if bottom is WHITE else -1
        self.corners = [(x * SIDE, -y * SIDE) for x, y in board.outline(style)]
        self.centres = {
            square: self._place(board.centre(square, style)) for square in board.squares
        }
        self.hull = _hull(
            (x + dx, y + dy) for x, y in self.centres.values() for dx, dy in self.corners
        )
        """The outline of what is shown."""
        self.shown = board.squares
        """The squares that are shown, by more than a half."""
        self.touched = board.squares
        """The squares of which anything is shown."""
        self.beyond: tuple[str, ...] = ()
        """The squares that reach into the frame, because the board goes on there."""

    def cropped(self, crop: Sequence[str], rim: float) -> Layout:
        """The part of the board around some squares, in a frame that is ``rim`` wide.

        >>> import cyvasse
        >>> board = cyvasse.rule_set("croft").board
        >>> part = Layout(board, "squares", WHITE).cropped(("b2", "d3"), 28.0)
        >>> part.shown
        ('b2', 'c2', 'd2', 'b3', 'c3', 'd3')
        """
        wide, high = (max(corner[axis] for corner in self.corners) for axis in (0, 1))
        xs, ys = zip(*(self.centres[square] for square in crop), strict=True)
        # As the corners of the outline are rounded, so that none is cut off by a hair.
        window = (
            *_key((min(xs) - wide, min(ys) - high)),
            *_key((max(xs) + wide, max(ys) + high)),
        )

        part = copy(self)
        part.hull = _clipped(self.hull, window)
        part.shown = self._inside(window, 0.0, 0.0)
        part.touched = self._inside(window, wide - 1, high - 1)
        complete = self._inside(window, 1 - wide, 1 - high)
        near = self._inside(window, wide + rim, high + rim)
        part.beyond = tuple(square for square in near if square not in complete)
        return part

    def _inside(self, window: Window, wider: float, higher: float) -> tuple[str, ...]:
        """The squares whose middles lie in a window that has been made larger."""
        left, top, right, bottom = window
        return tuple(
            square
            for square, (x, y) in self.centres.items()
            if left - wider < x < right + wider and top - higher < y < bottom + higher
        )

    def outset(self, by: float) -> str:
        """The outline of what is shown, moved outwards."""
        return path(_inset(self.hull, by))

    def _place(self, point: Point) -> Point:
        return self._sign * point[0] * SIDE, -self._sign * point[1] * SIDE

    def cell(self, scale: float = 1.0) -> str:
        """The outline of a square around its own centre."""
        return path((x * scale, y * scale) for x, y in self.corners)

    def cells(self, squares: Iterable[str]) -> str:
        """The outlines of several squares, each by itself."""
        steps = ""
        for (ax, ay), (bx, by) in pairwise(self.corners):
            dx, dy = number(bx - ax), number(by - ay)
            if dx == "0":
                steps += f"v{dy}"
            elif dy == "0":
                steps += f"h{dx}"
            else:
                steps += f"l{dx} {dy}"
        first_x, first_y = self.corners[0]
        places = (self.centres[square] for square in squares)
        return "".join(f"M{number(x + first_x)} {number(y + first_y)}{steps}z" for x, y in places)

    def towards(self, direction: str) -> Point:
        """The step of length 1 in which a direction of the board points in the picture."""
        dx, dy = self.board.steps[direction]
        height = math.sqrt(3) / 2 if self.hexagonal else 1.0
        x, y = self._place((dx + self.board.shift * dy, dy * height))
        return x / math.hypot(x, y), y / math.hypot(x, y)

    def labels(self, rim: float) -> list[tuple[Point, str]]:
        """Where rows and columns are named: where their line leaves the board, in the frame.

        Rows are named at the right and columns at the bottom, whoever sits there.
        """
        rows: dict[str, str] = {}
        columns: dict[str, str] = {}
        for square in sorted(self.shown, key=lambda at: self.centres[at][0]):
            rows[square[1:]] = square
        for square in sorted(self.shown, key=lambda at: self.centres[at][1]):
            columns[square[0]] = square
        right, down = (1.0, 0.0), (0.0, 1.0)
        along = (-self.board.shift, math.sqrt(3) / 2 if self.hexagonal else 1.0)
        lowest = max(self.centres[square][1] for square in self.shown)
        labels = [(self._leave(at, right, rim), name) for name, at in rows.items()]
        for name, at in columns.items():
            way = down if self.centres[at][1] > lowest - 1 else along
            labels.append((self._leave(at, way, rim), name))
        return labels

    def _leave(self, square: str, way: Point, beyond: float) -> Point:
        """The point ``beyond`` the edge of the board on the way from a square."""
        x, y = self.centres[square]
        shortest = math.inf
        for (ax, ay), (bx, by) in zip(self.hull, self.hull[1:] + self.hull[:1], strict=True):
            length = math.hypot(bx - ax, by - ay)
            out_x, out_y = (by - ay) / length, (ax - bx) / length
            speed = way[0] * out_x + way[1] * out_y
            if speed > 1e-9:
                room = (ax - x) * out_x + (ay - y) * out_y + beyond
                shortest = min(shortest, room / speed)
        return x + way[0] * shortest, y + way[1] * shortest

    def border(self, squares: Iterable[str], inset: float = 0.0) -> str:
        """The outline around several squares, drawn a little further inside if so wished."""
        ways: dict[Point, list[Point]] = {}
        for start, end in self._outer_edges(squares):
            ways.setdefault(start, []).append(end)
        outlines = []
        while ways:
            first = here = next(iter(ways))
            loop = []
            while here in ways:
                loop.append(here)
                onward = ways[here]
                there = onward.pop()
                if not onward:
                    del ways[here]
                here = there
                if here == first:
                    break
            outlines.append(path(_inset(_without_straights(loop), inset)))
        return "".join(outlines)

    def _outer_edges(self, squares: Iterable[str]) -> list[tuple[Point, Point]]:
        edges: dict[tuple[Point, Point], None] = {}
        for square in squares:
            x, y = self.centres[square]
            corners = [(x + dx, y + dy) for dx, dy in self.corners]
            for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
                # A brick lies on halves of two others, so edges are compared half by half.
                middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
                for edge in ((_key(start), _key(middle)), (_key(middle), _key(end))):
                    if edge[::-1] in edges:
                        del edges[edge[::-1]]
                    else:
                        edges[edge] = None
        return list(edges)


@cache
def layout(board: Board, style: str, bottom: Color) -> Layout:
    """The layout of a board, worked out once."""
    return Layout(board, style, bottom)


def _key(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)


def _hull(points: Iterable[Point]) -> list[Point]:
    """The convex outline of some points, clockwise as seen in the picture."""
    ordered = sorted({_key(point) for point in points})

    def half(points: Sequence[Point]) -> list[Point]:
        outline: list[Point] = []
        for point in points:
            while len(outline) > 1 and _turn(outline[-2], outline[-1], point) <= 1e-6:
                outline.pop()
            outline.append(point)
        return outline[:-1]

    return half(ordered) + half(ordered[::-1])


def _clipped(hull: Sequence[Point], window: Window) -> list[Point]:
    """The part of a convex outline that lies in a window."""
    left, top, right, bottom = window
    for axis, sign, limit in ((0, 1, left), (1, 1, top), (0, -1, right), (1, -1, bottom)):
        inside: list[Point] = []
        for here, there in zip(hull, [*hull[1:], hull[0]], strict=True):
            near, far = (sign * (point[axis] - limit) for point in (here, there))
            if near >= 0:
                inside.append(here)
            if near * far < 0:
                share = near / (near - far)
                inside.append(
                    (
                        here[0] + (there[0] - here[0]) * share,
                        here[1] + (there[1] - here[1]) * share,
                    )
                )
        hull = inside
    return list(hull)


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _without_straights(loop: list[Point]) -> list[Point]:
    """The corners of an outline."""
    return [
        point
        for before, point, after in zip(
            loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True
        )
        if abs(_turn(before, point, after)) > 1
    ]


def _inset(loop: list[Point], inset: float) -> list[Point]:
    """The outline moved to its inner side, which lies to the left of its edges."""
    moved = []
    for before, here, after in zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True):
        (ax, ay), (bx, by) = _inward(before, here), _inward(here, after)
        share = inset / (1 + ax * bx + ay * by)
        moved.append((here[0] + (ax + bx) * share, here[1] + (ay + by) * share))
    return moved


def _inward(start: Point, end: Point) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    return dy / length, -dx / length
