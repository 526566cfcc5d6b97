"""The rules of gameofcyvasse, one test at least for each rule and decision."""

from __future__ import annotations

import gzip
import json
import pickle
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cyvasse.actions import Action
from cyvasse.errors import SetupError, StateError
from cyvasse.notation.documents import read_state
from cyvasse.rules.base import Position
from cyvasse.rules.gameofcyvasse import GAMEOFCYVASSE_RULES as RULES
from cyvasse.rules.gameofcyvasse.pieces import PIECES, takes
from cyvasse.rules.gameofcyvasse.setups import TILES, ranges
from cyvasse.rules.terms import BLACK, WHITE, Color, Effect, End, Outcome, Piece, Setup, State

DATA = Path(__file__).parents[1] / "data" / "gameofcyvasse.jsonl.gz"
LETTERS = {kind.letter: kind.name for kind in RULES.piece_types}
GROUNDS = {letter: ground for ground, letter in RULES.terrain_letters.items()}


def place(
    pieces: str, terrain: str = "", to_move: Color = WHITE, passed: bool = False, **fields: Any
) -> Position:
    """A small position: ``Ld4`` is White's Light Horse on d4, ``wd4`` in ``terrain`` water there.

    Kings are added in far corners unless they are placed.
    """
    stand = {
        item[1:]: Piece(WHITE if item[0].isupper() else BLACK, LETTERS[item[0].upper()])
        for item in pieces.split()
    }
    for king, corner in ((Piece(WHITE, "king"), "a1"), (Piece(BLACK, "king"), "h8")):
        if king not in stand.values():
            stand[corner] = king
    laid = {item[1:]: GROUNDS[item[0]] for item in terrain.split()}
    return RULES.position(State(stand, laid, to_move, passed=passed, fields=fields))


def actions(position: Position, origin: str = "") -> set[str]:
    """The texts of the legal actions, of one piece or of all."""
    return {
        str(action) for action in position.legal_actions() if not origin or action.origin == origin
    }


def ends(position: Position, origin: str, kind: str = "move") -> set[str | None]:
    """Where the actions of that kind end (or, for shots, what they hit)."""
    return {
        action.target
        for action in position.legal_actions()
        if action.origin == origin and action.kind == kind
    }


def play(position: Position, *texts: str) -> Position:
    for text in texts:
        position.play(text)
    return position


def around(square: str) -> set[str]:
    return {other for other in RULES.board.squares if RULES.board.distance(square, other) == 1}


# --- the stored positions -------------------------------------------------------------------------


def lines() -> Iterator[dict[str, Any]]:
    with gzip.open(DATA, "rt") as file:
        yield from map(json.loads, file)


def load(line: dict[str, Any]) -> Position:
    document = {key: line[key] for key in line if key not in ("id", "actions", "perft")}
    return RULES.position(read_state(RULES, document))


# --- board and setup ------------------------------------------------------------------------------


def changed(setup: Setup, pieces: dict[str, str | None], terrain: dict[str, str | None]) -> Setup:
    """The setup with some squares changed; None takes away what is there."""
    stand = {**setup.pieces, **pieces}
    laid = {**setup.terrain, **terrain}
    return Setup(
        setup.rule_set,
        setup.color,
        {square: name for square, name in stand.items() if name is not None},
        {square: ground for square, ground in laid.items() if ground is not None},
    )


def problems(setup: Setup) -> list[str]:
    return [problem.text for problem in RULES.check_setup(setup)]


SUNSPEAR = RULES.named_setups()["sunspear"]


@pytest.mark.parametrize("color", Color)
def test_homelands(color: Color) -> None:
    assert {square[1] for square in RULES.home(color)} == set("1234" if color is WHITE else "5678")
    assert len(RULES.home(color)) == sum(TILES.values()) == 32


def test_an_empty_setup_names_every_tile_and_piece() -> None:
    texts = problems(Setup("gameofcyvasse", WHITE, {}))
    assert "6 mountains are still in the tray." in texts
    assert "5 water tiles are still in the tray." in texts
    assert "6 forest tiles are still in the tray." in texts
    assert "1 fortress is still in the tray." in texts
    assert any(text.startswith("32 grass tiles are placed") for text in texts)
    for kind in RULES.piece_types:
        what = "The Spearmen are" if kind.many else f"1 {kind.title} is"
        assert f"{what} still in the tray." in texts
    assert len(texts) == 5 + 10


@pytest.mark.parametrize("ground", ["mountain", "water", "forest", "fortress"])
def test_one_tile_too_many_is_told_with_its_squares(ground: str) -> None:
    setup = changed(SUNSPEAR, {}, {"h1": ground})
    listed = RULES.check_setup(setup)
    [surplus] = [problem for problem in listed if ground in problem.text]
    squares = sorted(square for square, kind in setup.terrain.items() if kind == ground)
    assert sorted(surplus.squares) == squares
    assert surplus.text.startswith(f"{TILES[ground] + 1} {ground}")
    assert "1 grass tile is still in the tray." in problems(setup)


def test_ground_and_pieces_outside_the_homeland() -> None:
    listed = RULES.check_setup(changed(SUNSPEAR, {"a3": None, "e5": "rabble"}, {"f5": "water"}))
    assert [problem.squares for problem in listed] == [("f5",), ("e5",)]
    assert "rows 1 to 4" in listed[0].text
    assert "Rabble on e5 is outside White's half, rows 1 to 4" in listed[1].text


