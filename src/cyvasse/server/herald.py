"""The herald tells crowds what is new: a few at a time, so that nobody else has to wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import Protocol

# So many are told in one go, and then everyone else has a turn: 2,000 in a second at most, which
# takes about an eighth of a core.
AT_ONCE = 4
PAUSE_SECONDS = 0.002


class Watcher(Protocol):
    """Somebody who follows a game."""

    @property
    def person(self) -> str | None:
        """Who it is, if that is known."""

    def send(self, message: bytes) -> None:
        """Take a message; never waits."""


Deliveries = Callable[[], Iterator[tuple[Watcher, bytes]]]
"""Who is to be sent what, once it is asked for."""


class Herald:
    """Goes round with one delivery after the other."""

    def __init__(self) -> None:
        self._due: dict[Hashable, Deliveries] = {}
        self._task: asyncio.Task[None] | None = None

    def announce(self, about: Hashable, deliveries: Deliveries) -> None:
        """Tell something to a few at once, and to more of them when its turn comes.

        What is delivered is asked for only then.  So what happens again before, ``about`` the same,
        costs nothing more and is told together with it.
        """
        if self._task is not None and not self._task.done():
            self._due[about] = deliveries
            return
        sent = 0
        rest = deliveries()
        for watcher, message in islice(rest, AT_ONCE):
            watcher.send(message)
            sent += 1
        if sent == AT_ONCE:
            self._due[about] = lambda: rest
            self._task = asyncio.create_task(self._go_round())

    async def _go_round(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS)
        sent = 0
        while self._due:
            about = next(iter(self._due))
            for watcher, message in self._due.pop(about)():
                watcher.send(message)
                sent += 1
                if sent % AT_ONCE == 0:
                    await asyncio.sleep(PAUSE_SECONDS)

    async def close(self) -> None:
        """Wait until everything has been told."""
        if self._task is not None:
            await self._task
