"""What a failing test says: what is broken, and in which method of the rule set to look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cyvasse.rules.base import Position
from cyvasse.rules.plain import PlainEvaluation, PlainPosition
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import in_words

# Where a rule set in plain Python writes what the contract calls by the first name.
_PLAIN = {
    "generate": "actions",
    "generate_captures": "actions",
    "generate_like": "actions",
    "make": "act",
    "unmake": "act",
    "state": "act",
    "copy": "act",
    "ending": "ended",
    "measure": "amounts",
    "gain": "prize",
}


def broken(rules: RuleSet, what: str, *hooks: str) -> str:
    """A sentence about a rule set, and where to look, such as ``Position.make``."""
    where = list(dict.fromkeys(method(rules, hook) for hook in hooks))
    return f"{rules.id}: {what} Look at {in_words(where)}."


def method(rules: RuleSet, hook: str) -> str:
    """Where a rule set writes a hook: ``FordPosition.actions`` for ``Position.generate``."""
    aspect, _, name = hook.partition(".")
    if aspect == "reasons":
        return f"{rules.reasons.__module__}.{rules.reasons.__qualname__}"
    if aspect == "RuleSet":
        return hook
    kind = {
        "Position": rules.position_type,
        "Setups": rules.setups_type,
        "Scene": rules.scene_type,
        "Evaluation": rules.evaluation_type,
    }[aspect]
    if issubclass(kind, PlainPosition | PlainEvaluation):
        name = _PLAIN.get(name, name)
    return f"{kind.__name__}.{name}"


def portrait(position: Position) -> dict[str, Any]:
    """Everything that can be seen of a position, the order of its actions included."""
    return {
        **{f"state().{name}": value for name, value in vars(position.state()).items()},
        "text()": position.text(),
        "hash": position.hash,
        "turn": position.turn,
        "in_turn": position.in_turn,
        "quiet_turns": position.quiet_turns,
        "outcome()": position.outcome(),
        "tallies()": position.tallies(),
        "legal_actions()": [str(action) for action in position.legal_actions()],
    }


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """What differs between two portraits, in words; nothing if nothing does."""
    return "; ".join(
        f"{name} was {short(value)} and is {short(after[name])}"
        for name, value in before.items()
        if after[name] != value
    )


def short(value: object) -> str:
    """A value as far as a line has room for it."""
    text = str(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
