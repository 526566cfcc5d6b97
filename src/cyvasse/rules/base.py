"""Position, an aspect of every rule set: what may be done now, doing and undoing it, the end.

A position is mutable and cheap to change.  It has two faces:

* the *inner* face, three methods on whole numbers that the search and perft call without the GIL:
  ``generate``, ``make`` and ``unmake``.  They check nothing;
* the *surface*, for people: squares by name, ``Action`` objects, errors in words, nothing changed
  when something is refused.  This module writes it once, on top of the inner face.

Compiled, the ``.pxd`` beside each hot module turns the inner face into C.  Rules for its code:
whole numbers only, no ``//`` or ``%`` on what may be negative, hashes by xor only, no Python
objects created, and every array index proved at the surface, since C checks none.

What ``make`` must keep up to date:

    ``side``         who acts next.  A turn may be several actions, so it may stay the same
    ``turn_open``    1 while ``side`` has already acted in this turn and may act again
    ``key``          64-bit hash of everything that decides legality, ``side`` included, kept
                     incrementally; two positions that differ in a field differ in their key.
                     The count of quiet turns is no part of it
    ``quiet_turns``  turns ended in a row without a capture (of an own piece too), a drop, a
                     promotion, a keep destroyed or a fortress ruined.  Any of these sets it to -1,
                     the end of a turn adds 1, up to ``QUIET_LIMIT``; so it is -1 exactly while the
                     turn that is going on has already made progress
    ``passed``       1 if the last action was a forced pass that counts towards the draw (P4)
    ``result``       ``ONGOING``, or how the game ended
    ``history``      what ``unmake`` needs: any number of words, the action's own code last

Whoever writes in plain Python derives from ``PlainPosition`` (``plain.py``) and has less to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import Action, action_text, known_texts, make_action
from cyvasse.boards import Board
from cyvasse.errors import (
    IllegalActionError,
    NothingToUndoError,
    StateError,
)
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Effect,
    End,
    Outcome,
    Piece,
    Reason,
    State,
)

if TYPE_CHECKING:
    from cyvasse.rules.dangers import Danger
    from cyvasse.rules.ruleset import RuleSet
    from cyvasse.rules.scene import Layer, Seen
    from cyvasse.rules.sentences import Sentence

_PLAYERS = (WHITE, BLACK)  # Color() would look the number up, which takes longer

# Constants that C code needs stand twice, here and as an enum in the .pxd.
if not cython.compiled:
    from cyvasse.actions import (
        BRING_OUT,
        CAPTURE,
        CAPTURE_LANDING,
        CAPTURE_TWO,
        KIND,
        NO_SQUARE,
        PASS,
        SHOOT,
        SIEGE,
        SQUARE,
        TARGET,
        VICTIM,
    )

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
    fault: BaseException | None
    # The legal actions as somebody has asked for them, and the key and the past they belong to.
    listed: Stack | None
    listed_key: int
    listed_at: int

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
        self.fault = None
        self.listed = None
        self.listed_key = self.listed_at = 0

    # --- the inner face: each rule set writes these three -----------------------------------------

    def generate(self, out: Stack) -> None:
        """Append the code of every legal action to ``out``, in an order that depends on nothing
        but the position and its past.

        A finished game has none.  An ongoing game without any means that ``side`` loses; where a
        rule set lets a stuck player pass instead, it appends ``PASS`` (platform rule P4).
        """
        raise NotImplementedError

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

    # --- each rule set writes these two, too ------------------------------------------------------

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
        other.fault = None
        other.listed = self.listed  # which nobody changes
        other.listed_key, other.listed_at = self.listed_key, self.listed_at

    # --- and these where there is something to gain or to tell ------------------------------------

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

    def quiet_at_turn_end(self) -> int:
        """The count of quiet turns when the last turn ended, for platform rule P3.

        A rule set in which something happens by itself at the beginning of a turn must tell here
        what the count was before that.
        """
        return self.quiet_turns

    def ending(self) -> End:
        """Why the game is over; called only when ``result`` says that it is."""
        return End.FORCED_PASSES if self.result == DRAWN else End.KING_CAPTURED

    def effects(self) -> list[Effect]:
        """What happened by itself with the last action, in order.

        Only the position knows: it reads what ``unmake`` needs.  ``Scene`` has the sentences.
        """
        return []

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

    def scene(self) -> Seen:
        """Everything that a picture of this position shows; see ``rules/scene.py``."""
        return self.rules.scene.of(self)

    def grounds(self) -> Mapping[str, str]:
        """The ground of every square; below a keep or a ruin the ground it stands on."""
        return self.scene().grounds

    def terrain_at(self, square: str) -> str:
        """What is on a square apart from pieces: what is built there, or its ground."""
        self.board.index(square)
        return self.scene().on(square)

    def in_reserve(self, color: Color | str) -> Mapping[str, int]:
        """How many pieces of each type a player may still bring to the board."""
        return self.rules.scene.reserve(self.state(), Color.parse(color))

    def reasons(self, origin: str, target: str) -> list[Reason]:
        """Why a piece may or may not act on a square, as ``RuleSet.reasons`` tells it."""
        return self.rules.reasons(self, origin, target)

    def tallies(self) -> dict[str, Any]:
        """What files with known answers count in a position beyond its actions."""
        return self.rules.records.tallies(self)

    def legal_actions(self) -> list[Action]:
        """Everything the player to act may do now; nothing once the game is over."""
        found = self._listed()
        board = self.rules.board
        return [make_action(found.items[i], board) for i in range(found.size)]

    def action_texts(self) -> list[str]:
        """The texts of the legal actions, in the same order."""
        found = self._listed()
        board = self.rules.board
        known = known_texts(board)
        texts: list[str] = []
        for i in range(found.size):
            code = found.items[i]
            text = known.get(code)
            texts.append(action_text(code, board) if text is None else text)
        return texts

    @property
    def has_past(self) -> bool:
        """Whether an action can be undone."""
        return self.history.size > 0

    def told(self) -> list[Sentence]:
        """What happened in the last turn, or in the one that is going on; see ``Scene.tell``."""
        return self.rules.scene.told(self)

    def dangers(self) -> list[Danger]:
        """What both players have to fear now; see ``rules/dangers.py``.

        >>> import cyvasse
        >>> position = cyvasse.rule_set("croft").random_position(seed=1, actions=30)
        >>> [danger.kind for danger in position.dangers()]
        []
        """
        return self.rules.scene.dangers(self)

    def threats(self) -> list[str]:
        """The squares of own pieces that the opponent could strike if it were his turn now.

        >>> import cyvasse
        >>> cyvasse.rule_set("croft").random_position(seed=1, actions=30).threats()
        ['b1']
        """
        other = self.given_away()
        if other is None:
            return []
        struck = {at for action in other.capturing_actions() for at in action.struck}
        own = self.turn
        return [at for at, piece in self.pieces().items() if at in struck and piece[0] is own]

    def layers(self) -> list[Layer]:
        """What can be shown about the pieces on demand; see ``rules/scene.py``."""
        return self.rules.scene.all_layers(self)

    def given_away(self) -> Position | None:
        """The position in which the opponent is to act instead; None where that cannot be."""
        if self.turn_open or self.passed or self.outcome() is not None:
            return None
        other = self.copy()
        other.make(PASS)
        other.listed = None
        other.raise_fault()
        return other

    def is_legal(self, action: Action | str) -> bool:
        """Whether the action, or its text, may be played now."""
        legal = self._is_generated(self._read(action), Stack())
        self.raise_fault()
        return legal

    def parse_action(self, text: str) -> Action:
        """The legal action with that text; errors say why there is none."""
        action = self._read(text)
        if not self._is_generated(action, Stack()):
            self.raise_fault()
            raise IllegalActionError(self._refusal(action))
        return action

    def play(self, action: Action | str) -> None:
        """Carry out a legal action, given as an object or as text."""
        action = self._read(action)
        if not self._is_generated(action, Stack()):
            self.raise_fault()
            raise IllegalActionError(self._refusal(action))
        self.make(action.code)
        self.listed = None
        self.raise_fault()

    def play_on(
        self, actions: Iterable[Action], seen: dict[int, int], repetitions: int, quiet: int
    ) -> tuple[int, list[int]]:
        """Play one action after another; how many were legal, and with which of them turns ended.

        ``seen`` counts the hashes at the ends of turns.  It stops at the first action that is not
        legal, and when a turn has ended at a hash that was seen so many times or as the last of so
        many quiet ones.  It also stops where the rule set itself fails; the next call tells that.
        """
        board = self.rules.board
        played = 0
        ends: list[int] = []
        found = Stack()
        for action in actions:
            if action.board is not board or not self._is_generated(action, found):
                break
            self.make(action.code)
            self.listed = None
            if self.fault is not None:
                break
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
        self.raise_fault()
        board = self.rules.board
        return [make_action(found.items[i], board) for i in range(found.size)]

    def finishing(self, square: str | None) -> list[tuple[tuple[Action, ...], bool]]:
        """The lines of actions of this turn that strike a square or win the game, and which win.

        Only the position, changed and changed back, knows what a whole turn can bring.
        """
        found: list[tuple[list[int], bool]] = []
        at = NO_SQUARE if square is None else self.rules.board.index(square)
        begun = self.history.size
        self._seek(self._listed(), at, [], found)
        if self.fault is not None:  # told to who plays such a line; nobody has
            self.fault = None
            while self.history.size > begun:
                self.unmake()
                self.raise_fault()
        board = self.rules.board
        return [(tuple([make_action(code, board) for code in line]), won) for line, won in found]

    def _seek(
        self, legal: Stack, square: int, line: list[int], found: list[tuple[list[int], bool]]
    ) -> None:
        side = self.side
        for i in range(legal.size):
            code = legal.items[i]
            kind = code & KIND
            self.make(code)
            if self.result == WHITE_WINS + side:
                found.append(([*line, code], True))
            elif kind in (
                CAPTURE,
                CAPTURE_LANDING,
                CAPTURE_TWO,
                SHOOT,
                SIEGE,
                BRING_OUT,
            ) and square in (code >> TARGET & SQUARE, code >> VICTIM & SQUARE):
                found.append(([*line, code], False))
            elif self.turn_open and self.side == side and self.result == ONGOING:
                further = Stack()
                self.generate(further)
                self._seek(further, square, [*line, code], found)
            self.unmake()
            if self.fault is not None:
                break

    def undo(self) -> Action:
        """Take back the last action and return it."""
        if self.history.size == 0:
            raise NothingToUndoError("nothing has been played since this position was made")
        code = self.history.items[self.history.size - 1] & 0xFFFFFFFF
        self.unmake()
        self.listed = None
        return make_action(code, self.rules.board)

    def outcome(self) -> Outcome | None:
        """How the game ended by the rules alone, or None while it goes on.

        Resignation, agreement, repetition and the quiet count are matters of a ``Game``.
        """
        if self.result == DRAWN:
            return Outcome(None, self.ending())
        if self.result != ONGOING:
            return Outcome(WHITE if self.result == WHITE_WINS else BLACK, self.ending())
        return None if self._listed().size else Outcome(self.turn.other, End.NO_ACTION)

    def turned(self) -> Position:
        """The same position with the board turned by 180° and the colours swapped."""
        return self.rules.position(self.state().turned(self.rules.state_fields, self.board))

    # Conveniences that look up to the notation and the pictures; imported when used, so that the
    # rules themselves need nothing above them.

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

    def _listed(self) -> Stack:
        """The legal actions, which nobody may change: found once, however many ask for them.

        Whoever uses the inner face alone changes a position without a word; the key and the past
        tell.
        """
        if not self._is_listed():
            found = Stack()
            self.generate(found)
            self.raise_fault()
            self.listed = Stack()
            found.copy_to(self.listed)  # without the room that was reserved
            self.listed_key = self.key
            self.listed_at = self.history.size
        assert self.listed is not None
        return self.listed

    def _is_listed(self) -> bool:
        if self.listed is None:
            return False
        return self.listed_key == self.key and self.listed_at == self.history.size

    def _is_generated(self, action: Action, found: Stack) -> bool:
        """Whether the action is legal; what ``found`` holds may be overwritten.

        Not so either where there is a fault: whoever asks looks at that, too.
        """
        code = action.code
        if self._is_listed():
            assert self.listed is not None
            found = self.listed
        else:
            found.size = 0
            self.generate_like(code, found)
        # No any(): its generator would make every number an object.
        for i in range(found.size):
            if found.items[i] == code:
                break
        else:
            return False
        return True

    def raise_fault(self) -> None:
        """Raise what went wrong inside: methods that C calls cannot, so they leave it in ``fault``.

        Until it is raised such a position lists no actions and carries out none, so that whatever
        is going on comes to its end soon.
        """
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault

    def _refusal(self, action: Action) -> str:
        from cyvasse.explain import refusal

        return f"{action} is not legal here: {refusal(self, action)}"


def unwritten(kind: type[Position]) -> list[str]:
    """Which methods of the inner face a class does not write."""
    names: list[str]
    if cython.compiled:
        names = inherited(kind.__new__(kind))  # type: ignore[name-defined]  # noqa: F821
    else:
        inner = ("generate", "make", "unmake")
        names = [name for name in inner if getattr(kind, name) is getattr(Position, name)]
    return names
