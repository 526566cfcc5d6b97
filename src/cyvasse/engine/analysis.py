"""What the engine tells about a position: scores and lines of play."""

from __future__ import annotations

from typing import NamedTuple

from cyvasse.actions import Action
from cyvasse.engine.search import SURE, WON


class Line(NamedTuple):
    """A line of play, the best for both sides, and what it is worth to the player to act."""

    score: int
    """In hundredths of a Rabble."""
    actions: tuple[Action, ...]

    @property
    def wins_in(self) -> int | None:
        """After how many actions the game is won, or lost if negative; None if it is open."""
        if self.score > SURE:
            return WON - self.score
        if self.score < -SURE:
            return -(WON + self.score)
        return None

    @property
    def verdict(self) -> str:
        """The score in words: ``+1.25``, ``wins in 3``, ``loses in 2``."""
        if self.wins_in is None:
            return f"{self.score / 100:+.2f}"
        return f"{'wins' if self.wins_in > 0 else 'loses'} in {abs(self.wins_in)}"

    def __str__(self) -> str:
        return f"{self.verdict}  {' '.join(str(action) for action in self.actions)}"


class Analysis(NamedTuple):
    """What is known after searching to some depth."""

    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    """The best lines, the best first; there is at least one."""

    @property
    def best(self) -> Action:
        """The action to play."""
        return self.lines[0].actions[0]

    @property
    def score(self) -> int:
        """What the best line is worth to the player to act, in hundredths of a Rabble."""
        return self.lines[0].score
