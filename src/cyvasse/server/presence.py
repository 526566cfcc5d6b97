"""Who is there: each worker notes who follows a game with it, and adds up what all have noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import delete, func, select, update

from cyvasse.server import times
from cyvasse.server.contest import Contest
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.database.upsert import upsert
from cyvasse.server.herald import Watcher
from cyvasse.server.messages import Presence

# A worker that has not renewed its notes for so long is gone.
STALE = 30_000
RENEW_SECONDS = 10
AT_ONCE = 500


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
        return (await self.read_all([game]))[game]

    async def read_all(self, games: Sequence[str]) -> dict[str, Presence]:
        """Who follows each of these games anywhere."""
        counted: dict[str, Counter[str]] = {game: Counter() for game in games}
        c = t.presence.c
        async with self._database.read() as connection:
            for start in range(0, len(games), AT_ONCE):
                query = (
                    select(c.game_id, c.viewer, func.sum(c.connections))
                    .where(c.game_id.in_(games[start : start + AT_ONCE]))
                    .where(c.seen_at > times.now() - STALE)
                    .group_by(c.game_id, c.viewer)
                )
                for game, viewer, number in await connection.execute(query):
                    counted[game][viewer] = int(number)
        return {game: _presence(game, here) for game, here in counted.items()}

    async def renew(self) -> list[str]:
        """Say again that this worker is there, and tidy up after those that are gone.

        The games come back whose notes are not as they were made: they are to be noted again.
        """
        if not self._shared:
            return []
        c = t.presence.c
        now = times.now()
        async with self._database.write() as connection:
            await connection.execute(
                update(t.presence).where(c.worker == self._worker).values(seen_at=now)
            )
            await connection.execute(delete(t.presence).where(c.seen_at < now - 2 * STALE))
            query = select(c.game_id).where(c.worker == self._worker).distinct()
            kept = set((await connection.execute(query)).scalars())
        doubtful = sorted(kept ^ self._noted.keys())
        for game in doubtful:
            self._noted.pop(game, None)
        return doubtful

    async def leave(self) -> None:
        """This worker ends."""
        if self._shared:
            async with self._database.write() as connection:
                await connection.execute(
                    delete(t.presence).where(t.presence.c.worker == self._worker)
                )

    async def _write(self, game: str, counted: Counter[str]) -> None:
        self._noted.pop(game, None)  # until it is certain again
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


def _presence(game: str, counted: Counter[str]) -> Presence:
    return Presence(game, counted["white"] > 0, counted["black"] > 0, int(counted["spectators"]))
