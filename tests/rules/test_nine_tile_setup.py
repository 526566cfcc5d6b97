"""The tiles of Nine-Tile Cyvasse and the problems of a setup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

import cyvasse
from cyvasse import Color, Setup
from cyvasse.rules.nine_tile.tiles import (
    FACES,
    SLOTS,
    SLOTS_BESIDE,
    TRIANGLES,
    TURNED,
    ground_of,
    half_board,
)

RULES = cyvasse.rule_set("nine-tile")


def half_boards(triangle: str) -> int:
    """How many different half boards the 8!·2⁸ arrangements beside one triangle make.

    Slot by slot: what matters of an arrangement so far is what it looks like and which tiles are
    left.  Tiles with the same faces are interchangeable, so the tray only counts how many are left
    of each look.
    """
    looks: dict[tuple[str, str], list[str]] = {}
    for tile, faces in FACES.items():
        looks.setdefault((faces["L"], faces["R"]), []).append(tile)
    tiles = [alike[0] for alike in looks.values()]
    full = tuple(len(alike) for alike in looks.values())
    boards: dict[tuple[str, ...], set[tuple[int, ...]]] = {(): {full}}
    for slot in SLOTS_BESIDE[triangle]:
        longer: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
        for board, trays in boards.items():
            for tray in trays:
                for i, left in enumerate(tray):
                    if left:
                        rest = (*tray[:i], left - 1, *tray[i + 1 :])
                        for turned in ("", TURNED):
                            ground = ground_of(slot, tiles[i] + turned)
                            longer.setdefault((*board, ground), set()).add(rest)
        boards = longer
    return len(boards)


@pytest.mark.slow
def test_498480_half_boards() -> None:
    counts = {triangle: half_boards(triangle) for triangle in TRIANGLES}
    assert counts == {"left": 57_840, "middle": 184_320, "right": 256_320}
    assert sum(counts.values()) == 498_480


def test_worked_example() -> None:
    tiles = {
        "L0": "6",
        "L1": "2",
        "L3": "7",
        "L4": "8",
        "R1": "1t",
        "R2": "3",
        "R4": "4",
        "R5": "5",
    }
    ground = half_board(tiles, "middle")
    letters = {"water": "W", "mountain": "M"}
    rows = [
        "".join(letters.get(ground.get(square, ""), ".") for square in row)
        for row in RULES.board.rows()[5:]
    ]
    assert rows == [".WWW.....W.", "......M...", "......M..", "........"]
    assert TRIANGLES["middle"][-1] == "h2"


@pytest.mark.parametrize("triangle", TRIANGLES)
def test_triangle_and_slots_cover_the_half_once(triangle: str) -> None:
    covered = [*TRIANGLES[triangle]]
    for slot in SLOTS_BESIDE[triangle]:
        covered += SLOTS[slot]
    assert sorted(covered) == sorted(RULES.home(Color.WHITE))


def legal() -> Setup:
    return RULES.random_setup("white", 4)


def changed(**fields: object) -> Setup:
    setup = legal()
    return replace(setup, fields={**setup.fields, **fields})


def problems(setup: Setup) -> str:
    return "\n".join(problem.text for problem in RULES.check_setup(setup))


def moved(setup: Setup, name: str, to: str) -> Setup:
    pieces = dict(setup.pieces)
    origin = next(at for at, kind in pieces.items() if kind == name)
    del pieces[origin]
    return setup.with_pieces({**pieces, to: name})


def free(setup: Setup) -> str:
    ground: Mapping[str, str] = half_board(setup.fields["tiles"], setup.fields["triangle"])
    home = RULES.home(Color.WHITE)
    return next(at for at in home if at not in setup.pieces and ground.get(at) != "mountain")


def test_missing_triangle_and_tiles() -> None:
    text = problems(changed(triangle=None, tiles={"L0": "1"}))
    assert "The triangular tile is not placed" in text
    assert "Tiles 2, 3, 4, 5, 6, 7 and 8 are still in the tray." in text


def test_a_single_missing_tile() -> None:
    laid = dict(legal().fields["tiles"])
    slot = next(slot for slot, tile in laid.items() if tile and tile[0] == "3")
    text = problems(changed(tiles={**laid, slot: None}))
    assert f"Slot {slot} has no tile.\nTile 3 is still in the tray." in text


def test_wrong_slot_and_empty_slot() -> None:
    setup = changed(triangle="left", tiles={"L1": "1", "L0": "2"})
    text = problems(setup)
    assert "Slot L1 does not exist with the triangle at the left" in text
    assert "7 slots have no tile." in text


def test_a_tile_twice() -> None:
    text = problems(changed(triangle="left", tiles={"L0": "1", "L3": "1t"}))
    assert "Tile 1 lies in L0 and L3; there is only one." in text


def test_king_off_the_circle() -> None:
    setup = legal()
    spot = free(setup)
    circle = TRIANGLES[setup.fields["triangle"]][-1]
    assert f"The King belongs on the circle, {circle}, not on {spot}." in problems(
        moved(setup, "king", spot)
    )


def test_king_before_there_is_a_circle() -> None:
    text = "The King belongs on a circle, f2, h2 or j2, not on e1."
    assert text in problems(Setup("nine-tile", Color.WHITE, {"e1": "king"}))
    assert "circle" not in problems(Setup("nine-tile", Color.WHITE, {"h2": "king"}))


def test_the_circle_is_the_kings() -> None:
    setup = legal()
    circle = TRIANGLES[setup.fields["triangle"]][-1]
    pieces = {at: name for at, name in setup.pieces.items() if name not in ("king", "dragon")}
    found = RULES.check_setup(setup.with_pieces({**pieces, circle: "dragon"}))
    text = f"The Dragon is on the circle, {circle}, where the King belongs."
    assert (text, (circle,), "dragon") in found


def test_piece_on_a_mountain_middle_row_and_other_half() -> None:
    setup = legal()
    ground = half_board(setup.fields["tiles"], setup.fields["triangle"])
    mountain = next(at for at, kind in ground.items() if kind == "mountain")
    assert f"on {mountain} is on a mountain" in problems(moved(setup, "rabble", mountain))
    for outside in ("e5", "e6"):
        assert f"The Rabble on {outside} is outside White's half" in problems(
            moved(setup, "rabble", outside)
        )


def test_too_few_and_too_many_pieces() -> None:
    setup = legal()
    spot = free(setup)
    without = {at: name for at, name in setup.pieces.items() if name != "crossbows"}
    assert "2 Crossbows are still in the tray." in problems(setup.with_pieces(without))
    one = next(at for at, name in setup.pieces.items() if name == "crossbows")
    assert "1 of 2 Crossbows is still in the tray." in problems(
        setup.with_pieces({**without, one: "crossbows"})
    )
    without = {at: name for at, name in setup.pieces.items() if name != "tower"}
    assert "2 Towers are still in the tray." in problems(setup.with_pieces(without))
    text = problems(setup.with_pieces({**setup.pieces, spot: "dragon"}))
    assert "2 Dragons are placed, on " in text
    assert "there is only 1." in text


def test_ground_laid_by_hand_is_refused() -> None:
    assert "none is laid by hand" in problems(replace(legal(), terrain={"b4": "water"}))


def test_every_problem_is_told_at_once() -> None:
    setup = Setup("nine-tile", Color.BLACK, {"e1": "rabble", "e5": "king"})
    found = RULES.check_setup(setup)
    assert len(found) == 1 + 1 + 2 + 9 + 1
    assert {square for problem in found for square in problem.squares} == {"e1", "e5"}


def test_unknown_words_are_told() -> None:
    assert "No square 'z1'" in problems(legal().with_pieces({"z1": "king"}))
    assert "no piece 'pawn'" in problems(legal().with_pieces({"e1": "pawn"}))
    assert "Triangle is 'top'" in problems(changed(triangle="top"))
    assert "no field 'colour'" in problems(changed(colour="red"))
    assert "Tiles has no 'X9'" in problems(changed(tiles={"X9": "1"}))
    assert "not for nine-tile" in problems(replace(legal(), rule_set="chess"))


def test_all_unknown_words_are_told_at_once() -> None:
    setup = replace(
        legal(), pieces={"z1": "king", "e1": "pawn", "f1": "queen"}, terrain={"e1": "lava"}
    )
    found = RULES.check_setup(setup)
    assert len(found) == 4
    assert [problem.squares for problem in found] == [(), ("e1",), ("f1",), ("e1",)]


def test_tiles_in_slots_that_do_not_exist_lay_no_ground() -> None:
    setup = legal()
    triangle = setup.fields["triangle"]
    stray = next(slot for slot in SLOTS if slot not in SLOTS_BESIDE[triangle])
    text = problems(changed(tiles={**setup.fields["tiles"], stray: "1"}))
    assert f"Slot {stray} does not exist" in text
    assert "mountain" not in text


def test_two_kings_one_of_them_on_the_circle() -> None:
    setup = legal()
    spot = free(setup)
    found = RULES.check_setup(setup.with_pieces({**setup.pieces, spot: "king"}))
    circle = TRIANGLES[setup.fields["triangle"]][-1]
    assert f"The King belongs on the circle, {circle}, not on {spot}." in [p.text for p in found]


@pytest.mark.parametrize("thing", [None, {}, "setup", 3])
def test_things_that_are_no_setup(thing: Setup) -> None:
    (problem,) = RULES.check_setup(thing)
    assert "is not a setup" in problem.text


def test_the_owner_must_be_a_color() -> None:
    text = problems(replace(legal(), color="white"))  # type: ignore[arg-type]
    assert "Its owner is 'white', not a Color." in text


def test_blacks_half_is_whites_turned() -> None:
    setup = legal()
    turned = RULES.turned_setup(setup)
    position = RULES.start(setup, turned, "white")
    for at in RULES.home(Color.WHITE):
        assert position.terrain_at(at) == position.terrain_at(RULES.board.turned(at))
    assert position.turned().pieces() == position.pieces()


def test_an_empty_slot_is_shown_where_it_is() -> None:
    rules = cyvasse.rule_set("nine-tile")
    for color in ("white", "black"):
        setup = rules.random_setup(color, 1)
        slot, tile = next((s, t) for s, t in setup.fields["tiles"].items() if t is not None)
        laid = {**setup.fields["tiles"], slot: None}
        bare = replace(setup, fields={**setup.fields, "tiles": laid})
        empty = rules.check_setup(bare)[0]
        assert empty.text == f"Slot {slot} has no tile."
        assert len(empty.squares) == 4, tile
        assert set(empty.squares) <= set(rules.home(setup.color))
