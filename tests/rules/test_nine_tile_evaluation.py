"""What Nine-Tile Cyvasse counts, against the rules themselves and on positions made by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from cyvasse import Color, Piece, Position, State
from cyvasse.rules.nine_tile.pieces import SPECS
from tests.rules.test_nine_tile import RULES, place
from tests.strategies import positions

EVALUATION = RULES.evaluation()
NAMES = [feature.name for feature in EVALUATION.features]
HEAVY = [name for name, spec in SPECS.items() if spec.armour == 2]


def counts(position: Position) -> dict[str, int]:
    """The features that are not balanced."""
    found = zip(NAMES, EVALUATION.count(position), strict=True)
    return {name: count for name, count in found if count}


def difference(with_it: Position, without: Position) -> dict[str, int]:
    """What changes from one position to another."""
    before, after = Counter(counts(without)), Counter(counts(with_it))
    after.subtract(before)
    return {name: count for name, count in after.items() if count}


# --- against the rules ----------------------------------------------------------------------------


@given(positions(RULES))
def test_prey_is_what_can_be_captured(position: Position) -> None:
    if position.in_turn or position.outcome():
        return
    pieces = position.pieces()
    # A King's captures over his own Tower are left out to save time.
    victims = {
        str(action.victim)
        for action in position.legal_actions()
        if "capture" in str(action.kind)
        and not (
            pieces[str(action.origin)].type == "king"
            and RULES.board.distance(str(action.origin), str(action.victim)) == 2
        )
    }
    sign = (1, -1)[position.turn]
    found = counts(position)
    for name, number in Counter(pieces[at].type for at in victims).items():
        assert found.pop(f"{name}_prey") == sign * number
    assert not [name for name in found if name.endswith("_prey") and name != "unguarded_prey"]


@given(positions(RULES))
def test_engagement_is_that_of_the_rules(position: Position) -> None:
    expected: Counter[str] = Counter()
    for at, times in position.tallies()["engagement"].items():
        piece = position.pieces()[at]
        sign = -1 if piece.color is Color.WHITE else 1  # who engages has the merit
        armour = SPECS[piece.type].armour
        if piece.type in HEAVY:
            expected["half_engaged"] += sign * (times == 1)
            expected["engaged_heavy"] += sign * (times >= 2)
        else:
            expected["engaged_light"] += sign * (times >= 1)
        expected["engaged_to_spare"] += sign * (times > armour)
        if piece.type == "king":
            expected["king_engaged"] -= sign * (times >= 1)
    found = counts(position)
    assert {name: found.get(name, 0) for name in expected} == dict(expected)


@given(positions(RULES))
def test_free_rabble_are_those_that_can_move(position: Position) -> None:
    """With one Rabble moved already only others count, so such positions are left out."""
    if position.in_turn or position.outcome():
        return
    pieces = position.pieces()
    movers = {
        action.origin
        for action in position.legal_actions()
        if action.kind == "move" and pieces[str(action.origin)].type == "rabble"
    }
    own, other = (rules_free(position, color) for color in (position.turn, position.turn.other))
    assert own == len(movers)
    sign = (1, -1)[position.turn]
    assert counts(position).get("rabble_free", 0) == sign * (own - other)


def rules_free(position: Position, color: Color) -> int:
    board, pieces, terrain = RULES.board, position.pieces(), position.state().terrain
    free = 0
    for at, piece in pieces.items():
        beside = [board.neighbour(board.index(at), d) for d in board.directions]
        names = [board.squares[there] for there in beside if there is not None]
        open_ = [
            there for there in names if there not in pieces and terrain.get(there) != "mountain"
        ]
        free += piece.type == "rabble" and piece.color is color and bool(open_)
    return free


# --- by hand --------------------------------------------------------------------------------------


def test_material_rows_and_nearness() -> None:
    assert (
        difference(place("De5"), place("")).items()
        >= {
            "dragon": 1,
            "dragon_advanced": 4,
            "dragon_near_king": 2,  # g9 is six squares away
        }.items()
    )
    assert counts(place(""))["tempo"] == 1


def test_kings_are_counted_until_one_is_lost() -> None:
    over = RULES.position(State({"l1": Piece(Color.WHITE, "king")}))
    assert counts(over)["king"] == 1
    assert "king" not in counts(place(""))


@pytest.mark.parametrize(
    ("to_move", "feature", "count"),
    # The merit of a capture is who makes it's; a threat is its victim's.
    [(Color.WHITE, "heavy_horse_prey", 1), (Color.BLACK, "heavy_horse_threatened", -1)],
)
def test_half_an_attack_is_none(to_move: Color, feature: str, count: int) -> None:
    """Heavy armour asks for two that engage."""
    alone = counts(place("De5 hh5", to_move=to_move))
    assert alone["struck"] == 1
    assert feature not in alone
    half = counts(place("De5 Xh8 hh5", to_move=to_move))
    assert half["half_engaged"] == 1
    assert feature not in half
    both = counts(place("De5 Xh8 Xh2 hh5", to_move=to_move))
    assert both["engaged_heavy"] == 1
    assert both[feature] == count


def test_unguarded() -> None:
    loose = counts(place("Re5 rf5"))
    assert (loose["rabble_prey"], loose["unguarded_prey"]) == (1, 1)
    covered = counts(place("Re5 rf5 rf6"))
    assert covered["rabble_prey"] == 1
    assert "unguarded_prey" not in covered


def test_zones() -> None:
    assert difference(place("Se5"), place(""))["zone_squares"] == 2
    barred = difference(place("Se5 le6"), place("Se5"))
    assert (barred["zone_squares"], barred["zone_prisoners"]) == (-1, 1)


def test_towers_suppress_and_water_wets() -> None:
    near = counts(place("We5 xf5 rd5"))
    assert (near["suppressed"], near["suppressed_range"]) == (-2, -1)
    assert counts(place("Xe5", water="e5"))["wading"] == 1


def test_trebuchet_lines() -> None:
    assert counts(place("Te5 rh5"))["trebuchet_targets"] == 1
    walled = counts(place("Te5 rh5", mountains="d5"))
    assert "trebuchet_targets" not in walled
    assert counts(place("Te5"))["trebuchet_ready"] == 6


def test_rabble_pairs() -> None:
    one = counts(place("Re5"))
    assert (one["rabble_free"], "rabble_pair" in one, "rabble_linked" in one) == (1, False, False)
    two = counts(place("Re5 Rf5"))
    assert (two["rabble_free"], two["rabble_pair"], two["rabble_linked"]) == (2, 1, 2)
    assert counts(place("Re5", mountains="d5 f5 e4 f4 e6 d6"))["stuck"] == 1


def test_an_open_turn_is_as_good_as_ended() -> None:
    """What is left of it is a Rabble's step, and no capture."""
    begun, ended = place("Re5 Rj3 rf5", second="j3"), place("Re5 Rj3 rf5", to_move=Color.BLACK)
    assert counts(begun) == counts(ended)
    assert counts(begun)["tempo"] == -1
    assert EVALUATION.worth(begun) == -EVALUATION.worth(ended)


