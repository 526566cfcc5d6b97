"""The search: legal, repeatable, within its limits, and aware of every rule that ends a game."""

from __future__ import annotations

import json
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cyvasse
from cyvasse import Engine, Game, Position, RuleSet, analyse
from cyvasse.engine.levels import ALL, FORMER, LEVELS, gives_up, level_name, limits
from cyvasse.engine.search import SURE, Search
from cyvasse.engine.table import TranspositionTable
from cyvasse.engine.weights import tuned_weights
from tests.engine.golden import SEARCHES, sample, signatures
from tests.strategies import IDS, positions, seeds

DATA = Path(__file__).parent.parent / "data"
each_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def checking() -> bool:
    """Whether the search compares every undo with a fresh position, which takes its time."""
    rules = cyvasse.rule_sets()[0]
    return Search(rules.random_position(1), rules.evaluation(), TranspositionTable(1)).is_checking()


FAST = cyvasse.COMPILED and not checking()
FEW = 400 if FAST else 60
MANY = 60 if FAST else 5

# White has a Dragon too many; nothing can be taken at once.
AHEAD = "nine-tile 8/4k4/10/11/12/11/10/4K4/D7 - w - {}"


@each_rule_set
@settings(max_examples=MANY)
@given(data=st.data())
def test_chooses_legal_actions_and_leaves_the_position_alone(
    rules: RuleSet, data: st.DataObject
) -> None:
    position = data.draw(positions(rules))
    before, actions = position.text(), position.legal_actions()
    if not actions:
        with pytest.raises(cyvasse.GameOverError, match="nothing to choose"):
            Engine().choose(position, nodes=10)
        return
    level = data.draw(st.sampled_from([None, *LEVELS]))
    nodes = data.draw(st.integers(1, FEW))
    assert Engine(level, seed=1).choose(position, nodes=nodes) in actions
    assert (position.text(), position.legal_actions()) == (before, actions)


@each_rule_set
def test_never_an_illegal_action(rules: RuleSet) -> None:
    engines = [Engine(), *(Engine(level, seed=1) for level in LEVELS)]
    for seed in range(2000 if FAST else 20):
        position = rules.random_position(seed, actions=seed % 150)
        legal = position.legal_actions()
        if legal:
            assert engines[seed % len(engines)].choose(position, nodes=1 + seed % 60) in legal


