"""The board on the screen: draws squares, moves a cursor, tells which square was pointed at."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from cyvasse.boards import Board
from cyvasse.rules.terms import Color
from cyvasse.terminal.grid import SIZES, Grid, fitting
from cyvasse.terminal.looks import Span, SquareLook, cell, shade
from cyvasse.terminal.screens.themes import palette

_NOTHING: frozenset[str] = frozenset()


class BoardWidget(Widget, can_focus=True):
    """Some squares of a board.  It contains no rules: looks and signs in, squares out."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(0, -1)", "Up", show=False),
        Binding("down", "step(0, 1)", "Down", show=False),
        Binding("left", "step(-1, 0)", "Left", show=False),
        Binding("right", "step(1, 0)", "Right", show=False),
        Binding("enter,space", "tap", "Choose", show=False),
        Binding("delete,backspace", "take_off", "Take off", show=False),
    ]

    class Tapped(Message):
        """A square was chosen."""

        def __init__(self, square: str) -> None:
            super().__init__()
            self.square = square

    class TakenOff(Tapped):
        """What lies on a square shall go."""

    class Pointed(Tapped):
        """The cursor stands on another square."""

    def __init__(self, board: Board, squares: Collection[str], bottom: Color) -> None:
        super().__init__()
        self.board = board
        self.squares = tuple(squares)
        self.bottom = bottom
        self.grid = Grid(board, self.squares, SIZES[0], bottom)
        middle = self.grid.rows[len(self.grid.rows) // 2]
        self.cursor = middle[len(middle) // 2]
        self._column = self.grid.place(self.cursor)[0]
        self._room = (0, 0)
        self._looks: Mapping[str, SquareLook] = {}
        self._signs: Mapping[str, frozenset[str]] = {}

    def show(self, looks: Mapping[str, SquareLook], signs: Mapping[str, frozenset[str]]) -> None:
        """Draw these squares, with these signs."""
        self._looks = looks
        self._signs = signs
        self.refresh()

    def fit(self, width: int, height: int) -> None:
        """Draw as large as the room allows."""
        self._room = (width, height)
        self.grid = fitting(self.board, self.squares, self.bottom, width, height)
        self._column = self.grid.place(self.cursor)[0]
        self.styles.width = self.grid.width
        self.styles.height = self.grid.height
        self.refresh(layout=True)
        self.call_after_refresh(self.reveal)

    def turn(self) -> None:
        """Let the other player sit at the lower edge."""
        self.bottom = self.bottom.other
        self.fit(*self._room)

    def point(self, square: str) -> None:
        """Put the cursor on a square."""
        if square not in self.grid or square == self.cursor:
            return
        self.cursor = square
        self._column = self.grid.place(square)[0]
        self._moved()

    def reveal(self) -> None:
        """Scroll so that the cursor can be seen."""
        if isinstance(self.parent, Widget):
            x, y = self.grid.place(self.cursor)
            self.parent.scroll_to_region(Region(x, y, *self.grid.size), animate=False, force=True)

    def _moved(self) -> None:
        self.refresh()
        self.reveal()
        self.post_message(self.Pointed(self.cursor))

    # --- keys and mouse ---------------------------------------------------------------------------

    def action_step(self, across: int, down: int) -> None:
        """Move the cursor."""
        square = self.grid.step(self.cursor, across, down, self._column)
        if across:
            self._column = self.grid.place(square)[0]
        if square != self.cursor:
            self.cursor = square
            self._moved()

    def action_tap(self) -> None:
        """Choose the square under the cursor."""
        self.post_message(self.Tapped(self.cursor))

    def action_take_off(self) -> None:
        """Clear the square under the cursor."""
        self.post_message(self.TakenOff(self.cursor))

    def on_click(self, event: events.Click) -> None:
        square = self.grid.at(event.x, event.y)
        if square is not None:
            self.point(square)
            self.post_message(self.Tapped(square))

    # --- drawing ----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        pieces: list[tuple[int, list[Segment], int]] = []
        for x, line, text in self.grid.labels:
            if line == y:
                pieces.append((x, [Segment(text, base)], len(text)))
        number = y // self.grid.size.height
        if 0 <= number < len(self.grid.rows):
            for square in self.grid.rows[number]:
                x, top = self.grid.place(square)
                pieces.append((x, self._cell(square, y - top), self.grid.size.width))
        segments: list[Segment] = []
        at = 0
        for x, drawn, width in sorted(pieces, key=lambda piece: piece[0]):
            segments.append(Segment(" " * (x - at), base))
            segments.extend(drawn)
            at = x + width
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _cell(self, square: str, line: int) -> list[Segment]:
        look = self._looks.get(square)
        if look is None:
            return [Segment(" " * self.grid.size.width, self.rich_style)]
        signs = self._signs.get(square, _NOTHING)
        if square == self.cursor:
            signs |= {"cursor"}
        spans = cell(look, signs, self.grid.size, square)[line]
        system = self.app.console.color_system
        return [_segment(self.app.theme, system, span) for span in spans if span.text]


class BoardFrame(ScrollableContainer, can_focus=False):
    """The room for a board; it scrolls where even the smallest squares do not fit."""

    def __init__(self, view: BoardWidget) -> None:
        super().__init__(view)
        self._view = view

    def on_resize(self) -> None:
        size = self.outer_size
        self._view.fit(size.width, size.height)


@lru_cache(maxsize=4096)
def _segment(theme_name: str, system: str | None, span: Span) -> Segment:
    theme = palette(theme_name, system)
    style = Style(
        color=shade(theme, span.ink), bgcolor=shade(theme, span.ground), bold=span.bold or None
    )
    return Segment(span.text, style)
