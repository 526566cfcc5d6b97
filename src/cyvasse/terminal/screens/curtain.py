"""The curtain between two players at one keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.screen import Screen
from textual.widgets import Button, Static

from cyvasse.rules.terms import Color


class CurtainScreen(Screen[None]):
    """Covers everything until the next player sits at the keyboard."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", "Quit", show=False)]

    def __init__(self, color: Color, lift: Callable[[], None]) -> None:
        super().__init__()
        self.color = color
        self._lift = lift

    def compose(self) -> ComposeResult:
        name = self.color.title
        with Vertical(id="cloth"):
            yield Static(f"Hand over to {name}", classes="heading", markup=False)
            yield Static(
                f"{name} sets up next. The other side stays covered.", id="why", markup=False
            )
            with Center():
                yield Button(f"I am {name}", id="go")

    def on_mount(self) -> None:
        self.query_one("#go", Button).focus()

    def on_button_pressed(self) -> None:
        self._lift()