@each_rule_set
@settings(max_examples=MANY // 3 + 1)
@given(data=st.data())
def test_analysis_is_playable_ordered_and_within_its_limits(
    rules: RuleSet, data: st.DataObject
) -> None:
    position = data.draw(positions(rules))
    if position.outcome():
        return
    wanted = data.draw(st.integers(1, 4))
    for analysis in analyse(position, nodes=FEW, lines=wanted):
        assert analysis.nodes <= FEW
        firsts = [line.actions[0] for line in analysis.lines]
        assert len(set(firsts)) == len(firsts) <= wanted
        scores = [line.score for line in analysis.lines]
        assert scores == sorted(scores, reverse=True)
        for line in analysis.lines:
            game = position.copy()
            for action in line.actions:
                game.play(action)
            if line.wins_in is not None:
                outcome = game.outcome()
                assert outcome is not None
                assert outcome.winner is (
                    position.turn if line.wins_in > 0 else position.turn.other
                )
                assert len(line.actions) == abs(line.wins_in)


@each_rule_set
def test_the_same_question_gets_the_same_answer(rules: RuleSet) -> None:
    used = Engine()
    for seed in range(4):
        position = rules.random_position(seed, actions=10 * seed)
        if position.outcome():
            continue
        fresh = [a[:2] + a[3:] for a in Engine().analyse(position, nodes=5 * FEW)]
        again = [a[:2] + a[3:] for a in used.analyse(position, nodes=5 * FEW)]
        assert fresh == again


@each_rule_set
def test_both_builds_find_the_same(rules: RuleSet) -> None:
    """The file was written by the compiled engine; ``make goldens`` renews it."""
    assert sample(rules) == json.loads(SEARCHES.read_text())[rules.id]


@pytest.mark.slow
@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled there is no time for it")
def test_the_engine_plays_as_it_did() -> None:
    """A change of the evaluation, the weights or the search is one that ``make goldens`` shows."""
    for path, signature in signatures():
        assert path.read_text() == signature


@each_rule_set
def test_several_threads_share_the_work(rules: RuleSet) -> None:
    position = rules.random_position(1)
    *_, analysis = Engine(threads=3).analyse(position, nodes=FEW)
    assert position.is_legal(analysis.best)
    assert 0 < analysis.nodes <= 3 * FEW


@pytest.mark.skipif(
    "sanitized" not in cyvasse.engine.__file__, reason="only the build for checks compares undos"
)
def test_the_build_for_checks_compares_every_undo() -> None:
    assert checking()


def tactics() -> Iterator[object]:
    for rules in IDS:
        for number, line in enumerate((DATA / f"tactics-{rules}.jsonl").read_text().splitlines()):
            known = json.loads(line)
            # Otherwise there is time for the easiest only.
            if FAST or known["turns"] == 1:
                yield pytest.param(known, id=f"{rules}-{number + 1}")


@pytest.mark.parametrize("known", list(tactics()))
def test_solves_the_tactics(known: dict[str, object]) -> None:
    position = cyvasse.parse_position(str(known["position"]))
    *_, analysis = analyse(position, nodes=200_000)
    assert str(analysis.best) in known["best"]  # type: ignore[operator]
    assert analysis.score > SURE


def test_knows_the_draw_after_quiet_turns() -> None:
    for quiet, drawn in ((0, False), (99, True)):
        position = cyvasse.parse_position(AHEAD.format(quiet))
        *_, analysis = analyse(position, depth=2)
        assert (analysis.score == 0) is drawn
    game = Game.from_position(cyvasse.parse_position(AHEAD.format(99)), quiet=False)
    *_, analysis = Engine().analyse(game, depth=2)
    assert analysis.score > 300


def test_knows_the_draw_by_repetition() -> None:
    for rule_holds in (True, False):
        start = cyvasse.parse_position(AHEAD.format(0))
        game = Game.from_position(start, repetition=rule_holds)
        back_and_forth = ["h2-i2", "e8-f8", "i2-h2", "f8-e8"]
        for text in (back_and_forth * 2)[:-2]:
            game.play(text)
        game.play("i2-h2")
        # Black, a Dragon down, can bring the first position about for the third time.
        scores = {
            str(line.actions[0]): line.score
            for *_, analysis in [list(Engine().analyse(game, depth=1, lines=9))]
            for line in analysis.lines
        }
        assert (scores["f8-e8"] == 0) is rule_holds
        assert scores["f8-g8"] < -300


def test_sees_that_a_player_without_any_action_loses() -> None:
    walled_in = "nine-tile k7/9/10/11/12/11/10/9/7K 1m6/mm7/10/11/12/11/10/9/8 w - 0"
    *_, analysis = analyse(cyvasse.parse_position(walled_in), depth=3)
    assert analysis.lines[0].wins_in == 1


def test_a_win_is_told_by_its_length() -> None:
    position = cyvasse.parse_position("nine-tile 6k1/6L2/10/11/12/11/10/9/7K - w - 0")
    *_, analysis = analyse(position, depth=4)
    assert analysis.lines[0].wins_in == 1
    assert analysis.lines[0].verdict == "wins in 1"
    assert analysis.depth == 1  # nothing deeper can be better


def test_can_be_stopped_from_another_thread() -> None:
    engine = Engine()
    position = cyvasse.rule_set("croft").random_position(3)
    found = []

    def think() -> None:
        for analysis in engine.analyse(position):
            found.append(analysis)
            started.set()

    started = threading.Event()
    thread = threading.Thread(target=think)
    thread.start()
    assert started.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert position.is_legal(found[-1].best)


def test_can_be_interrupted() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    position = cyvasse.rule_sets()[0].random_position(1)
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(Engine(threads=2).analyse(position))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_abandoned_analysis_ends_its_threads() -> None:
    position = cyvasse.rule_sets()[0].random_position(1)
    running = threading.active_count()
    thoughts = Engine(threads=3).analyse(position)
    next(thoughts)
    assert threading.active_count() > running
    thoughts.close()  # type: ignore[attr-defined]
    assert threading.active_count() == running


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, every rule set is searched as it is")
def test_refuses_a_rule_set_that_is_not_compiled() -> None:
    class Homemade(Position):
        pass

    with pytest.raises(cyvasse.CyvasseError, match="Homemade is not compiled"):
        Engine().choose(Homemade.__new__(Homemade))


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ({"depth": 0}, "depth is 0"),
        ({"depth": "3"}, "depth is '3'"),
        ({"nodes": -1}, "nodes is -1"),
        ({"nodes": 1.5}, "nodes is 1.5"),
        ({"seconds": -1}, "seconds is -1"),
        ({"seconds": float("nan")}, "seconds is nan"),
        ({"seconds": "1"}, "seconds is '1'"),
        ({"lines": 0}, "lines is 0"),
    ],
)
def test_bad_limits_are_refused_at_once(limits: dict[str, object], problem: str) -> None:
    position = cyvasse.rule_sets()[0].random_position(1)
    with pytest.raises(cyvasse.CyvasseError, match=problem):
        Engine().analyse(position, **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"level": 0}, "level is 0; the levels are 1 to 10"),
        ({"level": 11}, "level is 11"),
        ({"level": "x"}, "level is 'x'"),
        ({"threads": 0}, "threads is 0"),
        ({"megabytes": 0}, "megabytes is 0"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(cyvasse.CyvasseError, match=problem):
        Engine(**options)  # type: ignore[arg-type]


def test_only_positions_and_games_are_searched() -> None:
    with pytest.raises(cyvasse.CyvasseError, match="needs a position or a game"):
        Engine().choose("nine-tile")  # type: ignore[arg-type]


def loses_at_once(position: Position, action: cyvasse.Action) -> bool:
    """The same in plain words: the opponent can win with the turn that comes next."""
    side = position.turn
    position.play(action)
    try:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner is side.other
        if position.turn is side:
            return all(loses_at_once(position, each) for each in position.legal_actions())
        return wins_now(position, side.other)
    finally:
        position.undo()


def wins_now(position: Position, side: cyvasse.Color) -> bool:
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner is side
    if position.turn is not side:
        return False
    for action in position.legal_actions():
        position.play(action)
        won = wins_now(position, side)
        position.undo()
        if won:
            return True
    return False


@each_rule_set
@settings(max_examples=MANY // 3 + 1)
@given(seed=seeds, level=st.sampled_from(range(1, 7)))
def test_no_level_loses_at_once_where_it_need_not(rules: RuleSet, seed: int, level: int) -> None:
    position = rules.random_position(seed, actions=random.Random(seed).randrange(80))
    if position.outcome():
        return
    chosen = Engine(level, seed=seed).choose(position)
    assert chosen in position.legal_actions()
    if loses_at_once(position, chosen):
        assert all(loses_at_once(position, each) for each in position.legal_actions())


@each_rule_set
def test_levels_overlook_at_random_and_see_more_the_higher_they_are(rules: RuleSet) -> None:
    """Of the captures in many positions a higher level of the lower ones takes more."""
    evaluation = rules.evaluation(tuned_weights(rules))
    taken = dict.fromkeys((1, 3, 6), 0)
    for seed in range(40):
        position = rules.random_position(seed, actions=30)
        if position.outcome():
            continue
        for level in taken:
            action = Engine(level, seed=seed).choose(position)
            taken[level] += evaluation.gain_of(position, action.code) > 0
    assert taken[3] > 0
    assert taken[1] < taken[3] < taken[6]


def test_former_levels_keep_their_limits() -> None:
    position = cyvasse.rule_set("nine-tile").random_position(5)
    assert Engine(-5, seed=1).choose(position) == Engine().choose(position, nodes=600)
    assert [FORMER[-level].nodes for level in range(1, 9)] == [
        *(1_500, 1_500, 600, 600, 600, 1_800, 5_400, 50_000)
    ]
    assert [level_name(level) for level in (7, -7)] == ["level 7", "former level 7"]


def test_limits_of_each_rule_set() -> None:
    """What a file says replaces what is usual, and every field of it is known."""
    for rules in cyvasse.rule_sets():
        for level, usual in LEVELS.items():
            here = limits(level, rules)
            assert here.nodes == usual.nodes
            assert 1 <= here.own <= ALL
            assert 0 < here.later <= ALL


def test_the_lowest_level_gives_up_when_next_to_nothing_is_left() -> None:
    few = cyvasse.parse_position("nine-tile 6k1/6rL1/10/11/6RRRRRR/5L5/4KLS3/9/8 - b - 0")
    assert gives_up(1, few)
    assert not gives_up(3, few)
    assert not gives_up(-1, few)
    many = cyvasse.parse_position("nine-tile 6k1/6rL1/10/11/12/7R3/7K2/9/8 - b - 0")
    assert not gives_up(1, many)


def test_a_seed_makes_a_level_repeatable_and_none_varies() -> None:
    position = cyvasse.rule_set("nine-tile").random_position(5)
    assert len({str(Engine(1, seed=7).choose(position)) for _ in range(5)}) == 1
    assert len({str(Engine(1, seed=seed).choose(position)) for seed in range(20)}) > 1
