"""Pictures of boards, by address."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, Router
from litestar.params import Parameter

from cyvasse.actions import Action
from cyvasse.draw import board_svg
from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position
from cyvasse.server.events import Seat
from cyvasse.server.problems import Unfit
from cyvasse.server.routes.common import GameId, reading
from cyvasse.server.routes.games import Ply, position_after
from cyvasse.server.routes.rules import PositionText, read_position
from cyvasse.server.service import Service

SVG = "image/svg+xml"

Style = Annotated[
    str | None, Parameter(max_length=20, description="A style of the board, such as hexagons.")
]
Theme = Literal["light", "dark"]
Width = Annotated[int | None, Parameter(ge=50, le=4000, description="In pixels.")]


@reading("/games/{game:str}/board.svg", media_type=SVG)
async def game_picture(
    service: Service,
    game: GameId,
    ply: Ply = None,
    style: Style = None,
    theme: Theme = "light",
    bottom: Seat = "white",
    width: Width = None,
) -> Response[str]:
    """A position of a game as a picture, with the action that led to it."""
    async with service.rooms.contest(game) as contest:
        position = position_after(contest.game, ply)
        actions = contest.game.actions[:ply]
    return _picture(position, style, theme, bottom, width, actions[-1] if actions else None)


@reading("/board.svg", media_type=SVG)
async def position_picture(
    text: PositionText,
    style: Style = None,
    theme: Theme = "light",
    bottom: Seat = "white",
    width: Width = None,
) -> Response[str]:
    """Any position as a picture."""
    return _picture(read_position(text), style, theme, bottom, width)


def _picture(
    position: Position,
    style: str | None,
    theme: str,
    bottom: str,
    width: int | None,
    last: Action | None = None,
) -> Response[str]:
    try:
        svg = board_svg(position, style=style, theme=theme, bottom=bottom, size=width, last=last)
    except CyvasseError as error:
        raise Unfit(str(error)) from None
    # A picture may be shown on any page; whoever has its address may see it.
    return Response(svg, media_type=SVG, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


router = Router("/", tags=["pictures"], route_handlers=[game_picture, position_picture])
