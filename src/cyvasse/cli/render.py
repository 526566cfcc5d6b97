"""``cyvasse render``: a position or a game as a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cyvasse.actions import Action
from cyvasse.cli.gamefiles import GameFile
from cyvasse.cli.inputs import Seed, Words, read_position
from cyvasse.draw import board_svg
from cyvasse.draw.raster import gif, png
from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.rules.base import Position
from cyvasse.rules.terms import Color
from cyvasse.wholefiles import write_whole

KINDS = ("svg", "png", "gif")
Shot = tuple[Position, Action | None]
"""A position, and the action that led to it."""


def render(
    what: Words,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="A file that ends in .svg, .png or .gif; - is SVG on stdout."
        ),
    ],
    turn: Annotated[
        int | None, typer.Option(help="Of a game: after how many turns; 0 is its start.")
    ] = None,
    game: Annotated[int, typer.Option(min=1, help="Which game of a file with several.")] = 1,
    style: Annotated[
        str | None, typer.Option(help="The board's style, where there are several: hexagons.")
    ] = None,
    theme: Annotated[str, typer.Option(help="light or dark.")] = "light",
    bottom: Annotated[str, typer.Option(help="Who sits at the lower edge.")] = "white",
    coordinates: Annotated[bool, typer.Option(help="Names of rows and columns.")] = True,
    mark: Annotated[
        list[str] | None,
        typer.Option(help="A square to mark: e4, or e4=dot; ring, selected, dot, take, shot."),
    ] = None,
    arrow: Annotated[list[str] | None, typer.Option(help="An arrow: e4-e6.")] = None,
    select: Annotated[
        str | None, typer.Option(help="Mark this square's piece and everything it can do.")
    ] = None,
    size: Annotated[int, typer.Option(min=32, max=4096, help="The width in pixels.")] = 640,
    seconds: Annotated[float, typer.Option(help="How long each picture of a GIF stays.")] = 0.9,
    seed: Seed = None,
) -> None:
    """Draw a position, or a game file at its last turn, as SVG, PNG or animated GIF."""
    kind = "svg" if str(out) == "-" else out.suffix.lower().lstrip(".")
    if kind not in KINDS:
        raise CyvasseError(f"{out} does not say what to draw: end it in .svg, .png or .gif")
    path = _file(what)
    if path is None:
        shots: list[Shot] = [(read_position(what, seed), None)]
        if turn is not None:
            raise CyvasseError("--turn goes with a game file; a position is only one moment")
    else:
        shots = list(_moments(_game(path, game)))
        if turn is not None:
            if not 0 <= turn < len(shots):
                raise CyvasseError(f"this game has {len(shots) - 1} turns, so no turn {turn}")
            shots = shots[: turn + 1]

    def drawn(shot: Shot) -> str:
        position, last = shot
        return board_svg(
            position,
            style=style,
            theme=theme,
            bottom=Color.parse(bottom),
            coordinates=coordinates,
            last=last,
            marks={**_targets(position, select), **_marks(mark or [])},
            arrows=[_arrow(each) for each in arrow or []],
            size=size,
        )

    if kind == "gif":
        picture = gif(map(drawn, shots), size, seconds)
    elif kind == "png":
        picture = png(drawn(shots[-1]), size)
    else:
        picture = drawn(shots[-1]).encode()
    if str(out) == "-":
        sys.stdout.write(picture.decode())
    else:
        write_whole(out, picture)


def _file(words: list[str]) -> Path | None:
    """The file that the words name, if they name one."""
    if len(words) != 1 or words == ["-"] or " " in words[0]:
        return None
    path = Path(words[0])
    return path if path.is_file() else None


def _game(path: Path, number: int) -> Game:
    found = GameFile(str(path)).one(number)
    if not found.screen_lifted:
        raise CyvasseError(f"in {path} the screen still stands: there is no position to draw")
    return found


def _moments(game: Game) -> Iterator[Shot]:
    """The start, and the position after every turn."""
    position = game.start
    yield position.copy(), None
    for turn in game.turns():
        for action in turn.actions:
            position.play(action)
        yield position.copy(), turn.actions[-1]


def _targets(position: Position, square: str | None) -> dict[str, str]:
    """A piece and everything that it can do, as marks."""
    if square is None:
        return {}
    position.board.index(square)
    marks = {square: "selected"}
    for action in position.legal_actions():
        if action.origin != square:
            continue
        shot = action.kind in ("shoot", "siege")
        for struck in action.struck:
            marks[struck] = "shot" if shot else "take"
        if action.target and not action.struck and action.target != square:
            marks[action.target] = "dot"
    return marks


def _marks(texts: list[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    return {square: kind or "ring" for square, _, kind in pairs}


def _arrow(text: str) -> tuple[str, str]:
    start, dash, end = text.partition("-")
    if not dash:
        raise CyvasseError(f"an arrow goes from one square to another, like e4-e6, not {text!r}")
    return start, end
