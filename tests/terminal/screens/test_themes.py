"""The colours of the screens where the terminal has only 256."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem

from cyvasse.draw.palette import THEMES
from cyvasse.terminal.screens.themes import palette, screen_themes


@pytest.mark.parametrize("name", THEMES)
def test_the_nearest_of_256_colours_is_shown(name: str) -> None:
    """What Rich makes of a colour is what was chosen, and that is near to the one that is meant."""
    for part, chosen in palette(name, "256").items():
        meant = Color.parse(THEMES[name][part]).get_truecolor()
        shown = Color.parse(chosen).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
        assert max(abs(a - b) for a, b in zip(meant, shown, strict=True)) < 76, part
    assert palette(name) == palette(name, "truecolor") == THEMES[name]


def test_the_dark_frame_is_not_red() -> None:
    (dark,) = [theme for theme in screen_themes("256") if theme.name == "dark"]
    red, green, blue = Color.parse(dark.background or "").get_truecolor()
    assert max(red, green, blue) - min(red, green, blue) < 16


@pytest.mark.parametrize("name", THEMES)
def test_grounds_can_be_told_apart(name: str) -> None:
    chosen = palette(name, "256")
    grounds = ("forest", "grass", "water", "hill", "mountain")
    assert len({chosen[ground] for ground in grounds}) == len(grounds)
    red, green, blue = Color.parse(chosen["forest"]).get_truecolor()
    assert green > max(red, blue) + 16  # and not grey
