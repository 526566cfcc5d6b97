"""What is said beside a game: the players among themselves, the spectators among themselves."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from cyvasse.server import times
from cyvasse.server.contest import Contest
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.events import Seat, word
from cyvasse.server.messages import Chat, Remark, Room
from cyvasse.server.names import plain_text
from cyvasse.server.people import Person, confirm, keep
from cyvasse.server.problems import Busy, Unfit

MOST_REMARKS = 100
ATTEMPTS = 5
AT_ONCE = 500


def room_of(contest: Contest, person: str | None) -> Room:
    """Among whom a person speaks and hears."""
    return "players" if contest.seats_of(person) else "spectators"


class Remarks:
    """Keeps what is said."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def say(self, contest: Contest, person: Person, text: str) -> Chat:
        """Keep a remark; what everyone in the same room is told."""
        words = plain_text(text)
        if not words:
            raise Unfit("There is nothing in this remark that could be read.")
        room = room_of(contest, person.id)
        seats = contest.seats_of(person.id)
        own = word(seats[0]) if len(seats) == 1 else None
        for _ in range(ATTEMPTS):
            try:
                number = await self._keep(contest.id, room, person, own, words)
            except IntegrityError:
                continue  # somebody else spoke at the same moment
            return Chat(contest.id, room, [Remark(number, times.now(), person.name, words, own)])
        raise Busy("Everyone is speaking at once; say it again.")

    async def _keep(
        self, game: str, room: Room, person: Person, own: Seat | None, words: str
    ) -> int:
        async with self._database.write() as connection:
            await keep(connection, person)
            await confirm(connection, person)
            query = select(func.coalesce(func.max(t.remarks.c.number), 0)).where(
                t.remarks.c.game_id == game, t.remarks.c.room == room
            )
            number: int = (await connection.execute(query)).scalar_one() + 1
            await connection.execute(
                insert(t.remarks).values(
                    game_id=game,
                    room=room,
                    number=number,
                    person_id=person.id,
                    name=person.name,
                    seat=own,
                    text=words,
                    at=times.now(),
                )
            )
            return number

    async def after(self, game: str, room: Room, number: int) -> Chat:
        """The latest remarks after one that is known."""
        c = t.remarks.c
        query = (
            select(c.number, c.at, c.name, c.text, c.seat)
            .where(c.game_id == game, c.room == room, c.number > number)
            .order_by(c.number.desc())
            .limit(MOST_REMARKS)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return Chat(game, room, [Remark(*row) for row in reversed(rows)])

    async def last(self, games: Sequence[str]) -> dict[str, dict[Room, int]]:
        """The number of the last remark in each room of these games; 0 where nothing was said."""
        numbers: dict[str, dict[Room, int]] = {
            game: {"players": 0, "spectators": 0} for game in games
        }
        c = t.remarks.c
        async with self._database.read() as connection:
            for start in range(0, len(games), AT_ONCE):
                query = (
                    select(c.game_id, c.room, func.max(c.number))
                    .where(c.game_id.in_(games[start : start + AT_ONCE]))
                    .group_by(c.game_id, c.room)
                )
                for game, room, number in await connection.execute(query):
                    numbers[game][room] = number
        return numbers
