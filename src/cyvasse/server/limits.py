"""Rate limits: buckets that fill slowly and are emptied by whoever asks for something."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import NamedTuple

from cyvasse.server.problems import TooOften

MOST_BUCKETS = 50_000


class Limit(NamedTuple):
    """So many at once, and so many a second in the long run."""

    burst: float
    rate: float


# By what is asked for.  Sign-ins are slow on purpose: they are how passwords are guessed.
LIMITS = {
    "request": Limit(200, 40),
    "sign in": Limit(10, 1 / 12),
    "create": Limit(40, 1 / 2),
    "import": Limit(20, 1 / 5),
    "save": Limit(60, 2),
    "say": Limit(8, 1 / 2),
    "message": Limit(100, 40),
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
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def spend(self, what: str, who: str, *, now: float | None = None) -> None:
        """Count one; TooOften if that is too many."""
        if not self._scale:
            return
        now = time.monotonic() if now is None else now
        burst, rate = (value * self._scale for value in LIMITS[what])
        full, since = self._buckets.pop((what, who), (burst, now))
        full = min(burst, full + (now - since) * rate)
        enough = full >= 1
        self._buckets[what, who] = full - enough, now
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if not enough:
            wait = max(1, round((1 - full) / rate))
            unit = "second" if wait == 1 else "seconds"
            raise TooOften(f"That is too often; wait {wait} {unit}.")
