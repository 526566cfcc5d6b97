"""Croft's board: eight lakes, a forest on every other tile, plain elsewhere (D1)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from cyvasse.boards import square_board

CROFT = square_board("croft", 10, 10)
WATER = frozenset({"b2", "i2", "d4", "g4", "d7", "g7", "b9", "i9"})
# The chequer colour that a1 does not have; water wins where both would apply.
FOREST = frozenset(
    square
    for square, (x, y) in zip(CROFT.squares, CROFT.coordinates, strict=True)
    if (x + y) % 2 and square not in WATER
)


def ground(square: str) -> str:
    """What a tile is made of.

    >>> ground("a1"), ground("a2"), ground("b2")
    ('plain', 'forest', 'water')
    """
    if square in WATER:
        return "water"
    return "forest" if square in FOREST else "plain"


def around(square: str) -> list[str]:
    """The up to eight tiles beside a tile.

    >>> around("a1")
    ['a2', 'b1', 'b2']
    """
    return list(_around(square))


@cache
def _around(square: str) -> tuple[str, ...]:
    start = CROFT.index(square)
    found = (CROFT.neighbour(start, direction) for direction in CROFT.directions)
    return tuple(sorted(CROFT.squares[there] for there in found if there is not None))


def home_tiles(keep: str, mountains: Collection[str]) -> list[str]:
    """The home tiles of a keep: those around it without a mountain."""
    return [square for square in _around(keep) if square not in mountains]
