"""Rule sets in plain Python: everything works with them, and what goes wrong is said in words."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cyvasse
from cyvasse import (
    BLACK,
    WHITE,
    Action,
    Color,
    ContractError,
    Engine,
    Game,
    Position,
    RuleSetError,
    StateError,
    boards,
    perft,
)
from cyvasse.draw import board_svg, setup_svg
from cyvasse.engine.prove import forced_win
from cyvasse.rules import (
    Effect,
    End,
    Outcome,
    Piece,
    PlainEvaluation,
    PlainPosition,
    RuleSet,
    State,
    register,
)
from cyvasse.rules.contract import check_contract
from tests.rules.hop import BOARD, HOP, START, HopEvaluation, HopPosition


@pytest.fixture(autouse=True, scope="module")
def _known() -> Iterator[None]:
    """Texts and copies in other processes need the rule set to be known."""
    register(HOP)
    yield
    del cyvasse.rules._RULE_SETS[HOP.id]
    del boards._BOARDS[BOARD.name]


def portrait(position: Position) -> tuple[Any, ...]:
    return (
        position.state(),
        position.hash,
        position.turn,
        position.in_turn,
        position.quiet_turns,
        position.outcome(),
        position.effects(),
        position.action_texts(),
    )


def walk(seed: int, length: int = 60) -> Iterator[Position]:
    chance = random.Random(seed)
    position = HOP.random_position(chance)
    yield position
    for _ in range(length):
        legal = position.legal_actions()
        if not legal:
            return
        position.play(chance.choice(legal))
        yield position


# --- the same as everybody else -------------------------------------------------------------------


def test_undo_brings_everything_back() -> None:
    for seed in range(20):
        kept = []
        for position in walk(seed):
            kept.append(portrait(position))
        for before in reversed(kept[:-1]):
            position.undo()
            assert portrait(position) == before


def test_the_hash_follows_from_the_position() -> None:
    hashes: dict[int, State] = {}
    for seed in range(20):
        for position in walk(seed):
            fresh = HOP.position(position.state())
            assert fresh == position
            assert fresh.hash == position.hash
            assert fresh.in_turn == position.in_turn
            assert fresh.outcome() == position.outcome()
            assert fresh.action_texts() == position.action_texts()
            state = replace(position.state(), quiet_turns=0)
            assert hashes.setdefault(position.hash, state) == state


def test_the_board_turned() -> None:
    for position in itertools.islice(walk(3), 20):
        turned = position.turned()
        assert turned.turned() == position
        assert {str(action.turned()) for action in turned.legal_actions()} == set(
            position.action_texts()
        )


@pytest.mark.parametrize("same", [copy.copy, copy.deepcopy, HopPosition.copy])
def test_copies_stand_alone(same: Callable[[Position], Position]) -> None:
    position = HOP.random_position(seed=1, actions=5)
    other = same(position)
    assert portrait(other) == portrait(position)
    before = portrait(position)
    other.undo()
    other.play(other.legal_actions()[-1])
    assert portrait(position) == before
    assert pickle.loads(pickle.dumps(position)) == position


def test_what_a_subclass_keeps_is_copied() -> None:
    class Marked(HopPosition):
        mark = ""

    rules = replace(HOP, position_type=Marked)
    position = rules.position(START.state())
    assert isinstance(position, Marked)
    position.mark = "mine"
    assert position.copy().mark == "mine"


def test_quiet_turns_passes_and_progress() -> None:
    state = State(
        {"a1": Piece(WHITE, "king"), "e5": Piece(BLACK, "king"), "e4": Piece(WHITE, "rabble")},
        {"a2": "marsh", "b1": "marsh", "b2": "marsh"},
        quiet_turns=7,
    )
    position = HOP.position(replace(state, pieces={**state.pieces, "e4": Piece(BLACK, "rabble")}))
    assert position.action_texts() == ["pass"]
    position.play("pass")
    assert position.quiet_turns == 8
    position.undo()
    assert position.quiet_turns == 7
    position = HOP.position(state)
    position.play("e4xe5")
    assert position.quiet_turns == -1
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    assert HOP.position(position.state()) == position
    stuck = {"a2": "marsh", "b1": "marsh", "b2": "marsh"}
    stuck |= {BOARD.turned(at): ground for at, ground in stuck.items()}
    both = HOP.position(State({"a1": Piece(WHITE, "king"), "e5": Piece(BLACK, "king")}, stuck))
    both.play("pass")
    assert both.outcome() is None
    both.play("pass")
    assert both.outcome() == Outcome(None, End.FORCED_PASSES)
    assert HOP.position(both.state()) == both


def test_a_turn_of_several_actions() -> None:
    position = START.copy()
    position.play("b2-b3")
    assert (position.turn, position.in_turn) == (WHITE, True)
    assert "end" in position.action_texts()
    assert all(action.origin in ("b3", None) for action in position.legal_actions())
    position.play("b3xb4")
    assert (position.turn, position.in_turn) == (BLACK, False)
    assert position.effects() == [Effect("hopped", WHITE, "b4", "rabble")]
    told = [HOP.scene.words(sentence) for sentence in position.told()]
    assert told[-1] == "White's Rabble hopped on to b4."
    assert position.quiet_turns == 0
    with pytest.raises(StateError, match="no turn is open"):
        HOP.position(replace(START.state(), quiet_turns=-1))


def counted(position: Position, depth: int) -> int:
    """Perft through the surface alone."""
    if depth == 0:
        return 1
    total = 0
    for action in position.legal_actions():
        position.play(action)
        total += counted(position, depth - 1)
        position.undo()
    return total


def test_perft() -> None:
    assert [perft(START, depth) for depth in range(5)] == [1, 18, 227, 3112, 43042]
    position = HOP.random_position(seed=4, actions=9)
    assert perft(position, 3) == counted(position.copy(), 3)


def test_the_engine_sees_what_wins() -> None:
    position = cyvasse.parse_position("hop 4k/5/1K3/5/5 - w - 0")
    analysis = list(cyvasse.analyse(position, depth=8))[-1]
    assert analysis.lines[0].wins_in is not None
    assert BOARD.row(str(analysis.best.target)) == 4
    proof = forced_win(position, turns=2)
    assert proof.won
    assert analysis.best in proof.best


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_levels_play_whole_games(level: int) -> None:
    game = Game(HOP)
    for color in Color:
        game.submit(color, cyvasse.choose_setup(HOP, color, seed=level))
    game.lift_screen(first="white")
    engines = {WHITE: Engine(level, seed=1), BLACK: Engine(1, seed=2)}
    while game.outcome() is None and game.ply < 30:
        game.play(engines[game.turn].choose(game))
    (read,) = cyvasse.read_games(str(game))
    assert read.position == game.position
    assert read.outcome() == game.outcome()


def test_several_threads_think() -> None:
    engine = Engine(threads=3)
    assert START.is_legal(engine.choose(START, nodes=400))


def test_a_search_can_be_stopped() -> None:
    engine = Engine()
    thoughts = engine.analyse(START)
    next(thoughts)
    engine.stop()
    assert len(list(thoughts)) <= 1


def test_it_is_drawn_and_explained() -> None:
    picture = board_svg(START)
    assert "cyvasse-king" in picture
    assert "Marsh: a1 and e5" in picture
    assert "cyvasse-water" in picture  # as ``looks`` says
    assert "cyvasse-rabble" in setup_svg(HOP.named_setups(WHITE)["wall"])
    assert str(START).splitlines()[-2].split()[1:] == ["~", ".", "K", ".", "."]
    assert cyvasse.why(START, "c1", "c2") == "An own piece stands on c2. (hop 2)"
    with pytest.raises(cyvasse.IllegalActionError, match="All step to the next square"):
        START.copy().play("c1-c3")


# --- what goes wrong ------------------------------------------------------------------------------


class Planted(Exception):
    """An error of somebody else's code."""


