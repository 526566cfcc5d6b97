"""Lists of games: the lobby, mine, live ones and recent ones."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import ColumnElement, Row, Select, and_, or_, select

from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_set as known_rule_set
from cyvasse.server import times
from cyvasse.server.contest import Agreement, Status
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.events import Seat
from cyvasse.server.messages import Chair, OpenSeat
from cyvasse.server.problems import Malformed, Unknown

MOST_SEATS = 100
# Somebody who waits for a live game is there, or the seat is not offered.
WAITING = 60_000
OPEN_DAYS = 30 * 24 * 60 * 60 * 1000
PLACE = r"[0-9]{1,15}\.[A-Za-z0-9_-]{1,24}"

_agreements = msgspec.json.Decoder(Agreement)
_g = t.games.c


class Listed(msgspec.Struct, frozen=True):
    """A game in a list."""

    game: str
    rule_set: str
    status: Status
    white: Chair | None
    black: Chair | None
    turn: Seat | None
    agreement: Agreement
    number: int
    created_at: int
    updated_at: int
    finished_at: int | None = None
    result: str | None = None
    end: str | None = None
    deadline: int | None = None
    you: list[Seat] = []
    your_turn: Annotated[bool, Meta(description="Whether the game waits for you.")] = False


class ListedGames(msgspec.Struct, frozen=True):
    """Some games; ``next`` asks for those after them."""

    games: list[Listed]
    next: str | None = None


class Lists:
    """Reads lists."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lobby(self) -> list[OpenSeat]:
        """The open seats, newest first."""
        now = times.now()
        waiting = or_(_g.live.is_(False), t.people.c.seen_at > now - WAITING)
        query = (
            select(t.games, t.people.c.name.label("by"))
            .join(t.people, t.people.c.id == _g.created_by)
            .where(
                _g.public.is_(True),
                _g.status == "open",
                _g.invitation.is_(None),
                _g.created_at > now - OPEN_DAYS,
                waiting,
            )
            .order_by(_g.created_at.desc(), _g.id)
            .limit(MOST_SEATS)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [
            OpenSeat(
                row.id,
                row.rule_set,
                row.by,
                "white" if row.white_name is None else "black",
                _agreements.decode(row.agreement),
                row.created_at,
            )
            for row in rows
        ]

    async def mine(
        self, person: str, *, finished: bool, after: str | None, size: int
    ) -> ListedGames:
        """The games of a person: those that wait for something, or those that are over."""
        own = or_(_g.white_id == person, _g.black_id == person, _g.created_by == person)
        over = _g.status.in_(["finished", "aborted"])
        where = and_(own, over if finished else ~over)
        return await self._page(where, "updated_at", after, size, person)

    async def public(
        self,
        kind: Literal["live", "recent"],
        rule_set: str | None,
        after: str | None,
        size: int,
    ) -> ListedGames:
        """Games that anyone may watch: those being played, or those that are over."""
        if kind == "live":
            where = and_(_g.public.is_(True), _g.status.in_(["setup", "playing"]))
            order = "created_at"
        else:
            where = and_(_g.public.is_(True), _g.status == "finished")
            order = "finished_at"
        if rule_set is not None:
            try:
                where = and_(where, _g.rule_set == known_rule_set(rule_set).id)
            except CyvasseError as error:
                raise Unknown(str(error)) from None
        return await self._page(where, order, after, size)

    async def _page(
        self,
        where: ColumnElement[bool],
        order: str,
        after: str | None,
        size: int,
        person: str | None = None,
    ) -> ListedGames:
        """The newest first.  Pages go on after a place in the order, so that none is met twice."""
        column = _g[order]
        query: Select[Any] = select(t.games).where(where).order_by(column.desc(), _g.id.desc())
        place = _read_place(after)
        if place is not None:
            at, id = place
            query = query.where(or_(column < at, and_(column == at, _g.id < id)))
        async with self._database.read() as connection:
            rows = (await connection.execute(query.limit(size + 1))).all()
        more = len(rows) > size
        rows = rows[:size]
        next = f"{getattr(rows[-1], order)}.{rows[-1].id}" if more else None
        return ListedGames([_listed(row, person) for row in rows], next)


def _read_place(after: str | None) -> tuple[int, str] | None:
    if after is None:
        return None
    if not re.fullmatch(PLACE, after):
        raise Malformed("This is no place in a list; give the 'next' of the page before.")
    at, _, id = after.partition(".")
    return int(at), id


def _listed(row: Row[Any], person: str | None) -> Listed:
    seats: tuple[Seat, Seat] = ("white", "black")
    you: list[Seat] = [
        seat for seat in seats if person is not None and getattr(row, f"{seat}_id") == person
    ]
    waits = row.status == "playing" and row.turn in you
    unready = row.status == "setup" and any(not getattr(row, f"{seat}_ready") for seat in you)
    return Listed(
        row.id,
        row.rule_set,
        Status(row.status),
        _chair(row, "white"),
        _chair(row, "black"),
        row.turn,
        _agreements.decode(row.agreement),
        row.number,
        row.created_at,
        row.updated_at,
        row.finished_at,
        row.result,
        row.ending,
        row.deadline,
        you,
        waits or unready,
    )


def _chair(row: Row[Any], seat: Seat) -> Chair | None:
    name = getattr(row, f"{seat}_name")
    return None if name is None else Chair(name, getattr(row, f"{seat}_bot"))
