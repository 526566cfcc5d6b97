"""The pieces of Mikelepage's Cyvasse: tier, way of moving, home terrain, promotions."""

from dataclasses import replace
from typing import NamedTuple

from cyvasse.rules.terms import PieceType

# The four ways of moving.
STRAIGHT = "straight"
DIAGONAL = "diagonal"
RING = "ring"
FLIGHT = "flight"


class TieredType(NamedTuple):
    """A piece type with its numbers."""

    type: PieceType
    tier: int
    movement: str
    reach: int | None
    """How many steps it may go; None for any number."""
    home: str | None = None
    """The terrain on which it defends one tier higher."""
    becomes: tuple[str, ...] = ()
    """What it may be promoted to at the beginning of a turn."""


def _with_facts(spec: TieredType) -> TieredType:
    """The type with its numbers in words."""
    defence = f"defence {spec.tier}"
    if spec.home:
        defence += f", at home {spec.tier + 1}"
    return spec._replace(type=replace(spec.type, facts=(f"Tier {spec.tier}", defence)))


# A type's number inside a position is its place here, from 1.  Crossbows, spears and light horse
# stand three places before the types they are promoted to.
_TYPES = (
    TieredType(
        PieceType(
            "rabble",
            "Rabble",
            "R",
            6,
            "Moves 1 square. On your fortress it becomes Crossbows, Spears or Light Horse, "
            "if you have lost one.",
            plural="Rabble",
        ),
        tier=1,
        movement=STRAIGHT,
        reach=1,
        becomes=("crossbows", "spears", "light_horse"),
    ),
    TieredType(
        PieceType(
            "king",
            "King",
            "K",
            1,
            "Moves 1 square. Flanking, he counts as much as the best piece beside him. Taken, he "
            "must be replaced within your next turn.",
        ),
        tier=1,
        movement=STRAIGHT,
        reach=1,
    ),
    TieredType(
        PieceType(
            "crossbows",
            "Crossbows",
            "X",
            2,
            "Moves straight, up to 3 squares. At home on hills; becomes a Trebuchet.",
            plural="Crossbows",
            many=True,
        ),
        tier=2,
        movement=STRAIGHT,
        reach=3,
        home="hill",
        becomes=("trebuchet",),
    ),
    TieredType(
        PieceType(
            "spears",
            "Spears",
            "S",
            2,
            "Moves diagonally, up to 2 squares. At home in forests; becomes an Elephant.",
            plural="Spears",
            many=True,
        ),
        tier=2,
        movement=DIAGONAL,
        reach=2,
        home="forest",
        becomes=("elephant",),
    ),
    TieredType(
        PieceType(
            "light_horse",
            "Light Horse",
            "L",
            2,
            "Rides round a fortress (or the corner chosen for a ruined one), up to 3 squares, "
            "keeping its distance. At home on grassland; becomes a Heavy Horse.",
        ),
        tier=2,
        movement=RING,
        reach=3,
        home="grassland",
        becomes=("heavy_horse",),
    ),
    TieredType(
        PieceType(
            "trebuchet",
            "Trebuchet",
            "T",
            2,
            "Moves straight, any number of squares. At home on hills; can replace a lost King.",
        ),
        tier=3,
        movement=STRAIGHT,
        reach=None,
        home="hill",
    ),
    TieredType(
        PieceType(
            "elephant",
            "Elephant",
            "E",
            2,
            "Moves diagonally, any number of squares. At home in forests; can replace a lost King.",
        ),
        tier=3,
        movement=DIAGONAL,
        reach=None,
        home="forest",
    ),
    TieredType(
        PieceType(
            "heavy_horse",
            "Heavy Horse",
            "H",
            2,
            "Rides round a fortress (or the corner chosen for a ruined one) as far as it likes, "
            "keeping its distance. At home on grassland; can replace a lost King.",
        ),
        tier=3,
        movement=RING,
        reach=None,
        home="grassland",
    ),
    TieredType(
        PieceType(
            "dragon",
            "Dragon",
            "D",
            1,
            "Flies up to 4 squares by any path, over mountains but not over pieces. May wait in "
            "reserve and be brought out within 4 squares of your standing fortress.",
        ),
        tier=4,
        movement=FLIGHT,
        reach=4,
    ),
)

PIECES = tuple(map(_with_facts, _TYPES))

SPECS = {spec.type.name: spec for spec in PIECES}

TERRAINS = ("hill", "forest", "grassland")
MOUNTAINS = 6
"""How many mountains each player sets up."""
BRING_OUT_RANGE = 4
