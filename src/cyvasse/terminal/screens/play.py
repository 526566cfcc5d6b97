"""The board in play."""

from __future__ import annotations

import contextlib
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cyvasse.actions import Action
from cyvasse.engine import Engine
from cyvasse.errors import CyvasseError
from cyvasse.explain import why
from cyvasse.game import Game
from cyvasse.rules.base import Position
from cyvasse.rules.terms import Color
from cyvasse.terminal.choose import (
    RESERVE,
    Choices,
    in_plain_words,
    reserve_piece,
    source_title,
)
from cyvasse.terminal.keeping import named_path
from cyvasse.terminal.looks import feature_words, looks, store_words
from cyvasse.terminal.screens.board import BoardWidget
from cyvasse.terminal.screens.common import BoardScreen
from cyvasse.terminal.screens.dialogs import Ask, Pick, Tell
from cyvasse.terminal.table import NO_HINTS, Table, accepts_draw, hint, where_to_look
from cyvasse.terminal.thinking import Thought

_DIGITS = "123456789"


class Answered(Message):
    """The engine has an answer."""

    def __init__(self, asked: object, answer: Any) -> None:
        super().__init__()
        self.asked = asked
        self.answer = answer


class PlayScreen(BoardScreen):
    """A game after the screen is lifted."""

    HELP = """\
arrows, mouse  move the cursor
Enter, Space   choose a piece, then where it acts: ( ) take, < > shoot
1 2 3 ...      choose a piece beside the board; Tab: their list
e              end the turn, pass, or choose what a piece becomes
a              type an action, such as e4-e5
u              take back the last turn, also an unfinished one
h              hint: which piece; once more: what to play
i              everything beside the board: pieces, turns
f              turn the board
s              save the game to a file; it is kept by itself too
d, x           offer a draw; resign
n              another game; this one is kept
Escape         let go; or hurry the bot while it thinks
y              dark or light
q              quit; the game is kept

[K] cursor   {K} chosen   |K| last turn   !K! in danger   ?K? hint
Upper-case letters are White's pieces, lower-case ones Black's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "end_turn", "End turn"),
        Binding("u", "undo", "Undo"),
        Binding("h", "hint", "Hint"),
        Binding("s", "save", "Save"),
        Binding("i", "info", "Info"),
        Binding("a", "type", "Type", show=False),
        Binding("f", "flip", "Flip", show=False),
        Binding("d", "draw", "Draw", show=False),
        Binding("x", "resign", "Resign", show=False),
        Binding("n", "new", "New", show=False),
        Binding("escape", "let_go", "Let go", show=False),
        *(Binding(digit, f"reserve({i})", show=False) for i, digit in enumerate(_DIGITS)),
    ]

    def __init__(self, table: Table) -> None:
        self.table = table
        self.position: Position = table.game.position
        self.choices = Choices()
        self.chosen: str | None = None
        self.advice: tuple[Action, str] | None = None
        self.hinted: Action | None = None
        self.thought: Thought[Any] | None = None
        self._asked: object = None
        self.save_name = ""
        bottom = Color.WHITE if table.shared else table.persons[0]
        super().__init__(BoardWidget(table.rules.board, table.rules.board.squares, bottom))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.table.game

    def compose_side(self) -> ComposeResult:
        yield Static("", id="card", markup=False)
        yield OptionList(id="reserve", markup=False)
        with VerticalScroll(id="turns", can_focus=False):
            yield Static("", id="listed", markup=False)

    def on_mount(self) -> None:
        self._renew()

    def on_unmount(self) -> None:
        self._drop()

    # --- showing ----------------------------------------------------------------------------------

    def _renew(self, message: str | None = None) -> None:
        """Something was played or taken back."""
        self.position = self.game.position
        self.choices = Choices.of(self.position, self.game.legal_actions())
        self.chosen = self.hinted = self.advice = None
        if self.table.bot_gives_up:
            self.game.resign(self.game.turn)
            self.game_app.keep()
        self._show(message)
        if self.table.bot_to_act is not None and self.thought is None:
            self._ask(self.table.engine(), lambda engine, game: engine.choose(game))

    def _show(self, message: str | None = None) -> None:
        game, position = self.game, self.position
        outcome = game.outcome()
        if outcome:
            self.entitle(f"{outcome} - {self.table.rules.title}")
        else:
            again = " again" if position.in_turn else ""
            who = self.table.name(position.turn)
            self.entitle(f"{who} to act{again} - {self.table.rules.title}")
        self.view.show(looks(position.scene(), self.view.bottom), self._signs())
        self._show_card()
        self._show_reserve()
        turns = game.turns()
        lines = [f"{number}. {turn}" for number, turn in enumerate(turns, 1)]
        self.query_one("#listed", Static).update("\n".join(lines) or "No turn yet.")
        self.query_one("#turns", VerticalScroll).scroll_end(animate=False)
        self.say(message or self._standing())

    def _standing(self) -> str:
        ending = self.table.ending()
        parts = [self.game_app.trouble] if self.game_app.trouble else []
        if ending:
            parts.append(f"{ending} n: another game, u: take back, q: quit.")
        elif self.table.bot_to_act is not None:
            parts.append("The bot is thinking. Escape hurries it.")
        else:
            parts += [danger for _, danger in self.table.dangers()]
            if self.choices.others:
                parts.append(f"e: {self._others()}.")
            if self.chosen is not None:
                parts.append(f"{self._chosen_title()} chosen.")
            parts.append(self._at_cursor())
        return " ".join(parts)

    def _others(self) -> str:
        return " or ".join(
            dict.fromkeys(
                "promote" if action.kind == "promote" else in_plain_words(self.table.rules, action)
                for action in self.choices.others
            )
        )

    def _at_cursor(self) -> str:
        square = self.view.cursor
        piece = self.position.pieces().get(square)
        seen = self.position.scene()
        features = [each for each in seen.features if square in each.squares]
        ground = seen.grounds[square]
        parts = [] if ground in [each.kind for each in features] else [ground]
        if piece is not None:
            title = self.table.rules.piece_type(piece.type).title
            parts.insert(0, f"{piece.color.title}'s {title}")
        parts += [feature_words(each) for each in features]
        return f"{square}: {', '.join(parts)}."

    def _show_card(self) -> None:
        self.query_one("#card", Static).update(self._card(), layout=False)

    def _card(self) -> str:
        piece = self.position.pieces().get(self.view.cursor)
        if piece is None:
            return self._at_cursor()
        return f"{self._at_cursor()} {self.table.rules.piece_type(piece.type).about}"

    def _show_reserve(self) -> None:
        reserve = self.query_one("#reserve", OptionList)
        reserve.clear_options()
        for number, source in enumerate(self.choices.reserve()):
            key = _DIGITS[number] if number < len(_DIGITS) else " "
            held = "*" if source == self.chosen else " "
            reserve.add_option(Option(f"{key}{held}{source_title(self.position, source)}"))
        reserve.display = reserve.option_count > 0

    def _signs(self) -> dict[str, frozenset[str]]:
        signs: dict[str, set[str]] = {}

        def add(square: str | None, name: str) -> None:
            if square is not None:
                signs.setdefault(square, set()).add(name)

        turns = self.game.turns()
        for action in turns[-1].actions if turns else ():
            for square in (action.origin, action.target, *action.struck):
                add(square, "last")
        for danger, _ in self.table.dangers():
            for square in danger.squares:
                add(square, "alarm")
        if self.hinted is not None:
            for square in (self.hinted.origin, self.hinted.target, *self.hinted.struck):
                add(square, "hint")
        elif self.advice is not None:
            add(self.advice[0].origin, "hint")
        if self.table.bot_to_act is None:
            for square, kind in self.choices.targets(self.chosen).items():
                taken = square in self.position.pieces() and kind == "move"
                add(square, "take" if taken else kind)
        if self.chosen is not None and not self.chosen.startswith(RESERVE):
            add(self.chosen, "chosen")
        return {square: frozenset(names) for square, names in signs.items()}

    def _chosen_title(self) -> str:
        if self.chosen is None:
            return ""
        if self.chosen.startswith(RESERVE):
            return source_title(self.position, self.chosen)
        piece = self.position.pieces()[self.chosen]
        return f"{self.table.rules.piece_type(piece.type).title} on {self.chosen}"

    # --- choosing ---------------------------------------------------------------------------------

    def on_board_widget_pointed(self, message: BoardWidget.Pointed) -> None:
        self._show_card()
        self.say(self._standing())

    def on_board_widget_tapped(self, message: BoardWidget.Tapped) -> None:
        if self._is_mine():
            self._tap(message.square)

    def on_board_widget_taken_off(self, message: BoardWidget.TakenOff) -> None:
        self.action_let_go()

    def _is_mine(self) -> bool:
        """Whether a person may act now; if not it is said why."""
        if self.game.outcome() or self.table.bot_to_act is not None:
            self.say(self._standing())
            return False
        return True

    def _tap(self, square: str) -> None:
        meanings = self.choices.meanings(self.chosen, square)
        if meanings:
            self._mean(meanings)
        elif square == self.chosen:
            self.action_let_go()
        elif square in self.choices.sources:
            self.chosen = square
            self._show()
        elif self.chosen is not None:
            self.say(self._why(self.chosen, square))
        else:
            self.say(self._why_nothing(square))

    def _mean(self, meanings: list[Action]) -> None:
        if len(meanings) == 1:
            self._play(meanings[0])
            return
        titles = [f"{in_plain_words(self.table.rules, action)}  {action}" for action in meanings]

        def meant(number: int | None) -> None:
            if number is not None:
                self._play(meanings[number])

        self.app.push_screen(Pick("What do you mean?", titles), meant)

    def _why(self, source: str, square: str) -> str:
        origin = source
        if source.startswith(RESERVE):
            origin = reserve_piece(self.position, source) or ""
        try:
            return why(self.position, origin, square)
        except CyvasseError as error:
            return f"{error}."

    def _why_nothing(self, square: str) -> str:
        piece = self.position.pieces().get(square)
        if piece is None:
            return f"No piece stands on {square}. Choose a piece of yours first."
        kind = self.table.rules.piece_type(piece.type)
        if piece.color is not self.position.turn:
            whose = f"{kind.title} on {square} {kind.does('be')} {piece.color.title}'s"
            return f"{whose}, and it is {self.position.turn.title}'s turn."
        return f"{kind.title} on {square} can do nothing now."

    def _play(self, action: Action | str) -> None:
        """Do what a person wants, after a question if it gives something away."""
        self._drop()  # a hint for the position before would come too late
        risks = self.table.risks([action]) if self.game_app.questions else []
        if not risks:
            self._carry_out(action)
            return

        def sure(number: int | None) -> None:
            if number == 0:
                self._carry_out(action)

        heading = f"{' '.join(risks)} Play it all the same?"
        self.app.push_screen(Pick(heading, ["Play it", "Something else"]), sure)

    def _carry_out(self, action: Action | str) -> None:
        try:
            told = self.table.play(action)
        except CyvasseError as error:
            self.say(f"{error}")
            return
        self.game_app.keep()
        ending, goes_on = self.table.ending(), self.table.bot_to_act is None
        if ending is None and goes_on:
            told += [danger for _, danger in self.table.dangers() if danger not in told]
        self._renew(" ".join(told) if ending is None and goes_on else None)

    # --- the engine -------------------------------------------------------------------------------

    def _ask(self, engine: Engine, question: Any) -> None:
        self._drop()
        asked = object()

        def answered(answer: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the application may be gone
                self.post_message(Answered(asked, answer))

        self._asked = asked
        self.thought = Thought(engine, question, self.game, answered)

    def _drop(self) -> None:
        if self.thought is not None:
            self.thought.drop()
        self.thought = None
        self._asked = None

    def on_answered(self, message: Answered) -> None:
        if message.asked is not self._asked:
            return
        self.thought = None
        answer = message.answer
        if isinstance(answer, Exception):
            self.say(f"The engine has failed: {answer!r:.200}. Your game is kept.")
        elif isinstance(answer, Action):
            self._carry_out(answer)
        elif isinstance(answer, bool):
            self._drawn(answer)
        else:
            self.advice = answer
            look = where_to_look(self.position, answer[0])
            if look is None:
                self._show_hint(answer)
            else:
                self._show(f"Hint: {look} Once more: what to play.")

    def _show_hint(self, advice: tuple[Action, str]) -> None:
        self.hinted, verdict = advice
        words = in_plain_words(self.table.rules, self.hinted)
        self._show(f"Hint: {self.hinted}, {words}; score {verdict}.")

    # --- other keys -------------------------------------------------------------------------------

    def action_let_go(self) -> None:
        """Choose nothing; or hurry the bot."""
        if self.thought is not None and self.table.bot_to_act is not None:
            self.thought.hurry()
            return
        self.chosen = self.hinted = None
        self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_reserve(event.option_index)
        self.view.focus()

    def action_reserve(self, number: int) -> None:
        """Choose a piece beside the board."""
        sources = self.choices.reserve()
        if self._is_mine() and number < len(sources):
            self.chosen = None if self.chosen == sources[number] else sources[number]
            self._show()

    def action_end_turn(self) -> None:
        """End the turn, pass, or choose what a piece becomes."""
        if not self._is_mine():
            return
        if self.choices.others:
            self._mean(self.choices.others)
        else:
            self.say("There is nothing to end: this turn needs an action.")

    def action_type(self) -> None:
        """Type an action."""
        if not self._is_mine():
            return

        def typed(text: str | None) -> None:
            if text is not None:
                self._play(text.lower())

        self.app.push_screen(Ask("Which action, such as e4-e5?"), typed)

    def action_undo(self) -> None:
        """Take back the last turn."""
        self._drop()
        try:
            number = self.table.undo()
        except CyvasseError as error:
            self._renew(f"{error}".rstrip(".") + ".")
            return
        self.game_app.keep()
        self._renew(f"{number} {'action' if number == 1 else 'actions'} taken back.")

    def action_hint(self) -> None:
        """Ask the engine which piece to look at, and the second time what to play."""
        if self.table.shared:
            self.say(NO_HINTS)
        elif self._is_mine() and self.advice is not None:
            self._show_hint(self.advice)
        elif self._is_mine() and self.thought is None:
            self.say("The engine is thinking about a hint.")
            self._ask(Engine(), hint)

    def action_info(self) -> None:
        """Everything that stands beside the board."""
        seen = self.position.scene()
        stores = [store_words(seen.rules, store) for store in seen.stores]
        turns = [
            f"{number}. {turn.color.title} {turn}"
            for number, turn in enumerate(self.game.turns(), 1)
        ]
        dangers = [danger for _, danger in self.table.dangers()]
        told = [*self.table.told(), *(each for each in dangers if each not in self.table.told())]
        lines = [self._card(), "", *told, "", *stores, "", *(turns or ["No turn yet."])]
        text = "\n".join(lines)
        self.app.push_screen(Tell(self.table.rules.title, text))

    def action_flip(self) -> None:
        """Turn the board."""
        self.view.turn()
        self._show()

    def action_save(self) -> None:
        """Save to a file."""

        def named(name: str | None) -> None:
            if name is None:
                return
            try:
                self.game_app.keeper.save(self.table, named_path(name))
            except CyvasseError as error:
                self.say(f"{error}.")
                return
            self.save_name = name
            self.say(f"Saved in {name}.")

        self.app.push_screen(Ask("Save the game: in which file?", self.save_name), named)

    def action_resign(self) -> None:
        """Give up."""
        if self.game.outcome():
            self.say(self._standing())
            return
        color = self.game.turn if self.table.shared else self.table.persons[0]

        def sure(number: int | None) -> None:
            if number == 0 and self.game.outcome() is None:
                self._drop()
                self.game.resign(color)
                self.game_app.keep()
                self._renew()

        self.app.push_screen(Pick(f"{color.title} resigns?", ["Resign", "Play on"]), sure)

    def action_draw(self) -> None:
        """Offer a draw."""
        if not self._is_mine():
            return
        if not self.table.shared:
            self.say("The bot thinks about your offer.")
            self._ask(Engine(), accepts_draw)
            return
        other = self.game.turn.other.title

        def agreed(number: int | None) -> None:
            if number is not None and self.game.outcome() is None:
                self._drawn(number == 0)

        self.app.push_screen(Pick(f"{other}: a draw is offered.", ["Agree", "Play on"]), agreed)

    def _drawn(self, agreed: bool) -> None:
        if not agreed:
            self.say("The offer of a draw is declined.")
            return
        self.game.agree_draw()
        self.game_app.keep()
        self._renew()

    def action_new(self) -> None:
        """Another game."""
        self.game_app.keep()
        self.game_app.start()