def test_danger_to_the_king() -> None:
    quiet = place("Kh2 ka9")
    engaged = difference(place("Kh2 ka9 xh5"), quiet)
    assert engaged["king_engaged"] == 1
    assert "king_struck" not in engaged
    struck = difference(place("Kh2 ka9 lh5", water="h5"), quiet)
    assert struck["king_struck"] == 1
    assert "king_engaged" not in struck
    sieges = [
        difference(place(f"Kh2 ka9 {besiegers}"), quiet)["king_besieged"]
        for besiegers in ("rh5", "rh5 rg5", "rh5 rg5 re5")
    ]
    assert sieges == [1, 3, 6]
    guarded = difference(place("Kh2 ka9 Wg2 Rh4"), quiet)
    assert (guarded["king_towers"], guarded["king_guards"], guarded["king_escapes"]) == (1, 2, -1)


def test_reach_ends_in_zones() -> None:
    free = counts(place("Xe5"))["crossbows_reach"]
    assert free == 18
    assert counts(place("Xe5 sd7 sf6"))["crossbows_reach"] < free - 2


def test_gain() -> None:
    position = place("Ee5 Xg7 hg5 Rk2 rk3")
    gains = {str(a): EVALUATION.gain_of(position, a.code) for a in position.legal_actions()}
    assert gains["e5xg5"] == EVALUATION.weight_of("heavy_horse")
    assert gains["k2xk3"] == EVALUATION.weight_of("rabble")
    assert gains["e5-e6"] == 0
