"""The messages of the websocket, and the commands that it shares with the REST API.

A message is one JSON object.  ``type`` says which of the classes below it is; docs/server.md
describes the conversation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from cyvasse.notation.forms import (
    BoardView,
    BothReady,
    BothSetups,
    OutcomeDocument,
    SentenceDocument,
    TableView,
)
from cyvasse.server.contest import Agreement, Ahead, Status
from cyvasse.server.events import LoggedEvent, Seat
from cyvasse.server.problems import ProblemDocument

GameId = Annotated[str, Meta(min_length=1, max_length=32)]
Room = Literal["players", "spectators"]
LONGEST_REMARK = 500
LARGEST = 2**31 - 1  # what the database takes for a number

# --- what a player may do -------------------------------------------------------------------------


class Command(
    msgspec.Struct, frozen=True, tag_field="do", kw_only=True, forbid_unknown_fields=True
):
    """Something that a player does.  ``seat`` is needed only where one person has both."""

    seat: Seat | None = None


class Play(Command, frozen=True, tag="play"):
    """Do an action."""

    action: Annotated[str, Meta(min_length=1, max_length=40, examples=["e4-e5"])]
    ply: Annotated[
        int, Meta(ge=0, le=1_000_000, description="How many actions have been played before it.")
    ]


class PlayTurn(Command, frozen=True, tag="play_turn"):
    """Do a whole turn, or nothing.

    If the turn would go on after these actions the answer is a ``preview``: the board as it would
    be.  So a player can take the first actions back before anybody has seen them.
    """

    actions: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=40, examples=["e4-e5"])]],
        Meta(min_length=1, max_length=20),
    ]
    ply: Annotated[
        int, Meta(ge=0, le=1_000_000, description="How many actions have been played before it.")
    ]
    hold: Annotated[
        bool, Meta(description="Play nothing even if the turn is whole; only show the board.")
    ] = False
    careful: Annotated[
        bool,
        Meta(description="Play nothing that gives the King away or strikes an own piece: ask."),
    ] = False


class Submit(Command, frozen=True, tag="submit"):
    """Be ready with this setup."""

    setup: Mapping[str, Any]


class AskSeat(Command, frozen=True, tag="ask_seat"):
    """Ask for the free seat that is kept for whoever has the invitation.  Players cannot."""


class GrantSeat(Command, frozen=True, tag="grant_seat"):
    """Give the free seat to whoever asks for it."""


class DeclineSeat(Command, frozen=True, tag="decline_seat"):
    """Keep the free seat for whoever has the invitation."""


class Withdraw(Command, frozen=True, tag="withdraw"):
    """Take the setup back to change it."""


class Resign(Command, frozen=True, tag="resign"):
    """Give up."""


class OfferDraw(Command, frozen=True, tag="offer_draw"):
    """Offer a draw."""


class AcceptDraw(Command, frozen=True, tag="accept_draw"):
    """Accept the draw that is offered."""


class DeclineDraw(Command, frozen=True, tag="decline_draw"):
    """Decline the draw that is offered."""


class AskTakeBack(Command, frozen=True, tag="ask_take_back"):
    """Ask to take the own last turn back."""


class AllowTakeBack(Command, frozen=True, tag="allow_take_back"):
    """Let the other take back."""


class RefuseTakeBack(Command, frozen=True, tag="refuse_take_back"):
    """Do not let the other take back."""


class Abort(Command, frozen=True, tag="abort"):
    """End the game before the first turn."""


class ClaimTime(Command, frozen=True, tag="claim_time"):
    """Say that the other's time is over."""


class Rematch(Command, frozen=True, tag="rematch"):
    """Ask for another game with colours changed, or agree to one."""


AnyCommand = (
    Play
    | PlayTurn
    | AskSeat
    | GrantSeat
    | DeclineSeat
    | Submit
    | Withdraw
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeBack
    | AllowTakeBack
    | RefuseTakeBack
    | Abort
    | ClaimTime
    | Rematch
)

# --- from the client ------------------------------------------------------------------------------


class Request(
    msgspec.Struct, frozen=True, tag_field="type", kw_only=True, forbid_unknown_fields=True
):
    """What a client says.  The answer carries the same ``id``."""

    id: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Watch(Request, frozen=True, tag="watch"):
    """Follow a game.  ``last`` is the last number that the client has, ``chat`` its last remark.

    Each room counts its own remarks: ``room`` says which one that remark is of.  If it is not the
    one that the client hears now all its remarks are new.
    """

    game: GameId
    last: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    chat: Annotated[int, Meta(ge=0, le=LARGEST)] | None = None
    room: Room | None = None


class Unwatch(Request, frozen=True, tag="unwatch"):
    """Follow it no longer."""

    game: GameId


