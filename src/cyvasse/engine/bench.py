"""A fixed amount of searching, to see how fast it is and whether it still finds the same."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from cyvasse.engine.player import Engine
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE

NODES = 40_000
_SEED = 9
_PLAYED = (0, 8, 16, 24, 32, 40, 48, 56)  # random actions before each position


class BenchResult(NamedTuple):
    """What searching a rule set's positions took and found."""

    nodes: int
    seconds: float
    depth: float
    """The mean depth reached."""
    signature: str
    """The nodes and a hash of everything found: as long as it stays, the search does the same."""

    @property
    def speed(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, 1e-6))


def bench(rules: RuleSet, nodes: int = NODES) -> BenchResult:
    """Search each of the rule set's fixed positions with that many nodes and one thread.

    >>> from cyvasse.rules import rule_set
    >>> rules = rule_set("nine-tile")
    >>> bench(rules, nodes=100).signature == bench(rules, nodes=100).signature
    True
    """
    return search_all(bench_positions(rules), nodes)


def search_all(positions: Sequence[Position], nodes: int) -> BenchResult:
    """Search some positions one after the other with one thread."""
    engine = Engine()
    found = hashlib.sha256()
    total = depths = 0
    seconds = 0.0
    for position in positions:
        start = time.process_time()
        # The nodes of an iteration that the limit cuts off are not told, so its time is not taken.
        analyses = [
            (time.process_time() - start, one) for one in engine.analyse(position, nodes=nodes)
        ]
        taken, last = analyses[-1]
        seconds += taken
        total += last.nodes
        depths += last.depth
        for _, one in analyses:
            found.update(f"{one.depth} {one.nodes} {one.lines[0]}\n".encode())
    signature = f"{total}-{found.hexdigest()[:12]}"
    return BenchResult(total, seconds, depths / len(positions), signature)


def bench_positions(rules: RuleSet) -> list[Position]:
    """Starts and middle games from named setups, the same every time."""
    chance = random.Random(_SEED)
    names = list(rules.named_setups())
    return [
        _middle_game(rules, names[i % len(names)], names[(i + i // 2) % len(names)], count, chance)
        for i, count in enumerate(_PLAYED)
    ]


def _middle_game(
    rules: RuleSet, white: str, black: str, count: int, chance: random.Random
) -> Position:
    """The position after so many random actions, or the last before the game would be over."""
    setups = rules.named_setups(WHITE)[white], rules.named_setups(BLACK)[black]
    position = rules.start(*setups, rules.first_player or WHITE)
    for _ in range(count):
        actions = position.legal_actions()
        chance.shuffle(actions)
        for action in actions:
            position.play(action)
            if position.outcome() is None:
                break
            position.undo()
    return position