def broken(kind: type, method: str, after: int, error: BaseException) -> type:
    """A class whose method fails once it has been called so many times."""
    calls = itertools.count()

    def failing(self: Any, *given: Any) -> Any:
        if next(calls) >= after:
            raise error
        return getattr(kind, method)(self, *given)

    return type(kind.__name__, (kind,), {method: failing})


def rules_with(method: str, after: int, error: BaseException) -> RuleSet:
    if method in ("amounts", "prize"):
        return replace(HOP, evaluation_type=broken(HopEvaluation, method, after, error))
    return replace(HOP, position_type=broken(HopPosition, method, after, error))


POSITION = ("actions", "act", "ended", "goes_on")
EVALUATION = ("amounts", "prize")
USES: Mapping[str, Callable[[Position], object]] = {
    "perft": lambda position: perft(position, 4),
    "search": lambda position: list(cyvasse.analyse(position, depth=6)),
    "level": lambda position: Engine(7).choose(position),
    "threads": lambda position: list(cyvasse.analyse(position, depth=6, threads=3)),
    "proof": lambda position: forced_win(position, 3),
    "count": lambda position: counted(position, 3),
}
OWNERS = dict.fromkeys(POSITION, "HopPosition") | dict.fromkeys(EVALUATION, "HopEvaluation")
AFTER = (5, 60, 300)


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize(
    ("use", "method"),
    [
        *itertools.product(USES, POSITION),
        *itertools.product(("search", "level", "threads"), EVALUATION),
    ],
)
def test_an_error_inside_is_raised_outside(use: str, method: str, after: int) -> None:
    error = Planted("some detail")
    position = rules_with(method, after, error).position(START.state())
    before = START.state()
    with pytest.raises(RuleSetError) as caught:
        USES[use](position)
    assert str(caught.value) == f"hop: {OWNERS[method]}.{method} has failed: Planted: some detail"
    assert caught.value.__cause__ is error
    if use != "count":  # which plays on the position itself
        assert position.state() == before


