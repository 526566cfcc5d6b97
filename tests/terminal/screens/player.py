"""Somebody who plays by pressing keys or by clicking, and reads the screen as text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot

import cyvasse
from cyvasse.terminal.choose import Choices, pointed
from cyvasse.terminal.keeping import Kept
from cyvasse.terminal.orders import Order
from cyvasse.terminal.screens.app import PlayApp
from cyvasse.terminal.screens.board import BoardWidget
from cyvasse.terminal.screens.common import BoardScreen
from cyvasse.terminal.screens.dialogs import Pick
from cyvasse.terminal.screens.play import PlayScreen
from cyvasse.terminal.screens.setup import SetupScreen

PATIENCE = 2000
QUIET_ROUNDS = 8
MOST_ROUNDS = 5000


class Player:
    """Hands and eyes."""

    def __init__(self, app: PlayApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    # --- eyes -------------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """The screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def sees(self, text: str) -> bool:
        """Whether it stands on the screen, lines joined."""
        return text in " ".join(" ".join(self.lines()).split())

    @property
    def playing(self) -> PlayScreen:
        assert isinstance(self.app.screen, PlayScreen), self.app.screen
        return self.app.screen

    @property
    def setting_up(self) -> SetupScreen:
        assert isinstance(self.app.screen, SetupScreen), self.app.screen
        return self.app.screen

    @property
    def view(self) -> BoardWidget:
        assert isinstance(self.app.screen, BoardScreen)
        return self.app.screen.view

    @property
    def game(self) -> cyvasse.Game:
        return self.app.seated.game

    # --- hands ------------------------------------------------------------------------------------

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        names = {" ": "space", "-": "minus", "/": "slash", ".": "full_stop", "~": "tilde"}
        await self.press(*(names.get(character, character) for character in text), "enter")

    async def go(self, square: str) -> None:
        """Move the cursor with the arrow keys."""
        for _ in range(60):
            if self.view.cursor == square:
                return
            await self.press(self._way(square))
        raise AssertionError(f"the cursor never reached {square}: {self.view.cursor}")

    def _way(self, square: str) -> str:
        rows = self.view.grid.rows
        here, there = (
            next(i for i, row in enumerate(rows) if at in row) for at in (self.view.cursor, square)
        )
        if here != there:
            return "down" if here < there else "up"
        row = rows[here]
        return "right" if row.index(self.view.cursor) < row.index(square) else "left"

    async def tap(self, square: str, mouse: bool = False) -> None:
        """Choose a square."""
        if mouse:
            x, y = self.view.grid.place(square)
            await self.pilot.click(BoardWidget, offset=(x, y))
            await self.pilot.pause()
        else:
            await self.go(square)
            await self.press("enter")

    async def act(self, action: cyvasse.Action, mouse: bool = False) -> None:
        """Do a legal action as a person would."""
        screen, before = self.playing, self.game.ply
        choices = Choices.of(self.game.position)
        meanings: list[cyvasse.Action]
        if action in choices.others:
            meanings = choices.others
            await self.press("e")
        else:
            source = next((at for at, acts in choices.sources.items() if action in acts), None)
            square = pointed(action)
            assert square is not None
            if source is not None and source.startswith("@"):
                await self.press(str(choices.reserve().index(source) + 1))
            elif source is not None:
                await self.tap(source, mouse)
            assert screen.chosen == source
            meanings = choices.meanings(source, square)
            await self.tap(square, mouse)
        if len(meanings) > 1:
            assert isinstance(self.app.screen, Pick)
            await self.press(*["down"] * meanings.index(action), "enter")
        assert self.game.actions[before] == action

    async def wait_for_bot(self) -> None:
        for _ in range(PATIENCE):
            if self.app.seated.bot_to_act is None:
                break
            await asyncio.sleep(0.005)
        assert self.app.seated.bot_to_act is None
        await self.pilot.pause()

    async def wait_until(self, text: str) -> None:
        """Until something can be read on the screen."""
        for _ in range(PATIENCE):
            if self.sees(text):
                return
            await self.pilot.pause(0.005)
        raise AssertionError("\n".join([f"{text!r} does not appear:", *self.lines()]))


@asynccontextmanager
async def sitting(
    folder: Path,
    order: Order | None = None,
    *,
    kept: Kept | None = None,
    size: tuple[int, int] = (80, 24),
    theme: str = "dark",
    at_once: bool = True,
    questions: bool = False,
) -> AsyncIterator[Player]:
    """A player before the application; ``at_once`` leaves out the first screen."""
    app = PlayApp(
        kept=kept,
        order=order,
        at_once=at_once and order is not None,
        theme_name=theme,
        folder=folder,
        questions=questions,
    )

    async def settled(*_: float) -> None:
        """Until nobody has anything left to do; Textual itself waits for the processor to rest."""
        quiet = 0
        for _round in range(MOST_ROUNDS):
            await asyncio.sleep(0)
            pumps = (app, *app.screen.walk_children(with_self=True))
            quiet = 0 if any(pump.message_queue_size for pump in pumps) else quiet + 1
            if quiet == QUIET_ROUNDS:
                break

    with patch("textual.app.wait_for_idle", settled), patch("textual.pilot.wait_for_idle", settled):
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Player(app, pilot)


def order(rules: str, **words: Any) -> Order:
    """A game with everything fixed that could be left to chance."""
    usual: dict[str, Any] = {
        "level": 1,
        "color": cyvasse.WHITE,
        "first": cyvasse.WHITE,
        "seed": 1,
        "setup": "good",
    }
    return Order(cyvasse.rule_set(rules), **{**usual, **words})
