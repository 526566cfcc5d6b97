"""One writer for the facts of all games: what waits is committed together.

A commit costs the same for one fact as for a hundred, so while one transaction is on its way the
next ones gather.  Whoever asked is told after the commit, never before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from cyvasse.server.database.database import Database
from cyvasse.server.database.tables import facts, games
from cyvasse.server.facts import Numbered, stored

MOST_AT_ONCE = 256

log = logging.getLogger("cyvasse.server.database")


class Conflict(Exception):
    """Another worker has written a fact with the same number: look again, then decide again."""


class Entry(msgspec.Struct):
    """New facts of one game, and what changes in its row."""

    game: str
    facts: Sequence[Numbered]
    row: dict[str, Any]


_Waiting = tuple[Entry, "asyncio.Future[None]"]


class Writer:
    """Takes entries and commits them in groups."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self.commits = 0
        """How many transactions there were."""
        self.entries = 0
        """How many entries they held."""

    def append(self, entry: Entry) -> asyncio.Future[None]:
        """Keep an entry.  When the answer is done it is kept; Conflict if another was faster."""
        kept = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, kept))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        return kept

    async def close(self) -> None:
        """Wait until everything is kept."""
        if self._task is not None:
            await self._task

    async def _work(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            await self._keep(group)

    async def _keep(self, group: Sequence[_Waiting]) -> None:
        """Commit a group and answer everyone in it, whatever happens: nobody waits for ever."""
        answer: Exception | None = None
        try:
            await self._commit([entry for entry, _ in group])
        except Exception as error:
            if len(group) > 1 and not _is_outage(error):
                # Perhaps one of them; the others must not suffer for it.
                for each in group:
                    await self._keep([each])
                return
            if isinstance(error, IntegrityError):
                answer = Conflict(group[0][0].game)
            else:
                log.error("facts could not be kept", extra={"error": type(error).__name__})
                answer = error
        for _, kept in group:
            if kept.done():
                continue  # whoever asked has gone
            if answer is None:
                kept.set_result(None)
            else:
                kept.set_exception(answer)

    async def _commit(self, entries: Sequence[Entry]) -> None:
        # In order of the games: two workers then wait for each other, never both at once.
        entries = sorted(entries, key=lambda entry: entry.game)
        new = [
            {
                "game_id": entry.game,
                "number": numbered.number,
                "at": numbered.at,
                "fact": stored(numbered.fact),
            }
            for entry in entries
            for numbered in entry.facts
        ]

        def work(connection: Connection) -> None:
            if new:
                connection.execute(insert(facts), new)
            for columns, rows in changes.items():
                change = (
                    update(games)
                    .where(games.c.id == bindparam("game"))
                    .values({column: bindparam(f"new_{column}") for column in columns})
                )
                connection.execute(change, rows)

        changes = _by_columns(entries)
        await self._database.transact(work)
        self.commits += 1
        self.entries += len(entries)


def _is_outage(error: Exception) -> bool:
    """Whether the database does not answer: then nothing is gained by asking once for each."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or isinstance(error, OperationalError)
    return not isinstance(error, TypeError | ValueError)


def _by_columns(entries: Sequence[Entry]) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """The changes of rows, grouped by the columns they change: one statement each."""
    grouped: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for entry in entries:
        row = {f"new_{column}": value for column, value in entry.row.items()}
        grouped.setdefault(tuple(entry.row), []).append({"game": entry.game, **row})
    return grouped
