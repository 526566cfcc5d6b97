"""Setups on the screen, the curtain, and the first screen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import cyvasse
from cyvasse.terminal import arrange
from cyvasse.terminal.keeping import kept_games
from cyvasse.terminal.screens.curtain import CurtainScreen
from cyvasse.terminal.screens.play import PlayScreen
from cyvasse.terminal.screens.setup import SetupScreen
from cyvasse.terminal.screens.start import StartScreen
from tests.tiers import one_of

from .player import Player, order, sitting

IDS = [rules.id for rules in cyvasse.rule_sets()]


async def build(player: Player, wanted: cyvasse.Setup) -> None:
    """Lay a whole setup by hand: tiles, grounds, marks and pieces."""
    screen = player.setting_up
    bench, kit = screen.bench, screen.bench.kit
    await player.press("c")
    assert bench.setup == arrange.empty(kit)
    for layer in (*kit.layers[1:], kit.layers[0]):
        while bench.layer != layer:
            await player.press("g")
        if layer == "tiles":
            assert kit.slots is not None
            layouts = list(kit.slots.layouts)
            number = len(kit.slots.tiles) + layouts.index(wanted.fields[kit.slots.choice])
            await pick(player, number)
            layout = arrange.layout_of(kit, bench.setup)
            assert layout is not None
            for slot, lies in layout.slots.items():
                tile = arrange.tile_in(kit, wanted, slot)
                assert tile is not None
                await pick(player, list(kit.slots.tiles).index(tile[0]))
                await player.tap(lies.squares[0])
                if tile.endswith(kit.slots.turned):
                    await player.press("t")
        elif layer == "ground":
            for number, brush in enumerate(kit.brushes):
                await pick(player, number)
                for square in sorted(kit.home):
                    if (
                        arrange.ground_at(kit, wanted, square)
                        == brush.ground
                        != kit.rules.ground(square)
                    ):
                        await player.tap(square, mouse=True)
                await player.press("escape")
        else:
            for number, item in enumerate(bench.items()):
                for square in sorted(kit.home):
                    if arrange.thing_at(kit, wanted, square) == item.thing:
                        if bench.hand != item.thing:
                            await pick(player, number)
                        await player.tap(square, mouse=True)
    assert bench.setup == wanted


async def pick(player: Player, number: int) -> None:
    """By its digit, or from the list."""
    if number < 10:
        await player.press("1234567890"[number])
    else:
        await player.press("i", *["down"] * number, "enter")


@pytest.mark.parametrize("rules", IDS)
def test_a_setup_built_by_hand(tmp_path: Path, rules: str) -> None:
    async def run() -> None:
        async with sitting(tmp_path, order(rules, setup=None)) as player:
            wanted = list(player.app.seated.rules.named_setups("white").values())[1]
            await build(player, wanted)
            await player.press("b")
            assert isinstance(player.app.screen, PlayScreen)
            assert player.game.setup("white") == wanted

    asyncio.run(run())


@pytest.mark.parametrize("rules", IDS)
def test_presets_random_mirror_undo_and_problems(tmp_path: Path, rules: str) -> None:
    async def run() -> None:
        async with sitting(tmp_path, order(rules, setup=None)) as player:
            screen = player.setting_up
            named = list(player.app.seated.rules.named_setups("white").values())
            await player.press("p", "down", "enter")
            assert screen.bench.setup == named[1]
            await player.press("m", "m")
            assert screen.bench.setup == named[1]
            await player.press("r")
            assert screen.bench.setup != named[1]
            assert not screen.bench.problems()
            await player.press("u")
            assert screen.bench.setup == named[1]
            start = next(iter(screen.bench.setup.pieces))
            await player.tap(start)
            assert screen.bench.lifted == start
            await player.press("escape")
            await player.go(start)
            await player.press("delete")
            assert start not in screen.bench.setup.pieces
            await player.press("c", "b")
            assert player.sees("Not yet: ")
            assert isinstance(player.app.screen, SetupScreen)

    asyncio.run(run())


def test_files_of_setups(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"

    async def run() -> None:
        async with sitting(tmp_path / "games", order("croft", setup=None)) as player:
            before = player.setting_up.bench.setup
            await player.press("s")
            await player.type(str(file))
            assert cyvasse.parse_setup(file.read_text()) == before
            await player.press("c", "o")
            await player.type(str(file))
            assert player.setting_up.bench.setup == before
            for wrong in ("nothing", "truncated", "other"):
                (tmp_path / "truncated").write_text(file.read_text()[:30])
                (tmp_path / "other").write_text(
                    cyvasse.write_setup(cyvasse.rule_set("nine-tile").random_setup("white", 1))
                )
                await player.press("o")
                await player.type(str(tmp_path / wrong))
                await player.wait_until(wrong)
                assert player.setting_up.bench.setup == before

    asyncio.run(run())


def test_the_curtain(tmp_path: Path) -> None:
    async def run() -> None:
        words = {"setup": None, "level": None}
        async with sitting(tmp_path, order("gameofcyvasse", **words)) as player:
            secret = player.setting_up.bench.setup
            await player.press("r")
            secret = player.setting_up.bench.setup
            await player.press("b")
            assert isinstance(player.app.screen, CurtainScreen)
            shown = "\n".join(player.lines())
            assert "Hand over to Black" in shown
            assert not any(at in shown for at in secret.pieces)
            for key in ("a", "escape", "u", "p", "up", "x", "i", "tab"):
                await player.press(key)
                assert isinstance(player.app.screen, CurtainScreen)
            (kept,) = tmp_path.iterdir()
            assert cyvasse.write_setup(secret) not in kept.read_text()
            assert "Setup" not in kept.read_text()
            await player.press("enter")
            assert player.setting_up.color is cyvasse.BLACK
            assert player.setting_up.bench.setup.color is cyvasse.BLACK
            assert set(player.view.squares) == set(player.game.rules.home(cyvasse.BLACK))
            await player.press("r", "q")
        assert "WhiteSealed" in kept.read_text()
        assert "BlackDraft" in kept.read_text()

        async with sitting(tmp_path, kept=kept_games(tmp_path)[0]) as player:
            assert isinstance(player.app.screen, CurtainScreen)
            assert player.app.screen.color is cyvasse.BLACK
            await player.pilot.click("#go")
            await player.press("b")
            assert isinstance(player.app.screen, PlayScreen)
            assert player.game.setup("white") == secret
        assert "Sealed" not in kept.read_text()

    asyncio.run(run())


def test_a_draft_is_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with sitting(tmp_path, order("croft", setup=None)) as player:
            await player.press("r", "c", "1")
            await player.tap("e2")
            draft = player.setting_up.bench.setup
            await player.press("q")
        async with sitting(tmp_path, kept=kept_games(tmp_path)[0]) as player:
            assert player.setting_up.bench.setup == draft

    asyncio.run(run())


def test_the_first_screen(tmp_path: Path) -> None:
    async def run() -> None:
        async with sitting(tmp_path) as player:
            assert isinstance(player.app.screen, StartScreen)
            await player.press("down", "right")
            assert player.sees("< Mikelepage's Cyvasse >")
            await player.press("down", "left", "left")
            assert player.sees("< the bot, level 1 >")
            await player.press("left")
            assert player.sees("< a friend at this keyboard >")
            await player.press("right", "down", "right", "right")
            assert player.sees("< Black >")
            await player.press("down", "enter", "s")
            assert isinstance(player.app.screen, PlayScreen)
            assert player.app.seated.rules.id == "mikelepage"
            assert player.app.seated.bots == {cyvasse.WHITE: 1}
            await player.wait_for_bot()

    asyncio.run(run())


SIZES = [(80, 24), (40, 12), (20, 8), (200, 60), (50, 40), (1, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("rules", one_of(IDS, "nine-tile"))
def test_every_window(tmp_path: Path, rules: str, size: tuple[int, int]) -> None:
    """No line is wider than the window, and the cursor can always be seen."""

    async def run() -> None:
        async with sitting(tmp_path, order(rules, setup=None, level=None), size=size) as player:
            for keys in (("up",), ("p", "escape"), ("b",), ("enter",), ("b",), ("down", "left")):
                await player.press(*keys)
                lines = player.lines()
                assert len(lines) <= size[1]
                assert max(len(line) for line in lines) <= size[0]
            assert isinstance(player.app.screen, PlayScreen)
            for key in ["up"] * 12 + ["left"] * 12 + ["down"] * 12 + ["right"] * 12:
                await player.press(key)
            await player.pilot.pause()
            if size[1] >= 8:
                assert any("]" in line for line in player.lines()), player.lines()

    asyncio.run(run())
