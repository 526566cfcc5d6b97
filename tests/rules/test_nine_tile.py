"""Nine-Tile Cyvasse rule by rule: each decision of docs/rules/nine-tile.md has its test."""

from __future__ import annotations

import pytest

import cyvasse
from cyvasse import Color, End, Outcome, Piece, Position, State, StateError

RULES = cyvasse.rule_set("nine-tile")
NAMES = {kind.letter: kind.name for kind in RULES.piece_types}


def place(
    pieces: str,
    *,
    water: str = "",
    mountains: str = "",
    to_move: Color = Color.WHITE,
    second: str | None = None,
) -> Position:
    """A position from words such as ``Ke1 kd9``: upper case is White.  Kings are added."""
    words = pieces.split()
    for king, corner in (("K", "l1"), ("k", "g9")):
        if not any(word[0] == king for word in words):
            words.append(king + corner)
    return RULES.position(
        State(
            {
                word[1:]: Piece(
                    Color.WHITE if word[0].isupper() else Color.BLACK, NAMES[word[0].upper()]
                )
                for word in words
            },
            dict.fromkeys(water.split(), "water") | dict.fromkeys(mountains.split(), "mountain"),
            to_move,
            fields={"second_rabble": second},
        )
    )


def actions(position: Position, origin: str) -> set[str]:
    return {str(action) for action in position.legal_actions() if action.origin == origin}


def captures(position: Position, origin: str) -> set[str]:
    return {text for text in actions(position, origin) if "x" in text}


def moves(position: Position, origin: str) -> set[str]:
    return {text.partition("-")[2] for text in actions(position, origin) if "x" not in text}


def engagement(position: Position, square: str) -> int:
    return int(position.tallies()["engagement"][square])


# --- D1: normal moves -----------------------------------------------------------------------------


def test_d1_paths_bend_around_mountains_and_enemies() -> None:
    position = place("He5 rf5", mountains="e6 d6")
    reached = moves(position, "e5")
    assert "f5" not in reached  # an opposing piece
    assert "e6" not in reached  # a mountain
    assert {"d5", "e4", "f4", "g4"} <= reached
    assert "g5" not in reached  # only through f5, or three steps round


def test_d1_own_pieces_are_passed_but_not_landed_on() -> None:
    position = place("Xe5 Rf5")
    reached = moves(position, "e5")
    assert "f5" not in reached
    assert "g5" in reached


def test_d1_a_wall_of_enemies_stops_all_but_the_dragon() -> None:
    wall = "rd5 re6 rd6 rf5 re4 rf4"
    assert moves(place(f"Le5 {wall}"), "e5") == set()
    assert {"g5", "i5", "e9"} <= moves(place(f"De5 {wall}"), "e5")


def test_d1_a_piece_does_not_stay_where_it_is() -> None:
    assert "e5" not in moves(place("De5"), "e5")


@pytest.mark.parametrize(
    ("letter", "reach"),
    [("R", 1), ("S", 1), ("L", 3), ("H", 2), ("E", 1), ("X", 2), ("T", 1), ("D", 4), ("W", 0)],
)
def test_movement_allowances(letter: str, reach: int) -> None:
    position = place(f"{letter}f5")
    occupied = position.pieces()
    expected = {
        square
        for square in RULES.board.squares
        if 0 < RULES.board.distance("f5", square) <= reach and square not in occupied
    }
    assert moves(position, "f5") == expected


# --- D2: the Spears' zone -------------------------------------------------------------------------


def test_d2_entering_a_zone_ends_the_move() -> None:
    # Black's Spears on e6 hold e5 and f5, the squares SW and SE of it.
    position = place("Lf4 se6", mountains="e4 f3 g3 g4 g5")
    assert moves(position, "f4") == {"e5", "f5"}


def test_d2_a_piece_may_start_in_a_zone() -> None:
    assert {"d5", "c5"} <= moves(place("Xe5 se6"), "e5")


