"""What is drawn over a position to talk about it: the last action, marks, arrows.

Each has a shape of its own, so that nothing is told by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from cyvasse.actions import Action
from cyvasse.boards import Point
from cyvasse.draw.canvas import Canvas, stroke
from cyvasse.draw.geometry import number, path
from cyvasse.errors import CyvasseError

Marks = Mapping[str, str] | Iterable[str]
Arrows = Iterable[tuple[str, str]]

_BRACKETS = "M-27-16V-27H-16M16-27H27V-16M27 16V27H16M-16 27H-27V16"
_AIM = "M24 0A24 24 0 1 1-24 0A24 24 0 1 1 24 0M0-31V-22M0 31V22M-31 0H-22M31 0H22"
_RING = "M27 0A27 27 0 1 1-27 0A27 27 0 1 1 27 0"


def checked_marks(canvas: Canvas, marks: Marks) -> dict[str, str]:
    """The kind of mark on each square; squares without one get a ring."""
    if isinstance(marks, str) or not isinstance(marks, Iterable):
        raise CyvasseError(f"marks are squares, such as ['e4', 'f5'], not {marks!r:.40}")
    pairs = marks.items() if isinstance(marks, Mapping) else ((square, "ring") for square in marks)
    kinds = {}
    for square, kind in pairs:
        canvas.layout.board.index(square)
        if not isinstance(kind, str) or kind not in MARKS:
            known = ", ".join(MARKS)
            raise CyvasseError(f"no mark {kind!r:.40} for {square}; the marks are {known}")
        kinds[square] = kind
    return kinds


def checked_arrows(canvas: Canvas, arrows: Arrows) -> list[tuple[str, str]]:
    """The arrows as pairs of different squares of the board."""
    wanted = "arrows are pairs of squares, such as [('e4', 'f5')]"
    if isinstance(arrows, str) or not isinstance(arrows, Iterable):
        raise CyvasseError(f"{wanted}, not {arrows!r:.40}")
    checked = []
    for arrow in arrows:
        if not isinstance(arrow, tuple | list) or len(arrow) != 2:
            raise CyvasseError(f"{wanted}; {arrow!r:.40} is none")
        origin, target = arrow
        if canvas.layout.board.index(origin) == canvas.layout.board.index(target):
            raise CyvasseError(f"an arrow leads to another square, not from {origin} to {target}")
        checked.append((origin, target))
    return checked


def checked_action(canvas: Canvas, action: Action | str) -> Action:
    """An action on the board of the picture."""
    board = canvas.layout.board
    if not isinstance(action, Action):
        return Action.parse(action, board)
    if action.board is not board:
        raise CyvasseError(
            f"{action} is an action on the {action.board.name} board, not on the {board.name} board"
        )
    return action


def last_action(canvas: Canvas, action: Action) -> str:
    """Dashed where a piece was, solid where it is, and a dotted trail between the two."""
    origin, target, victim = action.origin, action.target, action.victim
    if target is None:
        return ""
    drawn = ""
    stays = action.kind in ("shoot", "swap")
    if origin is not None:
        drawn += _last_square(canvas, origin, left=not stays)
        if origin != target:
            drawn += _trail(canvas, origin, target)
    if action.kind != "shoot":
        drawn += _last_square(canvas, target, left=False)
    if victim is not None and (victim != target or action.kind == "shoot"):
        aim = stroke(_AIM, canvas.theme["last"], 3.0, stroke_linecap="round")
        drawn += _at(canvas, victim, aim)
    return drawn


def _last_square(canvas: Canvas, square: str, left: bool) -> str:
    theme = canvas.theme
    fill, dashes = ("0.14", ' stroke-dasharray="5 5"') if left else ("0.28", "")
    return _at(
        canvas,
        square,
        f'<path d="{canvas.layout.cell(0.9)}" fill="{theme["gold"]}" fill-opacity="{fill}" '
        f'stroke="{theme["last"]}" stroke-width="3" stroke-linejoin="round"{dashes}/>'
        + (f'<circle r="6" fill="{theme["last"]}"/>' if left else ""),
    )


def _trail(canvas: Canvas, origin: str, target: str) -> str:
    start, end, _ = _between(canvas, origin, target, 12.0, 31.0)
    return stroke(
        path((start, end), close=False),
        canvas.theme["last"],
        3.5,
        stroke_dasharray="0.1 9",
        stroke_linecap="round",
    )


def _between(
    canvas: Canvas, origin: str, target: str, after: float, before: float
) -> tuple[Point, Point, Point]:
    """A line between two squares that keeps some distance from their middles, and its way."""
    (ax, ay), (bx, by) = (canvas.layout.centres[square] for square in (origin, target))
    length = math.hypot(bx - ax, by - ay)
    right, down = (bx - ax) / length, (by - ay) / length
    start = ax + right * after, ay + down * after
    return start, (bx - right * before, by - down * before), (right, down)


def selection(canvas: Canvas, marks: Mapping[str, str]) -> str:
    """The marks that lie below the pieces."""
    return "".join(
        _at(canvas, square, MARKS[kind](canvas))
        for square, kind in marks.items()
        if kind == "selected"
    )


def over(canvas: Canvas, marks: Mapping[str, str]) -> str:
    """The marks that lie on top of everything."""
    return "".join(
        _at(canvas, square, MARKS[kind](canvas))
        for square, kind in marks.items()
        if kind != "selected"
    )


def _selected(canvas: Canvas) -> str:
    theme = canvas.theme
    return (
        f'<path d="{canvas.layout.cell(0.91)}" fill="{theme["gold"]}" fill-opacity=".6" '
        f'stroke="{theme["mark"]}" stroke-width="4" stroke-linejoin="round"/>'
    )


def _dot(canvas: Canvas) -> str:
    theme = canvas.theme
    return f'<circle r="8.5" fill="{theme["mark"]}" stroke="{theme["halo"]}" stroke-width="3"/>'


def _with_halo(d: str) -> Callable[[Canvas], str]:
    def draw(canvas: Canvas) -> str:
        round_ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
        return stroke(d, canvas.theme["halo"], 9.5, **round_ends) + stroke(
            d, canvas.theme["take"], 5.0, **round_ends
        )

    return draw


MARKS: Mapping[str, Callable[[Canvas], str]] = {
    "ring": _with_halo(_RING),
    "selected": _selected,
    "dot": _dot,
    "take": _with_halo(_BRACKETS),
    "shot": _with_halo(_AIM),
}


def arrow(canvas: Canvas, origin: str, target: str) -> str:
    """From one square to another."""
    (sx, sy), (ex, ey), (right, down) = _between(canvas, origin, target, 14.0, 30.0)
    half, wing, head = 4.5, 13.0, 22.0

    def beside(x: float, y: float, side: float) -> Point:
        return x - down * side, y + right * side

    outline = path(
        [
            beside(sx, sy, half),
            beside(ex, ey, half),
            beside(ex - right * 2, ey - down * 2, wing),
            (ex + right * head, ey + down * head),
            beside(ex - right * 2, ey - down * 2, -wing),
            beside(ex, ey, -half),
            beside(sx, sy, -half),
        ]
    )
    theme = canvas.theme
    return (
        f'<path d="{outline}" fill="{theme["arrow"]}" stroke="{theme["halo"]}" '
        f'stroke-width="2.5" stroke-linejoin="round" opacity=".92"/>'
    )


def _at(canvas: Canvas, square: str, drawn: str) -> str:
    x, y = canvas.layout.centres[square]
    return f'<g transform="translate({number(x)} {number(y)})">{drawn}</g>'
