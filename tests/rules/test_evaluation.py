"""What this house asks of its own evaluations; the contract is tested by ``cyvasse.testing``."""

from __future__ import annotations

import pytest

import cyvasse
from cyvasse import RuleSet
from tests.strategies import IDS

pytestmark = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def test_much_is_counted(rules: RuleSet) -> None:
    assert len(rules.evaluation().features) >= 30


def test_a_turn_to_act_is_worth_something(rules: RuleSet) -> None:
    position = rules.random_position(5)
    evaluation = rules.evaluation()
    names = [feature.name for feature in evaluation.features]
    tempo = evaluation.count(position)[names.index("tempo")]
    assert tempo == (1, -1)[position.turn]
