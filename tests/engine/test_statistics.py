"""Scores, Elo and the sequential test, against brute force and simulation."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.engine.statistics import (
    SCORES,
    Sprt,
    elo,
    elo_interval,
    log_likelihood,
    score_interval,
)
from cyvasse.errors import CyvasseError

TEST = Sprt(0.55, 0.65)
COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any)


def independent(score: float, draws: float = 0.0) -> list[float]:
    """The chances of a pair's five results if its games do not depend on each other."""
    win, loss = score - draws / 2, 1 - score - draws / 2
    return [loss**2, 2 * loss * draws, 2 * win * loss + draws**2, 2 * win * draws, win**2]


def decided_by_setups(score: float) -> list[float]:
    """The chances if in most pairs the better setup wins both games."""
    return [0.4 * (0.7 - score) / 0.4, 0.0, 0.6, 0.0, 0.4 * (score - 0.3) / 0.4]


def best_on_a_grid(counts: Sequence[int], score: float, steps: int) -> float:
    """The likeliest chances with an expected score, found by trying them all."""
    best = -math.inf
    for a, b, c in itertools.product(range(steps + 1), repeat=3):
        quarter, half, three = a / steps, b / steps, c / steps
        one = score - 0.25 * quarter - 0.5 * half - 0.75 * three
        nothing = 1 - quarter - half - three - one
        chances = (nothing, quarter, half, three, one)
        if min(chances) > -1e-12:
            best = max(best, likelihood(counts, chances))
    return best


def likelihood(counts: Sequence[int], chances: Sequence[float]) -> float:
    if any(n and p <= 0 for n, p in zip(counts, chances, strict=True)):
        return -math.inf
    return sum(n * math.log(p) for n, p in zip(counts, chances, strict=True) if n)


@pytest.mark.parametrize(
    ("counts", "score"),
    [([3, 4, 20, 10, 23], 0.55), ([3, 4, 20, 10, 23], 0.8), ([0, 0, 5, 0, 30], 0.65)],
)
def test_likelihood_is_the_best_there_is(counts: list[int], score: float) -> None:
    total = sum(counts)
    at_best = likelihood(counts, [n / total for n in counts])
    grid = best_on_a_grid(counts, score, 80) - at_best
    # The grid is coarse and so a little worse; what was never seen counts a very little.
    assert grid - 0.02 < log_likelihood(counts, score) < grid + 0.1


def test_known_ratios() -> None:
    """Nothing but wins: the likeliest chances are ``score`` for a win and the rest for nothing."""
    assert TEST.llr([0, 0, 0, 0, 30]) == pytest.approx(30 * math.log(0.65 / 0.55), abs=0.01)
    assert TEST.llr([30, 0, 0, 0, 0]) == pytest.approx(30 * math.log(0.35 / 0.45), abs=0.01)
    assert TEST.llr([0] * 5) == 0
    # Many pairs: what the normal distribution says, N(s1 - s0)(2·mean - s0 - s1) / 2·variance.
    counts = [600, 1000, 2400, 1800, 1400]
    total = sum(counts)
    mean = sum(n * s for n, s in zip(counts, SCORES, strict=True)) / total
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, SCORES, strict=True)) / total
    near = Sprt(mean - 0.01, mean + 0.02)
    expected = total * 0.03 * (2 * mean - near.h0 - near.h1) / (2 * variance)
    assert near.llr(counts) == pytest.approx(expected, rel=0.03)


def test_bounds() -> None:
    assert TEST.upper == pytest.approx(math.log(19))
    assert TEST.lower == pytest.approx(-math.log(19))
    strict = Sprt(0.5, 0.6, alpha=0.01, beta=0.2)
    assert strict.lower == pytest.approx(math.log(0.2 / 0.99))
    assert strict.upper == pytest.approx(math.log(80))


