"""What a rule set says of itself."""

from __future__ import annotations

import pickle

import cyvasse
from cyvasse.actions import LETTERS
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color
from cyvasse.testing import every_rule_set
from cyvasse.testing.words import broken

pytestmark = every_rule_set


def test_it_is_found_by_its_id(rules: RuleSet) -> None:
    assert cyvasse.rule_set(rules.id) is rules
    assert pickle.loads(pickle.dumps(rules)) is rules


def test_it_describes_itself(rules: RuleSet) -> None:
    for name in ("title", "author", "summary"):
        assert getattr(rules, name), broken(rules, f"Its {name} is empty.", f"RuleSet.{name}")


def test_pieces_are_described(rules: RuleSet) -> None:
    where = "RuleSet.piece_types"
    letters = [kind.letter for kind in rules.piece_types]
    twice = sorted({letter for letter in letters if letters.count(letter) > 1})
    assert not twice, broken(rules, f"Several pieces have the letter {', '.join(twice)}.", where)
    for kind in rules.piece_types:
        assert kind.letter in LETTERS, broken(
            rules, f"{kind.name} has the letter {kind.letter!r}, not one of {LETTERS}.", where
        )
        assert kind.title, broken(rules, f"{kind.name} has no title.", where)
        assert kind.about, broken(rules, f"{kind.title} has nothing about it.", where)
        assert kind.count > 0, broken(rules, f"There is no {kind.title} at all.", where)


def test_homes_face_each_other(rules: RuleSet) -> None:
    white, black = set(rules.home(Color.WHITE)), set(rules.home(Color.BLACK))
    assert white.isdisjoint(black), broken(
        rules, f"{sorted(white & black)} belong to both players.", "Setups.home"
    )
    assert {rules.board.turned(at) for at in white} == black, broken(
        rules, "Black's half is not White's half on the turned board.", "Setups.home"
    )
