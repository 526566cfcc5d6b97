"""Who engages whom, to be shown on the board."""

from __future__ import annotations

from cyvasse.rules.base import Position
from cyvasse.rules.layers import Layer
from cyvasse.rules.nine_tile.pieces import SPECS
from cyvasse.rules.nine_tile.reasons import Field


def engagement(position: Position) -> Layer:
    """How many pieces engage each piece, of how many that its armour asks for."""
    field = Field(position)
    values, lines = {}, []
    for square, piece in sorted(field.pieces.items()):
        engagers = field.engagers(square)
        lines += [(at, square) for at in sorted(engagers)]
        needed = SPECS[piece.type].armour
        if engagers and needed:
            values[square] = f"{len(engagers)}/{needed}"
    return Layer(
        "engagement",
        "Engagement",
        "How many pieces engage this one, of how many its armour asks for: at 2/2 it can be taken. "
        "Point at a piece to see who engages whom.",
        values,
        tuple(lines),
    )
