"""What searches and proofs have found, with which later ones are compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cyvasse
from cyvasse import Engine, RuleSet, forced_win
from cyvasse.engine.bench import bench
from tests import goldens
from tests.goldens import DATA

SEARCHES = DATA / "search.json"
SIGNATURES = DATA / "bench.json"


def sample(rules: RuleSet) -> list[list[object]]:
    """Position, hash, nodes, and the line found, for some positions.

    With the evaluations' own weights, so that tuning changes nothing here.
    """
    found: list[list[object]] = []
    for seed in range(5):
        position = rules.random_position(seed, actions=15 * seed)
        if position.outcome():
            continue
        *_, analysis = Engine(weights={}).analyse(position, nodes=300, lines=2)
        lines = [str(line) for line in analysis.lines]
        found.append([position.text(), position.hash, analysis.depth, analysis.nodes, lines])
    return found


def searches() -> Iterator[tuple[Path, str]]:
    document = {rules.id: sample(rules) for rules in cyvasse.rule_sets()}
    yield SEARCHES, json.dumps(document, indent=1) + "\n"


def signatures() -> Iterator[tuple[Path, str]]:
    """What ``cyvasse bench`` prints: as long as it stays, the engine plays the same."""
    found = {rules.id: bench(rules).signature for rules in cyvasse.rule_sets()}
    yield SIGNATURES, json.dumps(found, indent=1) + "\n"


def tactics() -> Iterator[tuple[Path, str]]:
    """The kept positions with the forced wins that are proved now.

    Those without one are left out; benchmarks/tactics.py finds others.
    """
    for rules in cyvasse.rule_sets():
        path = DATA / f"tactics-{rules.id}.jsonl"
        kept = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        proved = [proof(line["position"], line["turns"]) for line in kept]
        yield path, "".join(json.dumps(line) + "\n" for line in proved if line)


def proof(text: str, turns: int) -> dict[str, object] | None:
    try:
        found = forced_win(cyvasse.parse_position(text), turns)
    except cyvasse.CyvasseError:  # no longer a position of these rules
        return None
    if not found.won:
        return None
    best = sorted(str(action) for action in found.best)
    return {"position": text, "turns": found.turns, "best": best}


goldens.ours("searches", searches, "tests/data/search.json")
goldens.ours("signatures", signatures, "tests/data/bench.json")
goldens.ours("tactics", tactics, "tests/data/tactics-*.jsonl", slow=True)
