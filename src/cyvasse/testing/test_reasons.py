"""Reasons, the second opinion on the rules, against what positions list."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse.actions import Action
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.testing import every_rule_set
from cyvasse.testing.strategies import positions, walk
from cyvasse.testing.words import broken

pytestmark = every_rule_set


def reach(position: Position) -> dict[tuple[str, str], Action]:
    """What is listed, by the square of the piece and the squares where it ends or strikes."""
    return {
        (action.origin, square): action
        for action in position.legal_actions()
        if action.origin is not None
        for square in (action.target, action.victim)
        if square is not None and square != action.origin
    }


def listed(rules: RuleSet) -> Iterator[tuple[Position, str, str, Action]]:
    """Whatever is listed in one random game after another."""
    for seed in itertools.count():
        for position in walk(rules, seed, 60):
            for (origin, square), action in reach(position).items():
                yield position, origin, square, action


def test_whatever_is_listed_has_its_reason(rules: RuleSet) -> None:
    for position, origin, square, action in itertools.islice(listed(rules), 5000):
        reason = cyvasse.explain(position, origin, square)[0]
        assert reason.legal, broken(
            rules,
            f"In {position.text()} {action} is listed as legal, but the reasons refuse it: "
            f"{reason}.",
            "Position.generate",
            "reasons",
        )


def asked(rules: RuleSet) -> Iterator[tuple[Position, str, str]]:
    """One piece after another in random games, with every square that it does not reach."""
    for seed in itertools.count():
        chance = random.Random(seed)
        for position in walk(rules, seed, 60):
            if position.outcome():
                break
            own = [at for at, piece in position.pieces().items() if piece.color == position.turn]
            if own:
                origin, reached = chance.choice(own), reach(position)
                for square in rules.board.squares:
                    if square != origin and (origin, square) not in reached:
                        yield position, origin, square


def test_whatever_is_not_listed_is_refused(rules: RuleSet) -> None:
    for position, origin, square in itertools.islice(asked(rules), 10_000):
        reason = cyvasse.explain(position, origin, square)[0]
        assert not reason.legal, broken(
            rules,
            f"In {position.text()} {origin} to {square} is not listed, but the reasons allow it: "
            f"{reason}.",
            "reasons",
            "Position.generate",
        )


@given(st.data())
def test_reasons_agree_with_the_actions(rules: RuleSet, data: st.DataObject) -> None:
    """The other way round, too: of a few pieces every square is asked for."""
    position = data.draw(positions(rules))
    if position.outcome():
        return
    reached = reach(position)
    own = [at for at, piece in position.pieces().items() if piece.color == position.turn]
    for origin in data.draw(st.lists(st.sampled_from(own), min_size=1, max_size=4)):
        for target in rules.board.squares:
            if target == origin:
                continue
            reasons = cyvasse.explain(position, origin, target)
            assert reasons[0].legal == ((origin, target) in reached), broken(
                rules,
                f"In {position.text()} the reasons allow what is not listed, or refuse what is: "
                f"{origin} to {target}: {reasons[0]}.",
                "reasons",
                "Position.generate",
            )
            assert all(reason.sentence and reason.rule for reason in reasons), broken(
                rules, f"A reason has no sentence or no rule: {reasons}.", "reasons"
            )
