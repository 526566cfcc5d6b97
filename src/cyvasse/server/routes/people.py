"""Who am I, accounts, and what the server knows about me."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Router
from litestar.params import Parameter
from msgspec import Meta
from sqlalchemy import select

from cyvasse.server.browsers import Browser
from cyvasse.server.contest import Status
from cyvasse.server.database import tables as t
from cyvasse.server.drafts import SavedSetup
from cyvasse.server.events import word
from cyvasse.server.guard import address_of
from cyvasse.server.guesses import Guesses
from cyvasse.server.lists import ListedGames
from cyvasse.server.messages import Abort, Resign, Snapshot
from cyvasse.server.names import account_key
from cyvasse.server.people import Person
from cyvasse.server.problems import Refusal, TooOften
from cyvasse.server.routes.common import (
    KNOWN,
    After,
    AnyRequest,
    RuleSetId,
    Size,
    making,
    putting,
    reading,
    removing,
    service_of,
    spend,
)
from cyvasse.server.service import Service

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]
SetupName = Annotated[str, Parameter(max_length=40, description="The name it is saved under.")]
LONGEST_KEY = 80  # no account has a longer one; some letters are written as twenty others
NEED_NOT_WAIT = "A browser in which you have signed in before need not wait."


class Me(msgspec.Struct, frozen=True):
    """Who you are here."""

    name: str
    account: bool
    guesses: Guesses | None = None


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
    guesses: Guesses | None
    games: list[Snapshot]
    setups: dict[str, list[SavedSetup]]
    remarks: list[Said]


@reading("/me")
async def who_am_i(request: AnyRequest, person: Person) -> Me:
    """Who you are: an account, or a guest with a friendly name.  The cookie is renewed."""
    return become(request, person)


@making("/me/account")
async def sign_up(request: AnyRequest, service: Service, person: Person, data: Credentials) -> Me:
    """Make an account of the guest that you are; your games stay yours."""
    service.limits.spend("sign in", address_of(request))
    signed_up = await service.people.sign_up(person, data.name, data.password)
    await service.people_changed(person.id, await service.games_of(person.id))
    return _become_known(request, signed_up)


@making("/session")
async def sign_in(request: AnyRequest, service: Service, person: Person, data: Credentials) -> Me:
    """Sign in; the games that you played as a guest come along."""
    browser = await service.people.recognise(request.cookies.get(KNOWN), data.name)
    name, address = account_key(data.name)[:LONGEST_KEY], address_of(request)
    try:
        _attempt(request, browser, ("name and address", f"{address} {name}"), ("name", name))
    except TooOften as refusal:
        raise TooOften(f"{refusal} {NEED_NOT_WAIT}", refusal.wait) from None
    games = [] if person.account else await service.games_of(person.id)
    known = browser is not None
    signed_in = await service.people.sign_in(person, data.name, data.password, known=known)
    if not person.account:
        await service.people_changed(person.id, games)
    return _become_known(request, signed_in)


@removing("/session", status_code=200)
async def sign_out(request: AnyRequest, service: Service) -> Me:
    """Sign out; you are a new guest."""
    return become(request, service.people.new_guest())


@putting("/me/password")
async def change_password(
    request: AnyRequest, service: Service, person: Person, data: NewPassword
) -> Me:
    """Change your password; other devices are signed out."""
    people = service.people
    browser = people.browsers.known(request.cookies.get(KNOWN), person.id, person.session)
    _attempt(request, browser, ("sign in", f"person {person.id}"))
    known = browser is not None
    changed = await people.change_password(person, data.old, data.new, known=known)
    await service.people_changed(person.id)
    return _become_known(request, changed)


@removing("/me/guesses", status_code=200)
async def forget_guesses(request: AnyRequest, service: Service, person: Person) -> Me:
    """You know of the wrong passwords that were tried for your name; you are told of new ones."""
    if person.guesses is not None:
        await service.people.guess_book.forget(person.id)
    return become(request, msgspec.structs.replace(person, guesses=None))


@reading("/me/games")
async def my_games(
    service: Service, person: Person, finished: bool = False, after: After = None, size: Size = 50
) -> ListedGames:
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
        person.guesses,
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
    if (cookie := request.cookies.get(KNOWN)) is not None:
        request.state.known = service.people.browsers.without_account(cookie, person.id)
    return _become(request, service.people.new_guest())


def _games_of(person: Person, *, unfinished: bool = False) -> Any:
    g = t.games.c
    own = (g.white_id == person.id) | (g.black_id == person.id) | (g.created_by == person.id)
    query = select(g.id).where(own).order_by(g.created_at)
    return query.where(g.finished_at.is_(None)) if unfinished else query


def _attempt(request: AnyRequest, browser: Browser | None, *strange: tuple[str, str]) -> None:
    """Count an attempt at a password; TooOften if that is too many.

    A known browser has an allowance of its own, which nobody else can use up.  Others spend that
    of their address and whatever else ``strange`` says.
    """
    limits, address = service_of(request).limits, address_of(request)
    if browser is not None:
        limits.spend("sign in", f"browser {browser.person} {browser.mark}", crowd=address)
    else:
        limits.spend_together(("sign in", address), *strange)


def become(request: AnyRequest, person: Person) -> Me:
    """Tell somebody who they are; the cookies are renewed with the answer."""
    if known := service_of(request).people.browsers.again(request.cookies.get(KNOWN)):
        request.state.known = known
    return _become(request, person)


def _become_known(request: AnyRequest, person: Person) -> Me:
    """The same for who has shown to know the password: from now on the browser is known.

    For nobody else.  Whoever has only got hold of a session could have a new allowance each time.
    """
    browsers = service_of(request).people.browsers
    cookie = request.cookies.get(KNOWN)
    request.state.known = browsers.with_account(cookie, person.id, person.session)
    return _become(request, person)


def _become(request: AnyRequest, person: Person) -> Me:
    request.state.new_person = person
    return Me(person.name, person.account, person.guesses)


router = Router(
    "/",
    tags=["people"],
    route_handlers=[
        who_am_i,
        sign_up,
        sign_in,
        sign_out,
        change_password,
        forget_guesses,
        my_games,
        my_setups,
        save_setup,
        delete_setup,
        export_me,
        delete_me,
    ],
)
