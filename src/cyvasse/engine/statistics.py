"""What a match proves: a score with its error, the Elo difference, and when to stop.

Games are played in pairs, on the same setups with the players swapped.  The two games of a pair
depend on each other, so pairs are counted, not games: ``counts`` are the numbers of pairs that
brought the first player 0, ½, 1, 1½ and 2 points.

Everything here rests on one number: how likely these counts can be at best if the expected score
were ``s``.  No normal distribution is assumed, so that a match of nothing but wins is no exception.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from cyvasse.errors import CyvasseError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score of a pair with 0, ½, 1, 1½ and 2 points."""

Decision = Literal["H0", "H1"]

# What has not been seen yet is not impossible: it counts as if it had been seen this often.
_UNSEEN = 1e-3
# Twice the logarithm of a likelihood ratio exceeds this by chance in 5 % of all cases (chi²).
_CHI_SQUARE_95 = 3.8414588
_HALVINGS = 32


class Interval(NamedTuple):
    """A value and the bounds between which it lies with 95 % confidence."""

    low: float
    value: float
    high: float


def score_interval(counts: Sequence[int]) -> Interval:
    """The score of the first player, 0 to 1; before any game it may be anything.

    >>> low, score, high = score_interval([0, 0, 0, 0, 100])
    >>> score, round(low, 3), high
    (1.0, 0.981, 1.0)
    """
    if not any(counts):
        return Interval(0.0, 0.5, 1.0)
    score = sum(n * s for n, s in zip(counts, SCORES, strict=True)) / sum(counts)
    return Interval(_bound(counts, score, 0.0), score, _bound(counts, score, 1.0))


def elo(score: float) -> float:
    """The Elo difference that an expected score means.

    >>> round(elo(0.75))
    191
    >>> elo(1.0)
    inf
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def elo_interval(counts: Sequence[int]) -> Interval:
    """The Elo difference between the first player and the second."""
    return Interval(*(elo(score) for score in score_interval(counts)))


def log_likelihood(counts: Sequence[int], score: float) -> float:
    """How much less likely the counts are if this is the expected score: 0 at best, as a logarithm.

    Of all chances of the five results that have this expected score, those that make the counts
    likeliest are ``n / (1 + t·(s - score))`` up to a factor, with the one ``t`` that fits.
    """
    if not 0 < score < 1:
        return -math.inf
    seen = [(n or _UNSEEN, s - score) for n, s in zip(counts, SCORES, strict=True)]
    pull = _pull(seen, score)
    return -sum(n * math.log(1 + pull * away) for n, away in seen)


def _pull(seen: list[tuple[float, float]], score: float) -> float:
    """The ``t`` at which the mean distance from the score is zero."""
    low, high = -1 / (1 - score), 1 / score
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        mean = 0.0
        for n, away in seen:
            mean += n * away / (1 + middle * away)
        if mean > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _bound(counts: Sequence[int], inside: float, outside: float) -> float:
    """Where, from the score outwards, scores become too unlikely."""
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if -2 * log_likelihood(counts, middle) < _CHI_SQUARE_95:
            inside = middle
        else:
            outside = middle
    return outside


class Sprt(NamedTuple):
    """The sequential test: play on until one of two expected scores is refuted.

    ``alpha`` is the chance to accept ``h1`` though ``h0`` is true, ``beta`` the opposite.

    >>> test = Sprt(0.55, 0.65)
    >>> test.decision([0, 0, 0, 0, 17]) is None, test.decision([0, 0, 0, 0, 18])
    (True, 'H1')
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio ``h0`` is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio ``h1`` is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The logarithm of how much likelier ``h1`` makes the counts than ``h0`` does."""
        if not any(counts):
            return 0.0
        return log_likelihood(counts, self.h1) - log_likelihood(counts, self.h0)

    def decision(self, counts: Sequence[int]) -> Decision | None:
        """Which of the two is accepted, if either is."""
        llr = self.llr(counts)
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None

    def checked(self) -> Sprt:
        """This test, if it makes sense."""
        if not 0 < self.h0 < self.h1 < 1:
            raise CyvasseError(
                f"the test compares two expected scores between 0 and 1, the lower one first, "
                f"such as 0.55 and 0.65, not {self.h0} and {self.h1}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise CyvasseError(
                f"the error rates lie between 0 and 0.5, not at {self.alpha} and {self.beta}"
            )
        return self
