"""The words that all rule sets share: colours, pieces, outcomes, setups, states and their fields.

A *state* is a position written out as plain data, a *setup* is one player's side before the screen
is lifted.  Beyond pieces and terrain each rule set adds *fields* of its own (a second Rabble, a
reserve, a ruined fortress).  It declares them with a *shape*; everything that reads, writes, checks
or turns them elsewhere follows the shape and so needs no word about any rule set.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeVar

from cyvasse.boards import Board
from cyvasse.errors import CyvasseError, StateError

T = TypeVar("T")
Seat = Literal["white", "black"]
_WORDS: tuple[Seat, Seat] = ("white", "black")
_LISTS = (list, tuple, set, frozenset)


class Color(enum.IntEnum):
    """The two players.  White sits at row 1."""

    WHITE = 0
    BLACK = 1

    # Pieces are keys of dictionaries, and the hash of an enumeration is Python code.
    __hash__ = int.__hash__

    def __bool__(self) -> bool:
        # `first or default` must not take White, whose number is 0, for nobody.
        return True

    @property
    def other(self) -> Color:
        """The opponent."""
        return BLACK if self is WHITE else WHITE

    @property
    def title(self) -> str:
        """As players read it: ``White``."""
        return self.name.capitalize()

    @property
    def word(self) -> Seat:
        """As texts and documents write it."""
        return _WORDS[self]

    def __str__(self) -> str:
        return _WORDS[self]

    @staticmethod
    def parse(value: object) -> Color:
        """A colour from ``"white"``, ``"black"`` or a Color.

        >>> Color.parse("white")
        <Color.WHITE: 0>
        """
        if isinstance(value, Color):
            return value
        if value == "white":
            return WHITE
        if value == "black":
            return BLACK
        raise CyvasseError(f"a player is 'white' or 'black', not {value!r:.40}")


WHITE = Color.WHITE
"""Who sits at row 1."""
BLACK = Color.BLACK
"""Who sits opposite."""


@dataclass(frozen=True, slots=True)
class PieceType:
    """A kind of piece in one rule set."""

    name: str
    """As in the texts of positions and actions: ``light_horse``."""
    title: str
    """As players read it: ``Light Horse``."""
    letter: str
    """One of ``cyvasse.actions.LETTERS``."""
    count: int
    """How many each player has."""
    about: str
    """What it does in this rule set, in a sentence or two."""
    plural: str = ""
    """The title of several, if it is not the title and an s: ``Spearmen``."""
    many: bool = False
    """Whether the title of one takes a plural verb: the Crossbows move."""
    facts: tuple[str, ...] = ()
    """Its numbers, a few words each: ``Tier 3``."""

    def counted(self, number: int) -> str:
        """So many of them.

        >>> PieceType("tower", "Tower", "W", 2, "Never moves.").counted(2)
        '2 Towers'
        """
        return f"{number} {self.title if number == 1 else self.plural or self.title + 's'}"

    def does(self, verb: str) -> str:
        """A verb as it follows the title.

        >>> tower = PieceType("tower", "Tower", "W", 2, "Never moves.")
        >>> tower.does("be"), tower.does("go"), tower.does("stand")
        ('is', 'goes', 'stands')
        """
        if verb == "be":
            return "are" if self.many else "is"
        return verb if self.many else verb + ("es" if verb.endswith("o") else "s")


class Piece(NamedTuple):
    """A piece on the board.

    >>> Piece(WHITE, "king")
    Piece(color=<Color.WHITE: 0>, type='king')
    """

    color: Color
    type: str


def men(types: Iterable[PieceType]) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of White and of Black, in the order of the types.

    Positions write out dozens of pieces at a time, so they share these.
    """
    names = [kind.name for kind in types]
    return tuple(tuple(Piece(color, name) for name in names) for color in Color)


def by_name(things: dict[str, T]) -> dict[str, T]:
    """The same things with their squares in order."""
    return {at: things[at] for at in sorted(things)}


REPETITIONS = 3
"""Platform rule P2: a game is drawn when a position stands so often at the start of a turn."""
QUIET_TURNS = 100
"""Platform rule P3: a game is drawn after so many turns without progress."""


class End(enum.StrEnum):
    """Why a game is over.  The wording is what game files and players see."""

    KING_CAPTURED = "king captured"
    KING_LOST = "king not replaced in time"
    GOAL_REACHED = "goal reached"
    NO_ACTION = "no legal action"
    FORCED_PASSES = "two forced passes in a row"
    REPETITION = "third repetition"
    QUIET = f"{QUIET_TURNS} turns without progress"
    RESIGNATION = "resignation"
    AGREEMENT = "draw agreed"
    TIME = "out of time"


Result = Literal["1-0", "0-1", "1/2-1/2"]


