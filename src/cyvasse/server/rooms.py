"""Rooms: the games that this worker has open, and everyone who is watching them.

A room holds no truth, only a contest made of the facts in the database.  What a player does is
decided on the contest, applied, committed, and told to everyone only then.  If another worker was
faster the room forgets what it knew, reads again and decides again.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

import msgspec
from sqlalchemy import Row, select

from cyvasse.notation import parse_setup
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup
from cyvasse.server import commands, times
from cyvasse.server.catchup import catch_up
from cyvasse.server.contest import Agreement, Contest, Player, Status
from cyvasse.server.database import Conflict, Database, Entry, Writer
from cyvasse.server.database import tables as t
from cyvasse.server.facts import AnyFact, Joined, Numbered, Outage, restored, word
from cyvasse.server.messages import AnyCommand, Current, Snapshot, Update
from cyvasse.server.problems import Behind, Busy, Refusal, Unknown
from cyvasse.server.views import current, seat, snapshot, update

MOST_ROOMS = 5_000
ATTEMPTS = 5
BOT_PATIENCE = 30_000
NO_GAME = "There is no such game, or its link is incomplete."

encode = msgspec.json.Encoder().encode
_id = re.compile(r"[A-Za-z0-9_-]{1,24}")  # anything else is not asked of the database
_agreements = msgspec.json.Decoder(Agreement)
_tags = msgspec.json.Decoder(dict[str, str])

log = logging.getLogger("cyvasse.server.rooms")


class Watcher(Protocol):
    """Somebody who follows a game."""

    person: str | None

    def tell(self, message: bytes) -> None:
        """Take a message; never waits."""


class Room:
    """One game, open in this worker."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.contest: Contest | None = None
        self.invitation: str | None = None
        self.created_by = ""
        self.lock = asyncio.Lock()
        self.visitors = 0
        """How many are in, or wait for the lock: as long a room cannot be closed."""
        self.watchers: set[Watcher] = set()
        self.announced = 0
        """The last fact that the watchers were told."""

    def tell(self, message: bytes) -> None:
        """Tell everyone who is watching."""
        for watcher in list(self.watchers):
            watcher.tell(message)