def test_d2_zones_stop_the_dragon_whatever_lies_there() -> None:
    assert "e5xh5" in captures(place("De5 xh5", mountains="f5"), "e5")
    assert "e5xh5" not in captures(place("De5 xh5 sf6", mountains="f5"), "e5")
    assert "e5xh5" not in captures(place("De5 xh5 sf6 rf5"), "e5")
    assert "e5xh5" not in captures(place("De5 xh5 sf6 Rf5"), "e5")


def test_d2_zones_hinder_captures_between_start_and_victim() -> None:
    # A white Dragon would take the Crossbows on h5 through f5, which Spears on f6 hold.
    assert "e5xh5" in captures(place("De5 xh5"), "e5")
    assert "e5xh5" not in captures(place("De5 xh5 sf6"), "e5")
    # The zone of the victim's own square does not protect it.
    assert "e5xh5" in captures(place("De5 xh5 sh6"), "e5")


def test_d2_spears_keep_their_zone_in_water_and_beside_towers() -> None:
    assert "e5xh5" not in captures(place("De5 xh5 sf6", water="f6"), "e5")
    assert "e5xh5" not in captures(place("De5 xh5 sf6 We7"), "e5")


def test_d2_own_spears_hinder_nobody() -> None:
    assert "e5xh5" in captures(place("De5 xh5 Sf4"), "e5")


# --- D3: horses beyond the victim -----------------------------------------------------------------


def test_d3_horses_ride_on() -> None:
    assert captures(place("Le5 xf5"), "e5") == {"e5xf5", "e5xf5-g5", "e5xf5-h5"}
    assert captures(place("He5 xf5"), "e5") == {"e5xf5", "e5xf5-g5"}


def test_d3_they_pass_own_pieces_and_do_not_land_on_them() -> None:
    assert captures(place("Le5 xf5 Rg5"), "e5") == {"e5xf5", "e5xf5-h5"}


def test_d3_mountains_and_enemies_stop_them() -> None:
    assert captures(place("Le5 xf5", mountains="g5"), "e5") == {"e5xf5"}
    assert captures(place("Le5 xf5 rg5"), "e5") == {"e5xf5"}


def test_d3_no_going_beyond_a_victim_in_a_zone() -> None:
    assert captures(place("Le5 xf5 sf6"), "e5") == {"e5xf5"}


def test_d3_a_zone_beyond_ends_the_ride() -> None:
    # Spears on g6 hold g5 and h5.
    assert captures(place("Le5 xf5 sg6"), "e5") == {"e5xf5", "e5xf5-g5"}
    assert captures(place("Le5 xf5 sh6"), "e5") == {"e5xf5", "e5xf5-g5", "e5xf5-h5"}


def test_d3_captured_spears_keep_their_zone_until_the_move_is_over() -> None:
    # The ride over the Spears on e6 leads into their own zone, e5, and ends there.
    taken = captures(place("Le7 se6 Rd7"), "e7")
    assert taken == {"e7xe6", "e7xe6-e5"}


# --- D4: Elephants --------------------------------------------------------------------------------


def test_d4_elephants_capture_two_away_but_through_no_piece() -> None:
    assert "e5xg5" in captures(place("Ee5 xg5"), "e5")
    assert captures(place("Ee5 xg5 Rf5"), "e5") == set()
    assert captures(place("Ee5 xg5", mountains="f5"), "e5") == set()
    assert captures(place("Ee5 xg5 sf6"), "e5") == set()
    assert "g5" not in moves(place("Ee5"), "e5")


def test_d4_others_pass_own_pieces_when_capturing() -> None:
    assert "e5xg5" in captures(place("He5 xg5 Rf5"), "e5")


# --- D5: the Trebuchet ----------------------------------------------------------------------------


def test_d5_it_steps_directly_away() -> None:
    assert captures(place("Te5 xh5"), "e5") == {"e5xh5-d5"}
    assert captures(place("Te5 xi5"), "e5") == {"e5xi5-d5"}
    assert captures(place("Te5 xj5"), "e5") == set()  # five away


def test_d5_not_adjacent_and_not_behind_an_adjacent_enemy() -> None:
    assert captures(place("Te5 xf5"), "e5") == set()
    assert captures(place("Te5 xf5 xg5"), "e5") == set()


