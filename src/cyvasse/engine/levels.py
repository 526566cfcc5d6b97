"""The ten levels: how much a bot looks at, and how much of it it overlooks.

A level counts nodes, never time, so that it plays the same on every machine.  The lower ones are
hasty: they look at a few of their own actions and see a part of what follows, drawn anew in every
position.  But no level loses at once where it need not, however hasty it is.

How many actions make a bot as strong as a beginner differs between rule sets, so what is here can
be replaced by ``data/<rule set>-levels.json``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet

ALL = 1024


class Level(NamedTuple):
    """What a level may do for one action."""

    nodes: int
    depth: int = 40
    own: int = ALL
    """How many own actions it looks at."""
    later: int = ALL
    """How many of 1024 actions it sees of those that follow, replies above all."""
    bold: bool = False
    """Whether it goes where most can be taken, and sees no replies."""
    last: int = 0
    """With so few pieces against many it gives up."""
    blur: int = 0
    """The largest misjudgement of an action, in hundredths of a Rabble."""
    lines: int = 1
    """How many of the best actions it wavers between."""


LEVELS: dict[int, Level] = {
    1: Level(1, 1, own=5, bold=True, last=3),
    2: Level(400, 1, own=2, later=512),
    3: Level(400, 1, own=5, later=512),
    4: Level(600, 2, own=12, later=700),
    5: Level(600, 2, later=850),
    6: Level(600),
    7: Level(2_500),
    8: Level(12_000),
    9: Level(120_000),
    10: Level(2_500_000),
}

FORMER: dict[int, Level] = {
    -1: Level(1_500, 1, blur=2_500, lines=40),
    -2: Level(1_500, 1, blur=700, lines=16),
    -3: Level(600, 2, blur=330, lines=8),
    -4: Level(600, 2, blur=110, lines=5),
    -5: Level(600),
    -6: Level(1_800),
    -7: Level(5_400),
    -8: Level(50_000),
}
"""The eight levels that there were before, for games that were begun with them: 5 became -5."""


MANY = 4
"""So many times the own pieces are many."""
HINT_LEVEL = 9
"""It plays for who asks for a hint: strong, and the same number of nodes for everyone."""


def check_level(level: object) -> int:
    """A level of the ten or a former one; CyvasseError if there is none."""
    if type(level) is int and (level in LEVELS or level in FORMER):
        return level
    raise CyvasseError(f"level is {level!r:.40}; the levels are 1 to {max(LEVELS)}")


def limits(level: int, rules: RuleSet) -> Level:
    """What a level may do in a rule set."""
    if level in FORMER:
        return FORMER[level]
    return LEVELS[level]._replace(**_own_limits(rules.id).get(str(level), {}))


@cache
def _own_limits(rules_id: str) -> dict[str, dict[str, Any]]:
    file = files("cyvasse.engine") / "data" / f"{rules_id}-levels.json"
    found: dict[str, dict[str, Any]] = json.loads(file.read_bytes()) if file.is_file() else {}
    return found


def gives_up(level: int, position: Position) -> bool:
    """Whether a bot of this level resigns at its turn: next to nothing is left to it."""
    last = limits(level, position.rules).last
    if not last or position.in_turn:
        return False
    own = others = 0
    for piece in position.pieces().values():
        if piece.color is position.turn:
            own += 1
        else:
            others += 1
    if own > last or others < MANY * own:
        return False
    stores = [store for store in position.scene().stores if store.color is position.turn]
    return not any(store.pieces for store in stores if store.kind == "reserve")


def level_name(level: int) -> str:
    """A level in words.

    >>> level_name(3), level_name(-3)
    ('level 3', 'former level 3')
    """
    return f"level {level}" if level > 0 else f"former level {-level}"