@pytest.mark.parametrize("method", [*POSITION, *EVALUATION])
@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit])
def test_interruptions_stay_what_they_are(method: str, interruption: type[BaseException]) -> None:
    position = rules_with(method, 40, interruption()).position(START.state())
    with pytest.raises(interruption):
        USES["search"](position)


def test_a_helping_thread_fails_for_all() -> None:
    """The first thread has no fault of its own, and would think for ever."""

    class Elsewhere(HopEvaluation):
        made = itertools.count()

        def __init__(self, weights: Mapping[str, int] | None = None) -> None:
            super().__init__(weights)
            self.number = next(self.made)

        def amounts(self, position: HopPosition) -> Mapping[str, int]:
            if self.number == 1:
                raise Planted
            return super().amounts(position)

    position = replace(HOP, evaluation_type=Elsewhere).position(START.state())
    with pytest.raises(RuleSetError, match=r"amounts has failed: Planted$"):
        list(cyvasse.analyse(position, threads=2))


def test_what_fails_changes_nothing() -> None:
    """A position that people play on stays as it was, and can be played on."""
    for method in POSITION:
        for after in range(4, 40):
            position = rules_with(method, after, Planted("now")).position(START.state())
            before = portrait_of(position)
            with pytest.raises(RuleSetError):
                try_all(position)
            assert portrait_of(position) == before


def try_all(position: Position) -> None:
    """Play what there is to play and take it back, again and again."""
    while True:
        for action in position.legal_actions():
            position.play(action)
            position.undo()


def portrait_of(position: Position) -> tuple[Any, ...]:
    """What can be told without asking the rule set anything."""
    state = position.state()
    return state, position.hash, position.turn, position.in_turn, position.effects()


def test_a_game_that_fails_stays_whole() -> None:
    chance = random.Random(1)
    game = Game.from_position(START)
    for _ in range(12):
        if game.outcome() is None:
            game.play(chance.choice(game.legal_actions()))
    actions = game.actions
    for after in range(1, 40):
        position = rules_with("act", after, Planted("now")).position(START.state())
        again = Game.from_position(position)
        board = again.rules.board
        given = [Action(action.code, board) for action in actions]
        if after >= len(given):
            again.play_on(given)
            assert again.ply == len(given)
            continue
        with pytest.raises(RuleSetError, match=r"^hop: HopPosition.act has failed: Planted: now$"):
            again.play_on(given)
        assert again.ply == after
        assert list(again.actions) == given[:after]


# --- answers of no use ----------------------------------------------------------------------------


def refused(use: str, **methods: Any) -> str:
    """What is said when these methods answer so."""
    ours = {name: value for name, value in methods.items() if name in POSITION}
    theirs = {name: value for name, value in methods.items() if name in EVALUATION}
    rules = replace(
        HOP,
        position_type=type("Odd", (HopPosition,), ours),
        evaluation_type=type("Odd", (HopEvaluation,), theirs),
    )
    with pytest.raises(RuleSetError) as caught:
        USES[use](rules.position(START.state()))
    return str(caught.value)


MANY = [f"{one}-{two}" for one, two in itertools.permutations(BOARD.squares, 2)] * 2
ODD_ACTIONS = [
    (lambda self: None, "actions has failed: TypeError"),
    (lambda self: ["c1-c1x"], "actions lists 'c1-c1x': "),
    (lambda self: ["c1-c9"], "actions lists 'c1-c9': no square 'c9'"),
    (lambda self: [7], "actions lists 7, not an action or its text"),
    (lambda self: [None], "actions lists None, not an action or its text"),
    (lambda self: ["c1-c2", "c1-c2"], "actions lists c1-c2 more than once"),
    (lambda self: MANY, "actions lists more than 1024 actions"),
    (lambda self: itertools.repeat("c1-c2"), "actions lists more than 1024 actions"),
    (
        lambda self: [Action.parse("a1-a2", cyvasse.rule_set("croft").board)],
        "actions lists <Action a1-a2> of the croft board",
    ),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("answer", "words"), ODD_ACTIONS, ids=[words for _, words in ODD_ACTIONS])
