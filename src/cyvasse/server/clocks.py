"""Clocks: how long a player may think, counted by the server in milliseconds since 1970.

A clock knows nothing by itself; it is told when something happens.  So the same events, replayed
after a restart, show the same time.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from cyvasse.rules.terms import BLACK, WHITE, Color

DAY = 24 * 60 * 60 * 1000
LIVE_SETUP = 10 * 60


class Unlimited(
    msgspec.Struct, frozen=True, tag_field="kind", tag="none", forbid_unknown_fields=True
):
    """No clock: take your time."""


class Fischer(
    msgspec.Struct, frozen=True, tag_field="kind", tag="fischer", forbid_unknown_fields=True
):
    """Some time for the whole game, and a little more after each turn."""

    seconds: Annotated[int, Meta(ge=10, le=6 * 60 * 60, description="For the whole game.")]
    increment: Annotated[int, Meta(ge=0, le=600, description="Added after each turn.")] = 0


class DaysPerTurn(
    msgspec.Struct, frozen=True, tag_field="kind", tag="days", forbid_unknown_fields=True
):
    """A correspondence game: so many days for each turn."""

    days: Annotated[int, Meta(ge=1, le=30, description="For each turn.")]


Rate = Unlimited | Fischer | DaysPerTurn


def setup_limit(rate: Rate) -> int | None:
    """How long players may set up, in seconds, where nothing else was agreed.

    >>> setup_limit(Fischer(300)), setup_limit(DaysPerTurn(1)), setup_limit(Unlimited())
    (600, 86400, None)
    """
    if isinstance(rate, Fischer):
        return LIVE_SETUP
    return rate.days * DAY // 1000 if isinstance(rate, DaysPerTurn) else None


class Clock:
    """The clock of one game.

    >>> clock = Clock(Fischer(60, increment=2))
    >>> clock.start(WHITE, 1_000)
    >>> clock.start(BLACK, 11_000, turn_over=True)
    >>> clock.left(WHITE, 15_000), clock.left(BLACK, 15_000), clock.deadline
    (52000, 56000, 71000)
    """

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.running: Color | None = None
        self._since = 0
        self._left: dict[Color, int] = {}
        if isinstance(rate, Fischer):
            self._left = dict.fromkeys((WHITE, BLACK), rate.seconds * 1000)
        elif isinstance(rate, DaysPerTurn):
            self._left = dict.fromkeys((WHITE, BLACK), rate.days * DAY)

    def left(self, color: Color, now: int) -> int | None:
        """How many milliseconds a player has left; None without a limit."""
        if not self._left:
            return None
        used = max(0, now - self._since) if color is self.running else 0
        return max(0, self._left[color] - used)

    @property
    def deadline(self) -> int | None:
        """When the flag of the player to act falls."""
        if self.running is None or not self._left:
            return None
        return self._since + self._left[self.running]

    def start(self, color: Color, now: int, *, turn_over: bool = False) -> None:
        """Let a player's time run; the other's stops.  A turn that is over earns its increment."""
        before = self.running
        self.stop(now)
        if isinstance(self.rate, Fischer) and turn_over and before is not None:
            self._left[before] += self.rate.increment * 1000
        elif isinstance(self.rate, DaysPerTurn) and (turn_over or before is not color):
            # Every turn has its days, also the one that comes again after something was taken back.
            self._left = dict.fromkeys(self._left, self.rate.days * DAY)
        self.running = color
        self._since = now

    def stop(self, now: int) -> None:
        """Nobody's time runs any more."""
        if self.running is not None and self._left:
            left = self.left(self.running, now)
            assert left is not None
            self._left[self.running] = left
        self.running = None

    def give_back(self, milliseconds: int) -> None:
        """Nobody could play for that long: it does not count."""
        self._since += milliseconds
