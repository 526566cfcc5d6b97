"""The Rules of Cyvasse from gameofcyvasse.com: build your land, mind the forest and the dragons."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from cyvasse.actions import Action
from cyvasse.boards import GAMEOFCYVASSE
from cyvasse.rules.base import Position, RuleSet
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.gameofcyvasse.evaluation import GameOfCyvasseEvaluation
from cyvasse.rules.gameofcyvasse.ground import (
    MOUNTAINS_TOGETHER,
    TILES,
    ground_problems,
    ranges,
)
from cyvasse.rules.gameofcyvasse.named import NAMED
from cyvasse.rules.gameofcyvasse.pieces import DRAGON, PIECES
from cyvasse.rules.gameofcyvasse.position import GameOfCyvassePosition
from cyvasse.rules.problems import miscounted_pieces, stray_pieces
from cyvasse.rules.scenery import Feature
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Direction,
    Field,
    PerSquare,
    Problem,
    Setup,
    Squares,
    State,
    by_name,
    exchanged,
)
from cyvasse.rules.tools import Brush, Tool

_HALF = 32


class GameOfCyvasse(RuleSet):
    id = "gameofcyvasse"
    title = "The Rules of Cyvasse"
    author = "gameofcyvasse.com"
    summary = (
        "Lay all 32 squares of your homeland and lead ten different pieces, ranked from Rabble to "
        "Dragon; forests, fortresses and shots decide who takes whom."
    )
    board = GAMEOFCYVASSE
    piece_types = tuple(spec.type for spec in PIECES)
    terrain_letters: ClassVar[Mapping[str, str]] = {
        "mountain": "m",
        "water": "w",
        "forest": "f",
        "fortress": "c",
    }
    state_fields = (
        Field("ruined", Squares(), "the fortresses that are ruined"),
        Field(
            "waiting",
            Squares(),
            "the pieces in water that cannot act on their owner's next turn",
            of_piece=True,
        ),
        Field(
            "facing",
            PerSquare(Direction()),
            "the direction in which a Trebuchet last moved, and shoots",
            of_piece=True,
        ),
    )
    noted_events = ("ruined",)
    event_words: ClassVar[Mapping[str, str]] = {
        "ruined": "{owner} fortress on {square} is ruined.",
        "waits": "{owner} {piece} on {square} is in the water and cannot act next turn.",
    }

    def position(self, state: State) -> Position:
        return GameOfCyvassePosition(self, state)

    def ground(self, square: str) -> str:
        return "grass"

    def home(self, color: Color) -> tuple[str, ...]:
        return self.board.squares[:_HALF] if color is WHITE else self.board.squares[_HALF:]

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        pieces = self.men_of(white) | self.men_of(black)
        return State(pieces, by_name({**white.terrain, **black.terrain}), first)

    def features(self, state: State) -> Iterable[Feature]:
        fields = state.fields
        for at, ground in state.terrain.items():
            if ground == "fortress":
                owner = WHITE if at in self.home(WHITE) else BLACK
                yield Feature("ruin" if at in fields["ruined"] else "fortress", (at,), owner)
        for at, direction in fields["facing"].items():
            yield Feature("facing", (at,), state.pieces[at].color, direction)
        if fields["waiting"]:
            yield Feature("waiting", tuple(fields["waiting"]))

    def setup_tools(self) -> Sequence[Tool]:
        return tuple(Brush(ground, ground.capitalize(), count) for ground, count in TILES.items())

    def setup_problems(self, setup: Setup) -> list[Problem]:
        problems = ground_problems(setup.terrain, self.home(setup.color))
        problems += stray_pieces(self, setup)
        problems += [
            Problem(
                f"The {self.piece_type(name).title} on {square} is on a mountain; only the Dragon "
                f"may be.",
                (square,),
            )
            for square, name in setup.pieces.items()
            if setup.terrain.get(square) == "mountain" and name != DRAGON
        ]
        return problems + miscounted_pieces(self.piece_types, setup.pieces)

    def random_setup_for(self, color: Color, chance: random.Random) -> Setup:
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
        walkers = [kind.name for kind in self.piece_types if kind.name != DRAGON]
        free = [square for square in walkable if square != roost]
        pieces = dict(zip(chance.sample(free, len(walkers)), walkers, strict=True))
        return Setup(self.id, color, {**pieces, roost: DRAGON}, terrain)

    def changed_setup(self, setup: Setup, chance: random.Random) -> Setup:
        one, other = chance.sample(self.home(setup.color), 2)
        change = chance.choice(["piece", "ground", "both"])
        pieces, terrain = setup.pieces, setup.terrain
        if change == "piece":
            return self._exchanged(setup, chance)
        if change == "both":
            pieces = exchanged(pieces, one, other)
        return Setup(self.id, setup.color, pieces, exchanged(terrain, one, other))

    def white_setups(self) -> Mapping[str, Setup]:
        return self._named

    @cached_property
    def _named(self) -> dict[str, Setup]:
        grounds = {letter: ground for ground, letter in self.terrain_letters.items()}
        types = {kind.letter: kind.name for kind in self.piece_types}
        setups = {}
        for name, rows in NAMED.items():
            pieces, terrain = {}, {}
            for squares, row in zip(self.board.rows()[4:], rows, strict=True):
                for square, cell in zip(squares, row.split(), strict=True):
                    if cell[0] in grounds:
                        terrain[square] = grounds[cell[0]]
                    if cell[1] in types:
                        pieces[square] = types[cell[1]]
            setups[name] = Setup(self.id, WHITE, pieces, terrain)
        return setups

    def evaluation(self, weights: Mapping[str, int] | None = None) -> Evaluation:
        return GameOfCyvasseEvaluation(weights)

    def record(self, action: Action) -> dict[str, Any]:
        if action.kind == "pass":
            return {"kind": "pass"}
        if action.kind == "shoot":
            return {"kind": "shoot", "from": action.origin, "target": action.target}
        ends = {"from": action.origin, "to": action.target}
        if action.kind == "siege":
            return {"kind": "siege", **ends, "target": action.victim}
        return {"kind": "melee" if action.kind == "capture" else "move", **ends}


GAMEOFCYVASSE_RULES = GameOfCyvasse()
