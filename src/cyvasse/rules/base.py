"""The contract that every rule set honours.  Implement it and nothing else needs to change.

A rule set is two classes, ``RuleSet`` and ``Position``, and one line in ``rules/__init__.py``.

``RuleSet`` holds what never changes (board, pieces, fields, named setups) and makes positions.

``Position`` is mutable and cheap to change.  It has two faces:

* the *inner* face, three methods on whole numbers that the search and perft call without the GIL:
  ``generate``, ``make`` and ``unmake``.  They check nothing;
* the *surface*, for people: squares by name, ``Action`` objects, errors in words, nothing changed
  when something is refused.  This module writes it once, on top of the inner face.

Compiled, the ``.pxd`` beside each hot module turns the inner face into C.  Rules for its code:
whole numbers only, no ``//`` or ``%`` on what may be negative, hashes by xor only, no Python
objects created, and every array index proved at the surface, since C checks none.

What ``make`` must keep up to date
    ``side``         who acts next.  A turn may be several actions, so it may stay the same
    ``turn_open``    1 while ``side`` has already acted in this turn and may act again
    ``key``          64-bit hash of everything that decides legality, ``side`` included, kept
                     incrementally; two positions that differ in a field differ in their key.
                     The count of quiet turns is no part of it
    ``quiet_turns``  turns ended in a row without a capture (of an own piece too), a drop, a
                     promotion, a keep destroyed or a fortress ruined.  Any of these sets it to -1,
                     the end of a turn adds 1, up to ``QUIET_LIMIT``; so it is -1 exactly while the
                     turn that is going on has already made progress
    ``passed``       1 if the last action was a forced pass
    ``result``       ``ONGOING``, or how the game ended
    ``history``      what ``unmake`` needs: any number of words, the action's own code last
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import Action, action_text, known_texts, make_action
from cyvasse.boards import Board
from cyvasse.errors import (
    CyvasseError,
    IllegalActionError,
    NothingToUndoError,
    SetupError,
    StateError,
    UnknownPieceError,
)
from cyvasse.rules.layers import Layer, strikes
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    End,
    Event,
    Fields,
    Outcome,
    Piece,
    PieceType,
    Problem,
    Reason,
    Setup,
    State,
    check_fields,
    exchanged,
    filled_fields,
    in_words,
    turn_fields,
)

if TYPE_CHECKING:
    from cyvasse.rules.evaluation import Evaluation
    from cyvasse.rules.scenery import Feature, Store

_PLAYERS = (WHITE, BLACK)  # Color() would look the number up, which takes longer

# Constants that C code needs stand twice, here and as an enum in the .pxd.
if not cython.compiled:
    from cyvasse.actions import PASS

    ONGOING = 0
    WHITE_WINS = 1
    BLACK_WINS = 2
    DRAWN = 3
    # No position of any rule set has more actions: ``generate`` reserves this much and then writes
    # without looking.  Positions refuse more pieces than a player owns, which makes it true.
    MAX_ACTIONS = 1024
    # Saturating keeps the count in a few bits of an undo record even where P3 is switched off.
    QUIET_LIMIT = 9999


class Stack:
    """A growing stack of 64-bit words: the actions ``generate`` finds, or a position's history."""

    items: list[int]
    size: int
    capacity: int

    def __init__(self) -> None:
        self.size = 0
        self.capacity = 0
        if not cython.compiled:
            self.items = []

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.items)  # type: ignore[name-defined]  # noqa: F821

    def reserve(self, room: int) -> None:
        """Make sure that ``room`` more words fit."""
        if self.size + room <= self.capacity:
            return
        wanted = 2 * self.capacity
        if wanted < self.size + room:
            wanted = self.size + room
        if cython.compiled:
            self.items = resized(self.items, wanted)  # type: ignore[name-defined]  # noqa: F821
        else:
            self.items.extend([0] * (wanted - self.capacity))
        self.capacity = wanted

    def copy_to(self, other: Stack) -> None:
        """Make ``other`` equal to this stack."""
        other.size = 0
        other.reserve(self.size)
        for i in range(self.size):
            other.items[i] = self.items[i]
        other.size = self.size


