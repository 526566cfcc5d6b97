"""A setup in one line: rule set, owner, pieces and terrain of the own half, fields."""

from __future__ import annotations

from functools import cache

from cyvasse.errors import CyvasseError, NotationError, StateError
from cyvasse.notation.grids import GridReader, read_grid, write_grid
from cyvasse.notation.positions import piece_letter, read_pieces, read_terrain
from cyvasse.notation.values import read_fields, write_fields
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Setup, by_name


def write_setup(setup: Setup) -> str:
    """The one text of a setup, legal or not, as long as nothing lies outside the own half."""
    if not isinstance(setup, Setup):
        raise NotationError(f"{setup!r:.40} is not a setup")
    rules = rule_set(setup.rule_set)
    setup = rules.canonical_setup(setup)
    rows = _home_rows(rules, setup.color)
    home = {square for row in rows for square in row}
    for at in [*setup.pieces, *setup.terrain]:
        if at not in home:
            raise StateError(f"{at} is outside {setup.color.title}'s half: it cannot be written")
    pieces = {at: piece_letter(rules, setup.color, name) for at, name in setup.pieces.items()}
    terrain = {at: rules.terrain_letters[ground] for at, ground in setup.terrain.items()}
    return " ".join(
        [
            rules.id,
            str(setup.color),
            write_grid(rows, pieces),
            write_grid(rows, terrain),
            write_fields(rules.setup_fields, setup.fields),
        ]
    )


def parse_setup(text: str) -> Setup:
    """The setup that a text describes.  It may be illegal: ``rules.check_setup`` tells."""
    if not isinstance(text, str):
        raise NotationError(f"a setup is a text, not {text!r:.40}")
    parts = text.split()
    if len(parts) != 5:
        raise NotationError(
            "a setup has five parts (rule set, white or black, pieces, terrain, fields), "
            f"not {len(parts)}"
        )
    rules = rule_set(parts[0])
    try:
        color = Color.parse(parts[1])
        half, names, grounds = _half(rules, color)
        pieces = half.read(parts[2], names)
        if pieces is None:
            pieces = _pieces(rules, color, parts[2])
        terrain = half.read(parts[3], grounds)
        if terrain is None:
            terrain = by_name(read_terrain(rules, read_grid(half.rows, parts[3], "terrain")))
        # Squares, pieces, grounds and fields have been checked one by one: this is canonical.
        return Setup(
            rules.id,
            color,
            pieces,
            {at: ground for at, ground in terrain.items() if ground != rules.ground(at)},
            read_fields(rules.setup_fields, parts[4], rules.board, "a setup"),
        )
    except NotationError:
        raise
    except CyvasseError as error:
        raise NotationError(str(error)) from error


def _pieces(rules: RuleSet, color: Color, text: str) -> dict[str, str]:
    """The pieces of a half, one letter after the other; errors say what is wrong."""
    pieces = read_pieces(rules, read_grid(_home_rows(rules, color), text, "pieces"))
    for at, piece in pieces.items():
        if piece.color is not color:
            raise NotationError(
                f"the piece on {at} is {piece.color.title}'s, but this is {color.title}'s setup"
            )
    return {at: piece.type for at, piece in by_name(pieces).items()}


@cache
def _half(rules: RuleSet, color: Color) -> tuple[GridReader, dict[str, str], dict[str, str]]:
    """A player's half, and what the letters of pieces and grounds mean there."""
    names = {piece_letter(rules, color, kind.name): kind.name for kind in rules.piece_types}
    grounds = {letter: ground for ground, letter in rules.terrain_letters.items()}
    return GridReader(_home_rows(rules, color)), names, grounds


@cache
def _home_rows(rules: RuleSet, color: Color) -> list[list[str]]:
    home = set(rules.home(color))
    rows = [[square for square in row if square in home] for row in rules.board.rows()]
    return [row for row in rows if row]
