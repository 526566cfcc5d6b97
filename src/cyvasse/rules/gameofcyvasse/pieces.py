"""The pieces of gameofcyvasse: rank, steps, and who can take whom."""

from dataclasses import replace
from typing import NamedTuple

from cyvasse.rules.terms import PieceType

KING = "king"


class RankedType(NamedTuple):
    """A piece type with its numbers.

    ``rank`` is its place in the order of strength, ``steps`` how far it walks in a turn; the Dragon
    flies and has none.
    """

    type: PieceType
    rank: int
    steps: int


def _with_facts(spec: RankedType) -> RankedType:
    """The type with its rank in words; the King has none."""
    facts = () if spec.type.name == KING else (f"Rank {spec.rank} of 9",)
    return spec._replace(type=replace(spec.type, facts=facts))


# The order of strength is that of the piece list in the text (D3), and the number of a type inside
# a position is its rank.  The King stands outside the order: his number is only a number.
_TYPES = (
    RankedType(
        PieceType(
            "rabble",
            "Rabble",
            "R",
            1,
            "Moves 1 square.",
            plural="Rabble",
        ),
        rank=1,
        steps=1,
    ),
    RankedType(
        PieceType(
            "spearmen",
            "Spearmen",
            "S",
            1,
            "Moves 1 square. Light and Heavy Horse cannot take it.",
            plural="Spearmen",
            many=True,
        ),
        rank=2,
        steps=1,
    ),
    RankedType(
        PieceType(
            "crossbowman",
            "Crossbowman",
            "X",
            1,
            "Moves 1 square or shoots at one of the 8 squares around it. Can kill the Dragon.",
            plural="Crossbowmen",
        ),
        rank=3,
        steps=1,
    ),
    RankedType(
        PieceType(
            "light_horse",
            "Light Horse",
            "L",
            1,
            "Moves up to 3 squares, turning as it likes. Cannot take Spearmen.",
        ),
        rank=4,
        steps=3,
    ),
    RankedType(
        PieceType(
            "heavy_horse",
            "Heavy Horse",
            "H",
            1,
            "Moves up to 2 squares, turning as it likes. Cannot take Spearmen.",
        ),
        rank=5,
        steps=2,
    ),
    RankedType(PieceType("elephant", "Elephant", "E", 1, "Moves 1 square."), rank=6, steps=1),
    RankedType(
        PieceType(
            "catapult",
            "Catapult",
            "C",
            1,
            "Moves 1 square or shoots up to 2 squares away in any direction, a knight's jump too. "
            "Can kill the Dragon.",
        ),
        rank=7,
        steps=1,
    ),
    RankedType(
        PieceType(
            "trebuchet",
            "Trebuchet",
            "T",
            1,
            "Moves 1 square or shoots at one of the 3 squares ahead in the direction of its last "
            "step. Can kill the Dragon.",
        ),
        rank=8,
        steps=1,
    ),
    RankedType(
        PieceType(
            "dragon",
            "Dragon",
            "D",
            1,
            "Flies any distance in a straight line, over everything but the enemy Dragon. "
            "Roosts on mountains. Attacks nothing that stands on forest.",
        ),
        rank=9,
        steps=0,
    ),
    RankedType(
        PieceType(
            "king",
            "King",
            "K",
            1,
            "Moves 1 square. Kills, and is killed by, anything. Lose him and the game is lost.",
        ),
        rank=10,
        steps=1,
    ),
)

PIECES = tuple(map(_with_facts, _TYPES))

SPECS = {spec.type.name: spec for spec in PIECES}

DRAGON = "dragon"
CAVALRY = ("light_horse", "heavy_horse")  # D4: an Elephant is not cavalry
SHOOTERS = ("crossbowman", "catapult", "trebuchet")


def takes(attacker: str, victim: str) -> bool:
    """Whether a piece of one type can take a piece of another, whatever they stand on.

    >>> takes("rabble", "spearmen"), takes("rabble", "crossbowman")
    (True, False)
    """
    if KING in (attacker, victim):
        return True
    if attacker in CAVALRY and victim == "spearmen":
        return False
    if attacker in SHOOTERS and victim == DRAGON:
        return True
    return SPECS[victim].rank <= SPECS[attacker].rank + 1
