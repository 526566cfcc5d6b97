"""One client's websocket: what it says is carried out in order, what it is told is queued."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from cyvasse.server import messages as m
from cyvasse.server import times
from cyvasse.server.bodies import read
from cyvasse.server.guard import address_of
from cyvasse.server.people import Person
from cyvasse.server.problems import Busy, NotYours, Refusal, TooMuch, TooOften

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
    """A client that is connected."""

    def __init__(
        self, service: Service, socket: WebSocket[Any, Any, Any], who: Person | None
    ) -> None:
        self._service = service
        self._socket = socket
        self.who = who
        self.person = who.id if who else None
        self._address = address_of(socket)
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._bytes = 0
        self._cut = asyncio.Event()
        self._why = (TOO_SLOW, "too slow; connect again")
        self.watching: set[str] = set()

    def tell(self, message: bytes) -> None:
        """Put a message into the queue; a client that does not read is cut off."""
        self._bytes += len(message)
        if self._outbox.full() or self._bytes > MOST_BYTES:
            self._cut.set()
        else:
            self._outbox.put_nowait(message)

    def part(self) -> None:
        """End the conversation: this cookie means somebody else now, or nobody."""
        self._why = (SOMEBODY_ELSE, "who you are has changed; connect again")
        self._cut.set()

    async def run(self) -> None:
        """Talk until the client goes away."""
        sender = asyncio.create_task(self._send())
        reader = asyncio.create_task(self._read())
        cut = asyncio.create_task(self._cut.wait())
        try:
            await asyncio.wait({sender, reader, cut}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sender, reader, cut):
                task.cancel()
            await asyncio.gather(sender, reader, cut, return_exceptions=True)
            if self._cut.is_set():
                await self._close()
            await self._service.left(self)

    async def _close(self) -> None:
        """Say goodbye; who does not read does not hear it either."""
        with suppress(Exception):
            await asyncio.wait_for(self._socket.close(*self._why), GOODBYE_SECONDS)

    async def _send(self) -> None:
        while True:
            message = await self._outbox.get()
            await self._socket.send_data(message, mode="text")
            self._bytes -= len(message)

    async def _read(self) -> None:
        try:
            while True:
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    return
                if event["type"] == "websocket.receive":
                    text = event.get("text")
                    await self._hear(event.get("bytes") or b"" if text is None else text.encode())
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
            answer = await self._answer(read(message, m.AnyRequest, "message"))
        except Refusal as refusal:
            answer = m.Failed(id, refusal.problem)
            if isinstance(refusal, TooOften):
                await asyncio.sleep(PAUSE_SECONDS)  # a flood waits where it comes from
        except Exception:
            log.exception("a message could not be carried out")
            answer = m.Failed(id, Busy("Something went wrong here; look, then try again.").problem)
        if answer is not None:
            self.tell(encode(answer))

    async def _answer(self, request: m.AnyRequest) -> m.Done | m.Pong | m.Failed | None:
        match request:
            case m.Do(id=id, game=game, command=command):
                number = await self._service.act(self._somebody(), game, command)
                return m.Done(id, game, number)
            case m.Watch(id=id, game=game, last=last, chat=chat):
                if len(self.watching) >= MOST_WATCHED and game not in self.watching:
                    raise TooMuch(f"One connection can follow {MOST_WATCHED} games.")
                await self._service.watch(self, game, last, chat)
                return m.Done(id, game)
            case m.Unwatch(id=id, game=game):
                await self._service.unwatch(self, game)
                return m.Done(id, game)
            case m.Say(id=id, game=game, text=text):
                self._service.limits.spend("say", self._somebody().id, crowd=self._address)
                await self._service.say(self._somebody(), game, text)
                return m.Done(id, game)
            case m.Lobby(id=id, follow=follow):
                await self._service.follow_lobby(self, follow)
                return m.Done(id)
            case m.Ping(id=id):
                return m.Pong(id, times.now(), self._service.worker)

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
