"""What a short search finds, for comparing the two builds: ``python -m tests.engine.golden``.

With the evaluations' own weights, so that tuning changes nothing here.
"""

from __future__ import annotations

import json
from pathlib import Path

import cyvasse
from cyvasse import Engine, RuleSet

GOLDEN = Path(__file__).parent.parent / "data" / "search.json"


def sample(rules: RuleSet) -> list[list[object]]:
    """Position, hash, nodes, and the line found, for some positions."""
    found: list[list[object]] = []
    for seed in range(5):
        position = rules.random_position(seed, actions=15 * seed)
        if position.outcome():
            continue
        *_, analysis = Engine(weights={}).analyse(position, nodes=300, lines=2)
        lines = [str(line) for line in analysis.lines]
        found.append([position.text(), position.hash, analysis.depth, analysis.nodes, lines])
    return found


if __name__ == "__main__":
    document = {rules.id: sample(rules) for rules in cyvasse.rule_sets()}
    GOLDEN.write_text(json.dumps(document, indent=1) + "\n")