def test_two_of_a_piece_and_a_missing_one() -> None:
    listed = RULES.check_setup(changed(SUNSPEAR, {"a3": "spearmen"}, {}))
    assert [(problem.text, problem.squares) for problem in listed] == [
        ("1 Rabble is still in the tray.", ()),
        ("2 Spearmen are placed, on a3 and c3; there is only 1.", ("a3", "c3")),
    ]


def test_an_illegal_setup_is_refused_with_all_problems() -> None:
    bad = changed(SUNSPEAR, {"a3": None}, {"h1": "water"})
    with pytest.raises(SetupError) as caught:
        RULES.start(bad, RULES.random_setup("black", 1), "white")
    assert len(caught.value.problems) == 3


def test_d1_three_mountains_in_a_row_or_round_a_corner() -> None:
    straight = changed(SUNSPEAR, {}, {"g4": None, "d4": "mountain"})  # b4 c4 d4
    [problem] = RULES.check_setup(straight)
    assert problem.squares == ("b4", "c4", "d4")
    assert "b4, c4 and d4" in problem.text
    bent = changed(SUNSPEAR, {}, {"e2": None, "g3": "mountain"})  # f4 g4 g3 g2
    assert [problem.squares for problem in RULES.check_setup(bent)] == [("f4", "g2", "g3", "g4")]


def test_d1_diagonals_do_not_hang_together() -> None:
    assert problems(changed(SUNSPEAR, {}, {"e2": None, "h3": "mountain"})) == []  # f4 g4, h3, g2
    assert ranges(["a1", "b2", "c3"]) == [["a1"], ["b2"], ["c3"]]


def test_d1_groups_are_counted_inside_one_homeland() -> None:
    """White's b4 c4 and mountains of Black's on b5 c5 make four together, and that is legal."""
    black = RULES.turned_setup(SUNSPEAR)
    assert {"f5", "g5", "b5", "c5"} <= {s for s, g in black.terrain.items() if g == "mountain"}
    RULES.start(SUNSPEAR, black, "white")


def test_d2_only_the_dragon_is_set_up_on_a_mountain() -> None:
    [problem] = RULES.check_setup(changed(SUNSPEAR, {"a3": None, "b4": "rabble"}, {}))
    assert problem.squares == ("b4",)
    assert "only the Dragon" in problem.text
    assert problems(changed(SUNSPEAR, {"f1": None, "b4": "dragon"}, {})) == []


def test_d2_every_other_ground_takes_any_piece() -> None:
    for square, ground in (("a4", "water"), ("a2", "fortress"), ("d3", "forest"), ("h1", None)):
        assert SUNSPEAR.terrain.get(square) == ground
        assert problems(changed(SUNSPEAR, {"b1": None, square: "king"}, {})) == []


@pytest.mark.parametrize("color", Color)
def test_random_setups_are_legal_and_varied(color: Color) -> None:
    setups = [RULES.random_setup(color, seed) for seed in range(150)]
    for setup in setups:
        assert problems(setup) == []
    roosts = {
        setup.terrain.get(square)
        for setup in setups
        for square, name in setup.pieces.items()
        if name == "dragon"
    }
    assert roosts == {"mountain", "water", "forest", "fortress", None}
    assert max(len(g) for s in setups for g in ranges(mountains(s))) == 2
    assert RULES.random_setup(color, 7) == RULES.random_setup(color, random.Random(7))


def mountains(setup: Setup) -> list[str]:
    return [square for square, ground in setup.terrain.items() if ground == "mountain"]


def test_no_first_action_takes_the_king_of_a_named_setup() -> None:
    rivals = [*RULES.named_setups(BLACK).values()]
    rivals += [RULES.random_setup(BLACK, seed) for seed in range(60)]
    for name, setup in RULES.named_setups().items():
        [king] = [square for square, kind in setup.pieces.items() if kind == "king"]
        for rival in rivals:
            for first in Color:
                position = RULES.start(setup, rival, first)
                if first is WHITE:
                    play(position, a_quiet_action(position, king))
                struck = {action.victim for action in position.legal_actions()}
                assert king not in struck, name


def a_quiet_action(position: Position, king: str) -> str:
    return next(
        str(action)
        for action in position.legal_actions()
        if action.kind == "move" and action.origin != king
    )


def test_start_lays_both_homelands() -> None:
    black = RULES.random_setup("black", 3)
    state = RULES.start(SUNSPEAR, black, "black").state()
    assert dict(state.terrain) == dict(sorted({**SUNSPEAR.terrain, **black.terrain}.items()))
    assert state.to_move is BLACK
    assert state.fields == {"ruined": [], "waiting": [], "facing": {}}
    assert len(state.pieces) == 20


# --- pieces, and who can take whom ----------------------------------------------------------------


def test_d3_ranks_follow_the_list_in_the_text() -> None:
    names = [spec.type.name for spec in PIECES]
    assert names == [
        "rabble",
        "spearmen",
        "crossbowman",
        "light_horse",
        "heavy_horse",
        "elephant",
        "catapult",
        "trebuchet",
        "dragon",
        "king",
    ]
    # By the table of contents a Heavy Horse could take the Trebuchet; by the list it cannot.
    assert takes("heavy_horse", "elephant")
    assert not takes("heavy_horse", "trebuchet")
    assert {kind.count for kind in RULES.piece_types} == {1}


