"""The service of one worker: its rooms, its connections, and what goes on by itself."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from litestar.channels import ChannelsPlugin
from sqlalchemy import select, update

from cyvasse.server import metrics, times
from cyvasse.server.bots import Bots
from cyvasse.server.chat import Remarks, room_of
from cyvasse.server.connection import Connection
from cyvasse.server.contest import Contest, Status
from cyvasse.server.database import Database, Writer
from cyvasse.server.database import tables as t
from cyvasse.server.database.upsert import upsert
from cyvasse.server.drafts import Drafts
from cyvasse.server.games import Games
from cyvasse.server.hints import Hints, Kind, PostgresBackend, backend
from cyvasse.server.limits import Limits
from cyvasse.server.lists import Lists
from cyvasse.server.messages import AnyCommand, Chat, LobbyState, Room
from cyvasse.server.people import People, Person
from cyvasse.server.presence import RENEW_SECONDS, Attendance
from cyvasse.server.problems import Refusal
from cyvasse.server.rooms import BOT_PATIENCE, Rooms
from cyvasse.server.settings import Settings, secret

CLOCK_SECONDS = 0.25
BOT_SECONDS = 5
LOOK_SECONDS = 3
PULSE_SECONDS = 5
LOBBY_SECONDS = 0.5
# A bot that has a clock thinks for this part of what is left, and never longer than that.
PART_OF_CLOCK = 40
LONGEST_THOUGHT = 10.0

log = logging.getLogger("cyvasse.server")
encode = msgspec.json.Encoder().encode


class Service:
    """Everything that one worker does."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.worker = secrets.token_urlsafe(8)
        self.database = Database(settings.database_url)
        self.shared = not self.database.is_sqlite
        self._backend = backend(settings)
        self.channels = ChannelsPlugin(self._backend, channels=["cyvasse"])
        self.hints = Hints(self.channels, self.worker)
        self.writer = Writer(self.database)
        self.rooms = Rooms(
            self.database,
            self.writer,
            shared=self.shared,
            hint=lambda game, number: self._hint("facts", game, number),
            bot_wanted=self._bot_wanted,
            changed=self._changed,
        )
        self.bots = Bots(settings.bots)
        self.games = Games(self.database, self.rooms, self.bots.setup)
        self.people = People(self.database, secret(settings.folder))
        self.drafts = Drafts(self.database)
        self.lists = Lists(self.database)
        self.remarks = Remarks(self.database)
        self.attendance = Attendance(self.database, self.worker, shared=self.shared)
        self.limits = Limits(settings.limits)
        self.connections: set[Connection] = set()
        self._in_lobby: set[Connection] = set()
        self._lobby_due = asyncio.Event()
        self._thinking: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    # --- its life ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin with what goes on by itself."""
        await self.bots.start()
        if not self.shared:
            await self._look_for_bots(times.now() + BOT_PATIENCE)  # nobody else thinks for them
        self._spawn(self._every(CLOCK_SECONDS, self._look_at_clocks))
        self._spawn(self._every(BOT_SECONDS, self._look_for_bots))
        self._spawn(self._every(PULSE_SECONDS, self._beat))
        self._spawn(self._every(RENEW_SECONDS, self._renew))
        self._spawn(self._tell_lobby())
        if self.shared:
            self._spawn(self.hints.listen(self._heard))
            self._spawn(self._every(LOOK_SECONDS, self._look_around))

    async def stop(self) -> None:
        """End; what has begun is finished first."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.rooms.close()
        await self.writer.close()
        await self.bots.close()
        await self.attendance.leave()
        await self.database.close()

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except Exception:
                log.exception("something that goes on by itself has failed; it will be tried again")
            await asyncio.sleep(seconds)

    # --- people who are connected -----------------------------------------------------------------

    async def act(self, person: Person, game: str, command: AnyCommand) -> int:
        """Do something in a game."""
        start = time.perf_counter()
        try:
            number = await self.games.act(person, game, command)
        except Refusal as refusal:
            metrics.commands.labels(refusal.kind).inc()
            raise
        metrics.commands_done.inc()
        metrics.commit_seconds.observe(time.perf_counter() - start)
        return number

    async def watch(
        self, connection: Connection, game: str, last: int | None, chat: int | None
    ) -> None:
        """Let a connection follow a game, and tell it what it is missing."""
        connection.tell(encode(await self.rooms.watch(game, connection, last)))
        connection.watching.add(game)
        async with self.rooms.contest(game) as contest:
            room = room_of(contest, connection.person)
        connection.tell(encode(await self.remarks.after(game, room, chat or 0)))
        await self._attend(game)

    async def unwatch(self, connection: Connection, game: str) -> None:
        """A connection follows a game no longer."""
        if game in connection.watching:
            self.rooms.unwatch(game, connection)
            connection.watching.discard(game)
            await self._attend(game)

    async def left(self, connection: Connection) -> None:
        """A connection has ended."""
        self.connections.discard(connection)
        self._in_lobby.discard(connection)
        games = list(connection.watching)
        connection.watching.clear()
        for game in games:  # all of them, before anything can go wrong
            self.rooms.unwatch(game, connection)
        for game in games:
            await self._attend(game)

    async def _attend(self, game: str) -> None:
        """Count who is there and tell everyone who follows the game."""
        watchers = self.rooms.watchers(game)
        async with self.rooms.contest(game) as contest:
            presence = await self.attendance.note(contest, watchers)
        self._hint("presence", game)
        for watcher in list(self.rooms.watchers(game)):
            watcher.tell(encode(presence))

    async def say(self, person: Person, game: str, text: str) -> Chat:
        """Say something beside a game."""
        async with self.rooms.contest(game) as contest:
            chat = await self.remarks.say(contest, person, text)
            self._tell_remarks(contest, chat)
        self._hint("chat", game, chat.remarks[0].number)
        return chat

    async def chat_after(self, person: Person, game: str, number: int) -> Chat:
        """What was said after a remark that is known, where this person may hear it."""
        async with self.rooms.contest(game) as contest:
            return await self.remarks.after(game, room_of(contest, person.id), number)

    def _tell_remarks(self, contest: Contest, chat: Chat) -> None:
        message = encode(chat)
        for watcher in list(self.rooms.watchers(contest.id)):
            if room_of(contest, watcher.person) == chat.room:
                watcher.tell(message)

    # --- the lobby --------------------------------------------------------------------------------

    async def follow_lobby(self, connection: Connection, follow: bool) -> None:
        """Tell a connection about the lobby from now on, or no longer."""
        if follow:
            self._in_lobby.add(connection)
            connection.tell(encode(LobbyState(await self.lists.lobby())))
        else:
            self._in_lobby.discard(connection)

    def lobby_changed(self) -> None:
        """An open seat is new, or gone."""
        self._lobby_due.set()
        self._hint("lobby")

    async def _tell_lobby(self) -> None:
        while True:
            await self._lobby_due.wait()
            self._lobby_due.clear()
            if self._in_lobby:
                message = encode(LobbyState(await self.lists.lobby()))
                for connection in list(self._in_lobby):
                    connection.tell(message)
            await asyncio.sleep(LOBBY_SECONDS)

    def _changed(self, contest: Contest) -> None:
        """New facts of a contest have been told."""
        match contest.told[-1].fact.__struct_config__.tag:
            case "joined":
                self.lobby_changed()
            case "aborted":
                self.lobby_changed()
                self._spawn(self.drafts.drop(contest.id))
            case "lifted":
                self._spawn(self.drafts.drop(contest.id))

    # --- other workers ----------------------------------------------------------------------------

    def _hint(self, kind: Kind, game: str = "", number: int = 0) -> None:
        if self.shared:
            self.hints.give(kind, game, number)

    def _heard(self, kind: Kind, game: str, number: int) -> None:
        match kind:
            case "facts":
                self.rooms.heard(game, number)
            case "lobby":
                self._lobby_due.set()
            case "presence" if self.rooms.watchers(game):
                self._spawn(self._tell_presence(game))
            case "chat" if self.rooms.watchers(game):
                self._spawn(self._tell_news(game, number - 1))
            case "people":
                self._spawn(self.rooms.reload(game))
            case "person":
                self._part(game)

    async def _tell_presence(self, game: str) -> None:
        message = encode(await self.attendance.read(game))
        for watcher in list(self.rooms.watchers(game)):
            watcher.tell(message)

    async def _tell_news(self, game: str, after: int) -> None:
        async with self.rooms.contest(game) as contest:
            rooms: tuple[Room, Room] = ("players", "spectators")
            for room in rooms:
                chat = await self.remarks.after(game, room, after)
                if chat.remarks:
                    self._tell_remarks(contest, chat)

    async def _look_around(self) -> None:
        """Hints may be lost: look for what has happened elsewhere."""
        if isinstance(self._backend, PostgresBackend):
            await self._backend.revive()
        for game in await self.rooms.behind():
            await self.rooms.refresh(game)

    # --- clocks and bots --------------------------------------------------------------------------

    async def _look_at_clocks(self) -> None:
        query = select(t.games.c.id).where(t.games.c.deadline <= times.now()).limit(200)
        async with self.database.read() as connection:
            due = (await connection.execute(query)).scalars().all()
        for game in due:
            await self.rooms.expire(game)

    async def _look_for_bots(self, until: int | None = None) -> None:
        """A bot whose worker has died, or was restarted, must not be forgotten."""
        due = t.games.c.bot_due <= (until or times.now())
        query = select(t.games.c.id).where(due).limit(200)
        async with self.database.read() as connection:
            for game in (await connection.execute(query)).scalars().all():
                self._bot_wanted(game)

    def _bot_wanted(self, game: str) -> None:
        if game not in self._thinking:
            self._thinking.add(game)
            self._spawn(self._let_bot_act(game))

    async def _let_bot_act(self, game: str) -> None:
        try:
            while True:
                async with self.rooms.contest(game) as contest:
                    level = contest.bot_to_act
                    if level is None:
                        return
                    number, game_now = contest.number, contest.game
                    left = contest.clock.left(game_now.turn, times.now())
                seconds = LONGEST_THOUGHT
                if left is not None:
                    seconds = min(seconds, left / 1000 / PART_OF_CLOCK)
                with metrics.bot_seconds.time():
                    # It reads the game before it first waits, so nothing can have changed.
                    action = await self.bots.choose(game_now, level, seconds=seconds)
                await self.rooms.act_as_bot(game, number, str(action))
        except Exception:
            log.exception("a bot could not act; it will be asked again")
        finally:
            self._thinking.discard(game)

    # --- now and then -----------------------------------------------------------------------------

    async def _beat(self) -> None:
        metrics.sockets.set(len(self.connections))
        metrics.rooms.set(len(self.rooms))
        metrics.bots_waiting.set(self.bots.waiting)
        async with self.database.write() as connection:
            await upsert(connection, t.pulse, {"id": 1, "at": times.now()})

    async def _renew(self) -> None:
        await self.attendance.renew()
        here = sorted({c.person for c in self.connections if c.person is not None})
        c = t.people.c
        known: dict[str, tuple[str, int]] = {}
        async with self.database.write() as connection:
            for start in range(0, len(here), 500):
                some = c.id.in_(here[start : start + 500])
                await connection.execute(update(t.people).where(some).values(seen_at=times.now()))
                rows = await connection.execute(select(c.id, c.name, c.session).where(some))
                known |= {id: (name, session) for id, name, session in rows}
        for each in list(self.connections):
            who = each.who
            if who is None or (who.id not in known and not who.account):
                continue  # nobody, or a guest who has left no trace yet
            if known.get(who.id) != (who.name, who.session):
                each.part()  # signed out elsewhere, and the hint was lost

    # --- people who become somebody else ----------------------------------------------------------

    async def games_of(self, person: str) -> list[str]:
        """The games that somebody plays, has played or has brought along."""
        g = t.games.c
        own = (g.white_id == person) | (g.black_id == person) | (g.created_by == person)
        async with self.database.read() as connection:
            return list((await connection.execute(select(g.id).where(own))).scalars())

    async def people_changed(self, person: str, games: Sequence[str] = ()) -> None:
        """Somebody is somebody else now: read the games anew, and end what the old one says."""
        for game in games:
            await self.rooms.reload(game)
            self._hint("people", game)
        self._part(person)
        self._hint("person", person)

    def _part(self, person: str) -> None:
        for connection in list(self.connections):
            if connection.person == person:
                connection.part()


async def prepare(settings: Settings) -> None:
    """Before the workers start: tables, and time that nobody could play in is given back."""
    database = Database(settings.database_url)
    try:
        await database.upgrade()
        await _give_time_back(database)
    finally:
        await database.close()


async def _give_time_back(database: Database) -> None:
    async with database.read() as connection:
        beat = (await connection.execute(select(t.pulse.c.at))).scalar_one_or_none()
        now = times.now()
        away = 0 if beat is None else now - beat
        if away < 2 * PULSE_SECONDS * 1000:
            return
        g = t.games.c
        query = select(g.id, g.updated_at).where(
            g.deadline.is_not(None),
            g.live.is_(True),
            g.status.in_([str(Status.SETUP), str(Status.PLAYING)]),
        )
        games = (await connection.execute(query)).all()
    writer = Writer(database)
    rooms = Rooms(database, writer, shared=False, hint=lambda *_: None, bot_wanted=lambda _: None)
    for game, updated_at in games:
        await rooms.give_back(game, now - max(beat or 0, updated_at))
    await rooms.close()
    await writer.close()
    log.info("the server was away", extra={"milliseconds": away, "games": len(games)})
