"""Screens as text, compared with files; ``make goldens`` writes them anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cyvasse.draw.palette import THEMES
from cyvasse.terminal.keeping import Keeper
from cyvasse.terminal.screens.themes import screen_themes

from .golden import GOLDEN, SCREENS, curtain, shown, start
from .player import order, sitting


@pytest.mark.parametrize("name", SCREENS)
def test_screens(tmp_path: Path, name: str) -> None:
    assert asyncio.run(shown(name, tmp_path)) == (GOLDEN / f"{name}.txt").read_text()


def test_curtain(tmp_path: Path) -> None:
    assert asyncio.run(curtain(tmp_path)) == (GOLDEN / "curtain.txt").read_text()


def test_start(tmp_path: Path) -> None:
    assert asyncio.run(start(tmp_path)) == (GOLDEN / "start.txt").read_text()


@pytest.mark.parametrize("theme", THEMES)
def test_colours_are_those_of_the_pictures(tmp_path: Path, theme: str) -> None:
    colors = THEMES[theme]
    assert theme in [each.name for each in screen_themes()]

    async def run() -> None:
        async with sitting(tmp_path, order("croft", setup="pyke"), theme=theme) as player:
            grounds = {
                (segment.text, segment.style.bgcolor.name)
                for y in range(player.view.size.height)
                for segment in player.view.render_line(y)
                if segment.style is not None and segment.style.bgcolor is not None
            }
            assert {("K", colors["white"]), ("k", colors["black"])} <= grounds
            assert ("~", colors["water"]) in grounds

    asyncio.run(run())


def test_nothing_is_kept_before_anything_is_arranged(tmp_path: Path) -> None:
    table = order("croft", setup=None).table()
    Keeper(tmp_path).keep(table)
    assert list(tmp_path.iterdir()) == []
