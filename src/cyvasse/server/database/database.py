"""Open the database, bring it up to date, and read and write it.

SQLite has one writer at a time: writes take the lock at once (``BEGIN IMMEDIATE``) on a connection
of their own, so that they wait for each other instead of failing half-way, and readers never wait.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
import asyncpg
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

MIGRATIONS = Path(__file__).with_name("migrations")
BUSY_SECONDS = 10
# Any number: who prepares a PostgreSQL holds this lock meanwhile.
PREPARING = 0xC1A55E
# As what workers are known to a PostgreSQL.
WORKER = "cyvasse worker"


class DatabaseError(Exception):
    """The database cannot be used, and why, in words."""


def is_away(error: BaseException) -> bool:
    """Whether the database could not do what was asked, as with a full disk: later it may."""
    if isinstance(error, DBAPIError):
        return not isinstance(error, IntegrityError | DataError | ProgrammingError)
    return isinstance(error, NoConnectionError | ConnectionError)


class Database:
    """One database: ``read()`` and ``write()`` are its two doors."""

    def __init__(self, url: str, *, pool_size: int = 8, name: str = "cyvasse") -> None:
        self.url = url
        try:
            parsed = make_url(url)
        except ArgumentError:
            raise DatabaseError(
                "the database's address cannot be read; it looks like "
                "postgresql://user:password@host/name or sqlite:////folder/cyvasse.sqlite"
            ) from None
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if self.is_sqlite:
            parsed = parsed.set(drivername="sqlite+aiosqlite")
            self._reader = _engine(parsed, pool_size=4, max_overflow=4)
            # One connection: writers queue up here instead of at the file's lock.
            self._writer = _engine(parsed, poolclass=StaticPool)
            self._turn = asyncio.Lock()
            # A thread of its own for whole transactions: the asynchronous driver goes to and fro
            # for every statement, which costs more than the statements.
            self._sync = create_engine(
                parsed.set(drivername="sqlite"),
                poolclass=StaticPool,
                hide_parameters=True,
                connect_args={"check_same_thread": False},
            )
            self._thread = ThreadPoolExecutor(1, "writer")
            _set_up_sqlite(self._reader.sync_engine, "BEGIN")
            _set_up_sqlite(self._writer.sync_engine, "BEGIN IMMEDIATE")
            _set_up_sqlite(self._sync, "BEGIN IMMEDIATE")
        elif parsed.get_backend_name() == "postgresql":
            parsed = parsed.set(drivername="postgresql+asyncpg")
            self._writer = _engine(
                parsed,
                pool_size=pool_size,
                max_overflow=pool_size,
                pool_pre_ping=True,
                connect_args={"server_settings": {"application_name": name}},
            )
            # A game's row and its events, read one after the other, must belong together.
            self._reader = self._writer.execution_options(isolation_level="REPEATABLE READ")
        else:
            raise DatabaseError(
                f"{parsed.get_backend_name()!r} is no database that can be used here; "
                "SQLite and PostgreSQL are"
            )

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection to look things up."""
        async with self._reader.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: all of it happens, or nothing."""
        if self.is_sqlite:
            async with self._turn, self._writer.begin() as connection:
                yield connection
        else:
            async with self._writer.begin() as connection:
                yield connection

    async def transact(self, work: Callable[[Connection], None]) -> None:
        """Do some work as one transaction, in one go."""
        if self.is_sqlite:
            loop = asyncio.get_running_loop()
            async with self._turn:
                await loop.run_in_executor(self._thread, self._transact, work)
        else:
            async with self._writer.begin() as connection:
                await connection.run_sync(work)

    def _transact(self, work: Callable[[Connection], None]) -> None:
        with self._sync.begin() as connection:
            work(connection)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """While this lasts no other server does the same; DatabaseError if it cannot be used."""
        with _in_words():
            if self.is_sqlite:
                yield  # whoever has its folder is alone
                return
            async with self._writer.connect() as connection:
                await connection.execute(text("SELECT pg_advisory_lock(:it)"), {"it": PREPARING})
                await connection.commit()
                yield
                await connection.execute(text("SELECT pg_advisory_unlock(:it)"), {"it": PREPARING})
                await connection.commit()

    async def has_workers(self) -> bool:
        """Whether somebody serves the games of this database."""
        if self.is_sqlite:
            return False  # whoever has its folder is alone
        query = text(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name = :name"
        )
        async with self.read() as connection:
            return bool((await connection.execute(query, {"name": WORKER})).scalar_one())

    async def upgrade(self) -> None:
        """Make the tables, or change those of an older version."""
        with _in_words():
            async with self._writer.connect() as connection:
                await connection.run_sync(_upgrade)
                await connection.commit()

    async def close(self) -> None:
        """Close every connection."""
        if self.is_sqlite:
            self._thread.shutdown()
            self._sync.dispose()
        await self._reader.dispose()
        await self._writer.dispose()


@contextmanager
def _in_words() -> Iterator[None]:
    """Say what is wrong with the database."""
    try:
        yield
    except CommandError as error:
        raise DatabaseError(
            f"these tables were made by a newer version of cyvasse ({error}); update cyvasse, "
            "or use another database"
        ) from None
    except (SQLAlchemyError, OSError, asyncpg.PostgresError) as error:
        raise DatabaseError(
            f"the database cannot be used: {_short(error)}{_advice(error)}"
        ) from error


def _advice(error: BaseException) -> str:
    if isinstance(getattr(error, "orig", None), sqlite3.OperationalError):
        return "; see that there is room in its folder, and that the server may write there"
    return ""


def _engine(url: URL, **options: Any) -> AsyncEngine:
    # What is written may be a setup behind the screen: errors must not repeat it.
    return create_async_engine(url, hide_parameters=True, **options)


def _set_up_sqlite(engine: Engine, begin: str) -> None:
    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN comes too late
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "synchronous=FULL",  # acknowledged means kept, even if the power fails
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def alembic_config() -> alembic.config.Config:
    """Where the migrations are."""
    config = alembic.config.Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _upgrade(connection: Connection) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    alembic.command.upgrade(config, "head")


def _short(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
