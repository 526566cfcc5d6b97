"""What a client gets that says how far it has come: nothing, the rest, or everything.

the client has          the game is     answer
----------------------  --------------  --------------------------------------------------
nothing                 anywhere        snapshot
more than there is      anywhere        snapshot: it saw another past (a restored backup)
everything              anywhere        current
all but a few           anywhere        update with the events that are missing
less than that          anywhere        snapshot: it is smaller than so many events
"""

from __future__ import annotations

from typing import Literal

MOST_EVENTS = 100

Answer = Literal["snapshot", "update", "current"]


def catch_up(last: int | None, number: int) -> Answer:
    """The answer to a client that has seen ``last`` events of ``number``.

    >>> catch_up(None, 5), catch_up(5, 5), catch_up(3, 5), catch_up(6, 5), catch_up(0, 5000)
    ('snapshot', 'current', 'update', 'snapshot', 'snapshot')
    """
    if not last or last > number or number - last > MOST_EVENTS:
        return "snapshot"
    return "current" if last == number else "update"
