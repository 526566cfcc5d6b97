"""The pieces on the board, with what is told of single ones, and the trays beside it."""

from __future__ import annotations

from collections.abc import Sequence

from cyvasse.boards import Point
from cyvasse.draw.canvas import Canvas, drawing, group, stroke
from cyvasse.draw.drawings import motif_of
from cyvasse.draw.geometry import number
from cyvasse.draw.ground import FONT, ground_color
from cyvasse.rules.scene import Store
from cyvasse.rules.terms import Color

TRAY_HEIGHT = 60.0
_TRAY_PIECE = 44.0
_LABEL_SIZE = 15.0
_TIMES = "\N{MULTIPLICATION SIGN}"
_HOURGLASS = (
    "M-4.5-6H4.5M-4.5 6H4.5M-3.5-6C-3.5-2 0-1.5 0 0S-3.5 2-3.5 6H3.5C3.5 2 0 1.5 0 0S3.5-2 3.5-6"
)


def pieces(canvas: Canvas) -> str:
    """All pieces; those that wait are paler."""
    waiting = _squares(canvas, "waiting")
    drawn = ""
    for color in Color:
        men = {at: man for at, man in canvas.men.items() if man.color is color}
        ready = "".join(_piece(canvas, at) for at in men if at not in waiting)
        pale = "".join(_piece(canvas, at) for at in men if at in waiting)
        stone = canvas.stone(color)
        drawn += group(
            ready + group(pale, opacity=0.55),
            **stone,
            stroke_width=canvas.outline,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
    return drawn


def _piece(canvas: Canvas, square: str) -> str:
    x, y = canvas.layout.centres[square]
    kind = canvas.drawing(canvas.seen.pieces[square].type)
    walled = canvas.seen.grounds[square] == "fortress"
    return drawing(kind, (x, y - 1), canvas.piece_size * (0.88 if walled else 1))


def halos(canvas: Canvas) -> str:
    """The same pieces, thicker, in the colour of the ground: a motif keeps its distance."""
    by_color: dict[str, list[str]] = {}
    for square in canvas.men:
        if motif_of(canvas.seen.look(square), canvas.small) is not None:
            by_color.setdefault(ground_color(canvas, square), []).append(square)
    return "".join(
        group(
            "".join(_piece(canvas, at) for at in squares),
            fill=canvas.theme[color],
            stroke=canvas.theme[color],
            color=canvas.theme[color],
            stroke_width=6.5,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        for color, squares in sorted(by_color.items())
    )


def badges(canvas: Canvas) -> str:
    """What is told of single pieces: where they point, and that they wait."""
    return "".join(
        _pointer(canvas, feature.squares[0], feature.direction)
        for feature in canvas.features
        if feature.kind == "facing" and feature.direction
    ) + "".join(_hourglass(canvas, square) for square in _squares(canvas, "waiting"))


def _squares(canvas: Canvas, kind: str) -> list[str]:
    shown = canvas.layout.shown
    return [
        at for each in canvas.features if each.kind == kind for at in each.squares if at in shown
    ]


def _pointer(canvas: Canvas, square: str, direction: str) -> str:
    """A wedge on the edge of the square."""
    x, y = canvas.layout.centres[square]
    right, down = canvas.layout.towards(direction)
    reach = 24.0 / max(abs(right), abs(down))
    x, y = x + right * reach, y + down * reach
    tip = (x + right * 10, y + down * 10)
    wings = [(x - right * 6 - down * side, y - down * 6 + right * side) for side in (11.0, -11.0)]
    notch = (x - right * 1.5, y - down * 1.5)
    points = " ".join(f"{number(px)},{number(py)}" for px, py in (tip, wings[0], notch, wings[1]))
    theme = canvas.theme
    return (
        f'<polygon points="{points}" fill="{theme["gold"]}" stroke="{theme["mark"]}" '
        f'stroke-width="2" stroke-linejoin="round"/>'
    )


def _hourglass(canvas: Canvas, square: str) -> str:
    x, y = canvas.layout.centres[square]
    theme = canvas.theme
    return (
        f'<g transform="translate({number(x + 20)} {number(y - 20)})">'
        f'<circle r="10.5" fill="{theme["halo"]}" stroke="{theme["mark"]}" stroke-width="2"/>'
        + stroke(_HOURGLASS, theme["mark"], 1.8, stroke_linejoin="round", stroke_linecap="round")
        + "</g>"
    )


# --- trays ----------------------------------------------------------------------------------------


def tray(canvas: Canvas, stores: Sequence[Store], middle: Point, room: float) -> str:
    """What a player has beside the board, in a slab of its own around ``middle``."""
    inside, x = [], 18.0
    for store in stores:
        label = store.kind.capitalize()
        inside.append(f'<text x="{number(x)}" y="{number(0.36 * _LABEL_SIZE)}">{label}</text>')
        x += len(label) * 0.58 * _LABEL_SIZE + 12
        for name, count in store.pieces.items():
            inside.append(_stored(canvas, store.color, name, (x + _TRAY_PIECE / 2, -1.0)))
            x += _TRAY_PIECE + 3
            if count > 1:
                inside.append(
                    f'<text x="{number(x)}" y="{number(0.36 * _LABEL_SIZE)}">{_TIMES}{count}</text>'
                )
                x += 27
        x += 14
    width = x + 2
    scale = min(1.0, room / width)
    left = middle[0] - width * scale / 2
    theme, height = canvas.theme, TRAY_HEIGHT
    slab = (
        f'<rect y="{number(-height / 2)}" width="{number(width)}" height="{number(height)}" '
        f'rx="14" fill="{theme["frame"]}"/>'
        f'<rect x="4" y="{number(4 - height / 2)}" width="{number(width - 8)}" '
        f'height="{number(height - 8)}" rx="10" fill="none" stroke="{theme["inlay"]}" '
        f'stroke-width="1.4"/>'
    )
    written = group(
        "".join(inside),
        fill=theme["text"],
        font_family=FONT,
        font_size=_LABEL_SIZE,
        font_weight="600",
    )
    shrunk = "" if scale == 1.0 else f" scale({number(scale)})"
    return (
        f'<g transform="translate({number(left)} {number(middle[1])}){shrunk}">{slab}{written}</g>'
    )


def _stored(canvas: Canvas, color: Color, name: str, at: Point) -> str:
    return group(
        drawing(canvas.drawing(name), at, _TRAY_PIECE),
        **canvas.stone(color),
        stroke_width=2.4,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
