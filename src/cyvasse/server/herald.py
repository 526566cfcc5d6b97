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

    def tell(self, message: bytes) -> None:
        """Take a message; never waits."""


News = Callable[[], Iterator[tuple[Watcher, bytes]]]


class Herald:
    """Goes round with one piece of news after the other."""

    def __init__(self) -> None:
        self._due: dict[Hashable, News] = {}
        self._task: asyncio.Task[None] | None = None

    def announce(self, about: Hashable, news: News) -> None:
        """Tell something to a few at once, and to more of them when its turn comes.

        The news are asked for only then.  So what happens again before, ``about`` the same, costs
        nothing more and is told together with it.
        """
        if self._task is not None and not self._task.done():
            self._due[about] = news
            return
        told = 0
        rest = news()
        for watcher, message in islice(rest, AT_ONCE):
            watcher.tell(message)
            told += 1
        if told == AT_ONCE:
            self._due[about] = lambda: rest
            self._task = asyncio.create_task(self._go_round())

    async def _go_round(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS)
        told = 0
        while self._due:
            about = next(iter(self._due))
            for watcher, message in self._due.pop(about)():
                watcher.tell(message)
                told += 1
                if told % AT_ONCE == 0:
                    await asyncio.sleep(PAUSE_SECONDS)

    async def close(self) -> None:
        """Wait until everything has been told."""
        if self._task is not None:
            await self._task
