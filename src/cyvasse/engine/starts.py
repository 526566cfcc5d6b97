"""With what a game begins: two setups from a source, and who begins.

In a match no two pairs begin alike: players with a limit of nodes would play the same games again.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from cyvasse.engine.setups import choose_setup
from cyvasse.notation import write_setup
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup

SETUP_SOURCES = ("pool", "named", "random")


class Start(NamedTuple):
    """With what the games of a pair begin."""

    setups: Mapping[Color, Setup]
    first: Color
    names: Mapping[Color, str]
    """The names of the setups where they have any."""


def draw_start(rules: RuleSet, source: str, seed: int) -> Start:
    """Draw two setups from a source, and who begins where the rule set leaves it open."""
    chance = random.Random(seed)
    first = chance.choice([WHITE, BLACK]) if rules.first_player is None else rules.first_player
    setups: dict[Color, Setup] = {}
    names: dict[Color, str] = {}
    for color in Color:
        draw = chance.getrandbits(62)
        if source == "random":
            setups[color] = rules.random_setup(color, draw)
        elif source == "named":
            names[color], setups[color] = _named(rules, color, draw)
        else:
            setups[color] = choose_setup(rules, color, seed=draw)
    return Start(setups, first, names)


class Starts:
    """The starts of a match, one for each pair: drawn one after the other, each but once.

    A start that comes up again is varied: one small change of a setup after the other, until it is
    new.

    >>> starts = Starts("nine-tile", "named", 1)
    >>> len({starts.text(number) for number in range(1, 41)})
    40
    """

    def __init__(self, rules_id: str, source: str, seed: int) -> None:
        self._rules = rule_set(rules_id)
        self._source = source
        self._seed = seed
        self._drawn: list[Start] = []
        self._texts: dict[str, None] = {}

    def of(self, pair: int) -> Start:
        """With what a pair begins, the first being number 1."""
        while len(self._drawn) < pair:
            self._draw(len(self._drawn) + 1)
        return self._drawn[pair - 1]

    def text(self, pair: int) -> str:
        """The same as a text, for comparing."""
        return _text(self.of(pair))

    def _draw(self, pair: int) -> None:
        chance = random.Random(f"{self._seed} {pair} start")
        start = draw_start(self._rules, self._source, chance.getrandbits(62))
        while (text := _text(start)) in self._texts:
            color = chance.choice(list(Color))
            varied = self._rules.varied_setup(start.setups[color], chance)
            names = {each: name for each, name in start.names.items() if each is not color}
            start = Start({**start.setups, color: varied}, start.first, names)
        self._texts[text] = None
        self._drawn.append(start)


@lru_cache(4)
def starts_of(rules_id: str, source: str, seed: int) -> Starts:
    """The starts of a match, kept for its other pairs."""
    return Starts(rules_id, source, seed)


def _text(start: Start) -> str:
    return " ".join([*(write_setup(start.setups[color]) for color in Color), str(start.first)])


def _named(rules: RuleSet, color: Color, seed: int) -> tuple[str, Setup]:
    named = rules.named_setups(color)
    name = random.Random(seed).choice(sorted(named))
    return name, named[name]
