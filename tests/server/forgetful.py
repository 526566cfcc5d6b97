"""The `cyvasse` command with a bad ear: of the hints of other workers some are never heard.

Of the rest each comes late, so that they overtake one another, and some come twice.  What becomes
of which is drawn from the seed FORGETFUL_SEED.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable

from cyvasse.cli import main
from cyvasse.server.hints import Hints, Kind

LOST = 0.6
TWICE = 0.2
LATEST_SECONDS = 0.5

Heard = Callable[[Kind, str, int], None]


class Ear:
    """Passes hints on as it likes."""

    def __init__(self, heard: Heard, chance: random.Random) -> None:
        self._heard = heard
        self._chance = chance

    def __call__(self, kind: Kind, game: str, number: int) -> None:
        # Late, one that somebody has signed up would end the connections that are made since.
        if kind == "person" or self._chance.random() < LOST:
            return
        for _ in range(2 if self._chance.random() < TWICE else 1):
            late = self._chance.uniform(0, LATEST_SECONDS)
            asyncio.get_running_loop().call_later(late, self._heard, kind, game, number)


if __name__ == "__main__":
    chance = random.Random(os.environ["FORGETFUL_SEED"])
    listen = Hints.listen

    async def listen_badly(self: Hints, heard: Heard) -> None:
        await listen(self, Ear(heard, chance))

    Hints.listen = listen_badly  # type: ignore[method-assign]
    main()
