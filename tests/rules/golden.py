"""Positions with known answers: legal actions, counts, tallies that others have worked out.

``<rule set>.jsonl.gz`` was computed by programs of other people, the edges and the whole games of a
rule set by implementations that were written from its rules alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyvasse import RuleSet, rule_set
from cyvasse.cli.verify import differences, verify_file
from cyvasse.notation import read_state
from tests import events, goldens


def edges(path: Path) -> Iterator[list[str]]:
    """What is wrong with each small position, and with what actions lead to there."""
    rules = rule_set(path.name.removesuffix("-edges.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        yield [f"{document['id']}: {problem}" for problem in edge_problems(rules, document)]


def edge_problems(rules: RuleSet, document: dict[str, Any]) -> Iterator[str]:
    """Where this library does not agree with a position whose successors may be told too."""
    from tests.rules.test_contract import check_successor

    line = {key: value for key, value in document.items() if key != "after"}
    yield from differences(rules, line)
    answers = {"id", "actions", "perft", *rules.records.tally_names}
    described = {key: value for key, value in line.items() if key not in answers}
    for successor in document.get("after", []):
        try:
            check_successor(rules.position(read_state(rules, described)), successor, line["id"])
        except AssertionError:
            yield f"something else comes after {json.dumps(successor['action'])}"


goldens.outside("positions", verify_file, "tests/data/*.jsonl.gz", slow=True)
goldens.outside("events", events.problems, "tests/data/events.json")
goldens.outside("edges", edges, "tests/data/*-edges.jsonl")
