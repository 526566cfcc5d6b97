"""The service of one worker: its rooms, its connections, and what goes on by itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import secrets
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from litestar.channels import ChannelsPlugin
from sqlalchemy import select, update

from cyvasse.engine.levels import HINT_LEVEL, gives_up
from cyvasse.server import metrics, times
from cyvasse.server.advice import Hint, game_to_hint, hint_of
from cyvasse.server.bots import Bots
from cyvasse.server.chat import Remarks
from cyvasse.server.company import Company
from cyvasse.server.connection import Connection
from cyvasse.server.contest import Ahead, Contest, Status
from cyvasse.server.database import WORKER, Database, Writer, is_away
from cyvasse.server.database import tables as t
from cyvasse.server.database.upsert import upsert
from cyvasse.server.drafts import Drafts
from cyvasse.server.events import Aborted, Joined, Lifted, LoggedEvent
from cyvasse.server.games import Games
from cyvasse.server.herald import Herald
from cyvasse.server.hints import Hints, Kind, PostgresBackend, backend
from cyvasse.server.limits import TokenBuckets
from cyvasse.server.lists import Lists
from cyvasse.server.memory import Memory
from cyvasse.server.messages import AnyCommand, Chat, LobbyState, Watch
from cyvasse.server.people import People, Person, asked_for
from cyvasse.server.presence import RENEW_SECONDS, Attendance
from cyvasse.server.problems import Refusal
from cyvasse.server.rooms import BOT_PATIENCE, Rooms
from cyvasse.server.settings import Settings, secret

CLOCK_SECONDS = 0.25
BOT_SECONDS = 5
LOOK_SECONDS = 3
PULSE_SECONDS = 2
LOBBY_SECONDS = 0.5
CROWD_SECONDS = 1
TIDY_SECONDS = 2
GUESS_SECONDS = 3
STOP_SECONDS = 10
# A game that fails must not take the place of others whose flags are falling.
FAILED_FOR = 10_000
AT_ONCE = 200
# A bot that has a clock thinks for this part of what is left, and never longer than that.
PART_OF_CLOCK = 40
LONGEST_THOUGHT = 10.0

log = logging.getLogger("cyvasse.server")
encode = msgspec.json.Encoder().encode
_T = TypeVar("_T")


class Service:
    """Everything that one worker does."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.worker = secrets.token_urlsafe(8)
        self.database = Database(settings.database_url, name=WORKER)
        self.shared = not self.database.is_sqlite
        self._backend = backend(settings)
        self.channels = ChannelsPlugin(self._backend, channels=["cyvasse"])
        self.hints = Hints(self.channels, self.worker)
        self.writer = Writer(self.database)
        self.memory = Memory()
        self.herald = Herald()
        self.rooms = Rooms(
            self.database,
            self.writer,
            shared=self.shared,
            hint=lambda game, number: self._hint("events", game, number),
            bot_wanted=self._bot_wanted,
            changed=self._changed,
            herald=self.herald,
        )
        self.bots = Bots(settings.bots)
        self.games = Games(self.database, self.rooms, self.bots.setup)
        self.people = People(self.database, secret(settings.folder))
        self.drafts = Drafts(self.database)
        self.lists = Lists(self.database)
        self.limits = TokenBuckets(settings.limits)
        self.company = Company(
            self.rooms,
            Remarks(self.database),
            Attendance(self.database, self.worker, shared=self.shared),
            self.herald,
            self._hint,
            shared=self.shared,
        )
        self.connections: set[Connection] = set()
        self._in_lobby: set[Connection] = set()
        self._lobby_due = asyncio.Event()
        self._lobby_message = b""
        self._acted = False  # since it was tidied up last
        self._lobby_turn = asyncio.Lock()  # what is read later must be told later
        self._thinking: set[str] = set()
        self._ending = False
        self._failed: dict[str, int] = {}  # games whose clock could not be looked at, and when
        self._loops: list[asyncio.Task[None]] = []
        self._deeds: set[asyncio.Task[Any]] = set()

    # --- its life ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin with what goes on by itself."""
        metrics.forget_the_dead()
        if self.shared:
            await self.channels.__aenter__()
        await self.bots.start()
        self._begin(CLOCK_SECONDS, self._look_at_clocks)
        self._begin(BOT_SECONDS, self._look_for_bots)
        self._begin(PULSE_SECONDS, self._beat)
        self._begin(RENEW_SECONDS, self._renew)
        self._begin(LOBBY_SECONDS, self._send_lobby)
        self._begin(CROWD_SECONDS, self.company.count_crowds)
        self.memory.begin()
        self._begin(TIDY_SECONDS, self._tidy_up)
        self._begin(GUESS_SECONDS, self.people.guess_book.write_down)
        if self.shared:
            self._begin(LOOK_SECONDS, lambda: self.hints.listen(self._heard))
            self._begin(LOOK_SECONDS, self._look_around)
            self._begin(LOOK_SECONDS, self._revive_hints)

    async def stop(self) -> None:
        """End; what has begun is finished first."""
        self._ending = True
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self.bots.close()  # a bot that has not chosen yet is asked again after the restart
        for ending in (
            self._finish_deeds,
            self.rooms.close,
            self.herald.close,
            self.writer.close,
            self.people.guess_book.write_down,
            self.company.leave,
            self._beat,
            self._close_channels,
            self.database.close,
        ):
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    await ending()
            except Exception as error:
                log.warning("the end was not in order", extra={"error": type(error).__name__})
        self.memory.end()

    async def _finish_deeds(self) -> None:
        while self._deeds:
            await asyncio.wait(self._deeds)

    async def _close_channels(self) -> None:
        if self.shared:
            await self.hints.close()
            await self.channels.__aexit__(None, None, None)

    def _begin(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do something again and again."""
        self._loops.append(asyncio.create_task(self._every(seconds, work)))

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.current_task()
        assert task is not None
        while not task.cancelling():  # what is cut off may fail in its own way, and go on
            try:
                await work()
            except Exception:
                if task.cancelling():
                    break
                log.exception("something that goes on by itself has failed; it will be tried again")
            await asyncio.sleep(0 if task.cancelling() else seconds)

    def _do(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Do something once, beside everything else, and to its end."""
        task = asyncio.create_task(work)
        self._deeds.add(task)  # or it may vanish before it is done
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._deeds.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refusal):
            log.error("something could not be done", exc_info=error)

    # --- people who are connected -----------------------------------------------------------------

    async def act(self, person: Person, game: str, command: AnyCommand) -> int | Ahead:
        """Do something in a game; its number after it, or what would be."""
        start = time.perf_counter()
        self._acted = True
        try:
            done = await self.games.act(person, game, command)
        except Refusal as refusal:
            metrics.commands.labels(refusal.kind).inc()
            raise
        if isinstance(done, Ahead):
            metrics.commands.labels("preview").inc()
        else:
            metrics.commands_done.inc()
            metrics.commit_seconds.observe(time.perf_counter() - start)
        return done

    async def hint(self, person: Person, game: str, held: Sequence[str]) -> Hint:
        """What a strong bot would play for a person whose turn it is, against a bot."""
        async with self.rooms.contest(game) as contest:
            hinted = game_to_hint(contest, person.id, held)
            position = hinted.position
        return hint_of(position, await self.bots.choose(hinted, HINT_LEVEL))

    async def watch(self, connection: Connection, asked: Watch) -> None:
        """Let a connection follow a game, and tell it what it is missing."""
        game = asked.game
        async with self.rooms.watch(game, connection, asked.last) as (contest, missing):
            connection.watching.add(game)
            connection.send(encode(missing))
            await self.company.welcome(connection, contest, asked.chat or 0, asked.room)
        await self.company.count(game)

    async def unwatch(self, connection: Connection, game: str) -> None:
        """A connection follows a game no longer."""
        if game in connection.watching:
            self.rooms.unwatch(game, connection)
            connection.watching.discard(game)
            await self.company.count(game)

    async def left(self, connection: Connection) -> None:
        """A connection has ended."""
        self.connections.discard(connection)
        self.memory.connection_ended()
        self._in_lobby.discard(connection)
        games = list(connection.watching)
        connection.watching.clear()
        for game in games:  # all of them, before anything can go wrong
            self.rooms.unwatch(game, connection)
        for game in games:
            self._do(self.company.count(game))

    async def say(self, person: Person, game: str, text: str) -> Chat:
        """Say something beside a game; done to the end even if whoever says it goes away."""
        return await asyncio.shield(self._do(self.company.say(person, game, text)))

    async def chat_after(self, person: Person, game: str, number: int) -> Chat:
        """What was said after a remark that is known, where this person may hear it."""
        return await self.company.after(person, game, number)

    # --- the lobby --------------------------------------------------------------------------------

    async def follow_lobby(self, connection: Connection, follow: bool) -> None:
        """Tell a connection about the lobby from now on, or no longer."""
        if follow:
            async with self._lobby_turn:
                await self._look_at_lobby()
                connection.send(self._lobby_message)
                self._in_lobby.add(connection)
        else:
            self._in_lobby.discard(connection)

    def lobby_changed(self) -> None:
        """An open seat is new, or gone."""
        self._lobby_due.set()
        self._hint("lobby")

    async def _send_lobby(self) -> None:
        with contextlib.suppress(TimeoutError):  # a hint may be lost, and who waits may leave
            await asyncio.wait_for(self._lobby_due.wait(), LOOK_SECONDS)
        self._lobby_due.clear()
        if self._in_lobby:
            async with self._lobby_turn:
                await self._look_at_lobby()

    async def _look_at_lobby(self) -> None:
        """Tell all who follow the lobby if it has changed."""
        message = encode(LobbyState(await self.lists.lobby()))
        if message != self._lobby_message:
            self._lobby_message = message
            self.herald.announce("lobby", self._lobby_deliveries)

    def _lobby_deliveries(self) -> Iterator[tuple[Connection, bytes]]:
        for connection in list(self._in_lobby):
            yield connection, self._lobby_message

    def _changed(self, contest: Contest, new: Sequence[LoggedEvent]) -> None:
        """Watchers have been sent new events of a contest."""
        kinds = {type(logged.event) for logged in new}
        if kinds & {Joined, Aborted}:
            self.lobby_changed()
        if kinds & {Lifted, Aborted}:
            self._do(self.drafts.drop(contest.id))
        if Joined in kinds and self.rooms.watchers(contest.id):
            self._do(self.company.count(contest.id))  # whoever only watched may play now

    # --- other workers ----------------------------------------------------------------------------

    def _hint(self, kind: Kind, game: str = "", number: int = 0) -> None:
        if self.shared:
            self.hints.give(kind, game, number)

    def _heard(self, kind: Kind, game: str, number: int) -> None:
        match kind:
            case "events":
                self.rooms.heard(game, number)
            case "lobby":
                self._lobby_due.set()
            case "presence":
                self._do(self.company.heard_presence(game))
            case "chat":
                self._do(self.company.heard_chat(game))
            case "people":
                self._do(self.rooms.reload(game))
            case "person":
                self._part(game)

    async def _look_around(self) -> None:
        """Hints may be lost: look for what has happened elsewhere."""
        await self.rooms.look()
        await self.company.look()

    async def _revive_hints(self) -> None:
        if isinstance(self._backend, PostgresBackend):
            await self._backend.revive()

    # --- clocks and bots --------------------------------------------------------------------------

    async def _look_at_clocks(self) -> None:
        g = t.games.c
        now = times.now()
        self._failed = {game: at for game, at in self._failed.items() if at > now - FAILED_FOR}
        query = (
            select(g.id)
            .where(g.deadline <= now, g.id.not_in(self._failed))
            .order_by(g.deadline)
            .limit(AT_ONCE)
        )
        async with self.database.read() as connection:
            due = (await connection.execute(query)).scalars().all()
        ends = await asyncio.gather(*map(self.rooms.expire, due), return_exceptions=True)
        for game, error in zip(due, ends, strict=True):
            if error is not None:
                self._failed[game] = now
                log.error("a clock could not be looked at", exc_info=error)

    async def _look_for_bots(self) -> None:
        """A bot whose worker has died, or was restarted, must not be forgotten."""
        g = t.games.c
        now = times.now()
        query = select(g.id).where(g.bot_due <= now).order_by(g.bot_due).limit(AT_ONCE)
        async with self.database.read() as connection:
            forgotten = (await connection.execute(query)).scalars().all()
        if not forgotten:
            return
        async with self.database.write() as connection:
            # Whoever changes this first thinks for it.
            claim = (
                update(t.games)
                .where(g.id.in_(forgotten), g.bot_due <= now)
                .values(bot_due=now + BOT_PATIENCE)
                .returning(g.id)
            )
            claimed = (await connection.execute(claim)).scalars().all()
        for game in claimed:
            self._bot_wanted(game)

    def _bot_wanted(self, game: str) -> None:
        if game not in self._thinking:
            self._thinking.add(game)
            self._do(self._let_bot_act(game))

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
                # Both read the game before they first wait, so nothing can have changed.
                if gives_up(level, game_now.position):
                    await self.rooms.act_as_bot(game, number, None)
                    continue
                with metrics.bot_seconds.time():
                    action = await self.bots.choose(game_now, level, seconds=seconds)
                await self.rooms.act_as_bot(game, number, str(action))
        except Exception:
            if not self._ending:
                log.exception("a bot could not act; it will be asked again")
        finally:
            self._thinking.discard(game)

    # --- now and then -----------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Show that this worker is alive; end it if nobody is left to end it."""
        parent = multiprocessing.parent_process()
        if parent is not None and not parent.is_alive():
            log.warning("the server that started this worker is gone, so it ends too")
            signal.raise_signal(signal.SIGTERM)
        metrics.sockets.set(len(self.connections))
        metrics.rooms.set(len(self.rooms))
        metrics.bots_waiting.set(self.bots.waiting)
        async with self.database.write() as connection:
            await upsert(connection, t.pulse, {"id": 1, "at": times.now()})

    async def _tidy_up(self) -> None:
        self.memory.settle(len(self.connections), quiet=not self._acted)
        self._acted = False

    async def _renew(self) -> None:
        await self.company.renew()
        people = t.people
        here = sorted({c.person for c in self.connections if c.person is not None})
        c = people.c
        known: dict[str, tuple[str, int]] = {}
        for start in range(0, len(here), AT_ONCE):
            some = c.id.in_(here[start : start + AT_ONCE])
            # Somebody may be connected to several workers: whoever comes second need not wait.
            free = select(c.id).where(some).with_for_update(skip_locked=True)
            async with self.database.write() as connection:
                seen = (await connection.execute(free)).scalars().all()
                await connection.execute(
                    update(people).where(c.id.in_(seen)).values(seen_at=times.now())
                )
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
        """The games that somebody plays, has played, has brought along, or would like to play."""
        g = t.games.c
        own = (g.white_id == person) | (g.black_id == person) | (g.created_by == person)
        own |= g.id.in_(asked_for(person))
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
    """Before the workers start: tables, and what a time in which nobody could play asks for."""
    database = Database(settings.database_url)
    try:
        async with database.alone():
            await database.upgrade()
            await _come_back(database)
    finally:
        await database.close()


