"""Games: begin, find, join, play, set up, talk, and take them home."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response, Router
from litestar.params import Parameter
from msgspec import Meta

from cyvasse.game import Game
from cyvasse.notation import write_game
from cyvasse.rules.base import Position
from cyvasse.rules.terms import Color
from cyvasse.server.advice import Hint
from cyvasse.server.contest import Contest
from cyvasse.server.drafts import Draft
from cyvasse.server.events import Seat
from cyvasse.server.games import LONGEST_FILE, Created, NewGame
from cyvasse.server.lists import ListedGames
from cyvasse.server.messages import (
    LONGEST_REMARK,
    AnyCommand,
    Chat,
    Done,
    OpenSeat,
    Preview,
    Snapshot,
    answer,
)
from cyvasse.server.people import Person
from cyvasse.server.problems import Refusal, Unknown
from cyvasse.server.routes.common import (
    RULE_SETS,
    After,
    AnyRequest,
    GameId,
    Size,
    making,
    putting,
    reading,
    spend,
)
from cyvasse.server.service import Service

Ply = Annotated[
    int | None,
    Parameter(
        ge=0,
        le=1_000_000,
        description="After so many actions; the last if left out.",
        schema_extra={"minimum": 0},  # Litestar forgets a zero
    ),
]


# As JSON a file may be longer: line ends and letters beyond ASCII are escaped.
LARGEST_FILE = 4 * LONGEST_FILE


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How you come to the game."""

    invitation: (
        Annotated[
            str, Meta(max_length=40, description="The word of the invitation, if there is one.")
        ]
        | None
    ) = None


class SetupDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setup on its way."""

    setup: dict[str, Any]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_REMARK)]


class HintWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For which turn."""

    held: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(max_length=20, description="The actions of your turn that you have not sent yet."),
    ] = []


class GameImport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game file."""

    file: Annotated[str, Meta(min_length=1, max_length=LONGEST_FILE)]


@making("/games")
async def create_game(
    request: AnyRequest, service: Service, person: Person, data: NewGame
) -> Created:
    """Begin a game."""
    spend(request, "create", person)
    created = await service.games.create(person, data)
    service.lobby_changed()
    return created


@reading("/games")
async def public_games(
    service: Service,
    kind: Literal["live", "recent"] = "live",
    rule_set: Annotated[
        str | None,
        Parameter(
            max_length=40,
            description="Only games of this rule set.",
            schema_extra={"enum": RULE_SETS},
        ),
    ] = None,
    after: After = None,
    size: Size = 20,
) -> ListedGames:
    """Public games, newest first: those that are being played, or those that are over."""
    return await service.lists.public(kind, rule_set, after, size)


@reading("/lobby")
async def lobby(service: Service) -> list[OpenSeat]:
    """The open seats, newest first."""
    return await service.lists.lobby()


@making("/imports", request_max_body_size=LARGEST_FILE)
async def import_file(
    request: AnyRequest, service: Service, person: Person, data: GameImport
) -> Created:
    """Keep the game of a file as a finished game that only its link leads to."""
    spend(request, "import", person)
    return await service.games.import_game(person, data.file)


@reading("/games/{game:str}")
async def see_game(service: Service, person: Person, game: GameId) -> Snapshot:
    """Everything that you may know about a game."""
    return await service.rooms.snapshot(game, person.id)


@making("/games/{game:str}/join", status_code=200)
async def join_game(service: Service, person: Person, game: GameId, data: Joining) -> Done:
    """Take the free seat."""
    return Done(0, game, await service.games.join(person, game, data.invitation))


@making("/games/{game:str}/commands", status_code=200)
async def act(service: Service, person: Person, game: GameId, data: AnyCommand) -> Done | Preview:
    """Do something in a game: play, submit a setup, resign, offer a draw …"""
    return answer(0, game, await service.act(person, game, data))


@making("/games/{game:str}/hint", status_code=200)
async def ask_for_hint(
    request: AnyRequest, service: Service, person: Person, game: GameId, data: HintWanted
) -> Hint:
    """What a strong bot would play in your place; only against a bot, and at your turn."""
    spend(request, "hint", person)
    return await service.hint(person, game, data.held)


@reading("/games/{game:str}/drafts/{seat:str}")
async def read_draft(service: Service, person: Person, game: GameId, seat: Seat) -> Draft:
    """The draft of your setup."""
    async with service.rooms.contest(game) as contest:
        return await service.drafts.read(contest, person.id, Color.parse(seat))


@putting("/games/{game:str}/drafts/{seat:str}")
async def save_draft(
    request: AnyRequest,
    service: Service,
    person: Person,
    game: GameId,
    seat: Seat,
    data: SetupDraft,
) -> Draft:
    """Save a draft of your setup.  It may be unfinished; the answer names every problem."""
    spend(request, "save", person)
    async with service.rooms.contest(game) as contest:
        return await service.drafts.save(contest, person.id, Color.parse(seat), data.setup)


@reading("/games/{game:str}/chat")
async def read_chat(
    service: Service,
    person: Person,
    game: GameId,
    after: Annotated[int, Parameter(ge=0, le=2**31 - 1)] = 0,
) -> Chat:
    """What was said beside a game, among players if you play, among spectators if you watch."""
    return await service.chat_after(person, game, after)


@making("/games/{game:str}/chat")
async def say(
    request: AnyRequest, service: Service, person: Person, game: GameId, data: Words
) -> Chat:
    """Say something beside a game."""
    spend(request, "say", person)
    return await service.say(person, game, data.text)


@reading("/games/{game:str}/file", media_type=MediaType.TEXT)
async def read_file(service: Service, game: GameId) -> Response[str]:
    """The game as a game file; while the screen stands it holds no setup."""
    async with service.rooms.contest(game) as contest:
        text = game_file(contest)
    headers = {"Content-Disposition": f'attachment; filename="{contest.game.rules.id}-{game}.txt"'}
    return Response(text, media_type=MediaType.TEXT, headers=headers)


@reading("/games/{game:str}/position", media_type=MediaType.TEXT)
async def read_position(service: Service, game: GameId, ply: Ply = None) -> str:
    """A position of the game as text."""
    async with service.rooms.contest(game) as contest:
        shown = position_after(contest.game, ply)
    return shown.text()


def game_file(contest: Contest) -> str:
    """The file of a contest, with the players' names."""
    game = contest.game
    names = {
        color.title: player.name for color, player in contest.players.items() if player is not None
    }
    game.tags = {**contest.tags, **names}
    try:
        return write_game(game)
    finally:
        game.tags = {}


def position_after(game: Game, ply: int | None) -> Position:
    """A position of a game; Refusal while the screen stands."""
    if not game.screen_lifted:
        raise Refusal("The screen stands: there is no position yet.")
    if ply is None or ply == game.ply:
        return game.position
    if ply > game.ply:
        raise Unknown(f"Only {game.ply} actions have been played, not {ply}.")
    position = game.start
    for action in game.actions[:ply]:
        position.play(action)
    return position


router = Router(
    "/",
    tags=["games"],
    route_handlers=[
        create_game,
        public_games,
        lobby,
        import_file,
        see_game,
        join_game,
        act,
        ask_for_hint,
        read_draft,
        save_draft,
        read_chat,
        say,
        read_file,
        read_position,
    ],
)
