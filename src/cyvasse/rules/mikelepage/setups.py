"""Setups of Mikelepage's Cyvasse: mountains, and a Dragon that may wait in reserve."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage.named import NAMED
from cyvasse.rules.mikelepage.pieces import MOUNTAINS, PIECES, SPECS
from cyvasse.rules.mikelepage.position import first_position
from cyvasse.rules.problems import listed, miscounted, miscounted_pieces, stray_pieces, strays
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import WHITE, Color, Problem, Setup, State, by_name, exchanged
from cyvasse.rules.tools import Marks, Reserve, Tool

_MIDDLE_ROW = 6
_ARMY = tuple(spec.type for spec in PIECES if spec.type.name != "dragon")
_BROUGHT = {name: spec.home for name, spec in SPECS.items() if spec.home and spec.tier == 2}
# How often a small change of a setup is one of these; otherwise a mountain is moved.
_PIECES_CHANGE = 0.7
_DRAGON_CHANGES = 0.05


class MikelepageSetups(Setups):
    """Setups of Mikelepage's Cyvasse."""

    def home(self, color: Color) -> tuple[str, ...]:
        return tuple(
            square
            for square in self.board.squares
            if self.board.row(square) != _MIDDLE_ROW
            and (self.board.row(square) < _MIDDLE_ROW) is (color is WHITE)
        )

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        pieces = self.men_of(white) | self.men_of(black)
        terrain = terrain_of(white) | terrain_of(black)
        fortress, reserve = {}, {}
        for setup in (white, black):
            reserve[str(setup.color)] = setup.fields["dragon_in_reserve"]
            for square, name in setup.pieces.items():
                if name == "king":
                    fortress[str(setup.color)] = {"at": square, "ruined": False, "corner": None}
        mountains = sorted([*white.fields["mountains"], *black.fields["mountains"]])
        fields = {"mountains": mountains, "fortress": fortress, "reserve": reserve}
        return State(pieces, by_name(terrain), first, fields=fields)

    def lifted(self, white: Setup, black: Setup, first: Color) -> Position:
        return first_position(self.rules, white, black, first)

    def tools(self) -> Sequence[Tool]:
        return (
            Marks(
                "mountains",
                "Mountain",
                "mountain",
                MOUNTAINS,
                about="Hills, forests and grassland come with the Crossbows, Spears and Light "
                "Horse; the fortress comes with the King.",
            ),
            Reserve(
                "dragon_in_reserve",
                "dragon",
                "The Dragon may wait in reserve, or stand on a free square.",
            ),
        )

    def problems(self, setup: Setup) -> list[Problem]:
        problems = []
        mountains = setup.fields["mountains"]
        if setup.terrain:
            problems.append(
                Problem(
                    "Terrain comes with the Crossbows, Spears and Light Horse; none is laid by "
                    "hand.",
                    tuple(setup.terrain),
                )
            )
        problems += stray_pieces(self.rules, setup)
        problems += strays(self.rules, setup.color, mountains, "mountain", "mountains")
        problems += [
            Problem(
                f"{self.stands(setup.pieces[square], square)} on a mountain.",
                (square,),
                "mountains",
            )
            for square in mountains
            if square in setup.pieces
        ]
        problems += miscounted_pieces(_ARMY, setup.pieces)
        problems += self._dragon_problems(setup)
        return problems + miscounted("mountain", mountains, MOUNTAINS, thing="mountains")

    def _dragon_problems(self, setup: Setup) -> list[Problem]:
        squares = [square for square, name in setup.pieces.items() if name == "dragon"]
        if not setup.fields["dragon_in_reserve"]:
            if not squares:
                return [
                    Problem("The Dragon is neither on the board nor kept in reserve.", (), "dragon")
                ]
            return miscounted("Dragon", squares, 1, thing="dragon")
        if not squares:
            return []
        where = f"The Dragon is kept in reserve and stands on {listed(squares)}"
        return [Problem(f"{where}; it can be only in one place.", tuple(squares), "dragon")]

    def drawn(self, color: Color, chance: random.Random) -> Setup:
        in_reserve = chance.random() < 0.5
        names = [kind.name for kind in self.rules.piece_types for _ in range(kind.count)]
        if in_reserve:
            names.remove("dragon")
        squares = chance.sample(self.home(color), len(names) + MOUNTAINS)
        return Setup(
            self.rules.id,
            color,
            dict(zip(squares[MOUNTAINS:], names, strict=True)),
            fields={"dragon_in_reserve": in_reserve, "mountains": squares[:MOUNTAINS]},
        )

    def changed(self, setup: Setup, chance: random.Random) -> Setup:
        draw = chance.random()
        if draw < _PIECES_CHANGE:
            return self.exchanged(setup, chance)
        home = self.home(setup.color)
        mountains = list(setup.fields["mountains"])
        in_reserve = setup.fields["dragon_in_reserve"]
        pieces = dict(setup.pieces)
        if draw < _PIECES_CHANGE + _DRAGON_CHANGES:
            if in_reserve:
                free = [at for at in home if at not in pieces and at not in mountains]
                pieces[chance.choice(free)] = "dragon"
            else:
                pieces = {at: name for at, name in pieces.items() if name != "dragon"}
            in_reserve = not in_reserve
        else:
            old = mountains.pop(chance.randrange(len(mountains)))
            new = chance.choice([at for at in home if at not in mountains])
            mountains.append(new)
            if new in pieces:
                pieces = exchanged(pieces, new, old)
        return Setup(
            self.rules.id,
            setup.color,
            pieces,
            fields={"dragon_in_reserve": in_reserve, "mountains": mountains},
        )

    def white(self) -> Mapping[str, Setup]:
        return self._named

    @cached_property
    def _named(self) -> dict[str, Setup]:
        letters = {kind.letter: kind.name for kind in self.rules.piece_types}
        setups = {}
        for name, rows in NAMED.items():
            pieces, mountains = {}, []
            for squares, row in zip(self.board.rows()[_MIDDLE_ROW:], rows, strict=True):
                for square, letter in zip(squares, row.split(), strict=True):
                    if letter == "^":
                        mountains.append(square)
                    elif letter != ".":
                        pieces[square] = letters[letter]
            fields = {
                "dragon_in_reserve": "dragon" not in pieces.values(),
                "mountains": mountains,
            }
            setups[name] = Setup(self.rules.id, WHITE, pieces, fields=fields)
        return setups


def terrain_of(setup: Setup) -> dict[str, str]:
    """The terrain that comes with the tier-2 pieces."""
    return {at: _BROUGHT[name] for at, name in setup.pieces.items() if name in _BROUGHT}
