"""Croft's Cyvasse: known positions, every decision of docs/rules/croft.md, setups, explanations."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cyvasse.errors import SetupError, StateError
from cyvasse.notation.documents import read_state
from cyvasse.rules.base import Position
from cyvasse.rules.croft import CROFT_RULES as RULES
from cyvasse.rules.croft.board import FOREST, WATER, home_tiles
from cyvasse.rules.croft.setups import reserve_of
from cyvasse.rules.terms import BLACK, WHITE, Color, Effect, End, Outcome, Piece, Setup, State

DATA = Path(__file__).parent.parent / "data" / "croft.jsonl.gz"
NAMES = {kind.letter: kind.name for kind in RULES.piece_types}


def place(pieces: str, to_move: Color = WHITE, **fields: Any) -> Position:
    """A position from letters and tiles, White's in capitals: ``Ka1 Re4 kj10``.

    ``keeps={"black": "e8"}`` sets a keep, its home tiles are worked out; else there is none.
    """
    keeps = {color: {"at": at} for color, at in fields.pop("keeps", {}).items()}
    on_board = {
        item[1:]: Piece(WHITE if item[0].isupper() else BLACK, NAMES[item[0].upper()])
        for item in pieces.split()
    }
    passed, quiet = fields.pop("passed", False), fields.pop("quiet_turns", 0)
    return RULES.position(State(on_board, {}, to_move, quiet, passed, {"keeps": keeps, **fields}))


def texts(position: Position, origin: str = "") -> list[str]:
    """The legal actions, or those that begin with a tile, as sorted texts."""
    found = [str(action) for action in position.legal_actions()]
    marks = "-x~^"
    return sorted(t for t in found if not origin or t.startswith(tuple(origin + m for m in marks)))


def reached(position: Position, origin: str) -> set[str]:
    """Where the moves and captures of a piece end, jumps and swaps left out."""
    return {
        str(action.target)
        for action in position.legal_actions()
        if action.origin == origin and action.kind in ("move", "capture")
    }


def known_positions() -> Iterator[tuple[dict[str, Any], Position]]:
    with gzip.open(DATA, "rt") as lines:
        for line in lines:
            known = json.loads(line)
            answers = ("id", "actions", "perft")
            state = {key: value for key, value in known.items() if key not in answers}
            yield known, RULES.position(read_state(RULES, state))


# --- known positions ------------------------------------------------------------------------------


# --- the board ------------------------------------------------------------------------------------


def test_d1_ground() -> None:
    assert {at for at in RULES.board.squares if RULES.ground(at) == "water"} == WATER
    assert len(WATER) == 8
    assert len(FOREST) == 46
    assert [RULES.ground(at) for at in ("a1", "a2", "b1", "b2", "i2", "j10")] == [
        "plain",
        "forest",
        "forest",
        "water",
        "water",
        "plain",
    ]
    assert all(
        RULES.ground(at) == RULES.ground(RULES.board.turned(at)) for at in RULES.board.squares
    )


def test_d1_the_waters_of_the_rules_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules" / "croft.md").read_text()
    told = re.search(r"Water is on ([^.]+)\.", page)
    assert told is not None
    water = {at for at in RULES.board.squares if RULES.ground(at) == "water"}
    assert set(re.findall(r"[a-j]\d+", told[1])) == water


def test_d1_halves() -> None:
    white, black = RULES.home(WHITE), RULES.home(BLACK)
    assert len(white) == len(black) == 50
    assert {RULES.board.row(at) for at in white} == {1, 2, 3, 4, 5}
    assert {RULES.board.turned(at) for at in white} == set(black)


def test_terrain_at_shows_ground_and_mountains() -> None:
    position = place("Ka1 kj10", mountains=["b2"])
    assert [position.terrain_at(at) for at in ("b2", "d4", "a2", "a1")] == [
        "mountain",
        "water",
        "forest",
        "plain",
    ]


# --- how pieces move ------------------------------------------------------------------------------


def test_rabble_and_king_steps() -> None:
    position = place("Ka1 Re5 kj10")
    assert reached(position, "e5") == {"e4", "e6", "d5", "f5"}
    assert reached(position, "a1") == {"a2", "b1", "b2"}


@pytest.mark.parametrize("letter", ["E", "H", "L"])
def test_mountains_keeps_and_own_pieces_end_a_line(letter: str) -> None:
    position = place(f"Ka10 {letter}e5 Rc5 Rb5 kj10", mountains=["e7", "e3"], keeps={"black": "g6"})
    up_and_down = {at for at in reached(position, "e5") if at[0] == "e"}
    assert up_and_down == {"e4", "e6"}
    assert "c5" not in reached(position, "e5")
    assert place(f"Ka10 {letter}e5 kj10", keeps={"black": "h5"}).is_legal("e5-g5")
    assert not {"h5", "i5"} & (
        reached(place(f"Ka10 {letter}e5 Ra5 kj10", keeps={"black": "h5"}), "e5")
    )


def test_water_stops_whoever_enters_it_and_nobody_who_leaves_it() -> None:
    position = place("Ka1 Ed1 Ch8 kj10")
    assert [at for at in sorted(reached(position, "d1")) if at[0] == "d"] == ["d2", "d3", "d4"]
    assert "g7" in reached(position, "h8")
    assert "f6" not in reached(position, "h8")
    leaving = place("Ka1 Ed4 kj10")
    assert {at for at in reached(leaving, "d4") if at[0] == "d"} == {
        "d1",
        "d2",
        "d3",
        "d5",
        "d6",
        "d7",
    }


def test_capturing_on_water_is_fine() -> None:
    assert place("Ka1 Ed1 rd4 kj10").is_legal("d1xd4")


def test_d4_there_is_no_check() -> None:
    position = place("Ka1 kj10 da7")
    assert position.outcome() is None
    assert set(texts(position, "a1")) == {"a1-a2", "a1-b1", "a1-b2"}


def test_d5_a_second_rabble_may_follow() -> None:
    position = place("Ka1 Rc3 Rh3 kj10 sh4", quiet_turns=7)
    position.play("c3-c4")
    assert position.turn is WHITE
    assert position.in_turn
    assert position.state().fields["second_rabble"] == "c4"
    assert position.quiet_turns == 7
    assert texts(position) == ["end", "h3-g3", "h3-h2", "h3-i3", "h3xh4"]
    position.play("end")
    assert (position.turn, position.in_turn, position.quiet_turns) == (BLACK, False, 8)
    position.undo()
    position.play("h3xh4")
    assert (position.turn, position.in_turn, position.quiet_turns) == (BLACK, False, 0)


def test_d5_the_first_rabble_may_capture_too() -> None:
    position = place("Ka1 Rc3 Rh3 kj10 sc4", quiet_turns=7)
    position.play("c3xc4")
    assert position.in_turn
    assert position.quiet_turns == -1
    assert RULES.position(position.state()) == position
    position.play("end")
    assert position.quiet_turns == 0


@pytest.mark.parametrize(
    ("pieces", "opens"),
    [
        ("Ka1 Rc3 kj10", False),
        ("Ka1 Rc3 Rj1 kj10", False),  # j1 is walled in
        ("Ka1 Rc3 Rj1 Ri1 kj10", False),  # so are both
        ("Ka1 Rc3 Rj1 kj10 si1", True),  # a capture is a move
        ("Ka1 Rc3 Rj1 kj10 ei1", False),  # but this Elephant is safe
    ],
)
def test_d5_the_turn_ends_by_itself_if_no_other_rabble_can_move(pieces: str, opens: bool) -> None:
    position = place(pieces, mountains=["j2", "i2", "h1"] if "i1" in pieces else ["j2", "i1"])
    position.play("c3-c4")
    assert position.in_turn is opens
    assert position.turn is (WHITE if opens else BLACK)


def test_d5_a_captured_king_ends_the_game_at_once() -> None:
    position = place("Ka1 Rc3 Rh3 kc4")
    position.play("c3xc4")
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    assert position.legal_actions() == []
    assert not position.in_turn


def test_d6_spearman_swaps_with_own_pieces_of_other_types() -> None:
    position = place("Ke3 Se4 Rd5 Sf4 Dd4 kj10 re5")
    swaps = [text for text in texts(position) if "~" in text]
    assert swaps == ["e4~d4", "e4~d5", "e4~e3", "f4~e3"]
    position.play("e4~d5")
    assert position.turn is BLACK  # not a Rabble move: no second Rabble
    assert position.piece_at("d5") == Piece(WHITE, "spearman")
    assert position.piece_at("e4") == Piece(WHITE, "rabble")
    assert position.quiet_turns == 1


def test_d7_crossbowman_goes_to_any_unoccupied_forest() -> None:
    position = place("Ka1 Xe5 Rc2 kj10 rc4", mountains=["a2"], keeps={"white": "b1", "black": "b7"})
    jumps = {text.split("^")[1] for text in texts(position) if "^" in text}
    assert jumps == FOREST - {"c2", "c4", "a2", "b1", "b7"}
    assert reached(position, "e5") == {"d4", "d6", "f4", "f6"}
    position.play("e5^j9")
    assert position.piece_at("j9") == Piece(WHITE, "crossbowman")


def test_d8_light_horse_goes_round_an_empty_line() -> None:
    position = place("Ka1 Le5 kj10")
    row, column = {f"{x}5" for x in "abcdfghij"}, {f"e{y}" for y in range(1, 11)} - {"e5"}
    assert reached(position, "e5") == row | column
    assert len(texts(position, "e5")) == len(row | column)


def test_d8_over_the_edge_everything_works_as_usual() -> None:
    position = place("Kj6 La8 Ra3 kj10 ec8")
    assert {at for at in reached(position, "a8") if at[0] == "a"} == {
        *("a9", "a10", "a1", "a2"),
        *("a7", "a6", "a5", "a4"),
    }
    assert {at for at in reached(position, "a8") if at[0] != "a"} == {"b8"} | {
        f"{x}8" for x in "defghij"
    }
    assert place("Kj6 La8 kj10 ra2").is_legal("a8xa2")
    assert place("Kj6 La8 Ra5 kj10 ra2").is_legal("a8xa2")
    # Water stops it after the edge too: nothing between d4 and g4 can be reached.
    assert reached(place("Kj10 La4 ka10", mountains=["a3", "a5"]), "a4") == {
        *("b4", "c4", "d4"),
        *("j4", "i4", "h4", "g4"),
    }


@pytest.mark.parametrize(
    ("pieces", "action"),
    [("Kj6 La5 kj10 rf5", "a5xf5"), ("Kj6 Ld4 kj10", "d4-d7")],
)
def test_d8_a_tile_reached_both_ways_is_one_action(pieces: str, action: str) -> None:
    assert texts(place(pieces)).count(action) == 1


def test_heavy_horse_passes_over_own_pieces() -> None:
    position = place("Ka10 He1 Re2 Re3 kj10 re6")
    assert {at for at in reached(position, "e1") if at[0] == "e"} == {"e4", "e5", "e6"}


def test_nobody_passes_over_occupied_water() -> None:
    position = place("Ka10 Hd1 Rd4 kj10")
    assert {at for at in reached(position, "d1") if at[0] == "d"} == {"d2", "d3"}


def test_d9_elephant_needs_another_captor_beside_it() -> None:
    assert not place("Ka10 He1 kj10 ee5").is_legal("e1xe5")
    assert not place("Ka10 Re4 kj10 ee5").is_legal("e4xe5")  # the captor himself does not count
    assert place("Ka10 He1 Xd6 kj10 ee5").is_legal("e1xe5")
    assert place("Ka10 Re4 Xd6 kj10 ee5").is_legal("e4xe5")
    assert reached(place("Ka10 He1 kj10 ee5"), "e1") & {"e5", "e6"} == set()  # it ends the line


def test_d9_keeps_mountains_and_tiles_across_the_edge_do_not_count() -> None:
    position = place("Kd10 Ha1 Rj5 kj10 ea5", mountains=["b5"], keeps={"white": "b4"})
    assert not position.is_legal("a1xa5")


def test_d9_the_first_rabbles_new_tile_counts() -> None:
    position = place("Ka10 Re5 Rc5 kj10 ee6")
    assert not position.is_legal("e5xe6")
    position.play("c5-d5")
    assert position.is_legal("e5xe6")


@pytest.mark.parametrize(
    ("pieces", "captures"),
    [
        ("Cc1 se3 rg5", ["c1xe3", "c1xe3xg5"]),
        ("Cc1 se3 rf4 rg5", ["c1xe3", "c1xe3xf4"]),  # two at most
        ("Cc1 ke3 rg5", ["c1xe3", "c1xe3xg5"]),  # the King first: both are still listed
        ("Cc1 se3 Rf4 rg5", ["c1xe3"]),
        ("Cc1 Rd2 se3 rg5", []),
        ("Cg1 sd4 rc5", ["g1xd4"]),  # the first victim stands on water
        ("Cf2 se3 rc5", ["f2xe3"]),  # d4, empty water, lies between them
        ("Cf2 se3 rd4", ["f2xe3", "f2xe3xd4"]),
        ("Cc1 ee3 rg5", []),
        ("Cd2 ee3 rg5", []),  # the Catapult itself is never the other piece
        ("Cc1 Rd3 ee3 rg5", ["c1xe3", "c1xe3xg5"]),
        ("Cc1 se3 eg5", ["c1xe3"]),
        ("Cc1 Rg6 se3 eg5", ["c1xe3", "c1xe3xg5"]),
    ],
)
def test_d10_catapult(pieces: str, captures: list[str]) -> None:
    position = place(f"Ka10 {pieces}" if " k" in pieces else f"Ka10 kj10 {pieces}")
    catapult = pieces.split()[0][1:]
    assert [text for text in texts(position, catapult) if "x" in text] == captures


def test_d10_catapult_does_not_stop_on_an_empty_tile_after_a_capture() -> None:
    position = place("Ka10 kj10 Cc1 se3 rg5")
    assert {"f4", "h6"} & reached(position, "c1") == set()
    position = place("Ka10 kj10 Cc1 se3 rg5", mountains=["f4"])
    assert not position.is_legal("c1xe3xg5")


def test_d10_both_victims_leave_the_board() -> None:
    position = place("Ka10 kj10 Cc1 se3 rg5", quiet_turns=3)
    position.play("c1xe3xg5")
    assert set(position.pieces()) == {"a10", "j10", "g5"}
    assert position.quiet_turns == 0
    position.undo()
    assert set(position.pieces()) == {"a10", "j10", "c1", "e3", "g5"}


@pytest.mark.parametrize(
    ("pieces", "ends"),
    [
        ("Tc1 Rd2 se3 Rf4 rg5", {"e3", "g5"}),
        ("Tc1 re3", {"d2", "e3"}),  # without a capture like anyone else
        ("Tc1 ed2 re3", {"e3"}),  # past an Elephant that is safe
        ("Tf2 Re3 rd4 rc5", {"d4"}),  # not over occupied water
        ("Tf2 Re3 rc5", set()),  # empty water stops it
    ],
)
def test_d11_trebuchet(pieces: str, ends: set[str]) -> None:
    treb = pieces.split()[0][1:]
    line = {"c1": {"d2", "e3", "f4", "g5", "h6", "i7", "j8"}, "f2": {"e3", "d4", "c5", "b6", "a7"}}
    assert reached(place(f"Ka10 kj10 {pieces}"), treb) & line[treb] == ends


def test_d11_trebuchet_passes_neither_mountains_nor_keeps() -> None:
    assert not place("Ka10 kj10 Tc1 rg5", mountains=["e3"]).is_legal("c1xg5")
    assert not place("Ka10 kj10 Tc1 rg5", keeps={"white": "e3"}).is_legal("c1xg5")


def test_d12_dragon_passes_mountains_and_water_only() -> None:
    position = place("Ka1 kj10 Da2 ra6", mountains=["a4", "a5"])
    assert {at for at in reached(position, "a2") if at[0] == "a"} == {"a3", "a6"}
    assert reached(place("Kj1 ka10 Da1"), "a1") >= {"b2", "c3", "d4", "e5", "g7", "i9", "j10"}
    over_keep = reached(place("Ka1 kj10 Da2", keeps={"white": "a4"}), "a2")
    assert {at for at in over_keep if at[0] == "a"} == {"a3"}
    over_piece = reached(place("Ka1 kj10 Da2 Ra4"), "a2")
    assert {at for at in over_piece if at[0] == "a"} == {"a3"}


# --- the keep and its reserve ---------------------------------------------------------------------


def test_drops_go_to_empty_home_tiles() -> None:
    position = place(
        "Ka10 Ra1 kj10 rb2", keeps={"white": "a2"}, reserves={"white": {"dragon": 1, "rabble": 2}}
    )
    assert [text for text in texts(position) if "@" in text] == [
        *("d@a3", "d@b1", "d@b3"),
        *("r@a3", "r@b1", "r@b3"),
    ]
    position.play("r@b3")
    assert position.turn is BLACK  # bringing out a Rabble moves none
    assert position.state().fields["reserves"]["white"] == {"rabble": 1, "dragon": 1}
    assert position.quiet_turns == 0


def storming(reserve: dict[str, int], king: str = "kj1") -> Position:
    """Black's keep on e8, a white piece on the home tile d9, others about to come."""
    return place(
        f"Ka1 Ld9 Hf1 Rd6 Ra5 {king}",
        keeps={"black": "e8"},
        reserves={"black": reserve},
        mountains=["e9"],
    )