# Who takes whom, by letters in the order of strength, Kings aside.
PREY = {
    "R": "RS",
    "S": "RSX",
    "X": "RSXLD",
    "L": "RXLH",
    "H": "RXLHE",
    "E": "RSXLHEC",
    "C": "RSXLHECTD",
    "T": "RSXLHECTD",
    "D": "RSXLHECTD",
    "K": "RSXLHECTD",
}


@pytest.mark.parametrize("attacker", PREY)
def test_who_can_take_whom(attacker: str) -> None:
    for victim in "RSXLHECTD":
        position = place(f"{attacker}d4 {victim.lower()}d5")
        assert ("d4xd5" in actions(position)) == (victim in PREY[attacker]), victim
    assert "d4xd5" in actions(place(f"{attacker}d4 kd5"))


def test_kings_take_each_other() -> None:
    position = play(place("Kd4 kd5"), "d4xd5")
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)


def test_d4_an_elephant_is_not_cavalry() -> None:
    assert "d4xd5" in actions(place("Ed4 sd5"))
    for horse in "LH":
        assert "d4xd5" not in actions(place(f"{horse}d4 sd5"))


@pytest.mark.parametrize("letter", "RSXECTK")
def test_pieces_of_one_step(letter: str) -> None:
    assert ends(place(f"{letter}d4"), "d4") == around("d4")


@pytest.mark.parametrize(("letter", "steps"), [("L", 3), ("H", 2)])
def test_horses_turn_as_they_like(letter: str, steps: int) -> None:
    board = RULES.board
    near = {s for s in board.squares if 0 < board.distance("d4", s) <= steps} - {"a1"}
    assert ends(place(f"{letter}d4"), "d4") == near


# --- moving ---------------------------------------------------------------------------------------


def test_mountains_stop_all_but_dragons() -> None:
    position = place("Rd4 Dd3", "md5 mc4")
    assert ends(position, "d4") == around("d4") - {"d5", "c4", "d3"}
    assert {"d5", "d8"} <= ends(position, "d3")


def test_passing_diagonally_between_obstacles() -> None:
    assert "a1-b2" in actions(place("Ka1", "ma2 mb1"))


def test_a_horse_goes_round_what_is_in_its_way() -> None:
    fence = "mc5 md5 me5"
    assert "d6" not in ends(place("Hd4", fence), "d4")
    assert "d6" not in ends(place("Ld4", fence), "d4")
    assert "d6" in ends(place("Ld4", "md5 me5"), "d4")


def test_forest_takes_a_step_more() -> None:
    """The source's example: a Light Horse that enters forest first may move one more square."""
    corridor = "fd5 mc5 me5"
    position = place("Ld4", corridor)
    assert "d6" in ends(position, "d4")
    assert "d7" not in ends(position, "d4")
    assert "d7" in ends(place("Ld4", "mc5 me5"), "d4")
    # One step left is enough to enter.
    assert "d5" in ends(place("Rd4", corridor), "d4")
    assert "d6" in ends(place("Hd4", "mc5 me5 fd6"), "d4")


def test_a_forest_that_takes_the_last_step_leaves_no_attack() -> None:
    assert "d4xd6" not in actions(place("Hd4 rd6", "fd5 mc5 me5"))
    assert "d4xd6" in actions(place("Ld4 rd6", "fd5 mc5 me5"))


def test_water_ends_the_movement() -> None:
    position = place("Ld4 rd6", "wd5 mb5 mc5 me5 mf5")
    assert "d5" in ends(position, "d4")
    assert not {"c6", "e6", "c7", "d7", "e7"} & ends(position, "d4")
    assert "d4xd6" not in actions(position)


def test_a_fortress_costs_as_grass_does_and_anyone_may_enter() -> None:
    for ruined in ([], ["d5"]):
        position = place("Ld4", "cd5 mc5 me5", ruined=ruined)
        assert {"d5", "d6", "d7"} <= ends(position, "d4")
    assert "d4-d5" in actions(place("Rd4", "cd5"))


def test_no_move_ends_where_it_started() -> None:
    for letter in "LHDK":
        assert "d4" not in ends(place(f"{letter}d4"), "d4")


# --- attacks --------------------------------------------------------------------------------------


def test_melee_takes_the_place_of_its_victim() -> None:
    position = play(place("Ld4 rd6"), "d4xd6")
    assert dict(position.pieces()) == {
        "a1": Piece(WHITE, "king"),
        "d6": Piece(WHITE, "light_horse"),
        "h8": Piece(BLACK, "king"),
    }
    assert position.turn is BLACK


def test_melee_into_water_waits() -> None:
    position = play(place("Ld4 rd5", "wd5"), "d4xd5")
    assert position.state().fields["waiting"] == ["d5"]


def test_d5_own_pieces_block_horses() -> None:
    assert "d6" not in ends(place("Hd4 Ed5", "mc5 me5"), "d4")
    assert "d6" in ends(place("Hd4", "mc5 me5"), "d4")


