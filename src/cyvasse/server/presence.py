"""Who is there: each worker notes who follows a game with it, and adds up what all have noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import delete, func, select

from cyvasse.server import times
from cyvasse.server.contest import Contest
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.database.upsert import upsert
from cyvasse.server.messages import Presence
from cyvasse.server.rooms import Watcher

# A worker that has not renewed its notes for so long is gone.
STALE = 30_000
RENEW_SECONDS = 10


def viewers(contest: Contest, watchers: Iterable[Watcher]) -> Counter[str]:
    """How many connections each seat, and the spectators, have in this worker."""
    counted: Counter[str] = Counter()
    spectators: set[object] = set()
    for watcher in watchers:
        seats = contest.seats_of(watcher.person)
        for color in seats:
            counted[str(color)] += 1
        if not seats:
            spectators.add(watcher.person or watcher)
    counted["spectators"] = len(spectators)
    return counted


class Attendance:
    """Adds up who is there, over all workers where there are several."""

    def __init__(self, database: Database, worker: str, *, shared: bool) -> None:
        self._database = database
        self._worker = worker
        self._shared = shared
        self._noted: dict[str, Counter[str]] = {}

    async def note(self, contest: Contest, watchers: Iterable[Watcher]) -> Presence:
        """Note who follows a game here; who follows it anywhere."""
        here = viewers(contest, watchers)
        if not self._shared:
            return _presence(contest.id, here)
        if here != self._noted.get(contest.id):
            await self._write(contest.id, here)
        return await self.read(contest.id)

    async def read(self, game: str) -> Presence:
        """Who follows a game anywhere."""
        c = t.presence.c
        query = (
            select(c.viewer, func.sum(c.connections))
            .where(c.game_id == game, c.seen_at > times.now() - STALE)
            .group_by(c.viewer)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return _presence(game, Counter({viewer: int(number) for viewer, number in rows}))

    async def renew(self) -> None:
        """Say again what was noted, and tidy up after workers that are gone."""
        if not self._shared:
            return
        for game, counted in list(self._noted.items()):
            await self._write(game, counted)
        async with self._database.write() as connection:
            await connection.execute(
                delete(t.presence).where(t.presence.c.seen_at < times.now() - 2 * STALE)
            )

    async def leave(self) -> None:
        """This worker ends."""
        if self._shared:
            async with self._database.write() as connection:
                await connection.execute(
                    delete(t.presence).where(t.presence.c.worker == self._worker)
                )

    async def _write(self, game: str, counted: Counter[str]) -> None:
        async with self._database.write() as connection:
            await connection.execute(
                delete(t.presence).where(
                    t.presence.c.worker == self._worker, t.presence.c.game_id == game
                )
            )
            for viewer, number in counted.items():
                if number:
                    row = {"worker": self._worker, "game_id": game, "viewer": viewer}
                    note = {"connections": number, "seen_at": times.now()}
                    await upsert(connection, t.presence, row | note)
        if +counted:
            self._noted[game] = counted
        else:
            self._noted.pop(game, None)


def _presence(game: str, counted: Counter[str]) -> Presence:
    return Presence(game, counted["white"] > 0, counted["black"] > 0, int(counted["spectators"]))
