"""Mikelepage's Cyvasse v5.0: tiers, flanking, home terrain, and fortresses that make new kings."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from cyvasse.actions import Action
from cyvasse.boards import MIKELEPAGE
from cyvasse.rules.base import Position, RuleSet
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.layers import Layer
from cyvasse.rules.mikelepage.evaluation import MikelepageEvaluation
from cyvasse.rules.mikelepage.layers import flanking, tiers
from cyvasse.rules.mikelepage.named import NAMED
from cyvasse.rules.mikelepage.pieces import MOUNTAINS, PIECES, SPECS
from cyvasse.rules.mikelepage.position import MikelepagePosition, first_position
from cyvasse.rules.mikelepage.records import game_differences
from cyvasse.rules.problems import miscounted, miscounted_pieces, stray_pieces, strays
from cyvasse.rules.scenery import Feature, Store
from cyvasse.rules.terms import (
    WHITE,
    Color,
    Counts,
    Field,
    Flag,
    PerColor,
    Problem,
    Record,
    Setup,
    Square,
    Squares,
    State,
    Word,
    by_name,
    exchanged,
    in_words,
)
from cyvasse.rules.tools import Marks, Reserve, Tool

_MIDDLE_ROW = 6
_ARMY = tuple(spec.type for spec in PIECES if spec.type.name != "dragon")
_BROUGHT = {name: spec.home for name, spec in SPECS.items() if spec.home and spec.tier == 2}
# How often a small change of a setup is one of these; otherwise a mountain is moved.
_PIECES_CHANGE = 0.7
_DRAGON_CHANGES = 0.05


class Mikelepage(RuleSet):
    id = "mikelepage"
    title = "Mikelepage's Cyvasse"
    author = "Mikelepage"
    summary = (
        "Hidden mountains and terrain, pieces of four tiers: flank to bring down what is above "
        "you, and keep a strong piece near your fortress in case the king falls."
    )
    board = MIKELEPAGE
    piece_types = tuple(spec.type for spec in PIECES)
    terrain_letters: ClassVar = {"hill": "h", "forest": "f", "grassland": "g"}
    state_fields = (
        Field("mountains", Squares(), "squares that only dragons pass"),
        Field(
            "fortress",
            PerColor(Record({"at": Square(), "ruined": Flag(), "corner": Square()})),
            "where each fortress was built, and the corner that replaces a ruined one as centre",
        ),
        Field("reserve", PerColor(Flag()), "whether the dragon is still off the board"),
        Field("king_taken", PerColor(Flag()), "whether the king is captured and not yet replaced"),
        Field(
            "lost",
            PerColor(Counts(tuple(name for name in SPECS if name != "king"))),
            "captured pieces that no promotion has used up",
        ),
        Field(
            "pending",
            Word(("corner", "promotion")),
            "what the player to act has to choose before the action of the turn",
        ),
        Field("in_turn", Flag(), "whether the player to act has already chosen something"),
        Field(
            "over",
            Word(("won", "lost")),
            "who has won the game, as the player to move sees it",
        ),
    )
    setup_fields = (
        Field("dragon_in_reserve", Flag(), "whether the dragon is kept back"),
        Field("mountains", Squares(), "where the mountains stand"),
    )
    fact_names = ("defense", "flanking")
    noted_events = ("promoted_at_end", "fortress_ruined", "promoted_at_beginning")
    event_words: ClassVar = {
        "captured": "{owner} {piece} on {square} is taken.",
        "by_flanking": "{owner} pieces flank {square}.",
        "promoted_at_end": "{owner} piece in the fortress, {square}, becomes {piece}.",
        "promoted_at_beginning": "{owner} piece in the fortress, {square}, becomes {piece}.",
        "fortress_ruined": "{owner} fortress on {square} is ruined.",
    }
    first_player = WHITE

    def position(self, state: State) -> Position:
        return MikelepagePosition(self, state)

    def home(self, color: Color) -> tuple[str, ...]:
        return tuple(
            square
            for square in self.board.squares
            if self.board.row(square) != _MIDDLE_ROW
            and (self.board.row(square) < _MIDDLE_ROW) is (color is WHITE)
        )

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        pieces = self.men_of(white) | self.men_of(black)
        terrain = self.terrain_of(white) | self.terrain_of(black)
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
        return first_position(self, white, black, first)

    def terrain_of(self, setup: Setup) -> dict[str, str]:
        """The terrain that comes with the tier-2 pieces."""
        return {at: _BROUGHT[name] for at, name in setup.pieces.items() if name in _BROUGHT}

    def layers(self, position: Position) -> Iterable[Layer]:
        return tiers(position), flanking(position)

    def features(self, state: State) -> Iterable[Feature]:
        yield Feature("mountain", tuple(state.fields["mountains"]))
        for color in Color:
            fortress = state.fields["fortress"][str(color)]
            if fortress["ruined"]:
                yield Feature("ruin", (fortress["at"],), color)
            elif fortress["at"] is not None:
                yield Feature("fortress", (fortress["at"],), color)
            if fortress["corner"] is not None:
                yield Feature("centre", (fortress["corner"],), color)

    def stores(self, state: State) -> Iterable[Store]:
        for color in Color:
            waiting = {"dragon": 1} if state.fields["reserve"][str(color)] else {}
            yield Store("reserve", color, waiting)
            yield Store("lost", color, state.fields["lost"][str(color)])

    def setup_tools(self) -> Sequence[Tool]:
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

    def setup_problems(self, setup: Setup) -> list[Problem]:
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
        problems += stray_pieces(self, setup)
        problems += strays(self, setup.color, mountains, "mountain")
        problems += [
            Problem(
                f"The {self.piece_type(setup.pieces[square]).title} on {square} is on a mountain.",
                (square,),
            )
            for square in mountains
            if square in setup.pieces
        ]
        problems += miscounted_pieces(_ARMY, setup.pieces)
        problems += self._dragon_problems(setup)
        return problems + miscounted("mountain", mountains, MOUNTAINS, "mountains")

    def _dragon_problems(self, setup: Setup) -> list[Problem]:
        squares = [square for square, name in setup.pieces.items() if name == "dragon"]
        if not setup.fields["dragon_in_reserve"]:
            if not squares:
                return [Problem("The Dragon is neither on the board nor kept in reserve.")]
            return miscounted("Dragon", squares, 1)
        if not squares:
            return []
        where = f"The Dragon is kept in reserve and stands on {in_words(squares)}"
        return [Problem(f"{where}; it can be only in one place.", tuple(squares))]

    def random_setup_for(self, color: Color, chance: random.Random) -> Setup:
        in_reserve = chance.random() < 0.5
        names = [kind.name for kind in self.piece_types for _ in range(kind.count)]
        if in_reserve:
            names.remove("dragon")
        squares = chance.sample(self.home(color), len(names) + MOUNTAINS)
        return Setup(
            self.id,
            color,
            dict(zip(squares[MOUNTAINS:], names, strict=True)),
            fields={"dragon_in_reserve": in_reserve, "mountains": squares[:MOUNTAINS]},
        )

    def changed_setup(self, setup: Setup, chance: random.Random) -> Setup:
        draw = chance.random()
        if draw < _PIECES_CHANGE:
            return self._exchanged(setup, chance)
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
            self.id,
            setup.color,
            pieces,
            fields={"dragon_in_reserve": in_reserve, "mountains": mountains},
        )

    def white_setups(self) -> Mapping[str, Setup]:
        return self._named

    @cached_property
    def _named(self) -> dict[str, Setup]:
        letters = {kind.letter: kind.name for kind in self.piece_types}
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
            setups[name] = Setup(self.id, WHITE, pieces, fields=fields)
        return setups

    def evaluation(self, weights: Mapping[str, int] | None = None) -> Evaluation:
        return MikelepageEvaluation(weights)

    def game_differences(self, record: Mapping[str, Any]) -> Iterator[str]:
        return game_differences(self, record)

    def record(self, action: Action) -> dict[str, Any]:
        record: dict[str, Any] = {"kind": action.kind}
        if action.kind in ("move", "capture"):
            return {**record, "from": action.origin, "to": action.target}
        if action.kind == "bring_out":
            return {**record, "to": action.target}
        if action.kind == "corner":
            return {**record, "at": action.target}
        if action.kind == "promote":
            (name,) = (kind.name for kind in self.piece_types if kind.letter == action.piece)
            return {**record, "at": action.target, "type": name}
        return record


MIKELEPAGE_RULES = Mikelepage()
