"""Rooms: the games that this worker has open, and everyone who is watching them.

A room holds no truth, only a contest made of the events in the database.  What a player does is
decided on the contest, applied, committed, and told to everyone only then.  If another worker was
faster the room forgets what it knew, reads again and decides again.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Row, select

from cyvasse.notation import parse_setup
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup
from cyvasse.server import commands, times
from cyvasse.server.catchup import catch_up
from cyvasse.server.contest import Agreement, Ahead, Contest, Occupant, Status
from cyvasse.server.database import Conflict, Database, Entry, Kept, Writer
from cyvasse.server.database import tables as t
from cyvasse.server.events import AnyEvent, Joined, LoggedEvent, Outage, restored, word
from cyvasse.server.herald import Herald, Watcher
from cyvasse.server.messages import AnyCommand, Current, Snapshot, Update
from cyvasse.server.problems import Behind, Busy, Refusal, Unknown
from cyvasse.server.views import concerns, current, seat, seen, snapshot, update, viewer

MOST_ROOMS = 5_000
ATTEMPTS = 5
BOT_PATIENCE = 30_000
NO_GAME = "There is no such game, or its link is incomplete."

encode = msgspec.json.Encoder().encode
_id = re.compile(r"[A-Za-z0-9_-]{1,24}")  # anything else is not asked of the database
_agreements = msgspec.json.Decoder(Agreement)
_tags = msgspec.json.Decoder(dict[str, str])

log = logging.getLogger("cyvasse.server.rooms")

Decide = Callable[[Contest], list[AnyEvent] | Ahead]
"""Which events follow, or what would be."""


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
        self.watchers: dict[Watcher, int] = {}
        """Who follows the game, and the last event that each was told."""
        self.announced = 0
        """The last event that this worker has acted upon."""
        self.unsettled: Kept | None = None
        """Events that may still be kept, though nobody waits for them any more."""
        self._encoded: dict[object, bytes] = {}
        self._encoded_at = 0

    def encoded(self, what: object, message: Callable[[], object]) -> bytes:
        """A message, encoded once for everyone who is told the same of the same events."""
        assert self.contest is not None
        if self._encoded_at != self.contest.number:
            self._encoded.clear()
            self._encoded_at = self.contest.number
        if what not in self._encoded:
            self._encoded[what] = encode(message())
        return self._encoded[what]

    def forget(self) -> None:
        """What this worker knows of the game may be wrong."""
        self.contest = None
        self._encoded.clear()


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
        changed: Callable[[Contest, Sequence[LoggedEvent]], None] = lambda *_: None,
        herald: Herald | None = None,
    ) -> None:
        self._herald = herald or Herald()
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

    async def act(self, game: str, person: str | None, command: AnyCommand) -> int | Ahead:
        """Carry out what a person does; the number of the last event after it was kept.

        Or what would be, if it was only to be looked at.
        """
        number, ahead = await self._carry_out(
            game, lambda contest: commands.decide(contest, person, command, times.now())
        )
        return number if ahead is None else ahead

    async def act_as_bot(self, game: str, number: int, action: str) -> None:
        """Let the bot play the action that it chose when the game stood at ``number``."""

        def decide(contest: Contest) -> list[AnyEvent]:
            if contest.number != number or contest.bot_to_act is None:
                return []  # taken back, resigned or over meanwhile
            return contest.play(contest.game.turn, action, contest.game.ply)

        await self._carry_out(game, decide)

    async def join(self, game: str, player: Occupant, invitation: str | None) -> int:
        """Let a person take the free seat."""

        def decide(contest: Contest) -> list[AnyEvent]:
            expected = self._rooms[game].invitation
            free = commands.free_seat(contest, player, invitation, expected)
            return [Joined(word(free), player.name, player.person)]

        number, _ = await self._carry_out(game, decide)
        return number

    async def ask_seat(self, game: str, player: Occupant) -> int:
        """Let a person without the invitation ask for the free seat."""

        def decide(contest: Contest) -> list[AnyEvent]:
            return commands.ask_seat(contest, player, self._rooms[game].invitation)

        number, _ = await self._carry_out(game, decide)
        return number

    async def expire(self, game: str) -> None:
        """Look whether a flag has fallen or the time for setting up is over."""
        await self._carry_out(game, lambda _: [])

    async def give_back(self, game: str, milliseconds: int) -> None:
        """The server was away: that time counts for nobody, so no flag falls before this."""
        async with self._entered(game) as room:
            await self._happen(room, [Outage(milliseconds)])

    async def add(self, game: str, events: Sequence[AnyEvent], *, number: int) -> int:
        """Let events happen that were decided when the game stood at ``number``."""

        def decide(contest: Contest) -> list[AnyEvent]:
            if contest.number != number:
                raise Behind("The game has gone on meanwhile; look again.", number=contest.number)
            return list(events)

        after, _ = await self._carry_out(game, decide)
        return after

    async def _carry_out(self, game: str, decide: Decide) -> tuple[int, Ahead | None]:
        """Apply the events that are decided on; how far the game has come, or what would be."""
        for _ in range(ATTEMPTS):
            async with self._entered(game) as room:
                contest = self._contest(room)
                try:
                    await self._expire(room)
                    events = decide(contest)
                    if events and not isinstance(events, Ahead):
                        await self._happen(room, events)
                        return contest.number, None
                except Refusal:
                    if not await self._heard_more(room, contest.number):
                        raise
                except Conflict:
                    await self._load(room)
                else:
                    # What seems to be done already may have been taken back meanwhile.
                    if not await self._heard_more(room, contest.number):
                        return contest.number, events if isinstance(events, Ahead) else None
        raise Busy("The game changed several times meanwhile; nothing was done. Try again.")

    async def _heard_more(self, room: Room, number: int) -> bool:
        """Whether this worker had not heard the latest, so that all must be decided again.

        New events need no such look: they are not kept if the game has gone on or changed hands.
        """
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
            events = contest.setup_over(await self._drafts(contest))
        else:
            events = contest.flag(now)
        await self._happen(room, events)

    async def _happen(self, room: Room, events: Sequence[AnyEvent]) -> None:
        """Apply events, keep them, and tell everyone; in this order."""
        contest = self._contest(room)
        at = times.now()
        logged = [LoggedEvent(contest.number + i, at, event) for i, event in enumerate(events, 1)]
        row = _seated(events)
        kept: Kept | None = None
        try:
            contest.apply_all(logged)
            seated = _people(contest) if self._shared else None
            entry = Entry(contest.id, logged, columns(contest, at) | row, seated)
            kept = self._writer.append(entry)
            seats = await asyncio.shield(kept)
        except BaseException as error:
            room.forget()  # it may be ahead of what is kept
            if kept is not None and not isinstance(error, Conflict):
                room.unsettled = kept
                self._spawn(self._settle(room.id, kept))
            raise
        if seats is not None:
            contest.players.update(_players(seats))  # somebody may have another name now
        if "invitation" in row:
            room.invitation = None
        self._hint(contest.id, contest.number)
        self._announce(room)

    async def _settle(self, game: str, kept: Kept) -> None:
        """Whoever asked has gone, but what was asked may still be kept: tell the others then."""
        await asyncio.wait([kept])
        if not kept.cancelled():
            kept.exception()  # it has been told, or there is nobody to be told
        await self._hear(game, 0)

    def _announce(self, room: Room) -> None:
        contest = self._contest(room)
        new = contest.log[room.announced :]
        room.announced = contest.number
        if not new:
            return
        players = {player.person for player in contest.players.values() if player is not None}
        for watcher in [each for each in room.watchers if each.person in players]:
            self._send_new(room, watcher)
        if room.watchers:
            self._herald.announce(("events", room.id), partial(self._deliveries, room))
        self._changed(contest, new)
        if contest.bot_to_act is not None:
            self._bot_wanted(contest.id)

    def _send_new(self, room: Room, watcher: Watcher) -> None:
        for _, message in self._delivery(room, watcher):
            watcher.send(message)

    def _deliveries(self, room: Room) -> Iterator[tuple[Watcher, bytes]]:
        """What each watcher does not know yet, when it is asked for."""
        for watcher in list(room.watchers):
            yield from self._delivery(room, watcher)

    def _delivery(self, room: Room, watcher: Watcher) -> Iterator[tuple[Watcher, bytes]]:
        contest, known = room.contest, room.watchers.get(watcher)
        if contest is None or known is None or known >= contest.number:
            return  # it will be read anew, and told then; or there is nothing to tell
        room.watchers[watcher] = contest.number
        new, now = contest.log[known:], times.now()
        # Encoded once for everyone, but for those whom these events concern.
        whom = watcher.person if concerns(contest, new, watcher.person) else None
        yield watcher, room.encoded((known, whom), lambda: update(contest, new, now, whom))

    # --- watching ---------------------------------------------------------------------------------

    @asynccontextmanager
    async def watch(
        self, game: str, watcher: Watcher, last: int | None
    ) -> AsyncIterator[tuple[Contest, Snapshot | Update | Current]]:
        """Follow a game from now on: the contest, and what the watcher is missing so far.

        Nobody else is told anything meanwhile, so that the watcher hears this first.
        """
        async with self._entered(game) as room:
            await self._bring_up_to_date(room)
            room.watchers[watcher] = self._contest(room).number
            yield self._contest(room), self._missing(room, watcher, last)

    def _missing(
        self, room: Room, watcher: Watcher, last: int | None
    ) -> Snapshot | Update | Current:
        contest = self._contest(room)
        now = times.now()
        match catch_up(last, contest.number):
            case "current":
                return current(contest, now)
            case "update":
                return update(contest, contest.log[last:], now, watcher.person)
            case "snapshot":
                return self._snapshot(room, watcher.person)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Follow a game no longer."""
        room = self._rooms.get(game)
        if room is not None:
            room.watchers.pop(watcher, None)

    def watchers(self, game: str) -> Collection[Watcher]:
        """Who follows a game in this worker."""
        room = self._rooms.get(game)
        return () if room is None else room.watchers.keys()

    def watched(self) -> list[str]:
        """The games that somebody follows in this worker."""
        return [id for id, room in self._rooms.items() if room.watchers]

    async def snapshot(self, game: str, person: str | None) -> Snapshot:
        """Everything that a person may know of a game."""
        async with self._entered(game) as room:
            await self._bring_up_to_date(room)
            return self._snapshot(room, person)

    @asynccontextmanager
    async def contest(self, game: str) -> AsyncIterator[Contest]:
        """The contest, to be looked at."""
        async with self._entered(game) as room:
            await self._refresh_if_shared(room)
            yield self._contest(room)

    async def _bring_up_to_date(self, room: Room) -> None:
        """Read what others have written, and let no flag hang."""
        await self._refresh_if_shared(room)
        try:
            await self._expire(room)
        except Conflict:
            await self._load(room)  # another worker was faster

    def _snapshot(self, room: Room, person: str | None) -> Snapshot:
        contest = self._contest(room)
        invitation = room.invitation if person == room.created_by else None
        kept = room.invitation is not None
        eyes = viewer(contest, person)
        view = room.encoded(("view", eyes), lambda: seen(contest, eyes))
        return snapshot(contest, person, times.now(), msgspec.Raw(view), invitation, kept)

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
        """Look for the events up to a number, in a game that is open here."""
        if game in self._rooms:
            async with self._entered(game) as room:
                if self._contest(room).number < number:
                    await self._refresh(room)

    async def reload(self, game: str) -> None:
        """Read a game anew: the people on its seats have changed."""
        room = self._rooms.get(game)
        if room is not None:
            async with room.lock:
                room.forget()

    async def look(self) -> None:
        """Hints may be lost: look for what has happened elsewhere in the games that are watched."""
        for game, number in await self.behind():
            await self._hear(game, number)

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
            if not room.watchers and not room.visitors and room.unsettled is None:
                del self._rooms[id]

    async def _load(self, room: Room) -> None:
        """Make the contest anew from its events."""
        room.forget()
        if room.unsettled is not None:
            # Or it would be read without what is being kept, and nobody would look again.
            await asyncio.wait([room.unsettled])
            room.unsettled = None
        async with self._database.read() as connection:
            row = await self._row(connection, room.id)
            found = await self._events(connection, room.id, 0)
        contest = Contest(
            row.id,
            _agreements.decode(row.agreement),
            _players(row),
            row.created_at,
            _tags.decode(row.tags),
        )
        contest.apply_all(found)
        contest.players.update(_players(row))  # events have the names of then
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
            new = row.number > contest.number
            found = await self._events(connection, room.id, contest.number) if new else []
        players = _players(row)
        if any(sat not in (None, players[color]) for color, sat in contest.players.items()):
            # Whoever sat there has another name or is forgotten: what is known may tell too much.
            await self._load(room)
            return
        contest.players.update(players)
        room.invitation, room.created_by = row.invitation, row.created_by
        try:
            contest.apply_all(found)
        except BaseException:
            room.forget()  # it is between two events
            raise
        contest.players.update(players)  # events have the names of then
        self._announce(room)

    @staticmethod
    async def _row(connection: Any, game: str) -> Row[Any]:
        row = (await connection.execute(select(t.games).where(t.games.c.id == game))).first()
        if row is None:
            raise Unknown(NO_GAME)
        return row  # type: ignore[no-any-return]

    @staticmethod
    async def _events(connection: Any, game: str, after: int) -> list[LoggedEvent]:
        query = (
            select(t.events.c.number, t.events.c.at, t.events.c.event)
            .where(t.events.c.game_id == game, t.events.c.number > after)
            .order_by(t.events.c.number)
        )
        rows = (await connection.execute(query)).all()
        return [LoggedEvent(number, at, restored(event)) for number, at, event in rows]

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
    """What a game's row says of its events."""
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


def _seated(events: Sequence[AnyEvent]) -> dict[str, Any]:
    """What a game's row says of somebody who has just taken a seat."""
    row: dict[str, Any] = {}
    for event in events:
        if isinstance(event, Joined):
            row = {
                f"{event.seat}_id": event.person,
                f"{event.seat}_name": event.name,
                "invitation": None,
            }
    return row


def _people(contest: Contest) -> tuple[str | None, str | None]:
    """Whose the seats are, White's first."""
    white, black = contest.players[WHITE], contest.players[BLACK]
    return white.person if white else None, black.person if black else None


def _players(row: Row[Any]) -> dict[Color, Occupant | None]:
    players: dict[Color, Occupant | None] = {}
    for color in (WHITE, BLACK):
        name = getattr(row, f"{word(color)}_name")
        person, bot = getattr(row, f"{word(color)}_id"), getattr(row, f"{word(color)}_bot")
        players[color] = None if name is None else Occupant(name, person, bot)
    return players
