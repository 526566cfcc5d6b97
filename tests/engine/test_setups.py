"""The setups that the bot plays."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import cyvasse
from cyvasse import Color, CyvasseError, RuleSet, choose_setup, write_setup
from cyvasse.engine import setups
from cyvasse.engine.equilibrium import exploitability
from cyvasse.engine.setups import Pool, Result, pool, read_pool, write_pool
from tests.strategies import IDS

every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


@every_rule_set
@pytest.mark.parametrize("color", Color)
def test_chosen_setups_are_legal_and_repeat(rules: RuleSet, color: Color) -> None:
    for seed in range(20):
        setup = choose_setup(rules, color, seed=seed)
        assert setup.color is color
        assert rules.check_setup(setup) == []
        assert setup == choose_setup(rules.id, str(color), seed=seed)


@every_rule_set
def test_without_a_seed_setups_vary(rules: RuleSet) -> None:
    drawn = {write_setup(choose_setup(rules)) for _ in range(100)}
    assert len(drawn) > 1
    assert len({write_setup(choose_setup(rules, seed=seed)) for seed in range(100)}) > 1


@every_rule_set
def test_both_players_draw_from_the_same_pool(rules: RuleSet) -> None:
    black = choose_setup(rules, "black", seed=5)
    assert rules.turned_setup(black) == choose_setup(rules, "white", seed=5)


@every_rule_set
def test_pools_are_what_they_say(rules: RuleSet) -> None:
    found = pool(rules)
    number = len(found.setups)
    assert len(found.names) == len(set(found.names)) == len(found.weights) == number
    assert len({write_setup(setup) for setup in found.setups}) == number
    assert sum(found.weights) == pytest.approx(1, abs=1e-4)
    assert min(found.weights) > 0
    for setup in found.setups:
        assert setup.color is Color.WHITE
        assert rules.check_setup(setup) == []
    assert [len(row) for row in found.results] == [number] * number
    for i, row in enumerate(found.results):
        assert row[i].games == 0
        for j, result in enumerate(row):
            assert found.results[j][i] == result.reversed


@every_rule_set
def test_found_pools_are_large_and_near_the_equilibrium(rules: RuleSet) -> None:
    found = pool(rules)
    if not found.about:
        pytest.skip("no pool has been found for this rule set yet")
    assert len(found.setups) >= 24
    pairings = [result for i, row in enumerate(found.results) for result in row[i + 1 :]]
    assert min(result.games for result in pairings) >= 4
    scores = [[result.score for result in row] for row in found.results]
    assert exploitability(scores, found.weights) == pytest.approx(
        found.about["exploitability"], abs=1e-3
    )
    assert exploitability(scores, found.weights) < 0.05


def test_without_a_pool_named_setups_are_drawn_evenly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules = cyvasse.rule_set("nine-tile")
    monkeypatch.setattr(setups, "files", lambda _: tmp_path)
    found = pool.__wrapped__(rules)
    assert set(found.names) == set(rules.named_setups())
    assert set(found.weights) == {1 / len(found.names)}
    monkeypatch.setattr(setups, "pool", lambda _: found)
    drawn = Counter(write_setup(choose_setup(rules, seed=seed)) for seed in range(400))
    assert set(drawn) == {write_setup(setup) for setup in rules.named_setups().values()}


def test_without_any_setups_they_are_random(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = cyvasse.rule_set("croft")
    monkeypatch.setattr(setups, "pool", lambda _: Pool((), (), (), (), {}))
    drawn = {write_setup(choose_setup(rules, "black", seed=seed)) for seed in range(10)}
    assert len(drawn) == 10
    assert choose_setup(rules, "black", seed=3) == rules.random_setup("black", 3)


def test_weights_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = cyvasse.rule_set("nine-tile")
    named = list(rules.named_setups().values())[:2]
    nothing = ((Result(),) * 2,) * 2
    monkeypatch.setattr(
        setups, "pool", lambda _: Pool(("a", "b"), tuple(named), (0.9, 0.1), nothing, {})
    )
    often = sum(choose_setup(rules, seed=seed) == named[0] for seed in range(1000))
    assert 860 < often < 940


def test_pool_files_round_trip(tmp_path: Path) -> None:
    rules = cyvasse.rule_set("mikelepage")
    named = rules.named_setups()
    number = len(named)
    results = tuple(
        tuple(Result(i > j, i != j, i < j) for j in range(number)) for i in range(number)
    )
    weights = (0.5, *[0.5 / (number - 1)] * (number - 1))
    found = Pool(tuple(named), tuple(named.values()), weights, results, {"games": 5})
    write_pool(tmp_path / "data" / "pool.json", found)
    text = (tmp_path / "data" / "pool.json").read_text()
    assert read_pool(text) == found
    assert len(text.splitlines()) == 2 * number + 7


def test_results() -> None:
    result = Result().plus(1.0).plus(0.5).plus(0.5).plus(0.0).plus(1.0)
    assert result == Result(2, 2, 1)
    assert (result.games, result.score) == (5, 0.6)
    assert result.reversed.score == pytest.approx(0.4)
    assert Result().score == 0.5


def test_unknown_players_are_refused() -> None:
    with pytest.raises(CyvasseError):
        choose_setup("nine-tile", "red")
    with pytest.raises(CyvasseError):
        choose_setup("chess")