class Do(Request, frozen=True, tag="do"):
    """Do something in a game."""

    game: GameId
    command: AnyCommand


class Say(Request, frozen=True, tag="say"):
    """Say something beside a game."""

    game: GameId
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_REMARK)]


class Lobby(Request, frozen=True, tag="lobby"):
    """Follow the lobby, or stop following it."""

    follow: bool = True


class Ping(Request, frozen=True, tag="ping"):
    """Are you there?"""


AnyRequest = Watch | Unwatch | Do | Say | Lobby | Ping

# --- from the server ------------------------------------------------------------------------------


class Clocks(msgspec.Struct, frozen=True):
    """Milliseconds left, whose time runs, and when that was so."""

    white: int | None
    black: int | None
    running: Seat | None
    now: int


class Chair(msgspec.Struct, frozen=True):
    """Who sits on a seat, as everyone sees it."""

    name: str
    bot: int | None = None


class Standing(msgspec.Struct, frozen=True):
    """How a game stands, apart from its board."""

    status: Status
    white: Chair | None
    black: Chair | None
    ready: BothReady
    clocks: Clocks
    setup_deadline: int | None
    """When the time for setting up is over.  While the game is played the clocks tell."""
    outcome: OutcomeDocument | None
    aborted: str | None
    offered: Seat | None
    asked: Seat | None
    seat_asked: str | None
    """Who asks for the free seat without having the invitation."""
    rematch_asked: Seat | None
    rematch: str | None


class Update(msgspec.Struct, frozen=True, tag_field="type", tag="update"):
    """What has happened since, and how the game stands now.

    The same for all viewers, but for what only one may know.  ``board`` is there once the screen is
    lifted; ``setups`` are those that this viewer sees, with the events that changed them; ``you``
    are this viewer's seats, with the event that gave one.
    """

    game: str
    number: int
    events: list[LoggedEvent]
    standing: Standing
    board: BoardView | UnsetType = UNSET
    setups: BothSetups | UnsetType = UNSET
    you: list[Seat] | UnsetType = UNSET


class Snapshot(msgspec.Struct, frozen=True, tag_field="type", tag="snapshot"):
    """Everything that this viewer may know about a game."""

    game: str
    number: int
    you: list[Seat]
    agreement: Agreement
    created_at: int
    standing: Standing
    view: TableView
    tags: dict[str, str]
    invitation: str | None = None
    """The word that lets a friend take the free seat; only its creator is told."""
    by_invitation: bool = False
    """Whether the free seat is kept for whoever has that word."""


class Current(msgspec.Struct, frozen=True, tag_field="type", tag="current"):
    """The client has everything already; only the clocks have gone on."""

    game: str
    number: int
    clocks: Clocks


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """What was asked is done and kept.  ``number`` is how far the game has come."""

    id: int
    game: str | None = None
    number: int | None = None


class Preview(msgspec.Struct, frozen=True, tag_field="type", tag="preview"):
    """A turn that is not played: the board as it would be.  Nobody else has seen it."""

    id: int
    game: str
    board: BoardView
    whole: Annotated[bool, Meta(description="Whether the turn could be played like this.")]
    risks: Annotated[
        list[SentenceDocument],
        Meta(description="What it would give away, if it was asked for with care."),
    ] = []


def answer(id: int, game: str, done: int | Ahead) -> Done | Preview:
    """What whoever asked for something in a game is told."""
    if isinstance(done, Ahead):
        return Preview(id, game, done.board, done.whole, done.risks)
    return Done(id, game, done)


class Failed(msgspec.Struct, frozen=True, tag_field="type", tag="problem"):
    """What was asked was not done."""

    id: int
    problem: ProblemDocument


class Presence(msgspec.Struct, frozen=True, tag_field="type", tag="presence"):
    """Who is there: the players, and how many are watching."""

    game: str
    white: bool
    black: bool
    spectators: int


class Remark(msgspec.Struct, frozen=True):
    """Something said beside a game."""

    number: int
    at: int
    name: str
    text: str
    seat: Seat | None = None


class Chat(msgspec.Struct, frozen=True, tag_field="type", tag="chat"):
    """What was said, oldest first."""

    game: str
    room: Room
    remarks: list[Remark]


class OpenSeat(msgspec.Struct, frozen=True):
    """A game in the lobby that anyone may join."""

    game: str
    rule_set: str
    by: str
    seat: Seat
    agreement: Agreement
    created_at: int


class LobbyState(msgspec.Struct, frozen=True, tag_field="type", tag="lobby"):
    """The open seats, newest first."""

    seats: list[OpenSeat]


class Pong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """Here, and which of the server's processes it is."""

    id: int
    now: int
    worker: str


AnyMessage = (
    Snapshot | Update | Current | Done | Preview | Failed | Presence | Chat | LobbyState | Pong
)
