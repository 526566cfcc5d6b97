"""What somebody wants to play, as the command line or the first screen tells it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyvasse.errors import CyvasseError
from cyvasse.notation import parse_setup
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Setup, in_words
from cyvasse.terminal.keeping import read_text
from cyvasse.terminal.table import Table

USUAL_LEVEL = 3
GOOD = "good"
RANDOM = "random"


@dataclass
class Order:
    """A game that is wanted."""

    rules: RuleSet
    level: int | None = USUAL_LEVEL
    """The bot's level; None for a friend at the same keyboard."""
    color: Color | None = None
    """What the person plays against the bot; None draws lots."""
    first: Color | None = None
    setup: str | None = None
    """The name of a setup, ``random``, ``good`` or a file; None to arrange one."""
    seed: int | None = None

    def table(self) -> Table:
        """A table for this game."""
        table = Table.new(self.rules, first=self.first, seed=self.seed)
        if self.level is not None:
            person = self.color or table.lot()
            table.bots[person.other] = self.level
        return table


def wanted_setup(table: Table, color: Color, wish: str) -> Setup:
    """The setup that a word or a file stands for; it is legal, or CyvasseError says why not."""
    rules = table.rules
    if wish == RANDOM:
        return table.random_setup(color)
    if wish == GOOD:
        return table.good_setup(color)
    named = rules.named_setups(color)
    if wish in named:
        return named[wish]
    if not Path(wish).exists():
        known = in_words([*named, RANDOM, GOOD], "or")
        raise CyvasseError(f"no setup {wish!r:.60}: it is {known}, or a file")
    return rules.checked_setup(setup_from_file(rules, color, Path(wish)), color)


def setup_from_file(rules: RuleSet, color: Color, path: Path) -> Setup:
    """The setup in a file, for whoever asks; it may be illegal."""
    text = read_text(path)
    try:
        setup = parse_setup(text)
        if setup.rule_set != rules.id:
            raise CyvasseError(f"this is a setup for {setup.rule_set}, not for {rules.id}")
        return setup if setup.color is color else rules.turned_setup(setup)
    except CyvasseError as error:
        raise CyvasseError(f"{path}: {error}") from None
