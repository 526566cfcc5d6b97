"""One client's websocket: what it says is carried out in order, what it is told is queued."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from cyvasse.server import messages as m
from cyvasse.server import times
from cyvasse.server.bodies import read
from cyvasse.server.database import is_away
from cyvasse.server.guard import address_of
from cyvasse.server.people import Person
from cyvasse.server.problems import AWAY, Busy, NotYours, Refusal, TooMuch, TooOften

if TYPE_CHECKING:
    from cyvasse.server.service import Service

LONGEST_MESSAGE = 16_384
MOST_WAITING = 500
MOST_BYTES = 4_000_000
MOST_WATCHED = 50
TOO_SLOW = 4008
SOMEBODY_ELSE = 4001
PAUSE_SECONDS = 0.05
GOODBYE_SECONDS = 1

log = logging.getLogger("cyvasse.server.socket")
encode = msgspec.json.Encoder().encode
_anything = msgspec.json.Decoder(dict[str, Any])


class Connection:
    """A client that is connected.

    There are thousands, most of them silent: each has as few objects as possible, and a task that
    sends only while there is something to send.
    """

    __slots__ = (
        "__weakref__",
        "_address",
        "_bytes",
        "_outbox",
        "_reader",
        "_sender",
        "_service",
        "_socket",
        "_why",
        "person",
        "watching",
        "who",
    )

    def __init__(
        self, service: Service, socket: WebSocket[Any, Any, Any], who: Person | None
    ) -> None:
        self._service = service
        self._socket = socket
        self.who = who
        self.person = who.id if who else None
        self._address = address_of(socket)
        self._outbox: deque[bytes] = deque()
        self._bytes = 0
        self._reader: asyncio.Task[Any] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._why: tuple[int, str] | None = None
        """Why it was cut off, if it was."""
        self.watching: set[str] = set()

    def send(self, message: bytes) -> None:
        """Put a message into the queue; a client that does not read is cut off."""
        self._bytes += len(message)
        if len(self._outbox) >= MOST_WAITING or self._bytes > MOST_BYTES:
            self._cut_off(TOO_SLOW, "too slow; connect again")
        elif self._why is None:
            self._outbox.append(message)
            if self._sender is None:
                self._sender = asyncio.create_task(self._drain())

    def part(self) -> None:
        """End the conversation: this cookie means somebody else now, or nobody."""
        self._cut_off(SOMEBODY_ELSE, "who you are has changed; connect again")

    def _cut_off(self, code: int, why: str) -> None:
        if self._why is None:
            self._why = (code, why)
            if self._reader is not None:
                self._reader.cancel()

    async def run(self) -> None:
        """Talk until the client goes away."""
        self._reader = asyncio.current_task()
        try:
            if self._why is None:  # or it was cut off before it began
                await self._read()
        except asyncio.CancelledError:
            if self._why is None or self._reader is None:
                raise  # the server ends
            self._reader.uncancel()
        finally:
            self._reader = None
            await self._service.left(self)
            if self._sender is not None:
                self._sender.cancel()
                await asyncio.wait([self._sender])
            if self._why is not None:
                await self._close(*self._why)

    async def _close(self, code: int, why: str) -> None:
        """Say goodbye; who does not read does not hear it either."""
        with suppress(Exception):
            await asyncio.wait_for(self._socket.close(code, why), GOODBYE_SECONDS)

    async def _drain(self) -> None:
        try:
            while self._outbox:
                message = self._outbox.popleft()
                await self._socket.send_data(message, mode="text")
                self._bytes -= len(message)
        except Exception:
            self._outbox.clear()  # nobody is there any more, as the reader will find out too
        finally:
            self._sender = None

    async def _read(self) -> None:
        try:
            while True:
                received = await self._socket.receive()
                if received["type"] == "websocket.disconnect":
                    return
                if received["type"] == "websocket.receive":
                    text = received.get("text")
                    await self._hear(
                        received.get("bytes") or b"" if text is None else text.encode()
                    )
        except WebSocketDisconnect:
            return

    async def _hear(self, message: bytes) -> None:
        """Carry out one message.  Whatever is wrong with it, the connection stays."""
        id = 0
        try:
            if len(message) <= LONGEST_MESSAGE:
                id = _id(message)
            limits = self._service.limits
            limits.spend("message", self.person or self._address, crowd=self._address)
            if len(message) > LONGEST_MESSAGE:
                raise TooMuch(
                    f"A message has at most {LONGEST_MESSAGE} bytes; this one has {len(message)}."
                )
            answer: m.Done | m.Preview | m.Pong | m.Failed = await self._answer(
                read(message, m.AnyRequest, "message")
            )
        except Refusal as refusal:
            answer = m.Failed(id, refusal.problem)
            if isinstance(refusal, TooOften):
                await asyncio.sleep(PAUSE_SECONDS)  # a flood waits where it comes from
        except Exception as error:
            log.exception("a message could not be carried out")
            why = AWAY if is_away(error) else "Something went wrong here; look, then try again."
            answer = m.Failed(id, Busy(why).problem)
        self.send(encode(answer))

    async def _answer(self, request: m.AnyRequest) -> m.Done | m.Preview | m.Pong:
        match request:
            case m.Do(id=id, game=game, command=command):
                return m.answer(id, game, await self._service.act(self._somebody(), game, command))
            case m.Watch(id=id, game=game):
                self._look()
                if len(self.watching) >= MOST_WATCHED and game not in self.watching:
                    raise TooMuch(f"One connection can follow {MOST_WATCHED} games.")
                await self._service.watch(self, request)
                return m.Done(id, game)
            case m.Unwatch(id=id, game=game):
                await self._service.unwatch(self, game)
                return m.Done(id, game)
            case m.Say(id=id, game=game, text=text):
                self._service.limits.spend("say", self._somebody().id, crowd=self._address)
                await self._service.say(self._somebody(), game, text)
                return m.Done(id, game)
            case m.Lobby(id=id, follow=follow):
                self._look()
                await self._service.follow_lobby(self, follow)
                return m.Done(id)
            case m.Ping(id=id):
                return m.Pong(id, times.now(), self._service.worker)

    def _look(self) -> None:
        """Count a look at everything there is, which costs more than other messages."""
        self._service.limits.spend("look", self.person or self._address, crowd=self._address)

    def _somebody(self) -> Person:
        if self.who is None:
            raise NotYours(
                "Open the page first: this connection has no cookie that says who you are."
            )
        return self.who


def _id(message: bytes) -> int:
    """The id of a message, even of one that cannot be understood otherwise."""
    try:
        id = _anything.decode(message).get("id", 0)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
    return id if isinstance(id, int) and not isinstance(id, bool) and 0 <= id <= 2**53 else 0
