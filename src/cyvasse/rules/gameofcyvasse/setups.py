"""Setups of the Rules of Cyvasse: a homeland of 32 tiles, and ten pieces on it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property

from cyvasse.rules.gameofcyvasse.board import GAMEOFCYVASSE
from cyvasse.rules.gameofcyvasse.named import NAMED
from cyvasse.rules.gameofcyvasse.pieces import DRAGON
from cyvasse.rules.problems import listed, miscounted, miscounted_pieces, stray_pieces
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import WHITE, Color, Problem, Setup, State, by_name, exchanged
from cyvasse.rules.tools import Brush, Tool

_HALF = 32
TILES: Mapping[str, int] = {"mountain": 6, "water": 5, "forest": 6, "grass": 14, "fortress": 1}
_PLURALS: Mapping[str, str] = {"mountain": "mountains", "fortress": "fortresses"}
"""Of other grounds there are so many tiles."""
MOUNTAINS_TOGETHER = 2
_EDGES = ("N", "E", "S", "W")


class GameOfCyvasseSetups(Setups):
    """Setups of the Rules of Cyvasse."""

    def home(self, color: Color) -> tuple[str, ...]:
        return self.board.squares[:_HALF] if color is WHITE else self.board.squares[_HALF:]

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        pieces = self.men_of(white) | self.men_of(black)
        return State(pieces, by_name({**white.terrain, **black.terrain}), first)

    def tools(self) -> Sequence[Tool]:
        return tuple(Brush(ground, ground.capitalize(), count) for ground, count in TILES.items())

    def problems(self, setup: Setup) -> list[Problem]:
        problems = ground_problems(setup.terrain, self.home(setup.color))
        problems += stray_pieces(self.rules, setup)
        problems += [
            Problem(
                f"{self.stands(name, square)} on a mountain; only the Dragon may be.",
                (square,),
                name,
            )
            for square, name in setup.pieces.items()
            if setup.terrain.get(square) == "mountain" and name != DRAGON
        ]
        return problems + miscounted_pieces(self.rules.piece_types, setup.pieces)

    def drawn(self, color: Color, chance: random.Random) -> Setup:
        home = self.home(color)
        while True:  # three mountains hang together in about one draw of three
            mountains = chance.sample(home, TILES["mountain"])
            if all(len(group) <= MOUNTAINS_TOGETHER for group in ranges(mountains)):
                break
        terrain = dict.fromkeys(mountains, "mountain")
        walkable = [square for square in home if square not in terrain]
        rest = [ground for ground in ("water", "forest", "fortress") for _ in range(TILES[ground])]
        terrain |= zip(chance.sample(walkable, len(rest)), rest, strict=True)
        roost = chance.choice(home)
        walkers = [kind.name for kind in self.rules.piece_types if kind.name != DRAGON]
        free = [square for square in walkable if square != roost]
        pieces = dict(zip(chance.sample(free, len(walkers)), walkers, strict=True))
        return Setup(self.rules.id, color, {**pieces, roost: DRAGON}, terrain)

    def changed(self, setup: Setup, chance: random.Random) -> Setup:
        one, other = chance.sample(self.home(setup.color), 2)
        change = chance.choice(["piece", "ground", "both"])
        pieces, terrain = setup.pieces, setup.terrain
        if change == "piece":
            return self.exchanged(setup, chance)
        if change == "both":
            pieces = exchanged(pieces, one, other)
        return Setup(self.rules.id, setup.color, pieces, exchanged(terrain, one, other))

    def white(self) -> Mapping[str, Setup]:
        return self._named

    @cached_property
    def _named(self) -> dict[str, Setup]:
        grounds = {letter: ground for ground, letter in self.rules.terrain_letters.items()}
        types = {kind.letter: kind.name for kind in self.rules.piece_types}
        setups = {}
        for name, rows in NAMED.items():
            pieces, terrain = {}, {}
            for squares, row in zip(self.board.rows()[4:], rows, strict=True):
                for square, cell in zip(squares, row.split(), strict=True):
                    if cell[0] in grounds:
                        terrain[square] = grounds[cell[0]]
                    if cell[1] in types:
                        pieces[square] = types[cell[1]]
            setups[name] = Setup(self.rules.id, WHITE, pieces, terrain)
        return setups


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
                f"The ground of {listed(outside)} is not yours to lay: "
                f"your half is rows {home[0][1]} to {home[-1][1]}.",
                outside,
            )
        )
    laid = [terrain.get(square, "grass") for square in home]
    for ground, count in TILES.items():
        if laid.count(ground) != count:
            squares = tuple(at for at, kind in zip(home, laid, strict=True) if kind == ground)
            name = ground if ground in _PLURALS else f"{ground} tile"
            plural = _PLURALS.get(ground, "")
            problems += miscounted(name, squares, count, plural, thing=ground)
    problems.extend(
        Problem(
            f"The mountains on {listed(group)} hang together; not more than "
            f"{MOUNTAINS_TOGETHER} may touch along their edges.",
            tuple(group),
            "mountain",
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
