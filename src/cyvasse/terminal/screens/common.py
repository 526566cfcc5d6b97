"""What the screens with a board share: their parts, and how these find room in any window."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from cyvasse.terminal.grid import SIZES, Grid
from cyvasse.terminal.screens.board import BoardFrame, BoardWidget
from cyvasse.terminal.screens.dialogs import Tell

if TYPE_CHECKING:
    from cyvasse.terminal.screens.app import PlayApp

_SIDE = 22
_WIDEST_SIDE = 38
_TALL = 30
_LOW = 12
_NARROW = 60


class BoardScreen(Screen[None]):
    """A title, the board, something beside or below it, a message and the keys."""

    HELP = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.quit", "Quit"),
        Binding("y", "app.other_theme", "Colours", show=False),
    ]

    def __init__(self, view: BoardWidget) -> None:
        super().__init__()
        self.view = view

    @property
    def game_app(self) -> PlayApp:
        """The application, which knows the table."""
        return self.app  # type: ignore[return-value]

    def compose(self) -> ComposeResult:
        yield Static("", id="title", markup=False)
        with Container(id="middle"):
            yield BoardFrame(self.view)
            with Vertical(id="side"):
                yield from self.compose_side()
        yield Static("", id="message", markup=False)
        yield Footer(show_command_palette=False)

    def compose_side(self) -> ComposeResult:
        """What stands beside the board."""
        yield from ()

    def on_mount(self) -> None:
        self.view.focus()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        board = Grid(self.view.board, self.view.squares, SIZES[1], self.view.bottom).width
        beside = width >= board + _SIDE
        below = not beside and height >= _TALL
        side = self.query_one("#side")
        side.styles.width = max(_SIDE, min(_WIDEST_SIDE, width - board)) if beside else "100%"
        self.set_class(beside, "beside")
        self.set_class(below, "below")
        self.set_class(height < _LOW, "low")
        self.set_class(width < _NARROW, "narrow")

    def say(self, text: str) -> None:
        """Tell the player something."""
        self.query_one("#message", Static).update(text, layout=False)

    def entitle(self, text: str) -> None:
        """Tell what the screen is about."""
        self.query_one("#title", Static).update(text, layout=False)

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(Tell("Keys", self.HELP))
