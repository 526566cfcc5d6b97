"""The library and the references agree on fresh positions, others every time."""

from __future__ import annotations

import itertools
import os
import secrets

import pytest

import cyvasse
from cyvasse import RuleSet
from tests.reference.compare import differences, reference
from tests.strategies import IDS
from tests.tiers import lasting

POSITIONS = lasting(2_000, 20_000) if cyvasse.COMPILED else 200


# What random play hardly ever comes to, with what is played there.
SELDOM = {
    "two forced passes": (
        "gameofcyvasse 7k/8/8/8/8/8/8/K7 6m1/6mm/8/8/8/8/mm6/1m6 w - 0",
        ["pass", "pass"],
    ),
    "a pass that does not count between two that do": (
        "gameofcyvasse 7k/8/8/8/8/8/8/K7 7w/8/8/8/8/8/mm6/1m6 w waiting=h8 0",
        ["pass", "pass", "pass", "h8-h7", "pass"],
    ),
}


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)
def test_the_reference_agrees(rules: RuleSet) -> None:
    seed = int(os.environ.get("CYVASSE_SEED") or secrets.randbits(32))
    found = list(itertools.islice(differences(rules, seed, POSITIONS), 5))
    assert not found, f"CYVASSE_SEED={seed} makes these again:\n" + "\n\n".join(found)


@pytest.mark.parametrize(("text", "actions"), SELDOM.values(), ids=SELDOM)
def test_what_is_seldom_agrees(text: str, actions: list[str]) -> None:
    position = cyvasse.parse_position(text)
    other = reference(position.rules)
    for action in actions:
        assert set(position.action_texts()) == other.actions(text)
        position.play(action)
        text = other.after(text, action)
        assert position.text() == text
        outcome = position.outcome()
        assert (outcome and outcome.result) == other.result(text)
