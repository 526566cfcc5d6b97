"""Rate limits by token buckets: tokens come in slowly, and whoever asks for something spends one.

Each worker counts for itself: with several, a client that reaches all of them may do as much with
each.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from cyvasse.server.problems import TooOften

MOST_BUCKETS = 50_000
# An address may be a whole school's: all its people together may do so many times what one may.
CROWD = 5
MOST_SOCKETS = 100


class Bucket(NamedTuple):
    """A kind of token bucket: so many at once, and so many a second in the long run."""

    burst: float
    """How many tokens it holds."""
    rate: float
    """How many come in each second."""


# By what is asked for.  Sign-ins are slow on purpose: they are how passwords are guessed.
LIMITS = {
    "request": Bucket(200, 40),
    "sign in": Bucket(10, 1 / 12),
    # In browsers that are not known: one name from one address, and from all of them together.
    # Four addresses must keep at it to use up what a name has, and then guesses are still slow.
    "name and address": Bucket(5, 1 / 120),
    "name": Bucket(20, 1 / 30),
    "create": Bucket(40, 1 / 2),
    "import": Bucket(20, 1 / 5),
    "save": Bucket(60, 2),
    "say": Bucket(8, 1 / 2),
    "message": Bucket(100, 40),
    "hint": Bucket(12, 1 / 2),
    "look": Bucket(60, 3),
    "socket": Bucket(60, 2),
}


class TokenBuckets:
    """Counts what each client does: a token bucket for each, of each kind.

    >>> limits = TokenBuckets()
    >>> for _ in range(10):
    ...     limits.spend("sign in", "127.0.0.1", now=0)
    >>> limits.spend("sign in", "127.0.0.1", now=1)
    Traceback (most recent call last):
    cyvasse.server.problems.TooOften: That is too often; wait 11 seconds.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        # How many tokens each has, and since when.  Each kind is kept apart: no flood of requests
        # lets the guesses at a name be forgotten.
        self._buckets: dict[str, OrderedDict[str, tuple[float, float]]] = {
            what: OrderedDict() for what in LIMITS
        }
        self._connected: Counter[str] = Counter()

    def spend(
        self, what: str, who: str, *, crowd: str | None = None, now: float | None = None
    ) -> None:
        """Spend a token; TooOften if there is none.

        ``crowd`` is the address that somebody comes from.  Without a cookie everyone is a new
        person at every request, but not at a new address.
        """
        if crowd is None:
            self.spend_together((what, who), now=now)
        else:
            self.spend_together((what, who), (what, f"crowd {crowd}", CROWD), now=now)

    def spend_together(
        self, *buckets: tuple[str, str] | tuple[str, str, float], now: float | None = None
    ) -> None:
        """Spend a token of each of several buckets, or of none of them if one of them is empty.

        A bucket is what is done and by whom, and how many times larger than usual it is.
        """
        if not self._scale:
            return
        now = time.monotonic() if now is None else now
        filled = [self._filled(now, *bucket) for bucket in buckets]
        if wait := max(wait for _, wait in filled):
            unit = "second" if wait == 1 else "seconds"
            raise TooOften(f"That is too often; wait {wait} {unit}.", wait)
        for (what, who, *_), (tokens, _) in zip(buckets, filled, strict=True):
            kept = self._buckets[what]
            kept[who] = tokens - 1, now
            if len(kept) > MOST_BUCKETS:
                kept.popitem(last=False)

    def _filled(self, now: float, what: str, who: str, size: float = 1) -> tuple[float, int]:
        """How many tokens a bucket has, and for how many seconds one must wait for the next."""
        burst, rate = (each * size * self._scale for each in LIMITS[what])
        burst = max(1.0, burst)
        kept = self._buckets[what]
        tokens, since = kept.get(who, (burst, now))
        if who in kept:
            kept.move_to_end(who)  # it was asked for, so it is not to be forgotten first
        tokens = min(burst, tokens + (now - since) * rate)
        return tokens, 0 if tokens >= 1 else max(1, round((1 - tokens) / rate))

    @contextmanager
    def connected(self, address: str) -> Iterator[None]:
        """Count a connection while it is there; TooOften if the address has too many."""
        most = max(1, MOST_SOCKETS * self._scale)
        if self._scale and self._connected[address] >= most:
            raise TooOften("Too many connections come from your address; close some.")
        self._connected[address] += 1
        try:
            yield
        finally:
            self._connected[address] -= 1
            if not self._connected[address]:
                del self._connected[address]


def neighbourhood(address: str) -> str:
    """As whom an address is counted: with IPv6 everyone has a whole network of them.

    >>> neighbourhood("192.0.2.7"), neighbourhood("2001:db8::7"), neighbourhood("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        if known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
        return str(IPv6Network((int(known) >> 64 << 64, 64)))
    return address
