"""One client's websocket: what it says is carried out in order, what it is told is queued."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from cyvasse.server import messages as m
from cyvasse.server import times
from cyvasse.server.people import Person
from cyvasse.server.problems import Busy, Malformed, NotYours, Refusal, TooMuch

if TYPE_CHECKING:
    from cyvasse.server.service import Service

LONGEST_MESSAGE = 16_384
MOST_WAITING = 500
MOST_WATCHED = 50
TOO_SLOW = 4008
BYE = 1000

log = logging.getLogger("cyvasse.server.socket")
encode = msgspec.json.Encoder().encode
_requests = msgspec.json.Decoder(m.AnyRequest)
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
        self._address = socket.client.host if socket.client else "unknown"
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._too_slow = asyncio.Event()
        self.watching: set[str] = set()

    def tell(self, message: bytes) -> None:
        """Put a message into the queue; a client that does not read is cut off."""
        try:
            self._outbox.put_nowait(message)
        except asyncio.QueueFull:
            self._too_slow.set()

    async def run(self) -> None:
        """Talk until the client goes away."""
        sender = asyncio.create_task(self._send())
        reader = asyncio.create_task(self._read())
        slow = asyncio.create_task(self._too_slow.wait())
        try:
            await asyncio.wait({sender, reader, slow}, return_when=asyncio.FIRST_COMPLETED)
            if slow.done():
                await self._socket.close(TOO_SLOW, "too slow; connect again")
        finally:
            for task in (sender, reader, slow):
                task.cancel()
            await asyncio.gather(sender, reader, slow, return_exceptions=True)
            await self._service.left(self)

    async def _send(self) -> None:
        while True:
            message = await self._outbox.get()
            await self._socket.send_data(message, mode="text")

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
            if len(message) > LONGEST_MESSAGE:
                raise TooMuch(
                    f"A message has at most {LONGEST_MESSAGE} bytes; this one has {len(message)}."
                )
            id = _id(message)
            self._service.limits.spend("message", self.person or self._address)
            try:
                request = _requests.decode(message)
            except msgspec.DecodeError as error:
                raise Malformed(f"This message cannot be read: {error}.") from None
            answer = await self._answer(request)
        except Refusal as refusal:
            answer = m.Failed(id, refusal.problem)
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
                self._service.limits.spend("say", self._somebody().id)
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
    except (msgspec.DecodeError, RecursionError):
        return 0
    return id if isinstance(id, int) and not isinstance(id, bool) and 0 <= id <= 2**53 else 0
