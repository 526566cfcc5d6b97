"""Beginning games: against a bot, a friend, anyone, oneself, once more, or from a file."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import delete, func, insert, select

from cyvasse.engine import LEVELS
from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.notation import read_game, write_setup
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, End, Setup
from cyvasse.server import commands, times
from cyvasse.server.clocks import Fischer, Rate, Unlimited, setup_limit
from cyvasse.server.contest import Agreement, Ahead, Contest, First, Occupant
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.events import (
    Agreed,
    AnyEvent,
    Flagged,
    Lifted,
    LoggedEvent,
    Played,
    Ready,
    RematchAsked,
    Rematched,
    Resigned,
    stored,
    word,
)
from cyvasse.server.messages import AnyCommand, AskSeat, GameId
from cyvasse.server.messages import Rematch as RematchCommand
from cyvasse.server.names import plain_text
from cyvasse.server.people import Person, keep
from cyvasse.server.problems import Behind, Illegal, Malformed, Refusal, TooMuch
from cyvasse.server.rooms import Rooms, columns

LONGEST_FILE = 250_000
MOST_ACTIONS = 5_000  # a game is read as a whole; this takes a tenth of a second
MOST_SEATS = 20

ChooseSetup = Callable[[RuleSet, Color], Awaitable[Setup]]


class Bot(msgspec.Struct, frozen=True, tag_field="kind", tag="bot", forbid_unknown_fields=True):
    """Play against the engine."""

    level: Annotated[int, Meta(ge=1, le=max(LEVELS))] = 3


class Friend(
    msgspec.Struct, frozen=True, tag_field="kind", tag="friend", forbid_unknown_fields=True
):
    """Play against whoever is sent the invitation."""


class Anyone(
    msgspec.Struct, frozen=True, tag_field="kind", tag="anyone", forbid_unknown_fields=True
):
    """Play against whoever takes the open seat in the lobby."""


class SameScreen(
    msgspec.Struct, frozen=True, tag_field="kind", tag="same_screen", forbid_unknown_fields=True
):
    """Two people at this screen."""


Opponent = Bot | Friend | Anyone | SameScreen


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What kind of game is wanted."""

    rule_set: Annotated[
        str,
        Meta(max_length=40, extra_json_schema={"enum": [rules.id for rules in rule_sets()]}),
    ]
    opponent: Opponent
    color: Literal["white", "black", "lot"] = "lot"
    first: Annotated[
        First | None, Meta(description="Who begins; null leaves it to the rule set.")
    ] = None
    clock: Rate = Unlimited()
    setup_seconds: (
        Annotated[
            int,
            Meta(
                ge=10, le=30 * 24 * 60 * 60, description="For setting up; null for the usual time."
            ),
        ]
        | None
    ) = None
    public: Annotated[
        bool | None,
        Meta(
            description="Whether it is listed for everyone to watch; null lists all but games "
            "against bots."
        ),
    ] = None
    repetition: Annotated[bool, Meta(description="Platform rule P2.")] = True
    quiet: Annotated[bool, Meta(description="Platform rule P3.")] = True
    take_backs: bool = True


class Created(msgspec.Struct, frozen=True):
    """A new game."""

    game: GameId
    seat: Literal["white", "black"] | None
    invitation: Annotated[
        str | None, Meta(description="The word that a friend needs to take the other seat.")
    ] = None


def new_id() -> str:
    """An id that nobody can guess: it is the link of a private game."""
    return secrets.token_urlsafe(12)


