"""``cyvasse render``: a position or a game as a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypedDict

import typer

from cyvasse.actions import Action
from cyvasse.cli.gamefiles import GameFile
from cyvasse.cli.inputs import Seed, Words, read_position
from cyvasse.draw import bare_svg, board_svg
from cyvasse.draw.raster import gif, png
from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color
from cyvasse.wholefiles import write_whole

KINDS = ("svg", "png", "gif")
Shot = tuple[Position, Action | None]
"""A position, and the action that led to it."""


class Looks(TypedDict):
    """How every picture is to look, whatever it shows."""

    style: str | None
    theme: str
    bottom: Color
    coordinates: bool
    arrows: list[tuple[str, str]]
    size: int


def render(
    what: Words,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="A file that ends in .svg, .png or .gif; - is SVG on stdout."
        ),
    ] = Path("-"),
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
    empty: Annotated[bool, typer.Option(help="Of a rule set: the bare board.")] = False,
) -> None:
    """Draw a position, or a game file at its last turn, as SVG, PNG or animated GIF.

    Of a rule set's id: the position from which a game starts, or with --empty its bare board.
    """
    kind = "svg" if str(out) == "-" else out.suffix.lower().lstrip(".")
    if kind not in KINDS:
        raise CyvasseError(f"{out} does not say what to draw: end it in .svg, .png or .gif")
    looks: Looks = {
        "style": style,
        "theme": theme,
        "bottom": Color.parse(bottom),
        "coordinates": coordinates,
        "arrows": [_arrow(each) for each in arrow or []],
        "size": size,
    }
    marks = _marks(mark or [])
    if empty:
        if seed is not None or turn is not None or select is not None:
            raise CyvasseError("--empty draws a board on which nothing stands: no --seed, no turn")
        drawn = iter([bare_svg(_rules(what), marks=marks, **looks)])
    else:
        shots = _shots(what, seed, turn, game)
        drawn = (
            board_svg(here, last=last, marks={**_targets(here, select), **marks}, **looks)
            for here, last in (shots if kind == "gif" else shots[-1:])
        )
    if kind == "gif":
        picture = gif(drawn, size, seconds)
    elif kind == "png":
        picture = png(next(drawn), size)
    else:
        picture = next(drawn).encode()
    if str(out) == "-":
        sys.stdout.write(picture.decode())
    else:
        write_whole(out, picture)


def _rules(words: list[str]) -> RuleSet:
    """The rule set whose bare board is wanted."""
    if len(words) != 1:
        raise CyvasseError("--empty goes with a rule set's id alone, such as croft")
    return rule_set(words[0])


def _shots(words: list[str], seed: int | None, turn: int | None, game: int) -> list[Shot]:
    """A position, or the moments of a game up to a turn."""
    path = _file(words)
    if path is None:
        if turn is not None:
            raise CyvasseError("--turn goes with a game file; a position is only one moment")
        return [(read_position(words, seed), None)]
    shots = list(_moments(_game(path, game)))
    if turn is None:
        return shots
    if not 0 <= turn < len(shots):
        raise CyvasseError(f"this game has {len(shots) - 1} turns, so no turn {turn}")
    return shots[: turn + 1]


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
