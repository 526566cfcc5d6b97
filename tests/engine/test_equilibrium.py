"""Equilibria of games whose solutions are known."""

from __future__ import annotations

import random

import pytest

from cyvasse.engine.equilibrium import (
    ALLOWANCE,
    FEWEST_EVEN,
    equilibrium,
    exploitability,
    near_equilibrium,
)


def test_rock_paper_scissors() -> None:
    assert equilibrium([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]) == pytest.approx(
        [1 / 3] * 3, abs=0.01
    )


def test_rock_counts_double() -> None:
    """Winning with rock takes 1, other wins take 0.75: each is played as often as the other two
    make it worth, 1/4 rock, 1/2 paper, 1/4 scissors."""
    scores = [[0.5, 0.25, 1], [0.75, 0.5, 0.25], [0, 0.75, 0.5]]
    assert equilibrium(scores) == pytest.approx([1 / 4, 1 / 2, 1 / 4], abs=0.01)


def test_a_dominated_setup_is_not_played() -> None:
    scores = [[0.5, 0, 1, 0.9], [1, 0.5, 0, 0.9], [0, 1, 0.5, 0.9], [0.1, 0.1, 0.1, 0.5]]
    assert equilibrium(scores) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.01)


def test_the_strongest_alone() -> None:
    assert equilibrium([[0.5, 0.7], [0.3, 0.5]]) == pytest.approx([1, 0], abs=0.01)


def test_a_large_table_is_solved() -> None:
    chance = random.Random(1)
    size = 30
    scores = [[0.5] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            scores[i][j] = chance.randint(0, 8) / 8
            scores[j][i] = 1 - scores[i][j]
    weights = equilibrium(scores)
    assert sum(weights) == pytest.approx(1)
    assert min(weights) >= 0
    assert exploitability(scores, weights) < 0.005
    assert exploitability(scores, [1 / size] * size) > 0.05
    near = near_equilibrium(scores)
    assert sum(near) == pytest.approx(1)
    assert min(near) >= FEWEST_EVEN / size
    assert exploitability(scores, near) <= max(ALLOWANCE, 2 * FEWEST_EVEN * 0.5)


def test_where_all_are_equal_all_are_played() -> None:
    assert near_equilibrium([[0.5] * 4] * 4) == pytest.approx([0.25] * 4)


def test_a_larger_allowance_is_more_even() -> None:
    scores = [[0.5, 0.6, 0.6], [0.4, 0.5, 0.5], [0.4, 0.5, 0.5]]
    strict, loose = near_equilibrium(scores, 0.01), near_equilibrium(scores, 0.05)
    assert max(loose) < max(strict)
    assert exploitability(scores, strict) <= 0.01
    assert exploitability(scores, loose) <= 0.05