def test_d5_own_pieces_may_be_attacked_but_never_the_own_king() -> None:
    position = place("Kc4 Ed4 Rd5 Cd3 Xe4 De5")
    assert {"d4xd5", "d4xd3", "d4xe4"} <= actions(position, "d4")
    assert {"d3*d4", "d3*d5", "d3*e5", "e4*d5", "e5xd5", "c4xd4"} <= actions(position)
    assert "c4" not in {action.victim for action in position.legal_actions()}
    # The same table holds: an Elephant does not take its own Dragon, nor a horse own Spearmen.
    assert "d4xe5" not in actions(position)
    assert "d4xd5" not in actions(place("Ld4 Sd5"))


def test_d5_an_own_piece_in_a_standing_fortress_may_be_attacked() -> None:
    position = play(place("Ed4 Rd5", "cd5"), "d4-d4*d5")
    assert position.piece_at("d5") == Piece(WHITE, "rabble")
    assert position.state().fields["ruined"] == ["d5"]
    assert "d4-d4*d5" not in actions(place("Ed4 Kd5", "cd5"))


@pytest.mark.parametrize("letter", "XCT")
def test_d6_shooters_attack_either_way(letter: str) -> None:
    facing: dict[str, Any] = {"facing": {"d4": "N"}} if letter == "T" else {}
    position = place(f"{letter}d4 rd5", **facing)
    assert {"d4xd5", "d4*d5"} <= actions(position)
    play(position, "d4*d5")
    assert position.piece_at("d4") == Piece(WHITE, LETTERS[letter])
    assert position.piece_at("d5") is None
    assert position.turn is BLACK


@pytest.mark.parametrize("letter", "XCT")
def test_shooters_on_water_cannot_attack_but_move(letter: str) -> None:
    facing: dict[str, Any] = {"facing": {"d4": "N"}} if letter == "T" else {}
    position = place(f"{letter}d4 rd5 xd6", "wd4", **facing)
    assert actions(position, "d4") == {f"d4-{square}" for square in around("d4") - {"d5"}}


@pytest.mark.parametrize("letter", "RSLHEDK")
def test_others_attack_from_water(letter: str) -> None:
    assert "d4xd5" in actions(place(f"{letter}d4 rd5", "wd4"))


def test_a_shot_needs_a_victim_it_can_take() -> None:
    assert ends(place("Xd4 ed5 cd3 dc4 le4"), "d4", "shoot") == {"c4", "e4"}


def test_crossbowman_shoots_at_its_neighbours() -> None:
    position = place("Xd4 re5 sd6 ld2")
    assert ends(position, "d4", "shoot") == {"e5"}


def test_trebuchet_shoots_up_to_three_squares_ahead_over_pieces() -> None:
    position = place("Te1 re2 se3 xe4 le5 hf2", facing={"e1": "N"})
    assert ends(position, "e1", "shoot") == {"e2", "e3", "e4"}


def test_d7_a_trebuchet_that_has_not_moved_cannot_shoot() -> None:
    assert ends(place("Te1 re2 se3"), "e1", "shoot") == set()


def test_d7_any_move_sets_the_direction() -> None:
    def facing(position: Position) -> dict[str, str]:
        faced: dict[str, str] = position.state().fields["facing"]
        return faced

    for step, direction in (
        ("d4-d5", "N"),
        ("d4-e5", "NE"),
        ("d4-e4", "E"),
        ("d4-e3", "SE"),
        ("d4-d3", "S"),
        ("d4-c3", "SW"),
        ("d4-c4", "W"),
        ("d4-c5", "NW"),
    ):
        assert facing(play(place("Td4"), step)) == {step[3:]: direction}
    assert facing(play(place("Td4 re5"), "d4xe5")) == {"e5": "NE"}
    assert facing(play(place("Td4 rc4", "cc4"), "d4-d4*c4")) == {"d4": "W"}
    # A shot turns nothing.
    shot = place("Td4 rd5", facing={"d4": "N"})
    assert facing(play(shot, "d4*d5")) == {"d4": "N"}


def test_d7_the_direction_is_part_of_the_position() -> None:
    hashes = {place("Td4", facing={"d4": way}).hash for way in RULES.board.directions}
    assert len(hashes | {place("Td4").hash}) == 9
    assert place("Td4", facing={"d4": "N"}) != place("Td4")


def test_d8_mountains_stop_shots_and_pieces_do_not() -> None:
    position = place("Cd4 rd6 sf4 xf6 lb4", "md5 me5")
    assert ends(position, "d4", "shoot") == {"f4", "b4"}
    assert ends(place("Cd4 rd6 sd5"), "d4", "shoot") == {"d5", "d6"}
    assert ends(place("Te1 re2 xe4", "me3", facing={"e1": "N"}), "e1", "shoot") == {"e2"}


@pytest.mark.parametrize(
    ("target", "between"),
    [
        ("f5", ("e4", "e5")),
        ("f3", ("e4", "e3")),
        ("e6", ("d5", "e5")),
        ("c6", ("d5", "c5")),
        ("b5", ("c4", "c5")),
        ("b3", ("c4", "c3")),
        ("c2", ("d3", "c3")),
        ("e2", ("d3", "e3")),
    ],
)
def test_d8_a_knights_jump_is_blocked_by_two_mountains_only(
    target: str, between: tuple[str, str]
) -> None:
    one, other = between
    for terrain, open_ in (
        ("", True),
        (f"m{one}", True),
        (f"m{other}", True),
        (f"m{one} m{other}", False),
    ):
        position = place(f"Cd4 r{target}", terrain)
        assert (f"d4*{target}" in actions(position)) is open_


