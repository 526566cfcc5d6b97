"""The colours of the screens, from those of the pictures: for dark and for light terminals."""

from __future__ import annotations

import os
from collections.abc import Mapping

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


def screen_themes() -> list[Theme]:
    """The two themes, as Textual takes them."""
    return [_theme(name) for name in _PARTS]


def screen_colors(name: str) -> dict[str, str]:
    """What the style sheet needs beyond a theme's own parts."""
    return {part: THEMES[name][part] for part in ("curtain", "halo")}


def _theme(name: str) -> Theme:
    colors = {part: THEMES[name][color] for part, color in _PARTS[name].items()}
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
