"""Rate limits: buckets that fill slowly and are emptied by whoever asks for something.

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


class Limit(NamedTuple):
    """So many at once, and so many a second in the long run."""

    burst: float
    rate: float


# By what is asked for.  Sign-ins are slow on purpose: they are how passwords are guessed.
LIMITS = {
    "request": Limit(200, 40),
    "sign in": Limit(10, 1 / 12),
    # In browsers that are not known: one name from one address, and from all of them together.
    # Four addresses must keep at it to use up what a name has, and then guesses are still slow.
    "name and address": Limit(5, 1 / 120),
    "name": Limit(20, 1 / 30),
    "create": Limit(40, 1 / 2),
    "import": Limit(20, 1 / 5),
    "save": Limit(60, 2),
    "say": Limit(8, 1 / 2),
    "message": Limit(100, 40),
    "look": Limit(60, 3),
    "socket": Limit(60, 2),
}


class Limits:
    """Counts what each client does.

    >>> limits = Limits()
    >>> for _ in range(10):
    ...     limits.spend("sign in", "127.0.0.1", now=0)
    >>> limits.spend("sign in", "127.0.0.1", now=1)
    Traceback (most recent call last):
    cyvasse.server.problems.TooOften: That is too often; wait 11 seconds.
    """

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        # One shelf for each kind: no flood of requests lets the guesses at a name be forgotten.
        self._shelves: dict[str, OrderedDict[str, tuple[float, float]]] = {
            what: OrderedDict() for what in LIMITS
        }
        self._connected: Counter[str] = Counter()

    def spend(
        self, what: str, who: str, *, crowd: str | None = None, now: float | None = None
    ) -> None:
        """Count one; TooOften if that is too many.

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
        """Count one in each of several buckets, or in none of them if that is too many for one.

        A bucket is what is done and by whom, and how many times larger than usual it is.
        """
        if not self._scale:
            return
        now = time.monotonic() if now is None else now
        left = [self._left(now, *bucket) for bucket in buckets]
        if wait := max(wait for _, wait in left):
            unit = "second" if wait == 1 else "seconds"
            raise TooOften(f"That is too often; wait {wait} {unit}.", wait)
        for (what, who, *_), (full, _) in zip(buckets, left, strict=True):
            shelf = self._shelves[what]
            shelf[who] = full - 1, now
            if len(shelf) > MOST_BUCKETS:
                shelf.popitem(last=False)

    def _left(self, now: float, what: str, who: str, size: float = 1) -> tuple[float, int]:
        """How full a bucket is, and for how many seconds one must wait for it."""
        burst, rate = (each * size * self._scale for each in LIMITS[what])
        burst = max(1.0, burst)
        shelf = self._shelves[what]
        full, since = shelf.get(who, (burst, now))
        if who in shelf:
            shelf.move_to_end(who)  # it was asked for, so it is not to be forgotten first
        full = min(burst, full + (now - since) * rate)
        return full, 0 if full >= 1 else max(1, round((1 - full) / rate))

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
