"""Our own drawings of pieces and grounds: the SVG files beside this module, as symbols.

A drawing takes its colours from where it is used, so that one symbol serves both players and both
themes: bodies are filled with the inherited fill, rods drawn in the inherited stroke (the same
colour), outlines and engravings in ``currentColor``.  Each file can be looked at by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

# By the letter that a piece has in all rule sets, whatever its name there.
PIECES: Mapping[str, str] = {
    "K": "king",
    "R": "rabble",
    "S": "spears",
    "X": "crossbows",
    "L": "light_horse",
    "H": "heavy_horse",
    "E": "elephant",
    "C": "catapult",
    "T": "trebuchet",
    "D": "dragon",
    "W": "tower",
    # What only other people's rule sets have: a medallion with the letter.
    **{letter: f"letter_{letter.lower()}" for letter in "AGMP"},
}
KEEP = "keep"
MOTIFS = frozenset({"water", "forest", "grass", "grassland", "hill", "mountain", "crag"})
# Grounds whose usual motif would blur on small squares, and what they have there instead.
SMALL_MOTIFS: Mapping[str, str | None] = {
    "water": "water-small",
    "forest": "forest-small",
    "grass": None,
    "grassland": "grassland-small",
    "hill": "hill-small",
}
SIDE = 64
"""The side of the square in which everything is drawn."""

_INSIDE = re.compile(r"<svg[^>]*>\s*<title>[^<]*</title>(.*)</svg>", re.DOTALL)


def motif_of(ground: str, small: bool) -> str | None:
    """The drawing that tells a ground from the others, if it has one."""
    if ground not in MOTIFS:
        return None
    return SMALL_MOTIFS.get(ground, ground) if small else ground


@cache
def symbol(folder: str, name: str) -> str:
    """A drawing as a symbol for the head of a picture."""
    text = (files(__package__) / folder / f"{name}.svg").read_text(encoding="utf-8")
    inside = _INSIDE.search(text)
    if inside is None:
        raise RuntimeError(f"{folder}/{name}.svg is not an SVG file with a title")
    # What a piece is drawn with must not be cut off at the edge: its halo lies beyond.
    drawn = re.sub(r">\s+<", "><", inside[1].strip())
    box = f"0 0 {SIDE} {SIDE}"
    return f'<symbol id="{reference(name)}" viewBox="{box}" overflow="visible">{drawn}</symbol>'


def symbols(folder: str, names: Iterable[str]) -> list[str]:
    """Several drawings, each once, in an order that depends on their names alone."""
    return [symbol(folder, name) for name in sorted(set(names))]


def reference(name: str) -> str:
    """The id of a drawing, which must not be that of anything else on a page."""
    return f"cyvasse-{name}"
