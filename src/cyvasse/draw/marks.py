"""What is drawn over a position to talk about it: the last action, marks, arrows.

Each has a shape of its own, so that nothing is told by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from cyvasse.actions import Action
from cyvasse.boards import Point
from cyvasse.draw.canvas import Canvas, placed, stroke, use
from cyvasse.draw.drawings import reference
from cyvasse.draw.geometry import path
from cyvasse.errors import CyvasseError

Marks = Mapping[str, str] | Iterable[str]
Arrows = Iterable[tuple[str, str]]
Kinds = Mapping[str, tuple[str, ...]]

_BRACKETS = "M-27-16V-27H-16M16-27H27V-16M27 16V27H16M-16 27H-27V16"
_AIM = "M24 0A24 24 0 1 1-24 0A24 24 0 1 1 24 0M0-31V-22M0 31V22M-31 0H-22M31 0H22"
UPPER_RIGHT, LOWER_LEFT = (20.0, -20.0), (-20.0, 20.0)
_RING = "M27 0A27 27 0 1 1-27 0A27 27 0 1 1 27 0"


def checked_marks(canvas: Canvas, marks: Marks) -> Kinds:
    """The kinds of marks on each square; squares without one get a ring."""
    if isinstance(marks, str) or not isinstance(marks, Iterable):
        raise CyvasseError(f"marks are squares, such as ['e4', 'f5'], not {marks!r:.40}")
    pairs = marks.items() if isinstance(marks, Mapping) else ((square, "ring") for square in marks)
    checked = {}
    for square, words in pairs:
        canvas.check(square)
        kinds = tuple(words.split()) if isinstance(words, str) else ()
        if not kinds or not set(kinds) <= set(MARKS):
            known = ", ".join(MARKS)
            raise CyvasseError(f"no mark {words!r:.40} for {square}; the marks are {known}")
        checked[square] = kinds
    return checked


def checked_pairs(canvas: Canvas, pairs: Arrows, what: str = "arrow") -> list[tuple[str, str]]:
    """Arrows or lines as pairs of different squares of the picture."""
    wanted = f"{what}s are pairs of squares, such as [('e4', 'f5')]"
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise CyvasseError(f"{wanted}, not {pairs!r:.40}")
    checked = []
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise CyvasseError(f"{wanted}; {pair!r:.40} is none")
        origin, target = pair
        canvas.check(origin)
        canvas.check(target)
        if origin == target:
            raise CyvasseError(f"{what}s lead to another square, not from {origin} to {target}")
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
    start, end, _ = between(canvas, origin, target, 12.0, 31.0)
    return stroke(
        path((start, end), close=False),
        canvas.theme["last"],
        3.5,
        stroke_dasharray="0.1 9",
        stroke_linecap="round",
    )


def between(
    canvas: Canvas, origin: str, target: str, after: float, before: float
) -> tuple[Point, Point, Point]:
    """A line between two squares that keeps some distance from their middles, and its way."""
    (ax, ay), (bx, by) = (canvas.layout.centres[square] for square in (origin, target))
    length = math.hypot(bx - ax, by - ay)
    right, down = (bx - ax) / length, (by - ay) / length
    start = ax + right * after, ay + down * after
    return start, (bx - right * before, by - down * before), (right, down)


def below(canvas: Canvas, marks: Kinds) -> str:
    """The marks that lie below the pieces."""
    return "".join(
        use(f"mark-{kind}", canvas.layout.centres[square])
        for square, kinds in marks.items()
        for kind in kinds
        if kind in BELOW
    )


def above(canvas: Canvas, marks: Kinds) -> str:
    """The marks that lie on top of everything."""
    return "".join(
        use(f"mark-{kind}", canvas.layout.centres[square])
        for square, kinds in marks.items()
        for kind in kinds
        if kind not in BELOW
    )


def definitions(canvas: Canvas, marks: Kinds) -> str:
    """Each kind of mark that is used, once."""
    used = {kind for kinds in marks.values() for kind in kinds}
    return "".join(
        f'<g id="{reference(f"mark-{kind}")}">{draw(canvas)}</g>'
        for kind, draw in MARKS.items()
        if kind in used
    )


def _selected(canvas: Canvas) -> str:
    theme = canvas.theme
    return (
        f'<path d="{canvas.layout.cell(0.91)}" fill="{theme["gold"]}" fill-opacity=".6" '
        f'stroke="{theme["mark"]}" stroke-width="4" stroke-linejoin="round"/>'
    )


def _able(canvas: Canvas) -> str:
    theme = canvas.theme
    outline = canvas.layout.cell(0.91)
    return stroke(outline, theme["mark"], 5.5, stroke_linejoin="round") + stroke(
        outline, theme["gold"], 3.0, stroke_linejoin="round"
    )


def _dot(canvas: Canvas) -> str:
    theme = canvas.theme
    return f'<circle r="8.5" fill="{theme["mark"]}" stroke="{theme["halo"]}" stroke-width="3"/>'


def _landing(canvas: Canvas) -> str:
    theme = canvas.theme
    return (
        f'<circle r="8.5" fill="none" stroke="{theme["halo"]}" stroke-width="7.5"/>'
        f'<circle r="8.5" fill="none" stroke="{theme["mark"]}" stroke-width="3.5"/>'
    )


def _refused(canvas: Canvas) -> str:
    theme = canvas.theme
    border = canvas.layout.cell(0.88)
    cross = stroke("M-4.5-4.5L4.5 4.5M4.5-4.5L-4.5 4.5", theme["mark"], 3.2, stroke_linecap="round")
    return (
        stroke(border, theme["halo"], 5.5, stroke_linejoin="round")
        + stroke(border, theme["mark"], 3.0, stroke_linejoin="round", stroke_dasharray="7 5")
        + badge(canvas, UPPER_RIGHT, cross)
    )


def badge(canvas: Canvas, at: Point, inside: str) -> str:
    """A small disc at a corner of a square, for a sign or a number."""
    theme = canvas.theme
    disc = f'<circle r="11" fill="{theme["halo"]}" stroke="{theme["mark"]}" stroke-width="2"/>'
    return placed(at, disc + inside)


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
    "able": _able,
    "dot": _dot,
    "take": _with_halo(_BRACKETS),
    "shot": _with_halo(_AIM),
    "landing": _landing,
    "refused": _refused,
}
BELOW = ("selected", "able")
"""The marks that lie below the pieces."""


def arrow(canvas: Canvas, origin: str, target: str) -> str:
    """From one square to another."""
    (sx, sy), (ex, ey), (right, down) = between(canvas, origin, target, 14.0, 30.0)
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
    return placed(canvas.layout.centres[square], drawn)