def test_d5_the_square_behind_must_be_free() -> None:
    assert captures(place("Te5 xh5 Rd5"), "e5") == set()
    assert captures(place("Te5 xh5 rd5"), "e5") == set()
    assert captures(place("Te5 xh5", mountains="d5"), "e5") == set()
    assert captures(place("Ta5 xd5"), "a5") == set()  # the edge


def test_d5_it_needs_sufficient_engagement_and_counts_itself() -> None:
    assert captures(place("Te5 rh5"), "e5") == {"e5xh5-d5"}  # light armour: the Trebuchet is enough
    assert captures(place("Te5 hh5"), "e5") == set()
    assert captures(place("Te5 hh5 Rh4"), "e5") == {"e5xh5-d5"}


def test_d5_beside_a_tower_or_in_water_it_engages_nothing() -> None:
    assert captures(place("Te5 xh5 we6"), "e5") == set()
    assert captures(place("Te5 xh5", water="e5"), "e5") == set()
    assert engagement(place("Te5 we6"), "e6") == 0


def test_d5_zones_do_not_hinder_the_step() -> None:
    # d5 is in front of the Spears on d6.
    assert captures(place("Te5 xh5 sd6"), "e5") == {"e5xh5-d5"}


# --- D6: Towers -----------------------------------------------------------------------------------


def test_d6_beside_a_tower_only_towers_are_engaged() -> None:
    assert engagement(place("De5 kg5 wd6"), "g5") == 0
    assert engagement(place("De5 kg5 wd6"), "d6") == 1
    assert engagement(place("De5 kg5 wd6", water="d6"), "g5") == 0
    assert engagement(place("De5 kg5 Wd6"), "g5") == 1  # an own Tower does nothing


def test_d6_a_distant_tower_is_not_engaged_from_beside_another() -> None:
    position = place("De5 wd6 wg5")
    assert engagement(position, "d6") == 1
    assert engagement(position, "g5") == 0


def test_d6_spears_beside_a_tower_engage_it_only_in_front() -> None:
    assert engagement(place("Se5 we6"), "e6") == 1
    assert engagement(place("Se5 we4"), "e4") == 0


# --- D7: the King over a Tower --------------------------------------------------------------------


def test_d7_the_king_vaults_over_his_tower() -> None:
    assert "g5" in moves(place("Ke5 Wf5"), "e5")
    assert "g5" not in moves(place("Ke5 Wf5", mountains="g5"), "e5")
    assert "g5" not in moves(place("Ke5 wf5"), "e5")
    assert "g5" not in moves(place("Ke5 Rf5"), "e5")
    assert "h5" not in moves(place("Ke5 Wg5"), "e5")


def test_d7_as_a_capture_too() -> None:
    assert "e5xg5" in captures(place("Ke5 Wf5 xg5"), "e5")
    assert "e5xg5" in captures(place("Ke5 Wf5 rg5"), "e5")  # the Tower itself engages it
    assert "e5xg5" not in captures(place("Ke5 Wf5 hg5"), "e5")


def test_d7_not_if_the_tower_is_in_a_zone() -> None:
    assert "g5" not in moves(place("Ke5 Wf5 sf6"), "e5")
    assert "g5" in moves(place("Ke5 Wf5 sh6"), "e5")  # g5 itself may lie in one


# --- D8: engagement -------------------------------------------------------------------------------


def test_d8_lines_are_blocked_by_mountains_and_by_the_victims_friends() -> None:
    assert engagement(place("Xe5 rh5"), "h5") == 1
    assert engagement(place("Xe5 rh5", mountains="f5"), "h5") == 0
    assert engagement(place("Xe5 rh5 rf5"), "h5") == 0
    assert engagement(place("Xe5 rh5 Rf5"), "h5") == 1
    assert engagement(place("Xe5 ri5"), "i5") == 0
    assert engagement(place("Xe5 rf6"), "f6") == 0  # not straight


def test_d8_water_silences_the_engager_not_the_engaged() -> None:
    assert engagement(place("Xe5 rh5", water="e5"), "h5") == 0
    assert engagement(place("Xe5 rh5", water="h5"), "h5") == 1


