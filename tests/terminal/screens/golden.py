"""Screens of the terminal as text."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import goldens

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


# They need Textual, which the base install has not, so it is imported when they are shown.


async def shown(name: str, folder: Path) -> str:
    from .player import order, sitting

    rules, size, setup, keys = SCREENS[name]
    async with sitting(folder, order(rules, setup=setup, level=None), size=size) as player:
        await player.press(*keys)
        await player.pilot.pause()
        return "\n".join(player.lines()) + "\n"


async def curtain(folder: Path) -> str:
    from .player import order, sitting

    async with sitting(folder, order("croft", setup=None, level=None), size=(60, 16)) as player:
        await player.press("b")
        return "\n".join(player.lines()) + "\n"


async def start(folder: Path) -> str:
    from .player import sitting

    async with sitting(folder) as player:
        return "\n".join(player.lines()) + "\n"


def screens() -> Iterator[tuple[Path, str]]:
    """Every screen that is kept."""
    for name in (*SCREENS, "curtain", "start"):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            ways = {"curtain": curtain, "start": start}
            shows = ways[name](folder) if name in ways else shown(name, folder)
            yield GOLDEN / f"{name}.txt", asyncio.run(shows)


goldens.ours("screens", screens, "tests/terminal/screens/golden/*")
