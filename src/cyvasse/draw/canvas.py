"""What every layer of a picture needs to know, and the few words of SVG they are written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from cyvasse.boards import Point
from cyvasse.draw.drawings import PIECES, SIDE, reference
from cyvasse.draw.geometry import Layout, number
from cyvasse.draw.palette import Theme
from cyvasse.errors import CyvasseError
from cyvasse.rules.scene import SceneFeature, Seen
from cyvasse.rules.terms import Color, Piece

SMALL = 30.0
"""A square drawn less wide than this, in pixels, is drawn with fewer and bolder lines."""


def rim(small: bool, coordinates: bool) -> float:
    """How far the frame of a picture reaches beyond the squares."""
    if not coordinates:
        return 10.0
    return 36.0 if small else 28.0


@dataclass(frozen=True)
class Canvas:
    """A scene, where its squares lie, and how it is to look."""

    seen: Seen
    layout: Layout
    theme: Theme
    rim: float
    """How far the frame reaches beyond the squares."""
    small: bool = False
    coordinates: bool = True

    @property
    def piece_size(self) -> float:
        size = 51.0 if self.layout.hexagonal else 54.0
        return size * 1.1 if self.small else size

    @property
    def outline(self) -> float:
        """How thick the outline of a piece is, measured in its own drawing."""
        return 3.2 if self.small else 2.4

    def drawing(self, piece_type: str) -> str:
        """The name of the drawing of a piece."""
        return PIECES[self.seen.rules.piece_type(piece_type).letter]

    def stone(self, color: Color) -> dict[str, str]:
        """What gives a drawing the colours of a player."""
        body = self.theme[str(color)]
        return {"fill": body, "stroke": body, "color": self.theme[f"{color}-line"]}

    @property
    def men(self) -> dict[str, Piece]:
        """The pieces that are shown."""
        shown = set(self.layout.shown)
        return {at: man for at, man in self.seen.pieces.items() if at in shown}

    @property
    def features(self) -> list[SceneFeature]:
        """What else there is to see on the part that is shown."""
        shown = set(self.layout.shown)
        return [each for each in self.seen.features if not shown.isdisjoint(each.squares)]

    def check(self, square: str) -> None:
        """Refuse a square that is not on the board or not on the part that is shown."""
        self.layout.board.index(square)
        if square not in self.layout.shown:
            first, last = self.layout.shown[0], self.layout.shown[-1]
            raise CyvasseError(f"{square} is not shown: the picture ends at {first} and {last}")

    def drawings(self, name: str, squares: Iterable[str], size: float = SIDE) -> str:
        """A drawing in the middle of some squares."""
        return "".join(drawing(name, self.layout.centres[at], size) for at in squares)


def use(name: str, at: Point) -> str:
    """Something that is defined elsewhere, around a point."""
    return f'<use href="#{reference(name)}" x="{number(at[0])}" y="{number(at[1])}"/>'


def drawing(name: str, centre: Point, size: float) -> str:
    """A drawing around a point."""
    x, y = centre[0] - size / 2, centre[1] - size / 2
    side = number(size)
    return (
        f'<use href="#{reference(name)}" x="{number(x)}" y="{number(y)}" '
        f'width="{side}" height="{side}"/>'
    )


def attributes(values: Mapping[str, object]) -> str:
    """Attributes of an element, in the order given; numbers are shortened."""
    return "".join(
        f" {name}={quoteattr(number(value) if isinstance(value, float) else str(value))}"
        for name, value in values.items()
    )


def group(inside: str, **values: object) -> str:
    """Some elements with attributes in common; nothing for nothing.

    >>> group("<path/>", fill="none", stroke_width=2.0)
    '<g fill="none" stroke-width="2"><path/></g>'
    """
    if not inside:
        return ""
    named = {name.replace("_", "-"): value for name, value in values.items()}
    return f"<g{attributes(named)}>{inside}</g>"


def placed(at: Point, drawn: str) -> str:
    """Something that was drawn around the origin, around a point instead."""
    return f'<g transform="translate({number(at[0])} {number(at[1])})">{drawn}</g>'


def stroke(d: str, color: str, width: float, **values: object) -> str:
    """A line along a path."""
    named = {name.replace("_", "-"): value for name, value in values.items()}
    common = {"d": d, "fill": "none", "stroke": color, "stroke-width": width}
    return f"<path{attributes({**common, **named})}/>"
