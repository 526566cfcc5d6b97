"""A whole game: setups behind the screen, turns, the platform rules, and what each viewer may see.

>>> import cyvasse
>>> game = Game("nine-tile")
>>> for color in ("white", "black"):
...     game.submit(color, game.rules.random_setup(color, seed=7))
>>> game.lift_screen(first="white")
>>> game.play(game.legal_actions()[0])
>>> game.outcome() is None
True
"""

from __future__ import annotations

import pickle
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cyvasse.actions import Action
from cyvasse.errors import (
    GameOverError,
    NothingToUndoError,
    ScreenError,
    StateError,
)
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.telling import Ending, of_outcome
from cyvasse.rules.terms import (
    BLACK,
    QUIET_TURNS,
    REPETITIONS,
    WHITE,
    Color,
    Effect,
    End,
    Outcome,
    Setup,
)

if TYPE_CHECKING:
    from cyvasse.notation import forms

_NEVER = 1 << 60


class Turn(NamedTuple):
    """The actions of one player from the start of a turn to its end, with their effects."""

    color: Color
    actions: tuple[Action, ...]
    effects: tuple[tuple[Effect, ...], ...]

    def __str__(self) -> str:
        return ",".join(str(action) for action in self.actions)


# What a turn list needs about an action: who acted, whether that began a turn, and its effects.  A
# plain tuple of plain things: the garbage collector soon stops looking at it.
_Entry = tuple[int, bool, tuple[Effect, ...]]