def test_two_pieces_on_home_tiles_destroy_the_keep() -> None:
    position = storming({"elephant": 2, "rabble": 1})
    before = position.copy()
    position.play("f1-f7")
    assert position.effects() == [
        Effect("keep_destroyed", BLACK, "e8"),
        Effect("reserve_captured", BLACK, None, "rabble"),
        Effect("reserve_captured", BLACK, None, "elephant"),
        Effect("reserve_captured", BLACK, None, "elephant"),
    ]
    fields = position.state().fields
    assert fields["keeps"]["black"] == {
        "at": None,
        "home": ["d7", "d8", "d9", "e7", "f7", "f8", "f9"],
    }
    assert fields["reserves"]["black"] == {}
    assert position.quiet_turns == 0
    assert position.outcome() is None
    assert not any("@" in text for text in texts(position))
    position.undo()
    assert position == before
    assert position.effects() == []
    position.play("f1-f2")
    assert position.effects() == []


def test_the_keeps_tile_has_its_terrain_again() -> None:
    position = storming({})
    assert not position.is_legal("d9-e8")
    position.play("f1-f8")
    position.play("j1-j2")
    assert position.is_legal("f8-e8")


def test_a_king_in_the_reserve_falls_with_the_keep() -> None:
    position = storming({"king": 1}, king="rj1")
    position.play("f1-f7")
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    assert position.legal_actions() == []
    assert RULES.position(position.state()).outcome() == position.outcome()
    position.undo()
    assert position.outcome() is None


