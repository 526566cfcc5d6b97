"""The colours of the pictures: a stone board on a warm table, by day and by night.

Every piece stands out from every ground by 3:1 or more, by its body or by its outline, and so does
every motif from its ground; ``tests/draw/test_palette.py`` measures it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cyvasse.draw.drawings import reference
from cyvasse.errors import CyvasseError

Theme = Mapping[str, str]

THEMES: Mapping[str, Theme] = {
    "light": {
        # alabaster and onyx: body and outline of the pieces
        "white": "#f8f1e2",
        "white-line": "#2c2420",
        "black": "#25222b",
        "black-line": "#cdba90",
        # the slab around the board
        "frame": "#4b3728",
        "inlay": "#a98d5e",
        "text": "#e9d9b8",
        "grout": "#a8936f",
        # the grounds, each with the colour of its motif
        "stone-a": "#ece1cc",
        "stone-b": "#e0d2b9",
        "stone-c": "#d3c3a6",
        "carnelian": "#dc9472",
        "middle": "#e2a789",
        "water": "#3a64ac",
        "water-ink": "#c6d9f7",
        "forest": "#86b497",
        "forest-ink": "#1d5238",
        "grass": "#d2d8a8",
        "grass-b": "#c6cd9a",
        "grass-ink": "#5f6b2d",
        "grassland": "#dcd08c",
        "grassland-ink": "#6a5a14",
        "hill": "#dcb98a",
        "hill-ink": "#75491c",
        "mountain": "#7b7267",
        "mountain-ink": "#2d2722",
        "mountain-face": "#ddd6ca",
        "crag": "#9c5f49",
        "crag-ink": "#331710",
        "crag-face": "#ecc9b4",
        "fortress": "#e3d2b4",
        "fortress-ink": "#5c4733",
        # marks
        "mark": "#201a17",
        "halo": "#fff8e8",
        "word": "#2a221d",
        "word-halo": "#fffaf0",
        "gold": "#ffcf4d",
        "take": "#9b2113",
        "last": "#7a4a00",
        "arrow": "#a43a22",
        "curtain": "#2b4f95",
        "curtain-fold": "#23427f",
    },
    "dark": {
        "white": "#f4ecdc",
        "white-line": "#231d19",
        "black": "#1b1920",
        "black-line": "#d2bd8e",
        "frame": "#31241d",
        "inlay": "#7d6742",
        "text": "#bfae8d",
        "grout": "#423a32",
        "stone-a": "#867866",
        "stone-b": "#796c5b",
        "stone-c": "#6b5f50",
        "carnelian": "#94594a",
        "middle": "#8b5a4b",
        "water": "#23437f",
        "water-ink": "#a9c5f5",
        "forest": "#3d6851",
        "forest-ink": "#b2dcc3",
        "grass": "#6b7048",
        "grass-b": "#626740",
        "grass-ink": "#dbe2a6",
        "grassland": "#736a37",
        "grassland-ink": "#efe4a6",
        "hill": "#7d6043",
        "hill-ink": "#f0cfa2",
        "mountain": "#4a443d",
        "mountain-ink": "#15120f",
        "mountain-face": "#9f9689",
        "crag": "#61382b",
        "crag-ink": "#1c0c08",
        "crag-face": "#bd8d76",
        "fortress": "#6e5f4b",
        "fortress-ink": "#ecdab6",
        "mark": "#17130f",
        "halo": "#fff3d6",
        "word": "#fff3d6",
        "word-halo": "#17130f",
        "gold": "#ffcf4d",
        "take": "#9b2113",
        "last": "#ffd98a",
        "arrow": "#c4492b",
        "curtain": "#1f3a70",
        "curtain-fold": "#182f5e",
    },
}

# The colours of each ground; where there are several, neighbours take turns.
GROUNDS: Mapping[str, tuple[str, ...]] = {
    "open": ("stone-a", "stone-b", "stone-c"),
    "plain": ("carnelian",),
    "water": ("water",),
    "forest": ("forest",),
    "grass": ("grass", "grass-b"),
    "grassland": ("grassland",),
    "hill": ("hill",),
    "mountain": ("mountain",),
    "crag": ("crag",),
    "fortress": ("fortress",),
}
NOBODYS = "middle"
"""The colour of open ground that lies in neither half."""

BOTH = "both"
"""Stands for a picture that follows the reader's theme."""
_COLORED = re.compile(r'(fill|stroke|color)="(#[0-9a-f]{6})"')


def theme_named(name: str) -> Theme:
    """The theme of that name; a picture for both is drawn by day."""
    if not isinstance(name, str) or name not in (*THEMES, BOTH):
        raise CyvasseError(f"no theme {name!r:.40}; there are {', '.join(THEMES)} and {BOTH}")
    return THEMES["light" if name == BOTH else name]


def both_themes(drawn: str) -> str:
    """A drawing in the light theme, with rules that turn it dark for whoever reads at night.

    An address that ends in ``#cyvasse-light`` or ``#cyvasse-dark`` chooses the theme.  Programs
    that do not know the rules show the light theme.

    >>> drawn = both_themes('<path fill="#ece1cc"/>')
    >>> '[fill="#ece1cc"]{fill:light-dark(#ece1cc,#867866)}' in drawn
    True
    """
    night = {color: THEMES["dark"][name] for name, color in THEMES["light"].items()}
    rules = "svg{color-scheme:light dark}"
    views = ""
    for name in THEMES:
        rules += f"#{reference(name)}:target~*{{color-scheme:{name}}}"
        views += f'<view id="{reference(name)}"/>'
    for attribute, day in sorted(set(_COLORED.findall(drawn))):
        if night[day] != day:
            rules += f'[{attribute}="{day}"]{{{attribute}:light-dark({day},{night[day]})}}'
    return f"<style>{rules}</style>{views}{drawn}"
