"""People: guests with a signed cookie, and accounts with a name and a password.

A guest costs nothing until something is to be remembered: the cookie alone says who it is, and the
friendly name follows from it.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import ColumnElement, Row, Select, and_, delete, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cyvasse.server import times
from cyvasse.server.browsers import Browser, Browsers
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.database.upsert import upsert
from cyvasse.server.events import Joined, Seat, SeatAsked, stored
from cyvasse.server.guesses import GuessBook, Guesses, guesses_in
from cyvasse.server.names import account_key, account_name, guest_name
from cyvasse.server.problems import Busy, NotYours, Refusal, Unfit

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
MOST_HASHING = 20
GONE = "Someone"


class Person(msgspec.Struct, frozen=True):
    """Somebody, as the cookie says."""

    id: str
    name: str
    account: bool = False
    session: int = 0
    guesses: Guesses | None = None
    """Of which the owner has not been told."""


def _no_password(hasher: PasswordHasher) -> str:
    """A hash that no password has, made without hashing.

    It is verified when there is no such account, so that the time it takes tells nothing.
    """
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${costs}${salt}${digest}"


class People:
    """Everyone who has been here."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self._database = database
        self._secret = secret
        self.browsers = Browsers(secret)
        self.guess_book = GuessBook(database)
        self._hasher = PasswordHasher()
        self._nobody = _no_password(self._hasher)
        # Hashing takes memory and time by design: not everyone at once.
        self._turn = asyncio.Semaphore(2)
        self._waiting = 0

    # --- cookies ----------------------------------------------------------------------------------

    def new_guest(self) -> Person:
        """Somebody who has not been here before."""
        id = secrets.token_urlsafe(12)
        return Person(id, guest_name(id))

    def cookie(self, person: Person) -> str:
        """What the browser keeps."""
        return f"{person.id}.{person.session}.{self._signature(person.id, person.session)}"

    async def identify(self, cookie: str | None) -> Person | None:
        """Who sent a cookie; None if it is nobody's."""
        match (cookie or "").split("."):
            case [id, session, signature] if re.fullmatch("[0-9]{1,9}", session):
                expected = self._signature(id, int(session))
                if not hmac.compare_digest(signature.encode(), expected.encode()):
                    return None
            case _:
                return None
        async with self._database.read() as connection:
            row = (await connection.execute(select(t.people).where(t.people.c.id == id))).first()
        if row is None:
            return Person(id, guest_name(id)) if session == "0" else None
        if row.session != int(session):
            return None
        return Person(row.id, row.name, row.account is not None, row.session, guesses_in(row))

    def _signature(self, id: str, session: int) -> str:
        digest = hmac.digest(self._secret, f"cyvasse person {id} {session}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:24]).decode()

    async def keep(self, person: Person) -> None:
        """Remember a guest who has something to be remembered for."""
        async with self._database.write() as connection:
            await keep(connection, person)

    # --- accounts ---------------------------------------------------------------------------------

    async def sign_up(self, guest: Person, name: str, password: str) -> Person:
        """Make an account of a guest, who keeps all games."""
        if guest.account:
            raise Refusal(f"You are signed in as {guest.name}; sign out first.")
        known = account_name(name)
        if known is None:
            raise Unfit(
                "A name has 2 to 20 letters of one script, digits, - and _, and no spaces; "
                "a few names such as admin are kept back."
            )
        hashed = await self._hash(password)
        try:
            async with self._database.write() as connection:
                await keep(connection, guest)
                await connection.execute(
                    update(t.people)
                    .where(t.people.c.id == guest.id)
                    .values(name=known, account=account_key(known), password=hashed)
                )
                for seat in ("white", "black"):
                    await connection.execute(
                        update(t.games)
                        .where(t.games.c[f"{seat}_id"] == guest.id)
                        .values({f"{seat}_name": known})
                    )
        except IntegrityError:
            raise Refusal(f"The name {known} is taken; choose another one.") from None
        return Person(guest.id, known, True, guest.session)

    async def recognise(self, cookie: str | None, name: str) -> Browser | None:
        """The browser with that cookie, if somebody has signed in there with this name before."""
        if not self.browsers.read(cookie):
            return None  # the usual case costs nothing, whoever asks how often
        row = await self._account(name)
        return None if row is None else self.browsers.known(cookie, row.id, row.session)

    async def sign_in(self, guest: Person, name: str, password: str, *, known: bool) -> Person:
        """The person of that account, who takes over the guest's games.

        Wrong passwords are noted for the owner, unless the owner's own browser is ``known``.
        """
        row = await self._account(name)
        if not await self._verify(row.password if row else self._nobody, password) or row is None:
            if row is not None and not known:
                self.guess_book.note(row.id)
            raise NotYours("Name and password do not fit together.")
        person = Person(row.id, row.name, True, row.session, guesses_in(row))
        if not guest.account:
            await self._take_over(guest, person)
        return person

    async def _account(self, name: str) -> Row[Any] | None:
        # What cannot be a name is not asked for: PostgreSQL refuses some of it.
        key = account_key(account_name(name) or "")
        async with self._database.read() as connection:
            return (
                await connection.execute(select(t.people).where(t.people.c.account == key))
            ).first()

    async def change_password(self, person: Person, old: str, new: str, *, known: bool) -> Person:
        """A new password; whoever is signed in elsewhere no longer is."""
        async with self._database.read() as connection:
            query = select(t.people.c.password).where(t.people.c.id == person.id)
            row = (await connection.execute(query)).first()
        if row is None or row.password is None:
            raise Refusal("You have no account; sign up first.")
        if not await self._verify(row.password, old):
            if not known:
                self.guess_book.note(person.id)
            raise NotYours("That is not your password.")
        hashed = await self._hash(new)
        async with self._database.write() as connection:
            await connection.execute(
                update(t.people)
                .where(t.people.c.id == person.id)
                .values(password=hashed, session=t.people.c.session + 1)
            )
        return msgspec.structs.replace(person, session=person.session + 1)

    async def _take_over(self, guest: Person, person: Person) -> None:
        g = t.games.c
        async with self._database.write() as connection:
            # At one screen both seats go together, or each would see what is hidden from it.
            await connection.execute(
                update(t.games)
                .where(and_(g.white_id == guest.id, g.black_id == guest.id))
                .values(
                    white_id=person.id,
                    black_id=person.id,
                    white_name=person.name,
                    black_name=person.name,
                )
            )
            for seat, other in (("white", "black"), ("black", "white")):
                theirs = t.games.c[f"{other}_id"]
                # Whoever played against the own account keeps the two apart.
                apart = or_(theirs.is_(None), theirs != person.id)
                await connection.execute(
                    update(t.games)
                    .where(and_(t.games.c[f"{seat}_id"] == guest.id, apart))
                    .values({f"{seat}_id": person.id, f"{seat}_name": person.name})
                )
            await connection.execute(
                update(t.games).where(t.games.c.created_by == guest.id).values(created_by=person.id)
            )
            await connection.execute(
                update(t.remarks)
                .where(t.remarks.c.person_id == guest.id)
                .values(person_id=person.id, name=person.name)
            )
            await _move_setups(connection, guest.id, person.id)
            await _unask(connection, guest.id, kept=True)

    # --- leaving ----------------------------------------------------------------------------------

    async def forget(self, person: Person) -> None:
        """Remove everything that says who somebody was.  Games stay, played by someone."""
        g = t.games.c
        nobody = (g.white_id, g.black_id, g.white_bot, g.black_bot)
        imported = and_(
            g.created_by == person.id,
            g.status == "finished",
            *(column.is_(None) for column in nobody),
        )
        async with self._database.write() as connection:
            await connection.execute(delete(t.games).where(imported))
            for seat in get_args(Seat):
                own = t.games.c[f"{seat}_id"] == person.id
                await connection.execute(
                    delete(t.drafts).where(
                        t.drafts.c.seat == seat,
                        t.drafts.c.game_id.in_(select(t.games.c.id).where(own)),
                    )
                )
                # With those of who asked for a seat the only events that say who somebody was.
                joined = t.events.c.event.startswith(stored(Joined(seat)).rstrip("}"))
                await connection.execute(
                    update(t.events)
                    .where(t.events.c.game_id.in_(select(t.games.c.id).where(own)), joined)
                    .values(event=stored(Joined(seat, GONE)))
                )
                await connection.execute(
                    update(t.games).where(own).values({f"{seat}_id": None, f"{seat}_name": GONE})
                )
            await connection.execute(
                update(t.games).where(t.games.c.created_by == person.id).values(created_by="")
            )
            await _unask(connection, person.id)
            for table in (t.remarks, t.saved_setups):
                await connection.execute(delete(table).where(table.c.person_id == person.id))
            await connection.execute(delete(t.people).where(t.people.c.id == person.id))

    async def _hash(self, password: str) -> str:
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise Unfit(
                f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; "
                f"this one has {len(password)}."
            )
        async with self._hashing():
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, hashed: str, password: str) -> bool:
        async with self._hashing():
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, password)
            except (VerificationError, InvalidHashError):
                return False

    @asynccontextmanager
    async def _hashing(self) -> AsyncIterator[None]:
        if self._waiting >= MOST_HASHING:
            raise Busy("Many people are signing in at this moment; try again soon.")
        self._waiting += 1
        try:
            async with self._turn:
                yield
        finally:
            self._waiting -= 1


