"""What is written on a picture to explain it: areas, lines, numbers on pieces, words on squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape

from cyvasse.boards import Point
from cyvasse.draw.canvas import Canvas, group, placed, stroke
from cyvasse.draw.geometry import number, path
from cyvasse.draw.ground import FONT
from cyvasse.draw.marks import LOWER_LEFT, Arrows, badge, between, checked_pairs
from cyvasse.errors import CyvasseError

Areas = Iterable[Iterable[str]]
Texts = Mapping[str, str]

LONGEST = 24
"""The longest text that is written on a picture, in characters."""


def areas(canvas: Canvas, wanted: Areas) -> str:
    """Groups of squares, tinted and with a dashed line around each group."""
    theme = canvas.theme
    drawn = ""
    for squares in _checked_areas(canvas, wanted):
        border = canvas.layout.border(squares, inset=3.0)
        drawn += (
            f'<path d="{border}" fill="{theme["gold"]}" fill-opacity=".34" fill-rule="evenodd"/>'
            + stroke(border, theme["halo"], 5.0)
            + stroke(border, theme["mark"], 2.6, stroke_dasharray="9 5")
        )
    return group(drawn, stroke_linejoin="round")


def lines(canvas: Canvas, wanted: Arrows) -> str:
    """Slender lines from one piece to another, with a point where they end."""
    theme = canvas.theme
    drawn = ""
    for origin, target in checked_pairs(canvas, wanted, "line"):
        start, end, _ = between(canvas, origin, target, 24.0, 27.0)
        way = path((start, end), close=False)
        x, y = (number(part) for part in end)
        drawn += (
            stroke(way, theme["halo"], 8.0, stroke_linecap="round")
            + f'<circle cx="{x}" cy="{y}" r="8" fill="{theme["halo"]}"/>'
            + stroke(way, theme["arrow"], 3.6, stroke_linecap="round")
            + f'<circle cx="{x}" cy="{y}" r="5.4" fill="{theme["arrow"]}"/>'
        )
    return drawn


def numbers(canvas: Canvas, wanted: Texts) -> str:
    """A number in a disc at the lower left of a square."""
    drawn = ""
    for key, text in _checked_texts(canvas, wanted, "numbers"):
        sign = f'<text y="5.4">{escape(text)}</text>'
        drawn += placed(_middle(canvas, key), badge(canvas, LOWER_LEFT, sign))
    return _written(canvas, drawn, "mark", 15.0)


def words(canvas: Canvas, wanted: Texts) -> str:
    """Words in the middle of a square, or of several squares together."""
    drawn = ""
    for key, text in _checked_texts(canvas, wanted, "words"):
        x, y = _middle(canvas, key)
        drawn += f'<text x="{number(x)}" y="{number(y + 7.2)}">{escape(text)}</text>'
    halo = {"stroke": canvas.theme["word-halo"], "stroke_width": 4.0, "paint_order": "stroke"}
    return _written(canvas, drawn, "word", 20.0, **halo, stroke_linejoin="round")


def _written(canvas: Canvas, drawn: str, color: str, size: float, **values: object) -> str:
    return group(
        drawn,
        fill=canvas.theme[color],
        font_family=FONT,
        font_size=size,
        font_weight="700",
        text_anchor="middle",
        **values,
    )


def _middle(canvas: Canvas, squares: list[str]) -> Point:
    points = [canvas.layout.centres[square] for square in squares]
    x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    return x, y


def _checked_areas(canvas: Canvas, wanted: Areas) -> list[list[str]]:
    rule = "areas are lists of squares, such as [['e4', 'f5']]"
    if isinstance(wanted, str | Mapping) or not isinstance(wanted, Iterable):
        raise CyvasseError(f"{rule}, not {wanted!r:.40}")
    checked = []
    for squares in wanted:
        if isinstance(squares, str) or not isinstance(squares, Iterable):
            raise CyvasseError(f"{rule}; {squares!r:.40} is none")
        area = list(squares)
        for square in area:
            canvas.check(square)
        checked.append(area)
    return checked


def _checked_texts(canvas: Canvas, wanted: Texts, what: str) -> list[tuple[list[str], str]]:
    """The squares of each text; several squares are separated by spaces."""
    if not isinstance(wanted, Mapping):
        raise CyvasseError(f"{what} stand by squares, such as {{'e4': '2'}}, not {wanted!r:.40}")
    checked = []
    for key, text in wanted.items():
        squares = key.split() if isinstance(key, str) else [key]
        for square in squares or [key]:
            canvas.check(square)
        if not isinstance(text, str) or not 1 <= len(text) <= LONGEST or not text.isprintable():
            raise CyvasseError(
                f"{what} are texts of 1 to {LONGEST} characters, not {text!r:.40} for {key}"
            )
        checked.append((squares, text))
    return checked
