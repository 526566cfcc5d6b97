"""The company of a game: everyone who follows it hears who else is there and what is said.

Where there are several workers each tells its own watchers what all of them have noted and kept.
It is woken by hints and, because they may be lost, also looks every few seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from cyvasse.server.chat import Remarks, room_of
from cyvasse.server.contest import Contest
from cyvasse.server.herald import Herald, Watcher
from cyvasse.server.hints import Kind
from cyvasse.server.messages import Chat, Presence, Room
from cyvasse.server.people import Person
from cyvasse.server.presence import Attendance
from cyvasse.server.rooms import Rooms

# Where more than so many follow a game it is enough to count them once in a while.
FEW = 20

log = logging.getLogger("cyvasse.server.company")
encode = msgspec.json.Encoder().encode


@dataclass
class _Sent:
    """What everyone who follows a game in this worker has been sent."""

    remarks: dict[Room, int]
    """The last remark of each room."""
    presence: Presence | None = None


class Company:
    """Tells the watchers of all games in this worker of each other."""

    def __init__(
        self,
        rooms: Rooms,
        remarks: Remarks,
        attendance: Attendance,
        herald: Herald,
        hint: Callable[[Kind, str], None],
        *,
        shared: bool,
    ) -> None:
        self._rooms = rooms
        self._remarks = remarks
        self._attendance = attendance
        self._herald = herald
        self._crowded: set[str] = set()  # where somebody came or went, and is counted later
        self._waiting: dict[str, list[set[Watcher]]] = {}  # who has yet to hear of each remark
        self._hint = hint
        self._shared = shared
        self._sent: dict[str, _Sent] = {}  # kept only where other workers have something to say

    # --- coming and going -------------------------------------------------------------------------

    async def welcome(
        self, watcher: Watcher, contest: Contest, known: int, of: Room | None
    ) -> None:
        """Tell a new watcher what was said after a remark that is known, in the room it is of."""
        game, room = contest.id, room_of(contest, watcher.person)
        if of not in (None, room):
            known = 0  # it was said elsewhere: whoever watched plays now, or the other way round
        sent = self._sent.get(game)
        if sent is not None:
            await self._send_missing(contest, sent, but=watcher)
        elif self._shared:
            sent = self._sent[game] = _Sent((await self._remarks.last([game]))[game])
        chat = await self._remarks.after(game, room, known)
        watcher.send(encode(chat))
        for hearers in self._waiting.get(game, ()):
            hearers.discard(watcher)  # it has just heard it
        if sent is not None:  # or this would be told again when the others hear it
            new = [remark for remark in chat.remarks if remark.number > sent.remarks[room]]
            self._send_new(contest, sent, Chat(game, room, new), but=watcher)

    async def count(self, game: str) -> None:
        """Count who is there and tell everyone who follows the game; soon, where there are many."""
        if len(self._rooms.watchers(game)) > FEW:
            self._crowded.add(game)
        else:
            await self._count(game)

    async def count_crowds(self) -> None:
        """Count where many come and go; to be called once in a while."""
        while self._crowded:
            await self._count(self._crowded.pop())

    async def _count(self, game: str) -> None:
        async with self._rooms.contest(game) as contest:
            self._send_presence(
                await self._attendance.note(contest, self._rooms.watchers(game)),
            )
        self._hint("presence", game)

    async def renew(self) -> None:
        """Say again who is there, and count again where that has been forgotten."""
        for game in await self._attendance.renew():
            await self.count(game)

    async def leave(self) -> None:
        """This worker ends."""
        await self._attendance.leave()

    def _send_presence(self, presence: Presence) -> None:
        sent = self._sent.get(presence.game)
        if sent is not None:
            sent.presence = presence
        message = encode(presence)

        def deliveries() -> Iterator[tuple[Watcher, bytes]]:
            for watcher in list(self._rooms.watchers(presence.game)):
                yield watcher, message

        self._herald.announce(("presence", presence.game), deliveries)

    # --- talking ----------------------------------------------------------------------------------

    async def say(self, person: Person, game: str, text: str) -> Chat:
        """Keep what somebody says beside a game, and tell it to those who may hear it."""
        async with self._rooms.contest(game) as contest:
            chat = await self._remarks.say(contest, person, text)
            sent = self._sent.get(game)
            number = chat.remarks[0].number
            if sent is None:
                self._send_remarks(contest, chat)
            elif sent.remarks[chat.room] == number - 1:
                self._send_new(contest, sent, chat)
            else:  # something was said elsewhere before
                await self._send_missing(contest, sent)
        self._hint("chat", game)
        return chat

    async def after(self, person: Person, game: str, number: int) -> Chat:
        """What was said after a remark that is known, where this person may hear it."""
        async with self._rooms.contest(game) as contest:
            return await self._remarks.after(game, room_of(contest, person.id), number)

    def _send_remarks(self, contest: Contest, chat: Chat, but: Watcher | None = None) -> None:
        message = encode(chat)
        hearers = {
            watcher
            for watcher in self._rooms.watchers(contest.id)
            if watcher is not but and room_of(contest, watcher.person) == chat.room
        }
        self._waiting.setdefault(contest.id, []).append(hearers)

        def deliveries() -> Iterator[tuple[Watcher, bytes]]:
            while hearers:
                yield hearers.pop(), message
            self._have_heard(contest.id)

        about = ("chat", contest.id, chat.room, chat.remarks[-1].number)
        self._herald.announce(about, deliveries)

    def _have_heard(self, game: str) -> None:
        waiting = [hearers for hearers in self._waiting.pop(game, ()) if hearers]
        if waiting:
            self._waiting[game] = waiting

    async def _send_missing(
        self, contest: Contest, sent: _Sent, but: Watcher | None = None
    ) -> None:
        """Send everyone what was said since they were last sent something."""
        for room, number in list(sent.remarks.items()):
            self._send_new(contest, sent, await self._remarks.after(contest.id, room, number), but)

    def _send_new(
        self, contest: Contest, sent: _Sent, chat: Chat, but: Watcher | None = None
    ) -> None:
        if chat.remarks:
            sent.remarks[chat.room] = chat.remarks[-1].number
            self._send_remarks(contest, chat, but)

    # --- other workers ----------------------------------------------------------------------------

    async def heard_presence(self, game: str) -> None:
        """Somebody came or went elsewhere."""
        if self._rooms.watchers(game):
            async with self._rooms.contest(game):
                self._send_presence(await self._attendance.read(game))

    async def heard_chat(self, game: str) -> None:
        """Something was said elsewhere."""
        if self._rooms.watchers(game):
            async with self._rooms.contest(game) as contest:
                sent = self._sent.get(game)
                if sent is not None:
                    await self._send_missing(contest, sent)

    async def look(self) -> None:
        """Hints may be lost: look what has happened elsewhere."""
        games = self._rooms.watched()
        for gone in self._sent.keys() - set(games):
            del self._sent[gone]
        present = await self._attendance.read_all(games)
        said = await self._remarks.last(games)
        for game in games:
            sent = self._sent.get(game)
            if sent is None:
                continue
            try:
                if sent.presence != present[game]:
                    await self.heard_presence(game)
                if sent.remarks != said[game]:
                    await self.heard_chat(game)
            except Exception:
                log.exception("a game could not be looked at; it will be tried again")