def test_d8_armour() -> None:
    assert captures(place("De5 xh5"), "e5") == {"e5xh5"}
    assert captures(place("De5 rh5"), "e5") == set()
    assert captures(place("De5 rh5 Rh4"), "e5") == {"e5xh5"}
    assert captures(place("De5 hh5 Rh4"), "e5") == set()
    assert captures(place("De5 hh5 Rh4 Rg5"), "e5") == {"e5xh5"}


def test_d8_crossbows_never_capture() -> None:
    assert captures(place("Xe5 xf5 rd5"), "e5") == set()


def test_d8_spears_engage_and_capture_forward_only() -> None:
    assert captures(place("Se5 re6"), "e5") == {"e5xe6"}
    assert captures(place("Se5 rd6"), "e5") == {"e5xd6"}
    assert captures(place("Se5 xf5"), "e5") == set()
    assert engagement(place("Se5 rf5"), "f5") == 0
    black = place("se5 Re4 Rf4 Xe6", to_move=Color.BLACK)
    assert captures(black, "e5") == {"e5xe4", "e5xf4"}
    assert moves(place("Se5"), "e5") == {"d5", "f5", "d6", "e6", "e4", "f4"}


# --- D9: the second Rabble ------------------------------------------------------------------------


def test_d9_another_rabble_may_follow() -> None:
    position = place("Re5 Rh5")
    position.play("e5-e6")
    assert position.state().to_move is Color.WHITE
    assert position.in_turn
    legal = {str(action) for action in position.legal_actions()}
    assert "end" in legal
    assert "h5-h6" in legal
    assert not any(text.startswith(("e6", "l1")) for text in legal)
    position.play("h5-h6")
    assert position.turn is Color.BLACK


def test_d9_the_turn_may_end() -> None:
    position = place("Re5 Rh5")
    position.play("e5-e6")
    position.play("end")
    assert position.turn is Color.BLACK
    assert not position.in_turn


def test_d9_not_after_a_capture_and_not_as_a_capture() -> None:
    position = place("Re5 Rh5 xf5 xh6")
    position.play("e5xf5")
    assert position.turn is Color.BLACK
    position = place("Re5 Rh5 xh6")
    position.play("e5-e6")
    assert not any("x" in str(action) for action in position.legal_actions())


def test_d9_the_turn_ends_by_itself_without_another_that_can_move() -> None:
    position = place("Re5")
    position.play("e5-e6")
    assert position.turn is Color.BLACK
    stuck = place("Re5 Re1", mountains="d2 e2 f1")
    stuck.play("e5-e6")
    assert stuck.turn is Color.BLACK


# --- D10, D11, D12 --------------------------------------------------------------------------------


def test_d10_a_move_and_a_capture_with_the_same_squares() -> None:
    both = {"e5-d5", "e5xh5-d5"}
    assert both <= actions(place("Te5 xh5"), "e5")
    assert {"e5-g5", "e5xf5-g5"} <= actions(place("Le5 xf5"), "e5")


def test_d11_no_check() -> None:
    position = place("Kf5 dg7 rh5")  # the Rabble on h5 would engage him there
    assert "g5" in moves(position, "f5")


def test_d11_the_captured_king_ends_the_game() -> None:
    position = place("Rd8 kd9")
    position.play("d8xd9")
    assert position.outcome() == Outcome(Color.WHITE, End.KING_CAPTURED)
    assert position.legal_actions() == []
    position.undo()
    assert position.outcome() is None


def test_d11_who_cannot_act_loses() -> None:
    position = place("Kl1", mountains="k1 k2 l2")
    assert position.legal_actions() == []
    assert position.outcome() == Outcome(Color.BLACK, End.NO_ACTION)


def test_d12_the_first_player_must_be_given() -> None:
    white, black = RULES.random_setup("white", 1), RULES.random_setup("black", 1)
    with pytest.raises(StateError, match="draws lots"):
        RULES.start(white, black)
    assert RULES.start(white, black, "black").turn is Color.BLACK


