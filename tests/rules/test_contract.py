"""What this house asks of its own rule sets beyond the contract: files with known answers, a choice
of setups, decisions on the rules page.  The contract itself is tested by ``cyvasse.testing``."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import cyvasse
from cyvasse import Color, Position, RuleSet, StateError
from cyvasse.cli.verify import differences
from cyvasse.notation import read_state, state_document
from cyvasse.testing.strategies import walk
from tests.strategies import IDS

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
pytestmark = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def test_there_is_a_choice_of_named_setups(rules: RuleSet) -> None:
    assert len(rules.named_setups()) >= 4


def test_everything_that_can_be_told_happens(rules: RuleSet) -> None:
    if not cyvasse.COMPILED:
        pytest.skip("takes thousands of positions")
    happened = {
        effect.kind
        for seed in range(60)
        for position in walk(rules, seed, 200)
        for effect in position.effects()
    }
    assert happened <= set(rules.scene.sentences)


def test_decisions_are_on_the_rules_page_and_tested(rules: RuleSet) -> None:
    name = rules.id.replace("-", "_")
    page = (ROOT / "docs" / "rules" / f"{rules.id}.md").read_text()
    told = re.findall(r"^- \*\*(D\d+)\b", page, re.MULTILINE)
    assert told == [f"D{number}" for number in range(1, len(told) + 1)]
    own = ROOT / "tests" / "rules" / f"test_{name}.py"
    tests = own.read_text()
    tested = {f"D{number}" for number in re.findall(r"^def test_d(\d+)_", tests, re.MULTILINE)}
    assert set(told) - tested == set(), f"decisions without a test_d<number>_… in {own.name}"
    package = ROOT / "src" / "cyvasse" / "rules" / name
    sources = [*package.glob("*.py"), ROOT / "tests" / "reference" / f"{name}.py"]
    cited = {word for path in sources for word in re.findall(r"\bD\d+\b", path.read_text())}
    assert (tested | cited) - set(told) == set(), f"decisions that {rules.id}.md does not have"


def test_positions_cannot_be_half_made(rules: RuleSet) -> None:
    position = rules.random_position(2)
    with pytest.raises(StateError, match=r"rules\.position"):
        Position(rules, position.state())
    if cyvasse.COMPILED:
        shell = type(position).__new__(type(position))  # never initialised
        assert cyvasse.perft(shell, 2) == 0
        with pytest.raises(cyvasse.NothingToUndoError):
            shell.undo()
        with pytest.raises(AttributeError):
            shell.legal_actions()
    for color in ("white", Color.BLACK):
        assert isinstance(position.in_reserve(color), dict)
    strange: list[Any] = [5, -3, 10**9, None]
    for color in strange:
        with pytest.raises(cyvasse.CyvasseError):
            position.in_reserve(color)


def test_edges(rules: RuleSet) -> None:
    """Small positions, each of which some wrong reading of the rules would get wrong."""
    edges = (DATA / f"{rules.id}-edges.jsonl").read_text()
    lines = [json.loads(line) for line in edges.splitlines()]
    for line in lines:
        successors = line.pop("after", [])
        assert list(differences(rules, line)) == [], line["id"]
        answers = {"id", "actions", "perft", *rules.records.tally_names}
        described = {key: value for key, value in line.items() if key not in answers}
        position = rules.position(read_state(rules, described))
        for successor in successors:
            check_successor(position, successor, line["id"])
    assert len(lines) > 20


def check_successor(position: Position, expected: dict[str, Any], name: str) -> None:
    """What an action leads to, where the number of actions would not tell."""
    rules = position.rules
    (action,) = (
        a for a in position.legal_actions() if rules.records.record(a) == expected["action"]
    )
    position.play(action)
    document: Mapping[str, Any] = state_document(rules, position.state())
    for key, value in expected["position"].items():
        if key == "pieces":
            assert sorted(document[key], key=str) == sorted(
                ({"type": p["type"], "color": p["color"], "at": p["at"]} for p in value), key=str
            )
        else:
            assert document[key] == value, (name, key)
    outcome = position.outcome()
    winner = None if outcome is None else outcome.winner
    told = None if outcome is None else "draw" if winner is None else str(winner)
    assert told == expected["outcome"], name
    assert len(position.legal_actions()) == expected["next"], name
    position.undo()


def test_position_file(rules: RuleSet) -> None:
    """Every line of the position file compiled, a sample of 200 uncompiled."""
    with gzip.open(DATA / f"{rules.id}.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    if not cyvasse.COMPILED:
        lines = random.Random(2).sample(lines, 200)
    wrong = [(line["id"], list(differences(rules, line))) for line in lines]
    assert [entry for entry in wrong if entry[1]] == []
    assert len(lines) >= 200
