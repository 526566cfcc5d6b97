"""How to mix setups so that nobody can prepare for them: the equilibrium of a table of scores.

``scores[i][j]`` is the share of the points that setup i takes from setup j, so that
``scores[i][j] + scores[j][i]`` is 1: a symmetric game for two, worth a half to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from operator import mul

Scores = Sequence[Sequence[float]]

ROUNDS = 4000
# How much of the points beyond a half an opponent may take who knows the weights.
ALLOWANCE = 0.03
FEWEST_EVEN = 0.1


def equilibrium(scores: Scores, rounds: int = ROUNDS) -> list[float]:
    """The probabilities with which each row should be played.

    By regret matching: each round every row is played as often as it would have been better in
    hindsight, and what counts is the average, the later rounds more.

    >>> paper_rock_scissors = [[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]
    >>> [round(weight, 1) for weight in equilibrium(paper_rock_scissors)]
    [0.3, 0.3, 0.3]
    """
    size = len(scores)
    # A start that is not even: an equilibrium should be found, not stumbled upon.
    regrets = [1.0 / (1 + i) for i in range(size)]
    total = [0.0] * size
    for number in range(1, rounds + 1):
        weights = _shares(regrets)
        gains = [_expected(row, weights) for row in scores]
        mean = _expected(gains, weights)
        regrets = [
            max(0.0, regret + gain - mean) for regret, gain in zip(regrets, gains, strict=True)
        ]
        for i, weight in enumerate(weights):
            total[i] += number * weight
    return _shares(total)


def exploitability(scores: Scores, weights: Sequence[float]) -> float:
    """How much more than a half of the points the best answer to these weights takes.

    >>> round(exploitability([[0.5, 0.8], [0.2, 0.5]], [0.5, 0.5]), 3)
    0.15
    """
    return max(_expected(row, weights) for row in scores) - 0.5


def near_equilibrium(scores: Scores, allowance: float = ALLOWANCE) -> list[float]:
    """Weights as even as can be while they can be exploited by no more than the allowance.

    Results of a few games are uncertain, and whoever plays few setups can be studied: so as much
    of the even mix as the allowance permits is blended in, and in any case a little.
    """
    size = len(scores)
    exact = equilibrium(scores)
    percent = 100
    while True:
        even = percent / 100
        mixed = [(1 - even) * weight + even / size for weight in exact]
        if even <= FEWEST_EVEN or exploitability(scores, mixed) <= allowance:
            return mixed
        percent -= 5


def _expected(row: Sequence[float], weights: Sequence[float]) -> float:
    return fsum(map(mul, row, weights))


def _shares(numbers: Sequence[float]) -> list[float]:
    total = sum(numbers)
    if total <= 0:
        return [1 / len(numbers)] * len(numbers)
    return [number / total for number in numbers]