def test_d13_the_keep_falls_between_two_rabble_moves() -> None:
    position = storming({"rabble": 1})
    position.play("d6-d7")
    assert position.in_turn
    assert position.turn is WHITE
    assert [effect.kind for effect in position.effects()] == ["keep_destroyed", "reserve_captured"]
    assert position.effects()[0].color is BLACK
    assert position.quiet_turns == -1
    position.play("end")
    assert position.quiet_turns == 0


def test_d13_only_the_opponents_keep_is_checked() -> None:
    # Black already has one piece on White's home tile; White's own pieces there do not add to it.
    position = place("Kj10 Rb1 Rb3 ra1 kj1", keeps={"white": "a2"})
    position.play("b1-c1")
    assert position.effects() == []
    assert position.state().fields["keeps"]["white"]["at"] == "a2"


def test_d13_home_tiles_stay_what_they_were() -> None:
    position = storming({})
    home = position.state().fields["keeps"]["black"]["home"]
    assert "e9" not in home  # a mountain
    position.play("f1-f7")
    assert position.state().fields["keeps"]["black"]["home"] == home


def test_d14_a_tile_beside_the_crossbowman_is_a_step_not_a_jump() -> None:
    position = place("Ka1 Xe4 kj10 rd5")
    assert [text for text in texts(position, "e4") if text[-2:] in ("d3", "d5", "f3", "f5")] == [
        "e4-d3",
        "e4-f3",
        "e4-f5",
        "e4xd5",
    ]


