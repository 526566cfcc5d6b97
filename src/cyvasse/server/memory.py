"""When Python looks for garbage in a worker: often among what is new, seldom among everything.

What goes in circles is found only by looking at everything that might, and nobody can play
meanwhile: with thousands of connections that takes a second.  So whatever has lived for a few
seconds is put aside and not looked at again, until so many connections have ended that it is worth
it; a connection that has ended leaves circles behind.
"""

from __future__ import annotations

import gc

# New objects that are not gone yet before the youngest are looked through: some milliseconds.
YOUNG = 5_000
MIDDLE = 10
NEVER = 1_000_000_000
# So many connections may end before everything is looked through.
LEAST_ENDED = 1_000
# How much longer a busy worker waits for a quiet moment.
PATIENCE = 4


class Memory:
    """Looks after the garbage of this process."""

    def __init__(self) -> None:
        self._ended = 0
        self._before = gc.get_threshold()

    def begin(self) -> None:
        """What is there now, modules above all, stays for ever."""
        self._before = gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLE, NEVER)

    def end(self) -> None:
        """As it was before."""
        gc.unfreeze()
        gc.set_threshold(*self._before)

    def connection_ended(self) -> None:
        """A connection has ended, and has left something behind."""
        self._ended += 1

    def settle(self, connections: int, *, quiet: bool) -> None:
        """Tidy up; to be called every few seconds.

        ``connections`` is how many there are now, ``quiet`` whether nobody has acted lately.
        """
        enough = max(LEAST_ENDED, connections)
        if self._ended >= (enough if quiet else PATIENCE * enough):
            self._ended = 0
            gc.unfreeze()
            gc.collect()
        else:
            gc.collect(1)
        gc.freeze()
