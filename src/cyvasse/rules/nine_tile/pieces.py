"""The pieces of Nine-Tile Cyvasse: armour, movement allowance, engagement range."""

from dataclasses import replace
from typing import NamedTuple

from cyvasse.rules.terms import PieceType


class ArmouredType(NamedTuple):
    """A piece type with its three numbers.

    ``armour`` is how many opposing pieces must engage it before it can be captured.
    """

    type: PieceType
    armour: int
    allowance: int
    engagement: int


_ARMOUR = (
    "No armour: nobody has to engage it",
    "Armour 1: one of your pieces must engage it",
    "Armour 2: two of your pieces must engage it",
)


def _with_facts(spec: ArmouredType) -> ArmouredType:
    """The type with its numbers in words, as an opponent reads them."""
    least = "2 to " if spec.type.name == "trebuchet" else ""
    far = f"{least}{spec.engagement} square{'s' if spec.engagement > 1 else ''} away"
    facts = (_ARMOUR[spec.armour], f"Engages {far}")
    return spec._replace(type=replace(spec.type, facts=facts))


# The order is that of the rules; a type's number inside a position is its place here, from 1.
_TYPES = (
    ArmouredType(
        PieceType(
            "rabble",
            "Rabble",
            "R",
            6,
            "Moves 1 square. After a Rabble's normal move another Rabble may make one too.",
            plural="Rabble",
        ),
        armour=1,
        allowance=1,
        engagement=1,
    ),
    ArmouredType(
        PieceType(
            "spears",
            "Spears",
            "S",
            3,
            "Moves 1 square. Engages and captures only the two squares in front of it; "
            "opposing pieces must stop there.",
            plural="Spears",
            many=True,
        ),
        armour=1,
        allowance=1,
        engagement=1,
    ),
    ArmouredType(
        PieceType(
            "light_horse",
            "Light Horse",
            "L",
            3,
            "Moves 3 squares. May ride on in a straight line beyond the piece it captures.",
        ),
        armour=1,
        allowance=3,
        engagement=1,
    ),
    ArmouredType(
        PieceType(
            "heavy_horse",
            "Heavy Horse",
            "H",
            2,
            "Moves 2 squares. May ride on in a straight line beyond the piece it captures.",
        ),
        armour=2,
        allowance=2,
        engagement=1,
    ),
    ArmouredType(
        PieceType(
            "elephant",
            "Elephant",
            "E",
            2,
            "Moves 1 square, captures up to 2 squares away, but never through a piece.",
        ),
        armour=2,
        allowance=1,
        engagement=2,
    ),
    ArmouredType(
        PieceType(
            "crossbows",
            "Crossbows",
            "X",
            2,
            "Moves 2 squares. Engages up to 3 squares away and never captures.",
            plural="Crossbows",
            many=True,
        ),
        armour=0,
        allowance=2,
        engagement=3,
    ),
    ArmouredType(
        PieceType(
            "trebuchet",
            "Trebuchet",
            "T",
            1,
            "Moves 1 square. Engages 2 to 4 squares away and captures what it engages by "
            "stepping one square directly away from it.",
        ),
        armour=0,
        allowance=1,
        engagement=4,
    ),
    ArmouredType(
        PieceType(
            "dragon",
            "Dragon",
            "D",
            1,
            "Moves 4 squares, over mountains and over any piece.",
        ),
        armour=2,
        allowance=4,
        engagement=2,
    ),
    ArmouredType(
        PieceType(
            "tower",
            "Tower",
            "W",
            2,
            "Never moves. An opposing piece beside it engages nothing but such Towers.",
        ),
        armour=2,
        allowance=0,
        engagement=1,
    ),
    ArmouredType(
        PieceType(
            "king",
            "King",
            "K",
            1,
            "Moves 1 square, or 2 straight over an own Tower beside him. Lose him and the game "
            "is lost.",
        ),
        armour=1,
        allowance=1,
        engagement=1,
    ),
)

PIECES = tuple(map(_with_facts, _TYPES))

SPECS = {spec.type.name: spec for spec in PIECES}