def test_d15_a_captured_king_leaves_the_keep_standing() -> None:
    position = place("Ka1 Ld9 Hf1 kf7", keeps={"black": "e8"}, reserves={"black": {"rabble": 1}})
    position.play("f1xf7")
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    assert position.state().fields["keeps"]["black"]["at"] == "e8"
    assert position.effects() == []
    position.undo()
    assert position.outcome() is None


# --- nothing to do --------------------------------------------------------------------------------

CORNERS = ["a2", "b1", "b2", "i9", "i10", "j9"]


def test_p4_pass_is_legal_only_if_nothing_else_is() -> None:
    assert texts(place("Ka1 kj10", mountains=CORNERS)) == ["pass"]
    assert texts(place("Ka1 kj10", mountains=CORNERS[1:])) == ["a1-a2"]
    # A piece in reserve with an empty home tile, or a Spearman to swap with, is something to do.
    drop: dict[str, Any] = {
        "keeps": {"white": "a2"},
        "reserves": {"white": {"rabble": 1}},
        "mountains": ["b1", "b2"],
    }
    assert set(texts(place("Ka1 kj10", WHITE, **drop))) == {"r@a3", "r@b3"}
    assert "pass" not in texts(place("Ka1 Sa2 kj10", mountains=["b1", "b2", "a3"]))
    assert "a2~a1" in texts(place("Ka1 Sa2 kj10", mountains=["b1", "b2", "a3"]))


