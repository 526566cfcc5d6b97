"""The rule sets.  ``base`` is the contract; each other module or package is one rule set."""

from __future__ import annotations

from cyvasse.errors import UnknownRuleSetError
from cyvasse.rules.base import RuleSet
from cyvasse.rules.croft import CROFT_RULES
from cyvasse.rules.gameofcyvasse import GAMEOFCYVASSE_RULES
from cyvasse.rules.mikelepage import MIKELEPAGE_RULES
from cyvasse.rules.nine_tile import NINE_TILE_RULES

_RULE_SETS: dict[str, RuleSet] = {
    rules.id: rules
    for rules in (NINE_TILE_RULES, MIKELEPAGE_RULES, CROFT_RULES, GAMEOFCYVASSE_RULES)
}


def rule_set(name: str | RuleSet) -> RuleSet:
    """The rule set with that id.

    >>> rule_set("nine-tile").title
    'Nine-Tile Cyvasse'
    """
    if isinstance(name, RuleSet):
        return name
    if not isinstance(name, str) or name not in _RULE_SETS:
        raise UnknownRuleSetError(
            f"no rule set {name!r:.40}; there {'are' if len(_RULE_SETS) > 1 else 'is'} "
            f"{', '.join(_RULE_SETS)}"
        )
    return _RULE_SETS[name]


def rule_sets() -> tuple[RuleSet, ...]:
    """All rule sets."""
    return tuple(_RULE_SETS.values())