def test_actions_that_are_none(use: str, answer: object, words: str) -> None:
    assert refused(use, actions=answer).startswith(f"hop: Odd.{words}")


def left(self: HopPosition, **parts: Any) -> None:
    for name, value in parts.items():
        setattr(self, name, value)


ODD_ACTS = [
    (lambda self, action: left(self, men={"z9": Piece(WHITE, "king")}), "no square 'z9'"),
    (lambda self, action: left(self, men={1: Piece(WHITE, "king")}), "no square 1"),
    (lambda self, action: self.men.update(a3=Piece(WHITE, "dragon")), "has no piece 'dragon'"),
    (lambda self, action: self.men.update(a3=(WHITE, "king")), "is not a piece with a colour"),
    (lambda self, action: self.men.update(a3=None), "None on a3 is not a piece"),
    (lambda self, action: self.men.update(a3=[]), "[] on a3 is not a piece"),
    (
        lambda self, action: self.men.update(a3=Piece(WHITE, "king")),
        "White has more than 1 King on the board",
    ),
    (lambda self, action: self.terrain.update(a3="lava"), "a3 is 'lava'"),
    (lambda self, action: self.fields.update(hopper=3), "hopper is 3"),
    (lambda self, action: self.fields.update(other=3), "has no field 'other'"),
    (lambda self, action: self.add_effect("hopped"), "act adds 'hopped', which is not an Effect"),
    (lambda self, action: self.add_effect(Effect("fell", WHITE)), "act adds 'fell', for which"),
    (lambda self, action: self.men.pop("a3"), "Odd.act has failed: KeyError: 'a3'"),
    (lambda self, action: left(self, men=None), "Odd."),
    (lambda self, action: left(self, men=[]), "Odd.act"),
]


@pytest.mark.parametrize("use", ["perft", "search", "count"])
@pytest.mark.parametrize(("act", "words"), ODD_ACTS, ids=[words for _, words in ODD_ACTS])
def test_positions_that_cannot_be(use: str, act: object, words: str) -> None:
    told = refused(use, act=act, goes_on=lambda self: False)
    assert told.startswith("hop: Odd.")
    assert words in told


def later(value: object) -> Callable[..., object]:
    """An answer for every position but the first."""
    return lambda self, *_: value if self.men != dict(START.state().pieces) else None


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("white", "gives 'white', not an Outcome or None"),
        (Outcome(WHITE, "won"), "not an Outcome or None"),  # type: ignore[arg-type]
        (Outcome("white", End.NO_ACTION), "names 'white', not a Color or None"),  # type: ignore[arg-type]
    ],
)
def test_ends_that_are_none(use: str, answer: object, words: str) -> None:
    told = refused(use, ended=later(answer))
    assert told.startswith("hop: Odd.ended ")
    assert told.endswith(words)


@pytest.mark.parametrize(
    ("method", "answer", "words"),
    [
        ("amounts", None, "amounts gives None, not a mapping"),
        ("amounts", {"rabble": 1.5}, "amounts counts 1.5 rabble, not a whole number from -500"),
        ("amounts", {"rabble": True}, "amounts counts True rabble"),
        ("amounts", {"rabble": 10**30}, "amounts counts 1000000000000000000000000000000 rabble"),
        ("amounts", {"rabble": -501}, "amounts counts -501 rabble"),
        ("amounts", {"gold": 1}, "amounts counts 'gold', which is no feature"),
        ("prize", None, "prize gives None for"),
        ("prize", 0.5, "prize gives 0.5 for"),
        ("prize", 10**30, "prize gives 1000000000000000000000000000000 for"),
        ("prize", 20001, "prize gives 20001 for"),
    ],
)
@pytest.mark.parametrize("use", ["search", "level", "threads"])
def test_numbers_that_are_none(use: str, method: str, answer: object, words: str) -> None:
    assert refused(use, **{method: lambda *_: answer}).startswith(f"hop: Odd.{words}")


