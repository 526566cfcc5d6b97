"""The tiles of a homeland: how many there are, and how mountains may lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from cyvasse.boards import GAMEOFCYVASSE
from cyvasse.rules.problems import miscounted
from cyvasse.rules.terms import Problem, in_words

TILES: Mapping[str, int] = {"mountain": 6, "water": 5, "forest": 6, "grass": 14, "fortress": 1}
_PLURALS: Mapping[str, str] = {"mountain": "mountains", "fortress": "fortresses"}
MOUNTAINS_TOGETHER = 2
_EDGES = ("N", "E", "S", "W")


def ranges(mountains: Iterable[str]) -> list[list[str]]:
    """The mountains in groups that hang together by their edges (D1), each sorted.

    >>> ranges(["a1", "b2", "b1", "d4"])
    [['a1', 'b1', 'b2'], ['d4']]
    """
    left = sorted(mountains)
    groups = []
    while left:
        group = [left.pop(0)]
        for square in group:  # grows while it is walked through
            for beside in _beside(square):
                if beside in left:
                    left.remove(beside)
                    group.append(beside)
        groups.append(sorted(group))
    return groups


@cache
def _beside(square: str) -> frozenset[str]:
    there = (
        GAMEOFCYVASSE.neighbour(GAMEOFCYVASSE.index(square), direction) for direction in _EDGES
    )
    return frozenset(GAMEOFCYVASSE.squares[index] for index in there if index is not None)


def ground_problems(terrain: Mapping[str, str], home: Sequence[str]) -> list[Problem]:
    """What is wrong with the tiles laid on a homeland; grass is what nothing else was laid on."""
    problems = []
    half = frozenset(home)
    outside = tuple(square for square in terrain if square not in half)
    if outside:
        problems.append(
            Problem(
                f"The ground of {in_words(outside)} is not yours to lay: "
                f"your half is rows {home[0][1]} to {home[-1][1]}.",
                outside,
            )
        )
    laid = [terrain.get(square, "grass") for square in home]
    for ground, count in TILES.items():
        if laid.count(ground) != count:
            squares = tuple(at for at, kind in zip(home, laid, strict=True) if kind == ground)
            problems += miscounted(ground, squares, count, _PLURALS.get(ground))
    problems.extend(
        Problem(
            f"The mountains on {in_words(group)} hang together; not more than "
            f"{MOUNTAINS_TOGETHER} may touch along their edges.",
            tuple(group),
        )
        for group in _too_many_together(
            {at for at, kind in zip(home, laid, strict=True) if kind == "mountain"}
        )
    )
    return problems


def _too_many_together(mountains: set[str]) -> list[list[str]]:
    """The groups of more than MOUNTAINS_TOGETHER."""
    # In a group of three or more, one touches two others; mostly none does.
    if all(len(mountains & _beside(square)) < MOUNTAINS_TOGETHER for square in mountains):
        return []
    return [group for group in ranges(mountains) if len(group) > MOUNTAINS_TOGETHER]
