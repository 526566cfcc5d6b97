"""Tuning on the engine's own games."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import cyvasse
from cyvasse import Color, Engine, RuleSet, parse_position
from cyvasse.engine import tune as module
from cyvasse.engine.selfplay import Workers
from cyvasse.engine.tune import (
    DECIDED,
    POSITIONS,
    Noted,
    note_games,
    play_game,
    quiet_end,
    samples,
    start_weights,
    varied_start,
    write_weights,
)
from tests.strategies import IDS

NINE_TILE = cyvasse.rule_set("nine-tile")
every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")
@every_rule_set
def test_games_give_quiet_positions(rules: RuleSet) -> None:
    noted = [play_game(rules.id, 150, 1, number) for number in range(6)]
    assert noted[0] == play_game(rules.id, 150, 1, 0)
    assert noted[0] != noted[1]
    texts = [text for game in noted for text in game.positions]
    assert texts
    assert max(len(game.positions) for game in noted) <= POSITIONS
    evaluation = rules.evaluation(start_weights(rules))
    for text in texts:
        position = parse_position(text)
        assert position.rules is rules
        assert position.outcome() is None
        assert abs(evaluation.worth(position)) < DECIDED


@every_rule_set
def test_the_end_of_a_line_is_quiet(rules: RuleSet) -> None:
    engine = Engine(megabytes=1)
    evaluation = rules.evaluation(start_weights(rules))
    quiet = 0
    for seed in range(8):
        position = rules.random_position(seed, actions=20)
        if position.outcome() is not None:
            continue
        *_, analysis = engine.analyse(position, depth=2)
        end = quiet_end(position.copy(), analysis, evaluation)
        if end is not None:
            quiet += 1
            worth = evaluation.worth(end)
            assert analysis.score == (worth if end.turn is position.turn else -worth)
    assert quiet


def test_a_line_that_ends_the_game_is_not_quiet() -> None:
    position = parse_position("nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/7K - w - 0")
    evaluation = NINE_TILE.evaluation()
    *_, analysis = Engine(megabytes=1).analyse(position, depth=1)
    shifted = analysis._replace(
        lines=(analysis.lines[0]._replace(score=analysis.score + 1),),
    )
    assert quiet_end(position.copy(), shifted, evaluation) is None


@every_rule_set
def test_starts_are_legal_and_varied(rules: RuleSet) -> None:
    chance = random.Random(1)
    seen = set()
    for _ in range(30):
        setup = varied_start(rules, Color.BLACK, chance)
        assert rules.check_setup(setup) == []
        assert setup.color is Color.BLACK
        seen.add(cyvasse.write_setup(setup))
    assert len(seen) > 15


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")
def test_games_are_kept_and_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"

    def games(number: int) -> list[Noted]:
        return list(note_games(NINE_TILE, number, Workers(), journal=path, nodes=10, seed=3))

    played: list[int] = []
    play = module.play_game

    def counted(rules_id: str, nodes: int, seed: int, number: int) -> Noted:
        played.append(number)
        return play(rules_id, nodes, seed, number)

    monkeypatch.setattr(module, "play_game", counted)
    first = games(2)
    assert games(4)[:2] == first
    assert played == [0, 1, 2, 3]
    assert len(games(3)) == 3
    assert played == [0, 1, 2, 3]


def test_positions_are_counted_by_game() -> None:
    rules = NINE_TILE
    position = rules.random_position(1, actions=30)
    games = [Noted(1.0, [position.text()] * 2), Noted(0.5, []), Noted(0.0, [position.text()])]
    counted = samples(rules, games)
    assert [len(game) for game in counted] == [2, 1]
    counts = rules.evaluation().count(position)
    assert dict(counted[0][0].counts) == {i: n for i, n in enumerate(counts) if n}
    assert [sample.result for game in counted for sample in game] == [1.0, 1.0, 0.0]


@every_rule_set
def test_weights_files_hold_every_feature_in_order(rules: RuleSet, tmp_path: Path) -> None:
    weights = start_weights(rules, {})
    features = rules.evaluation().features
    assert weights == {feature.name: feature.weight for feature in features}
    name = features[0].name
    assert start_weights(rules, {name: 77}) == {**weights, name: 77}
    path = tmp_path / "data" / "weights.json"
    write_weights(path, weights)
    text = path.read_text()
    assert list(json.loads(text)) == [feature.name for feature in features]
    assert len(text.splitlines()) == len(features) + 2
