"""The tuned weights of the evaluations, kept as data beside this module."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from cyvasse.rules.ruleset import RuleSet


@cache
def tuned_weights(rules: RuleSet) -> dict[str, int]:
    """What tuning has found for a rule set; nothing for one that was never tuned."""
    file = files("cyvasse.engine") / "data" / f"{rules.id}-weights.json"
    if not file.is_file():
        return {}
    weights: dict[str, int] = json.loads(file.read_text(encoding="utf-8"))
    return weights