class Position:
    """Everything that decides what is legal, with ``play`` and ``undo``.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    >>> before = position.hash
    >>> position.play(position.legal_actions()[0])
    >>> position.undo()
    <Action a6-b6>
    >>> position.hash == before
    True
    """

    rules: RuleSet
    history: Stack
    side: int
    turn_open: int
    passed: int
    quiet_turns: int
    result: int
    key: int

    def __cinit__(self, *_: object) -> None:
        # Compiled, this runs whatever else is left out.  A missing stack would be a crash in C, and
        # so would a search for actions on a board that was never laid: a finished game has none.
        self.history = Stack()
        self.result = DRAWN

    def __init__(self, rules: RuleSet, state: State) -> None:
        """Build the position that ``state`` describes.

        Subclasses begin with ``state = rules.checked_state(state)``, which sees to squares, piece
        types and numbers and the shapes of all fields, and then call this, which stores what all
        rule sets have.  They must refuse, with a StateError in words, whatever else their inner
        face could not bear: no other check stands between a caller and C.
        """
        if type(self) is Position:
            raise StateError("positions are made by rule sets: rules.position(state)")
        self._begin(rules, int(state.to_move))
        self.passed = 1 if state.passed else 0
        self.quiet_turns = state.quiet_turns

    def _begin(self, rules: RuleSet, side: int) -> None:
        """What all rule sets have, as a game begins."""
        self.rules = rules
        self.history = Stack()
        self.side = side
        self.turn_open = self.passed = self.quiet_turns = self.key = 0
        self.result = ONGOING

    # --- the inner face: each rule set writes these three -----------------------------------------

    def generate(self, out: Stack) -> None:
        """Append the code of every legal action to ``out``, in an order that depends on nothing
        but the position and its past.

        A finished game has none.  An ongoing game without any means that ``side`` loses; where a
        rule set lets a stuck player pass instead, it appends ``PASS`` (platform rule P4).
        """
        raise NotImplementedError

    def generate_captures(self, out: Stack) -> None:
        """Append every legal action that takes a piece from the board; others may be among them.

        A rule set that can leave out what takes long to find and takes nothing makes the search
        faster.
        """
        self.generate(out)

    def generate_like(self, code: int, out: Stack) -> None:
        """Append the action ``code`` if it is legal; other legal ones may be listed with it.

        Whether one action is legal is asked once for each action of a game that is read.  A rule
        set that lists only what the piece in question can do makes that faster.
        """
        self.generate(out)

    def make(self, code: int) -> None:
        """Carry out an action that ``generate`` has listed for this position.

        The search also gives the turn away with ``PASS`` where that is not listed, to see what the
        opponent would do: never after a pass and never while a turn is open.  A rule set in which
        nobody passes must bear that too.
        """
        raise NotImplementedError

    def unmake(self) -> None:
        """Take back the last ``make``, bit for bit."""
        raise NotImplementedError

    # --- what each rule set tells about its positions ---------------------------------------------

    def state(self) -> State:
        """The position as plain data.  ``rules.position(p.state())`` equals ``p``."""
        raise NotImplementedError

    def copy(self) -> Self:
        """An independent position with the same past."""
        raise NotImplementedError

    def _start_copy(self, other: Position) -> None:
        """Give a fresh object what all rule sets have; ``copy`` calls this first."""
        other.rules = self.rules
        other.history = Stack()
        self.history.copy_to(other.history)
        other.side, other.turn_open, other.passed = self.side, self.turn_open, self.passed
        other.quiet_turns, other.result, other.key = self.quiet_turns, self.result, self.key

    def quiet_at_turn_end(self) -> int:
        """The count of quiet turns when the last turn ended, for platform rule P3.

        A rule set in which something happens by itself at the beginning of a turn must tell here
        what the count was before that.
        """
        return self.quiet_turns

    def reasons(self, origin: str, target: str) -> list[Reason]:
        """Why the piece on ``origin`` may or may not act on ``target``, most telling first.

        ``origin`` is a square or, for a piece in reserve, the name of its type.  Called only for an
        ongoing game, two different squares, and a piece of the player to act.  If an action of that
        piece ends on or strikes ``target`` at least one reason is legal, else none is; there is
        always at least one.
        """
        raise NotImplementedError

    def grounds(self) -> dict[str, str]:
        """What each square looks like apart from pieces: ``water``, ``mountain``, ``keep`` …

        Rule sets whose fields change that (mountains, keeps, fortresses) add it here.
        """
        laid = self.state().terrain
        return {at: laid.get(at) or self.rules.ground(at) for at in self.rules.board.squares}

    def _reserve_of(self, color: Color) -> Mapping[str, int]:
        """How many pieces of each type ``color`` may still bring to the board."""
        return {}

    def facts(self) -> dict[str, Any]:
        """What this rule set can tell about a position beyond its actions, as plain data."""
        return {}

    def events(self) -> list[Event]:
        """What happened by itself with the last action, in order."""
        return []

    def ending(self) -> End:
        """Why the game is over; called only when ``result`` says that it is."""
        return End.FORCED_PASSES if self.result == DRAWN else End.KING_CAPTURED

    # --- the surface, the same for all ------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board this position stands on."""
        return self.rules.board

    @property
    def turn(self) -> Color:
        """Whose turn it is."""
        return _PLAYERS[self.side]

    @property
    def in_turn(self) -> bool:
        """True while the player to act has already acted in this turn and may act again."""
        return bool(self.turn_open)

    @property
    def hash(self) -> int:
        """A 64-bit number that differs between different positions (the quiet count aside)."""
        return self.key

    def pieces(self) -> Mapping[str, Piece]:
        """The pieces by square."""
        return self.state().pieces

    def piece_at(self, square: str) -> Piece | None:
        """The piece on a square, if there is one."""
        self.board.index(square)
        return self.pieces().get(square)

    def terrain_at(self, square: str) -> str:
        """The ground of a square, as the rule set names it."""
        self.board.index(square)
        return self.grounds()[square]

    def in_reserve(self, color: Color | str) -> Mapping[str, int]:
        """How many pieces of each type a player may still bring to the board."""
        return self._reserve_of(Color.parse(color))

    def legal_actions(self) -> list[Action]:
        """Everything the player to act may do now; nothing once the game is over."""
        found = Stack()
        self.generate(found)
        board = self.rules.board
        return [make_action(found.items[i], board) for i in range(found.size)]

    def action_texts(self) -> list[str]:
        """The texts of the legal actions, in the same order."""
        found = Stack()
        self.generate(found)
        board = self.rules.board
        known = known_texts(board)
        texts: list[str] = []
        for i in range(found.size):
            code = found.items[i]
            text = known.get(code)
            texts.append(action_text(code, board) if text is None else text)
        return texts

    def threats(self) -> list[str]:
        """The squares of own pieces that the opponent could strike if it were his turn now.

        >>> import cyvasse
        >>> cyvasse.rule_set("croft").random_position(seed=1, actions=30).threats()
        ['b1']
        """
        other = self.given_away()
        if other is None:
            return []
        struck = [at for action in other.capturing_actions() for at in action.struck]
        own = self.turn
        return [at for at, piece in self.state().pieces.items() if at in struck and piece[0] is own]

    def layers(self) -> list[Layer]:
        """What can be shown about the pieces on demand; see ``rules/layers.py``."""
        return [*self.rules.layers(self), strikes(self)]

    def given_away(self) -> Position | None:
        """The position in which the opponent is to act instead; None where that cannot be."""
        if self.turn_open or self.passed or self.outcome() is not None:
            return None
        other = self.copy()
        other.make(PASS)
        return other

    def is_legal(self, action: Action | str) -> bool:
        """Whether the action, or its text, may be played now."""
        return self._is_generated(self._read(action), Stack())

    def parse_action(self, text: str) -> Action:
        """The legal action with that text; errors say why there is none."""
        action = self._read(text)
        if not self._is_generated(action, Stack()):
            raise IllegalActionError(self._refusal(action))
        return action

    def play(self, action: Action | str) -> None:
        """Carry out a legal action, given as an object or as text."""
        action = self._read(action)
        if not self._is_generated(action, Stack()):
            raise IllegalActionError(self._refusal(action))
        self.make(action.code)

    def play_on(
        self, actions: Iterable[Action], seen: dict[int, int], repetitions: int, quiet: int
    ) -> tuple[int, list[int]]:
        """Play one action after another; how many were legal, and with which of them turns ended.

        ``seen`` counts the hashes at the ends of turns.  It stops at the first action that is not
        legal, and when a turn has ended at a hash that was seen so many times or as the last of so
        many quiet ones.
        """
        board = self.rules.board
        played = 0
        ends: list[int] = []
        found = Stack()
        for action in actions:
            if action.board is not board or not self._is_generated(action, found):
                break
            self.make(action.code)
            played += 1
            if not self.turn_open:
                ends.append(played)
                key = self.key
                times = seen.get(key, 0) + 1
                seen[key] = times
                if times >= repetitions or self.quiet_at_turn_end() >= quiet:
                    break
        return played, ends

    def capturing_actions(self) -> list[Action]:
        """The legal actions that may take something, as the search looks at them first."""
        found = Stack()
        self.generate_captures(found)
        board = self.rules.board
        return [make_action(found.items[i], board) for i in range(found.size)]

    def undo(self) -> Action:
        """Take back the last action and return it."""
        if self.history.size == 0:
            raise NothingToUndoError("nothing has been played since this position was made")
        code = self.history.items[self.history.size - 1] & 0xFFFFFFFF
        self.unmake()
        return make_action(code, self.rules.board)

    def outcome(self) -> Outcome | None:
        """How the game ended by the rules alone, or None while it goes on.

        Resignation, agreement, repetition and the quiet count are matters of a ``Game``.
        """
        if self.result == DRAWN:
            return Outcome(None, self.ending())
        if self.result != ONGOING:
            return Outcome(WHITE if self.result == WHITE_WINS else BLACK, self.ending())
        found = Stack()
        self.generate(found)
        return None if found.size else Outcome(self.turn.other, End.NO_ACTION)

    def turned(self) -> Position:
        """The same position with the board turned by 180° and the colours swapped."""
        return self.rules.position(self.state().turned(self.rules.state_fields, self.board))

    # Two conveniences that look up to the notation; imported when used, so that the rules
    # themselves need nothing above them.

    def text(self) -> str:
        """The position in one line; ``cyvasse.parse_position`` reads it."""
        from cyvasse.notation import write_position

        return write_position(self)

    def _repr_svg_(self) -> str:
        """The board as notebooks show it."""
        from cyvasse.draw import board_svg

        return board_svg(self, size=480)

    def __str__(self) -> str:
        from cyvasse.notation import diagram

        return diagram(self)

    def __repr__(self) -> str:
        return f"<Position {self.text()}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        # By the surface: compiled, the inner face of ``other`` cannot be seen from here.
        return (
            self.hash == other.hash and self.rules is other.rules and self.state() == other.state()
        )

    __hash__ = None  # type: ignore[assignment]  # mutable, like a list

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # Through plain data: C arrays do not pickle.  What was played before is not kept; a Game
        # keeps it.
        return self.rules.position, (self.state(),)

    def _read(self, action: Action | str) -> Action:
        if isinstance(action, Action):
            if action.board is not self.rules.board:
                raise IllegalActionError(
                    f"{action} is an action on the {action.board.name} board, "
                    f"not on the {self.rules.board.name} board"
                )
            return action
        return Action.parse(action, self.rules.board)

    def _is_generated(self, action: Action, found: Stack) -> bool:
        """Whether the action is legal; what ``found`` holds is overwritten."""
        code = action.code
        found.size = 0
        self.generate_like(code, found)
        # No any(): its generator would make every number an object.
        for i in range(found.size):
            if found.items[i] == code:
                break
        else:
            return False
        return True

    def _refusal(self, action: Action) -> str:
        from cyvasse.explain import refusal

        return f"{action} is not legal here: {refusal(self, action)}"


