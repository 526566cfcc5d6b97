"""Quick games of the engine against itself."""

from __future__ import annotations

import random

import pytest

import cyvasse
from cyvasse import BLACK, WHITE, Analysis, Engine, Game, RuleSet
from cyvasse.engine import selfplay
from cyvasse.engine.selfplay import Workers, new_game, play_out
from tests.strategies import IDS


def start(rules: RuleSet, seed: int = 1) -> Game:
    return new_game(rules, rules.random_setup(WHITE, seed), rules.random_setup(BLACK, seed), BLACK)


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")
@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)
def test_games_end_and_repeat(rules: RuleSet) -> None:
    engine = Engine(megabytes=1)
    played = []
    for _ in range(2):
        game = start(rules)
        assert game.turn is (rules.first_player or BLACK)
        score = play_out(game, (engine, engine), 15, random.Random(3))
        assert score in (0.0, 0.5, 1.0)
        outcome = game.outcome()
        if outcome is not None:
            assert score == {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[outcome.result]
        played.append((score, [str(action) for action in game.actions]))
    assert played[0] == played[1]


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")
def test_each_side_has_its_own_engine() -> None:
    rules = cyvasse.rule_set("nine-tile")
    seen = []

    class Spy(Engine):
        color = WHITE

        def analyse(self, position, **limits):  # type: ignore[no-untyped-def]
            seen.append((self.color, position.turn))
            return super().analyse(position, **limits)

    white, black = Spy(megabytes=1), Spy(megabytes=1)
    black.color = BLACK
    watched: list[int] = []

    def watch(game: Game, analysis: Analysis) -> None:
        watched.append(game.ply)
        assert analysis.best in game.legal_actions()

    game = start(rules)
    play_out(game, (white, black), 10, random.Random(1), watch)
    assert watched == list(range(game.ply))
    assert len(seen) - game.ply in (0, 1)  # a decided game ends with a look
    assert all(color is turn for color, turn in seen)


def test_long_games_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "LONGEST_GAME", 1)
    monkeypatch.setattr(selfplay, "AHEAD", 1)
    rules = cyvasse.rule_set("nine-tile")
    engine = Engine(megabytes=1)
    game = Game.from_position(cyvasse.parse_position(AHEAD_FOR_WHITE))
    assert play_out(game, (engine, engine), 20, random.Random(1)) == 1.0
    assert game.ply == 1
    assert play_out(start(rules), (engine, engine), 20, random.Random(1)) in (0.0, 0.5, 1.0)
    monkeypatch.setattr(selfplay, "AHEAD", 10**6)
    game = Game.from_position(cyvasse.parse_position(AHEAD_FOR_WHITE))
    assert play_out(game, (engine, engine), 20, random.Random(1)) == 0.5


AHEAD_FOR_WHITE = "nine-tile 6k1/9/10/11/4H2L2X1/11/10/9/7K - w - 0"


def test_decided_games_are_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "DECIDED", 1)
    engine = Engine(megabytes=1)
    game = Game.from_position(cyvasse.parse_position(AHEAD_FOR_WHITE))
    assert play_out(game, (engine, engine), 20, random.Random(1)) == 1.0
    assert game.ply < selfplay.STEADY
    assert game.outcome() is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_answer_in_order(jobs: int) -> None:
    with Workers(jobs) as workers:
        assert list(workers.answers(abs, range(-5, 5))) == [5, 4, 3, 2, 1, 0, 1, 2, 3, 4]
