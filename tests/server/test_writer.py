"""The writer of events, on a real SQLite: groups, conflicts, outages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from cyvasse.server.database import Conflict, Database, Entry, Writer
from cyvasse.server.database import tables as t
from cyvasse.server.database import writer as module
from cyvasse.server.events import LoggedEvent, Offered, Resigned


def with_database(folder: Path, work: Callable[[Database], Awaitable[None]]) -> None:
    """Do something with a database that has three games, a to c."""

    async def run() -> None:
        database = Database(f"sqlite:///{folder / 'test.sqlite'}")
        try:
            await database.upgrade()
            async with database.write() as connection:
                await connection.execute(insert(t.games), [game(id) for id in "abc"])
            await work(database)
        finally:
            await database.close()

    asyncio.run(run())


def game(id: str) -> dict[str, Any]:
    return {
        "id": id,
        "rule_set": "nine-tile",
        "agreement": "{}",
        "tags": "{}",
        "created_by": "",
        "number": 0,
        "status": "playing",
        "created_at": 0,
        "updated_at": 0,
    }


def entry(game: str, *numbers: int, **row: Any) -> Entry:
    events = [LoggedEvent(number, 1, Offered("white")) for number in numbers]
    return Entry(game, events, {"number": max(numbers), **row})


async def kept(database: Database) -> list[tuple[str, int]]:
    query = select(t.events.c.game_id, t.events.c.number).order_by(*t.events.primary_key)
    async with database.read() as connection:
        return [(game, number) for game, number in await connection.execute(query)]


async def numbers(database: Database) -> dict[str, int]:
    async with database.read() as connection:
        rows = await connection.execute(select(t.games.c.id, t.games.c.number))
        return {row.id: row.number for row in rows}


def test_what_waits_is_committed_together(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        entries = [entry(game, number) for game in "abc" for number in range(1, 31)]
        await asyncio.gather(*(writer.append(each) for each in entries))
        assert writer.entries == 90
        assert writer.commits <= 3
        assert await kept(database) == [(g, n) for g in "abc" for n in range(1, 31)]
        assert await numbers(database) == {"a": 30, "b": 30, "c": 30}

    with_database(tmp_path, work)


def test_nothing_is_kept_for_seats_that_have_changed_hands(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        entries = [entry(game, 1) for game in "abc"]
        for each, who in zip(entries, (None, "w", None), strict=True):
            each.seated = (who, None)
        answers = await asyncio.gather(*map(writer.append, entries), return_exceptions=True)
        assert isinstance(answers[1], Conflict)
        for answer in (answers[0], answers[2]):
            assert not isinstance(answer, BaseException | None)
            assert answer.white_name is None
        assert await kept(database) == [("a", 1), ("c", 1)]
        assert await numbers(database) == {"a": 1, "b": 0, "c": 1}

    with_database(tmp_path, work)


def test_a_large_crowd_is_committed_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_AT_ONCE", 8)

    async def work(database: Database) -> None:
        writer = Writer(database)
        await asyncio.gather(*(writer.append(entry("a", number)) for number in range(1, 101)))
        assert writer.commits >= 13
        assert len(await kept(database)) == 100

    with_database(tmp_path, work)


def test_several_events_are_kept_together_or_not_at_all(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        await writer.append(entry("a", 2))
        with pytest.raises(Conflict):
            await writer.append(entry("a", 1, 2, 3))
        assert await kept(database) == [("a", 2)]
        assert (await numbers(database))["a"] == 2

    with_database(tmp_path, work)


def test_of_two_writers_one_wins(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        # Two connections to one file, as two workers would have.
        other = Database(database.url)
        writers = [Writer(database), Writer(other)]
        for number in range(1, 11):
            ends = await asyncio.gather(
                *(writer.append(entry("a", number)) for writer in writers),
                return_exceptions=True,
            )
            assert sorted(type(end).__name__ for end in ends) == ["Conflict", "NoneType"]
        assert await kept(database) == [("a", number) for number in range(1, 11)]
        await other.close()

    with_database(tmp_path, work)


def test_others_in_the_same_group_are_unharmed(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        await writer.append(entry("b", 1, status="setup"))
        ends = await asyncio.gather(
            writer.append(entry("a", 1)),
            writer.append(entry("b", 1, status="aborted")),
            writer.append(entry("nobody's", 1)),
            writer.append(entry("c", 1, 2)),
            return_exceptions=True,
        )
        assert [type(end) for end in ends] == [type(None), Conflict, Conflict, type(None)]
        assert await kept(database) == [("a", 1), ("b", 1), ("c", 1), ("c", 2)]
        async with database.read() as connection:
            query = select(t.games.c.status).where(t.games.c.id == "b")
            assert (await connection.execute(query)).scalar_one() == "setup"

    with_database(tmp_path, work)


def test_an_entry_that_cannot_be_written_fails_alone(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        broken = Entry("b", [LoggedEvent(1, 1, object())], {})  # type: ignore[arg-type]
        unknown = Entry("b", [LoggedEvent(1, 1, Resigned("white"))], {"no such column": 1})
        async with asyncio.timeout(30):
            ends = await asyncio.gather(
                writer.append(entry("a", 1)),
                writer.append(broken),
                writer.append(unknown),
                writer.append(entry("c", 1)),
                return_exceptions=True,
            )
        assert ends[0] is None
        assert isinstance(ends[1], TypeError)
        assert isinstance(ends[2], Exception)
        assert ends[3] is None
        await writer.append(entry("a", 2))
        assert await kept(database) == [("a", 1), ("a", 2), ("c", 1)]

    with_database(tmp_path, work)


def test_nobody_waits_for_ever_when_the_database_is_gone(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        away = Database("postgresql://nobody@127.0.0.1:1/nowhere")
        writer = Writer(away)
        async with asyncio.timeout(30):
            ends = await asyncio.gather(
                *(writer.append(entry("a", number)) for number in range(50)),
                return_exceptions=True,
            )
        assert all(isinstance(end, OSError) for end in ends)
        await away.close()

    with_database(tmp_path, work)


def test_whoever_asked_may_go_away(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        asking = [writer.append(entry("a", n)) for n in range(1, 21)]
        await asyncio.sleep(0)
        for task in asking[::2]:
            task.cancel()
        ends = await asyncio.gather(*asking, return_exceptions=True)
        assert [end for end in ends if end is not None and not _is_cancelled(end)] == []
        await writer.close()
        assert await kept(database) == [("a", n) for n in range(1, 21)]

    with_database(tmp_path, work)


def _is_cancelled(end: object) -> bool:
    return isinstance(end, asyncio.CancelledError)


def test_closing_waits_until_everything_is_kept(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        writer = Writer(database)
        asking = [writer.append(entry("a", n)) for n in range(1, 21)]
        await asyncio.sleep(0)
        await writer.close()
        assert len(await kept(database)) == 20
        await asyncio.gather(*asking)

    with_database(tmp_path, work)
