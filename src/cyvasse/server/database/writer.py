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
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

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

    async def append(self, entry: Entry) -> None:
        """Keep an entry.  When this returns it is kept; Conflict if another was faster."""
        kept = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, kept))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        await kept

    async def close(self) -> None:
        """Wait until everything is kept."""
        if self._task is not None:
            await self._task

    async def _work(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                await self._commit([entry for entry, _ in group])
            except Exception:
                # Perhaps one of them; the others must not suffer for it.
                for each in group:
                    await self._alone(each)
            else:
                for _, kept in group:
                    if not kept.done():
                        kept.set_result(None)

    async def _alone(self, waiting: _Waiting) -> None:
        entry, kept = waiting
        try:
            await self._commit([entry])
        except IntegrityError:
            answer: Exception | None = Conflict(entry.game)
        except (SQLAlchemyError, OSError) as error:
            log.error("a fact could not be kept", extra={"error": type(error).__name__})
            answer = error
        else:
            answer = None
        if kept.done():
            return
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


def _by_columns(entries: Sequence[Entry]) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """The changes of rows, grouped by the columns they change: one statement each."""
    grouped: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for entry in entries:
        row = {f"new_{column}": value for column, value in entry.row.items()}
        grouped.setdefault(tuple(entry.row), []).append({"game": entry.game, **row})
    return grouped
