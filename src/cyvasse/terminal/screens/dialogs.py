"""Small windows over a screen: choose one of several, type a line, read a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

_CLOSE: list[BindingType] = [Binding("escape", "close", "Close", show=False)]


class Pick(ModalScreen[int | None]):
    """Choose one of several; the answer is its number, or None."""

    BINDINGS: ClassVar[list[BindingType]] = _CLOSE

    def __init__(self, title: str, options: Sequence[str]) -> None:
        super().__init__()
        self._heading = title
        self._options = options

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._heading, classes="heading", markup=False)
            yield OptionList(*self._options, markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index)

    def action_close(self) -> None:
        self.dismiss(None)


class Ask(ModalScreen[str | None]):
    """Type a line; the answer is the line, or None."""

    BINDINGS: ClassVar[list[BindingType]] = _CLOSE

    def __init__(self, title: str, value: str = "") -> None:
        super().__init__()
        self._heading = title
        self._value = value

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._heading, classes="heading", markup=False)
            yield Input(self._value, max_length=1000)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip() or None)

    def action_close(self) -> None:
        self.dismiss(None)


class Tell(ModalScreen[None]):
    """Read a text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *_CLOSE,
        Binding("enter,space", "close", "Close", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._heading = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._heading, classes="heading", markup=False)
            with VerticalScroll():
                yield Static(self._text, markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        self.dismiss(None)
