"""Boards as a client shows them: earlier ones, why not, and what is shown on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated

import msgspec
from litestar import Response, Router
from litestar.params import Parameter
from msgspec import Meta

from cyvasse.draw import board_svg, setup_svg
from cyvasse.errors import CyvasseError
from cyvasse.explain import explain
from cyvasse.game import Game, board_view
from cyvasse.notation.forms import BoardView, ToldDocument
from cyvasse.rules import rule_set as find
from cyvasse.rules.base import Position
from cyvasse.rules.dangers import opponents_turn
from cyvasse.rules.terms import WHITE, Color
from cyvasse.server.events import Seat, word
from cyvasse.server.problems import Illegal, Refusal, Unknown
from cyvasse.server.routes.common import GameId, RuleSetId, reading
from cyvasse.server.routes.games import Ply, position_after
from cyvasse.server.routes.pictures import SVG, Theme
from cyvasse.server.routes.rules import Because, Sight, SquareName, sights
from cyvasse.server.service import Service


class Possible(msgspec.Struct, frozen=True):
    """What somebody could do."""

    legal_actions: list[str]


DAY = 24 * 60 * 60
SetupName = Annotated[str, Parameter(max_length=40, description="The name of a good setup.")]
Since = Annotated[int, Parameter(ge=0, le=1_000_000, description="How many are known already.")]
# The length is said twice: msgspec checks it, Litestar describes it.
HeldAction = Annotated[str, Meta(max_length=40), Parameter(max_length=40)]
HeldActions = Annotated[
    Sequence[HeldAction],
    Parameter(
        max_items=20, description="Actions of a turn that its player has not sent yet, in order."
    ),
]


@reading("/games/{game:str}/board")
async def read_board(service: Service, game: GameId, ply: Ply = None) -> BoardView:
    """The board after so many actions, as updates show it, but without legal actions."""
    async with service.rooms.contest(game) as contest:
        position = position_after(contest.game, ply)
        shown = contest.game.ply if ply is None else ply
        over = shown == contest.game.ply and contest.over
    return {**board_view(position, shown, over=over), "legal_actions": []}


@reading("/games/{game:str}/why")
async def why(
    service: Service, game: GameId, origin: SquareName, target: SquareName, held: HeldActions = ()
) -> list[Because]:
    """Why a piece of the player to act may go to a square, or not."""
    async with service.rooms.contest(game) as contest:
        position = _ahead(contest.game, held)
    try:
        return [Because(*reason) for reason in explain(position, origin, target)]
    except CyvasseError as error:
        raise Illegal(str(error)) from None


@reading("/games/{game:str}/layers")
async def read_layers(
    service: Service, game: GameId, held: HeldActions = (), ply: Ply = None
) -> list[Sight]:
    """What can be shown about all pieces at once, such as who engages whom.

    For who wants to see it: it takes longer than an action does.
    """
    async with service.rooms.contest(game) as contest:
        position = _ahead(contest.game, held, ply)
    return sights(position)


@reading("/games/{game:str}/reach")
async def read_reach(
    service: Service,
    game: GameId,
    held: HeldActions = (),
    ply: Ply = None,
    color: Seat | None = None,
) -> Possible:
    """What a player could do if it were his turn; the one who is not to act where none is named."""
    async with service.rooms.contest(game) as contest:
        position = _ahead(contest.game, held, ply)
    acting = color == word(position.turn)
    seen = position if acting else opponents_turn(position, position.turn)
    return Possible([] if seen is None else seen.action_texts())


@reading("/games/{game:str}/told")
async def read_told(service: Service, game: GameId, since: Since = 0) -> list[ToldDocument]:
    """What each action after so many did, and the letter of the piece that acted."""
    async with service.rooms.contest(game) as contest:
        if not contest.game.screen_lifted:
            raise Refusal("The screen stands: nothing has been played yet.")
        return contest.game.told(since)


def _ahead(game: Game, held: Sequence[str], ply: int | None = None) -> Position:
    """The position now or earlier, after actions that only one player knows of."""
    position = position_after(game, ply)
    try:
        for action in held:
            position.play(action)
    except CyvasseError as error:
        raise Illegal(str(error)) from None
    return position


@reading("/rules/{rule_set:str}/board.svg", media_type=SVG)
async def sample_board(rule_set: RuleSetId, theme: Theme = "light") -> Response[str]:
    """The board of a rule set with a good setup on both sides."""
    return Response(
        _sample(rule_set, theme),
        media_type=SVG,
        headers={"Cache-Control": f"public, max-age={DAY}"},
    )


@reading("/rules/{rule_set:str}/setups/{name:str}/{seat:str}/board.svg", media_type=SVG)
async def named_setup(
    rule_set: RuleSetId, name: SetupName, seat: Seat, theme: Theme = "light"
) -> Response[str]:
    """A good setup, as small as it can be: the own half alone, without coordinates."""
    try:
        rules = find(rule_set)
        setup = rules.named_setups(seat)[name]
    except (CyvasseError, KeyError):
        raise Unknown(f"There is no setup {name!r:.60} of {rule_set!r:.40}.") from None
    picture = setup_svg(setup, theme=theme, coordinates=False, crop=rules.home(setup.color))
    return Response(picture, media_type=SVG, headers={"Cache-Control": f"public, max-age={DAY}"})


@cache
def _sample(id: str, theme: str) -> str:
    try:
        rules = find(id)
    except CyvasseError as error:
        raise Refusal(str(error)) from None
    white, black = (next(iter(rules.named_setups(color).values())) for color in Color)
    start = rules.start(white, black, WHITE)
    return board_svg(start, theme=theme, coordinates=False)


router = Router(
    "/",
    tags=["games"],
    route_handlers=[read_board, why, read_layers, read_reach, read_told, sample_board, named_setup],
)
