"""The colours of the screens, from those of the pictures: for dark and for light terminals."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from functools import cache

from textual.theme import Theme

from cyvasse.draw.palette import THEMES

# Which colours of the pictures the parts of a screen have.
_PARTS: Mapping[str, Mapping[str, str]] = {
    "dark": {
        "primary": "inlay",
        "accent": "gold",
        "foreground": "white",
        "background": "frame",
        "surface": "black",
        "panel": "grout",
        "error": "arrow",
        "warning": "last",
    },
    "light": {
        "primary": "frame",
        "accent": "curtain",
        "foreground": "white-line",
        "background": "stone-a",
        "surface": "white",
        "panel": "stone-c",
        "error": "take",
        "warning": "last",
    },
}


def screen_themes(system: str | None = None) -> list[Theme]:
    """The two themes, as Textual takes them, for a terminal that knows such colours."""
    return [_theme(name, system) for name in _PARTS]


def screen_colors(name: str) -> dict[str, str]:
    """What the style sheet needs beyond a theme's own parts."""
    return {part: THEMES[name][part] for part in ("curtain", "halo")}


@cache
def palette(name: str, system: str | None = None) -> Mapping[str, str]:
    """The colours of the pictures; where there are only 256, the nearest of them.

    The terminal's own choice would round each of red, green and blue by itself, and dark brown
    become blood red.

    >>> palette("dark")["frame"], palette("dark", "256")["frame"]
    ('#31241d', '#262626')
    """
    colors = THEMES.get(name, THEMES["dark"])
    if system != "256":
        return colors
    return {part: _nearest(color) for part, color in colors.items()}


_STEPS = (0, 95, 135, 175, 215, 255)
_256 = [
    *((red, green, blue) for red in _STEPS for green in _STEPS for blue in _STEPS),
    *((8 + 10 * step,) * 3 for step in range(24)),
]
"""The colours that nearly all terminals share: a cube, and greys."""


def _nearest(color: str) -> str:
    """The one that looks most alike; by red, green and blue dark forests would become grey."""
    wanted = _looks(tuple(bytes.fromhex(color[1:])))
    found = min(_256, key=lambda one: math.dist(_looks(one), wanted))
    return f"#{bytes(found).hex()}"


@cache
def _looks(color: tuple[int, ...]) -> tuple[float, float, float]:
    """A colour of sRGB in CIELAB, where what looks alike is near."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in color)
    )
    x = _cubed((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _cubed(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _cubed((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cubed(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116


def _theme(name: str, system: str | None) -> Theme:
    known = palette(name, system)
    colors = {part: known[color] for part, color in _PARTS[name].items()}
    return Theme(
        name=name,
        dark=name == "dark",
        primary=colors["primary"],
        accent=colors["accent"],
        foreground=colors["foreground"],
        background=colors["background"],
        surface=colors["surface"],
        panel=colors["panel"],
        error=colors["error"],
        warning=colors["warning"],
        variables=screen_colors(name),
    )


def likely_theme(environment: Mapping[str, str] = os.environ) -> str:
    """``light`` where the terminal says that its ground is light, as some do.

    >>> likely_theme({"COLORFGBG": "0;15"})
    'light'
    """
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in ("7", "15") else "dark"
