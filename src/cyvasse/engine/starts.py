"""With what a game begins: two setups from a source, and who begins."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from cyvasse.engine.setups import choose_setup
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


def _named(rules: RuleSet, color: Color, seed: int) -> tuple[str, Setup]:
    named = rules.named_setups(color)
    name = random.Random(seed).choice(sorted(named))
    return name, named[name]