class Outcome(NamedTuple):
    """How a game ended; ``winner`` is None for a draw."""

    winner: Color | None
    end: End

    @property
    def result(self) -> Result:
        """The result as game files write it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is WHITE else "0-1"

    def __str__(self) -> str:
        who = f"{self.winner.title} wins" if self.winner is not None else "Draw"
        return f"{who}: {self.end}"


class Problem(NamedTuple):
    """One thing that is wrong with a setup, and the squares (if any) where it is wrong."""

    text: str
    squares: tuple[str, ...] = ()
    thing: str = ""
    """What has to be laid or moved, if that is one thing: a piece type, or the field or ground of a
    tool.  So an editor can show where it waits."""

    def __str__(self) -> str:
        return self.text


class Reason(NamedTuple):
    """Why something is legal or not: a sentence, and the rule it cites."""

    legal: bool
    sentence: str
    rule: str

    def __str__(self) -> str:
        return f"{self.sentence} ({self.rule})"


class Effect(NamedTuple):
    """What an action brings about by itself: a promotion, a keep destroyed …

    ``kind`` is a word of the rule set's own; ``square`` and ``piece`` say where and to what.
    """

    kind: str
    color: Color
    square: str | None = None
    piece: str | None = None


# --- shapes: what the value of a field looks like -------------------------------------------------


class Shape:
    """What the values of a field look like.  Values are plain data: JSON could hold them."""

    def default(self) -> Any:
        """The value of a field that is not mentioned."""
        raise NotImplementedError

    def check(self, value: Any, board: Board, path: str) -> Any:
        """The value in its one canonical form; StateError if it does not fit."""
        raise NotImplementedError

    def turned(self, value: Any, board: Board) -> Any:
        """The value after the board is turned by 180° and the colours are swapped."""
        return value


def _misfit(path: str, value: object, wanted: str) -> StateError:
    text = repr(value)
    return StateError(f"{path} is {text if len(text) < 60 else text[:57] + '...'}, not {wanted}")


@dataclass(frozen=True)
class Flag(Shape):
    """Yes or no."""

    def default(self) -> bool:
        return False

    def check(self, value: Any, board: Board, path: str) -> bool:
        if not isinstance(value, bool):
            raise _misfit(path, value, "true or false")
        return value


@dataclass(frozen=True)
class Word(Shape):
    """One of several words, or none."""

    choices: tuple[str, ...]

    def default(self) -> None:
        return None

    def check(self, value: Any, board: Board, path: str) -> str | None:
        if value is not None and value not in self.choices:
            raise _misfit(path, value, "one of " + ", ".join(self.choices))
        return None if value is None else str(value)


@dataclass(frozen=True)
class Direction(Shape):
    """A direction of the board, or none."""

    def default(self) -> None:
        return None

    def check(self, value: Any, board: Board, path: str) -> str | None:
        if value is not None and value not in board.directions:
            raise _misfit(path, value, "one of " + ", ".join(board.directions))
        return None if value is None else str(value)

    def turned(self, value: Any, board: Board) -> Any:
        return None if value is None else board.turned_direction(value)


@dataclass(frozen=True)
class Square(Shape):
    """The name of a square, or None."""

    def default(self) -> None:
        return None

    def check(self, value: Any, board: Board, path: str) -> str | None:
        if value is not None and (not isinstance(value, str) or value not in board):
            raise _misfit(path, value, f"a square of the {board.name} board")
        return value

    def turned(self, value: Any, board: Board) -> Any:
        return None if value is None else board.turned(value)


@dataclass(frozen=True)
class Squares(Shape):
    """A set of squares, as a list sorted by name."""

    def default(self) -> list[str]:
        return []

    def check(self, value: Any, board: Board, path: str) -> list[str]:
        if not isinstance(value, _LISTS):
            raise _misfit(path, value, "a list of squares")
        for square in value:
            if not isinstance(square, str) or square not in board.numbers:
                raise _misfit(path, square, f"a square of the {board.name} board")
        if len(set(value)) != len(value):
            raise _misfit(path, value, "a list without repetitions")
        return sorted(value)

    def turned(self, value: Any, board: Board) -> Any:
        return sorted(board.turned(square) for square in value)


@dataclass(frozen=True)
class Counts(Shape):
    """How many of each word; zeros are left out."""

    words: tuple[str, ...]

    def default(self) -> dict[str, int]:
        return {}

    def check(self, value: Any, board: Board, path: str) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise _misfit(path, value, "numbers of " + ", ".join(self.words))
        for word, number in value.items():
            if word not in self.words:
                raise _misfit(path, word, "one of " + ", ".join(self.words))
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 100:
                raise _misfit(f"{path}.{word}", number, "a whole number from 0 to 99")
        return {word: value[word] for word in self.words if value.get(word)}


@dataclass(frozen=True)
class PerSquare(Shape):
    """A value for some of the squares; squares at the default are left out."""

    inner: Shape

    def default(self) -> dict[str, Any]:
        return {}

    def check(self, value: Any, board: Board, path: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _misfit(path, value, "values by square")
        checked = {}
        for square in sorted(value, key=str):
            if not isinstance(square, str) or square not in board:
                raise _misfit(path, square, f"a square of the {board.name} board")
            item = self.inner.check(value[square], board, f"{path}.{square}")
            if item != self.inner.default():
                checked[square] = item
        return checked

    def turned(self, value: Any, board: Board) -> Any:
        turned = {board.turned(at): self.inner.turned(item, board) for at, item in value.items()}
        return dict(sorted(turned.items()))


@dataclass(frozen=True)
class Record(Shape):
    """Several named values of different shapes."""

    parts: Mapping[str, Shape]

    def default(self) -> dict[str, Any]:
        return {name: shape.default() for name, shape in self.parts.items()}

    def check(self, value: Any, board: Board, path: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _misfit(path, value, "a record of " + ", ".join(self.parts))
        for name in value:
            if name not in self.parts:
                raise StateError(f"{path} has no {name!r:.40}, only {in_words(list(self.parts))}")
        return {
            name: shape.check(value[name], board, f"{path}.{name}")
            if name in value
            else shape.default()
            for name, shape in self.parts.items()
        }

    def turned(self, value: Any, board: Board) -> Any:
        return {name: shape.turned(value[name], board) for name, shape in self.parts.items()}


class PerColor(Record):
    """One value for each player."""

    def __init__(self, inner: Shape) -> None:
        super().__init__({"white": inner, "black": inner})

    def turned(self, value: Any, board: Board) -> Any:
        turned = super().turned(value, board)
        return {"white": turned["black"], "black": turned["white"]}


@dataclass(frozen=True)
class Field:
    """Something a rule set adds to its states or setups."""

    name: str
    shape: Shape
    about: str
    of_piece: bool = False
    """A PerSquare field (or Squares) that documents write into the pieces they are about."""


Fields = tuple[Field, ...]


def check_fields(
    fields: Fields, values: Mapping[str, Any], board: Board, what: str
) -> dict[str, Any]:
    """All fields in canonical form; what is not mentioned gets its default."""
    names = [item.name for item in fields]
    for name in values:
        if name not in names:
            allowed = ", ".join(names) or "none at all"
            raise StateError(f"{what} has no field {name!r}; it may have {allowed}")
    return {
        item.name: item.shape.check(values[item.name], board, item.name)
        if item.name in values
        else item.shape.default()
        for item in fields
    }


def filled_fields(fields: Fields, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values in canonical form as they are; what is not mentioned gets its default."""
    return {
        item.name: values[item.name] if item.name in values else item.shape.default()
        for item in fields
    }


