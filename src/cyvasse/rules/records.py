"""The words of files with known answers, which other programs have written.

No part of the contract: only ``cyvasse verify`` reads such files, and a rule set without them says
so.  docs/formats.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from cyvasse.actions import Action
from cyvasse.errors import StateError

if TYPE_CHECKING:
    from cyvasse.rules.base import Position
    from cyvasse.rules.ruleset import RuleSet


class Records:
    """How positions and games of one rule set are written in files with known answers."""

    tally_names: ClassVar[tuple[str, ...]] = ()
    """The keys of ``tallies``."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def record(self, action: Action) -> dict[str, Any]:
        """An action as plain data."""
        raise StateError(f"{self.rules.title} has no form for records of actions")

    def tallies(self, position: Position) -> dict[str, Any]:
        """What is counted in a position beyond its actions."""
        return {}

    def game_differences(self, game: Mapping[str, Any]) -> Iterator[str]:
        """Replay a whole game that another program has recorded and tell where it differs."""
        raise StateError(f"{self.rules.title} has no form for records of whole games")
