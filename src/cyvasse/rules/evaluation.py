"""What a position is worth: the second contract that a rule set honours, for the engine's sake.

A rule set names its *features*, things that can be counted on the board, and counts them.  The
score is the sum of the counts times their weights and nothing else: so the weights are data, and
whoever tunes them sees exactly the numbers that the search sees.  A weight of 100 is one Rabble.
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


class Feature(NamedTuple):
    """Something to count, with the weight from which tuning starts."""

    name: str
    weight: int
    meaning: str


NO_FEATURES: tuple[Feature, ...] = ()


class Evaluation:
    """Counts and weighs the features of one rule set.

    It has scratch space, so that each thread of a search needs one of its own.
    """

    features = NO_FEATURES

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
        self.measure(position)
        return [self.counts[i] for i in range(self.size)]

    def worth(self, position: Position) -> int:
        """The score, for people."""
        return self.score(position)

    def gain_of(self, position: Position, code: int) -> int:
        """The gain of a legal action, given as its number."""
        return self.gain(position, code)

    def weight_of(self, name: str) -> int:
        """The weight that a feature has here."""
        names = [feature.name for feature in self.features]
        return self.weights[names.index(name)]