def test_the_surface_of_the_evaluation_tells_too() -> None:
    action = START.legal_actions()[0]
    position = rules_with("prize", 0, Planted("now")).position(START.state())
    with pytest.raises(RuleSetError, match="prize has failed: Planted: now"):
        position.rules.evaluation().gain_of(position, action.code)
    position = rules_with("amounts", 0, Planted("now")).position(START.state())
    with pytest.raises(RuleSetError, match="amounts has failed: Planted: now"):
        position.rules.evaluation().worth(position)
    with pytest.raises(RuleSetError, match="amounts has failed: Planted: now"):
        position.rules.evaluation().count(position)
    assert position.legal_actions() == START.legal_actions()


# --- the contract ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["actions", "act", "ended"])
def test_a_method_of_the_position_that_is_missing(method: str) -> None:
    kept = {name: value for name, value in vars(HopPosition).items() if name in POSITION}
    del kept[method]
    kind = type("Half", (PlainPosition,), kept)
    with pytest.raises(ContractError, match=f"Half lacks {method}, which every PlainPosition"):
        check_contract(replace(HOP, position_type=kind))


@pytest.mark.parametrize("method", ["features", "amounts", "prize"])
def test_a_method_of_the_evaluation_that_is_missing(method: str) -> None:
    wanted = ("features", *EVALUATION)
    kept = {name: value for name, value in vars(HopEvaluation).items() if name in wanted}
    del kept[method]
    kind = type("Half", (PlainEvaluation,), kept)
    with pytest.raises(ContractError, match=f"Half lacks {method}, which every PlainEvaluation"):
        check_contract(replace(HOP, evaluation_type=kind))


def test_what_nobody_would_call_is_named() -> None:
    kind = type("Mixed", (HopPosition,), {"unmake": lambda self: None, "goes_onn": None})
    with pytest.raises(ContractError) as caught:
        check_contract(replace(HOP, position_type=kind))
    assert "Mixed.goes_onn is unknown to PlainPosition; goes_on may be meant" in str(caught.value)
    assert (
        "Mixed.unmake is never called: plain Python writes actions, act and ended of PlainPosition"
    ) in str(caught.value)


def test_an_evaluation_must_know_the_positions() -> None:
    """A compiled one would read memory that is not there."""
    croft, other = cyvasse.rule_set("croft"), cyvasse.rule_set("nine-tile")
    for rules in (HOP, other):
        with pytest.raises(ContractError, match="CroftEvaluation does not know what a "):
            check_contract(replace(rules, evaluation_type=croft.evaluation_type))
        with pytest.raises(cyvasse.CyvasseError, match="CroftEvaluation judges no positions of "):
            croft.evaluation().worth(rules.random_position(seed=1))


def test_a_plain_evaluation_of_compiled_positions() -> None:
    class Plain(PlainEvaluation):
        features = HopEvaluation.features
        after = 3000

        def amounts(self, position: Position) -> Mapping[str, int]:
            self.after -= 1
            if self.after < 0:
                raise Planted("late")
            return {"rabble": position.hash % 7}

        def prize(self, position: Position, action: Action) -> int:
            return 100 if action.struck else 0

    rules = replace(cyvasse.rule_set("croft"), id="other", evaluation_type=Plain)
    position = rules.position(cyvasse.rule_set("croft").random_position(seed=1).state())
    assert position.is_legal(Engine(3).choose(position))
    with pytest.raises(RuleSetError, match=r"other: Plain.amounts has failed: Planted: late"):
        list(cyvasse.analyse(position, depth=30))


def test_the_guide_can_be_followed() -> None:
    """What docs/rule-sets.md writes is a position and an evaluation that can be played."""
    text = (Path(__file__).parents[2] / "docs" / "rule-sets.md").read_text(encoding="utf-8")
    words: dict[str, Any] = {name: getattr(cyvasse.rules, name) for name in cyvasse.rules.__all__}
    words |= {"Iterator": Iterator, "Mapping": Mapping, "around": around}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, words)
    rules = replace(HOP, position_type=words["HopPosition"], evaluation_type=words["HopEvaluation"])
    check_contract(rules)
    position = rules.position(START.state())
    before = position.hash
    played = 0
    while position.outcome() is None and played < 40:
        position.play(Engine(3, seed=1).choose(position))
        played += 1
    for _ in range(played):
        position.undo()
    assert played > 3
    assert position.hash == before


def around(square: str) -> list[str]:
    found = [BOARD.neighbour(BOARD.index(square), direction) for direction in BOARD.directions]
    return [BOARD.squares[number] for number in found if number is not None]
