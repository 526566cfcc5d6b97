"""Fitting weights to results: logistic regression over sparse counts, without any library.

A score s for White is taken to promise White the share 1 / (1 + e^(-s / scale)) of the point.  The
scale is fitted first, for the weights as they are; then the weights, so that the promises come as
near as can be to what happened.  A weight is believed to lie near where it started, so that what
the games say little about stays where it is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cyvasse.errors import CyvasseError

BATCH = 256
MOST_EPOCHS = 80
PATIENCE = 8  # epochs without a better result on the games held out
STEP = 1.0  # the first steps of a weight, in hundredths of a Rabble
# How far a weight may be expected to move: a part of itself, but some points in any case.
SPREAD = 0.4
LEAST_SPREAD = 40.0
# From half a Rabble on the sign of a weight is known beforehand.
SURE_SIGN = 50
CERTAIN = 1e-9


class Sample(NamedTuple):
    """A position: its counts that are not 0, by feature number, and White's score of the game."""

    counts: tuple[tuple[int, int], ...]
    result: float


class Fit(NamedTuple):
    """What was found, and how well it foretells the games held out."""

    weights: tuple[int, ...]
    scale: float
    before: float
    after: float
    """The loss, before and after: the mean logarithm of how surprising the results were."""
    epochs: int


def fit(
    games: Sequence[Sequence[Sample]],
    start: Sequence[int],
    *,
    seed: int = 1,
    spread: float = SPREAD,
    on_epoch: Callable[[int, float], None] = lambda epoch, loss: None,
) -> Fit:
    """The weights that foretell the results of games best; every fifth game is held out.

    ``on_epoch`` hears the number of each epoch and the loss on the games held out.
    """
    held_out = [sample for game in games[::5] for sample in game]
    learnt = [sample for i, game in enumerate(games) if i % 5 for sample in game]
    if not held_out or not learnt:
        raise CyvasseError("five games or more are needed, with positions to learn from")
    scale = fitted_scale(learnt, start)
    spreads = [max(LEAST_SPREAD, spread * abs(weight)) for weight in start]
    descent = _Descent(start, scale, spreads, len(games) - len(games[::5]))
    chance = random.Random(seed)
    before = loss(held_out, start, scale)
    best, best_loss, best_epoch = list(map(float, start)), before, 0
    epoch = 0
    while epoch < MOST_EPOCHS and epoch - best_epoch < PATIENCE:
        epoch += 1
        chance.shuffle(learnt)
        rate = STEP / (1 + epoch / 8)
        for first in range(0, len(learnt), BATCH):
            descent.step(learnt[first : first + BATCH], rate)
        now = loss(held_out, descent.weights, scale)
        on_epoch(epoch, now)
        if now < best_loss:
            best, best_loss, best_epoch = list(descent.weights), now, epoch
    weights = tuple(round(weight) for weight in best)
    return Fit(weights, scale, before, loss(held_out, weights, scale), epoch)


def loss(samples: Sequence[Sample], weights: Sequence[float], scale: float) -> float:
    """How badly the weights foretell the results: 0.69 for guessing, 0 for knowing."""
    total = 0.0
    for counts, result in samples:
        share = _share(sum([weights[i] * count for i, count in counts]) / scale)
        total -= result * math.log(share + CERTAIN) + (1 - result) * math.log(1 - share + CERTAIN)
    return total / len(samples)


def fitted_scale(samples: Sequence[Sample], weights: Sequence[float]) -> float:
    """The scale at which the weights foretell the results best, between 30 and 3000."""
    low, high = math.log(30), math.log(3000)
    golden = (math.sqrt(5) - 1) / 2
    while high - low > 0.01:
        third = golden * (high - low)
        inner, outer = high - third, low + third
        if loss(samples, weights, math.exp(inner)) < loss(samples, weights, math.exp(outer)):
            high = outer
        else:
            low = inner
    return math.exp((low + high) / 2)


class _Descent:
    """Adam, with a pull towards the start that counts as much as it would in whole games.

    Positions of one game share one result: taken together they say as much as one game.
    """

    def __init__(
        self, start: Sequence[int], scale: float, spreads: Sequence[float], games: int
    ) -> None:
        self.start = [float(weight) for weight in start]
        self.weights = list(self.start)
        self.scale = scale
        self.pull = [1 / (games * spread * spread) for spread in spreads]
        self.mean = [0.0] * len(start)
        self.square = [0.0] * len(start)
        self.steps = 0

    def step(self, batch: Sequence[Sample], rate: float) -> None:
        weights, scale = self.weights, self.scale
        slopes = [0.0] * len(weights)
        for counts, result in batch:
            error = _share(sum([weights[i] * count for i, count in counts]) / scale) - result
            for i, count in counts:
                slopes[i] += error * count
        self.steps += 1
        steady = 1 - 0.9**self.steps
        rough = 1 - 0.999**self.steps
        for i, slope in enumerate(slopes):
            slope = slope / (scale * len(batch)) + self.pull[i] * (weights[i] - self.start[i])
            self.mean[i] += 0.1 * (slope - self.mean[i])
            self.square[i] += 0.001 * (slope * slope - self.square[i])
            size = math.sqrt(self.square[i] / rough) + 1e-12
            weights[i] -= rate * self.mean[i] / steady / size
            self._keep_sign(i)

    def _keep_sign(self, i: int) -> None:
        if self.start[i] >= SURE_SIGN:
            self.weights[i] = max(1.0, self.weights[i])
        elif self.start[i] <= -SURE_SIGN:
            self.weights[i] = min(-1.0, self.weights[i])


def _share(score: float) -> float:
    return 1 / (1 + math.exp(-score)) if score > -500 else 0.0
