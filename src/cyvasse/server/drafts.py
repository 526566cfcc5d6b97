"""Setups on their way: drafts of a game, and those that a person has saved under a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlalchemy import delete, func, select

from cyvasse.errors import CyvasseError
from cyvasse.notation import parse_setup, write_setup
from cyvasse.notation.documents import read_setup, setup_document
from cyvasse.notation.forms import SetupDocument
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Setup
from cyvasse.server import times
from cyvasse.server.contest import Contest
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.database.upsert import upsert
from cyvasse.server.names import plain_text
from cyvasse.server.people import Person, keep
from cyvasse.server.problems import Illegal, NotYours, Place, Refusal, Unfit, Unknown

MOST_SAVED = 200


class Draft(msgspec.Struct, frozen=True):
    """A setup that is not submitted yet, with everything that is wrong with it; None if there is
    none, which is no problem but how every game begins."""

    setup: SetupDocument | None
    problems: list[Place] = []


class SavedSetup(msgspec.Struct, frozen=True):
    """A setup that a person has kept, as White would arrange it."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    setup: SetupDocument
    updated_at: int


def places(rules: RuleSet, setup: Setup) -> list[Place]:
    """Everything that is wrong with a setup."""
    return [Place(*problem) for problem in rules.check_setup(setup)]


def setup_from(rules: RuleSet, document: Mapping[str, Any], color: Color) -> Setup:
    """The setup that a document describes; it may be unfinished."""
    try:
        setup = read_setup(rules, document, color)
    except CyvasseError as error:
        raise Illegal(str(error)) from None
    if setup.color is not color:
        raise Illegal(f"This is a setup for {setup.color.title}, not for {color.title}.")
    return setup


class Drafts:
    """Keeps setups that are not submitted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(
        self, contest: Contest, person: str, seat: Color, document: Mapping[str, Any]
    ) -> Draft:
        """Keep a draft; it may be unfinished or break the rules."""
        self._own(contest, person, seat)
        if contest.over or contest.game.screen_lifted:
            raise Refusal("The time for setting up is over.")
        rules = contest.game.rules
        setup = setup_from(rules, document, seat)
        row = {"game_id": contest.id, "seat": str(seat), "setup": _written(setup)}
        async with self._database.write() as connection:
            await upsert(connection, t.drafts, row | {"updated_at": times.now()})
        return Draft(setup_document(rules, setup), places(rules, setup))

    async def read(self, contest: Contest, person: str, seat: Color) -> Draft:
        """The draft of a seat, for its owner."""
        self._own(contest, person, seat)
        query = select(t.drafts.c.setup).where(
            t.drafts.c.game_id == contest.id, t.drafts.c.seat == str(seat)
        )
        async with self._database.read() as connection:
            text = (await connection.execute(query)).scalar_one_or_none()
        if text is None:
            return Draft(None)
        setup = parse_setup(text)
        return Draft(setup_document(contest.game.rules, setup), places(contest.game.rules, setup))

    async def drop(self, game: str) -> None:
        """The drafts of a game are no longer needed."""
        async with self._database.write() as connection:
            await connection.execute(delete(t.drafts).where(t.drafts.c.game_id == game))

    @staticmethod
    def _own(contest: Contest, person: str, seat: Color) -> None:
        if seat not in contest.seats_of(person):
            raise NotYours(f"{seat.title}'s setup is not yours.")
        # The second player at one screen must not find what the first has built.
        if contest.agreement.shared and contest.game.is_ready(seat):
            raise Refusal(f"{seat.title} is ready; the setup is shown when the screen is lifted.")

    # --- saved under a name -----------------------------------------------------------------------

    async def saved(self, person: str, rules_id: str) -> list[SavedSetup]:
        """The setups that a person has saved for a rule set, by name."""
        rules = _rules(rules_id)
        c = t.saved_setups.c
        query = (
            select(c.name, c.setup, c.updated_at)
            .where(c.person_id == person, c.rule_set == rules.id)
            .order_by(c.name)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [
            SavedSetup(name, setup_document(rules, parse_setup(text)), at)
            for name, text, at in rows
        ]

    async def save_named(
        self, person: Person, rules_id: str, name: str, document: Mapping[str, Any]
    ) -> SavedSetup:
        """Save a setup under a name, for either colour; it may be unfinished."""
        rules = _rules(rules_id)
        name = plain_text(name)
        if not 1 <= len(name) <= 40:
            raise Unfit("A name has 1 to 40 characters.")
        try:
            setup = read_setup(rules, document, Color.WHITE)
            if setup.color is not Color.WHITE:
                setup = rules.turned_setup(setup)
        except CyvasseError as error:
            raise Illegal(str(error)) from None
        now = times.now()
        row = {"person_id": person.id, "rule_set": rules.id, "name": name, "setup": _written(setup)}
        async with self._database.write() as connection:
            await keep(connection, person)
            await upsert(connection, t.saved_setups, row | {"updated_at": now})
            number = select(func.count()).where(t.saved_setups.c.person_id == person.id)
            if (await connection.execute(number)).scalar_one() > MOST_SAVED:
                raise Refusal(f"You have {MOST_SAVED} saved setups; delete one first.")
        return SavedSetup(name, setup_document(rules, setup), now)

    async def delete_named(self, person: str, rules_id: str, name: str) -> None:
        """Forget a saved setup."""
        c = t.saved_setups.c
        async with self._database.write() as connection:
            done = await connection.execute(
                delete(t.saved_setups).where(
                    c.person_id == person,
                    c.rule_set == _rules(rules_id).id,
                    c.name == plain_text(name),
                )
            )
        if not done.rowcount:
            raise Unknown(f"You have no saved setup {name!r:.50}.")


def _written(setup: Setup) -> str:
    """The text of a setup; not even a draft has pieces on the other side of the screen."""
    try:
        return write_setup(setup)
    except CyvasseError as error:
        raise Illegal(f"This cannot be kept: {error}.") from None


def _rules(rules_id: str) -> RuleSet:
    try:
        return rule_set(rules_id)
    except CyvasseError as error:
        raise Unknown(str(error)) from None