def test_p4_the_second_forced_pass_in_a_row_draws() -> None:
    position = place("Ka1 kj10", mountains=CORNERS, quiet_turns=4)
    start = position.copy()
    position.play("pass")
    assert position.state().passed
    assert position.outcome() is None
    assert position.quiet_turns == 5
    once = position.copy()
    assert texts(position) == ["pass"]
    position.play("pass")
    assert position.outcome() == Outcome(None, End.FORCED_PASSES)
    assert position.legal_actions() == []
    again = RULES.position(position.state())
    assert again == position
    assert again.hash == position.hash
    assert again.outcome() == position.outcome()
    position.undo()
    assert position == once
    position.undo()
    assert position == start


def test_p4_an_action_between_two_passes_starts_afresh() -> None:
    position = place("Ka1 kj10 rh1", mountains=CORNERS)
    unpassed = RULES.position(place("Ka1 kj10 rh1", BLACK, mountains=CORNERS).state())
    position.play("pass")
    assert position.hash != unpassed.hash
    position.play("h1-h2")
    assert not position.state().passed
    position.play("pass")
    assert position.outcome() is None
    for _ in range(3):
        position.undo()
    assert position.hash == place("Ka1 kj10 rh1", mountains=CORNERS).hash


@pytest.mark.parametrize("passed", [False, True])
def test_p4_a_win_at_the_end_of_a_forced_pass_comes_before_the_draw(passed: bool) -> None:
    # Composed: two Rabble already stand on the home tiles of a keep that has not fallen yet.
    position = place(
        "Ka1 Ri9 Rj9 ea2 eb1",
        mountains=["b2", "h9", "i8", "i10", "j8"],
        keeps={"black": "j10"},
        reserves={"black": {"king": 1}},
        passed=passed,
    )
    before = position.copy()
    assert texts(position) == ["pass"]
    position.play("pass")
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    assert [effect.kind for effect in position.effects()] == ["keep_destroyed", "reserve_captured"]
    assert RULES.position(position.state()) == position
    position.undo()
    assert position == before


def test_p4_in_an_open_turn_nobody_has_to_pass() -> None:
    position = place("Ka1 Rc3 Rh3 kj10", second_rabble="c3")
    assert "pass" not in texts(position)
    assert "end" in texts(position)


# --- play and undo --------------------------------------------------------------------------------


def test_positions_that_differ_anywhere_differ_in_their_hash() -> None:
    keeps = {"white": "c3", "black": "h8"}
    reserves = {"white": {"rabble": 1}}
    positions = [
        place("Ka1 Rc5 Rd5 kj10", keeps=keeps, reserves=reserves),
        place("Ka1 Rc5 Rd5 kj10", BLACK, keeps=keeps, reserves=reserves),
        place("Ka1 Rc5 Rd5 kj10", passed=True, keeps=keeps, reserves=reserves),
        place("Ka1 Rc5 Rd5 kj10", second_rabble="c5", keeps=keeps, reserves=reserves),
        place("Ka1 Rc5 Rd5 kj10", second_rabble="d5", keeps=keeps, reserves=reserves),
        place("Ka1 Rc5 Rd5 kj10", keeps=keeps, reserves={"white": {"spearman": 1}}),
        place("Ka1 Rc5 Rd5 kj10", keeps=keeps, reserves={"black": {"rabble": 1}}),
        place("Ka1 Rc5 Rd5 kj10", keeps=keeps),
        place("Ka1 Rc5 Rd5 kj10", keeps=keeps, reserves=reserves, mountains=["a10"]),
        place("Ka1 Rc5 Rd5 kj10", keeps={"white": "c3"}, reserves=reserves),
        place("Ka1 Rc5 Rd5 kj10", keeps={"white": "c3", "black": "h9"}, reserves=reserves),
    ]
    assert len({position.hash for position in positions}) == len(positions)