def test_d8_a_dragon_on_a_mountain_can_be_shot() -> None:
    position = place("Xd4 Cc6 Te2 de5", "me5", facing={"e2": "N"})
    assert {"d4*e5", "c6*e5", "e2*e5"} <= actions(position)
    behind = place("Te2 de4 re5", "me4", facing={"e2": "N"})
    assert ends(behind, "e2", "shoot") == {"e4"}


# --- the dragon -----------------------------------------------------------------------------------


def test_dragon_flies_over_everything_and_ends_anywhere_empty() -> None:
    position = place("Dd4 Rd5 rd6 Ee4 ef4 kg8", "md7 wg4 fd3 mc4")
    assert {"d7", "d8", "g4", "h4", "d3", "d2", "d1", "c4", "b4", "a4"} <= ends(position, "d4")
    assert {"d5", "d6", "e4", "f4"} == ends(position, "d4", "capture")
    assert "e6" not in ends(position, "d4")


def test_dragon_never_waits() -> None:
    position = play(place("Dd4", "wd5"), "d4-d5", "h8-h7")
    assert position.state().fields["waiting"] == []
    assert ends(position, "d5")


def test_dragon_cannot_pass_the_enemy_dragon() -> None:
    position = place("Dd4 dd6")
    assert "d4xd6" in actions(position)
    assert not {"d7", "d8"} & ends(position, "d4")


def test_an_enemy_dragon_on_forest_can_be_neither_taken_nor_passed() -> None:
    position = place("Dd4 dd6", "fd6")
    assert "d4xd6" not in actions(position)
    assert not {"d7", "d8"} & ends(position, "d4")


def test_dragon_attacks_nothing_on_forest() -> None:
    position = place("Dd4 rd6 kg4", "fd6 fg4")
    assert ends(position, "d4", "capture") == set()
    assert {"d7", "h4"} <= ends(position, "d4")


def test_a_dragon_on_a_mountain_is_taken_in_melee_only_by_the_dragon() -> None:
    position = place("Xd4 Ce4 Tf4 Kd6 Dh5 de5", "me5")
    takers = {
        action.origin
        for action in position.legal_actions()
        if action.kind == "capture" and action.victim == "e5"
    }
    assert takers == {"h5"}


# --- fortress -------------------------------------------------------------------------------------


@pytest.mark.parametrize("victim", "rkd")
def test_a_fortress_falls_instead_of_its_piece(victim: str) -> None:
    position = place(f"Kd4 {victim}d5", "cd5")
    assert "d4xd5" not in actions(position)
    play(position, "d4-d4*d5")
    assert position.outcome() is None
    assert position.piece_at("d5") == Piece(BLACK, LETTERS[victim.upper()])
    assert position.piece_at("d4") == Piece(WHITE, "king")
    assert position.state().fields["ruined"] == ["d5"]
    assert position.effects() == [Effect("ruined", BLACK, "d5")]
    assert position.terrain_at("d5") == "ruin"


def test_a_shot_ruins_a_fortress_too() -> None:
    position = play(place("Cd4 kd6", "cd6"), "d4*d6")
    assert position.outcome() is None
    assert position.state().fields["ruined"] == ["d6"]
    play(position, "d6-d7")
    assert "d4*d6" not in actions(position)


def test_only_who_can_take_the_piece_ruins_its_fortress() -> None:
    assert actions(place("Rd4 ed5", "cd5"), "d4") == {f"d4-{s}" for s in around("d4") - {"d5"}}
    assert not {a.kind for a in place("Hd4 sd5", "cd5").legal_actions()} & {"siege", "capture"}


def test_a_ruined_fortress_protects_nobody() -> None:
    assert "d4xd5" in actions(place("Ed4 rd5", "cd5", ruined=["d5"]))


def test_whoever_stands_in_a_fortress_is_protected() -> None:
    """A fortress in White's land protects Black's piece there."""
    assert "d3-d3*d4" in actions(place("Ed3 rd4", "cd4"))


def test_d9_each_square_to_besiege_from_is_an_action_of_its_own() -> None:
    position = place("Hd4 rd6", "cd6")
    assert {text for text in actions(position) if "*" in text} == {
        "d4-c5*d6",
        "d4-d5*d6",
        "d4-e5*d6",
    }
    play(position, "d4-e5*d6")
    assert position.piece_at("e5") == Piece(WHITE, "heavy_horse")
    assert position.piece_at("d6") == Piece(BLACK, "rabble")
    beside = place("Hd4 rd5", "cd5 mc5 me5")
    assert {text for text in actions(beside) if "*" in text} == {
        "d4-d4*d5",
        "d4-c4*d5",
        "d4-e4*d5",
    }


def test_d9_no_siege_from_water_or_with_no_step_left() -> None:
    position = place("Hd4 rd6", "cd6 wd5 fe5")
    assert {text for text in actions(position) if "*" in text} == {"d4-c5*d6"}


def test_d9_a_dragon_ends_on_the_last_empty_square_before_the_fortress() -> None:
    assert "d1-d5*d6" in actions(place("Dd1 rd6", "cd6"))
    assert "d1-d4*d6" in actions(place("Dd1 Ed5 rd6", "cd6"))
    assert "d1-d2*d6" in actions(place("Dd1 Ed5 Rd4 xd3 rd6", "cd6 wd2"))
    assert "d4-d4*d6" in actions(place("Dd4 Ed5 rd6", "cd6"))
    position = play(place("Dd4 Ed5 rd6", "cd6"), "d4-d4*d6")
    assert position.piece_at("d4") == Piece(WHITE, "dragon")


