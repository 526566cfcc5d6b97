"""Setups: what belongs where before the screen lifts, and what is wrong with a setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from cyvasse.rules import WHITE, Color, Problem, Setup, Setups, State
from cyvasse.rules.problems import miscounted, miscounted_pieces, stray_pieces, strays
from cyvasse.rules.terms import exchanged
from cyvasse.rules.tools import Marks, Tool

HOME = 10  # squares: the two rows nearest to a player

# Good setups as White sees them, row 2 above row 1; # is the rock.
NAMED = {
    "spearhead": ("R.R.R", "#XKL."),
    "corner": ("XRR.L", "K#.R."),
    "open-flank": ("RR.XL", ".KR#."),
    "wall": (".RRR.", "LKX.#"),
}
CHARACTERS = {
    "spearhead": "The whole front moves at once, and the King stays in the middle.",
    "wall": "Three Rabble stand before the King.",
}


class FordSetups(Setups):
    """The setups of the Ford: six pieces and a rock on two rows."""

    def home(self, color: Color) -> tuple[str, ...]:
        squares = self.board.squares
        return squares[:HOME] if color is WHITE else squares[-HOME:]

    def problems(self, setup: Setup) -> list[Problem]:
        rock = setup.fields["rock"]
        rocks = [] if rock is None else [rock]
        problems = miscounted("rock", rocks, 1, thing="rock")
        problems += strays(self.rules, setup.color, rocks, "rock", "rock")
        if rock in setup.pieces:
            title = self.title_of(setup.pieces[rock])
            problems.append(
                Problem(f"The {title} and the rock are both on {rock}.", (rock,), "rock")
            )
        problems += stray_pieces(self.rules, setup)
        return problems + miscounted_pieces(self.rules.piece_types, setup.pieces)

    def drawn(self, color: Color, chance: Random) -> Setup:
        army = [kind.name for kind in self.rules.piece_types for _ in range(kind.count)]
        rock, *squares = chance.sample(self.home(color), 1 + len(army))
        pieces = dict(zip(squares, army, strict=True))
        return Setup(self.rules.id, color, pieces, fields={"rock": rock})

    def changed(self, setup: Setup, chance: Random) -> Setup:
        """What lies on two squares changes places; on one of them it may be the rock."""
        one, other = chance.sample(self.home(setup.color), 2)
        rock = {one: other, other: one}.get(setup.fields["rock"], setup.fields["rock"])
        pieces = exchanged(setup.pieces, one, other)
        return Setup(self.rules.id, setup.color, pieces, fields={"rock": rock})

    def white(self) -> Mapping[str, Setup]:
        types = {kind.letter: kind.name for kind in self.rules.piece_types}
        setups = {}
        for name, (front, back) in NAMED.items():
            cells = dict(zip(self.home(WHITE), back + front, strict=True))
            pieces = {at: types[cell] for at, cell in cells.items() if cell in types}
            (rock,) = (at for at, cell in cells.items() if cell == "#")
            setups[name] = Setup(self.rules.id, WHITE, pieces, fields={"rock": rock})
        return setups

    def tools(self) -> Sequence[Tool]:
        return [
            Marks("rock", "Rock", "mountain", 1, single=True, about="Nothing goes onto a rock.")
        ]

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        # A lone setup is looked at beside an empty one, which has no rock.
        rocks = [setup.fields["rock"] for setup in (white, black) if setup.fields["rock"]]
        pieces = self.men_of(white) | self.men_of(black)
        return State(pieces, to_move=first, fields={"rocks": sorted(rocks)})
