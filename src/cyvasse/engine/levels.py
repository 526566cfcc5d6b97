"""The eight levels: how much a bot looks at and how badly it judges.

A level counts nodes, never time, so that it plays the same on every machine.  The lower ones also
err: they look at several good actions and misjudge each by up to ``blur``, but they never give
their King away knowingly and never overlook a win that they have seen.
"""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """What a level may do for one action."""

    nodes: int
    depth: int
    blur: int
    """The largest misjudgement of an action, in hundredths of a Rabble."""
    lines: int
    """How many of the best actions it wavers between."""


LEVELS: dict[int, Level] = {
    1: Level(nodes=1_500, depth=1, blur=2_500, lines=40),
    2: Level(nodes=1_500, depth=1, blur=700, lines=16),
    3: Level(nodes=600, depth=2, blur=330, lines=8),
    4: Level(nodes=600, depth=2, blur=110, lines=5),
    5: Level(nodes=600, depth=40, blur=0, lines=1),
    6: Level(nodes=1_800, depth=40, blur=0, lines=1),
    7: Level(nodes=5_400, depth=40, blur=0, lines=1),
    8: Level(nodes=50_000, depth=40, blur=0, lines=1),
}
