"""What Croft's Cyvasse counts, against the rules themselves and on positions made by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given

from cyvasse import Position
from cyvasse.rules.croft import CROFT_RULES as RULES
from cyvasse.rules.evaluation import KING_GAIN
from cyvasse.rules.terms import BLACK, WHITE, Color, Piece
from tests.rules.test_croft import place
from tests.strategies import positions

EVALUATION = RULES.evaluation()
NAMES = [feature.name for feature in EVALUATION.features]
KEEPS = {"white": "e2", "black": "e9"}
# Kings out of everyone's way, for positions with both keeps.
KINGS = "Ka1 ka10"


def counts(position: Position) -> dict[str, int]:
    """The features that are not balanced."""
    found = zip(NAMES, EVALUATION.count(position), strict=True)
    return {name: count for name, count in found if count}


def difference(with_it: Position, without: Position) -> dict[str, int]:
    """What changes from one position to another."""
    after = Counter(counts(with_it))
    after.subtract(counts(without))
    return {name: count for name, count in after.items() if count}


def gains(position: Position) -> dict[str, int]:
    return {str(a): EVALUATION.gain_of(position, a.code) for a in position.legal_actions()}


# --- against the rules ----------------------------------------------------------------------------


@given(positions(RULES))
def test_mobility_is_that_of_the_rules(position: Position) -> None:
    """Without Elephants, whose safety mobility does not look at."""
    if position.in_turn or position.outcome():
        return
    state = position.state()
    pieces = {at: piece for at, piece in state.pieces.items() if piece.type != "elephant"}
    expected: Counter[str] = Counter()
    for color in Color:
        seen = RULES.position(replace(state, pieces=pieces, to_move=color))
        for action in seen.legal_actions():
            if action.kind in ("move", "capture", "capture_two"):
                expected[f"{pieces[str(action.origin)].type}_mobility"] += 1 - 2 * color
    found = counts(seen)
    for kind in RULES.piece_types:
        assert found.get(f"{kind.name}_mobility", 0) == expected[f"{kind.name}_mobility"], kind


@given(positions(RULES))
def test_every_capture_at_a_profit_is_a_capture(position: Position) -> None:
    if position.in_turn or position.outcome():
        return
    pieces = position.pieces()
    # What a Catapult would take behind an Elephant that is safe counts too, which is quicker.
    mine, theirs = position.turn, position.turn.other
    if {Piece(mine, "catapult"), Piece(theirs, "elephant")} <= {*pieces.values()}:
        return
    victims = {
        str(at)
        for action in position.legal_actions()
        if "capture" in str(action.kind)
        for at in (action.victim, action.target)
        if at is not None
    }
    sign = (1, -1)[position.turn]
    found = counts(position)
    prey = {name: sign * count for name, count in found.items() if name.endswith("_prey")}
    taken = Counter(f"{pieces[at].type}_prey" for at in victims)
    for name, count in prey.items():
        assert 0 < count <= taken[name]
    if not prey and "exchanges" not in found:
        # Only a King may be left that could take what is guarded.
        assert all(
            pieces[str(action.origin)].type == "king"
            for action in position.legal_actions()
            if "capture" in str(action.kind)
        )


# --- by hand --------------------------------------------------------------------------------------


def test_material_rows_and_nearness() -> None:
    found = difference(place("Ka1 kj10 De4"), place("Ka1 kj10"))
    assert (found["dragon"], found["dragon_advanced"], found["dragon_near_king"]) == (1, 3, 3)


def test_reserves_and_drops() -> None:
    bare = place(KINGS, keeps=KEEPS)
    full = place(KINGS, keeps=KEEPS, reserves={"white": {"rabble": 2, "dragon": 1}})
    found = difference(full, bare)
    assert found == {"rabble_waiting": 2, "dragon_waiting": 1, "can_drop": 1}
    waiting = place("ka10", keeps=KEEPS, reserves={"white": {"king": 1}})
    assert counts(waiting)["king_waiting"] == 1
    assert "king" not in counts(waiting)


def test_a_lost_king_counts() -> None:
    assert counts(place("Ka1"))["king"] == 1


def test_keeps() -> None:
    assert counts(place(KINGS, keeps={"black": "e9"}))["keep_standing"] == -1
    assert "home_empty" not in counts(place(KINGS, keeps=KEEPS))
    filled = difference(place(f"{KINGS} Rd1 Se1", keeps=KEEPS), place(KINGS, keeps=KEEPS))
    assert filled["home_empty"] == -2


def test_intruders() -> None:
    reserves = {"white": {"king": 1, "rabble": 3}}
    quiet = place("ka10", keeps=KEEPS, reserves=reserves)
    one = difference(place("ka10 rd1", keeps=KEEPS, reserves=reserves), quiet)
    assert (one["intruder"], one["intruder_reserve"], one["intruder_king"]) == (1, 3, 1)
    assert "breach_threatened" not in one


@pytest.mark.parametrize(("to_move", "name", "sign"), [(WHITE, "_threatened", 1), (BLACK, "", -1)])
def test_a_second_piece_at_the_gates(to_move: Color, name: str, sign: int) -> None:
    reserves = {"white": {"king": 1, "rabble": 3}}
    found = counts(place("ka10 rd1 hf8", to_move, keeps=KEEPS, reserves=reserves))
    assert found[f"breach{name}"] == sign
    assert found[f"breach{name}_reserve"] == 3 * sign
    assert found[f"breach{name}_king"] == sign
    far = counts(place("ka10 rd1 hg8", to_move, keeps=KEEPS, reserves=reserves))
    assert f"breach{name}" not in far


def test_crossbowmen_jump_to_empty_forest_at_home() -> None:
    # Around e2 d1, d3, f1 and f3 are forest.
    found = difference(place(f"{KINGS} xj4", keeps=KEEPS), place(KINGS, keeps=KEEPS))
    assert found["home_forest"] == 4
    second = counts(place(f"{KINGS} xj4 re1", keeps=KEEPS))
    assert second["breach_threatened"] == 1
    assert counts(place(f"{KINGS} xj4", keeps=KEEPS)).get("breach_threatened", 0) == 0


def test_elephants_need_a_helper_to_be_taken() -> None:
    safe = counts(place("Ka1 kj10 Df4 ef8"))
    assert safe["elephants_safe"] == -1
    assert "elephant_prey" not in safe
    taken = counts(place("Ka1 kj10 Df4 Rg9 ef8"))
    assert "elephants_safe" not in taken
    assert taken["elephant_prey"] == 1
    # The capturing piece is not its own helper.
    assert "elephant_prey" not in counts(place("Ka1 kj10 Df7 ef8"))
    assert counts(place("Ka1 kj10 Df7 Re8 ef8"))["elephant_prey"] == 1


def test_profit_and_exchange() -> None:
    loose = counts(place("Ka1 kj10 Df4 rf8"))
    assert loose["rabble_prey"] == 1
    guarded = counts(place("Ka1 kj10 Df4 rf8 rf9"))
    assert "rabble_prey" not in guarded
    assert guarded["exchanges"] == 1
    lesser = counts(place("Ka1 kj10 Rf7 df8 rf9"))
    assert lesser["dragon_prey"] == 1


def test_a_catapult_finds_two() -> None:
    assert counts(place("Ka1 kj10 Ca3 rc5 rf8"))["double_shot"] == 1
    assert "double_shot" not in counts(place("Ka1 kj10 Ca3 rc5"))
    assert gains(place("Ka1 kj10 Ca3 rc5 rf8"))["a3xc5xf8"] == 200


def test_an_open_turn_is_as_good_as_ended() -> None:
    begun = place("Ka1 kj10 Re5 Rc3 hf8", second_rabble="c3")
    ended = place("Ka1 kj10 Re5 Rc3 hf8", BLACK)
    assert counts(begun) == counts(ended)
    assert counts(begun)["tempo"] == -1


def test_danger_to_the_king() -> None:
    quiet = place("Ke5 kj10")
    sieges = [
        difference(place(f"Ke5 kj10 {besiegers}"), quiet)["king_besieged"]
        for besiegers in ("rc5", "rc5 rg6", "rc5 rg6 re7")
    ]
    assert sieges == [1, 3, 6]
    rider = difference(place("Ke5 kj10 ha6"), quiet)
    assert (rider["ring_attacked"], rider["king_escapes"]) == (3, -3)
    guarded = difference(place("Ke5 kj10 Re6 Sd5"), quiet)
    assert guarded["king_guards"] == 2
    assert guarded["king_exposed"] < 0


def test_storming_is_a_gain() -> None:
    reserves = {"black": {"rabble": 1, "dragon": 1}}
    position = place("Ka1 ka10 Rd8 Hf1", keeps=KEEPS, reserves=reserves)
    found = gains(position)
    weights = [
        EVALUATION.weight_of(n) for n in ("keep_standing", "rabble_waiting", "dragon_waiting")
    ]
    assert found["f1-f8"] == sum(weights)
    assert found["f1-f7"] == 0
    assert found["d8-e8"] == 0  # the only intruder stays the only one
    with_king = place("Ka1 Rd8 Hf1", keeps=KEEPS, reserves={"black": {"king": 1}})
    assert gains(with_king)["f1-f8"] >= KING_GAIN
