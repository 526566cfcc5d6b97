"""Evaluation, an aspect of every rule set: what a position is worth, for the engine's sake.

A rule set names its *features*, things that can be counted on the board, and counts them.  The
score is the sum of the counts times their weights and nothing else: so the weights are data, and
whoever tunes them sees exactly the numbers that the search sees.  A weight of 100 is one Rabble.

Whoever writes in plain Python derives from ``PlainEvaluation`` (``plain.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position

if not cython.compiled:
    MOST_FEATURES = 160
    # What taking a King gains: more than everything else on the board together.
    KING_GAIN = 10000
    # Beyond this the search keeps its scores for won and lost games.
    HIGHEST_SCORE = 20000


class WeightedFeature(NamedTuple):
    """Something to count, with the weight from which tuning starts."""

    name: str
    weight: int
    meaning: str


NO_FEATURES: tuple[WeightedFeature, ...] = ()


class Evaluation:
    """Counts and weighs the features of one rule set.

    It has scratch space, so that each thread of a search needs one of its own.  What helps it with
    the next position it keeps itself and not in positions: only who evaluates shall pay for that.
    """

    features = NO_FEATURES
    """What is counted, in the order of ``counts``; each rule set names its own."""

    size: int
    weights: list[int]
    counts: list[int]

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        """With other weights for some or all features, by name."""
        self.size = len(self.features)
        if self.size > MOST_FEATURES:
            raise CyvasseError(f"{self.size} features are more than {MOST_FEATURES}")
        if not cython.compiled:
            self.weights, self.counts = [0] * MOST_FEATURES, [0] * MOST_FEATURES
        given = dict(weights or {})
        for i, feature in enumerate(self.features):
            weight = given.pop(feature.name, feature.weight)
            if type(weight) is not int or abs(weight) > HIGHEST_SCORE:
                raise CyvasseError(f"the weight of {feature.name} is {weight!r}, not a number")
            self.weights[i] = weight
            self.counts[i] = 0
        if given:
            raise CyvasseError(f"no feature is called {next(iter(given))!r}")

    # --- the inner face: each rule set writes these two -------------------------------------------

    def measure(self, position: Position) -> None:
        """Set ``counts``: what White has of each feature less what Black has."""
        raise NotImplementedError

    def gain(self, position: Position, code: int) -> int:
        """What an action takes from the opponent at once, less what it costs the own side at once.

        0 for a quiet action; at least ``KING_GAIN`` for taking a King.  The search looks first,
        and in quiet positions only, at what gains, so it must be quick rather than exact.
        """
        raise NotImplementedError

    # --- the same for all -------------------------------------------------------------------------

    def score(self, position: Position) -> int:
        """The worth of a position for the player to act."""
        self.measure(position)
        total = 0
        for i in range(self.size):
            total += self.counts[i] * self.weights[i]
        if total > HIGHEST_SCORE:
            total = HIGHEST_SCORE
        elif total < -HIGHEST_SCORE:
            total = -HIGHEST_SCORE
        return -total if position.side else total

    def count(self, position: Position) -> list[int]:
        """The counts of all features, in their order: what tuning learns from."""
        self._check(position)
        self.measure(position)
        position.raise_fault()
        return [self.counts[i] for i in range(self.size)]

    def worth(self, position: Position) -> int:
        """The score, for people."""
        self._check(position)
        score = self.score(position)
        position.raise_fault()
        return score

    def gain_of(self, position: Position, code: int) -> int:
        """The gain of a legal action, given as its number."""
        self._check(position)
        gain = self.gain(position, code)
        position.raise_fault()
        return gain

    def _check(self, position: Position) -> None:
        """Refuse a position of another rule set: C would read what is not there."""
        if not isinstance(position, Position):
            raise CyvasseError(f"a position is judged, not {position!r:.40}")
        if not isinstance(self, position.rules.evaluation_type):
            raise CyvasseError(
                f"{type(self).__name__} judges no positions of {position.rules.title}"
            )

    def weight_of(self, name: str) -> int:
        """The weight that a feature has here."""
        names = [feature.name for feature in self.features]
        return self.weights[names.index(name)]


def unwritten(kind: type[Evaluation]) -> list[str]:
    """Which methods of the inner face a class does not write."""
    names: list[str]
    if cython.compiled:
        names = inherited(kind.__new__(kind))  # type: ignore[name-defined]  # noqa: F821
    else:
        inner = ("measure", "gain")
        names = [name for name in inner if getattr(kind, name) is getattr(Evaluation, name)]
    return names
