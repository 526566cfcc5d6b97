"""Wrong passwords that strangers have tried: counted, so that the owner can be told."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Row, func, update

from cyvasse.server import times
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t


class Guesses(msgspec.Struct, frozen=True):
    """Wrong passwords for your name, in browsers that had not signed in as you before."""

    count: int
    since: int
    last: int

    def and_then(self, later: Guesses) -> Guesses:
        """These and later ones together."""
        return Guesses(self.count + later.count, self.since, later.last)


def guesses_in(row: Row[Any]) -> Guesses | None:
    """What is kept with somebody; None if there is nothing to tell."""
    if row.guesses is None:
        return None
    return Guesses(row.guesses, row.guesses_since, row.guesses_last)


class GuessBook:
    """Counts guesses, and writes them down now and then.

    Not at once: a name that nobody has causes no writing, and the time of an answer would tell
    which names there are.  So a flood of guesses is no flood of writes either.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._noted: dict[str, Guesses] = {}

    def note(self, person: str) -> None:
        """Somebody has tried a wrong password for this account."""
        now = times.now()
        before = self._noted.get(person, Guesses(0, now, now))
        self._noted[person] = before.and_then(Guesses(1, now, now))

    async def write_down(self) -> None:
        """Keep what was noted since the last time."""
        if not self._noted:
            return
        noted, self._noted = self._noted, {}
        c = t.people.c
        try:
            async with self._database.write() as connection:
                # Always in the same order: two workers must not wait for each other.
                for person, guesses in sorted(noted.items()):
                    await connection.execute(
                        update(t.people)
                        .where(c.id == person)
                        .values(
                            guesses=func.coalesce(c.guesses, 0) + guesses.count,
                            guesses_since=func.coalesce(c.guesses_since, guesses.since),
                            guesses_last=guesses.last,
                        )
                    )
        except BaseException:
            for person, later in self._noted.items():
                noted[person] = noted[person].and_then(later) if person in noted else later
            self._noted = noted
            raise

    async def forget(self, person: str) -> None:
        """The owner has been told."""
        self._noted.pop(person, None)
        nothing = dict.fromkeys(("guesses", "guesses_since", "guesses_last"))
        async with self._database.write() as connection:
            await connection.execute(
                update(t.people).where(t.people.c.id == person).values(nothing)
            )
