"""Hints: how workers tell each other that there is something to look at.

A hint is a kind, a game and a number, never content.  It may be lost: everyone also looks for
himself every few seconds.  They travel over Litestar's channels, which stop for good when what
carries them fails; so nothing that fails may reach them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Any, Literal, cast

import msgspec
from litestar.channels import ChannelsBackend, ChannelsPlugin
from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from sqlalchemy import make_url

from cyvasse.errors import CyvasseError
from cyvasse.server.settings import Settings

CHANNEL = "cyvasse"
GATHER_SECONDS = 0.005
MOST_IN_ONE = 100  # PostgreSQL carries 8,000 bytes at most
PATIENCE = 10.0
REVIVE_SECONDS = 1.0

Kind = Literal["events", "chat", "presence", "lobby", "people", "person"]
Hint = tuple[Kind, str, int]

log = logging.getLogger("cyvasse.server.hints")
_decoder = msgspec.json.Decoder(tuple[str, list[Hint]])


class Hints:
    """Sends the hints of this worker and hears those of the others."""

    def __init__(self, channels: ChannelsPlugin, worker: str) -> None:
        self._channels = channels
        self._worker = worker
        self._waiting: dict[tuple[Kind, str], int] = {}
        self._task: asyncio.Task[None] | None = None

    def give(self, kind: Kind, game: str = "", number: int = 0) -> None:
        """Let the other workers know.  Of several hints about the same the last one is enough."""
        self._waiting[kind, game] = number
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._send())

    async def close(self) -> None:
        """Send what waits; the channels must still be open."""
        if self._task is not None:
            await self._task

    async def _send(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHER_SECONDS)
            hints = [(kind, game, number) for (kind, game), number in self._waiting.items()]
            self._waiting.clear()
            for start in range(0, len(hints), MOST_IN_ONE):
                self._channels.publish(
                    msgspec.json.encode((self._worker, hints[start : start + MOST_IN_ONE])), CHANNEL
                )

    async def listen(self, heard: Callable[[Kind, str, int], None]) -> None:
        """Hear the hints of others until cancelled."""
        async with self._channels.start_subscription(CHANNEL) as subscription:
            async for message in subscription.iter_events():
                try:
                    worker, hints = _decoder.decode(message)
                except msgspec.DecodeError:
                    log.warning("a hint could not be read")
                    continue
                if worker != self._worker:
                    for hint in hints:
                        heard(*hint)


class PostgresBackend(AsyncPgChannelsBackend):
    """Litestar's backend, with one kept connection to send on, and without fear of losing it."""

    _sender: Any = None

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                if self._sender is None or self._sender.is_closed():
                    self._sender = await self._connect()
                for channel in channels:
                    await self._sender.execute("SELECT pg_notify($1, $2)", channel, data.decode())
        except Exception as error:
            self._drop_sender()
            _lost(error)

    def _drop_sender(self) -> None:
        if self._sender is not None:
            self._sender.terminate()
            self._sender = None

    async def revive(self) -> None:
        """Listen again if the connection was lost."""
        async with self._listener_lock:
            if not self._listener_conn.is_closed():
                return
            async with asyncio.timeout(PATIENCE):
                connection = await self._connect()
                for channel in self._subscribed_channels:
                    await connection.add_listener(channel, cast(Any, self._listener))
            self._listener_conn = connection
            log.info("hints are heard again")

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        if self._listener_conn.is_closed():
            self._subscribed_channels -= set(channels)
        else:
            await super().unsubscribe(channels)

    async def on_shutdown(self) -> None:
        self._drop_sender()
        await super().on_shutdown()


def backend(settings: Settings) -> ChannelsBackend:
    """The way that the settings ask for."""
    way = settings.channels or ("postgresql" if settings.database else "memory")
    if way == "memory":
        return MemoryChannelsBackend()
    if way == "postgresql":
        if not settings.database:
            raise CyvasseError("channels over PostgreSQL need --database postgresql://…")
        address = make_url(settings.database).set(drivername="postgresql")
        return PostgresBackend(address.render_as_string(hide_password=False))
    if way.startswith(("redis://", "rediss://")):
        return _redis(way)
    raise CyvasseError(f"channels is {way!r}; it may be memory, postgresql or redis://host")


def _redis(address: str) -> ChannelsBackend:
    try:
        from litestar.channels.backends.redis import RedisChannelsPubSubBackend
        from redis.asyncio import Redis
    except ImportError:
        raise CyvasseError("channels over Redis need: pip install redis") from None

    class RedisBackend(RedisChannelsPubSubBackend):
        """Litestar's backend, without fear of losing its connection."""

        async def publish(self, data: bytes, channels: Iterable[str]) -> None:
            try:
                async with asyncio.timeout(PATIENCE):
                    await super().publish(data, channels)
            except Exception as error:
                _lost(error)

        async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
            while True:
                try:
                    async for event in super().stream_events():
                        yield event
                except Exception as error:
                    _lost(error)
                    await asyncio.sleep(REVIVE_SECONDS)

    return RedisBackend(redis=Redis.from_url(address))


def _lost(error: Exception) -> None:
    log.warning("hints were lost", extra={"error": type(error).__name__})
