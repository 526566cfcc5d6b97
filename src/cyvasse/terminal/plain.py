"""The game in plain text: lines in, lines out, no colour and no cursor.

For screen readers, pipes and terminals that can do nothing else.  Input is read line by line until
``quit`` or the end; what cannot be understood is answered with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cyvasse.actions import Action
from cyvasse.engine import Engine
from cyvasse.errors import CyvasseError
from cyvasse.explain import why
from cyvasse.rules.base import Position
from cyvasse.rules.terms import Color, in_words
from cyvasse.terminal.choose import in_plain_words
from cyvasse.terminal.keeping import Keeper, named_path
from cyvasse.terminal.looks import store_words, text_board
from cyvasse.terminal.orders import wanted_setup
from cyvasse.terminal.plainsetup import SetupDesk
from cyvasse.terminal.table import NO_HINTS, Table, accepts_draw, hint, where_to_look

Say = Callable[[str], None]

_HELP = """\
ACTION          play an action, such as e4-e5; several of one turn are joined by commas
legal [SQUARE]  the legal actions, all of them or those of one piece
why FROM TO     why the piece on FROM may act on TO, or may not
board           the board; turns: the turns so far; piece SQUARE: what stands there
undo            take back the last turn
hint            which piece to look at; once more: what to play
flip            turn the board
draw, resign    end the game
save FILE       write the game to a file
quit            stop; the game is kept, and --resume takes it up again"""


class Ended(Exception):
    """The player has had enough, or the input is at its end."""


class PlainGame:
    """A game played by reading and writing lines."""

    def __init__(
        self,
        table: Table,
        keeper: Keeper,
        lines: Iterable[str],
        say: Say,
        setup: str | None = None,
        *,
        questions: bool = True,
    ) -> None:
        self.table = table
        self.keeper = keeper
        self.say = say
        self.wish = setup
        self.questions = questions
        self.bottom = table.persons[0] if not table.shared else Color.WHITE
        self._lines = iter(lines)
        self._kept = True
        self._hinted: tuple[Position, Action, str] | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "help": lambda _: self.say(_HELP),
            "?": lambda _: self.say(_HELP),
            "legal": self._legal,
            "why": self._why,
            "board": lambda _: self._show(),
            "turns": lambda _: self._turns(),
            "piece": self._piece,
            "undo": lambda _: self._undo(),
            "hint": lambda _: self._hint(),
            "flip": lambda _: self._flip(),
            "draw": lambda _: self._draw(),
            "resign": lambda _: self._resign(),
            "save": self._save,
        }

    def run(self) -> None:
        """Play until the game or the input ends."""
        table = self.table
        self.say(f"{table.rules.title}. {in_words([table.name(color) for color in Color])}.")
        self.say("Type help for the commands, quit to stop.")
        try:
            self._set_up()
            self._show()
            while True:
                self._bot()
                if self._over():
                    break
                self._order(self._read(f"{table.game.turn.title}> "))
        except Ended:
            self.keep()
            kept = self._kept and self.keeper.path is not None
            self.say("The game is kept; --resume takes it up again." if kept else "Goodbye.")

    def keep(self) -> None:
        """Write the game down; if that fails say so once, and go on."""
        try:
            self.keeper.keep(self.table)
        except CyvasseError as error:
            if self._kept:
                self.say(f"The game is not being kept: {error}.")
            self._kept = False

    def _read(self, prompt: str) -> str:
        self.say(prompt)
        try:
            line = next(self._lines)
        except (StopIteration, UnicodeDecodeError):
            raise Ended from None
        line = line.strip()
        if line in ("quit", "exit", "q"):
            raise Ended
        return line

    # --- before play ------------------------------------------------------------------------------

    def _set_up(self) -> None:
        table = self.table
        while (color := table.to_set_up()) is not None:
            if self.wish is not None:
                setup = wanted_setup(table, color, self.wish)
            else:
                if table.shared and (color is Color.BLACK or table.drafts):
                    self._curtain(color)
                setup = SetupDesk(table, color, self._read, self.say, self.keep).arrange()
            self.keeper.submit(table, color, setup)
            self.say(f"{color.title} is ready.")
            self.keep()

    def _curtain(self, color: Color) -> None:
        self.say("\n" * 60)
        self.say(
            f"Hand over to {color.title}. Plain text cannot take back what was written: if the "
            "other setup can still be read above, clear your terminal first."
        )
        self._read(f"{color.title}, press Enter when you sit here. ")

    # --- play -------------------------------------------------------------------------------------

    def _order(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        try:
            command = self._commands.get(words[0].lower())
            if command is not None:
                command(words[1:])
            else:
                self._play(line)
        except CyvasseError as error:
            self.say(_sentence(error))

    def _play(self, line: str) -> None:
        game = self.table.game
        color = game.turn
        texts = [text.strip().lower() for text in line.split(",")]
        answer = self._asked(texts, line)
        if answer is not None:
            self.say("It is not played.")
            if answer not in ("no", "n"):
                self._order(answer)
            return
        told: list[str] = []
        try:
            for text in texts:
                if game.turn is not color or game.outcome():
                    raise CyvasseError(f"the turn was over before {text[:40]!r}")
                told += self.table.play(text)
        finally:
            self._tell(told)
        self._after(told)

    def _asked(self, texts: list[str], line: str) -> str | None:
        """What was said instead of yes when actions give something away; None to play them."""
        risks = self.table.risks(texts) if self.questions else []
        if not risks:
            return None
        answer = self._read(f"{' '.join(risks)} Play it all the same (yes)? ")
        return None if answer.lower() in ("yes", "y", line.lower()) else answer

    def _tell(self, told: list[str]) -> None:
        ending = self.table.ending()  # which is told when the game is over
        for sentence in told:
            if sentence != ending:
                self.say(sentence)

    def _after(self, told: Sequence[str] = ()) -> None:
        self.keep()
        if self.table.bot_to_act is None:
            self._show(told)

    def _bot(self) -> None:
        game = self.table.game
        if self.table.bot_gives_up:
            self.say(f"{self.table.name(game.turn)} resigns.")
            game.resign(game.turn)
            return
        color = None if game.outcome() else game.turn
        played: list[str] = []
        told: list[str] = []
        while self.table.bot_to_act is not None and game.turn is color:
            action = self.table.engine().choose(game)
            told += self.table.play(action)
            played.append(str(action))
        if played and color is not None:
            self.say(f"{self.table.name(color)} plays {','.join(played)}.")
            self._tell(told)
            self._after(told)

    def _over(self) -> bool:
        ending = self.table.ending()
        if ending is None:
            return False
        self.keep()
        self.say(ending)
        return True

    def _show(self, told: Sequence[str] = ()) -> None:
        """The board, and what is in danger if that has not just been told."""
        position = self.table.game.position
        seen = position.scene()
        self.say(text_board(seen, position.board.squares, self.bottom))
        for store in seen.stores:
            self.say(store_words(seen.rules, store))
        if self.table.game.outcome() is None:
            again = " again" if position.in_turn else ""
            self.say(f"{self.table.name(position.turn)} is to act{again}.")
        for _, danger in self.table.dangers():
            if danger not in told:
                self.say(danger)

    def _legal(self, words: list[str]) -> None:
        actions = self.table.game.legal_actions()
        if words:
            self.table.rules.board.index(words[0])
            actions = [action for action in actions if action.origin == words[0]]
        listed = " ".join(str(action) for action in actions)
        self.say(f"{len(actions)} legal: {listed}" if actions else "Nothing is legal there.")

    def _why(self, words: list[str]) -> None:
        if len(words) != 2:
            raise CyvasseError("why needs two squares, such as why e4 e5")
        self.say(why(self.table.game.position, *words))

    def _turns(self) -> None:
        turns = self.table.game.turns()
        for number, turn in enumerate(turns, 1):
            self.say(f"{number}. {turn.color.title} {turn}")
        if not turns:
            self.say("No turn has been played yet.")

    def _piece(self, words: list[str]) -> None:
        if len(words) != 1:
            raise CyvasseError("piece needs a square, such as piece e4")
        position = self.table.game.position
        piece = position.piece_at(words[0])
        ground = position.terrain_at(words[0])
        if piece is None:
            self.say(f"{words[0]} is empty; {ground}.")
        else:
            kind = self.table.rules.piece_type(piece.type)
            self.say(f"{piece.color.title}'s {kind.title} on {words[0]}; {ground}. {kind.about}")

    def _undo(self) -> None:
        number = self.table.undo()
        self.say(f"{number} {'action is' if number == 1 else 'actions are'} taken back.")
        self._after()

    def _hint(self) -> None:
        if self.table.shared:
            raise CyvasseError(NO_HINTS)
        position = self.table.game.position
        if self._hinted is None or self._hinted[0] != position:
            self._hinted = position, *hint(Engine(), self.table.game)
            look = where_to_look(position, self._hinted[1])
            if look is not None:
                self.say(f"{look} Type hint again to see what to play.")
                return
        _, action, verdict = self._hinted
        plain = in_plain_words(self.table.rules, action)
        self.say(f"The engine would play {action} ({plain}); score {verdict}.")

    def _flip(self) -> None:
        self.bottom = self.bottom.other
        self._show()

    def _draw(self) -> None:
        game = self.table.game
        if self.table.shared:
            if self._read(f"{game.turn.other.title}, do you agree to a draw (yes)? ") != "yes":
                self.say("The game goes on.")
                return
        elif not accepts_draw(Engine(), game):
            self.say("The bot plays on.")
            return
        game.agree_draw()

    def _resign(self) -> None:
        self.table.game.resign(self.table.game.turn)

    def _save(self, words: list[str]) -> None:
        if not words:
            raise CyvasseError("save needs the name of a file, such as save game.cyvasse")
        path = named_path(" ".join(words))
        self.keeper.save(self.table, path)
        self.say(f"Saved in {path}.")


def _sentence(error: CyvasseError) -> str:
    text = str(error)
    return text if text.endswith((".", ")")) else f"{text}."
