"""The time now, in milliseconds since 1970."""

import time


def now() -> int:
    """The time now."""
    return time.time_ns() // 1_000_000
