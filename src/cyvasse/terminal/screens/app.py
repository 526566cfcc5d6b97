"""The application: one table, and the screen that belongs to its stage."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_sets
from cyvasse.rules.terms import Color, Setup
from cyvasse.terminal.keeping import Keeper, Kept, games_folder, kept_games
from cyvasse.terminal.orders import Order, wanted_setup
from cyvasse.terminal.screens.curtain import CurtainScreen
from cyvasse.terminal.screens.play import PlayScreen
from cyvasse.terminal.screens.setup import SetupScreen
from cyvasse.terminal.screens.start import StartScreen
from cyvasse.terminal.screens.themes import likely_theme, screen_colors, screen_themes
from cyvasse.terminal.table import Table


class PlayApp(App[None]):
    """``cyvasse play``."""

    CSS_PATH = "screens.tcss"
    TITLE = "Cyvasse"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True)
    ]

    def __init__(
        self,
        *,
        kept: Kept | None = None,
        order: Order | None = None,
        at_once: bool = False,
        theme_name: str | None = None,
        folder: Path | None = None,
        questions: bool = True,
    ) -> None:
        super().__init__()
        self.folder = folder or games_folder()
        self.questions = questions
        """Whether an action that gives something away is asked about."""
        self.table: Table | None = None
        self.keeper = Keeper(self.folder)
        self.trouble = ""
        """Why the game cannot be kept, if it cannot."""
        self._kept = kept
        self._order = order or Order(rule_sets()[0])
        self._at_once = at_once
        self._theme_name = theme_name or likely_theme()
        self._sitting: Color | None = Color.WHITE
        """Who is known to sit at a shared keyboard."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours beyond those that every theme has; wanted before the first theme is there."""
        return screen_colors("dark")

    def on_mount(self) -> None:
        for theme in screen_themes(self.console.color_system):
            self.register_theme(theme)
        self.theme = self._theme_name
        if self._kept is not None:
            self.go_on_with(self._kept)
        elif self._at_once:
            self.begin(self._order)
        else:
            self.start()

    # --- the stages of a game ---------------------------------------------------------------------

    def start(self) -> None:
        """Choose a game."""
        self.table = None
        self._show(StartScreen(self._order, kept_games(self.folder)))

    def begin(self, order: Order) -> None:
        """A new game."""
        self._order = order
        self.table = order.table()
        self.keeper = Keeper(self.folder)
        self._sitting = Color.WHITE
        if order.setup is not None:
            while (color := self.table.to_set_up()) is not None:
                self.keeper.submit(self.table, color, wanted_setup(self.table, color, order.setup))
            self.keep()
        self.advance()

    def go_on_with(self, kept: Kept) -> None:
        """A game that was kept, or a file; the player's own files are left as they are."""
        self.table = kept.table
        self.keeper = kept.keeper(self.folder)
        self._sitting = None
        self.advance()

    def advance(self) -> None:
        """Show what comes next: a curtain, a setup, or the board."""
        table = self.seated
        color = table.to_set_up()
        if color is None:
            self._show(PlayScreen(table))
        elif table.shared and self._sitting is not color:
            self._show(CurtainScreen(color, self._lift_curtain))
        else:
            self._show(SetupScreen(table, color))

    def submit(self, color: Color, setup: Setup) -> None:
        """A player is ready."""
        self.keeper.submit(self.seated, color, setup)
        self.keep()
        self.advance()

    def _lift_curtain(self) -> None:
        self._sitting = self.seated.to_set_up()
        self.advance()

    @property
    def seated(self) -> Table:
        """The table at which somebody sits."""
        assert self.table is not None
        return self.table

    def keep(self) -> None:
        """Write the game down.  If that cannot be the game goes on, and the screen says so."""
        try:
            self.keeper.keep(self.seated)
            self.trouble = ""
        except CyvasseError as error:
            self.trouble = f"The game is not being kept: {error}. Save it to a file of yours."

    def action_other_theme(self) -> None:
        """Dark or light."""
        self.theme = "light" if self.theme == "dark" else "dark"

    def _show(self, screen: Screen[None]) -> None:
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)
