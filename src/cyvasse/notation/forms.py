"""The forms of documents and views: which keys they have, for type checkers and for the wire.

They are plain dictionaries all the same.  Those in ``OPEN`` also have the rule set's own fields, by
name, as docs/formats.md lists them.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from cyvasse.rules.terms import Result, Seat


class PieceAt(TypedDict):
    """A piece on the board."""

    type: str
    color: Seat
    at: str


class PositionDocument(TypedDict):
    """A position as plain data."""

    pieces: list[PieceAt]
    terrain: dict[str, str]
    to_move: Seat
    quiet_turns: int
    passed: bool
    drawn: bool


class OwnPieceAt(TypedDict):
    """A piece of a setup, whose colour is the setup's."""

    type: str
    at: str


class SetupDocument(TypedDict):
    """A setup as plain data."""

    rule_set: str
    color: Seat
    pieces: list[OwnPieceAt]
    terrain: dict[str, str]


class FeatureDocument(TypedDict):
    """Something to see on the board beyond its pieces and grounds."""

    kind: str
    squares: list[str]
    color: Seat | None
    direction: str | None


class StoreDocument(TypedDict):
    """Pieces beside the board."""

    kind: str
    color: Seat
    pieces: dict[str, int]


class Scenery(TypedDict):
    """What there is to see beyond pieces and grounds."""

    features: list[FeatureDocument]
    stores: list[StoreDocument]


class SetupScenery(TypedDict):
    """What there is to see of one player's setup, with the ground of every square."""

    grounds: dict[str, str]
    features: list[FeatureDocument]
    stores: list[StoreDocument]


class SentenceDocument(TypedDict):
    """Something told: a template with its data, and the words as each reads them."""

    template: str
    data: dict[str, str]
    text: str
    white: str
    black: str


class DangerDocument(TypedDict):
    """What a player has to fear: the squares that are in danger, and the pieces that threaten."""

    kind: str
    color: Seat
    squares: list[str]
    by: list[str]
    said: SentenceDocument


class OutcomeDocument(TypedDict):
    """How a game ended, and where."""

    result: Result
    end: str
    said: SentenceDocument
    squares: list[str]


class ToldDocument(TypedDict):
    """What a turn list tells of an action: the letter of the piece that acted, and what it did."""

    letter: str | None
    told: list[SentenceDocument]


class TurnDocument(TypedDict):
    """The actions of one player from the start of a turn to its end."""

    color: Seat
    actions: list[str]


class BoardView(TypedDict):
    """What everybody sees of the board once the screen is lifted."""

    position: PositionDocument
    scenery: Scenery
    in_turn: bool
    ply: int
    legal_actions: list[str]
    told: list[SentenceDocument]
    dangers: list[DangerDocument]


class BothSetups(TypedDict, total=False):
    """The setups that a viewer may see, by player."""

    white: SetupDocument
    black: SetupDocument


class BothReady(TypedDict):
    """Who has submitted a setup."""

    white: bool
    black: bool


class TableView(TypedDict):
    """What a viewer may see on the table; more of it once the screen is lifted."""

    screen_lifted: bool
    setups: BothSetups
    turns: NotRequired[list[TurnDocument]]
    position: NotRequired[PositionDocument]
    scenery: NotRequired[Scenery]
    in_turn: NotRequired[bool]
    ply: NotRequired[int]
    legal_actions: NotRequired[list[str]]
    told: NotRequired[list[SentenceDocument]]
    dangers: NotRequired[list[DangerDocument]]


class GameView(TableView):
    """Everything that a viewer may know of a game."""

    rule_set: str
    viewer: Literal["white", "black", "spectator"]
    repetition: bool
    quiet: bool
    ready: BothReady
    outcome: OutcomeDocument | None


OPEN = (PieceAt, PositionDocument, SetupDocument)
"""The documents that have the rule set's own fields too."""
