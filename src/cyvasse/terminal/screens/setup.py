"""Arranging a setup on the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cyvasse.errors import CyvasseError
from cyvasse.notation import write_setup
from cyvasse.rules.terms import Color, Problem, Setup
from cyvasse.terminal import arrange
from cyvasse.terminal.bench import Bench, Item
from cyvasse.terminal.keeping import named_path, write_text
from cyvasse.terminal.looks import looks
from cyvasse.terminal.orders import setup_from_file
from cyvasse.terminal.screens.board import BoardWidget
from cyvasse.terminal.screens.common import BoardScreen
from cyvasse.terminal.screens.dialogs import Ask, Pick
from cyvasse.terminal.table import Table

_DIGITS = "1234567890"


class SetupScreen(BoardScreen):
    """One player's half, and what can be laid on it."""

    HELP = """\
arrows, mouse  move the cursor
Enter, Space   lift what lies there, or put down; two things change places
1 2 3 ...      take a thing in hand; Tab goes to the list of things
Delete         take off
g              pieces, ground or tiles: what is being arranged
t              turn the tile by 180 degrees
p, r, a        presets; a random setup; one of those that the bot plays
m, c           change left and right; clear the board
u              take the last change back
o, s           open a setup from a file; save this one
i              the list of things, where it does not fit beside the board
b              begin: the setup is finished
y              dark or light
q              quit; what is arranged so far is kept"""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "ready", "Begin"),
        Binding("p", "presets", "Presets"),
        Binding("r", "random", "Random"),
        Binding("g", "layer", "Layer"),
        Binding("u", "undo", "Undo"),
        Binding("a", "good", "Good one", show=False),
        Binding("m", "mirror", "Mirror", show=False),
        Binding("c", "clear", "Clear", show=False),
        Binding("t", "turn", "Turn the tile", show=False),
        Binding("o", "open", "Open", show=False),
        Binding("s", "save", "Save", show=False),
        Binding("i", "things", "Things", show=False),
        Binding("escape", "let_go", "Let go", show=False),
        *(Binding(digit, f"pick({i})", show=False) for i, digit in enumerate(_DIGITS)),
    ]

    def __init__(self, table: Table, color: Color) -> None:
        self.table = table
        self.color = color
        draft = table.drafts.get(color)
        self.bench = Bench(table.rules, color, draft or table.good_setup(color), self._changed)
        super().__init__(BoardWidget(table.rules.board, table.rules.home(color), color))

    def compose_side(self) -> ComposeResult:
        yield OptionList(id="tray", markup=False)
        with VerticalScroll(id="problems", can_focus=False):
            yield Static("", id="listed", markup=False)

    def on_mount(self) -> None:
        self._show()

    def _changed(self, setup: Setup) -> None:
        self.table.drafts[self.color] = setup
        self.game_app.keep()

    # --- showing ----------------------------------------------------------------------------------

    def _show(self, message: str | None = None) -> None:
        bench = self.bench
        problems = bench.problems()
        self.entitle(f"{self.color.title}'s setup: {self.table.rules.title} - {bench.layer}")
        self.view.show(looks(bench.seen(), self.color), self._signs(problems))
        tray = self.query_one("#tray", OptionList)
        highlighted = tray.highlighted
        tray.clear_options()
        tray.add_options(
            [Option(self._item(number, item)) for number, item in enumerate(bench.items())]
        )
        if highlighted is not None and tray.option_count:
            tray.highlighted = min(highlighted, tray.option_count - 1)
        listed = [str(problem) for problem in problems] or [
            "This setup can be played. Change what you like, or press b to begin.",
            bench.kit.about,
        ]
        self.query_one("#listed", Static).update("\n".join(listed))
        self.say(message or self._standing(problems))

    def _standing(self, problems: list[Problem]) -> str:
        bench = self.bench
        state = "can be played" if not problems else f"{len(problems)} to mend"
        hand = "" if bench.hand is None else f" - {bench.title_of(bench.hand)} in hand"
        if bench.lifted is not None:
            hand = f" - lifted from {bench.lifted}"
        trouble = f" {self.game_app.trouble}" if self.game_app.trouble else ""
        return f"{bench.describe(self.view.cursor)}{hand} ({state}){trouble}"

    def _item(self, number: int, item: Item) -> str:
        key = _DIGITS[number] if number < len(_DIGITS) else " "
        held = "*" if item.thing == self.bench.hand else " "
        left = "" if item.thing.kind == "layout" else f" {item.left}"
        chosen = " (chosen)" if item.thing.kind == "layout" and not item.left else ""
        return f"{key}{held}{item.symbol} {item.title}{left}{chosen}"

    def _signs(self, problems: list[Problem]) -> dict[str, frozenset[str]]:
        signs: dict[str, set[str]] = {}
        for problem in problems:
            for square in problem.squares:
                signs.setdefault(square, set()).add("wrong")
        for square in self._lifted():
            signs.setdefault(square, set()).add("chosen")
        return {square: frozenset(names) for square, names in signs.items()}

    def _lifted(self) -> tuple[str, ...]:
        bench = self.bench
        if bench.lifted is None:
            return ()
        slot = arrange.slot_at(bench.kit, bench.setup, bench.lifted)
        layout = arrange.layout_of(bench.kit, bench.setup)
        if bench.layer == "tiles" and slot is not None and layout is not None:
            return layout.slots[slot].squares
        return (bench.lifted,)

    # --- the board and the tray -------------------------------------------------------------------

    def on_board_widget_tapped(self, message: BoardWidget.Tapped) -> None:
        self.bench.tap(message.square)
        self._show()

    def on_board_widget_taken_off(self, message: BoardWidget.TakenOff) -> None:
        self.bench.take_off(message.square)
        self._show()

    def on_board_widget_pointed(self, message: BoardWidget.Pointed) -> None:
        self.say(self._standing(self.bench.problems()))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_pick(event.option_index)
        self.view.focus()

    def action_pick(self, number: int) -> None:
        """Take a thing from the tray in hand."""
        items = self.bench.items()
        if number < len(items):
            item = items[number]
            self.bench.pick(item.thing)
            nothing = self.bench.hand is None and item.thing.kind in ("piece", "mark")
            self._show(f"No {item.title} is left." if nothing and item.left < 1 else None)

    def action_things(self) -> None:
        """The tray as a list."""
        items = [self._item(number, item) for number, item in enumerate(self.bench.items())]
        self.app.push_screen(
            Pick(f"What to lay: {self.bench.layer}", items),
            lambda number: None if number is None else self.action_pick(number),
        )

    # --- other keys -------------------------------------------------------------------------------

    def action_layer(self) -> None:
        """Arrange something else."""
        self.bench.next_layer()
        self._show("Here only pieces are arranged." if len(self.bench.kit.layers) == 1 else None)

    def action_let_go(self) -> None:
        """Nothing in hand."""
        self.bench.let_go()
        self._show()

    def action_turn(self) -> None:
        """Turn the tile under the cursor."""
        found = self.bench.turn(self.view.cursor)
        self._show(None if found else "No tile lies here that could be turned.")

    def action_presets(self) -> None:
        """Choose a named setup."""
        named = self.table.rules.named_setups(self.color)

        def chosen(number: int | None) -> None:
            if number is not None:
                self.bench.let_go()
                self.bench.change(list(named.values())[number])
                self._show()

        self.app.push_screen(Pick("Presets", list(named)), chosen)

    def action_random(self) -> None:
        """Draw a setup."""
        self.bench.change(self.table.random_setup(self.color))
        self._show()

    def action_good(self) -> None:
        """Take one of the setups that the bot plays."""
        self.bench.change(self.table.good_setup(self.color))
        self._show()

    def action_mirror(self) -> None:
        """Change left and right."""
        self._show(None if self.bench.mirror() else "This half has no mirror.")

    def action_clear(self) -> None:
        """Take everything off."""
        self.bench.clear()
        self._show()

    def action_undo(self) -> None:
        """Take the last change back."""
        self._show(None if self.bench.undo() else "There is nothing to take back.")

    def action_open(self) -> None:
        """Take the setup in a file."""

        def named(name: str | None) -> None:
            if name is None:
                return
            try:
                path = named_path(name)
                self.bench.take(setup_from_file(self.table.rules, self.color, path))
                self._show()
            except CyvasseError as error:
                self._show(f"{error}.")

        self.app.push_screen(Ask("Open a setup: which file?"), named)

    def action_save(self) -> None:
        """Write the setup to a file."""

        def named(name: str | None) -> None:
            if name is None:
                return
            try:
                write_text(named_path(name), write_setup(self.bench.setup) + "\n")
                self._show(f"Saved in {name}.")
            except CyvasseError as error:
                self._show(f"{error}.")

        self.app.push_screen(Ask("Save this setup: in which file?"), named)

    def action_ready(self) -> None:
        """The setup is finished."""
        problems = self.bench.problems()
        if problems:
            self._show(f"Not yet: {problems[0]}")
        else:
            self.game_app.submit(self.color, self.bench.setup)