def test_d9_records_name_the_fortress() -> None:
    action = Action.parse("d4-e5*d6", RULES.board)
    assert RULES.records.record(action) == {
        "kind": "siege",
        "from": "d4",
        "to": "e5",
        "target": "d6",
    }


# --- waiting --------------------------------------------------------------------------------------


def test_d10_who_enters_water_waits_for_one_turn_of_its_owner() -> None:
    position = play(place("Rd4", "wd5"), "d4-d5")
    assert position.state().fields["waiting"] == ["d5"]
    assert position.effects() == [Effect("waits", WHITE, "d5", "rabble")]
    play(position, "h8-h7")
    assert actions(position, "d5") == set()
    assert position.state().fields["waiting"] == ["d5"]
    play(position, "a1-a2")
    assert position.state().fields["waiting"] == []
    play(position, "h7-h8")
    assert ends(position, "d5") == around("d5")


def test_d10_from_water_to_water_waits_again() -> None:
    position = play(place("Rd4", "wd4 wd5"), "d4-d5")
    assert position.state().fields["waiting"] == ["d5"]


def test_d10_a_piece_set_up_on_water_may_act_at_once() -> None:
    assert ends(place("Rd4", "wd4"), "d4") == around("d4")


def test_d10_the_wait_ends_with_a_forced_pass() -> None:
    position = place("Ka1 rh7", "wa1", waiting=["a1"])
    play(position, "pass")
    assert position.state().fields["waiting"] == []
    play(position, "h7-h6")
    assert ends(position, "a1") == {"a2", "b1", "b2"}


def test_d10_a_waiting_piece_can_be_taken() -> None:
    position = place("Rd4 ed5", "wd4", BLACK, waiting=["d4"])
    play(position, "d5xd4")
    # The Elephant has entered the water in its turn.
    assert position.state().fields["waiting"] == ["d4"]
    assert position.piece_at("d4") == Piece(BLACK, "elephant")
    shot = place("Rd4 cd5", "wd4", BLACK, waiting=["d4"])
    assert play(shot, "d5*d4").state().fields["waiting"] == []


def test_d10_waiting_is_part_of_the_position() -> None:
    assert place("Rd4", "wd4").hash != place("Rd4", "wd4", waiting=["d4"]).hash


def test_d13_a_siege_from_the_own_water_square_is_no_entering() -> None:
    position = play(place("Ed4 rd5", "wd4 cd5"), "d4-d4*d5")
    assert position.state().fields["waiting"] == []


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["d4xd5", "d4*d5"])
def test_who_loses_the_king_loses(how: str) -> None:
    position = play(place("Cd4 kd5"), how)
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    assert position.legal_actions() == []
    again = RULES.position(position.state())
    assert again == position
    assert again.outcome() == position.outcome()


def test_black_wins_too() -> None:
    assert play(place("Kd4 rd5", to_move=BLACK), "d5xd4").outcome() == Outcome(
        BLACK, End.KING_CAPTURED
    )


def test_d11_the_lot_decides_who_begins() -> None:
    assert RULES.first_player is None
    black = RULES.random_setup("black", 1)
    for first in Color:
        assert RULES.start(SUNSPEAR, black, first).turn is first
    with pytest.raises(StateError, match="say who begins"):
        RULES.start(SUNSPEAR, black)


def test_d12_catapult_reaches_five_by_five() -> None:
    squares = {s for s in RULES.board.squares if 0 < RULES.board.distance("d4", s) <= 2}
    assert len(squares) == 24
    for square in RULES.board.squares:
        if square not in ("d4", "a1", "h8"):
            shots = ends(place(f"Cd4 r{square}"), "d4", "shoot")
            assert (square in shots) is (square in squares)


def test_d12_a_king_on_forest_is_safe_from_the_dragon() -> None:
    assert "d4xd6" not in actions(place("Dd4 kd6", "fd6"))
    assert "d4xd6" in actions(place("Dd4 kd6"))


def test_d12_a_ruined_fortress_counts_as_grass() -> None:
    position = place("Ld4 rd7", "cd6 mc6 me6 mc5 me5", ruined=["d6"])
    assert {"d5", "d6"} <= ends(position, "d4")
    assert "d4xd7" in actions(position)


def test_d12_no_penalty_for_the_dragon() -> None:
    position = place("Dd4", "wd5 fd6 md7")
    assert {"d5", "d6", "d7", "d8"} <= ends(position, "d4")


def test_d12_a_finished_game_has_no_pass() -> None:
    lonely = play(place("Ka1 kb2"), "a1xb2")
    assert lonely.legal_actions() == []


