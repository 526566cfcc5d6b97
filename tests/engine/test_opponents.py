"""Players by their texts."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import cyvasse
from cyvasse.engine import LEVELS
from cyvasse.engine.opponents import player_of
from cyvasse.errors import CyvasseError, GameOverError

RULES = cyvasse.rule_set("nine-tile")
TEXTS = ("random", "greedy", "level:1", "level:4", "nodes:300", "depth:2", "seconds:0.01")


@pytest.mark.parametrize("text", TEXTS)
def test_players_play_legally_and_survive_a_journey(text: str) -> None:
    player = player_of(text)
    assert str(player) == text
    assert pickle.loads(pickle.dumps(player)) == player
    game = cyvasse.Game.from_position(RULES.random_position(3, 20))
    chooser = player.meet(RULES, seed=5)
    for _ in range(2):
        action = chooser.choose(game)
        assert game.position.is_legal(action)
        assert RULES.random_position(3).is_legal(chooser.choose(RULES.random_position(3)))
        game.play(action)


@pytest.mark.parametrize("text", TEXTS[:-1])
def test_the_same_seed_plays_the_same(text: str) -> None:
    positions = [RULES.random_position(seed, 10) for seed in range(2)]

    def played(seed: int) -> list[str]:
        player = player_of(text).meet(RULES, seed)
        return [str(player.choose(position)) for position in positions]

    assert played(1) == played(1)
    if text in ("random", "level:1"):
        assert played(1) != played(2)


def test_greedy_takes_the_best() -> None:
    evaluation = RULES.evaluation()
    captures = 0
    for seed in range(30):
        position = RULES.random_position(seed, 60)
        if position.outcome():
            continue
        gains = {str(a): evaluation.gain_of(position, a.code) for a in position.legal_actions()}
        taken = {str(player_of("greedy").meet(RULES, s).choose(position)) for s in range(4)}
        best = max(gains.values())
        if best > 0:
            captures += 1
            assert all(gains[action] == best for action in taken)
        else:
            assert len(taken) > 1
    assert captures > 5


def test_greedy_takes_a_king_first() -> None:
    position = cyvasse.parse_position("nine-tile 8/9/10/11/3r1Dkd4/6r4/10/9/7K - w - 0")
    for seed in range(5):
        position_after = position.copy()
        position_after.play(player_of("greedy").meet(RULES, seed).choose(position))
        outcome = position_after.outcome()
        assert outcome is not None
        assert outcome.winner is cyvasse.WHITE


def test_weights_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"rabble": 1, "dragon": 5000}))
    for text in ("greedy", "level:2", "nodes:200"):
        player = player_of(f"{text}@{file}")
        assert player.weights == {"rabble": 1, "dragon": 5000}
        assert player.fingerprint(RULES) != player_of(text).fingerprint(RULES)
        assert player.meet(RULES, 1).choose(RULES.random_position(1))
    changed = player_of(f"greedy@{file}").fingerprint(RULES)
    file.write_text(json.dumps({"rabble": 2, "dragon": 5000}))
    assert player_of(f"greedy@{file}").fingerprint(RULES) != changed


def test_fingerprints_know_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    before = player_of("level:3").fingerprint(RULES)
    assert before == player_of("level:3").fingerprint(RULES)
    assert before != player_of("level:4").fingerprint(RULES)
    monkeypatch.setitem(LEVELS, 3, LEVELS[3]._replace(blur=1))
    assert before != player_of("level:3").fingerprint(RULES)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no player is called ''"),
        ("stockfish", "there are random, greedy, level:3"),
        ("random:3", "no player"),
        ("level", "no player"),
        ("level:0", "1 to 10"),
        ("level:11", "1 to 10"),
        ("level:two", "1 to 10"),
        ("nodes:", "number of nodes"),
        ("nodes:-5", "number of nodes"),
        ("nodes:1.5", "number of nodes"),
        ("depth:0", "number of depth"),
        ("seconds:nan", "number of seconds"),
        ("seconds:inf", "number of seconds"),
        ("random@w.json", "weighs nothing"),
        ("greedy@/no/such/file.json", "cannot read the weights"),
        ("nodes:5@", "cannot read the weights"),
    ],
)
def test_errors_in_words(text: str, told: str) -> None:
    with pytest.raises(CyvasseError, match=told):
        player_of(text)


@pytest.mark.parametrize(
    ("content", "told"),
    [("{", "no JSON"), ("[1]", "whole numbers by feature"), ('{"rabble": 1.5}', "whole numbers")],
)
def test_wrong_weights(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(content)
    with pytest.raises(CyvasseError, match=told):
        player_of(f"nodes:5@{file}")


def test_weights_of_another_rule_set(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text('{"no_such_feature": 1}')
    with pytest.raises(CyvasseError, match="no_such_feature"):
        player_of(f"nodes:5@{file}").fingerprint(RULES)


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_to_choose(text: str) -> None:
    game = cyvasse.Game.from_position(RULES.random_position(1))
    game.resign("white")
    with pytest.raises(GameOverError, match="nothing to choose"):
        player_of(text).meet(RULES, 1).choose(game)