class Rooms:
    """All rooms of a worker."""

    def __init__(
        self,
        database: Database,
        writer: Writer,
        *,
        shared: bool,
        hint: Callable[[str, int], None],
        bot_wanted: Callable[[str], None],
        changed: Callable[[Contest], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._writer = writer
        self._shared = shared  # whether other workers write the same games
        self._hint = hint
        self._bot_wanted = bot_wanted
        self._changed = changed
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._rooms)

    # --- acting -----------------------------------------------------------------------------------

    async def act(self, game: str, person: str | None, command: AnyCommand) -> int:
        """Carry out what a person does; the number of the last fact after it was kept."""
        return await self._carry_out(
            game, lambda contest: commands.decide(contest, person, command, times.now())
        )

    async def act_as_bot(self, game: str, number: int, action: str) -> None:
        """Let the bot play the action that it chose when the game stood at ``number``."""

        def decide(contest: Contest) -> list[AnyFact]:
            if contest.number != number or contest.bot_to_act is None:
                return []  # taken back, resigned or over meanwhile
            return contest.play(contest.game.turn, action, contest.game.ply)

        await self._carry_out(game, decide)

    async def join(self, game: str, player: Player, invitation: str | None) -> int:
        """Let a person take the free seat."""

        def decide(contest: Contest) -> tuple[list[AnyFact], dict[str, Any]]:
            room = self._rooms[game]
            free = commands.free_seat(contest, player, invitation, room.invitation)
            contest.players[free] = player
            return [Joined(word(free))], {
                f"{word(free)}_id": player.person,
                f"{word(free)}_name": player.name,
                "invitation": None,
            }

        return await self._carry_out(game, decide)

    async def expire(self, game: str) -> None:
        """Look whether a flag has fallen or the time for setting up is over."""
        await self._carry_out(game, lambda _: [])

    async def give_back(self, game: str, milliseconds: int) -> None:
        """The server was away: that time counts for nobody, so no flag falls before this."""
        async with self._entered(game) as room:
            await self._happen(room, [Outage(milliseconds)], {})

    async def add(self, game: str, facts: Sequence[AnyFact], *, number: int) -> int:
        """Let facts happen that were decided when the game stood at ``number``."""

        def decide(contest: Contest) -> list[AnyFact]:
            if contest.number != number:
                raise Behind("The game has gone on meanwhile; look again.", number=contest.number)
            return list(facts)

        return await self._carry_out(game, decide)

    async def _carry_out(self, game: str, decide: Callable[[Contest], Any]) -> int:
        for _ in range(ATTEMPTS):
            async with self._entered(game) as room:
                contest = self._contest(room)
                try:
                    await self._expire(room)
                    decided = decide(contest)
                    facts, row = decided if isinstance(decided, tuple) else (decided, {})
                    if facts:
                        await self._happen(room, facts, row)
                    return contest.number
                except Refusal:
                    # Perhaps it is only that this worker has not heard the latest.
                    if not await self._heard_news(room, contest.number):
                        raise
                except Conflict:
                    await self._load(room)
        raise Busy("The game changed several times meanwhile; nothing was done. Try again.")

    async def _heard_news(self, room: Room, number: int) -> bool:
        if not self._shared:
            return False
        players = dict(self._contest(room).players)
        await self._refresh(room)
        contest = self._contest(room)
        return contest.number != number or contest.players != players

    async def _expire(self, room: Room) -> None:
        contest = self._contest(room)
        now = times.now()
        if contest.deadline is None or now < contest.deadline:
            return
        if contest.status is Status.SETUP:
            facts = contest.setup_over(await self._drafts(contest))
        else:
            facts = contest.flag(now)
        await self._happen(room, facts, {})

    async def _happen(self, room: Room, facts: Sequence[AnyFact], row: dict[str, Any]) -> None:
        """Apply facts, keep them, and tell everyone; in this order."""
        contest = self._contest(room)
        at = times.now()
        numbered = [Numbered(contest.number + i, at, fact) for i, fact in enumerate(facts, 1)]
        kept: asyncio.Future[None] | None = None
        try:
            contest.apply_all(numbered)
            kept = self._writer.append(Entry(contest.id, numbered, columns(contest, at) | row))
            await asyncio.shield(kept)
        except BaseException as error:
            room.contest = None  # it may be ahead of what is kept
            if kept is not None and not isinstance(error, Conflict):
                self._spawn(self._settle(room.id, kept))
            raise
        if "invitation" in row:
            room.invitation = None
        self._hint(contest.id, contest.number)
        self._announce(room)

    async def _settle(self, game: str, kept: asyncio.Future[None]) -> None:
        """Whoever asked has gone, but what was asked may still be kept: tell the others then."""
        await asyncio.wait([kept])
        if not kept.cancelled():
            kept.exception()  # it has been told, or there is nobody to be told
        await self.refresh(game, 0)

    def _announce(self, room: Room) -> None:
        contest = self._contest(room)
        news = contest.told[room.announced :]
        room.announced = contest.number
        if not news:
            return
        if room.watchers:
            room.tell(encode(update(contest, news, times.now())))
        self._changed(contest)
        if contest.bot_to_act is not None:
            self._bot_wanted(contest.id)

    # --- watching ---------------------------------------------------------------------------------

    async def watch(
        self, game: str, watcher: Watcher, last: int | None
    ) -> Snapshot | Update | Current:
        """Follow a game from now on; what the watcher is missing so far."""
        await self.expire(game)
        async with self._entered(game) as room:
            await self._refresh_if_shared(room)
            contest = self._contest(room)
            room.watchers.add(watcher)
            now = times.now()
            match catch_up(last, contest.number):
                case "current":
                    return current(contest, now)
                case "update":
                    return update(contest, contest.told[last:], now)
                case "snapshot":
                    return self._snapshot(room, watcher.person)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Follow a game no longer."""
        room = self._rooms.get(game)
        if room is not None:
            room.watchers.discard(watcher)

    def watchers(self, game: str) -> set[Watcher]:
        """Who follows a game in this worker."""
        room = self._rooms.get(game)
        return set() if room is None else room.watchers

    def watched(self) -> list[str]:
        """The games that somebody follows in this worker."""
        return [id for id, room in self._rooms.items() if room.watchers]

    async def snapshot(self, game: str, person: str | None) -> Snapshot:
        """Everything that a person may know of a game."""
        await self.expire(game)
        async with self._entered(game) as room:
            await self._refresh_if_shared(room)
            return self._snapshot(room, person)

    @asynccontextmanager
    async def contest(self, game: str) -> AsyncIterator[Contest]:
        """The contest, to be looked at."""
        async with self._entered(game) as room:
            await self._refresh_if_shared(room)
            yield self._contest(room)

    def _snapshot(self, room: Room, person: str | None) -> Snapshot:
        invitation = room.invitation if person == room.created_by else None
        kept = room.invitation is not None
        return snapshot(self._contest(room), person, times.now(), invitation, kept)

    # --- reading ----------------------------------------------------------------------------------

    def heard(self, game: str, number: int) -> None:
        """Another worker says how far a game has come."""
        room = self._rooms.get(game)
        if room is None or (room.contest is not None and room.contest.number >= number):
            return
        self._spawn(self._hear(game, number))

    async def _hear(self, game: str, number: int) -> None:
        try:
            await self.refresh(game, number)
        except Exception:
            log.exception("a game could not be looked at; it will be tried again")

    async def refresh(self, game: str, number: int) -> None:
        """Look for the facts up to a number, in a game that is open here."""
        if game in self._rooms:
            async with self._entered(game) as room:
                if self._contest(room).number < number:
                    await self._refresh(room)

    async def reload(self, game: str) -> None:
        """Read a game anew: the people on its seats have changed."""
        room = self._rooms.get(game)
        if room is not None:
            async with room.lock:
                room.contest = None

    async def behind(self) -> list[tuple[str, int]]:
        """The watched games that have gone on elsewhere, and how far."""
        watched = self.watched()
        late = []
        async with self._database.read() as connection:
            for start in range(0, len(watched), 500):
                some = watched[start : start + 500]
                query = select(t.games.c.id, t.games.c.number).where(t.games.c.id.in_(some))
                for id, number in await connection.execute(query):
                    contest = self._rooms[id].contest if id in self._rooms else None
                    if contest is None or contest.number < number:
                        late.append((id, number))
        return late

    @asynccontextmanager
    async def _entered(self, game: str) -> AsyncIterator[Room]:
        """A room with its contest, for one at a time."""
        room = self._rooms.get(game)
        if room is None:
            if not _id.fullmatch(game):
                raise Unknown(NO_GAME)
            room = self._rooms[game] = Room(game)
            self._tidy()
        self._rooms.move_to_end(game)
        room.visitors += 1
        try:
            async with room.lock:
                if room.contest is None:
                    await self._load(room)
                yield room
        except Unknown:
            if room.contest is None and not room.watchers and room.visitors == 1:
                self._rooms.pop(game, None)
            raise
        finally:
            room.visitors -= 1

    def _tidy(self) -> None:
        """Close the rooms that were not used for the longest time."""
        for id in list(self._rooms)[: max(0, len(self._rooms) - MOST_ROOMS)]:
            room = self._rooms[id]
            if not room.watchers and not room.visitors:
                del self._rooms[id]

    async def _load(self, room: Room) -> None:
        """Make the contest anew from its facts."""
        room.contest = None
        async with self._database.read() as connection:
            row = await self._row(connection, room.id)
            found = await self._facts(connection, room.id, 0)
        contest = Contest(
            row.id,
            _agreements.decode(row.agreement),
            _players(row),
            row.created_at,
            _tags.decode(row.tags),
        )
        contest.apply_all(found)
        room.contest = contest
        room.invitation, room.created_by = row.invitation, row.created_by
        if room.watchers:
            self._announce(room)
        room.announced = contest.number

    async def _refresh_if_shared(self, room: Room) -> None:
        if self._shared:
            await self._refresh(room)

    async def _refresh(self, room: Room) -> None:
        contest = self._contest(room)
        async with self._database.read() as connection:
            row = await self._row(connection, room.id)
            found = await self._facts(connection, room.id, contest.number)
        contest.players.update(_players(row))
        room.invitation, room.created_by = row.invitation, row.created_by
        try:
            contest.apply_all(found)
        except BaseException:
            room.contest = None  # it is between two facts
            raise
        self._announce(room)

    @staticmethod
    async def _row(connection: Any, game: str) -> Row[Any]:
        row = (await connection.execute(select(t.games).where(t.games.c.id == game))).first()
        if row is None:
            raise Unknown(NO_GAME)
        return row  # type: ignore[no-any-return]

    @staticmethod
    async def _facts(connection: Any, game: str, after: int) -> list[Numbered]:
        query = (
            select(t.facts.c.number, t.facts.c.at, t.facts.c.fact)
            .where(t.facts.c.game_id == game, t.facts.c.number > after)
            .order_by(t.facts.c.number)
        )
        rows = (await connection.execute(query)).all()
        return [Numbered(number, at, restored(fact)) for number, at, fact in rows]

    async def _drafts(self, contest: Contest) -> dict[Color, Setup | None]:
        async with self._database.read() as connection:
            query = select(t.drafts.c.seat, t.drafts.c.setup).where(
                t.drafts.c.game_id == contest.id
            )
            rows = (await connection.execute(query)).all()
        return {Color.parse(seat): parse_setup(setup) for seat, setup in rows}

    @staticmethod
    def _contest(room: Room) -> Contest:
        assert room.contest is not None
        return room.contest

    # --- tasks ------------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # or it may vanish before it is done
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Wait until everything that has begun is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)


def columns(contest: Contest, now: int) -> dict[str, Any]:
    """What a game's row says of its facts."""
    outcome = contest.outcome()
    return {
        "number": contest.number,
        "status": str(contest.status),
        "turn": seat(contest.turn),
        "white_ready": contest.game.is_ready(WHITE),
        "black_ready": contest.game.is_ready(BLACK),
        "deadline": contest.deadline,
        "bot_due": now + BOT_PATIENCE if contest.bot_to_act is not None else None,
        "updated_at": now,
        "finished_at": contest.finished_at,
        "result": outcome.result if outcome else None,
        "ending": str(outcome.end) if outcome else None,
    }


def _players(row: Row[Any]) -> dict[Color, Player | None]:
    players: dict[Color, Player | None] = {}
    for color in (WHITE, BLACK):
        name = getattr(row, f"{word(color)}_name")
        person, bot = getattr(row, f"{word(color)}_id"), getattr(row, f"{word(color)}_bot")
        players[color] = None if name is None else Player(name, person, bot)
    return players
