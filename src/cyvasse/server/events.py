"""Events: what has happened in a game, one small record each, as they are stored.

The events of a game are numbered from 1 and never change; together they are its event log, from
which everything else about the game follows (event sourcing).  ``public`` makes of an event what
anyone may know of it: nothing of what stands behind the screen, and no names, which the standing
of the game has.  Events lead to nothing but words and numbers, so the garbage collector need not
look at them.
"""

from __future__ import annotations

import msgspec

from cyvasse.rules.terms import Color
from cyvasse.rules.terms import Seat as Seat


def word(color: Color) -> Seat:
    """A colour as events and messages write it."""
    return color.word


class GameEvent(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag=str.lower):
    """Something that has happened."""


class Joined(GameEvent, frozen=True, gc=False, omit_defaults=True):
    """Somebody took this seat, and under which name.  Who it is as a person nobody is told.

    Events of before the name was kept lack both; the game's row tells.
    """

    seat: Seat
    name: str | None = None
    person: str | None = None


class SeatAsked(GameEvent, frozen=True, gc=False, omit_defaults=True):
    """Somebody without the invitation would like this seat.  Who it is as a person nobody is told.

    Whoever was forgotten since has neither name nor person, and does not ask any more.
    """

    seat: Seat
    name: str | None = None
    person: str | None = None


class SeatDeclined(GameEvent, frozen=True, gc=False):
    """Whoever asked for this seat does not get it."""

    seat: Seat


class Ready(GameEvent, frozen=True, gc=False):
    """A player's setup is finished.  Nobody else is told what it is before the screen is lifted."""

    seat: Seat
    setup: str | None = None


class Withdrew(GameEvent, frozen=True, gc=False):
    """A player took the setup back to change it."""

    seat: Seat


class Lifted(GameEvent, frozen=True, gc=False):
    """The screen was lifted and the clocks started."""

    first: Seat


class Played(GameEvent, frozen=True, gc=False):
    """A player did one action."""

    seat: Seat
    action: str


class Offered(GameEvent, frozen=True, gc=False):
    """A player offered a draw."""

    seat: Seat


class Declined(GameEvent, frozen=True, gc=False):
    """A player does not want the draw that was offered."""

    seat: Seat


class Agreed(GameEvent, frozen=True, gc=False):
    """Both want the draw."""

    seat: Seat


class Asked(GameEvent, frozen=True, gc=False):
    """A player asked to take back."""

    seat: Seat


class Refused(GameEvent, frozen=True, gc=False):
    """A player does not let the other take back."""

    seat: Seat


class TookBack(GameEvent, frozen=True, gc=False):
    """The actions after the first ``ply`` ones were taken back, for this player."""

    seat: Seat
    ply: int


class Resigned(GameEvent, frozen=True, gc=False):
    """A player gave up."""

    seat: Seat


class Flagged(GameEvent, frozen=True, gc=False):
    """A player's time ran out."""

    seat: Seat


class Aborted(GameEvent, frozen=True, gc=False):
    """The game ended without a result, and why."""

    reason: str
    seat: Seat | None = None


class Outage(GameEvent, frozen=True, gc=False):
    """The server was away for so many milliseconds, which count for nobody."""

    milliseconds: int


class RematchAsked(GameEvent, frozen=True, gc=False):
    """A player would like to play again."""

    seat: Seat


class Rematched(GameEvent, frozen=True, gc=False):
    """The next game between the two."""

    game: str


AnyEvent = (
    Joined
    | SeatAsked
    | SeatDeclined
    | Ready
    | Withdrew
    | Lifted
    | Played
    | Offered
    | Declined
    | Agreed
    | Asked
    | Refused
    | TookBack
    | Resigned
    | Flagged
    | Aborted
    | Outage
    | RematchAsked
    | Rematched
)

_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


class LoggedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event with its place in the game and its time."""

    number: int
    at: int
    event: AnyEvent


def stored(event: AnyEvent) -> str:
    """An event as the database keeps it.

    >>> stored(Played("white", "e4-e5"))
    '{"kind":"played","seat":"white","action":"e4-e5"}'
    """
    return _encoder.encode(event).decode()


def restored(text: str) -> AnyEvent:
    """The event that the database has kept."""
    event: AnyEvent = _decoder.decode(text)
    return event


def public(logged: LoggedEvent) -> LoggedEvent:
    """As anyone may know it.

    >>> public(LoggedEvent(1, 0, Ready("white", "a secret"))).event
    Ready(seat='white', setup=None)
    >>> public(LoggedEvent(2, 0, Joined("black", "Ada", "an id"))).event
    Joined(seat='black', name=None, person=None)
    """
    match logged.event:
        case Ready(seat):
            return LoggedEvent(logged.number, logged.at, Ready(seat))
        case Joined(seat):
            return LoggedEvent(logged.number, logged.at, Joined(seat))
        case SeatAsked(seat):
            return LoggedEvent(logged.number, logged.at, SeatAsked(seat))
    return logged
