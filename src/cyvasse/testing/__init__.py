"""The contract as tests, for whoever writes a rule set.

::

    pip install 'cyvasse[testing]'
    pytest --pyargs cyvasse.testing

runs them over every registered rule set, those of installed packages among them.  The environment
variable ``CYVASSE_TEST`` names the ones to test, for instance ``CYVASSE_TEST=ford``.  A test that
fails says in words what is broken and in which method to look.

Nothing else in the package imports this: it needs pytest and hypothesis.
"""

from __future__ import annotations

import os

import pytest

from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.ruleset import RuleSet

VARIABLE = "CYVASSE_TEST"


def tested() -> tuple[RuleSet, ...]:
    """The rule sets that ``CYVASSE_TEST`` names, or all."""
    named = os.environ.get(VARIABLE, "").replace(",", " ").split()
    return tuple(rule_set(name) for name in named) or rule_sets()


every_rule_set = pytest.mark.parametrize("rules", tested(), ids=lambda rules: rules.id)
