"""What the project's own tests draw, beside ``cyvasse.testing.strategies``: the rule sets by id."""

from __future__ import annotations

import cyvasse
from cyvasse.testing.strategies import games, positions, seeds

IDS = [rules.id for rules in cyvasse.rule_sets()]

__all__ = ["IDS", "games", "positions", "seeds"]