def test_p3_captures_and_ruins_are_progress() -> None:
    def count(position: Position, text: str) -> int:
        state = position.state()
        later = RULES.position(
            State(state.pieces, state.terrain, state.to_move, 7, state.passed, state.fields)
        )
        before = later.quiet_turns
        play(later, text)
        after = later.quiet_turns
        later.undo()
        assert later.quiet_turns == before == 7
        return after

    assert count(place("Ed4 rd5"), "d4xd5") == 0
    assert count(place("Ed4 Rd5"), "d4xd5") == 0
    assert count(place("Cd4 Rd5"), "d4*d5") == 0
    assert count(place("Cd4 rd5", "cd5"), "d4*d5") == 0
    assert count(place("Ed4 Rd5", "cd5"), "d4-d4*d5") == 0
    assert count(place("Ed4"), "d4-d5") == 8
    assert count(place("Ka1", "ma2 mb1 mb2"), "pass") == 8


def test_p4_a_pass_is_forced_only() -> None:
    walled = "ma2 mb1 mb2"
    position = place("Ka1", walled)
    assert actions(position) == {"pass"}
    assert actions(place("Ka1 Rd4", walled)) == {f"d4-{square}" for square in around("d4")}
    assert RULES.records.record(position.legal_actions()[0]) == {"kind": "pass"}
    play(position, "pass")
    assert position.state().passed
    assert position.turn is BLACK
    assert position.outcome() is None
    assert "pass" not in actions(position)
    # Any other action breaks the row.
    play(position, "h8-h7", "pass")
    assert position.outcome() is None
    assert position.state().passed


