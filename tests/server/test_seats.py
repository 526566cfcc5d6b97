"""A seat that is kept for an invitation: whoever comes without it asks, and the creator decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from cyvasse.server import messages as m
from cyvasse.server.database import tables as t
from cyvasse.server.games import Anyone, Bot, Friend, NewGame
from cyvasse.server.messages import Snapshot
from cyvasse.server.people import Person
from cyvasse.server.problems import NotYours, Refusal
from cyvasse.server.service import Service
from tests.server.test_service import with_service

HOST, GUEST, THIRD = Person("h", "Hotah"), Person("g", "Gascoyne"), Person("t", "Tyene")


async def kept(service: Service) -> str:
    new = NewGame("croft", Friend(), color="white")
    return (await service.games.create(HOST, new)).game


async def look(service: Service, game: str, person: Person = THIRD) -> Snapshot:
    return await service.rooms.snapshot(game, person.id)


async def refuse(service: Service, person: Person, game: str, command: m.AnyCommand) -> str:
    with pytest.raises(Refusal) as refused:
        await service.act(person, game, command)
    return str(refused.value)


def test_a_seat_is_asked_for_and_given(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        game = await kept(service)
        number = await service.act(GUEST, game, m.AskSeat())
        assert await service.act(GUEST, game, m.AskSeat()) == number  # asked once is enough
        assert "Somebody else" in await refuse(service, THIRD, game, m.AskSeat())
        await service.rooms.reload(game)  # as after a restart
        told = await look(service, game, HOST)
        assert (told.standing.seat_asked, told.standing.black) == ("Gascoyne", None)
        for person in (GUEST, THIRD):
            with pytest.raises(NotYours):
                await service.act(person, game, m.GrantSeat())
        await service.act(HOST, game, m.GrantSeat())
        await service.rooms.reload(game)
        told = await look(service, game, GUEST)
        assert told.you == ["black"]
        assert told.standing.seat_asked is None
        assert told.standing.status == "setup"
        assert not told.by_invitation  # the invitation is used up
        assert "taken" in await refuse(service, THIRD, game, m.AskSeat())
        assert "Nobody asks" in await refuse(service, HOST, game, m.GrantSeat())

    with_service(tmp_path, work)


def test_who_is_turned_away_asks_no_more_and_the_invitation_holds(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        created = await service.games.create(HOST, NewGame("croft", Friend(), color="white"))
        game = created.game
        await service.act(GUEST, game, m.AskSeat())
        await service.act(HOST, game, m.DeclineSeat())
        assert (await look(service, game)).standing.seat_asked is None
        assert "did not get it" in await refuse(service, GUEST, game, m.AskSeat())
        await service.act(THIRD, game, m.AskSeat())
        await service.games.join(GUEST, game, created.invitation)
        told = await look(service, game)
        assert (told.standing.black, told.standing.seat_asked) == (m.Chair("Gascoyne"), None)

    with_service(tmp_path, work)


def test_only_seats_that_are_kept_are_asked_for(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        created = await service.games.create(HOST, NewGame("croft", Anyone()))
        assert "take it" in await refuse(service, GUEST, created.game, m.AskSeat())
        game = await kept(service)
        assert "already sit" in await refuse(service, HOST, game, m.AskSeat())
        await service.act(GUEST, game, m.AskSeat())
        await service.act(HOST, game, m.Abort())
        assert (await look(service, game)).standing.seat_asked is None
        assert "called off" in await refuse(service, THIRD, game, m.AskSeat())

    with_service(tmp_path, work)


def test_who_asks_is_known_by_name_only_and_can_be_forgotten(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        game = await kept(service)
        await service.act(GUEST, game, m.AskSeat())
        async with service.rooms.contest(game) as contest:
            assert GUEST.id not in {getattr(each.event, "person", None) for each in contest.log}
        games = await service.games_of(GUEST.id)
        assert games == [game]
        await service.people.forget(GUEST)
        await service.people_changed(GUEST.id, games)
        assert (await look(service, game)).standing.seat_asked is None
        async with service.database.read() as connection:
            rows = (await connection.execute(select(t.events.c.event))).scalars().all()
        assert [json.loads(row) for row in rows] == [{"kind": "seatasked", "seat": "black"}]

    with_service(tmp_path, work)


def test_a_game_against_a_bot_is_listed_only_if_that_is_wanted(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        async def listed(opponent: Bot | Friend, public: bool | None) -> bool:
            new = NewGame("croft", opponent, public=public)
            game = (await service.games.create(HOST, new)).game
            return (await look(service, game)).agreement.public

        assert not await listed(Bot(1), None)
        assert await listed(Bot(1), True)
        assert await listed(Friend(), None)
        assert not await listed(Friend(), False)

    with_service(tmp_path, work)
