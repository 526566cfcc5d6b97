"""Nothing may be hard to see: contrasts after WCAG 2."""

from __future__ import annotations

import pytest

from cyvasse.draw.palette import GROUNDS, NOBODYS, THEMES, Theme
from cyvasse.rules import scene

COLORS = [*(color for colors in GROUNDS.values() for color in colors), NOBODYS]


def luminance(color: str) -> float:
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme: Theme, one: str, other: str) -> float:
    low, high = sorted(luminance(theme[name]) for name in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_pieces_stand_out_from_every_ground(name: str) -> None:
    theme = THEMES[name]
    for ground in [*COLORS, "frame"]:
        for stone in ("white", "black"):
            best = max(contrast(theme, part, ground) for part in (stone, f"{stone}-line"))
            assert best >= 3, (stone, ground)


@pytest.mark.parametrize("name", THEMES)
def test_motifs_stand_out_from_their_grounds(name: str) -> None:
    theme = THEMES[name]
    for grounds in GROUNDS.values():
        ink = f"{grounds[0]}-face" if f"{grounds[0]}-face" in theme else f"{grounds[0]}-ink"
        for ground in grounds:
            assert ink not in theme or contrast(theme, ink, ground) >= 3, ground


@pytest.mark.parametrize("name", THEMES)
def test_texts_and_marks_can_be_read(name: str) -> None:
    theme = THEMES[name]
    assert contrast(theme, "text", "frame") >= 4.5
    for mark in ("take", "mark", "arrow"):
        assert contrast(theme, mark, "halo") >= 3
    assert contrast(theme, "word", "word-halo") >= 7
    assert contrast(theme, "mark", "halo") >= 7
    for ground in GROUNDS["open"]:
        assert contrast(theme, "last", ground) >= 3


def test_each_colour_by_day_has_one_by_night() -> None:
    # A picture for both themes is turned colour by colour.
    pairs = {(color, THEMES["dark"][name]) for name, color in THEMES["light"].items()}
    assert len({day for day, _ in pairs}) == len(pairs)


def test_both_themes_have_the_same_colours() -> None:
    assert set(THEMES["light"]) == set(THEMES["dark"])
    assert {color for color in COLORS if color not in THEMES["light"]} == set()


def test_every_look_of_a_ground_has_its_colours() -> None:
    """Rule sets of other packages choose from this list."""
    assert set(GROUNDS) == set(scene.GROUNDS)
