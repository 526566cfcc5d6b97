"""Screens as text, compared with files.

``python -m tests.terminal.screens.test_golden`` writes the files anew.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from cyvasse.draw.palette import THEMES
from cyvasse.terminal.keeping import Keeper
from cyvasse.terminal.screens.themes import screen_themes

from .player import order, sitting

GOLDEN = Path(__file__).parent / "golden"
# What is shown: rule set, window, setup, keys.
SCREENS: dict[str, tuple[str, tuple[int, int], str | None, tuple[str, ...]]] = {
    "nine-tile-setup": ("nine-tile", (80, 24), None, ("p", "down", "enter", "g")),
    "nine-tile-play": ("nine-tile", (80, 24), "eyrie", ("down", "right", "enter")),
    "mikelepage-play": ("mikelepage", (80, 24), "sunspear", ("down", "enter")),
    "croft-setup": ("croft", (80, 24), None, ("p", "enter", "c", "1")),
    "croft-narrow": ("croft", (40, 12), "pyke", ("down", "down", "enter")),
    "gameofcyvasse-large": ("gameofcyvasse", (120, 40), "braavos", ("down", "enter")),
    "gameofcyvasse-tiny": ("gameofcyvasse", (20, 8), "braavos", ("down", "enter")),
    "help": ("croft", (80, 24), "pyke", ("question_mark",)),
}


async def shown(name: str, folder: Path) -> str:
    rules, size, setup, keys = SCREENS[name]
    async with sitting(folder, order(rules, setup=setup, level=None), size=size) as player:
        await player.press(*keys)
        await player.pilot.pause()
        return "\n".join(player.lines()) + "\n"


async def curtain(folder: Path) -> str:
    async with sitting(folder, order("croft", setup=None, level=None), size=(60, 16)) as player:
        await player.press("b")
        return "\n".join(player.lines()) + "\n"


async def start(folder: Path) -> str:
    async with sitting(folder) as player:
        return "\n".join(player.lines()) + "\n"


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


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in SCREENS:
        with tempfile.TemporaryDirectory() as place:
            (GOLDEN / f"{each}.txt").write_text(asyncio.run(shown(each, Path(place))))
    for each, maker in {"curtain": curtain, "start": start}.items():
        with tempfile.TemporaryDirectory() as place:
            (GOLDEN / f"{each}.txt").write_text(asyncio.run(maker(Path(place))))