class Game:
    """One game from the first tile to the result.

    ``repetition`` and ``quiet`` switch the platform rules P2 (``REPETITIONS`` draw) and P3
    (``QUIET_TURNS`` without progress draw) on or off.  ``tags`` are free words about the game, for
    its file.
    """

    def __init__(
        self,
        rules: RuleSet | str,
        *,
        repetition: bool = True,
        quiet: bool = True,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.rules = rule_set(rules)
        self._repetition = repetition
        self._quiet = quiet
        self.tags = dict(tags or {})
        self.comments: dict[int, str] = {}
        """Remarks by the number of actions they follow; 0 stands before the first."""
        self._setups: dict[Color, Setup] = {}
        self._start: Position | None = None
        self._position: Position | None = None
        self._actions: list[Action] = []
        self._log: list[_Entry] = []  # what a turn list needs about the actions; see _entries
        self._seen: dict[int, int] = {}  # how often each hash stood at the start of a turn
        self._agreed: Outcome | None = None
        self._judged: list[Outcome | None] = []  # what outcome() found, until something happens

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        repetition: bool = True,
        quiet: bool = True,
        tags: Mapping[str, str] | None = None,
    ) -> Game:
        """A game that begins with a position instead of two setups."""
        if not isinstance(position, Position):
            raise StateError(f"a game begins with a position, not with {position!r:.40}")
        game = cls(position.rules, repetition=repetition, quiet=quiet, tags=tags)
        game._begin(position.rules.position(position.state()))  # without the position's past
        return game

    @classmethod
    def from_setups(
        cls,
        setups: Mapping[Color, Setup],
        start: Position,
        *,
        repetition: bool = True,
        quiet: bool = True,
        tags: Mapping[str, str] | None = None,
    ) -> Game:
        """A game whose screen is lifted, without checking anything again.

        ``setups`` are what ``rules.checked_setup`` has returned for each player, and ``start`` is
        what ``rules.start`` has made of them; nobody may change it afterwards.
        """
        game = cls(start.rules, repetition=repetition, quiet=quiet, tags=tags)
        game._setups.update(setups)
        game._begin(start)
        return game

    @property
    def repetition(self) -> bool:
        """Whether repetition draws (P2)."""
        return self._repetition

    @property
    def quiet(self) -> bool:
        """Whether turns without progress draw (P3)."""
        return self._quiet

    # --- behind the screen ------------------------------------------------------------------------

    @property
    def screen_lifted(self) -> bool:
        """Whether both sides of the board are open to all."""
        return self._position is not None

    def is_ready(self, color: Color | str) -> bool:
        """Whether that player has submitted a setup."""
        return Color.parse(color) in self._setups

    def submit(self, color: Color | str, setup: Setup) -> None:
        """Declare a setup finished; SetupError lists every problem and changes nothing.

        A player may submit again until the screen is lifted.
        """
        color = Color.parse(color)
        self._before_lifting()
        self._setups[color] = self.rules.checked_setup(setup, color)

    def withdraw(self, color: Color | str) -> None:
        """Take a submitted setup back, to change it."""
        self._before_lifting()
        self._setups.pop(Color.parse(color), None)

    def lift_screen(self, first: Color | str | None = None) -> None:
        """Open the board once both players are ready.

        ``first`` begins; without it the rule set says who does, or the lot is drawn.  The players
        may let somebody else begin than the rule set does.
        """
        self._before_lifting()
        waiting = [color.title for color in Color if color not in self._setups]
        if waiting:
            verb = "is" if len(waiting) == 1 else "are"
            raise ScreenError(f"the screen stands until {' and '.join(waiting)} {verb} ready")
        if first is None:
            first = self.rules.first_player or secrets.choice(list(Color))
        white, black = (self._setups[color] for color in Color)
        # Setups are checked when they are submitted, and nobody else holds them.
        self._begin(self.rules.setups.lifted(white, black, Color.parse(first)))

    def setup(self, color: Color | str) -> Setup | None:
        """A player's setup once the screen is lifted; before that nobody's is told."""
        if not self.screen_lifted:
            raise ScreenError("the screen stands: no setup can be seen yet")
        setup = self._setups.get(Color.parse(color))
        return None if setup is None else self.rules.canonical_setup(setup)  # a copy

    def _before_lifting(self) -> None:
        if self.screen_lifted:
            raise ScreenError("the screen is lifted: setups can no longer be changed")
        self._unfinished()

    def _begin(self, position: Position) -> None:
        self._start = position  # which is never changed
        self._position = position.copy()
        self._note_turn(1)

    # --- play -------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """A copy of the position now; changing it does not change the game.

        It knows the rules of the board alone: what ended by agreement, repetition or on time may
        still have legal actions there.
        """
        return self._now().copy()

    @property
    def start(self) -> Position:
        """A copy of the position with which play began."""
        self._now()
        assert self._start is not None
        return self._start.copy()

    @property
    def turn(self) -> Color:
        """Who is to act."""
        return self._now().turn

    @property
    def in_turn(self) -> bool:
        """True while the player to act has already acted in this turn and may act again."""
        return self._now().in_turn

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything played so far."""
        return tuple(self._actions)

    @property
    def ply(self) -> int:
        """How many actions have been played."""
        return len(self._actions)

    def effects(self, ply: int | None = None) -> tuple[Effect, ...]:
        """What happened by itself with the last action, or with the action of that number."""
        if ply is None:
            return tuple(self._now().effects()) if self._actions else ()
        if ply not in range(1, len(self._actions) + 1):
            raise StateError(f"{self.ply} actions have been played; there is no {ply!r:.20}")
        return self._entries()[ply - 1][2]

    def legal_actions(self) -> list[Action]:
        """What the player to act may do; nothing once the game is over."""
        return [] if self.outcome() else self._now().legal_actions()

    def parse_action(self, text: str) -> Action:
        """The legal action with that text; errors say why there is none."""
        now = self._now()
        self._unfinished()
        return now.parse_action(text)

    def play(self, action: Action | str) -> None:
        """Play an action; IllegalActionError says why not and changes nothing."""
        now = self._now()
        self._unfinished()
        if isinstance(action, str):
            action = Action.parse(action, self.rules.board)
        side, begins = int(now.turn), not now.in_turn
        now.play(action)
        if len(self._log) == len(self._actions):
            self._log.append((side, begins, tuple(now.effects())))
        self._actions.append(action)
        self._note_turn(1)

    def play_on(self, actions: Sequence[Action]) -> list[int]:
        """Play many actions, as ``play`` would one after the other, but faster.

        Returns how many actions had been played in all at the end of each turn that they ended.  If
        one cannot be played an error says why; those before it have been played then.

        >>> import cyvasse
        >>> game = Game.from_position(cyvasse.rule_set("croft").random_position(seed=1))
        >>> game.play_on([game.legal_actions()[0]])
        [1]
        """
        now = self._now()
        # Where the board has ended the game no action is legal, and ``play`` below tells why.
        if self._agreed or self._drawn_by_counts(now):
            self._unfinished()
        before = len(self._actions)
        played, ends = now.play_on(
            actions,
            self._seen,
            REPETITIONS if self._repetition else _NEVER,
            QUIET_TURNS if self._quiet else _NEVER,
        )
        self._actions += actions[:played]
        self._judged.clear()
        if played < len(actions):
            self.play(actions[played])  # which tells why it cannot be played
        return [before + number for number in ends] if before else ends

    def undo(self) -> Action:
        """Take back the last action, also one that ended the game on the board."""
        now = self._now()
        if self._agreed:
            raise GameOverError(f"the game has ended: {self._agreed}")
        if not self._actions:
            raise NothingToUndoError("nothing has been played yet")
        self._note_turn(-1)
        self.comments.pop(len(self._actions), None)
        self._actions.pop()
        del self._log[len(self._actions) :]
        undone = now.undo()
        self._judged.clear()
        return undone

    def turns(self) -> list[Turn]:
        """The actions by turns; the last turn may be unfinished."""
        turns: list[Turn] = []
        for action, (side, begins, effects) in zip(self._actions, self._entries(), strict=True):
            if begins or not turns:
                turns.append(Turn(Color(side), (action,), (effects,)))
            else:
                last = turns[-1]
                turns[-1] = Turn(last.color, (*last.actions, action), (*last.effects, effects))
        return turns

    def position_after(self, turns: int) -> Position:
        """The position after that many turns; 0 is the start."""
        played = self.turns()
        if turns not in range(len(played) + 1):
            raise StateError(f"this game has {len(played)} turns; there is no turn {turns!r:.20}")
        position = self.start
        for turn in played[:turns]:
            for action in turn.actions:
                position.play(action)
        return position

    def _entries(self) -> list[_Entry]:
        """What a turn list needs; what ``play_on`` has left out is worked out now."""
        if len(self._log) < len(self._actions):
            position = self.start
            self._log.clear()
            for action in self._actions:
                side, begins = int(position.turn), not position.in_turn
                position.play(action)
                self._log.append((side, begins, tuple(position.effects())))
        return self._log

    def told(self, since: int = 0) -> list[forms.ToldDocument]:
        """What each action after the first ``since`` did, and the letter of the piece that acted.

        No letter where no piece of the board acts: a choice, a pass, a piece from the reserve.
        """
        from cyvasse.notation.documents import sentence_document

        scene, position = self.rules.scene, self.start
        for action in self._actions[:since]:
            position.play(action)
        told: list[forms.ToldDocument] = []
        for action in self._actions[since:]:
            before = position.copy()
            position.play(action)
            piece = before.piece_at(action.origin) if action.origin else None
            sentences = scene.tell(before, action, position)
            told.append(
                {
                    "letter": piece and self.rules.piece_type(piece.type).letter,
                    "told": [sentence_document(scene, each) for each in sentences],
                }
            )
        return told

    # --- the end ----------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self._agreed:
            return self._agreed
        if not self._judged:
            self._judged.append(self._judge())
        return self._judged[0]

    def _judge(self) -> Outcome | None:
        now = self._position
        if now is None:
            return None
        return now.outcome() or self._drawn_by_counts(now)

    def _drawn_by_counts(self, now: Position) -> Outcome | None:
        """Whether repetition (P2) or quiet turns (P3) have ended the game."""
        if now.in_turn:
            return None
        if self.repetition and self._seen.get(now.hash, 0) >= REPETITIONS:
            return Outcome(None, End.REPETITION)
        if self.quiet and now.quiet_at_turn_end() >= QUIET_TURNS:
            return Outcome(None, End.QUIET)
        return None

    def ending(self) -> Ending | None:
        """How the game ended, as a sentence, and the squares where that can be seen."""
        outcome = self.outcome()
        if outcome is None or self._position is None:
            return outcome and Ending(of_outcome(outcome))
        return self.rules.scene.cause(self._position, outcome)

    def outcome_document(self) -> forms.OutcomeDocument | None:
        """The same as plain data, with the result."""
        from cyvasse.notation.documents import outcome_document

        outcome, ending = self.outcome(), self.ending()
        return outcome and ending and outcome_document(self.rules.scene, outcome, ending)

    def resign(self, color: Color | str) -> None:
        """That player gives up (P1)."""
        self._end(Outcome(Color.parse(color).other, End.RESIGNATION))

    def agree_draw(self) -> None:
        """Both players agree to a draw (P1)."""
        self._end(Outcome(None, End.AGREEMENT))

    def lose_on_time(self, color: Color | str) -> None:
        """That player's clock has run out (P5)."""
        self._end(Outcome(Color.parse(color).other, End.TIME))

    def _end(self, outcome: Outcome) -> None:
        self._unfinished()
        self._agreed = outcome

    def _unfinished(self) -> None:
        outcome = self.outcome()
        if outcome:
            raise GameOverError(f"the game has ended: {outcome}")

    def _now(self) -> Position:
        if self._position is None:
            raise ScreenError("the screen stands: play begins when both setups are ready")
        return self._position

    def _note_turn(self, change: int) -> None:
        """Count the position for P2 if it stands at the start of a turn."""
        self._judged.clear()
        now = self._now()
        if not now.in_turn:
            key = now.hash
            self._seen[key] = self._seen.get(key, 0) + change
            if not self._seen[key]:
                del self._seen[key]

    # --- who may see what -------------------------------------------------------------------------

    def view(self, viewer: Color | str | None = None) -> forms.GameView:
        """Everything that a player, or a spectator (None), may know, as plain data.

        Every byte for a client goes through here: while the screen stands it holds nothing that
        depends on the other player's setup.

        Always there: ``rule_set``, ``viewer``, ``repetition``, ``quiet``, ``ready`` (by player),
        ``screen_lifted``, ``outcome`` and ``setups`` (those that the viewer may see).  Once the
        screen is lifted also ``turns`` (what was played) and all of ``board_view``.
        """
        from cyvasse.notation.documents import setup_document

        own = None if viewer is None else Color.parse(viewer)
        visible = list(Color) if self.screen_lifted else [color for color in Color if color is own]
        setups: forms.BothSetups = {}
        for color in visible:
            if color in self._setups:
                setups[color.word] = setup_document(self.rules, self._setups[color])
        seen: forms.GameView = {
            "rule_set": self.rules.id,
            "viewer": "spectator" if own is None else own.word,
            "repetition": self.repetition,
            "quiet": self.quiet,
            "ready": {"white": self.is_ready(WHITE), "black": self.is_ready(BLACK)},
            "screen_lifted": self.screen_lifted,
            "outcome": self.outcome_document(),
            "setups": setups,
        }
        if not self.screen_lifted:
            return seen
        return {
            **seen,
            "turns": [
                {"color": turn.color.word, "actions": [str(action) for action in turn.actions]}
                for turn in self.turns()
            ],
            **self.board_view(),
        }

    def board_view(self) -> forms.BoardView:
        """What everybody sees of the board once the screen is lifted; see ``board_view``."""
        return board_view(self._now(), len(self._actions), over=self.outcome() is not None)

    # --- copies -----------------------------------------------------------------------------------

    def copy(self) -> Game:
        """An independent game with the same past."""
        return pickle.loads(pickle.dumps(self))  # type: ignore[no-any-return]

    def __copy__(self) -> Game:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        # A pickled position forgets its past, so the game is replayed instead.
        return {key: value for key, value in vars(self).items() if key != "_position"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._position = None if self._start is None else self._start.copy()
        for action in self._actions:
            self._now().play(action)

    def _repr_svg_(self) -> str | None:
        """The board as notebooks show it; nothing while the screen stands."""
        from cyvasse.draw import board_svg

        if not self.screen_lifted:
            return None
        return board_svg(self.position, last=self._actions[-1] if self._actions else None, size=480)

    def __str__(self) -> str:
        from cyvasse.notation import write_game

        return write_game(self)

    def __repr__(self) -> str:
        if not self.screen_lifted:
            return f"<Game {self.rules.id}: {self.outcome() or 'setup'}>"
        return (
            f"<Game {self.rules.id}: {len(self._actions)} actions, {self.outcome() or 'going on'}>"
        )


def board_view(position: Position, ply: int, *, over: bool = False) -> forms.BoardView:
    """What everybody sees of a board after so many actions, as plain data.

    ``position``, ``scenery``, ``in_turn``, ``ply``, ``legal_actions``, ``told`` (what the last turn
    did) and ``dangers`` (what both players have to fear): its size does not depend on how long the
    game has lasted.  Once a game is over nothing can be done and nothing is in danger.
    """
    from cyvasse.notation.documents import (
        danger_document,
        scenery_document,
        sentence_document,
        state_document,
    )

    scene, state = position.rules.scene, position.state()
    return {
        "position": state_document(position.rules, state),
        "scenery": scenery_document(position.rules, state),
        "in_turn": position.in_turn,
        "ply": ply,
        "legal_actions": [] if over else position.action_texts(),
        "told": [sentence_document(scene, each) for each in position.told()],
        "dangers": [] if over else [danger_document(scene, each) for each in position.dangers()],
    }