@pytest.mark.parametrize(
    ("pieces", "fields", "message"),
    [
        ("Ka1 kj10 Re4", {"mountains": ["e4"]}, "Rabble on e4 stands on a mountain"),
        ("Ka1 kj10 Re4", {"keeps": {"white": "e4"}}, "Rabble on e4 stands on a keep"),
        ("Ra1 rj10", {}, "both Kings are missing"),
        ("Ka1 kj10", {"mountains": ["a2", "a3", "a4", "a5", "a6", "a7", "a8"]}, "7 mountains"),
        ("Ka1 kj10", {"mountains": ["e4"], "keeps": {"white": "e4"}}, "on a mountain or a keep"),
        ("Ka1 kj10", {"keeps": {"white": "e4", "black": "e4"}}, "on a mountain or a keep"),
        ("Ka1 kj10", {"reserves": {"white": {"rabble": 1}}}, "can be no reserve"),
        (
            "Ka1 kj10 Da5",
            {"keeps": {"white": "e4"}, "reserves": {"white": {"dragon": 1}}},
            "more than 1 Dragon",
        ),
        ("Ka1 kj10 Ra5", {"second_rabble": "a6"}, "no Rabble of white stands there"),
        ("Ka1 kj10 Ra5", {"second_rabble": "a5", "passed": True}, "exclude each other"),
        ("Ka1 kj10", {"quiet_turns": -1}, "no turn is open"),
    ],
)
def test_impossible_positions_are_refused(
    pieces: str, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(StateError, match=message):
        place(pieces, **fields)


def test_home_tiles_that_do_not_fit_the_keep_are_refused() -> None:
    fields = {"keeps": {"white": {"at": "a1", "home": ["a2", "b1"]}}}
    with pytest.raises(StateError, match="are a2, b1 and b2, not a2 and b1"):
        RULES.position(State({"c1": Piece(WHITE, "king")}, fields=fields))


# --- setups ---------------------------------------------------------------------------------------


def setup(
    keep: str | None = "a1",
    mountains: tuple[str, ...] = ("d4", "e5", "f5"),
    pieces: str = "Ra2 Rb1 Kb2",
    color: Color = WHITE,
) -> Setup:
    return Setup(
        "croft",
        color,
        {item[1:]: NAMES[item[0]] for item in pieces.split()},
        fields={"keep": keep, "mountains": list(mountains)},
    )


@pytest.mark.parametrize(
    ("wrong", "problem", "squares"),
    [
        (setup(keep=None), "The keep is still in the tray.", ()),
        (setup(mountains=("d4",)), "2 mountains are still in the tray.", ()),
        (
            setup(mountains=("d4", "e4", "f4", "g4")),
            "4 mountains are placed, on d4, e4, f4 and g4; there are only 3.",
            ("d4", "e4", "f4", "g4"),
        ),
        (
            setup(mountains=("d4", "e4", "f6")),
            "The mountain on f6 is outside White's half, rows 1 to 5.",
            ("f6",),
        ),
        (
            setup(keep="a5", pieces="Ra4 Rb4 Rb5"),
            "The keep on a5 is beside the screen; it belongs on rows 1 to 4.",
            ("a5",),
        ),
        (
            setup(keep="a8"),
            "The keep on a8 is outside White's half, rows 1 to 5.",
            ("a8",),
        ),
        (setup(keep="d4"), "The keep on d4 is on a mountain.", ("d4",)),
        (
            setup(mountains=("a2", "b1", "d4"), pieces="Kb2"),
            (
                "The keep on a1 has 1 home tile; it needs at least 2 tiles around it without a "
                "mountain."
            ),
            ("a1",),
        ),
        (
            setup(pieces="Ra2 Kb2"),
            "The home tile b1 is empty; every home tile holds a piece.",
            ("b1",),
        ),
        (setup(pieces="Ra2 Rb1 Kb2 Dd4"), "The Dragon on d4 is on a mountain.", ("d4",)),
        (setup(pieces="Ra2 Rb1 Kb2 Da1"), "The Dragon on a1 is on the keep.", ("a1",)),
        (
            setup(pieces="Ra2 Rb1 Kb2 Dc3"),
            "The Dragon on c3 is not beside the keep; pieces are set up on home tiles only.",
            ("c3",),
        ),
        (
            setup(pieces="Ra2 Rb1 Kb2 Dc7"),
            "The Dragon on c7 is outside White's half, rows 1 to 5.",
            ("c7",),
        ),
        (
            setup(pieces="Ka2 Rb1 Kb2"),
            "2 Kings are placed, on a2 and b2; there is only 1.",
            ("a2", "b2"),
        ),
    ],
)
def test_setup_problems_in_words(wrong: Setup, problem: str, squares: tuple[str, ...]) -> None:
    problems = RULES.check_setup(wrong)
    assert (problem, squares) in [(found.text, found.squares) for found in problems]
    with pytest.raises(SetupError):
        RULES.checked_setup(wrong)


def test_all_problems_of_a_setup_are_listed() -> None:
    problems = RULES.check_setup(setup(None, ("d4", "e6"), "Ra2 Dd4 Db5 Dj10"))
    assert [problem.text for problem in problems] == [
        "1 mountain is still in the tray.",
        "The mountain on e6 is outside White's half, rows 1 to 5.",
        "The keep is still in the tray.",
        "The Dragon on d4 is on a mountain.",
        "The Dragon on j10 is outside White's half, rows 1 to 5.",
        "3 Dragons are placed, on b5, d4 and j10; there is only 1.",
    ]


def test_d2_keep_and_home_tiles_may_lie_on_any_ground() -> None:
    assert RULES.check_setup(setup()) == []
    on_water = setup("b2", ("d4", "i2", "a5"), "Ra1 Ra2 Ra3 Sb1 Sb3 Sc1 Lc2 Lc3")
    assert RULES.check_setup(on_water) == []
    two_tiles = setup(mountains=("a2", "d4", "e5"), pieces="Rb1 Rb2")
    assert RULES.check_setup(two_tiles) == []


def test_d3_the_reserve_is_what_is_not_placed() -> None:
    white, black = setup(), RULES.turned_setup(setup(pieces="Ra2 Rb1 Sb2"))
    start = RULES.start(white, black, BLACK)
    fields = start.state().fields
    assert start.turn is BLACK
    assert fields["reserves"]["white"] == {
        **{kind.name: kind.count for kind in RULES.piece_types if kind.name != "king"},
        "rabble": 1,
    }
    assert fields["reserves"]["black"]["king"] == 1
    assert fields["keeps"]["black"] == {"at": "j10", "home": ["i10", "i9", "j9"]}
    assert fields["mountains"] == ["d4", "e5", "e6", "f5", "f6", "g7"]


@pytest.mark.parametrize("color", list(Color))
def test_random_setups_are_legal_and_varied(color: Color) -> None:
    setups = [RULES.random_setup(color, seed) for seed in range(300)]
    assert all(RULES.check_setup(each) == [] for each in setups)
    assert len({each.fields["keep"] for each in setups}) == 40
    assert {len(each.pieces) for each in setups} >= {3, 5, 8}
    assert {"king" in each.pieces.values() for each in setups} == {True, False}
    assert RULES.random_setup(color, 1) == RULES.random_setup(color, 1)


def test_a_named_kings_first_turn_is_safe_whatever_the_opponent_has_set_up() -> None:
    """Every opposing piece, alone on every tile of its half: nothing else opens more lines."""
    for name, each in RULES.named_setups().items():
        kings = {at for at, piece in each.pieces.items() if piece == "king"}
        for at in RULES.home(BLACK):
            for letter in "rsxlhectd":
                attacker = place_against(each, letter, at)
                struck = {
                    square
                    for action in attacker.legal_actions()
                    if action.origin == at
                    for square in (action.victim, action.target)
                }
                assert not struck & kings, f"{name}: {letter} on {at}"


def place_against(white: Setup, letter: str, at: str) -> Position:
    """Black has one piece on the board and the King safe in a keep out of the way."""
    keep = "a9" if at[0] > "c" else "j9"
    # Home tiles are worked out; the attacker may stand on one of them.
    return RULES.position(
        State(
            {
                **{tile: Piece(WHITE, name) for tile, name in white.pieces.items()},
                at: Piece(BLACK, NAMES[letter.upper()]),
            },
            to_move=BLACK,
            fields={
                "mountains": white.fields["mountains"],
                "keeps": {"white": {"at": white.fields["keep"]}, "black": {"at": keep}},
                "reserves": {"white": reserve_of(white), "black": {"king": 1}},
            },
        )
    )


@pytest.mark.parametrize("first", list(Color))
def test_no_king_of_two_named_setups_falls_in_the_first_action(first: Color) -> None:
    for white in RULES.named_setups(WHITE).values():
        for black in RULES.named_setups(BLACK).values():
            position = RULES.start(white, black, first)
            for action in position.legal_actions():
                position.play(action)
                assert position.outcome() is None
                position.undo()


# --- explanations ---------------------------------------------------------------------------------


def disagreements(position: Position) -> list[tuple[str, str]]:
    """Pairs of piece and tile on which explanations and legal actions do not agree."""
    state = position.state()
    wanted: set[tuple[str, str]] = set()
    for action in position.legal_actions():
        origin = action.origin or (action.piece and NAMES[action.piece])
        wanted.update((str(origin), at) for at in (action.target, action.victim) if origin and at)
    origins = [at for at, piece in state.pieces.items() if piece.color is state.to_move]
    origins += state.fields["reserves"][str(state.to_move)]
    found = []
    for origin in origins:
        for target in RULES.board.squares:
            if target != origin:
                reasons = position.reasons(origin, target)
                legal = {reason.legal for reason in reasons}
                if legal != {(origin, target) in wanted}:
                    found.append((origin, target))
    return found


def test_explanations_agree_with_the_actions() -> None:
    for number, (known, position) in enumerate(known_positions()):
        if number % 50 == 0:
            assert disagreements(position) == [], known["id"]
    assert disagreements(place("Ka1 Rc3 Rh3 De5 kj10 rh4", second_rabble="c3")) == []
    for seed in range(10):
        position = RULES.random_position(seed, actions=6 * seed)
        if position.outcome() is None:
            assert disagreements(position) == [], seed


@pytest.mark.parametrize(
    ("pieces", "fields", "origin", "target", "sentence"),
    [
        (
            "Re4",
            {},
            "e4",
            "f5",
            ("The Rabble moves 1 tile straight; f5 is not 1 such step away. (croft, Rabble)"),
        ),
        (
            "Ee1",
            {"mountains": ["e3"]},
            "e1",
            "e4",
            "The mountain on e3 is in the way; only the Dragon passes over it. (croft, Turns)",
        ),
        (
            "Ee1",
            {"mountains": ["e3"]},
            "e1",
            "e3",
            "A mountain covers e3; no piece, not even the Dragon, can stop there. (croft D12)",
        ),
        (
            "Ee1",
            {"keeps": {"black": "e3"}},
            "e1",
            "e4",
            "Black's keep on e3 is in the way. (croft, Turns)",
        ),
        (
            "Ed1",
            {},
            "d1",
            "d5",
            "The Elephant has to stop on the water tile d4, short of d5. (croft, Water)",
        ),
        (
            "Ee1 Re2",
            {},
            "e1",
            "e2",
            ("The Rabble on e2 is your own; move it away first. (croft, Turns)"),
        ),
        (
            "Ee1 ee3",
            {},
            "e1",
            "e3",
            (
                "Black's Elephant on e3 can only be captured while another of your pieces "
                "is beside it; "
                "bring one next to e3 first. (croft D9)"
            ),
        ),
        ("Se4 Sd4", {}, "e4", "d4", "Two Spearmen do not swap: nothing would change. (croft D6)"),
        (
            "Xe5",
            {},
            "e5",
            "a1",
            "The Crossbowman goes directly only to forest; a1 is plain. (croft, Crossbowman)",
        ),
        (
            "Cc1 rd2",
            {},
            "c1",
            "f4",
            (
                "Black's Rabble on d2 is in the way; after a capture the Catapult stops or goes on "
                "to a second victim, and f4 is empty. (croft D10)"
            ),
        ),
        (
            "Tc1 Rd2",
            {},
            "c1",
            "f4",
            (
                "The Trebuchet passes over the Rabble on d2 only to capture, and f4 is empty. "
                "(croft D11)"
            ),
        ),
        (
            "Hd1 Rd4",
            {},
            "d1",
            "d5",
            (
                "The Rabble on d4 stands on water, and nobody passes over an occupied water tile. "
                "(croft, Water)"
            ),
        ),
        (
            "Ra5 Rc5 De5",
            {"second_rabble": "a5"},
            "e5",
            "e6",
            (
                "A Rabble has just moved, so only another Rabble may follow; the Dragon "
                "on e5 waits for "
                "the next turn. (croft, Rabble)"
            ),
        ),
        (
            "Ra5 Rc5",
            {"second_rabble": "a5"},
            "a5",
            "a6",
            (
                "The Rabble on a5 has just moved; only another Rabble may move now, or "
                "the turn ends. "
                "(croft, Rabble)"
            ),
        ),
        (
            "Re5",
            {},
            "dragon",
            "e6",
            "Your keep is destroyed; nothing more can be brought out. (croft, Storming a keep)",
        ),
        (
            "ra3",
            {"keeps": {"white": "a2"}, "reserves": {"white": {"dragon": 1}}},
            "dragon",
            "a3",
            (
                "Black's Rabble on a3 stands there, and a piece from the reserve never "
                "captures; drive "
                "it off first. (croft, Turns)"
            ),
        ),
        (
            "Re5",
            {"keeps": {"white": "a2"}, "reserves": {"white": {"dragon": 1}}},
            "dragon",
            "e6",
            (
                "The Dragon comes out on a home tile, a1, a3, b1, b2 or b3, and e6 is none. "
                "(croft, Turns)"
            ),
        ),
    ],
)
def test_what_explanations_say(
    pieces: str, fields: dict[str, Any], origin: str, target: str, sentence: str
) -> None:
    reasons = place(f"Ka10 kj10 {pieces}", **fields).reasons(origin, target)
    assert str(reasons[0]) == sentence
    assert not any(reason.legal for reason in reasons)


def test_a_light_horse_is_told_about_both_ways() -> None:
    position = place("Kj6 La5 kj10", mountains=["c5", "i5"])
    assert [reason.sentence for reason in position.reasons("a5", "e5")] == [
        "The mountain on c5 is in the way; only the Dragon passes over it.",
        ("Over the edge: the mountain on i5 is in the way; only the Dragon passes over it."),
    ]


def test_home_tiles_are_the_tiles_around_the_keep() -> None:
    assert home_tiles("a1", ["b1"]) == ["a2", "b2"]


def test_d16_the_board_is_ten_by_ten() -> None:
    assert len(RULES.board) == 100
    assert len(home_tiles("e3", [])) == 8


def test_d17_beside_means_the_eight_neighbours() -> None:
    assert set(home_tiles("a1", [])) == {"a2", "b1", "b2"}
    position = place("Ka1 Se4 Hf5 He6 re8 kj10")
    assert "e4~f5" in texts(position)  # aslant
    assert not position.is_legal("e4~e6")
    # The Rabble stands aslant beside the Elephant, which is enough to capture it.
    assert place("Ka1 He3 ee6 Rf7 kj10").is_legal("e3xe6")