def turn_fields(fields: Fields, values: Mapping[str, Any], board: Board) -> dict[str, Any]:
    return {item.name: item.shape.turned(values[item.name], board) for item in fields}


# --- states and setups ----------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """A position as plain data: everything that decides what is legal, and the count of P3."""

    pieces: Mapping[str, Piece]
    terrain: Mapping[str, str] = field(default_factory=dict)
    """What players laid on the board; squares without anything special are left out."""
    to_move: Color = WHITE
    quiet_turns: int = 0
    """Turns in a row without a capture, drop, promotion or ruin (platform rule P3); -1 while the
    turn that is going on has already brought one of them."""
    passed: bool = False
    """Whether the last action was a forced pass (platform rule P4)."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The rule set's own fields."""
    drawn: bool = False
    """Whether the second forced pass in a row has ended the game (P4)."""

    def turned(self, fields: Fields, board: Board) -> State:
        """Turn the board by 180° and swap the colours: the same game seen by the other player."""
        return State(
            {board.turned(at): Piece(p.color.other, p.type) for at, p in self.pieces.items()},
            {board.turned(at): ground for at, ground in self.terrain.items()},
            self.to_move.other,
            self.quiet_turns,
            self.passed,
            turn_fields(fields, self.fields, board),
            self.drawn,
        )


@dataclass(frozen=True)
class Setup:
    """One player's side of the board, as arranged behind the screen."""

    rule_set: str
    color: Color
    pieces: Mapping[str, str]
    """The type of the piece on each square."""
    terrain: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)

    def with_pieces(self, pieces: Mapping[str, str]) -> Setup:
        """The same ground with other pieces on it."""
        return replace(self, pieces=dict(pieces))


def exchanged(things: Mapping[str, str], one: str, other: str) -> dict[str, str]:
    """What lies on the squares, with the things on two of them changed for one another.

    >>> exchanged({"a1": "king", "b1": "tower"}, "a1", "c1")
    {'c1': 'king', 'b1': 'tower'}
    """
    turned = {one: other, other: one}
    return {turned.get(at, at): thing for at, thing in things.items()}


def in_words(items: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
