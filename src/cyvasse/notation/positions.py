"""A position in one line: rule set, pieces, terrain, who is to act, fields, quiet turns.

``nine-tile 8/2k6/10/11/12/11/10/9/3K4 - w second_rabble=f5 12``
"""

from __future__ import annotations

from collections.abc import Mapping

from cyvasse.errors import CyvasseError, NotationError
from cyvasse.notation.grids import read_grid, write_grid
from cyvasse.notation.values import read_fields, write_fields
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Field, Fields, Flag, Piece, State

_COLORS = {"w": WHITE, "b": BLACK}
_COMMON = (
    Field("passed", Flag(), "the last action was a forced pass"),
    Field("drawn", Flag(), "it was the second in a row and has drawn the game"),
)


def write_position(position: Position) -> str:
    """The one text of a position."""
    rules, state = position.rules, position.state()
    rows = position.board.rows()
    pieces = {at: piece_letter(rules, p.color, p.type) for at, p in state.pieces.items()}
    terrain = {at: rules.terrain_letters[ground] for at, ground in state.terrain.items()}
    return " ".join(
        [
            rules.id,
            write_grid(rows, pieces),
            write_grid(rows, terrain),
            "wb"[state.to_move],
            write_fields(
                _fields(rules), {**state.fields, "passed": state.passed, "drawn": state.drawn}
            ),
            str(state.quiet_turns),
        ]
    )


def parse_position(text: str) -> Position:
    """The position that a text describes; errors say what is wrong."""
    if not isinstance(text, str):
        raise NotationError(f"a position is a text, not {text!r:.40}")
    parts = text.split()
    if len(parts) != 6:
        raise NotationError(
            "a position has six parts (rule set, pieces, terrain, w or b, fields, quiet turns), "
            f"not {len(parts)}"
        )
    rules = rule_set(parts[0])
    rows = rules.board.rows()
    if parts[3] not in _COLORS:
        raise NotationError(f"the player to act is w or b, not {parts[3][:20]!r}")
    fields = read_fields(_fields(rules), parts[4], rules.board, "a position")
    passed, drawn = fields.pop("passed"), fields.pop("drawn")
    try:
        return rules.position(
            State(
                read_pieces(rules, read_grid(rows, parts[1], "pieces")),
                read_terrain(rules, read_grid(rows, parts[2], "terrain")),
                _COLORS[parts[3]],
                _number(parts[5]),
                passed,
                fields,
                drawn,
            )
        )
    except NotationError:
        raise
    except CyvasseError as error:
        raise NotationError(str(error)) from error


def piece_letter(rules: RuleSet, color: Color, name: str) -> str:
    """The letter of a piece: upper case for White, lower case for Black."""
    letter = rules.piece_type(name).letter
    return letter if color is WHITE else letter.lower()


def read_pieces(rules: RuleSet, letters: Mapping[str, str]) -> dict[str, Piece]:
    """The pieces that letters on squares stand for."""
    names = {kind.letter: kind.name for kind in rules.piece_types}
    pieces = {}
    for at, letter in letters.items():
        if letter.upper() not in names:
            raise NotationError(
                f"{letter!r} on {at} is no piece of {rules.title}; its letters are {''.join(names)}"
            )
        pieces[at] = Piece(WHITE if letter.isupper() else BLACK, names[letter.upper()])
    return pieces


def read_terrain(rules: RuleSet, letters: Mapping[str, str]) -> dict[str, str]:
    """The grounds that letters on squares stand for."""
    grounds = {letter: ground for ground, letter in rules.terrain_letters.items()}
    for at, letter in letters.items():
        if letter not in grounds:
            known = ", ".join(f"{key} {ground}" for key, ground in grounds.items()) or "none"
            raise NotationError(f"{letter!r} on {at} is no ground of {rules.title}: {known}")
    return {at: grounds[letter] for at, letter in letters.items()}


def _fields(rules: RuleSet) -> Fields:
    return (*rules.state_fields, *_COMMON)


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 6 or str(int(text)) != text:
        raise NotationError(f"the number of quiet turns is {text[:20]!r}, which is no number")
    return int(text)
