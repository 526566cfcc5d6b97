"""What reading and writing game files have in common: results, tags and notes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Effect

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
# Tags that the game itself decides; all others are free words and kept as they are.
RESERVED = frozenset(
    {
        "Rules",
        "First",
        "WhiteSetup",
        "BlackSetup",
        "Position",
        "Repetition",
        "Quiet",
        "Result",
        "End",
    }
)
TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# Control characters, halves of characters, line and paragraph separators.
_NOT_IN_LINES = ("Cc", "Cs", "Zl", "Zp")


def fits_on_a_line(text: str) -> bool:
    """No control characters, line ends or halves of characters; names in any script do."""
    return text.isprintable() or not any(
        unicodedata.category(character) in _NOT_IN_LINES for character in text
    )


def note(rules: RuleSet, effects: Iterable[Effect]) -> str:
    """What happened by itself with an action, in parentheses; nothing if nothing did."""
    noted = []
    for effect in effects:
        if effect.kind in rules.noted_effects:
            where = f":{effect.square}" if effect.square else ""
            noted.append(effect.kind + where + (f"={effect.piece}" if effect.piece else ""))
    return f"({';'.join(noted)})" if noted else ""
