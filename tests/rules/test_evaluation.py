"""What every evaluation promises (rules/evaluation.py), tested over all rule sets that have one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Color, CyvasseError, Piece, Position, RuleSet
from cyvasse.rules.evaluation import HIGHEST_SCORE, KING_GAIN, Evaluation
from tests.strategies import positions


def has_evaluation(rules: RuleSet) -> bool:
    try:
        rules.evaluation()
    except NotImplementedError:
        return False
    return True


EVALUATED = [rules for rules in cyvasse.rule_sets() if has_evaluation(rules)]
pytestmark = pytest.mark.parametrize("rules", EVALUATED, ids=[rules.id for rules in EVALUATED])


def counts(evaluation: Evaluation, position: Position) -> dict[str, int]:
    names = [feature.name for feature in evaluation.features]
    return dict(zip(names, evaluation.count(position), strict=True))


def army(position: Position, color: Color) -> Counter[str]:
    """What a player still has, on the board and in reserve."""
    owned = Counter(piece.type for piece in position.pieces().values() if piece.color is color)
    return owned + Counter(position.in_reserve(color))


def test_features_are_well_named(rules: RuleSet) -> None:
    features = rules.evaluation().features
    assert len({feature.name for feature in features}) == len(features) >= 30
    for feature in features:
        assert feature.name.replace("_", "").isalnum(), feature.name
        assert feature.name.islower(), feature.name
        assert feature.meaning, feature.name


@given(st.data())
def test_turning_the_board_changes_sides(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    straight = counts(evaluation, position)
    worth = evaluation.worth(position)
    turned = position.turned()
    assert counts(evaluation, turned) == {name: -count for name, count in straight.items()}
    assert evaluation.worth(turned) == worth


@given(st.data())
def test_nothing_but_the_position_counts(rules: RuleSet, data: st.DataObject) -> None:
    """Neither what was played before, nor what was measured before."""
    position, other = data.draw(positions(rules)), data.draw(positions(rules))
    used = rules.evaluation()
    used.count(other)
    expected = rules.evaluation().count(rules.position(position.state()))
    assert used.count(position) == used.count(position) == expected
    assert used.count(position.copy()) == expected


@given(st.data())
def test_measuring_leaves_the_position_alone(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    before = (position.hash, position.text(), position.legal_actions())
    evaluation.worth(position)
    for action in before[2]:
        evaluation.gain_of(position, action.code)
    assert (position.hash, position.text(), position.legal_actions()) == before


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
    assert all(abs(count) < 1000 for count in rules.evaluation().count(position))


@given(st.data())
def test_gain_is_what_is_taken(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    evaluation = rules.evaluation()
    own, enemy = position.turn, position.turn.other
    before = army(position, own), army(position, enemy)
    for action in position.legal_actions():
        gain = evaluation.gain_of(position, action.code)
        beaten = action.victim and action.kind == "capture" and position.piece_at(action.victim)
        position.play(action)
        after = army(position, own), army(position, enemy)
        # Who has become something else is not lost.
        lost, taken = (
            was - now if now.total() < was.total() else Counter()
            for was, now in zip(before, after, strict=True)
        )
        events = position.events()
        position.undo()
        # A King may be replaced at once, so that none is missing afterwards.
        if taken["king"] or beaten == Piece(enemy, "king"):
            assert gain >= KING_GAIN, action
        elif taken:
            assert 0 < gain < KING_GAIN, action
        elif lost and "capture" in str(action.kind):
            assert gain < 0, action
        elif action.kind in ("move", "jump", "swap", "end", "pass") and not lost and not events:
            assert gain == 0, action


def test_a_turn_to_act_is_worth_something(rules: RuleSet) -> None:
    position = rules.random_position(5)
    assert counts(rules.evaluation(), position)["tempo"] == (1, -1)[position.turn]


def test_other_weights(rules: RuleSet) -> None:
    evaluation = rules.evaluation({feature.name: 0 for feature in rules.evaluation().features})
    for seed in range(5):
        assert evaluation.worth(rules.random_position(seed, 30)) == 0
    assert rules.evaluation({"tempo": 7}).weight_of("tempo") == 7
    with pytest.raises(CyvasseError, match="no feature is called 'unicorns'"):
        rules.evaluation({"unicorns": 1})
    with pytest.raises(CyvasseError, match="tempo"):
        rules.evaluation({"tempo": HIGHEST_SCORE + 1})
