"""The first screen: what to play, against whom, or which game to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from cyvasse.engine import LEVELS
from cyvasse.rules import rule_sets
from cyvasse.rules.terms import Color
from cyvasse.terminal.keeping import Kept
from cyvasse.terminal.orders import GOOD, Order

if TYPE_CHECKING:
    from cyvasse.terminal.screens.app import PlayApp

_COLORS = (None, Color.WHITE, Color.BLACK)


class Menu(OptionList):
    """A list in which left and right change the value of a line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.change(-1)", "Change", key_display="← →"),
        Binding("right", "screen.change(1)", "Change", show=False),
    ]


class StartScreen(Screen[None]):
    """A list of choices: left and right change one, Enter takes the next or begins."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", "Start"),
        Binding("y", "app.other_theme", "Colours", show=False),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, order: Order, kept: list[Kept]) -> None:
        super().__init__()
        self.order = order
        self.kept = kept

    @property
    def game_app(self) -> PlayApp:
        """The application, which begins the game."""
        return self.app  # type: ignore[return-value]

    def compose(self) -> ComposeResult:
        yield Static("Cyvasse", id="title", markup=False)
        options = [
            Option("Start", id="start"),
            Option("", id="rules"),
            Option("", id="opponent"),
            Option("", id="color"),
            Option("", id="setup"),
            *(
                Option(f"Go on: {each}", id=f"kept-{number}")
                for number, each in enumerate(self.kept)
            ),
            Option("Quit", id="quit"),
        ]
        yield Menu(*options, markup=False, id="menu")
        yield Static("", id="message", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        menu = self.query_one("#menu", OptionList)
        menu.highlighted = 0
        menu.focus()
        self._show_order()

    def _show_order(self) -> None:
        order = self.order
        menu = self.query_one("#menu", OptionList)
        opponent = (
            "a friend at this keyboard" if order.level is None else f"the bot, level {order.level}"
        )
        color = "both" if order.level is None else order.color.title if order.color else "by lot"
        lines = {
            "rules": f"Rules     < {order.rules.title} >",
            "opponent": f"Against   < {opponent} >",
            "color": f"You play  < {color} >",
            "setup": f"Setup     < {'a good one, at once' if order.setup else 'arrange it'} >",
        }
        for name, text in lines.items():
            menu.replace_option_prompt(name, text)
        self.query_one("#message", Static).update(f"{order.rules.summary} By {order.rules.author}.")

    def _chosen(self) -> str:
        menu = self.query_one("#menu", OptionList)
        if menu.highlighted is None:
            return ""
        return menu.get_option_at_index(menu.highlighted).id or ""

    def action_change(self, step: int) -> None:
        """The next or the one before of what is highlighted."""
        order, name = self.order, self._chosen()
        if name == "rules":
            sets = rule_sets()
            order.rules = sets[(sets.index(order.rules) + step) % len(sets)]
            order.setup = GOOD if order.setup else None
        elif name == "opponent":
            ways: list[int | None] = [*LEVELS, None]
            order.level = ways[(ways.index(order.level) + step) % len(ways)]
        elif name == "color" and order.level is not None:
            order.color = _COLORS[(_COLORS.index(order.color) + step) % len(_COLORS)]
        elif name == "setup":
            order.setup = None if order.setup else GOOD
        self._show_order()

    def action_start(self) -> None:
        """Begin the game."""
        self.game_app.begin(self.order)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        name = event.option.id or ""
        if name == "start":
            self.action_start()
        elif name == "quit":
            self.app.exit()
        elif name.startswith("kept-"):
            self.game_app.go_on_with(self.kept[int(name.removeprefix("kept-"))])
        else:
            self.action_change(1)
