"""The company of a game: everyone who follows it hears who else is there and what is said.

Where there are several workers each tells its own watchers what all of them have noted and kept.
It is woken by hints and, because they may be lost, also looks every few seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from cyvasse.server.chat import Remarks, room_of
from cyvasse.server.contest import Contest
from cyvasse.server.hints import Kind
from cyvasse.server.messages import Chat, Presence, Room
from cyvasse.server.people import Person
from cyvasse.server.presence import Attendance
from cyvasse.server.rooms import Rooms, Watcher

log = logging.getLogger("cyvasse.server.company")
encode = msgspec.json.Encoder().encode


@dataclass
class _Told:
    """What everyone who follows a game in this worker has been told."""

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
        hint: Callable[[Kind, str], None],
        *,
        shared: bool,
    ) -> None:
        self._rooms = rooms
        self._remarks = remarks
        self._attendance = attendance
        self._hint = hint
        self._shared = shared
        self._told: dict[str, _Told] = {}  # kept only where other workers have something to say

    # --- coming and going -------------------------------------------------------------------------

    async def welcome(self, watcher: Watcher, game: str, known: int) -> None:
        """Tell a new watcher what was said after a remark that is known, and everyone who came."""
        async with self._rooms.contest(game) as contest:
            if self._shared and game not in self._told:
                self._told[game] = _Told((await self._remarks.last([game]))[game])
            room = room_of(contest, watcher.person)
            watcher.tell(encode(await self._remarks.after(game, room, known)))
        await self.count(game)

    async def count(self, game: str) -> None:
        """Count who is there and tell everyone who follows the game."""
        async with self._rooms.contest(game) as contest:
            self._tell_presence(
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

    def _tell_presence(self, presence: Presence) -> None:
        told = self._told.get(presence.game)
        if told is not None:
            told.presence = presence
        message = encode(presence)
        for watcher in list(self._rooms.watchers(presence.game)):
            watcher.tell(message)

    # --- talking ----------------------------------------------------------------------------------

    async def say(self, person: Person, game: str, text: str) -> Chat:
        """Keep what somebody says beside a game, and tell it to those who may hear it."""
        async with self._rooms.contest(game) as contest:
            chat = await self._remarks.say(contest, person, text)
            told = self._told.get(game)
            number = chat.remarks[0].number
            if told is None:
                self._tell_remarks(contest, chat)
            elif told.remarks[chat.room] == number - 1:
                told.remarks[chat.room] = number
                self._tell_remarks(contest, chat)
            else:  # something was said elsewhere before
                await self._tell_news(contest, told)
        self._hint("chat", game)
        return chat

    async def after(self, person: Person, game: str, number: int) -> Chat:
        """What was said after a remark that is known, where this person may hear it."""
        async with self._rooms.contest(game) as contest:
            return await self._remarks.after(game, room_of(contest, person.id), number)

    def _tell_remarks(self, contest: Contest, chat: Chat) -> None:
        message = encode(chat)
        for watcher in list(self._rooms.watchers(contest.id)):
            if room_of(contest, watcher.person) == chat.room:
                watcher.tell(message)

    async def _tell_news(self, contest: Contest, told: _Told) -> None:
        for room, number in list(told.remarks.items()):
            chat = await self._remarks.after(contest.id, room, number)
            if chat.remarks:
                told.remarks[room] = chat.remarks[-1].number
                self._tell_remarks(contest, chat)

    # --- other workers ----------------------------------------------------------------------------

    async def heard_presence(self, game: str) -> None:
        """Somebody came or went elsewhere."""
        if self._rooms.watchers(game):
            async with self._rooms.contest(game):
                self._tell_presence(await self._attendance.read(game))

    async def heard_chat(self, game: str) -> None:
        """Something was said elsewhere."""
        if self._rooms.watchers(game):
            async with self._rooms.contest(game) as contest:
                told = self._told.get(game)
                if told is not None:
                    await self._tell_news(contest, told)

    async def look(self) -> None:
        """Hints may be lost: look what has happened elsewhere."""
        games = self._rooms.watched()
        for gone in self._told.keys() - set(games):
            del self._told[gone]
        present = await self._attendance.read_all(games)
        said = await self._remarks.last(games)
        for game in games:
            told = self._told.get(game)
            if told is not None and told.presence != present[game]:
                await self.heard_presence(game)
            if told is not None and told.remarks != said[game]:
                await self.heard_chat(game)
