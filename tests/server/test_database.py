"""Tables that are as declared, doors that hold, and refusals in words."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import alembic.command
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cyvasse.errors import CyvasseError
from cyvasse.server.database import Database, DatabaseError
from cyvasse.server.database import tables as t
from cyvasse.server.database.database import alembic_config
from cyvasse.server.database.upsert import upsert
from cyvasse.server.hints import backend
from cyvasse.server.settings import Settings
from tests.server.harness import serving
from tests.server.postgres import Cluster


def using(url: str, work: Callable[[Database], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        database = Database(url)
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


async def beats(database: Database) -> list[tuple[int, int]]:
    async with database.read() as connection:
        rows = await connection.execute(select(t.pulse.c.id, t.pulse.c.at).order_by(t.pulse.c.id))
        return [(row.id, row.at) for row in rows]


# --- tables ---------------------------------------------------------------------------------------


def test_migrations_make_the_tables_as_they_are_declared(url: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, t.metadata))

    async def work(database: Database) -> None:
        await database.upgrade()
        await database.upgrade()  # nothing to do
        async with database.read() as connection:
            assert await connection.run_sync(differences) == []
            assert (
                await connection.execute(select(func.count()).select_from(t.games))
            ).scalar() == 0

    using(url, work)


def migrate(
    connection: Connection, version: str, by: Callable[..., None] = alembic.command.upgrade
) -> None:
    """Make the tables of a version."""
    config = alembic_config()
    config.attributes["connection"] = connection
    by(config, version)


def test_people_of_an_older_version_are_kept(url: str) -> None:
    """Those of before guesses were counted."""
    row = {"id": "a", "name": "Arianne", "account": "arianne", "password": "hash", "session": 3}
    row |= {"created_at": 1, "seen_at": 2}

    async def work(database: Database) -> None:
        async with database._writer.connect() as connection:
            await connection.run_sync(migrate, "0001")
            await connection.execute(insert(t.people).values(row))
            await connection.commit()
        await database.upgrade()
        async with database.read() as connection:
            kept = (await connection.execute(select(t.people))).one()._asdict()
        assert kept == row | {"guesses": None, "guesses_since": None, "guesses_last": None}

    using(url, work)


def test_events_of_an_older_version_are_kept(url: str) -> None:
    """Those of before they were called so, with what holds for their table; and back again."""
    game = {"rule_set": "croft", "agreement": "{}", "tags": "{}", "created_by": "a", "number": 3}
    game |= {"status": "finished", "created_at": 1, "updated_at": 2}
    rows = [
        (game_id, number, 1000 + number, f'{{"kind":"offered","seat":"white","in":"{game_id}"}}')
        for game_id in ("one", "two")
        for number in (1, 2, 3)
    ]
    old = text("INSERT INTO facts (game_id, number, at, fact) VALUES (:game, :number, :at, :fact)")
    kept = text("SELECT game_id, number, at, fact FROM facts ORDER BY game_id, number")

    async def work(database: Database) -> None:
        async with database._writer.connect() as connection:
            await connection.run_sync(migrate, "0002")
            for id in ("one", "two"):
                await connection.execute(insert(t.games).values(game | {"id": id}))
            for row in rows:
                named = dict(zip(("game", "number", "at", "fact"), row, strict=True))
                await connection.execute(old, named)
            await connection.commit()
        await database.upgrade()
        async with database.read() as connection:
            query = select(t.events).order_by(*t.events.primary_key)
            assert [tuple(row) for row in await connection.execute(query)] == rows
        with pytest.raises(IntegrityError):  # one event 3 in a game, still
            async with database.write() as connection:
                await connection.execute(insert(t.events).values(rows[2]))
        async with database.write() as connection:
            await connection.execute(delete(t.games).where(t.games.c.id == "two"))
        async with database._writer.connect() as connection:
            await connection.run_sync(migrate, "0002", alembic.command.downgrade)
            assert [tuple(row) for row in await connection.execute(kept)] == rows[:3]
            await connection.commit()

    using(url, work)


def test_bots_of_an_older_version_keep_their_level(url: str) -> None:
    """Those of before there were ten levels; and back again, as near as can be."""
    game = {"rule_set": "croft", "agreement": "{}", "tags": "{}", "created_by": "a", "number": 3}
    game |= {"status": "playing", "created_at": 1, "updated_at": 2}
    query = text("SELECT id, white_bot, black_bot FROM games ORDER BY id")
    names = text("SELECT white_name FROM games WHERE id = 'a'")

    async def bots(connection: AsyncConnection) -> list[tuple[str, int | None, int | None]]:
        return [tuple(row) for row in await connection.execute(query)]

    async def work(database: Database) -> None:
        async with database._writer.connect() as connection:
            await connection.run_sync(migrate, "0003")
            for id, white, black in (("a", 8, None), ("b", None, 1), ("c", None, None)):
                row = game | {"id": id, "white_bot": white, "black_bot": black}
                row["white_name"] = "Bot, level 8"
                await connection.execute(insert(t.games).values(row))
            await connection.commit()
        await database.upgrade()
        async with database.write() as connection:
            assert await bots(connection) == [("a", -8, None), ("b", None, -1), ("c", None, None)]
            assert (await connection.execute(names)).scalar_one() == "Bot, former level 8"
            new = game | {"id": "d", "white_bot": 10, "black_bot": None}
            await connection.execute(insert(t.games).values(new))
        async with database._writer.connect() as connection:
            await connection.run_sync(migrate, "0003", alembic.command.downgrade)
            old = [("a", 8, None), ("b", None, 1), ("c", None, None), ("d", 8, None)]
            assert await bots(connection) == old
            assert (await connection.execute(names)).scalar_one() == "Bot, level 8"
            await connection.commit()

    using(url, work)


def test_tables_of_a_newer_version_are_refused(url: str) -> None:
    async def work(database: Database) -> None:
        await database.upgrade()
        async with database.write() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(DatabaseError, match=r"newer version of cyvasse.*9999"):
            await database.upgrade()

    using(url, work)


def test_several_may_prepare_at_once(url: str) -> None:
    async def prepare() -> None:
        database = Database(url)
        try:
            async with database.alone():
                await database.upgrade()
        finally:
            await database.close()

    async def run() -> None:
        for _ in range(1 if url.startswith("sqlite") else 4):
            await asyncio.gather(*(prepare() for _ in range(1 if "sqlite" in url else 4)))

    asyncio.run(run())
    assert using(url, beats) == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mysql://x@y/z", "'mysql' is no database"),
        ("not an address", "looks like"),
        ("", "looks like"),
    ],
)
def test_addresses_that_are_none(address: str, words: str) -> None:
    with pytest.raises(DatabaseError, match=words):
        Database(address)


# --- reading and writing --------------------------------------------------------------------------


def test_a_transaction_happens_or_not(url: str) -> None:
    async def twice(database: Database) -> None:
        async with database.write() as connection:
            await connection.execute(insert(t.pulse).values(id=1, at=1))
            await connection.execute(insert(t.pulse).values(id=1, at=2))

    async def work(database: Database) -> None:
        await database.upgrade()
        with pytest.raises(IntegrityError):
            await twice(database)
        assert await beats(database) == []
        async with database.write() as connection:
            await upsert(connection, t.pulse, {"id": 1, "at": 1})
            await upsert(connection, t.pulse, {"id": 1, "at": 2})
            await upsert(connection, t.pulse, {"id": 1, "at": 3}, keep=True)
        assert await beats(database) == [(1, 2)]

    using(url, work)


def test_what_is_read_together_belongs_together(url: str) -> None:
    async def work(database: Database) -> None:
        await database.upgrade()
        async with database.write() as connection:
            await connection.execute(insert(t.pulse).values(id=1, at=1))
        async with database.read() as connection:
            query = select(t.pulse.c.at)
            assert (await connection.execute(query)).scalar_one() == 1
            async with database.write() as other:
                await other.execute(update(t.pulse).values(at=2))
            assert (await connection.execute(query)).scalar_one() == 1
        assert await beats(database) == [(1, 2)]

    using(url, work)


def test_writers_wait_for_each_other(url: str) -> None:
    async def add(database: Database) -> None:
        async with database.write() as connection:
            if database.is_sqlite:
                await connection.execute(select(t.pulse.c.at))
            await connection.execute(update(t.pulse).values(at=t.pulse.c.at + 1))

    async def work(database: Database) -> None:
        await database.upgrade()
        async with database.write() as connection:
            await connection.execute(insert(t.pulse).values(id=1, at=0))
        others = [Database(url) for _ in range(3)]
        await asyncio.gather(*(add(each) for each in [database, *others] for _ in range(20)))
        assert await beats(database) == [(1, 80)]
        for other in others:
            await other.close()

    using(url, work)


def test_whoever_goes_away_while_writing_harms_nobody(url: str) -> None:
    """A connection that is cut off in the middle of a transaction leaves nothing behind."""

    async def both(database: Database, id: int) -> None:
        async with database.write() as connection:
            await connection.execute(insert(t.pulse).values(id=2 * id, at=id))
            await connection.execute(insert(t.pulse).values(id=2 * id + 1, at=id))

    async def work(database: Database) -> None:
        await database.upgrade()
        for id in range(40):
            task = asyncio.create_task(both(database, id))
            await asyncio.sleep(0.0004 * (id % 10))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        async with asyncio.timeout(30):
            await both(database, 1000)
        found = await beats(database)
        assert found[-2:] == [(2000, 1000), (2001, 1000)]
        assert {id for id, _ in found if id % 2 == 0} == {id - 1 for id, _ in found if id % 2}

    using(url, work)


# --- the command ----------------------------------------------------------------------------------


def serve(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`cyvasse serve` where it cannot run."""
    command = [sys.executable, "-m", "cyvasse", "serve", "--data", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def assert_refused(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("cyvasse: ")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "served at" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--workers", "2"], "several workers need PostgreSQL"),
        (["--database", "postgresql://x@127.0.0.1:1/y"], "the database cannot be used"),
    ],
)
def test_what_cannot_be_served_is_refused(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert_refused(serve(tmp_path, *arguments), words)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cyvasse.sqlite").write_text("a shopping list, not a database " * 100)
    assert_refused(serve(tmp_path), "the database cannot be used: file is not a database")


def test_a_database_that_is_not_there_is_refused(postgres: Cluster) -> None:
    async def work(database: Database) -> None:
        with pytest.raises(DatabaseError, match='database "nowhere" does not exist'):
            async with database.alone():
                await database.upgrade()

    using(f"postgresql://cyvasse@127.0.0.1:{postgres.port}/nowhere", work)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(channels="postgresql"), "need --database"),
        (Settings(channels="pigeons"), "it may be memory, postgresql or redis"),
    ],
)
def test_channels_that_are_none(settings: Settings, words: str) -> None:
    with pytest.raises(CyvasseError, match=words):
        backend(settings)


@pytest.mark.slow
def test_one_folder_and_one_port_have_one_server(tmp_path: Path) -> None:
    with serving(tmp_path / "one") as server:
        assert_refused(serve(tmp_path / "one"), "another server already uses")
        done = serve(tmp_path / "two", "--port", str(server.port))
        assert_refused(done, f"cannot listen at 127.0.0.1 port {server.port}")
        server.kill()
        server.start()  # what was killed holds nothing
