"""Setups of Croft's Cyvasse: mountains, a keep, and a piece on each of its home tiles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from cyvasse.rules.croft.board import around, home_tiles
from cyvasse.rules.croft.named import NAMED
from cyvasse.rules.croft.pieces import PIECES
from cyvasse.rules.problems import miscounted, miscounted_pieces, stray_pieces, strays
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import WHITE, Color, Problem, Setup, State, exchanged
from cyvasse.rules.tools import Marks, Tool

_ROWS = {Color.WHITE: range(1, 6), Color.BLACK: range(6, 11)}
_KEEP_ROWS = {Color.WHITE: range(1, 5), Color.BLACK: range(7, 11)}
_MOUNTAINS = 3
# How often a small change of a setup is, in this order: two pieces exchanged, a piece exchanged
# with the reserve, a mountain moved; otherwise the keep is moved.
_EXCHANGES = 0.3
_PIECES_CHANGE = 0.65
_MOUNTAINS_CHANGE = 0.85
_FEWEST_HOME_TILES = 2  # D2: with one, the keep could never be destroyed


class CroftSetups(Setups):
    """Setups of Croft's Cyvasse."""

    def home(self, color: Color) -> tuple[str, ...]:
        return tuple(at for at in self.board.squares if self.board.row(at) in _ROWS[color])

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        mountains: list[str] = []
        keeps, reserves = {}, {}
        for setup in (white, black):
            mountains += setup.fields["mountains"]
            keep = setup.fields["keep"]
            keeps[str(setup.color)] = {
                "at": keep,
                "home": [] if keep is None else home_tiles(keep, setup.fields["mountains"]),
            }
            reserves[str(setup.color)] = reserve_of(setup)
        return State(
            self.men_of(white) | self.men_of(black),
            to_move=first,
            fields={"mountains": sorted(mountains), "keeps": keeps, "reserves": reserves},
        )

    def tools(self) -> Sequence[Tool]:
        return (
            Marks("mountains", "Mountain", "mountain", _MOUNTAINS),
            Marks(
                "keep",
                "Keep",
                "keep",
                1,
                single=True,
                about="Every tile around the keep without a mountain holds a piece; the others "
                "wait inside and come out later.",
            ),
        )

    def problems(self, setup: Setup) -> list[Problem]:
        return [
            *self._mountain_problems(setup),
            *self._keep_problems(setup),
            *self._piece_problems(setup),
            *miscounted_pieces(PIECES, setup.pieces, all_needed=False),
        ]

    def _mountain_problems(self, setup: Setup) -> list[Problem]:
        mountains = setup.fields["mountains"]
        return [
            *miscounted("mountain", mountains, _MOUNTAINS, thing="mountains"),
            *strays(self.rules, setup.color, mountains, "mountain", "mountains"),
        ]

    def _keep_problems(self, setup: Setup) -> list[Problem]:
        keep, mountains = setup.fields["keep"], setup.fields["mountains"]
        if keep is None:
            return [Problem("The keep is still in the tray.", (), "keep")]
        problems = strays(self.rules, setup.color, [keep], "keep", "keep")
        if not problems and self.board.row(keep) not in _KEEP_ROWS[setup.color]:
            rows = _KEEP_ROWS[setup.color]
            problems.append(
                Problem(
                    f"The keep on {keep} is beside the screen; it belongs on rows "
                    f"{rows[0]} to {rows[-1]}.",
                    (keep,),
                    "keep",
                )
            )
        if keep in mountains:
            problems.append(Problem(f"The keep on {keep} is on a mountain.", (keep,), "keep"))
        home = home_tiles(keep, mountains)
        if len(home) < _FEWEST_HOME_TILES:
            problems.append(
                Problem(
                    f"The keep on {keep} has {'1 home tile' if home else 'no home tile'}; "
                    f"it needs at least {_FEWEST_HOME_TILES} tiles around it without a mountain.",
                    (keep,),
                    "keep",
                )
            )
        problems.extend(
            Problem(f"The home tile {at} is empty; every home tile holds a piece.", (at,))
            for at in home
            if at not in setup.pieces
        )
        return problems

    def _piece_problems(self, setup: Setup) -> list[Problem]:
        keep, mountains = setup.fields["keep"], setup.fields["mountains"]
        home = None if keep is None else home_tiles(keep, mountains)
        outside = {problem.squares[0]: problem for problem in stray_pieces(self.rules, setup)}
        problems = []
        for at, name in setup.pieces.items():
            if at == keep:
                where = "on the keep"
            elif at in mountains:
                where = "on a mountain"
            elif at in outside:
                problems.append(outside[at])
                continue
            elif home is not None and at not in home:
                where = "not beside the keep; pieces are set up on home tiles only"
            else:
                continue
            problems.append(Problem(f"{self.stands(name, at)} {where}.", (at,), name))
        return problems

    def drawn(self, color: Color, chance: random.Random) -> Setup:
        half = self.home(color)
        mountains = sorted(chance.sample(half, _MOUNTAINS))
        keep = chance.choice(
            [
                at
                for at in half
                if self.board.row(at) in _KEEP_ROWS[color]
                and at not in mountains
                and len(home_tiles(at, mountains)) >= _FEWEST_HOME_TILES
            ]
        )
        home = home_tiles(keep, mountains)
        army = [kind.name for kind in PIECES for _ in range(kind.count)]
        pieces = dict(zip(home, chance.sample(army, len(home)), strict=True))
        return Setup(self.rules.id, color, pieces, fields={"mountains": mountains, "keep": keep})

    def changed(self, setup: Setup, chance: random.Random) -> Setup:
        draw = chance.random()
        pieces = dict(setup.pieces)
        mountains, keep = list(setup.fields["mountains"]), setup.fields["keep"]
        if draw < _EXCHANGES:
            one, other = chance.sample(sorted(pieces), 2)
            return setup.with_pieces(exchanged(pieces, one, other))
        if draw < _PIECES_CHANGE:
            waiting = list(reserve_of(setup))
            return setup.with_pieces(
                {**pieces, chance.choice(sorted(pieces)): chance.choice(waiting)}
            )
        half = self.home(setup.color)
        if draw < _MOUNTAINS_CHANGE:
            mountains[chance.randrange(_MOUNTAINS)] = chance.choice(half)
        else:
            old, keep = keep, chance.choice([*around(keep), *half])
            pieces = self._beside_another_keep(pieces, old, keep)
        return self._manned(
            Setup(
                self.rules.id, setup.color, pieces, fields={"mountains": mountains, "keep": keep}
            ),
            chance,
        )

    def _beside_another_keep(self, pieces: Mapping[str, str], old: str, new: str) -> dict[str, str]:
        """The pieces around a keep go with it, each on its own side of it."""
        squares = dict(zip(self.board.coordinates, self.board.squares, strict=True))
        place = dict(zip(self.board.squares, self.board.coordinates, strict=True))
        right, up = (place[new][axis] - place[old][axis] for axis in (0, 1))
        moved = {squares.get((place[at][0] + right, place[at][1] + up)): at for at in pieces}
        return {at: pieces[was] for at, was in moved.items() if at is not None}

    def _manned(self, setup: Setup, chance: random.Random) -> Setup:
        """The same ground with a piece on every home tile and on no other."""
        home = home_tiles(setup.fields["keep"], setup.fields["mountains"])
        pieces = {at: name for at, name in setup.pieces.items() if at in home}
        waiting = Counter(reserve_of(setup.with_pieces(pieces)))
        empty = [at for at in home if at not in pieces]
        names = chance.sample(sorted(waiting.elements()), len(empty))
        return setup.with_pieces({**pieces, **dict(zip(empty, names, strict=True))})

    def white(self) -> Mapping[str, Setup]:
        return self._named

    @cached_property
    def _named(self) -> dict[str, Setup]:
        return {name: self._drawing(rows) for name, rows in NAMED.items()}

    def _drawing(self, rows: tuple[str, ...]) -> Setup:
        """The setup that a drawing in ``named`` shows."""
        letters = {kind.letter: kind.name for kind in PIECES}
        signs = {
            at: sign
            for squares, row in zip(self.board.rows()[5:], rows, strict=True)
            for at, sign in zip(squares, row, strict=True)
        }
        return Setup(
            self.rules.id,
            WHITE,
            {at: letters[sign] for at, sign in signs.items() if sign in letters},
            fields={
                "mountains": [at for at, sign in signs.items() if sign == "^"],
                "keep": next(at for at, sign in signs.items() if sign == "#"),
            },
        )


def reserve_of(setup: Setup) -> dict[str, int]:
    """What a setup leaves in the keep: all pieces that it does not place."""
    placed = list(setup.pieces.values())
    left = {kind.name: kind.count - placed.count(kind.name) for kind in PIECES}
    return {name: count for name, count in left.items() if count > 0}
