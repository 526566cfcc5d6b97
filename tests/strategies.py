"""Positions, setups and games for property tests, of every registered rule set."""

from __future__ import annotations

import random

from hypothesis import strategies as st

import cyvasse
from cyvasse import Game, Position, RuleSet

IDS = [rules.id for rules in cyvasse.rule_sets()]
seeds = st.integers(0, 2**32 - 1)
LONGEST = 150 if cyvasse.COMPILED else 40


@st.composite
def positions(draw: st.DrawFn, rules: RuleSet, longest: int = LONGEST) -> Position:
    """A position reached by random play from random setups; it may be the end of a game."""
    return rules.random_position(draw(seeds), actions=draw(st.integers(0, longest)))


@st.composite
def games(draw: st.DrawFn, rules: RuleSet, longest: int = LONGEST) -> Game:
    """A game with some random actions played."""
    chance = random.Random(draw(seeds))
    game = Game(rules, repetition=draw(st.booleans()), quiet=draw(st.booleans()))
    for color in cyvasse.Color:
        game.submit(color, rules.random_setup(color, chance))
    game.lift_screen(rules.first_player or chance.choice(list(cyvasse.Color)))
    for _ in range(draw(st.integers(0, longest))):
        legal = game.legal_actions()
        if not legal:
            break
        game.play(chance.choice(legal))
    return game