def test_one_sided_matches_end_soon() -> None:
    """The first lead proves nothing yet, twenty pairs without a loss do."""
    assert [TEST.decision([0, 0, 0, 0, n]) for n in (1, 5, 20)] == [None, None, "H1"]
    assert [TEST.decision([n, 0, 0, 0, 0]) for n in (1, 5, 20)] == [None, None, "H0"]
    assert TEST.decision([0, 0, 20, 0, 0]) == "H0"


@given(COUNTS)
def test_the_other_player_sees_the_same(counts: list[int]) -> None:
    mirrored = Sprt(0.35, 0.45)
    assert TEST.llr(counts) == pytest.approx(-mirrored.llr(counts[::-1]), abs=1e-6)
    ours, theirs = score_interval(counts), score_interval(counts[::-1])
    assert ours.low == pytest.approx(1 - theirs.high, abs=1e-6)
    assert ours.value == pytest.approx(1 - theirs.value)


@given(COUNTS)
def test_intervals_hold_their_value_and_grow_with_confidence(counts: list[int]) -> None:
    low, score, high = score_interval(counts)
    assert 0 <= low <= score <= high <= 1
    assert low < high
    more = score_interval([10 * n for n in counts])
    assert more.value == pytest.approx(score)
    assert more.high - more.low < high - low
    assert elo_interval(counts).low == elo(low)


@given(COUNTS, st.integers(0, 3))
def test_better_results_never_speak_for_less(counts: list[int], at: int) -> None:
    if counts[at]:
        better = list(counts)
        better[at] -= 1
        better[at + 1] += 1
        assert score_interval(better).value > score_interval(counts).value
        assert TEST.llr(better) > TEST.llr(counts) - 0.02


def test_elo() -> None:
    assert [round(elo(s)) for s in (0.25, 0.5, 0.75)] == [-191, 0, 191]
    assert (elo(0.0), elo(1.0)) == (-math.inf, math.inf)
    low, value, high = elo_interval([0, 0, 0, 0, 100])
    assert value == high == math.inf
    # All pairs won: the likelihood of a score s is s**100, and exp(-3.84/2) is the limit.
    assert low == pytest.approx(elo(math.exp(-3.84 / 2 / 100)), abs=2)


@functools.cache
def decision(counts: tuple[int, ...]) -> str | None:
    return TEST.decision(counts)


def play(chances: list[float], chance: random.Random, most: int = 200) -> str | None:
    counts = [0] * 5
    for _ in range(most):
        counts[chance.choices(range(5), chances)[0]] += 1
        found = decision(tuple(counts))
        if found:
            return found
    return None


@pytest.mark.parametrize(
    "chances",
    [independent, functools.partial(independent, draws=0.4), decided_by_setups],
    ids=["decisive", "drawish", "setups"],
)
def test_error_rates(chances: functools.partial[list[float]]) -> None:
    """5 % wrong decisions were ordered; at 400 runs 9 % would be four standard errors away."""
    chance = random.Random(1)
    runs = 400
    wrong = sum(play(chances(0.55), chance) == "H1" for _ in range(runs))
    missed = sum(play(chances(0.65), chance) == "H0" for _ in range(runs))
    assert 0 < wrong <= 0.09 * runs
    assert 0 < missed <= 0.09 * runs


def test_intervals_hold_the_truth_in_95_of_100_cases() -> None:
    chance = random.Random(2)
    runs, held = 300, 0
    chances = independent(0.7, 0.2)
    for _ in range(runs):
        drawn = chance.choices(range(5), chances, k=60)
        low, _, high = score_interval([drawn.count(i) for i in range(5)])
        held += low <= 0.7 <= high
    assert 0.91 * runs < held < 0.99 * runs


@pytest.mark.parametrize(
    "test",
    [Sprt(0.65, 0.55), Sprt(0.5, 0.5), Sprt(0.0, 0.5), Sprt(0.5, 1.0), Sprt(0.5, 0.6, 0.7)],
)
def test_senseless_tests_are_refused(test: Sprt) -> None:
    with pytest.raises(CyvasseError, match="between 0 and"):
        test.checked()
