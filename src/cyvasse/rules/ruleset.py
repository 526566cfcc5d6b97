"""A rule set: what never changes in it, and its aspects.

What people ask a rule set for is here; what a rule set has to write stands in the four files of the
aspects, each like a header: ``base.py`` (Position), ``setups.py`` (Setups), ``scene.py`` (Scene)
and ``evaluation.py`` (Evaluation).  ``reasons`` is a second opinion on the rules, written from what
everyone at the table sees and independently of Position: the tests hold the two against each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cyvasse.boards import Board
from cyvasse.errors import StateError, UnknownPieceError
from cyvasse.rules.base import QUIET_LIMIT, Position
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.records import Records
from cyvasse.rules.scene import Scene
from cyvasse.rules.setups import CheckedState, Setups, chance_of
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Fields,
    Piece,
    PieceType,
    Problem,
    Reason,
    Setup,
    State,
    check_fields,
    in_words,
)

SITUATIONS: Mapping[str, str] = {
    "begin": "the first turns, one sentence for each",
    "danger": "something of the own side is in danger",
    "take": "an opponent's piece can be taken",
    "quiet": "nothing of this",
}
"""When a coach has something to say; ``danger_king`` and the like if it is of that kind."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RuleSet:
    """What never changes in a rule set, and the maker of its positions and setups."""

    id: str
    """As in texts and commands: ``nine-tile``."""
    title: str
    """As players read it: ``Nine-Tile Cyvasse``."""
    author: str
    summary: str
    """Its character in one short sentence: a line of a card."""
    board: Board
    piece_types: tuple[PieceType, ...]
    terrain_letters: Mapping[str, str] = field(default_factory=dict)
    """A letter for each ground that players lay, for texts: ``{"water": "w"}``."""
    looks: Mapping[str, str] = field(default_factory=dict)
    """Which of ``scene.GROUNDS`` a ground looks like, if not like itself: ``{"marsh": "water"}``.
    Those that nobody knows look like open ground."""
    state_fields: Fields = ()
    """What a state has beyond pieces, terrain and whose turn it is."""
    setup_fields: Fields = ()
    """What a setup has beyond pieces and terrain."""
    noted_effects: tuple[str, ...] = ()
    """The kinds of effects that game files tell with the action that brought them about."""
    first_player: Color | None = None
    """Who begins, or None where the lot decides."""
    turns: int | None = None
    """How many turns a game takes, both players' counted: the median of bots of levels 1 to 4, to
    the nearest ten.  None where nobody has measured it."""
    difficulty: int = 0
    """How hard it is to learn, an editor's word: from 1, easy, to 4; 0 where nobody has said."""
    coach: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What a newcomer may try, in sentences, by ``SITUATIONS``; they take turns.  Where nothing is
    said the page has words of its own that fit every game."""
    characters: Mapping[str, str] = field(default_factory=dict)
    """What the setups that ``Setups.white`` names are like: a short sentence by the name."""
    page: str = ""
    """Its rules page in Markdown; those of our own rule sets are built from docs/rules."""

    position_type: type[Position]
    setups_type: type[Setups]
    scene_type: type[Scene]
    evaluation_type: type[Evaluation]
    reasons: Callable[[Position, str, str], list[Reason]]
    """Why the piece on a square may or may not act on another, most telling first.

    The first square may be the name of a type, for a piece in reserve.  Called only for an ongoing
    game, two different squares, and a piece of the player to act.  If an action of that piece ends
    on or strikes the second square at least one reason is legal, else none is; there is always at
    least one."""
    records_type: type[Records] = Records
    """The words of files with known answers; only ``cyvasse verify`` needs them."""

    # --- its aspects ------------------------------------------------------------------------------

    def position(self, state: State) -> Position:
        """The position that a state describes; StateError in words if there can be none."""
        return self.position_type(self, state)

    @cached_property
    def setups(self) -> Setups:
        return self.setups_type(self)

    @cached_property
    def scene(self) -> Scene:
        return self.scene_type(self)

    def evaluation(self, weights: Mapping[str, int] | None = None) -> Evaluation:
        """A new evaluation of this rule set's positions, for one thread."""
        return self.evaluation_type(weights)

    @cached_property
    def records(self) -> Records:
        return self.records_type(self)

    # --- what people ask for most -----------------------------------------------------------------

    def start(self, white: Setup, black: Setup, first: Color | str | None = None) -> Position:
        """Lift the screen: the position in which ``first`` begins.

        Where the rule set fixes who begins ``first`` may be left out.
        """
        white, black = self.setups.checked(white, WHITE), self.setups.checked(black, BLACK)
        first = self.first_player if first is None else Color.parse(first)
        if first is None:
            raise StateError(f"{self.title} draws lots for the first turn: say who begins")
        return self.setups.lifted(white, black, first)

    def random_position(
        self, seed: int | random.Random | None = None, actions: int = 0
    ) -> Position:
        """Two random setups, the screen lifted, and some random actions played."""
        chance = chance_of(seed)
        white, black = self.random_setup(WHITE, chance), self.random_setup(BLACK, chance)
        first = chance.choice([WHITE, BLACK]) if self.first_player is None else self.first_player
        position = self.start(white, black, first)
        for _ in range(actions):
            legal = position.legal_actions()
            if not legal:
                break
            position.play(chance.choice(legal))
        return position

    def home(self, color: Color) -> tuple[str, ...]:
        """The squares behind a player's screen."""
        return self.setups.home(color)

    def check_setup(self, setup: Setup) -> list[Problem]:
        """Every problem of a setup in words; an empty list means that it is legal."""
        return self.setups.check(setup)

    def checked_setup(self, setup: Setup, color: Color | str | None = None) -> Setup:
        """The setup in canonical form; SetupError listing all problems if it is not legal."""
        return self.setups.checked(setup, color)

    def canonical_setup(self, setup: Setup) -> Setup:
        """The setup with sorted squares and every field present; it may still be illegal."""
        return self.setups.canonical(setup)

    def turned_setup(self, setup: Setup) -> Setup:
        """The same setup for the other player."""
        return self.setups.turned(setup)

    def named_setups(self, color: Color | str = WHITE) -> dict[str, Setup]:
        """Good setups by name, for the player who asks."""
        return self.setups.named(color)

    def random_setup(self, color: Color | str, seed: int | random.Random | None = None) -> Setup:
        """A legal setup drawn at random, the same one for the same seed."""
        return self.setups.random(color, seed)

    def varied_setup(self, setup: Setup, seed: int | random.Random | None = None) -> Setup:
        """A legal setup of the same player that differs a little from this legal one."""
        return self.setups.varied(setup, seed)

    def ground(self, square: str) -> str:
        """The ground of a square on which nobody has laid anything."""
        return self.scene.ground(square)

    # --- names and states -------------------------------------------------------------------------

    @cached_property
    def types(self) -> dict[str, PieceType]:
        """The piece types by name."""
        return {kind.name: kind for kind in self.piece_types}

    def piece_type(self, name: object) -> PieceType:
        """The piece type of that name."""
        if isinstance(name, str) and name in self.types:
            return self.types[name]
        names = in_words([kind.name for kind in self.piece_types])
        raise UnknownPieceError(f"{self.title} has no piece {name!r}; it has {names}")

    def checked_state(self, state: State) -> State:
        """The state in canonical form; StateError if it can be no position of any rule set."""
        if type(state) is CheckedState:
            return state
        if not isinstance(state, State):
            raise StateError(f"{state!r:.40} is not a state")
        for name in ("pieces", "terrain", "fields"):
            if not isinstance(getattr(state, name), Mapping):
                raise StateError(f"{name} is {getattr(state, name)!r:.40}, not a mapping")
        for name in ("passed", "drawn"):
            if type(getattr(state, name)) is not bool:
                raise StateError(f"{name} is {getattr(state, name)!r:.40}, not true or false")
        if state.drawn and not state.passed:
            raise StateError("drawn is true, but only a forced pass draws and passed is false")
        self._check_pieces(state.pieces)
        quiet = state.quiet_turns
        if type(quiet) is not int or not -1 <= quiet <= QUIET_LIMIT:
            raise StateError(f"quiet_turns is {quiet!r}, not a number from -1 to {QUIET_LIMIT}")
        return State(
            dict(sorted(state.pieces.items())),
            self.checked_terrain(state.terrain),
            Color.parse(state.to_move),
            quiet,
            state.passed,
            check_fields(self.state_fields, state.fields, self.board, "a position"),
            state.drawn,
        )

    def _check_pieces(self, pieces: Mapping[str, Piece]) -> None:
        numbers, types = self.board.numbers, self.types
        counts: dict[Piece, int] = {}
        for square, piece in pieces.items():
            if not isinstance(square, str) or square not in numbers:
                self.check_square(square)
            if not isinstance(piece, Piece) or not isinstance(piece.color, Color):
                raise StateError(f"{piece!r:.40} on {square} is not a piece with a colour")
            if not isinstance(piece.type, str) or piece.type not in types:
                self.piece_type(piece.type)
            counts[piece] = counts.get(piece, 0) + 1
        for piece, number in counts.items():
            kind = types[piece.type]
            if number > kind.count:
                raise StateError(
                    f"{piece.color.title} has more than {kind.count} {kind.title} on the board"
                )

    def check_square(self, square: object) -> None:
        """StateError if the board has no such square."""
        if not isinstance(square, str) or square not in self.board:
            raise StateError(f"no square {square!r} on the {self.board.name} board")

    def checked_terrain(self, terrain: Mapping[str, str]) -> dict[str, str]:
        """What was laid, by square in order; StateError if it cannot lie there."""
        usual = self.scene.usual
        for square, ground in terrain.items():
            if not isinstance(square, str) or square not in usual:
                self.check_square(square)
            laid = isinstance(ground, str) and ground in self.terrain_letters
            if not laid and ground != usual[square]:
                kinds = in_words(list(dict.fromkeys([*self.terrain_letters, usual[square]])))
                raise StateError(f"{square} is {ground!r}; the ground laid here is {kinds}")
        return {at: ground for at, ground in sorted(terrain.items()) if ground != usual[at]}

    def __repr__(self) -> str:
        return f"<RuleSet {self.id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from cyvasse.rules import rule_set

        return rule_set, (self.id,)