async def keep(connection: AsyncConnection, person: Person) -> None:
    """Remember a guest within a transaction; an account is known, or was deleted for good."""
    if person.account:
        return
    now = times.now()
    row = {"id": person.id, "name": person.name, "session": person.session}
    await upsert(connection, t.people, {**row, "created_at": now, "seen_at": now}, keep=True)


async def confirm(connection: AsyncConnection, person: Person) -> None:
    """Refuse somebody who is somebody else by now, whose connection has not ended yet."""
    c = t.people.c
    query = select(c.name, c.session).where(c.id == person.id)
    row = (await connection.execute(query)).first()
    if row is None or (row.name, row.session) != (person.name, person.session):
        raise NotYours("Who you are has changed; connect again.")


def asked_for(person: str) -> Select[Any]:
    """The games with a seat that is kept and that somebody has asked for."""
    kept = select(t.games.c.id).where(t.games.c.invitation.is_not(None))
    asked = or_(*(_asks(person, seat) for seat in get_args(Seat)))
    return select(t.events.c.game_id).where(t.events.c.game_id.in_(kept), asked)


def _asks(person: str, seat: Seat) -> ColumnElement[bool]:
    event = t.events.c.event
    begins = event.startswith(stored(SeatAsked(seat)).rstrip("}"))
    return and_(begins, event.endswith(f'"person":"{person}"}}', autoescape=True))


async def _unask(connection: AsyncConnection, person: str, *, kept: bool = False) -> None:
    """Whoever is somebody else now asks for no seat any more: for none that is `kept`, or ever."""
    for seat in get_args(Seat):
        asks = _asks(person, seat)
        if kept:
            asks = and_(t.events.c.game_id.in_(asked_for(person)), asks)
        await connection.execute(update(t.events).where(asks).values(event=stored(SeatAsked(seat))))


async def _move_setups(connection: AsyncConnection, guest: str, person: str) -> None:
    """The guest's saved setups, under another name where the account has that name already."""
    setups = t.saved_setups
    for row in (await connection.execute(select(setups).where(setups.c.person_id == guest))).all():
        same = and_(
            setups.c.person_id == person,
            setups.c.rule_set == row.rule_set,
            setups.c.name == row.name,
        )
        taken = (await connection.execute(select(setups.c.name).where(same))).first()
        name = f"{row.name[:30]} {secrets.token_hex(2)}" if taken else row.name
        await connection.execute(
            update(setups)
            .where(
                setups.c.person_id == guest,
                setups.c.rule_set == row.rule_set,
                setups.c.name == row.name,
            )
            .values(person_id=person, name=name)
        )
