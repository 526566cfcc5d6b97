"""Hold the library against a reference, on random setups and random games from them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Protocol, cast

import cyvasse
from cyvasse import Color, Position, RuleSet, Setup, StateError
from cyvasse.rules.terms import exchanged

LONGEST = 400


class Reference(Protocol):
    """What a module of this folder offers.  All texts are those of docs/formats.md."""

    def setup_is_legal(self, setup: str) -> bool:
        """Whether a setup, which may be unfinished or wrong, may be played."""

    def start(self, white: str, black: str, first: str) -> str:
        """The first position of two legal setups; ``first`` is white or black."""

    def actions(self, position: str) -> set[str]:
        """The legal actions.  None if the game is over."""

    def after(self, position: str, action: str) -> str:
        """The position after a legal action."""

    def result(self, position: str) -> str | None:
        """1-0, 0-1 or 1/2-1/2 if the rules have ended the game, else None.

        Platform rules P1, P2, P3 and P5 are no matter of the position and do not count.
        """


def reference(rules: RuleSet) -> Reference:
    """The reference for a rule set."""
    name = rules.id.replace("-", "_")
    return cast(Reference, import_module(f"tests.reference.{name}"))


def differences(rules: RuleSet, seed: int, positions: int) -> Iterator[str]:
    """Where the two differ, in words that are enough to look at it again."""
    chance = random.Random(seed)
    other = reference(rules)
    yield from _setups(rules, other, chance, positions // 10)
    seen = 0
    while seen < positions:
        for difference in _game(rules, other, chance):
            seen += 1
            if difference:
                yield difference


def _setups(rules: RuleSet, other: Reference, chance: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        setup = rules.random_setup(chance.choice(list(Color)), chance)
        for _ in range(chance.randrange(4)):
            setup = _spoilt(rules, setup, chance)
        text = cyvasse.write_setup(setup)
        problems = rules.check_setup(setup)
        if other.setup_is_legal(text) is not (not problems):
            yield f"setup {text}: the library says {[str(each) for each in problems]}"


def _spoilt(rules: RuleSet, setup: Setup, chance: random.Random) -> Setup:
    """Something is changed that may break a rule."""
    pieces, terrain, fields = dict(setup.pieces), dict(setup.terrain), dict(setup.fields)
    home = rules.home(setup.color)  # what stands elsewhere has no text
    other = rules.random_setup(setup.color, chance)
    at = chance.choice(home)
    match chance.randrange(6):
        case 0:
            pieces.pop(at, None)
        case 1:
            pieces[at] = chance.choice(rules.piece_types).name
        case 2:
            pieces = exchanged(pieces, at, chance.choice(home))
        case 3:
            terrain.pop(at, None)
        case 4:
            terrain = dict(other.terrain)
        case 5 if fields:
            name = chance.choice(sorted(fields))
            fields[name] = other.fields[name]
    return Setup(setup.rule_set, setup.color, pieces, terrain, fields)


def _game(rules: RuleSet, other: Reference, chance: random.Random) -> Iterator[str | None]:
    """One random game; for each position that is compared how it differs, or None."""
    white, black = (rules.random_setup(color, chance) for color in Color)
    first = chance.choice(list(Color))
    position = rules.start(white, black, first)
    start = other.start(cyvasse.write_setup(white), cyvasse.write_setup(black), str(first))
    if start != position.text():
        yield f"start: {position.text()}\nreference: {start}"
    eager = chance.choice([0.0, 0.3, 0.8])  # to capture
    step = chance.randint(1, 4)  # not every position of one game: they are much alike
    thinned = chance.randrange(2 * LONGEST // 10)
    for number in range(LONGEST):
        if number == thinned:
            position = _thinned(rules, position, chance)
        legal = position.legal_actions()
        if not legal or number % step == 0:
            yield _difference(position, other, chance)
        if not legal:
            return
        striking = [action for action in legal if action.struck]
        position.play(chance.choice(striking if striking and chance.random() < eager else legal))


def _thinned(rules: RuleSet, position: Position, chance: random.Random) -> Position:
    """The same with a few pieces only, as in endings that random play seldom comes to."""
    state = position.state()
    share = chance.random() / 2
    pieces = {
        at: piece
        for at, piece in state.pieces.items()
        if piece.type == "king" or chance.random() < share
    }
    try:
        return rules.position(replace(state, pieces=pieces))
    except StateError:
        return position  # a field tells of a piece that would be gone


def _difference(position: Position, other: Reference, chance: random.Random) -> str | None:
    text = position.text()
    outcome = position.outcome()
    ours, theirs = set(position.action_texts()), other.actions(text)
    if ours != theirs:
        return f"{text}\nonly in the library {ours - theirs}, only in the reference {theirs - ours}"
    result = None if outcome is None else outcome.result
    if result != other.result(text):
        return f"{text}\nlibrary: {result}, reference: {other.result(text)}"
    if ours:
        action = chance.choice(sorted(ours))
        position.play(action)
        after = position.text()
        position.undo()
        if after != other.after(text, action):
            return f"{text}\n{action}: {after}\nreference: {other.after(text, action)}"
    return None
