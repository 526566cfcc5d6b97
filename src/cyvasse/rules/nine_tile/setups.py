"""Setups of Nine-Tile Cyvasse: nine tiles a side, the King on the circle."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from cyvasse.rules.nine_tile import tiles
from cyvasse.rules.nine_tile.board import NINE_TILE
from cyvasse.rules.nine_tile.named import NAMED
from cyvasse.rules.problems import listed, miscounted_pieces, stray_pieces
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Problem,
    Setup,
    State,
    by_name,
    exchanged,
    in_words,
)
from cyvasse.rules.tools import Slot, SlotLayout, Slots, Tool

_MIDDLE_ROW = 5
_PIECES_CHANGE = 0.75  # how often a small change is one of pieces and not of tiles


class NineTileSetups(Setups):
    """Setups of Nine-Tile Cyvasse."""

    def home(self, color: Color) -> tuple[str, ...]:
        return tuple(
            square
            for square in self.board.squares
            if (self.board.row(square) < _MIDDLE_ROW) is (color is WHITE)
            and self.board.row(square) != _MIDDLE_ROW
        )

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        pieces = self.men_of(white) | self.men_of(black)
        terrain = terrain_of(white) | terrain_of(black)
        return State(pieces, by_name(terrain), first)

    def tools(self) -> Sequence[Tool]:
        layouts = {
            triangle: SlotLayout(
                triangle.capitalize(),
                {slot: Slot(tiles.SLOTS[slot], slot[0]) for slot in slots},
                tiles.TRIANGLES[triangle],
                tiles.circle(triangle),
            )
            for triangle, slots in tiles.SLOTS_BESIDE.items()
        }
        grounds = {
            tile: {
                face: tuple(tiles.GROUNDS.get(letter) for letter in pattern)
                for face, pattern in faces.items()
            }
            for tile, faces in tiles.FACES.items()
        }
        return (
            Slots(
                tiles.FIELD,
                "Tiles",
                "triangle",
                "Triangle",
                layouts,
                grounds,
                tiles.TURNED,
                "king",
                "The King belongs on the circle at the tip of the triangle. A tile shows one face "
                "left of the triangle and the other one right of it.",
            ),
        )

    def problems(self, setup: Setup) -> list[Problem]:
        triangle = setup.fields["triangle"]
        problems = tiles.arrangement_problems(triangle, setup.fields["tiles"])
        if setup.color is BLACK:
            turn = self.board.turned
            problems = [each._replace(squares=tuple(map(turn, each.squares))) for each in problems]
        if setup.terrain:
            problems.append(
                Problem(
                    "The ground comes from the tiles; none is laid by hand.",
                    tuple(setup.terrain),
                )
            )
        problems += stray_pieces(self.rules, setup)
        problems += [
            Problem(
                f"{self.stands(setup.pieces[square], square)} on a mountain.",
                (square,),
                setup.pieces[square],
            )
            for square, ground in terrain_of(setup).items()
            if ground == "mountain" and square in setup.pieces
        ]
        problems += miscounted_pieces(self.rules.piece_types, setup.pieces)
        return problems + self._king_problems(setup)

    def _king_problems(self, setup: Setup) -> list[Problem]:
        """The King elsewhere than on the circle, or somebody else on it."""
        chosen = setup.fields["triangle"]
        circles = [tiles.circle(each) for each in ([chosen] if chosen else tiles.TRIANGLES)]
        if setup.color is BLACK:
            circles = [self.board.turned(circle) for circle in circles]
        astray = [at for at, name in setup.pieces.items() if name == "king" and at not in circles]
        if not chosen and astray:
            text = f"The King belongs on a circle, {in_words(circles, 'or')}"
            return [Problem(f"{text}, not on {listed(astray)}.", tuple(astray), "king")]
        circle = circles[0]
        if astray:
            text = f"The King belongs on the circle, {circle}, not on {listed(astray)}."
            return [Problem(text, (circle, *astray), "king")]
        guest = setup.pieces.get(circle) if chosen else None
        if guest is None or guest == "king":
            return []
        text = f"The {self.title_of(guest)} is on the circle, {circle}, where the King belongs."
        return [Problem(text, (circle,), guest)]

    def drawn(self, color: Color, chance: random.Random) -> Setup:
        triangle = chance.choice(list(tiles.TRIANGLES))
        order = list(tiles.FACES)
        chance.shuffle(order)
        laid = {
            slot: tile + chance.choice(["", tiles.TURNED])
            for slot, tile in zip(tiles.SLOTS_BESIDE[triangle], order, strict=True)
        }
        ground = tiles.half_board(laid, triangle)
        circle = tiles.circle(triangle)
        free = [
            square
            for square in self.home(WHITE)
            if square != circle and ground.get(square) != "mountain"
        ]
        names = [kind.name for kind in self.rules.piece_types for _ in range(kind.count)]
        names.remove("king")
        pieces = dict(zip(chance.sample(free, len(names)), names, strict=True))
        pieces[circle] = "king"
        setup = Setup(self.rules.id, WHITE, pieces, fields={"triangle": triangle, "tiles": laid})
        return setup if color is WHITE else self.turned(setup)

    def changed(self, setup: Setup, chance: random.Random) -> Setup:
        if chance.random() < _PIECES_CHANGE:
            return self.exchanged(setup, chance)
        if setup.color is BLACK:
            return self.turned(self._with_other_tiles(self.turned(setup), chance))
        return self._with_other_tiles(setup, chance)

    def _with_other_tiles(self, setup: Setup, chance: random.Random) -> Setup:
        """Turn a tile, exchange two, or lay the triangle elsewhere; pieces make way."""
        triangle, laid = setup.fields["triangle"], dict(setup.fields["tiles"])
        pieces = setup.pieces
        one, other = chance.sample(tiles.SLOTS_BESIDE[triangle], 2)
        change = chance.choice(["turn", "exchange", "exchange", "triangle"])
        if change == "turn":
            laid[one] = tiles.other_way_round(laid[one])
        elif change == "exchange":
            laid[one], laid[other] = laid[other], laid[one]
        else:
            old, triangle = triangle, chance.choice(list(tiles.TRIANGLES))
            order = [laid[slot] for slot in tiles.SLOTS_BESIDE[old]]
            laid = dict(zip(tiles.SLOTS_BESIDE[triangle], order, strict=True))
            pieces = exchanged(pieces, tiles.circle(old), tiles.circle(triangle))
        ground = tiles.half_board(laid, triangle)
        standing = {at: name for at, name in pieces.items() if ground.get(at) != "mountain"}
        displaced = [name for at, name in pieces.items() if at not in standing]
        free = [
            at for at in self.home(WHITE) if at not in standing and ground.get(at) != "mountain"
        ]
        moved = zip(chance.sample(free, len(displaced)), displaced, strict=True)
        return Setup(
            self.rules.id,
            WHITE,
            {**standing, **dict(moved)},
            fields={"triangle": triangle, "tiles": laid},
        )

    def white(self) -> Mapping[str, Setup]:
        return self._named

    @cached_property
    def _named(self) -> dict[str, Setup]:
        letters = {kind.letter: kind.name for kind in self.rules.piece_types}
        setups = {}
        for name, (triangle, laid, rows) in NAMED.items():
            pieces = {}
            for squares, row in zip(self.board.rows()[5:], rows, strict=True):
                for square, letter in zip(squares, row, strict=True):
                    if letter in letters:
                        pieces[square] = letters[letter]
            fields = {
                "triangle": triangle,
                "tiles": dict(zip(tiles.SLOTS_BESIDE[triangle], laid.split(), strict=True)),
            }
            setups[name] = Setup(self.rules.id, WHITE, pieces, fields=fields)
        return setups


def terrain_of(setup: Setup) -> dict[str, str]:
    """Water and mountains that a setup's tiles give to its half."""
    ground = tiles.half_board(setup.fields["tiles"], setup.fields["triangle"])
    if setup.color is BLACK:
        ground = {NINE_TILE.turned(square): kind for square, kind in ground.items()}
    return ground