def test_p4_the_second_forced_pass_in_a_row_draws() -> None:
    position = place("Ka1 kh8", "ma2 mb1 mb2 mg8 mg7 mh7")
    start = position.state()
    play(position, "pass", "pass")
    assert position.outcome() == Outcome(None, End.FORCED_PASSES)
    assert position.legal_actions() == []
    assert position.quiet_turns == 2
    for again in (RULES.position(position.state()), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert again.outcome() == Outcome(None, End.FORCED_PASSES)
    assert str(position.undo()) == "pass"
    assert position.outcome() is None
    assert actions(position) == {"pass"}
    position.undo()
    assert position.state() == start


def test_p4_a_pass_after_a_pass_of_long_ago_is_the_second() -> None:
    """Whether the last action was a forced pass is part of the position."""
    walled = "ma2 mb1 mb2"
    after, fresh = place("Ka1", walled, passed=True), place("Ka1", walled)
    assert after.hash != fresh.hash
    assert play(after, "pass").outcome() == Outcome(None, End.FORCED_PASSES)
    assert play(fresh, "pass").outcome() is None


def test_d14_a_pass_forced_by_waiting_alone_does_not_count() -> None:
    """Both Kings wait in water: both must pass, and then the game goes on."""
    position = place("Ka1 kh8", "wa1 wh8", waiting=["a1", "h8"])
    play(position, "pass", "pass")
    assert position.outcome() is None
    assert not position.state().passed
    assert position.state().fields["waiting"] == []
    assert ends(position, "a1") == {"a2", "b1", "b2"}
    assert position.quiet_turns == 2  # P3 counts such passes


def test_d14_a_waiting_piece_that_could_not_act_is_no_excuse() -> None:
    walled = "wa1 ma2 mb1 mb2 wh8 mh7 mg8 mg7"
    position = place("Ka1 kh8", walled, waiting=["a1", "h8"])
    play(position, "pass", "pass")
    assert position.outcome() == Outcome(None, End.FORCED_PASSES)
    assert position.legal_actions() == []


def test_d14_a_pass_that_does_not_count_breaks_the_row() -> None:
    """White can never act, Black only waits: White's two passes are not in a row."""
    position = place("Ka1 kh8", "ma2 mb1 mb2 wh8", waiting=["h8"])
    play(position, "pass")
    assert position.state().passed
    before = position.state()
    play(position, "pass")
    assert not position.state().passed
    assert position.undo() == Action.parse("pass", RULES.board)
    assert position.state() == before
    play(position, "pass", "pass")
    assert position.outcome() is None
    assert position.state().passed
    play(position, "h8-h7", "pass")
    assert position.outcome() is None


def test_d14_waiting_is_no_excuse_where_another_piece_could_act() -> None:
    """The search gives turns away; that is no forced pass."""
    position = place("Ka1 Rd4 kh8", "wa1", waiting=["a1"])
    given = position.given_away()
    assert given is not None
    assert given.state().passed


# --- positions that cannot be ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "terrain", "fields", "message"),
    [
        ("Rd4", "md4", {}, "Rabble on d4 stands on a mountain"),
        ("Rd4", "", {"waiting": ["d4"]}, "d4, which is not water"),
        ("", "wd4", {"waiting": ["d4"]}, "nothing stands there"),
        ("Dd4", "wd4", {"waiting": ["d4"]}, "a Dragon never waits"),
        ("Rd4", "", {"facing": {"d4": "N"}}, "no Trebuchet"),
        ("Td4", "", {"facing": {"d4": "up"}}, "one of E, NE"),
        ("", "wd4", {"ruined": ["d4"]}, "no fortress was laid"),
        ("Rd4 Rd5", "", {}, "more than 1 Rabble"),
    ],
)
def test_impossible_positions_are_refused(
    pieces: str, terrain: str, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(StateError, match=message):
        place(pieces, terrain, **fields)


def test_a_position_needs_a_king_and_no_open_turn() -> None:
    with pytest.raises(StateError, match="both Kings"):
        RULES.position(State({"d4": Piece(WHITE, "rabble")}))
    with pytest.raises(StateError, match="quiet_turns"):
        RULES.position(State({"d4": Piece(WHITE, "king")}, quiet_turns=-1))


# --- play and undo --------------------------------------------------------------------------------


# --- reasons --------------------------------------------------------------------------------------


def assert_reasons_agree(position: Position) -> int:
    """The explanations and the generator agree about every piece and square."""
    reached: defaultdict[str | None, set[str | None]] = defaultdict(set)
    for action in position.legal_actions():
        reached[action.origin] |= {action.target, action.victim}
    count = 0
    for origin, piece in position.pieces().items():
        if piece.color is not position.turn:
            continue
        for target in RULES.board.squares:
            if target == origin:
                continue
            count += 1
            found = position.reasons(origin, target)
            assert found
            legal = any(reason.legal for reason in found)
            assert legal is (target in reached[origin]), (position.state(), origin, target, found)
            assert found[0].legal is legal
    return count


def test_reasons_agree_with_stored_positions() -> None:
    count = 0
    for number, line in enumerate(lines()):
        if number % 8 == 0:
            count += assert_reasons_agree(load(line))
    assert count > 10_000


@pytest.mark.parametrize(
    ("position", "origin", "target", "words", "rule"),
    [
        (place("Rd4", "wd4", waiting=["d4"]), "d4", "d5", "must wait", "D10"),
        (place("Kd4 Ed5"), "d5", "d4", "never your own King", "D5"),
        (place("Rd4 ed5"), "d4", "d5", "too strong", "Who can take whom"),
        (place("Rd4 ed5"), "d4", "d5", "Rabble to Spearmen and Kings", "Who can take whom"),
        (place("Hd4 cd5"), "d4", "d5", "Rabble, Crossbowman to Elephant", "Who can take whom"),
        (place("Xd4 ed5"), "d4", "d5", "Rabble to Light Horse, Dragon", "Who can take whom"),
        (place("Ld4 sd5"), "d4", "d5", "horses never take Spearmen", "Spearmen"),
        (place("Dd4 rd5", "fd5"), "d4", "d5", "a forest", "Dragon"),
        (place("Dd4"), "d4", "e6", "straight lines", "Dragon"),
        (place("Dd4 dd5"), "d4", "d6", "Dragon on d5 is in the way", "Dragon"),
        (place("Rd4", "md5"), "d4", "d5", "only a Dragon can land", "Mountain"),
        (place("Ed4 dd5", "md5"), "d4", "d5", "too strong", "Who can take whom"),
        (place("Kd4 dd5", "md5"), "d4", "d5", "roosts on a mountain", "Mountain"),
        (place("Rd4"), "d4", "d7", "moves 1 square a turn; d7 is 3 away", "Rabble"),
        (place("Hd4 Rd5", "mc5 we5"), "d4", "d6", "the piece on d5", "Moving"),
        (place("Hd4 Rd5", "mc5 we5"), "d4", "d6", "the mountain on c5", "Moving"),
        (place("Hd4 Rd5", "mc5 we5"), "d4", "d6", "water on e5 would stop it", "Moving"),
        (place("Hd4", "fc5 fd5 fe5"), "d4", "d6", "takes a step more", "Moving"),
        (place("Cd4 rd6", "wd4"), "d4", "d6", "stands in water", "Water"),
        (place("Cd4 rd7"), "d4", "d7", "shoots 2 squares far; d7 is 3 away", "Catapult"),
        (place("Cd4 rd6", "md5"), "d4", "d6", "The mountain on d5 shields d6", "D8"),
        (place("Cd4 rf5", "me4 me5"), "d4", "f5", "The mountains on e4 and e5 shield", "D8"),
        (place("Td4 rd6"), "d4", "d6", "points nowhere", "D7"),
        (place("Td4 rd6", facing={"d4": "E"}), "d4", "d6", "points east", "D7"),
        (place("Th4 rd6", facing={"h4": "E"}), "h4", "d6", "nothing ahead", "D7"),
    ],
)
def test_reasons_say_what_is_in_the_way(
    position: Position, origin: str, target: str, words: str, rule: str
) -> None:
    first = position.reasons(origin, target)[0]
    assert not first.legal
    assert words in first.sentence
    assert first.rule.startswith("gameofcyvasse")
    assert first.rule.endswith(rule)


@pytest.mark.parametrize(
    ("position", "origin", "target", "words", "rule"),
    [
        (place("Ld4"), "d4", "d6", "can move to d6 by way of", "Light Horse"),
        (place("Rd4", "wd5"), "d4", "d5", "will have to wait", "Water"),
        (place("Ed4 rd5"), "d4", "d5", "take the enemy Rabble on d5", "Melee"),
        (place("Ed4 Rd5"), "d4", "d5", "take your Rabble on d5", "D5"),
        (place("Ed4 rd5", "cd5"), "d4", "d5", "ruin the fortress", "The fortress"),
        (place("Cd4 rd6"), "d4", "d6", "can shoot and take", "Catapult"),
        (place("Dd4 rd6"), "d4", "d6", "The Dragon can take", "Dragon"),
        (place("Dd4"), "d4", "d6", "can fly to d6", "Dragon"),
    ],
)
def test_reasons_say_what_is_possible(
    position: Position, origin: str, target: str, words: str, rule: str
) -> None:
    first = position.reasons(origin, target)[0]
    assert first.legal
    assert words in first.sentence
    assert first.rule.endswith(rule)
