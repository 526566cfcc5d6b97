"""Facts: what has happened in a game, one small record each, as they are stored.

The facts of a game are numbered from 1 and never change.  Everything else about the game follows
from them.  ``told`` is how a fact is told to anyone: without what stands behind the screen, and
without names, which the standing of the game tells.  Facts lead to nothing but words and numbers,
so the garbage collector need not look at them.
"""

from __future__ import annotations

import msgspec

from cyvasse.rules.terms import Color
from cyvasse.rules.terms import Seat as Seat


def word(color: Color) -> Seat:
    """A colour as facts and messages write it."""
    return color.word


class Fact(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag=str.lower):
    """Something that has happened."""


class Joined(Fact, frozen=True, gc=False, omit_defaults=True):
    """Somebody took this seat, and under which name.  Who it is as a person nobody is told.

    Facts of before the name was kept lack both; the game's row tells.
    """

    seat: Seat
    name: str | None = None
    person: str | None = None


class Ready(Fact, frozen=True, gc=False):
    """A player's setup is finished.  Nobody else is told what it is before the screen is lifted."""

    seat: Seat
    setup: str | None = None


class Withdrew(Fact, frozen=True, gc=False):
    """A player took the setup back to change it."""

    seat: Seat


class Lifted(Fact, frozen=True, gc=False):
    """The screen was lifted and the clocks started."""

    first: Seat


class Played(Fact, frozen=True, gc=False):
    """A player did one action."""

    seat: Seat
    action: str


class Offered(Fact, frozen=True, gc=False):
    """A player offered a draw."""

    seat: Seat


class Declined(Fact, frozen=True, gc=False):
    """A player does not want the draw that was offered."""

    seat: Seat


class Agreed(Fact, frozen=True, gc=False):
    """Both want the draw."""

    seat: Seat


class Asked(Fact, frozen=True, gc=False):
    """A player asked to take back."""

    seat: Seat


class Refused(Fact, frozen=True, gc=False):
    """A player does not let the other take back."""

    seat: Seat


class TookBack(Fact, frozen=True, gc=False):
    """The actions after the first ``ply`` ones were taken back, for this player."""

    seat: Seat
    ply: int


class Resigned(Fact, frozen=True, gc=False):
    """A player gave up."""

    seat: Seat


class Flagged(Fact, frozen=True, gc=False):
    """A player's time ran out."""

    seat: Seat


class Aborted(Fact, frozen=True, gc=False):
    """The game ended without a result, and why."""

    reason: str
    seat: Seat | None = None


class Outage(Fact, frozen=True, gc=False):
    """The server was away for so many milliseconds, which count for nobody."""

    milliseconds: int


class RematchAsked(Fact, frozen=True, gc=False):
    """A player would like to play again."""

    seat: Seat


class Rematched(Fact, frozen=True, gc=False):
    """The next game between the two."""

    game: str


AnyFact = (
    Joined
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

_decoder = msgspec.json.Decoder(AnyFact)
_encoder = msgspec.json.Encoder()


class Numbered(msgspec.Struct, frozen=True, gc=False):
    """A fact with its place in the game and its time."""

    number: int
    at: int
    fact: AnyFact


def stored(fact: AnyFact) -> str:
    """A fact as the database keeps it.

    >>> stored(Played("white", "e4-e5"))
    '{"kind":"played","seat":"white","action":"e4-e5"}'
    """
    return _encoder.encode(fact).decode()


def restored(text: str) -> AnyFact:
    """The fact that the database has kept."""
    fact: AnyFact = _decoder.decode(text)
    return fact


def told(numbered: Numbered) -> Numbered:
    """As anyone may know it.

    >>> told(Numbered(1, 0, Ready("white", "a secret"))).fact
    Ready(seat='white', setup=None)
    >>> told(Numbered(2, 0, Joined("black", "Ada", "an id"))).fact
    Joined(seat='black', name=None, person=None)
    """
    match numbered.fact:
        case Ready(seat):
            return Numbered(numbered.number, numbered.at, Ready(seat))
        case Joined(seat):
            return Numbered(numbered.number, numbered.at, Joined(seat))
    return numbered
