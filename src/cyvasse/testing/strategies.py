"""Positions and games for property tests, of any rule set."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

import cyvasse
from cyvasse.game import Game
from cyvasse.rules.base import Position
from cyvasse.rules.plain import PlainPosition
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color

seeds = st.integers(0, 2**32 - 1)


def is_quick(rules: RuleSet) -> bool:
    """Whether the rules run as C, so that thousands of positions take no time."""
    return cyvasse.COMPILED and not issubclass(rules.position_type, PlainPosition)


def longest(rules: RuleSet) -> int:
    """How many actions a random game may have here."""
    return 150 if is_quick(rules) else 40


@st.composite
def positions(draw: st.DrawFn, rules: RuleSet, at_most: int | None = None) -> Position:
    """A position reached by random play from random setups; it may be the end of a game."""
    actions = draw(st.integers(0, longest(rules) if at_most is None else at_most))
    return rules.random_position(draw(seeds), actions=actions)


@st.composite
def games(draw: st.DrawFn, rules: RuleSet) -> Game:
    """A game with some random actions played."""
    chance = random.Random(draw(seeds))
    game = Game(rules, repetition=draw(st.booleans()), quiet=draw(st.booleans()))
    for color in Color:
        game.submit(color, rules.random_setup(color, chance))
    game.lift_screen(rules.first_player or chance.choice(list(Color)))
    for _ in range(draw(st.integers(0, longest(rules)))):
        legal = game.legal_actions()
        if not legal:
            break
        game.play(chance.choice(legal))
    return game


def walk(rules: RuleSet, seed: int, length: int) -> Iterator[Position]:
    """A random game, the position before each action."""
    chance = random.Random(seed)
    position = rules.random_position(chance)
    for _ in range(length):
        yield position
        legal = position.legal_actions()
        if not legal:
            return
        position.play(chance.choice(legal))
