"""What every Evaluation promises, and that the engine plays with it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.engine import Engine
from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import HIGHEST_SCORE, KING_GAIN, Evaluation
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Piece
from cyvasse.testing import every_rule_set
from cyvasse.testing.strategies import positions
from cyvasse.testing.words import broken, changes, portrait

pytestmark = every_rule_set
KING = "K"  # the letter that a King has in all rule sets


def counts(evaluation: Evaluation, position: Position) -> dict[str, int]:
    names = [feature.name for feature in evaluation.features]
    return dict(zip(names, evaluation.count(position), strict=True))


def army(position: Position, color: Color) -> Counter[str]:
    """What a player still has, on the board and in reserve."""
    owned = Counter(piece.type for piece in position.pieces().values() if piece.color is color)
    return owned + Counter(position.in_reserve(color))


def test_features_are_well_named(rules: RuleSet) -> None:
    features = rules.evaluation().features
    where = "Evaluation.features"
    assert features, broken(rules, "Nothing is counted.", where)
    names = [feature.name for feature in features]
    assert len(set(names)) == len(names), broken(rules, "Two features have the same name.", where)
    for name, _, meaning in features:
        assert name.replace("_", "").isalnum(), broken(rules, f"{name!r} is no name.", where)
        assert name.islower(), broken(rules, f"{name} is not in lower case.", where)
        assert meaning, broken(rules, f"{name} has no meaning.", where)


@given(st.data())
def test_turning_the_board_changes_sides(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    straight = counts(evaluation, position)
    worth = evaluation.worth(position)
    turned = position.turned()
    for name, count in counts(evaluation, turned).items():
        assert count == -straight[name], broken(
            rules,
            f"{name} counts {straight[name]} in {position.text()} and {count}, not "
            f"{-straight[name]}, with the board turned and the colours swapped.",
            "Evaluation.measure",
        )
    assert evaluation.worth(turned) == worth


@given(st.data())
def test_nothing_but_the_position_counts(rules: RuleSet, data: st.DataObject) -> None:
    """Neither what was played before, nor what was measured before."""
    position, other = data.draw(positions(rules)), data.draw(positions(rules))
    used = rules.evaluation()
    used.count(other)
    expected = rules.evaluation().count(rules.position(position.state()))
    for found in (used.count(position), used.count(position), used.count(position.copy())):
        assert found == expected, broken(
            rules,
            f"{position.text()} is not always counted alike.",
            "Evaluation.measure",
            "Position.copy",
        )


@given(st.data())
def test_measuring_leaves_the_position_alone(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    before = portrait(position)
    evaluation.worth(position)
    for action in position.legal_actions():
        evaluation.gain_of(position, action.code)
    changed = changes(before, portrait(position))
    assert not changed, broken(
        rules, f"Counting changes {changed}.", "Evaluation.measure", "Evaluation.gain"
    )


@given(st.data())
def test_worth_is_the_weighted_sum(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    total = sum(
        count * feature.weight
        for count, feature in zip(evaluation.count(position), evaluation.features, strict=True)
    )
    total = max(-HIGHEST_SCORE, min(HIGHEST_SCORE, total))
    assert evaluation.worth(position) == (total if position.turn is Color.WHITE else -total)


@given(st.data())
def test_counts_stay_small(rules: RuleSet, data: st.DataObject) -> None:
    """So that no sum of them times weights can leave the range of a C int."""
    position = data.draw(positions(rules))
    for name, count in counts(rules.evaluation(), position).items():
        assert abs(count) < 1000, broken(rules, f"{name} counts {count}.", "Evaluation.measure")


@given(st.data())
def test_gain_is_what_is_taken(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    kings = {kind.name for kind in rules.piece_types if kind.letter == KING}
    own, enemy = position.turn, position.turn.other
    before = army(position, own), army(position, enemy)
    for action in position.legal_actions():
        gain = evaluation.gain_of(position, action.code)
        beaten = action.victim and action.kind == "capture" and position.piece_at(action.victim)
        position.play(action)
        after = army(position, own), army(position, enemy)
        # Who has become something else is not lost.
        lost, taken = (
            was - now if now.total() < was.total() else Counter[str]()
            for was, now in zip(before, after, strict=True)
        )
        effects = position.effects()
        position.undo()

        def said(should: str, action: str = str(action), gain: int = gain) -> str:
            return broken(
                rules,
                f"In {position.text()} {action} gains {gain}, which should be {should}.",
                "Evaluation.gain",
            )

        # A King may be replaced at once, so that none is missing afterwards.
        if kings & set(taken) or beaten in {Piece(enemy, king) for king in kings}:
            assert gain >= KING_GAIN, said(f"{KING_GAIN} or more: it takes a King")
        elif taken:
            assert 0 < gain < KING_GAIN, said(f"more than 0 and less than {KING_GAIN}")
        elif lost and "capture" in str(action.kind):
            assert gain < 0, said("less than 0: it only costs the own side")
        elif action.kind in ("move", "jump", "swap", "end", "pass") and not lost and not effects:
            assert gain == 0, said("0: nothing is taken")


def test_other_weights(rules: RuleSet) -> None:
    names = [feature.name for feature in rules.evaluation().features]
    nothing = rules.evaluation(dict.fromkeys(names, 0))
    for seed in range(5):
        assert nothing.worth(rules.random_position(seed, 30)) == 0
    assert rules.evaluation({names[0]: 7}).weight_of(names[0]) == 7
    with pytest.raises(CyvasseError, match="no feature is called 'unicorns'"):
        rules.evaluation({"unicorns": 1})
    with pytest.raises(CyvasseError, match=names[0]):
        rules.evaluation({names[0]: HIGHEST_SCORE + 1})


def test_the_engine_plays_it(rules: RuleSet) -> None:
    """A few actions of a weak and a strong level, each legal, with the position left alone."""
    position = rules.random_position(4)
    for number in range(6):
        if position.outcome() is not None:
            break
        before = portrait(position)
        action = Engine(level=1, seed=number).choose(position, nodes=300)
        changed = changes(before, portrait(position))
        assert not changed, broken(rules, f"The search changes {changed}.", "Position.unmake")
        position.play(action)
