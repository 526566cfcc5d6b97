"""Who am I, accounts, and what the server knows about me."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Router
from litestar.params import Parameter
from msgspec import Meta
from sqlalchemy import select

from cyvasse.server.contest import Status
from cyvasse.server.database import tables as t
from cyvasse.server.drafts import SavedSetup
from cyvasse.server.facts import word
from cyvasse.server.guard import address_of
from cyvasse.server.lists import Page
from cyvasse.server.messages import Abort, Resign, Snapshot
from cyvasse.server.names import account_key
from cyvasse.server.people import Person
from cyvasse.server.problems import Refusal
from cyvasse.server.routes.common import (
    After,
    AnyRequest,
    RuleSetId,
    Size,
    making,
    putting,
    reading,
    removing,
    spend,
)
from cyvasse.server.service import Service

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]
SetupName = Annotated[str, Parameter(max_length=40, description="The name it is saved under.")]


class Me(msgspec.Struct, frozen=True):
    """Who you are here."""

    name: str
    account: bool


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password."""

    name: Name
    password: Password


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The old password and the new one."""

    old: Password
    new: Password


class SetupToSave(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setup, for either colour; it may be unfinished."""

    setup: dict[str, Any]


class Said(msgspec.Struct, frozen=True):
    """A remark of yours."""

    game: str
    at: int
    text: str


class Export(msgspec.Struct, frozen=True):
    """Everything that the server keeps about you, as far as you may know it."""

    name: str
    account: bool
    created_at: int | None
    games: list[Snapshot]
    setups: dict[str, list[SavedSetup]]
    remarks: list[Said]


@reading("/me")
async def who_am_i(request: AnyRequest, person: Person) -> Me:
    """Who you are: an account, or a guest with a friendly name.  The cookie is renewed."""
    return _become(request, person)


@making("/me/account")
async def sign_up(request: AnyRequest, service: Service, person: Person, data: Credentials) -> Me:
    """Make an account of the guest that you are; your games stay yours."""
    service.limits.spend("sign in", address_of(request))
    signed_up = await service.people.sign_up(person, data.name, data.password)
    await service.people_changed(person.id, await service.games_of(person.id))
    return _become(request, signed_up)


@making("/session")
async def sign_in(request: AnyRequest, service: Service, person: Person, data: Credentials) -> Me:
    """Sign in; the games that you played as a guest come along."""
    service.limits.spend("sign in", address_of(request))
    service.limits.spend("sign in", f"name {account_key(data.name)}")
    games = [] if person.account else await service.games_of(person.id)
    signed_in = await service.people.sign_in(person, data.name, data.password)
    if not person.account:
        await service.people_changed(person.id, games)
    return _become(request, signed_in)


@removing("/session", status_code=200)
async def sign_out(request: AnyRequest, service: Service) -> Me:
    """Sign out; you are a new guest."""
    return _become(request, service.people.new_guest())


@putting("/me/password")
async def change_password(
    request: AnyRequest, service: Service, person: Person, data: NewPassword
) -> Me:
    """Change your password; other devices are signed out."""
    service.limits.spend("sign in", address_of(request))
    changed = await service.people.change_password(person, data.old, data.new)
    await service.people_changed(person.id)
    return _become(request, changed)


@reading("/me/games")
async def my_games(
    service: Service, person: Person, finished: bool = False, after: After = None, size: Size = 50
) -> Page:
    """Your games, those that changed last first: unfinished ones, or finished ones."""
    return await service.lists.mine(person.id, finished=finished, after=after, size=size)


@reading("/me/setups/{rule_set:str}")
async def my_setups(service: Service, person: Person, rule_set: RuleSetId) -> list[SavedSetup]:
    """The setups that you have saved for a rule set."""
    return await service.drafts.saved(person.id, rule_set)


@putting("/me/setups/{rule_set:str}/{name:str}")
async def save_setup(
    request: AnyRequest,
    service: Service,
    person: Person,
    rule_set: RuleSetId,
    name: SetupName,
    data: SetupToSave,
) -> SavedSetup:
    """Save a setup under a name."""
    spend(request, "save", person)
    return await service.drafts.save_named(person, rule_set, name, data.setup)


@removing("/me/setups/{rule_set:str}/{name:str}")
async def delete_setup(
    service: Service, person: Person, rule_set: RuleSetId, name: SetupName
) -> None:
    """Delete a saved setup."""
    await service.drafts.delete_named(person.id, rule_set, name)


@reading("/me/export")
async def export_me(request: AnyRequest, service: Service, person: Person) -> Export:
    """Everything that is kept about you.  What stands behind a screen is not yours to see."""
    spend(request, "import", person)
    async with service.database.read() as connection:
        row = (await connection.execute(select(t.people).where(t.people.c.id == person.id))).first()
        games = (await connection.execute(_games_of(person))).scalars().all()
        said = (
            await connection.execute(
                select(t.remarks.c.game_id, t.remarks.c.at, t.remarks.c.text)
                .where(t.remarks.c.person_id == person.id)
                .order_by(t.remarks.c.at)
            )
        ).all()
        rule_sets = (
            await connection.execute(
                select(t.saved_setups.c.rule_set)
                .where(t.saved_setups.c.person_id == person.id)
                .distinct()
            )
        ).scalars()
        kept = list(rule_sets)
    return Export(
        person.name,
        person.account,
        row.created_at if row else None,
        [await service.rooms.snapshot(game, person.id) for game in games],
        {id: await service.drafts.saved(person.id, id) for id in sorted(kept)},
        [Said(*each) for each in said],
    )


@removing("/me", status_code=200)
async def delete_me(request: AnyRequest, service: Service, person: Person) -> Me:
    """Delete everything that says who you were.  Games that go on are given up."""
    games = await service.games_of(person.id)
    async with service.database.read() as connection:
        running = (await connection.execute(_games_of(person, unfinished=True))).scalars().all()
    for game in running:
        async with service.rooms.contest(game) as contest:
            seats = [word(color) for color in contest.seats_of(person.id)]
            playing = contest.status is Status.PLAYING and contest.game.ply > 0
        for seat in seats[:1]:
            command = Resign(seat=seat) if playing else Abort(seat=seat)
            try:
                await service.rooms.act(game, person.id, command)
            except Refusal:
                continue  # it ended meanwhile
    await service.people.forget(person)
    await service.people_changed(person.id, games)
    return _become(request, service.people.new_guest())


def _games_of(person: Person, *, unfinished: bool = False) -> Any:
    g = t.games.c
    own = (g.white_id == person.id) | (g.black_id == person.id) | (g.created_by == person.id)
    query = select(g.id).where(own).order_by(g.created_at)
    return query.where(g.finished_at.is_(None)) if unfinished else query


def _become(request: AnyRequest, person: Person) -> Me:
    request.state.new_person = person
    return Me(person.name, person.account)


router = Router(
    "/",
    tags=["people"],
    route_handlers=[
        who_am_i,
        sign_up,
        sign_in,
        sign_out,
        change_password,
        my_games,
        my_setups,
        save_setup,
        delete_setup,
        export_me,
        delete_me,
    ],
)
