"""What goes on by itself goes on, whatever happens to it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

import cyvasse
from cyvasse.notation.documents import setup_document
from cyvasse.server import messages as m
from cyvasse.server import service as module
from cyvasse.server import times
from cyvasse.server.clocks import DaysPerTurn, Fischer
from cyvasse.server.database import Database, DatabaseError
from cyvasse.server.games import Anyone, Bot, Friend, NewGame
from cyvasse.server.people import Person
from cyvasse.server.service import Service, prepare
from cyvasse.server.settings import Settings

WHITE, BLACK = Person("w", "Wyl"), Person("b", "Bors")


def with_service(folder: Path, work: Callable[[Service], Awaitable[None]]) -> None:
    async def run() -> None:
        settings = Settings(data=str(folder), limits=0)
        await prepare(settings)
        service = Service(settings)
        await service.start()
        try:
            async with asyncio.timeout(60):
                await work(service)
        finally:
            await service.stop()

    asyncio.run(run())


class Visitor:
    """A connection without a network."""

    def __init__(self, person: str | None = None) -> None:
        self.person = person
        self.watching: set[str] = set()
        self.heard: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.heard.append(message)


async def begin(service: Service, **more: Any) -> str:
    new = NewGame("croft", Friend(), color="white", first="white", **more)
    created = await service.games.create(WHITE, new)
    await service.games.join(BLACK, created.game, created.invitation)
    rules = cyvasse.rule_set("croft")
    for person, color in ((WHITE, "white"), (BLACK, "black")):
        setup = setup_document(rules, rules.random_setup(color, seed=1))
        await service.act(person, created.game, m.Submit(setup=setup))
    return created.game


async def until(check: Callable[[], Awaitable[Any]]) -> None:
    while not await check():
        await asyncio.sleep(0.02)


def later(patch: pytest.MonkeyPatch, milliseconds: int) -> None:
    now = times.now
    patch.setattr(times, "now", lambda: now() + milliseconds)


def test_one_game_that_fails_does_not_stop_the_clocks_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 2)

    async def work(service: Service) -> None:
        games = [await begin(service, clock=Fischer(10)) for _ in range(4)]
        expire = service.rooms.expire

        async def fail(game: str) -> None:
            if game in games[:3]:
                raise OSError
            await expire(game)

        monkeypatch.setattr(service.rooms, "expire", fail)
        later(monkeypatch, 11_000)

        async def over() -> bool:
            async with service.rooms.contest(games[3]) as contest:
                return contest.over

        await until(over)
        monkeypatch.setattr(service.rooms, "expire", expire)
        for game in games:
            await expire(game)

    with_service(tmp_path, work)


def test_what_fails_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLOCK_SECONDS", "LOBBY_SECONDS", "LOOK_SECONDS", "PULSE_SECONDS"):
        monkeypatch.setattr(module, name, 0.02)

    async def work(service: Service) -> None:
        looks = 0

        async def lobby() -> list[Any]:
            nonlocal looks
            looks += 1
            raise OSError("the database is away")

        monkeypatch.setattr(service.lists, "lobby", lobby)
        service._in_lobby.add(Visitor())  # type: ignore[arg-type]
        service.lobby_changed()

        async def several() -> bool:
            return looks > 3

        await until(several)
        service._in_lobby.clear()

    with_service(tmp_path, work)


def test_news_of_the_lobby_are_for_those_who_were_there_before_too(tmp_path: Path) -> None:
    """Whoever comes asks for the lobby; if it has changed the others have not heard that yet."""

    async def work(service: Service) -> None:
        first: Any = Visitor()
        second: Any = Visitor()
        await service.follow_lobby(first, True)
        new = NewGame("croft", Anyone(), clock=DaysPerTurn(1))
        await service.games.create(WHITE, new)
        await service.follow_lobby(second, True)
        assert len(first.heard) == 2
        assert first.heard[-1] == second.heard[-1] != first.heard[0]

    with_service(tmp_path, work)


def test_whoever_watched_and_joins_is_there_as_a_player(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        created = await service.games.create(WHITE, NewGame("croft", Friend(), color="white"))
        visitor: Any = Visitor("b")
        await service.watch(visitor, m.Watch(game=created.game))
        await service.games.join(BLACK, created.game, created.invitation)

        async def counted() -> bool:
            last = json.loads(visitor.heard[-1])
            return last["type"] == "presence" and last["black"] and not last["spectators"]

        await until(counted)

    with_service(tmp_path, work)


def test_a_forgotten_bot_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(service: Service) -> None:
        created = await service.games.create(
            WHITE, NewGame("croft", Bot(1), color="white", first="black")
        )
        rules = cyvasse.rule_set("croft")
        setup = setup_document(rules, rules.random_setup("white", seed=1))
        asked: list[str] = []
        monkeypatch.setattr(service, "_bot_wanted", asked.append)
        monkeypatch.setattr(service.rooms, "_bot_wanted", lambda _: None)  # its worker has died
        await service.act(WHITE, created.game, m.Submit(setup=setup))
        await service._look_for_bots()
        assert asked == []  # not yet: somebody may be thinking
        later(monkeypatch, 31_000)
        await asyncio.gather(*(service._look_for_bots() for _ in range(3)))
        assert asked == [created.game]

    with_service(tmp_path, work)


def test_a_failed_count_does_not_keep_a_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(service: Service) -> None:
        games = [await begin(service) for _ in range(3)]
        gone: Any = Visitor("w")
        for game in games:
            await service.watch(gone, m.Watch(game=game))

        async def fail(_: str) -> None:
            raise OSError

        monkeypatch.setattr(service.company, "count", fail)
        await service.left(gone)
        for game in games:
            assert not service.rooms.watchers(game)

    with_service(tmp_path, work)


def test_time_away_is_given_back_by_the_start_that_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start without room on the disk counts as time away."""
    games: list[str] = []

    async def play(service: Service) -> None:
        games.extend([await begin(service, clock=Fischer(60)) for _ in range(2)])

    with_service(tmp_path, play)
    transact = Database.transact
    kept = 0

    async def fill(database: Database, work: Any) -> None:
        nonlocal kept
        kept += 1
        if kept > 1:
            raise OperationalError("INSERT", None, sqlite3.OperationalError("disk is full"))
        await transact(database, work)

    async def look(service: Service) -> None:
        for game in games:
            clocks = (await service.rooms.snapshot(game, None)).standing.clocks
            assert clocks.white is not None
            assert clocks.white > 50_000

    later(monkeypatch, 3_600_000)
    with monkeypatch.context() as full:
        full.setattr(module, "AT_ONCE", 1)
        full.setattr(Database, "transact", fill)
        with pytest.raises(DatabaseError, match="disk is full; see that there is room"):
            asyncio.run(prepare(Settings(data=str(tmp_path))))
    assert kept == 2
    later(monkeypatch, 3_600_000)
    with_service(tmp_path, look)


def test_time_away_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if one of the games is broken: the server starts all the same."""
    live: list[str] = []
    letters: list[str] = []

    async def play(service: Service) -> None:
        live.extend([await begin(service, clock=Fischer(60)) for _ in range(3)])
        letters.append(await begin(service, clock=DaysPerTurn(1)))
        async with service.database.write() as connection:
            await connection.exec_driver_sql(
                f"UPDATE events SET event = '?' WHERE game_id = '{live[0]}' AND number = 2"
            )

    with_service(tmp_path, play)
    later(monkeypatch, 3_600_000)

    async def look(service: Service) -> None:
        for game in live[1:]:
            snapshot = await service.rooms.snapshot(game, None)
            assert snapshot.standing.status == "playing"
            assert snapshot.standing.clocks.white is not None
            assert snapshot.standing.clocks.white > 50_000
        snapshot = await service.rooms.snapshot(letters[0], None)
        assert snapshot.standing.clocks.white is not None
        assert snapshot.standing.clocks.white < 24 * 3_600_000 - 3_500_000

    with_service(tmp_path, look)