# --- quiet turns, states that cannot be -----------------------------------------------------------


def test_quiet_turns_count_turns_and_start_again_with_a_capture() -> None:
    position = place("Re5 Rh5 xa5 Db5")
    position.play("e5-e6")
    assert position.quiet_turns == 0  # the turn is not over
    position.play("h5-h6")
    assert position.quiet_turns == 1
    position.play("a5-a6")
    assert position.quiet_turns == 2
    position.play("b5xa6")
    assert position.quiet_turns == 0
    position.undo()
    assert position.quiet_turns == 2


@pytest.mark.parametrize(
    ("pieces", "options", "complaint"),
    [
        ("Re5", {"mountains": "e5"}, "stands on a mountain"),
        ("Re5", {"second": "e6"}, "no Rabble of white"),
        ("re5", {"second": "e5"}, "no Rabble of white"),
    ],
)
def test_states_that_cannot_be(pieces: str, options: dict[str, str], complaint: str) -> None:
    with pytest.raises(StateError, match=complaint):
        place(pieces, **options)  # type: ignore[arg-type]


def test_a_state_without_kings_or_with_a_pass_is_refused() -> None:
    with pytest.raises(StateError, match="both Kings"):
        RULES.position(State({"e5": Piece(Color.WHITE, "rabble")}))
    kings = {"l1": Piece(Color.WHITE, "king"), "a9": Piece(Color.BLACK, "king")}
    with pytest.raises(StateError, match="nobody passes"):
        RULES.position(State(kings, passed=True))
    with pytest.raises(StateError, match="-1"):
        RULES.position(State(kings, quiet_turns=-1))


# --- sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "origin", "target", "sentence"),
    [
        (place("Re5 hf5"), "e5", "f5", "Heavy Horse on f5 is engaged by 1 piece and needs 2"),
        (place("De5 rh5"), "e5", "h5", "Rabble on h5 is engaged by no piece and needs 1"),
        (place("De5 xh5"), "e5", "h5", "Dragon may capture: Crossbows on h5 are unarmoured"),
        (place("We5"), "e5", "e6", "Towers never move."),
        (place("Xe5 xf5"), "e5", "f5", "Crossbows never capture"),
        (place("Re5"), "e5", "e7", "Rabble moves at most 1 square; e7 is 2 away."),
        (place("Re5", mountains="e6"), "e5", "e6", "e6 is a mountain"),
        (place("Re5 Se6"), "e5", "e6", "your own Spears stands there"),
        (place("De5 xh5 sf6"), "e5", "h5", "must stop on f5, in front of the Spears on f6"),
        (place("Ee5 xg5 Rf5"), "e5", "g5", "Elephants go through no piece: Rabble on f5"),
        (place("Se5 xf5"), "e5", "f5", "only the two squares in front"),
        (place("Te5 xh5 Rd5"), "e5", "h5", "must step back to capture, and Rabble on d5"),
        (place("Te5 xh5 we6"), "e5", "h5", "the Tower on e6 is beside it"),
        (
            place("Le5 xf5 sf6", mountains="e6 f4"),
            "e5",
            "g5",
            "cannot ride on: f5 lies in front of the Spears on f6",
        ),
        (place("Ke5 Wf5 sf6"), "e5", "g5", "King cannot go over f5"),
        (place("Ke5 Wf5"), "e5", "g5", "King may go over his own Tower on f5 to g5."),
        (place("Re5 Rh5", second="e5"), "l1", "k1", "now only another Rabble may move"),
        (place("Re5 Rh5", second="e5"), "e5", "e6", "has moved already"),
        (place("Re5 Rh5 xh6", second="e5"), "h5", "h6", "may move but not capture"),
        (place("Re5"), "e6", "e7", "No piece stands on e6."),
        (place("Re5 rh5"), "h5", "h4", "Rabble on h5 is Black's, and it is White's turn."),
        (place("Re5"), "e5", "e5", "choose another square"),
    ],
)
def test_sentences(position: Position, origin: str, target: str, sentence: str) -> None:
    assert sentence in cyvasse.why(position, origin, target)