class _CheckedState(State):
    """A state that two legal setups have given just now, so that nothing is left to check."""


class RuleSet:
    """What never changes in a rule set, and the maker of its positions and setups."""

    id: ClassVar[str]
    """As in texts and commands: ``nine-tile``."""
    title: ClassVar[str]
    """As players read it: ``Nine-Tile Cyvasse``."""
    author: ClassVar[str]
    summary: ClassVar[str]
    """Its character in a sentence."""
    board: ClassVar[Board]
    piece_types: ClassVar[tuple[PieceType, ...]]
    terrain_letters: ClassVar[Mapping[str, str]]
    """A letter for each ground that players lay, for texts: ``{"water": "w"}``."""
    state_fields: ClassVar[Fields] = ()
    """What a state has beyond pieces, terrain and whose turn it is."""
    setup_fields: ClassVar[Fields] = ()
    """What a setup has beyond pieces and terrain."""
    noted_events: ClassVar[tuple[str, ...]] = ()
    """The kinds of events that game files tell with the action that brought them about."""
    event_words: ClassVar[Mapping[str, str]] = {}
    """A sentence for each kind of event, with ``{owner}``, ``{piece}`` and ``{square}``."""
    fact_names: ClassVar[tuple[str, ...]] = ()
    """The keys of ``Position.facts``."""
    first_player: ClassVar[Color | None] = None
    """Who begins, or None where the lot decides."""

    # --- each rule set writes these ---------------------------------------------------------------

    def position(self, state: State) -> Position:
        """The position that a state describes; StateError in words if there can be none."""
        raise NotImplementedError

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        """The state when the screen is lifted over two legal setups.

        Its terrain and the fields that it mentions are in canonical form.
        """
        raise NotImplementedError

    def setup_problems(self, setup: Setup) -> list[Problem]:
        """Everything that is wrong with a setup, in words; empty for a legal one.

        Squares, piece types and shapes of fields are already checked, nothing else is.
        """
        raise NotImplementedError

    def random_setup_for(self, color: Color, chance: random.Random) -> Setup:
        """A legal setup drawn at random; every legal setup can come up."""
        raise NotImplementedError

    def white_setups(self) -> Mapping[str, Setup]:
        """Good setups by name, arranged for White."""
        raise NotImplementedError

    def changed_setup(self, setup: Setup, chance: random.Random) -> Setup:
        """A legal setup with one small change drawn at random.

        The result may be illegal or the same: ``varied_setup`` draws again.  Small changes one
        after the other must lead from every legal setup to every other one.
        """
        raise NotImplementedError

    def evaluation(self, weights: Mapping[str, int] | None = None) -> Evaluation:
        """A new evaluation of this rule set's positions, for one thread."""
        raise NotImplementedError

    def record(self, action: Action) -> dict[str, Any]:
        """An action as plain data, in the words of the position files."""
        raise NotImplementedError

    def game_differences(self, record: Mapping[str, Any]) -> Iterator[str]:
        """Replay a whole game that another program has recorded and tell where it differs."""
        raise StateError(f"{self.title} has no form for records of whole games")

    def ground(self, square: str) -> str:
        """The ground of a square on which nobody has laid anything."""
        return "open"

    def home(self, color: Color) -> tuple[str, ...]:
        """The squares behind a player's screen."""
        raise NotImplementedError

    def features(self, state: State) -> Iterable[Feature]:
        """What there is to see beyond pieces and grounds; ``rules/scenery.py`` has the words.

        A state of one lone setup has fields at their defaults.
        """
        return ()

    def setup_features(self, setup: Setup) -> Iterable[Feature]:
        """What can be seen only as long as a setup is arranged."""
        return ()

    def layers(self, position: Position) -> Iterable[Layer]:
        """What this rule set can show about pieces on demand, beyond who takes whom."""
        return ()

    def stores(self, state: State) -> Iterable[Store]:
        """The pieces beside the board that the rules still know."""
        return ()

    # --- the same for all -------------------------------------------------------------------------

    @cached_property
    def _types(self) -> dict[str, PieceType]:
        return {kind.name: kind for kind in self.piece_types}

    @cached_property
    def _men(self) -> dict[Color, dict[str, Piece]]:
        return {color: {name: Piece(color, name) for name in self._types} for color in Color}

    def piece_type(self, name: object) -> PieceType:
        """The piece type of that name."""
        if isinstance(name, str) and name in self._types:
            return self._types[name]
        names = in_words([kind.name for kind in self.piece_types])
        raise UnknownPieceError(f"{self.title} has no piece {name!r}; it has {names}")

    def start(self, white: Setup, black: Setup, first: Color | str | None = None) -> Position:
        """Lift the screen: the position in which ``first`` begins.

        Where the rule set fixes who begins ``first`` may be left out.
        """
        white, black = self.checked_setup(white, WHITE), self.checked_setup(black, BLACK)
        first = self.first_player if first is None else Color.parse(first)
        if first is None:
            raise StateError(f"{self.title} draws lots for the first turn: say who begins")
        return self.lifted(white, black, first)

    def men_of(self, setup: Setup) -> dict[str, Piece]:
        """The pieces of a setup on their squares."""
        men = self._men[setup.color]
        return {at: men[name] for at, name in setup.pieces.items()}

    def lifted(self, white: Setup, black: Setup, first: Color) -> Position:
        """The first position of two setups that ``checked_setup`` has returned.

        Nothing is checked again: nobody else may have held them since.  A rule set that can do
        without a state in between makes reading many games faster.
        """
        state = self.start_state(white, black, first)
        fields = {**self._unset, **state.fields}
        return self.position(_CheckedState(state.pieces, state.terrain, first, fields=fields))

    @cached_property
    def _unset(self) -> dict[str, Any]:
        """The fields of states at their defaults.  Positions copy what they keep."""
        return filled_fields(self.state_fields, {})

    def check_setup(self, setup: Setup) -> list[Problem]:
        """Every problem of a setup in words; an empty list means that it is legal."""
        problems = self._misfits(setup)
        return problems or self.setup_problems(self.canonical_setup(setup))

    def checked_setup(self, setup: Setup, color: Color | str | None = None) -> Setup:
        """The setup in canonical form; SetupError listing all problems if it is not legal."""
        problems = self.check_setup(setup)
        owner = None if color is None else Color.parse(color)
        claimed = setup.color if isinstance(setup, Setup) else None
        if owner is not None and isinstance(claimed, Color) and claimed is not owner:
            problems.insert(0, Problem(f"This is a setup for {claimed}, not for {owner}."))
        if problems:
            listed = " ".join(problem.text for problem in problems)
            whose = "The" if owner is None else f"{owner.title}'s"
            raise SetupError(f"{whose} setup is not legal: {listed}", problems)
        return self.canonical_setup(setup)

    def canonical_setup(self, setup: Setup) -> Setup:
        """The setup with sorted squares and every field present; it may still be illegal."""
        problems = self._misfits(setup)
        if problems:
            listed = " ".join(problem.text for problem in problems)
            raise StateError(f"This setup cannot be: {listed}")
        return Setup(
            self.id,
            setup.color,
            dict(sorted(setup.pieces.items())),
            self._checked_terrain(setup.terrain),
            check_fields(self.setup_fields, setup.fields, self.board, "a setup"),
        )

    def _misfits(self, setup: Setup) -> list[Problem]:
        """What keeps a setup from being one at all: names that this rule set does not know."""
        if not isinstance(setup, Setup):
            return [Problem(f"{setup!r:.40} is not a setup.")]
        if setup.rule_set != self.id:
            return [Problem(f"This is a setup for {setup.rule_set}, not for {self.id}.")]
        for name in ("pieces", "terrain", "fields"):
            if not isinstance(getattr(setup, name), Mapping):
                return [Problem(f"Its {name} are no mapping but {getattr(setup, name)!r:.40}.")]
        problems = []
        if not isinstance(setup.color, Color):
            problems.append(Problem(f"Its owner is {setup.color!r:.40}, not a Color."))
        for square, name in setup.pieces.items():
            for check, word in ((self._check_square, square), (self.piece_type, name)):
                try:
                    check(word)
                except CyvasseError as error:
                    problems.append(self._misfit(error, square))
        for square, ground in setup.terrain.items():
            try:
                self._checked_terrain({square: ground})
            except StateError as error:
                problems.append(self._misfit(error, square))
        try:
            check_fields(self.setup_fields, setup.fields, self.board, "a setup")
        except StateError as error:
            problems.append(self._misfit(error))
        return problems

    def _misfit(self, error: CyvasseError, square: str | None = None) -> Problem:
        text = str(error)
        if text.split()[0] not in self.board:
            text = text[0].upper() + text[1:]
        return Problem(f"{text}.", (square,) if square is not None and square in self.board else ())

    def turned_setup(self, setup: Setup) -> Setup:
        """The same setup for the other player."""
        setup = self.canonical_setup(setup)
        turn = self.board.turned
        return self.canonical_setup(
            Setup(
                self.id,
                setup.color.other,
                {turn(square): name for square, name in setup.pieces.items()},
                {turn(square): ground for square, ground in setup.terrain.items()},
                turn_fields(self.setup_fields, setup.fields, self.board),
            )
        )

    def named_setups(self, color: Color | str = WHITE) -> dict[str, Setup]:
        """Good setups by name, for the player who asks."""
        setups = {name: self.canonical_setup(s) for name, s in self.white_setups().items()}
        if Color.parse(color) is WHITE:
            return setups
        return {name: self.turned_setup(setup) for name, setup in setups.items()}

    def random_setup(self, color: Color | str, seed: int | random.Random | None = None) -> Setup:
        """A legal setup drawn at random, the same one for the same seed."""
        chance = seed if isinstance(seed, random.Random) else random.Random(seed)
        return self.canonical_setup(self.random_setup_for(Color.parse(color), chance))

    def varied_setup(self, setup: Setup, seed: int | random.Random | None = None) -> Setup:
        """A legal setup of the same player that differs a little from this legal one.

        >>> import cyvasse
        >>> rules = cyvasse.rule_set("nine-tile")
        >>> setup = rules.random_setup("white", seed=1)
        >>> rules.varied_setup(setup, seed=1) == setup
        False
        """
        chance = seed if isinstance(seed, random.Random) else random.Random(seed)
        setup = self.checked_setup(setup)
        while True:
            changed = self.changed_setup(setup, chance)
            if not self.check_setup(changed):
                changed = self.canonical_setup(changed)
                if changed != setup:
                    return changed

    def _exchanged(self, setup: Setup, chance: random.Random) -> Setup:
        """One piece goes to another square of the own half; what stands there takes its place."""
        origin = chance.choice(sorted(setup.pieces))
        target = chance.choice(self.home(setup.color))
        return setup.with_pieces(exchanged(setup.pieces, origin, target))

    def random_position(
        self, seed: int | random.Random | None = None, actions: int = 0
    ) -> Position:
        """Two random setups, the screen lifted, and some random actions played."""
        chance = seed if isinstance(seed, random.Random) else random.Random(seed)
        white, black = self.random_setup(WHITE, chance), self.random_setup(BLACK, chance)
        first = chance.choice([WHITE, BLACK]) if self.first_player is None else self.first_player
        position = self.start(white, black, first)
        for _ in range(actions):
            legal = position.legal_actions()
            if not legal:
                break
            position.play(chance.choice(legal))
        return position

    def checked_state(self, state: State) -> State:
        """The state in canonical form; StateError if it can be no position of any rule set."""
        if type(state) is _CheckedState:
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
        counts: dict[Piece, int] = {}
        for square, piece in state.pieces.items():
            self._check_square(square)
            if not isinstance(piece, Piece) or not isinstance(piece.color, Color):
                raise StateError(f"{piece!r:.40} on {square} is not a piece with a colour")
            kind = self.piece_type(piece.type)
            counts[piece] = number = counts.get(piece, 0) + 1
            if number > kind.count:
                raise StateError(
                    f"{piece.color.title} has more than {kind.count} {kind.title} on the board"
                )
        quiet = state.quiet_turns
        if type(quiet) is not int or not -1 <= quiet <= QUIET_LIMIT:
            raise StateError(f"quiet_turns is {quiet!r}, not a number from -1 to {QUIET_LIMIT}")
        return State(
            dict(sorted(state.pieces.items())),
            self._checked_terrain(state.terrain),
            Color.parse(state.to_move),
            quiet,
            state.passed,
            check_fields(self.state_fields, state.fields, self.board, "a position"),
            state.drawn,
        )

    def _check_square(self, square: object) -> None:
        if not isinstance(square, str) or square not in self.board:
            raise StateError(f"no square {square!r} on the {self.board.name} board")

    def _checked_terrain(self, terrain: Mapping[str, str]) -> dict[str, str]:
        for square, ground in terrain.items():
            self._check_square(square)
            laid = isinstance(ground, str) and ground in self.terrain_letters
            if not laid and ground != self.ground(square):
                known = dict.fromkeys([*self.terrain_letters, self.ground(square)])
                kinds = in_words(list(known))
                raise StateError(f"{square} is {ground!r}; the ground laid here is {kinds}")
        return {at: ground for at, ground in sorted(terrain.items()) if ground != self.ground(at)}

    def told(self, event: Event) -> str:
        """An event as a sentence.

        >>> from cyvasse import rule_set
        >>> rule_set("croft").told(Event("keep_destroyed", WHITE, "e2"))
        "White's keep on e2 falls."
        """
        return self.event_words[event.kind].format(
            owner=f"{event.color.title}'s",
            piece=event.piece and self.piece_type(event.piece).title,
            square=event.square,
        )

    def __repr__(self) -> str:
        return f"<RuleSet {self.id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from cyvasse.rules import rule_set

        return rule_set, (self.id,)