async def _come_back(database: Database) -> None:
    """Give back the time that the server was away, and let bots think at once."""
    now = times.now()
    g = t.games.c
    others = await database.has_workers()
    async with database.write() as connection:
        beat = (await connection.execute(select(t.pulse.c.at))).scalar_one_or_none()
        # A worker that lost its power may still seem to be connected, but it has no pulse.
        if beat is None or (others and now - beat < 2 * PULSE_SECONDS * 1000):
            await upsert(connection, t.pulse, {"id": 1, "at": now})
            return
        query = select(g.id, g.updated_at).where(
            g.deadline.is_not(None),
            g.live.is_(True),
            g.status.in_([str(Status.SETUP), str(Status.PLAYING)]),
        )
        games = (await connection.execute(query)).all()
    writer = Writer(database)
    rooms = Rooms(database, writer, shared=False, hint=lambda *_: None, bot_wanted=lambda _: None)
    for start in range(0, len(games), AT_ONCE):
        ends = await asyncio.gather(
            *(
                rooms.give_back(game, now - max(beat, updated_at))
                for game, updated_at in games[start : start + AT_ONCE]
                if updated_at < now
            ),
            return_exceptions=True,
        )
        for error in ends:
            if error is not None and is_away(error):
                raise error  # with room on the disk the next start gives it back
            if error is not None:
                log.error("a game could not be given its time back", exc_info=error)
    await writer.close()
    async with database.write() as connection:
        await connection.execute(update(t.games).where(g.bot_due.is_not(None)).values(bot_due=now))
        # Last: who does not come as far as this was still away.
        await upsert(connection, t.pulse, {"id": 1, "at": now})
    log.info("the server was away", extra={"milliseconds": now - beat, "games": len(games)})
