"""A tiny rule set in plain Python, for the tests of what people write themselves.

Five by five squares.  A King steps; a Rabble steps too, and after a step forward it may hop once
more; nobody enters the marsh that each player lays.  Who takes the King or brings his own to the
farthest row has won; who cannot act passes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import ClassVar

from cyvasse.boards import square_board
from cyvasse.rules import (
    BLACK,
    KING_GAIN,
    WHITE,
    Action,
    Color,
    Effect,
    End,
    Field,
    Outcome,
    Piece,
    PieceType,
    PlainEvaluation,
    PlainPosition,
    Position,
    Problem,
    Reason,
    RuleSet,
    Scene,
    Setup,
    Setups,
    Square,
    State,
    StateError,
    WeightedFeature,
)
from cyvasse.rules.tools import Brush

BOARD = square_board("hop", 5, 5)
KING, RABBLE = "king", "rabble"


class HopPosition(PlainPosition):
    def __init__(self, rules: RuleSet, state: State) -> None:
        super().__init__(rules, state)
        if all(Piece(color, KING) not in self.men.values() for color in Color):
            raise StateError("both Kings are missing")
        hopper = self.fields["hopper"]
        if hopper is not None and self.men.get(hopper) != Piece(self.turn, RABBLE):
            raise StateError(f"hopper is {hopper}, but no Rabble of {self.turn} stands there")

    def actions(self) -> Iterator[str | Action]:
        hopper = self.fields["hopper"]
        if hopper is not None:
            yield "end"
        none = True
        for at, man in self.men.items():
            if man.color is not self.turn or hopper not in (None, at):
                continue
            for direction in self.board.directions:
                number = self.board.neighbour(self.board.index(at), direction)
                if number is None:
                    continue
                to = self.board.squares[number]
                there = self.men.get(to)
                if to in self.terrain or (there and there.color is self.turn):
                    continue
                none = False
                # Both ways of naming an action.
                text = f"{at}{'x' if there else '-'}{to}"
                yield text if there else Action.parse(text, self.board)
        if none and hopper is None:
            yield "pass"

    def act(self, action: Action) -> None:
        hopped, self.fields["hopper"] = self.fields["hopper"], None
        if action.kind == "end":
            return
        assert action.origin is not None
        assert action.target is not None
        man = self.men[action.target] = self.men.pop(action.origin)
        ahead = self.board.row(action.target) - self.board.row(action.origin)
        if man.type == RABBLE and hopped is None and ahead == (1 if man.color is WHITE else -1):
            self.fields["hopper"] = action.target
        elif hopped is not None:
            self.add_effect(Effect("hopped", man.color, action.target, man.type))

    def goes_on(self) -> bool:
        return self.fields["hopper"] is not None

    def ended(self) -> Outcome | None:
        kings = {man.color: at for at, man in self.men.items() if man.type == KING}
        for color in Color:
            if color not in kings:
                return Outcome(color.other, End.KING_CAPTURED)
            if self.board.row(kings[color]) == (5 if color is WHITE else 1):
                return Outcome(color, End.GOAL_REACHED)
        return None


class HopEvaluation(PlainEvaluation):
    features = (
        WeightedFeature("rabble", 100, "Rabble on the board"),
        WeightedFeature("march", 10, "rows that the King has left behind"),
    )

    def amounts(self, position: HopPosition) -> Mapping[str, int]:
        counts = {"rabble": 0, "march": 0}
        for at, man in position.men.items():
            sign = 1 if man.color is WHITE else -1
            if man.type == RABBLE:
                counts["rabble"] += sign
            else:
                row = position.board.row(at)
                counts["march"] += sign * (row if man.color is WHITE else 6 - row)
        return counts

    def prize(self, position: HopPosition, action: Action) -> int:
        if action.victim is None:
            return 0
        taken = position.men[action.victim].type
        return KING_GAIN if taken == KING else self.weight_of("rabble")


class HopSetups(Setups):
    def home(self, color: Color) -> tuple[str, ...]:
        rows = (1, 2) if color is WHITE else (4, 5)
        return tuple(at for at in self.board.squares if self.board.row(at) in rows)

    def problems(self, setup: Setup) -> list[Problem]:
        problems = []
        home = self.home(setup.color)
        if sorted(setup.pieces.values()) != [KING, RABBLE, RABBLE, RABBLE]:
            problems.append(Problem("Set up a King and three Rabble."))
        if len(setup.terrain) != 1:
            problems.append(Problem("Lay one marsh."))
        for at in (*setup.pieces, *setup.terrain):
            if at not in home:
                problems.append(Problem(f"{at} is not behind your screen.", (at,)))
        for at in setup.terrain:
            if at in setup.pieces:
                problems.append(Problem(f"Nobody stands in the marsh on {at}.", (at,)))
        for at, name in setup.pieces.items():
            if name == KING and self.board.row(at) not in (1, 5):
                problems.append(Problem("The King begins in the last row.", (at,)))
        return problems

    def drawn(self, color: Color, chance: random.Random) -> Setup:
        home = list(self.home(color))
        last = [at for at in home if self.board.row(at) in (1, 5)]
        king = chance.choice(last)
        home.remove(king)
        marsh, *rabble = chance.sample(home, 4)
        return Setup(
            self.rules.id, color, {king: KING, **dict.fromkeys(rabble, RABBLE)}, {marsh: "marsh"}
        )

    def changed(self, setup: Setup, chance: random.Random) -> Setup:
        if chance.random() < 0.5:
            return self.exchanged(setup, chance)
        marsh = chance.choice([at for at in self.home(setup.color) if at not in setup.pieces])
        return Setup(self.rules.id, setup.color, setup.pieces, {marsh: "marsh"})

    def white(self) -> Mapping[str, Setup]:
        pieces = {"c1": KING, "b2": RABBLE, "c2": RABBLE, "d2": RABBLE}
        return {"wall": Setup(self.rules.id, WHITE, pieces, {"a1": "marsh"})}

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        men = {**self.men_of(white), **self.men_of(black)}
        return State(men, {**white.terrain, **black.terrain}, first)

    def tools(self) -> tuple[Brush, ...]:
        return (Brush("marsh", "Marsh", 1),)


class HopScene(Scene):
    sentences: ClassVar = {"hopped": "{color's} {piece} hopped on to {square}."}

    def ground(self, square: str) -> str:
        return "meadow"


def reasons(position: Position, origin: str, target: str) -> list[Reason]:
    state, board = position.state(), position.board
    man, there = state.pieces.get(origin), state.pieces.get(target)
    hopper = state.fields["hopper"]
    if man is None:
        return [Reason(False, "Nobody waits beside the board.", "hop 1")]
    if hopper not in (None, origin):
        return [Reason(False, f"Only the Rabble on {hopper} hops on.", "hop 4")]
    if board.distance(origin, target) != 1:
        return [Reason(False, "All step to the next square.", "hop 2")]
    if target in state.terrain:
        return [Reason(False, f"{target} is a marsh.", "hop 3")]
    if there is not None and there.color is man.color:
        return [Reason(False, f"An own piece stands on {target}.", "hop 2")]
    return [Reason(True, "All step to the next square.", "hop 2")]


HOP = RuleSet(
    id="hop",
    title="Hop",
    author="The tests",
    summary="Kings that walk across five rows.",
    board=BOARD,
    piece_types=(
        PieceType(KING, "King", "K", 1, "Steps to any square around it."),
        PieceType(RABBLE, "Rabble", "R", 3, "Steps, and hops on after a step forward."),
    ),
    terrain_letters={"marsh": "m"},
    looks={"meadow": "grass", "marsh": "water"},
    state_fields=(Field("hopper", Square(), "the Rabble that may hop on"),),
    first_player=None,
    position_type=HopPosition,
    setups_type=HopSetups,
    scene_type=HopScene,
    evaluation_type=HopEvaluation,
    reasons=reasons,
)
START = HOP.start(HOP.named_setups(WHITE)["wall"], HOP.named_setups(BLACK)["wall"], WHITE)
