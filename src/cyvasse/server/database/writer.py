"""One writer for the events of all games: what waits is committed together.

A commit costs the same for one event as for a hundred, so while one transaction is on its way the
next ones gather.  Whoever asked is told after the commit, never before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Dialect, Row, bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from cyvasse.server.database.database import Database
from cyvasse.server.database.tables import events, games
from cyvasse.server.events import LoggedEvent, stored

MOST_AT_ONCE = 256

log = logging.getLogger("cyvasse.server.database")


class Conflict(Exception):
    """Another worker has changed the game meanwhile: look again, then decide again."""


class Entry(msgspec.Struct):
    """New events of one game, and what changes in its row."""

    game: str
    events: Sequence[LoggedEvent]
    row: dict[str, Any]
    seated: tuple[str | None, str | None] | None = None
    """Whose the seats must be, White's first; None if nobody else can have changed that."""


Kept = asyncio.Future[Row[Any] | None]
_Waiting = tuple[Entry, Kept]
_SEATS = [
    games.c[f"{seat}_{what}"] for seat in ("white", "black") for what in ("id", "name", "bot")
]


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

    def append(self, entry: Entry) -> Kept:
        """Keep an entry.  When the answer is done it is kept; Conflict if another was faster.

        The answer is who sits on the seats now, where the entry says who must.
        """
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
        seats: dict[str, Row[Any]] = {}
        try:
            seats = await self._commit([entry for entry, _ in group])
        except Exception as error:
            if len(group) > 1 and not _is_outage(error):
                # Perhaps one of them; the others must not suffer for it.
                for each in group:
                    await self._keep([each])
                return
            if isinstance(error, IntegrityError | Conflict):
                answer = Conflict(group[0][0].game)
            else:
                log.error("events could not be kept", extra={"error": type(error).__name__})
                answer = error
        for entry, kept in group:
            if kept.done():
                continue  # whoever asked has gone
            if answer is None:
                kept.set_result(seats.get(entry.game))
            else:
                kept.set_exception(answer)

    async def _commit(self, entries: Sequence[Entry]) -> dict[str, Row[Any]]:
        # In order of the games: two workers then wait for each other, never both at once.
        entries = sorted(entries, key=lambda entry: entry.game)
        new = [
            (entry.game, logged.number, logged.at, stored(logged.event))
            for entry in entries
            for logged in entry.events
        ]
        changes: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
        for entry in entries:
            row = (*entry.row.values(), entry.game)
            changes.setdefault(tuple(entry.row), []).append(row)
        seated = {entry.game: entry.seated for entry in entries if entry.seated is not None}
        seats: dict[str, Row[Any]] = {}

        def work(connection: Connection) -> None:
            # As the driver takes them: with many small rows most of the time went into preparing.
            if new:
                connection.exec_driver_sql(_insertion(connection.dialect), new)
            for columns, rows in changes.items():
                connection.exec_driver_sql(_change(connection.dialect, columns), rows)
            if seated:
                # After the rows were changed: until the commit nobody else can change them.
                query = select(games.c.id, *_SEATS).where(games.c.id.in_(seated))
                seats.update((row.id, row) for row in connection.execute(query))
                for game, row in seats.items():
                    if seated[game] != (row.white_id, row.black_id):
                        raise Conflict(game)

        await self._database.transact(work)
        self.commits += 1
        self.entries += len(entries)
        return seats


def _is_outage(error: Exception) -> bool:
    """Whether the database does not answer: then nothing is gained by asking once for each."""
    if isinstance(error, Conflict):
        return False
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or isinstance(error, OperationalError)
    return not isinstance(error, TypeError | ValueError)


@cache
def _insertion(dialect: Dialect) -> str:
    """New events: game, number, time and event."""
    return str(insert(events).compile(dialect=dialect))


@cache
def _change(dialect: Dialect, columns: tuple[str, ...]) -> str:
    """Change some columns of a game's row: their values in order, then the game's id."""
    values: dict[str, Any] = {column: bindparam(f"new_{column}") for column in columns}
    statement = update(games).where(games.c.id == bindparam("game")).ordered_values(*values.items())
    return str(statement.compile(dialect=dialect))