class Games:
    """Makes games."""

    def __init__(self, database: Database, rooms: Rooms, choose_setup: ChooseSetup) -> None:
        self._database = database
        self._rooms = rooms
        self._choose_setup = choose_setup

    async def create(self, person: Person, new: NewGame) -> Created:
        """Begin a game."""
        try:
            rules = rule_set(new.rule_set)
        except CyvasseError as error:
            raise Malformed(str(error)) from None
        limit = setup_limit(new.clock) if new.setup_seconds is None else new.setup_seconds
        shared = isinstance(new.opponent, SameScreen)
        agreement = Agreement(
            rules.id,
            new.clock,
            limit,
            new.first,
            not isinstance(new.opponent, Bot | SameScreen) if new.public is None else new.public,
            new.repetition,
            new.quiet,
            new.take_backs,
            shared,
        )
        color = secrets.choice((WHITE, BLACK)) if new.color == "lot" else Color.parse(new.color)
        me = Occupant(person.name, person.id)
        other: Occupant | None = None
        if isinstance(new.opponent, Bot):
            other = Occupant(f"Bot, level {new.opponent.level}", None, new.opponent.level)
        elif shared:
            other = me
        if isinstance(new.opponent, Anyone):
            await self._may_offer(person)
        invitation = new_id() if isinstance(new.opponent, Friend) else None
        id = await self._begin(person, agreement, {color: me, color.other: other}, invitation)
        return Created(id, word(color), invitation)

    async def _may_offer(self, person: Person) -> None:
        """Nobody fills the lobby alone."""
        g = t.games.c
        query = select(func.count()).where(
            g.created_by == person.id, g.status == "open", g.invitation.is_(None)
        )
        async with self._database.read() as connection:
            if (await connection.execute(query)).scalar_one() >= MOST_SEATS:
                raise Refusal(f"You offer {MOST_SEATS} seats already; call one of them off first.")

    async def _begin(
        self,
        person: Person,
        agreement: Agreement,
        players: dict[Color, Occupant | None],
        invitation: str | None = None,
    ) -> str:
        contest = Contest(new_id(), agreement, players, times.now())
        events: list[AnyEvent] = []
        for color, player in players.items():
            if player is not None and player.bot is not None:
                setup = await self._choose_setup(contest.game.rules, color)
                events += contest.ready(color, setup)
        await self._keep(person, contest, events, invitation)
        return contest.id

    async def _keep(
        self,
        person: Person,
        contest: Contest,
        events: Sequence[AnyEvent],
        invitation: str | None = None,
    ) -> None:
        now = contest.created_at
        logged = [LoggedEvent(i, now, event) for i, event in enumerate(events, 1)]
        contest.apply_all(logged)
        row: dict[str, Any] = {
            "id": contest.id,
            "rule_set": contest.game.rules.id,
            "agreement": msgspec.json.encode(contest.agreement).decode(),
            "tags": msgspec.json.encode(contest.tags).decode(),
            "created_by": person.id,
            "invitation": invitation,
            "public": contest.agreement.public,
            "live": isinstance(contest.agreement.clock, Fischer),
            "created_at": now,
            **columns(contest, now),
        }
        for color, player in contest.players.items():
            if player is not None:
                seat = word(color)
                row[f"{seat}_id"] = player.person
                row[f"{seat}_name"] = player.name
                row[f"{seat}_bot"] = player.bot
        kept = [
            {"game_id": contest.id, "number": f.number, "at": f.at, "event": stored(f.event)}
            for f in logged
        ]
        async with self._database.write() as connection:
            await keep(connection, person)
            await connection.execute(insert(t.games).values(row))
            if kept:
                await connection.execute(insert(t.events), kept)

    # --- joining ----------------------------------------------------------------------------------

    async def join(self, person: Person, game: str, invitation: str | None) -> int:
        """Take the free seat of a game."""
        number = await self._rooms.join(game, Occupant(person.name, person.id), invitation)
        async with self._database.write() as connection:
            await keep(connection, person)
        return number

    async def act(self, person: Person, game: str, command: AnyCommand) -> int | Ahead:
        """Do something in a game; its number after it, or what would be."""
        if isinstance(command, AskSeat):
            number = await self._rooms.ask_seat(game, Occupant(person.name, person.id))
            async with self._database.write() as connection:
                await keep(connection, person)
            return number
        if isinstance(command, RematchCommand):
            return await self._rematch(person, game, command)
        return await self._rooms.act(game, person.id, command)

    async def _rematch(self, person: Person, game: str, command: RematchCommand) -> int:
        """Ask for another game with colours changed; if both want it, begin it."""
        async with self._rooms.contest(game) as contest:
            color = commands.seat_for(contest, person.id, command)
            both = contest.ask_rematch(color)
            number = contest.number
            agreement = contest.agreement
            players = {color.other: player for color, player in contest.players.items()}
        if not both:
            try:
                return await self._rooms.add(game, [RematchAsked(word(color))], number=number)
            except Behind:
                # The other one may have asked at the same moment: then both want it.
                return await self._rematch(person, game, command)
        id = await self._begin(person, agreement, players)
        try:
            return await self._rooms.add(game, [Rematched(id)], number=number)
        except Refusal:
            async with self._database.write() as connection:
                await connection.execute(delete(t.games).where(t.games.c.id == id))
            raise

    # --- files ------------------------------------------------------------------------------------

    async def import_game(self, person: Person, text: str) -> Created:
        """Keep the game of a file as a finished, private game."""
        try:
            game = await asyncio.to_thread(read_game, text)
        except CyvasseError as error:
            raise Illegal(str(error)) from None
        if game.ply > MOST_ACTIONS:
            raise TooMuch(f"A game has at most {MOST_ACTIONS} actions; this one has {game.ply}.")
        if not game.screen_lifted:
            raise Illegal("This file has no setups and no turns: there is nothing to keep.")
        setups = {color: game.setup(color) for color in Color}
        players: dict[Color, Occupant | None] = {
            color: Occupant(plain_text(game.tags.get(color.title, ""))[:40] or color.title)
            for color in Color
        }
        free = {name: plain_text(value)[:200] for name, value in game.tags.items()}
        contest = Contest(
            new_id(),
            Agreement(
                game.rules.id,
                repetition=game.repetition,
                quiet=game.quiet,
                imported=True,
                position=game.start.text() if None in setups.values() else None,
            ),
            players,
            times.now(),
            dict(list(free.items())[:50]),
        )
        await self._keep(person, contest, list(_events(game, setups)))
        return Created(contest.id, None)


def _events(game: Game, setups: dict[Color, Setup | None]) -> list[AnyEvent]:
    """The events that lead to where a game stands."""
    events: list[AnyEvent] = []
    for color, setup in setups.items():
        if setup is not None:
            events.append(Ready(word(color), write_setup(setup)))
    if events:
        events.append(Lifted(word(game.start.turn)))
    for turn in game.turns():
        events += [Played(word(turn.color), str(action)) for action in turn.actions]
    outcome = game.outcome()
    if outcome is not None:
        loser = word(outcome.winner.other) if outcome.winner is not None else None
        if outcome.end is End.RESIGNATION and loser:
            events.append(Resigned(loser))
        elif outcome.end is End.TIME and loser:
            events.append(Flagged(loser))
        elif outcome.end is End.AGREEMENT:
            events.append(Agreed("white"))
    return events
