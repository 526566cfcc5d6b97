"""The regression finds weights again that are known."""

from __future__ import annotations

import math
import random

import pytest

from cyvasse.engine.regression import Fit, Sample, fit, fitted_scale, loss

TRUE = [100, 250, 400, -60, 30, 0]
SCALE = 200.0


def made_games(number: int, seed: int = 1) -> list[list[Sample]]:
    """Games whose results follow the true weights."""
    chance = random.Random(seed)
    games = []
    for _ in range(number):
        counts = [chance.randint(-2, 2) for _ in TRUE]
        score = sum(weight * count for weight, count in zip(TRUE, counts, strict=True))
        won = chance.random() < 1 / (1 + math.exp(-score / SCALE))
        present = tuple((i, count) for i, count in enumerate(counts) if count)
        games.append([Sample(present, float(won))])
    return games


def test_known_weights_are_found_again() -> None:
    start = [100, 150, 600, -100, 10, 20]
    games = made_games(12000)
    found = fit(games, start, spread=2.0)
    held_out = [sample for game in games[::5] for sample in game]
    assert found.after < found.before - 0.05
    assert found.after == pytest.approx(loss(held_out, TRUE, SCALE), abs=0.002)
    # Only ratios can be known: the scale was fitted to the weights from which it started.
    ratio = found.scale / SCALE
    for weight, true in zip(found.weights, TRUE, strict=True):
        assert weight / ratio == pytest.approx(true, abs=18)


def test_without_games_about_it_a_weight_stays() -> None:
    games = [
        [Sample(tuple(pair for pair in sample.counts if pair[0] != 1), sample.result)]
        for game in made_games(2000)
        for sample in game
    ]
    found = fit(games, [100, 150, 300, -60, 30, 0])
    assert found.weights[1] == 150


def test_a_narrow_spread_holds_weights_back() -> None:
    start = [100, 150, 600, -100, 10, 20]
    games = made_games(300)
    wide, narrow = (fit(games, start, spread=spread) for spread in (2.0, 0.02))

    def moved(found: Fit) -> float:
        return sum(abs(a - b) for a, b in zip(found.weights[:3], start, strict=False))

    assert moved(narrow) < moved(wide)


def test_large_weights_keep_their_sign() -> None:
    """Even if everything speaks against them."""
    games = [[Sample(((0, 1), (1, -1)), 0.0), Sample(((0, -1), (1, 1)), 1.0)]] * 200
    found = fit(games, [60, -60], spread=50.0)
    assert found.weights[0] >= 1
    assert found.weights[1] <= -1
    small = fit(games, [20, -20], spread=50.0)
    assert small.weights[0] < 0 < small.weights[1]


def test_weights_that_foretell_nothing_better_are_not_taken() -> None:
    """Chance alone teaches nothing: what was held out must get better."""
    chance = random.Random(5)
    games = [[Sample(((0, chance.choice([-1, 1])),), chance.choice([0.0, 1.0]))] for _ in range(60)]
    found = fit(games, [5])
    assert found.after <= found.before + 1e-4


def test_the_scale_is_found() -> None:
    samples = [sample for game in made_games(12000) for sample in game]
    assert fitted_scale(samples, TRUE) == pytest.approx(SCALE, rel=0.1)


def test_loss() -> None:
    even = [Sample((), 1.0), Sample((), 0.0), Sample((), 0.5)]
    assert loss(even, [1], 100) == pytest.approx(math.log(2))
    sure = [Sample(((0, 1),), 1.0), Sample(((0, -1),), 0.0)]
    assert loss(sure, [100000], 100) == pytest.approx(0, abs=1e-6)
    assert loss(sure, [-100000], 100) > 15


def test_epochs_are_told() -> None:
    heard: list[tuple[int, float]] = []
    found = fit(made_games(20), TRUE, on_epoch=lambda epoch, loss: heard.append((epoch, loss)))
    assert [epoch for epoch, _ in heard] == list(range(1, found.epochs + 1))


def test_too_few_games() -> None:
    with pytest.raises(ValueError, match="five games"):
        fit(made_games(1), TRUE)
