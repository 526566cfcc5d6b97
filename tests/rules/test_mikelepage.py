"""Mikelepage's Cyvasse: the position files, every decision, every step of a turn."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cyvasse import Game, parse_position
from cyvasse.cli.verify import differences
from cyvasse.errors import SetupError, StateError
from cyvasse.notation.documents import read_setup, read_state, setup_document
from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage import MIKELEPAGE_RULES as RULES
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import SPECS
from cyvasse.rules.perft import perft
from cyvasse.rules.terms import BLACK, WHITE, Color, Effect, End, Outcome, Piece, Setup, State

DATA = Path(__file__).parents[1] / "data"
NAMES = {spec.type.letter: spec.type.name for spec in SPECS.values()}
HOME_TERRAIN = {"hill": "crossbows", "forest": "spears", "grassland": "light_horse"}


def lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / name, "rt") as file:
        for line in file:
            yield json.loads(line)


def build(
    pieces: str,
    to_move: Color = WHITE,
    *,
    forts: str = "f1 f11",
    ruined: Mapping[str, str | None] | None = None,
    terrain: Mapping[str, str] | None = None,
    passed: bool = False,
    quiet_turns: int = 0,
    drawn: bool = False,
    **fields: Any,
) -> Position:
    """A position from texts such as ``Kf1 kf11 Re4``; White's letters are capitals.

    ``ruined`` gives the corner, or None, of each ruined fortress.
    """
    placed = {
        text[1:]: Piece(WHITE if text[0].isupper() else BLACK, NAMES[text[0].upper()])
        for text in pieces.split()
    }
    fortress = {
        str(color): {
            "at": at,
            "ruined": str(color) in (ruined or {}),
            "corner": (ruined or {}).get(str(color)),
        }
        for color, at in zip(Color, forts.split(), strict=True)
    }
    taken = {str(color): Piece(color, "king") not in placed.values() for color in Color}
    return RULES.position(
        State(
            placed,
            terrain or {},
            to_move,
            quiet_turns,
            passed,
            {"fortress": fortress, "king_taken": taken, **fields},
            drawn,
        )
    )


def texts(position: Position, start: str = "") -> list[str]:
    return sorted(
        str(action) for action in position.legal_actions() if str(action).startswith(start)
    )


def targets(position: Position, origin: str) -> set[str | None]:
    return {action.target for action in position.legal_actions() if action.origin == origin}


def kinds(position: Position) -> list[str]:
    return [effect.kind for effect in position.effects()]


def play(position: Position, *actions: str) -> None:
    for action in actions:
        position.play(action)


# --- the files ------------------------------------------------------------------------------------


def replay(game: Mapping[str, Any]) -> list[str]:
    return list(differences(RULES, game))


def test_every_game_of_the_file() -> None:
    found = {game["id"]: replay(game) for game in lines("mikelepage-games.jsonl.gz")}
    assert {name: told for name, told in found.items() if told} == {}
    assert len(found) == 118


def test_a_changed_game_is_noticed() -> None:
    game = next(lines("mikelepage-games.jsonl.gz"))
    game["turns"][0]["choices"] += 1
    assert replay(game) == ["turn 1: choices is 84, expected 85"]
    game["turns"][0]["action"]["to"] = "a6"
    assert replay(game)[-1].endswith("is not legal")
    with pytest.raises(StateError, match="no record of a whole game"):
        replay({"turns": [], "setup": {}})


# --- setup ----------------------------------------------------------------------------------------


def test_the_fortress_lies_under_the_king_and_terrain_under_the_second_tier() -> None:
    white, black = RULES.random_setup(WHITE, 1), RULES.random_setup(BLACK, 2)
    state = RULES.start(white, black).state()
    for setup in (white, black):
        (king,) = (at for at, name in setup.pieces.items() if name == "king")
        assert state.fields["fortress"][str(setup.color)] == {
            "at": king,
            "ruined": False,
            "corner": None,
        }
        for ground, name in HOME_TERRAIN.items():
            laid = {at for at, kind in setup.pieces.items() if kind == name}
            assert {at for at in laid if state.terrain.get(at) == ground} == laid
    assert len(state.terrain) == 12
    assert len(state.fields["mountains"]) == 12


def test_d1_white_begins() -> None:
    position = RULES.start(RULES.random_setup(WHITE, 1), RULES.random_setup(BLACK, 2))
    assert RULES.first_player is WHITE
    assert position.turn is WHITE


def test_setup_problems_in_words() -> None:
    setup = RULES.named_setups()["sunspear"]
    pieces = dict(setup.pieces)
    (king,) = (at for at, name in pieces.items() if name == "king")
    mountains = setup.fields["mountains"]
    free = [at for at in RULES.home(WHITE) if at not in pieces and at not in mountains]

    def problems(pieces: Mapping[str, str], **fields: Any) -> list[str]:
        changed = Setup("mikelepage", WHITE, pieces, fields={**setup.fields, **fields})
        return [str(problem) for problem in RULES.check_setup(changed)]

    assert problems(pieces) == []
    assert problems({at: name for at, name in pieces.items() if name != "king"}) == [
        "1 King is still in the tray."
    ]
    assert problems({**pieces, free[0]: "king"}) == [
        f"2 Kings are placed, on {' and '.join(sorted([king, free[0]]))}; there is only 1."
    ]
    moved = {**pieces, "f6": "king"}
    del moved[king]
    assert problems(moved) == ["The King on f6 is outside White's half, rows 1 to 5."]
    assert problems(pieces, mountains=[*mountains[1:], king]) == [
        f"The King on {king} is on a mountain."
    ]
    assert problems(pieces, mountains=mountains[1:]) == ["1 mountain is still in the tray."]
    found = problems(pieces, mountains=[*mountains, free[0]])
    assert found[0] == "7 mountains are placed; there are only 6."
    assert problems(pieces, mountains=[*mountains[1:], "a7"]) == [
        "The mountain on a7 is outside White's half, rows 1 to 5."
    ]
    assert problems(pieces, dragon_in_reserve=False) == [
        "The Dragon is neither on the board nor kept in reserve."
    ]
    assert problems({**pieces, free[0]: "dragon"}) == [
        f"The Dragon is kept in reserve and stands on {free[0]}; it can be only in one place."
    ]
    laid = Setup("mikelepage", WHITE, pieces, {king: "hill"}, setup.fields)
    assert [problem.squares for problem in RULES.check_setup(laid)] == [(king,)]
    everything = Setup("mikelepage", WHITE, {})
    assert len(RULES.check_setup(everything)) == 10  # nine types of pieces, and the mountains
    with pytest.raises(SetupError, match=r"6 Rabble are still.*1 King is still in the tray"):
        RULES.start(everything, RULES.random_setup(BLACK))


@pytest.mark.parametrize("color", Color)
def test_random_setups_are_legal_and_varied(color: Color) -> None:
    setups = [RULES.random_setup(color, seed) for seed in range(200)]
    assert all(RULES.check_setup(setup) == [] for setup in setups)
    assert {setup.fields["dragon_in_reserve"] for setup in setups} == {True, False}
    used = {at for setup in setups for at, name in setup.pieces.items() if name == "king"}
    assert used == set(RULES.home(color))
    assert RULES.random_setup(color, 7) == RULES.random_setup(color, 7)
    assert read_setup(RULES, setup_document(RULES, setups[0])) == setups[0]


@pytest.mark.parametrize("name", RULES.named_setups())
def test_no_first_action_takes_the_king_of_a_named_setup(name: str) -> None:
    # Every kind of piece alone on every square of the other half, a dragon in reserve, and the
    # fortress anywhere: more opposing pieces could only be in each other's way.
    setup = RULES.named_setups()[name]
    (king,) = (at for at, kind in setup.pieces.items() if kind == "king")
    own = {at: Piece(WHITE, kind) for at, kind in setup.pieces.items()}
    reached = []
    for fortress in RULES.home(BLACK):
        for kind, spec in SPECS.items():
            # Where the fortress is matters to horses and to bringing out a dragon.
            if kind == "king" or (spec.movement != "ring" and fortress != "f11"):
                continue
            fields = {
                "mountains": setup.fields["mountains"],
                "fortress": {"white": {"at": king}, "black": {"at": fortress}},
                "reserve": {"white": False, "black": kind != "dragon"},
            }
            for at in RULES.home(BLACK):
                if at != fortress:
                    pieces = {**own, fortress: Piece(BLACK, "king"), at: Piece(BLACK, kind)}
                    position = RULES.position(State(pieces, {}, BLACK, fields=fields))
                    if any(action.target == king for action in position.legal_actions()):
                        reached.append((fortress, kind, at))
    assert reached == []


# --- reach ----------------------------------------------------------------------------------------


def test_straight_movers_and_their_ranges() -> None:
    position = build("Kf1 kf11 Rf6 Xd6 Tf4")
    assert targets(position, "f6") == {"e6", "g6", "f5", "f7", "e7", "g5"}
    assert {"a6", "b6", "c6", "e6"} < targets(position, "d6")
    assert {"d9", "d3"} < targets(position, "d6")
    assert not {"d10", "d2", "f6"} & targets(position, "d6")
    assert {"e5", "c4", "k4", "f5", "f2", "i1"} < targets(position, "f4")
    assert not {"f6", "f1", "f7", "d6"} & targets(position, "f4")  # own pieces end the walk


def test_diagonal_movers_pass_between_two_squares() -> None:
    position = build("Kf1 kf11 Se4", mountains=["d5", "e5", "c6"])
    # d5 and e5 are the squares beside the step to d6.
    assert targets(position, "e4") == {"d6", "c8", "f5", "g6", "g3", "i2", "f2", "d3", "c5", "a6"}
    elephant = build("Kk6 ka6 Ee4 re10")
    assert {"d6", "c8", "b10", "h7"} < targets(elephant, "e4")


def test_mountains_stop_every_walk() -> None:
    position = build("Kf1 kf11 Tc6", mountains=["e6"])
    assert "d6" in targets(position, "c6")
    assert not {"e6", "f6"} & targets(position, "c6")


def test_a_walk_ends_on_an_opposing_piece() -> None:
    position = build("Kf1 kf11 Tc6 rf6")
    assert "c6xf6" in texts(position)
    assert "g6" not in targets(position, "c6")


def test_horses_ride_both_ways_round_both_centres() -> None:
    position = build("Kf1 kf11 Lf4")
    white = {"e4", "d4", "c4", "g3", "h2", "i1"}  # three squares from f1
    black = {"e5", "d6", "c7", "g4", "h4", "i4"}  # seven squares from f11
    assert targets(position, "f4") == white | black


def test_heavy_horses_ride_as_far_as_they_like_but_not_over_the_edge() -> None:
    position = build("Kf6 kf11 Hg6", forts="f6 f11")
    round_f6 = {"g5", "f5", "e6", "e7", "f7"}
    round_f11 = {"h6", "i6", "j6", "k6"}  # the King is in the way on the other side
    assert targets(position, "g6") == round_f6 | round_f11
    # A piece on the ring ends the ride on both sides.
    blocked = build("Kf6 kf11 Hg6 Rf5 Re7", forts="f6 f11")
    assert "e6" not in targets(blocked, "g6")


def test_a_horse_on_a_centre_rides_only_round_the_other() -> None:
    position = build("Kg1 kf11 Lf1")
    assert all(MIKELEPAGE.distance("f11", at or "") == 10 for at in targets(position, "f1"))
    assert targets(position, "f1") != set()


def test_after_its_ruin_a_fortress_is_replaced_by_the_corner() -> None:
    position = build("Kf2 kf11 Lf4", ruined={"white": "a6"})
    distances = {
        (MIKELEPAGE.distance("a6", at or ""), MIKELEPAGE.distance("f11", at or ""))
        for at in targets(position, "f4")
    }
    assert all(corner == 5 or black == 7 for corner, black in distances)
    assert any(corner == 5 and black != 7 for corner, black in distances)


def test_both_centres_may_be_the_same_corner() -> None:
    position = build("Kf2 kf10 Hf4", ruined={"white": "a6", "black": "a6"})
    found = texts(position, "f4")
    assert len(found) == len(set(found)) > 0


def test_dragons_fly_over_mountains_and_not_over_pieces() -> None:
    ring = ["g6", "g5", "f5", "e6", "e7", "f7"]
    over = build("Kf1 kf11 Df6", mountains=ring)
    distances = {MIKELEPAGE.distance("f6", at or "") for at in targets(over, "f6")}
    assert distances == {2, 3, 4}
    assert not set(ring) & targets(over, "f6")
    shut = build("Kf1 kf11 Df6 rg6 rg5 rf5 re6 re7 rf7")
    assert targets(shut, "f6") == set(ring)
    gap = build("Kf1 kf11 Df6 rg6 rg5 rf5 re6 re7")
    assert {"f7", "f8", "e8", "f9", "h7", "f10"} < targets(gap, "f6")
    assert "f4" not in targets(gap, "f6")


# --- tiers and flanking ---------------------------------------------------------------------------


def test_a_piece_takes_what_is_not_above_it() -> None:
    position = build("Kf1 kf11 Xf6 rg6 se6 ef5")
    assert texts(position, "f6x") == ["f6xe6", "f6xg6"]


def test_home_terrain_whoever_laid_it_and_fortress_add_one_but_never_two() -> None:
    terrain = {"e5": "hill", "e6": "forest", "e7": "grassland", "f11": "forest"}
    defense = build("Kf1 xe5 Ee6 he7 sf11 kg9", terrain=terrain).tallies()["defense"]
    assert defense == {"f1": 2, "e5": 3, "e6": 4, "e7": 4, "f11": 3, "g9": 1}
    # On foreign terrain, on the other player's fortress, or on a ruin nothing is added.
    other = build("Ka6 te6 Rf11 kg9 rf1", terrain=terrain, ruined={"white": "a6"}).tallies()[
        "defense"
    ]
    assert other == {"a6": 1, "e6": 3, "f11": 1, "g9": 1, "f1": 1}


def test_dragons_have_no_bonus_and_take_everything() -> None:
    position = build("Df1 Kf2 kf11 dg1 eh1", terrain={"g1": "hill", "h1": "forest"})
    assert position.tallies()["defense"]["f1"] == 4
    assert {"f1xg1"} <= set(texts(position))
    assert "g1xf1" in texts(build("Df1 Kf2 kf11 dg1", BLACK))


# Squares from which pieces of each tier reach f6; the first named takes.
FLANKERS = {
    "2 x T1": ("Rg6 Re7", 2),
    "3 x T1": ("Rg6 Re7 Rf5", 3),
    "4 x T1": ("Rg6 Re7 Rf5 Re6", 4),
    "2 x T2": ("Xg6 Se5", 3),
    "3 x T2": ("Xg6 Se5 Xf5", 4),
    "2 x T1 + T2": ("Xg6 Re7 Rf5", 3),
    "2 x T1 + 2 x T2": ("Xg6 Se5 Re7 Rf5", 4),
    "3 x T1 + T3": ("Tg6 Re7 Rf5 Re6", 4),
    "T1 + T2": ("Xg6 Re7", 2),
    "2 x T1 + T3": ("Tg6 Re7 Rf5", 3),
}
DEFENDERS = {"r": 1, "s": 2, "e": 3, "d": 4}


@pytest.mark.parametrize("name", FLANKERS)
def test_worked_examples_of_flanking(name: str) -> None:
    flankers, total = FLANKERS[name]
    takes = {
        defence: f"{flankers[1:3]}xf6" in texts(build(f"Kf1 kf11 {flankers} {victim}f6"))
        for victim, defence in DEFENDERS.items()
    }
    assert takes == {defence: total >= defence for defence in DEFENDERS.values()}


def test_only_the_highest_of_the_flankers_takes() -> None:
    position = build("Kf1 kf11 Tg6 Re7 Rf5 Re6 df6")
    assert [text for text in texts(position) if "x" in text] == ["g6xf6"]
    assert position.tallies()["flanking"] == [["g6", "f6"]]
    both = build("Kf1 kf11 Tg6 Ee5 df6")
    assert [text for text in texts(both) if "x" in text] == ["e5xf6", "g6xf6"]


def test_lower_pieces_count_only_below_the_piece_that_takes() -> None:
    # Two Rabble lead a group of their own; the Trebuchet above them does not help them.
    position = build("Kf1 kf11 Tg6 Re7 Rf5 ef6", terrain={"f6": "forest"})
    assert [text for text in texts(position) if "x" in text] == []


def test_a_king_counts_as_the_best_of_the_others() -> None:
    assert "f5xf6" in texts(build("Kf5 kf11 Tg6 df6"))
    assert "g6xf6" in texts(build("Kf5 kf11 Tg6 df6"))
    assert "g6xf6" in texts(build("Kf5 kf11 Xg6 ef6"))
    assert [text for text in texts(build("Kf5 kf11 Rg6 sf6")) if "x" in text] == ["f5xf6", "g6xf6"]
    assert [text for text in texts(build("Kf5 kf11 Rg6 ef6")) if "x" in text] == []
    assert [text for text in texts(build("Kf5 kf11 sf6")) if "x" in text] == []
    # With a better leader beside him he raises the Rabble no more.
    assert [text for text in texts(build("Kf5 kf11 Xg6 Re6 df6")) if "x" in text] == []


def test_dragons_do_not_flank() -> None:
    position = build("Kf1 kf11 Dg6 Rf5 sf6")
    assert [text for text in texts(position) if "x" in text] == ["g6xf6"]


def test_d2_lower_means_below_the_defence_tier() -> None:
    # The Crossbows on their hill defend at 3: tier 2 flanks them, tier 3 takes them alone.
    terrain = {"f6": "hill"}
    assert "e5xf6" in texts(build("Kf1 kf11 Xg6 Se5 xf6", terrain=terrain))
    alone = build("Kf1 kf11 Tg6 Se5 xf6", terrain=terrain)
    assert [text for text in texts(alone) if "x" in text] == ["g6xf6"]
    # The King is led by the Spears: the Trebuchet is no flanker here.
    assert [text for text in texts(build("Kf5 kf11 Tg6 xf6", terrain=terrain)) if "x" in text] == [
        "g6xf6"
    ]


def test_d2_a_hidden_piece_does_not_flank() -> None:
    assert "g6xf6" in texts(build("Kf1 kf11 Tg6 Td6 df6"))
    hidden = build("Kf1 kf11 Tg6 Th6 df6")
    assert [text for text in texts(hidden) if "x" in text] == []


def test_d3_there_is_no_check() -> None:
    position = build("Kf2 kf11 tg8 Ra6", forts="f1 f11")
    assert {"g2", "g1"} < targets(position, "f2")  # into the Trebuchet's line
    threatened = build("Kg2 kf11 tg8 Ra6", forts="f1 f11")
    assert "a6-a7" in texts(threatened)


# --- bringing out ---------------------------------------------------------------------------------


def test_bringing_out_a_dragon() -> None:
    reserve = {"white": True, "black": False}
    position = build(
        "Kf1 kf11 Rg1 eg2", reserve=reserve, mountains=["f3"], terrain={"g2": "forest"}
    )
    found = {action.target for action in position.legal_actions() if action.kind == "bring_out"}
    near = {at for at in MIKELEPAGE.squares if MIKELEPAGE.distance("f1", at) <= 4}
    assert found == near - {"f1", "g1", "f3"}  # not on own pieces and mountains; nothing blocks
    position.play("out@g2")
    assert position.effects() == [Effect("captured", BLACK, "g2", "elephant")]
    assert position.piece_at("g2") == Piece(WHITE, "dragon")
    assert position.state().fields["reserve"] == {"white": False, "black": False}
    assert not any(text.startswith("out") for text in texts(position))


def test_a_dragon_may_be_brought_out_onto_an_occupied_fortress() -> None:
    position = build("Kg3 kf11 tf1", reserve={"white": True, "black": False})
    position.play("out@f1")
    assert position.effects() == [Effect("captured", BLACK, "f1", "trebuchet")]
    assert not position.state().fields["fortress"]["white"]["ruined"]


def test_d9_no_bringing_out_after_the_ruin() -> None:
    reserve = {"white": True, "black": False}
    position = build("Kg3 kf11", reserve=reserve, ruined={"white": "a6"})
    assert not any(text.startswith("out") for text in texts(position))


# --- the fortress ---------------------------------------------------------------------------------


def test_d4_a_fortress_falls_at_the_end_of_the_owners_next_turn() -> None:
    position = build("Kg3 Tk1 kf11 tf4 Ra6")

    def fortress() -> Mapping[str, Any]:
        return position.state().fields["fortress"]["white"]  # type: ignore[no-any-return]

    play(position, "a6-a7", "f4-f1")
    assert position.effects() == []
    assert not fortress()["ruined"]
    play(position, "a7-a8")
    assert position.effects() == [Effect("fortress_ruined", WHITE, "f1")]
    assert fortress() == {"at": "f1", "ruined": True, "corner": None}
    position.undo()
    position.play("k1xf1")
    assert position.effects() == [Effect("captured", BLACK, "f1", "trebuchet")]
    assert not fortress()["ruined"]


def test_the_corner_is_chosen_by_who_ruined_the_fortress() -> None:
    position = build("Kg3 kf11 tf1 Ra6")
    position.play("a6-a7")
    assert position.turn is BLACK
    assert not position.in_turn
    assert texts(position) == sorted(
        f"corner@{at}" for at in ("a11", "f11", "k6", "k1", "f1", "a6")
    )
    assert position.state().fields["pending"] == "corner"
    position.play("corner@f1")  # occupied, and still allowed
    assert position.turn is BLACK
    assert position.in_turn
    assert position.state().fields["fortress"]["white"]["corner"] == "f1"
    assert "f1-g1" in texts(position)
    position.play("f1-g1")
    assert not position.in_turn
    assert position.turn is WHITE


def test_a_corner_may_be_chosen_twice() -> None:
    position = build("Kg3 kf10 tf1 Ra6", ruined={"black": "k6"})
    play(position, "a6-a7", "corner@k6")
    assert position.state().fields["fortress"]["white"]["corner"] == "k6"


def test_a_ruin_is_a_plain_square() -> None:
    position = build("Kg3 kf11 Rf1 Ra6", ruined={"white": "a6"}, lost={"white": {"spears": 1}})
    assert position.tallies()["defense"]["f1"] == 1
    play(position, "a6-a7", "f11-e11")
    assert position.piece_at("f1") == Piece(WHITE, "rabble")


# --- promotion ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "lost", "becomes"),
    [
        ("R", "crossbows", "crossbows"),
        ("R", "spears", "spears"),
        ("R", "light_horse", "light_horse"),
        ("X", "trebuchet", "trebuchet"),
        ("S", "elephant", "elephant"),
        ("L", "heavy_horse", "heavy_horse"),
    ],
)
def test_d5_a_forced_promotion_uses_up_a_lost_piece(letter: str, lost: str, becomes: str) -> None:
    position = build(f"Kg3 kf10 {letter}f1", BLACK, lost={"white": {lost: 2, "rabble": 1}})
    position.play("f10-f9")
    assert position.effects() == [Effect("promoted_at_beginning", WHITE, "f1", becomes)]
    assert position.piece_at("f1") == Piece(WHITE, becomes)
    # Only captured pieces are lost: what was promoted away is not.
    assert position.state().fields["lost"]["white"] == {"rabble": 1, lost: 1}
    assert position.turn is WHITE
    assert not position.in_turn
    assert position.state().fields["pending"] is None


@pytest.mark.parametrize("lost", [{}, {"rabble": 3, "trebuchet": 1, "dragon": 1}])
def test_d5_without_a_lost_piece_of_the_type_nothing_happens(lost: dict[str, int]) -> None:
    position = build("Kg3 kf10 Rf1", BLACK, lost={"white": lost})
    position.play("f10-f9")
    assert position.effects() == []
    assert position.piece_at("f1") == Piece(WHITE, "rabble")


def test_d5_a_lost_piece_serves_once() -> None:
    position = build("Kg3 kf10 Rf1 Rg1", BLACK, lost={"white": {"spears": 1}})
    play(position, "f10-f9", "f1-g2", "f9-f8", "g1-f1", "f8-f7")
    assert position.piece_at("f1") == Piece(WHITE, "rabble")


def test_d5_the_opponents_pieces_on_a_fortress_are_not_promoted() -> None:
    position = build(
        "Kg3 kf10 rf1 Ra6", BLACK, lost={"white": {"spears": 1}, "black": {"spears": 1}}
    )
    position.play("f10-f9")
    assert position.effects() == []


def test_a_rabble_with_several_types_to_choose_from() -> None:
    position = build("Kg3 kf10 Rf1", BLACK, lost={"white": {"spears": 1, "light_horse": 2}})
    position.play("f10-f9")
    assert position.effects() == []
    assert texts(position) == ["f1=l", "f1=s"]
    assert position.turn is WHITE
    assert not position.in_turn
    assert position.state().fields["pending"] == "promotion"
    position.play("f1=l")
    assert position.effects() == []
    assert position.piece_at("f1") == Piece(WHITE, "light_horse")
    assert position.state().fields["lost"]["white"] == {"spears": 1, "light_horse": 1}
    assert position.turn is WHITE
    assert position.in_turn
    assert position.state().fields["in_turn"]
    assert "g3-g4" in texts(position)


def test_only_one_promotion_at_the_beginning_of_a_turn() -> None:
    lost = {"white": {"spears": 1, "elephant": 1}}
    position = build("Kg3 kf10 Rf1", BLACK, lost=lost)
    position.play("f10-f9")
    assert position.piece_at("f1") == Piece(WHITE, "spears")
    play(position, "g3-g4", "f9-f8")
    assert position.piece_at("f1") == Piece(WHITE, "elephant")


def test_corner_and_promotion_in_one_turn() -> None:
    lost = {"black": {"crossbows": 1, "spears": 1}}
    position = build("Kg3 kf10 tf1 Ra6 rf11", lost=lost)
    position.play("a6-a7")
    assert kinds(position) == ["fortress_ruined"]
    assert texts(position, "corner") == texts(position)
    position.play("corner@a11")
    assert position.effects() == []
    assert texts(position) == ["f11=s", "f11=x"]
    assert position.in_turn
    position.play("f11=x")
    assert position.turn is BLACK
    assert position.in_turn
    assert "f1-f2" in texts(position)


def test_corner_and_forced_promotion_in_one_turn() -> None:
    position = build("Kg3 kf10 tf1 Ra6 rf11", lost={"black": {"crossbows": 1}})
    position.play("a6-a7")
    assert position.piece_at("f11") == Piece(BLACK, "rabble")  # step 1 comes first
    position.play("corner@a11")
    assert position.effects() == [Effect("promoted_at_beginning", BLACK, "f11", "crossbows")]
    assert position.in_turn
    position.undo()
    assert position.piece_at("f11") == Piece(BLACK, "rabble")
    assert position.effects() == [Effect("fortress_ruined", WHITE, "f1")]


# --- kings ----------------------------------------------------------------------------------------


def test_a_captured_king_is_replaced_at_the_end_of_the_turn() -> None:
    position = build("Kf1 Tk1 kf11 tf4 Ra6", BLACK)
    position.play("f4xf1")
    assert position.effects() == [Effect("captured", WHITE, "f1", "king")]
    assert position.outcome() is None
    assert position.state().fields["king_taken"] == {"white": True, "black": False}
    assert position.state().fields["lost"]["white"] == {}
    position.play("k1xf1")
    assert position.effects() == [
        Effect("captured", BLACK, "f1", "trebuchet"),
        Effect("promoted_at_end", WHITE, "f1", "king"),
    ]
    assert position.piece_at("f1") == Piece(WHITE, "king")
    assert position.outcome() is None
    assert position.state().fields["lost"]["white"] == {}


def test_a_king_not_replaced_loses_at_the_end_of_the_turn() -> None:
    position = build("Kf1 Tk1 kf11 tf4 Ra6", BLACK)
    play(position, "f4xf1", "a6-a7")
    assert kinds(position) == ["fortress_ruined"]
    assert position.outcome() == Outcome(BLACK, End.KING_LOST)
    assert position.legal_actions() == []


def test_a_king_without_a_fortress_is_lost_at_once() -> None:
    position = build("Kg3 kf11 tg6 Ra6", BLACK, ruined={"white": "a6"})
    position.play("g6xg3")
    assert position.outcome() == Outcome(BLACK, End.KING_CAPTURED)
    assert position.legal_actions() == []


def test_a_dragon_or_a_lower_piece_does_not_become_king() -> None:
    position = build("Kg3 Rg1 Df4 kf11 tg6", BLACK)
    position.play("g6xg3")
    for action in ("g1-f1", "f4-f1"):
        position.play(action)
        assert position.outcome() == Outcome(BLACK, End.KING_LOST)
        position.undo()


def test_d6_a_king_is_replaced_at_the_first_possible_moment() -> None:
    position = build("Kg3 Ef1 kf11 tg6 Ra6", BLACK)
    position.play("g6xg3")
    assert position.effects() == [
        Effect("captured", WHITE, "g3", "king"),
        Effect("promoted_at_beginning", WHITE, "f1", "king"),
    ]
    assert position.piece_at("f1") == Piece(WHITE, "king")
    position.undo()
    assert position.piece_at("f1") == Piece(WHITE, "elephant")


def test_d6_spears_become_elephant_and_king_in_one_turn() -> None:
    position = build("Kg3 Sf1 kf11 tg6 Ra6", BLACK, lost={"white": {"elephant": 1}})
    before = position.state()
    position.play("g6xg3")
    assert position.effects() == [
        Effect("captured", WHITE, "g3", "king"),
        Effect("promoted_at_beginning", WHITE, "f1", "elephant"),
    ]
    position.play("a6-a7")
    assert position.effects() == [Effect("promoted_at_end", WHITE, "f1", "king")]
    assert position.outcome() is None
    assert position.state().fields["lost"]["white"] == {}
    position.undo()
    position.undo()
    assert position.state() == before


def test_d7_the_king_captured_first_decides() -> None:
    position = build("Kg3 Ta11 kf11 tg6", BLACK, ruined={"black": "a6"})
    position.play("g6xg3")
    assert position.outcome() is None
    # White takes the other King in turn, and has still lost.
    position.play("a11xf11")
    assert position.state().fields["king_taken"] == {"white": True, "black": True}
    assert position.outcome() == Outcome(BLACK, End.KING_LOST)


def test_d7_both_kings_missing_and_one_replaced() -> None:
    # The Trebuchet on the fortress becomes king (4a) before Black's loss is looked at (4d).
    position = build("Tf4 tg6 Ra6", ruined={"black": "a6"})
    position.play("f4-f1")
    assert kinds(position) == ["promoted_at_end"]
    assert position.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    # With his fortress standing Black would have had a turn to replace his own.
    position = build("Tf4 tg6 Ra6", forts="f1 g7")
    position.play("f4-f1")
    assert position.outcome() is None
    position.play("g6-g7")
    assert kinds(position) == ["promoted_at_end"]
    assert position.outcome() is None


def test_d8_with_the_king_missing_the_ordinary_promotion_still_happens() -> None:
    position = build("Kg3 Rf1 kf11 tg6 Ra6", BLACK, lost={"white": {"spears": 1}})
    position.play("g6xg3")
    assert position.effects()[1] == Effect("promoted_at_beginning", WHITE, "f1", "spears")
    choice = build("Kg3 Rf1 kf11 tg6 Ra6", BLACK, lost={"white": {"spears": 1, "crossbows": 1}})
    choice.play("g6xg3")
    assert texts(choice) == ["f1=s", "f1=x"]


def test_d8_loading_runs_no_step_of_the_turn() -> None:
    position = build("Kg3 Rf1 kf11 Ra6", lost={"white": {"spears": 1}}, ruined={"black": None})
    assert position.piece_at("f1") == Piece(WHITE, "rabble")
    assert position.effects() == []
    assert "f1-f2" in texts(position)


def test_effects_tell_captures_by_flanking() -> None:
    position = build("Kf1 kf11 Tg6 Re7 Rf5 Re6 df6")
    position.play("g6xf6")
    assert position.effects() == [
        Effect("captured", BLACK, "f6", "dragon"),
        Effect("by_flanking", WHITE, "f6"),
    ]
    # The Trebuchet that retakes the fortress by flanking is a King by now.
    position = build("Ti1 Tf4 df1 kf11")
    position.play("i1xf1")
    assert kinds(position) == ["captured", "by_flanking", "promoted_at_end"]


# --- platform rules -------------------------------------------------------------------------------

# White's King is shut in by mountains; Black's too.
STUCK: dict[str, Any] = {"mountains": ["g1", "e2", "f2", "a10", "b10"]}


def test_p4_pass_is_the_only_action_and_only_without_any_other() -> None:
    position = build("Kf1 ka11 rb9", **STUCK)
    assert texts(position) == ["pass"]
    position.play("pass")
    assert position.state().passed
    assert position.turn is BLACK
    assert "pass" not in texts(position)
    position.play("b9-b8")
    assert not position.state().passed
    position.play("pass")
    position.play("b8-b9")
    assert position.outcome() is None


def test_p4_two_forced_passes_in_a_row_draw() -> None:
    shut: dict[str, Any] = {"mountains": ["g1", "e2", "f2", "a10", "b10", "b11"]}
    position = build("Kf1 ka11", **shut)
    position.play("pass")
    assert texts(position) == ["pass"]
    assert position.outcome() is None
    position.play("pass")
    assert position.outcome() == Outcome(None, End.FORCED_PASSES)
    assert position.legal_actions() == []
    again = RULES.position(position.state())
    assert again.outcome() == position.outcome()
    assert again.hash == position.hash
    position.undo()
    assert position.outcome() is None


def test_p4_the_end_of_the_turn_comes_after_a_forced_pass_too() -> None:
    position = build("Kk1 kf11 df1", mountains=["j1", "j2", "k2"])
    assert texts(position) == ["pass"]
    position.play("pass")
    assert position.effects() == [Effect("fortress_ruined", WHITE, "f1")]
    assert texts(position, "corner") == texts(position)
    # Choosing the corner is an action: the next pass is not the second in a row.
    position.play("corner@a6")
    assert not position.state().passed


def test_p4_a_win_comes_before_the_draw() -> None:
    shut: dict[str, Any] = {"mountains": ["g1", "e2", "f2"]}
    drawn = build("Kf1 kf11", passed=True, **shut)
    drawn.play("pass")
    assert drawn.outcome() == Outcome(None, End.FORCED_PASSES)
    won = build("Kf1 rf11", passed=True, ruined={"black": "a6"}, **shut)
    won.play("pass")
    assert won.outcome() == Outcome(WHITE, End.KING_CAPTURED)
    lost = build("Rf1 kf11", passed=True, forts="k1 f11", **shut)
    lost.play("pass")
    assert lost.outcome() == Outcome(BLACK, End.KING_LOST)
    replaced = build("Tf1 kf11", passed=True, **shut)
    assert texts(replaced) == ["pass"]
    replaced.play("pass")
    assert kinds(replaced) == ["promoted_at_end"]
    assert replaced.outcome() == Outcome(None, End.FORCED_PASSES)


D10 = (
    "mikelepage k4E/7/8/9/10/S9X/10/9/8/7/6 - b "
    "mountains=a10,b10,b11,b7,c5,e10,g9,j6,j7,k5;fortress=white:(at:k6),black:(at:a6);"
    "king_taken=white:yes;lost=white:(rabble:5,crossbows:1,spears:1,trebuchet:1,elephant:1,dragon:1),"
    "black:(rabble:2,spears:1,trebuchet:1,heavy_horse:1,dragon:1) 4"
)


def test_d10_a_choice_between_two_passes_breaks_the_row() -> None:
    """Black passes and loses the fortress; White chooses its corner before passing too."""
    position = parse_position(D10)
    for text in ("pass", "corner@a11", "pass"):
        assert position.outcome() is None
        position.play(text)
    assert position.outcome() is None
    position.play("pass")
    assert position.outcome() == Outcome(None, End.FORCED_PASSES)


@pytest.mark.parametrize("lost", [{}, {"spears": 1}, {"spears": 1, "crossbows": 1}])
def test_d11_a_promotion_that_opens_the_next_turn_comes_too_late_for_p3(
    lost: dict[str, int],
) -> None:
    """The hundredth quiet turn draws, whatever happens by itself at the beginning of the next."""
    position = build(
        "Kf1 ka11 rf9", forts="g2 f9", quiet_turns=99, lost={"white": {}, "black": lost}
    )
    game = Game.from_position(position)
    game.play("f1-g1")
    assert game.outcome() == Outcome(None, End.QUIET)
    game.undo()
    assert game.outcome() is None


def test_p3_what_counts_as_progress() -> None:
    quiet = build("Kg3 kf10 Ra6", quiet_turns=7)
    quiet.play("a6-a7")
    assert quiet.quiet_turns == 8
    capture = build("Kg3 kf10 Ra6 ra7", quiet_turns=7)
    capture.play("a6xa7")
    assert capture.quiet_turns == 0
    out = build("Kg3 kf10", quiet_turns=7, reserve={"white": True, "black": False})
    out.play("out@f1")
    assert out.quiet_turns == 0
    promoted = build("Kg3 kf10 Xf1 Ra6", BLACK, quiet_turns=7, lost={"white": {"trebuchet": 1}})
    promoted.play("f10-f9")
    assert promoted.quiet_turns == -1  # White's turn has begun with progress
    promoted.play("a6-a7")
    assert promoted.quiet_turns == 0
    chosen = build(
        "Kg3 kf10 Rf1", BLACK, quiet_turns=7, lost={"white": {"spears": 1, "crossbows": 1}}
    )
    chosen.play("f10-f9")
    assert chosen.quiet_turns == 8
    chosen.play("f1=s")
    assert chosen.quiet_turns == -1
    ruined = build("Kg3 kf10 tf1 Ra6", quiet_turns=7)
    ruined.play("a6-a7")
    assert ruined.quiet_turns == 0
    ruined.play("corner@a6")
    assert ruined.quiet_turns == 0  # choosing a corner is no progress
    ruined.play("f1-f2")
    assert ruined.quiet_turns == 1
    ends = build("Tf4 kf11 Ra6", quiet_turns=7)
    ends.play("f4-f1")
    assert kinds(ends) == ["promoted_at_end"]
    assert ends.quiet_turns == 0


# --- states ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "fields", "message"),
    [
        ("Kf1 kf11", {"mountains": ["f1"]}, "White's fortress is on the mountain on f1"),
        ("Kf1 kf11 Re4", {"mountains": ["e4"]}, "the Rabble on e4 stands on a mountain"),
        ("Kf1 kf11", {"forts": "f1 f1"}, "both fortresses are on f1"),
        ("Kf1 kf11", {"fortress": {}}, "fortress.white.at is missing"),
        ("Kf1 kf11", {"ruined": {"white": "e4"}}, "the corners are a11, f11, k6, k1, f1, a6"),
        (
            "Kf1 kf11",
            {"fortress": {"white": {"at": "f1", "corner": "a6"}, "black": {"at": "f11"}}},
            "White's fortress, which still stands",
        ),
        ("Kf1 kf11", {"king_taken": {"white": True}}, "White's King is on the board"),
        ("Rf1 kf11", {"king_taken": {}}, "White has no King on the board"),
        ("Kf1 kf11 Se4", {"lost": {"white": {"spears": 2}}}, "but had only 2"),
        ("Kf1 kf11 De4", {"reserve": {"white": True}}, "has 2 Dragon and has lost 0"),
        ("Kf1 kf11", {"pending": "corner"}, "not a ruin without a corner"),
        (
            "Kf1 kf11",
            {"pending": "corner", "in_turn": True, "ruined": {"black": None}},
            "nothing can be done in this turn yet",
        ),
        ("Kf1 kf11", {"pending": "promotion"}, "no Rabble on White's fortress"),
        ("Kf1 kf11", {"in_turn": True, "passed": True}, "the last action was a forced pass"),
        ("Kf1 kf11", {"over": "won"}, "Black's King is on the board"),
        (
            "Kf1 kf11",
            {"mountains": ["e4"], "terrain": {"e4": "hill"}},
            "e4 is both a mountain and hill",
        ),
    ],
)
def test_impossible_states_are_refused_in_words(
    pieces: str, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(StateError, match=message):
        build(pieces, **fields)


def test_every_field_makes_a_difference_to_the_hash() -> None:
    lost = {"white": {"spears": 1, "crossbows": 1}}
    positions = [
        build("Kf1 kf11 Re4"),
        build("Kf1 kf11 Re4", BLACK),
        build("Kf1 kf11 Rf4"),
        build("Kf1 kf11 Re4", forts="g1 f11"),
        build("Kf1 kf11 Re4", ruined={"white": None}),
        build("Kf1 kf11 Re4", ruined={"white": "a6"}),
        build("Kf1 kf11 Re4", ruined={"white": "k6"}),
        build("Kf1 kf11 Re4", ruined={"black": None}),
        build("Kf1 kf11 Re4", ruined={"black": None}, pending="corner"),
        build("Kf1 kf11 Re4", terrain={"e4": "hill"}),
        build("Kf1 kf11 Re4", terrain={"e4": "forest"}),
        build("Kf1 kf11 Re4", mountains=["f4"]),
        build("Kf1 kf11 Re4", reserve={"white": True}),
        build("Kf1 kf11 Re4", reserve={"black": True}),
        build("Kf1 kf11 Re4", lost={"white": {"rabble": 1}}),
        build("Kf1 kf11 Re4", lost={"white": {"rabble": 2}}),
        build("Kf1 kf11 Re4", lost={"black": {"rabble": 1}}),
        build("Kf1 kf11 Re4", passed=True),
        build("Kf1 kf11 Re4", passed=True, drawn=True),
        build("Kf1 kf11 Re4", in_turn=True),
        build("Kg1 kf11 Rf1", lost=lost),
        build("Kg1 kf11 Rf1", lost=lost, pending="promotion"),
        build("Kg1 kf11 Rf1", lost=lost, pending="promotion", in_turn=True),
        build("Kf1 Re4"),
        build("Kf1 Re4", over="won"),
    ]
    assert len({position.hash for position in positions}) == len(positions)
    assert build("Kf1 kf11 Re4", quiet_turns=5).hash == positions[0].hash
    for position in positions:
        assert RULES.position(position.state()) == position


def test_records_of_choices() -> None:
    position = build("Kg3 kf10 tf1 Ra6 rf11", lost={"black": {"crossbows": 1, "spears": 1}})
    position.play("a6-a7")
    assert RULES.records.record(position.legal_actions()[0]) == {"kind": "corner", "at": "a11"}
    position.play("corner@a11")
    assert RULES.records.record(position.legal_actions()[0]) == {
        "kind": "promote",
        "at": "f11",
        "type": "crossbows",
    }
    assert RULES.records.record(build("Kf1 ka11 rb9", **STUCK).legal_actions()[0]) == {
        "kind": "pass"
    }


# --- reasons --------------------------------------------------------------------------------------


def check_reasons(position: Position, chance: random.Random, pairs: int) -> None:
    legal = {(action.origin or "dragon", action.target) for action in position.legal_actions()}
    if position.state().fields["pending"] is not None:
        legal = set()
    own = [at for at, piece in position.pieces().items() if piece.color is position.turn]
    if position.state().fields["reserve"][str(position.turn)]:
        own.append("dragon")
    for _ in range(pairs):
        origin = chance.choice(own)
        near = [target for by, target in legal if by == origin]
        target = chance.choice([*MIKELEPAGE.squares, *position.pieces(), *near])
        if target is None or origin == target:
            continue
        reasons = position.reasons(origin, target)
        assert reasons, (origin, target)
        assert any(reason.legal for reason in reasons) is ((origin, target) in legal), (
            origin,
            target,
            reasons,
        )
        assert all(reason.sentence.endswith(".") for reason in reasons)


def test_reasons_agree_with_the_legal_actions() -> None:
    chance = random.Random(1)
    for number, line in enumerate(lines("mikelepage.jsonl.gz")):
        if number % 5 == 0:
            for key in ("id", "actions", "perft", "defense", "flanking"):
                del line[key]
            check_reasons(RULES.position(read_state(RULES, line)), chance, 20)
    for seed in range(10):
        position = RULES.random_position(seed)
        while (legal := position.legal_actions()) and chance.random() > 0.02:
            check_reasons(position, chance, 5)
            position.play(chance.choice(legal))


def sentences(position: Position, origin: str, target: str) -> list[str]:
    return [reason.sentence for reason in position.reasons(origin, target)]


def sentence(position: Position, origin: str, target: str) -> str:
    (only,) = sentences(position, origin, target)
    return only


def test_reasons_in_words() -> None:
    position = build(
        "Kf1 kf11 Rd5 Re4 Sc6 ee5 Tk5 Dk1 Rh5 Xa6", terrain={"e5": "forest"}, mountains=["i5"]
    )
    assert sentence(position, "c6", "e5") == (
        "Elephant on e5 defends at tier 4 (forest); your Spears c6, Rabble d5, Rabble e4 add up "
        "to 3. One more piece of tier 1 that reaches e5 would be enough."
    )
    assert sentence(position, "d5", "e5") == (
        "Elephant on e5 defends at tier 4 (forest); your Rabble d5, Rabble e4 add up to 2. It "
        "takes 4 together: more pieces must reach e5."
    )
    assert sentences(position, "d5", "d8") == ["Rabble goes 1 square; d8 is 3 away."]
    assert sentences(position, "k5", "h5") == ["Your own Rabble stands on h5."]
    assert sentences(position, "k5", "i5") == ["i5 is a mountain; nothing can stand there."]
    assert sentences(position, "k5", "g5") == ["Trebuchet on k5 cannot pass the mountain on i5."]
    assert sentences(position, "k5", "f11") == [
        "Trebuchet goes straight; f11 and k5 are not in a straight line."
    ]
    assert sentences(position, "c6", "d6") == [
        "Spears go diagonally; d6 and c6 are on no diagonal."
    ]
    assert sentences(position, "a6", "e6") == ["Crossbows go straight up to 3 steps; e6 is 4 away."]
    assert sentences(position, "k1", "k6") == ["k6 is 5 squares away; the Dragon flies up to 4."]
    assert sentences(position, "k5", "k4") == ["Trebuchet on k5 can go to k4."]


def test_reasons_for_horses() -> None:
    position = build("Kf1 kf11 Lf4 Lg1", mountains=["g3"])
    keeps = "and keeps that distance"
    assert sentences(position, "f4", "f5") == [
        f"Light Horse on f4 is 3 squares from the fortress on f1 {keeps}; f5 is 4 away.",
        f"Light Horse on f4 is 7 squares from the fortress on f11 {keeps}; f5 is 6 away.",
    ]
    assert sentences(position, "f4", "h2") == [
        "Light Horse on f4 cannot pass the mountain on g3 on the ring round the fortress on f1."
    ]
    assert sentences(position, "f4", "i1") == [
        "Light Horse on f4 cannot pass the mountain on g3 on the ring round the fortress on f1."
    ]
    assert sentences(position, "g1", "k1")[1] == (
        "Round the fortress on f11 k1 is 4 squares away; Light Horse goes up to 3."
    )
    on_centre = build("Kg3 kf11 Lf1 Ha6", ruined={"black": "a6"})
    assert sentences(on_centre, "f1", "g1")[0] == (
        "Light Horse cannot ride round the fortress on f1 while standing on it."
    )
    nowhere = build("Kg3 kf11 Lf1", ruined={"black": None, "white": None})
    assert sentences(nowhere, "f1", "g1") == [
        "There is no centre that the Light Horse could ride round."
    ]


def test_reasons_name_the_flankers_who_may_take() -> None:
    position = build("Kf1 kf11 Tg6 Re7 Rf5 Re6 df6")
    assert sentence(position, "e7", "f6") == (
        "Dragon on f6 defends at tier 4; your Rabble e6, Rabble e7, Rabble f5 add up to 3. Of "
        "the flankers Trebuchet g6 may take."
    )
    assert sentence(position, "g6", "f6") == (
        "Dragon on f6 defends at tier 4; your Rabble e6, Rabble e7, Rabble f5, Trebuchet g6 add "
        "up to 4."
    )


def test_reasons_for_a_dragon_in_reserve_and_for_choices() -> None:
    reserve = {"white": True, "black": True}
    position = build("Kf1 kf11", reserve=reserve, mountains=["f3"])
    assert sentence(position, "dragon", "f6") == (
        "f6 is 5 squares from your fortress on f1; the Dragon can be brought out only within 4 "
        "squares of your fortress."
    )
    assert sentences(position, "dragon", "f3") == ["f3 is a mountain; nothing can stand there."]
    ruined = build("Kf1 kf11", reserve=reserve, ruined={"white": "a6"})
    assert [str(reason) for reason in ruined.reasons("dragon", "f3")] == [
        "Your fortress on f1 is ruined; the Dragon cannot be brought out any more. (mikelepage D9)"
    ]
    choosing = build("Kg3 kf10 tf1 Ra6 rf11", lost={"black": {"crossbows": 1, "spears": 1}})
    choosing.play("a6-a7")
    assert sentences(choosing, "f1", "f2") == [
        "First choose the corner that replaces White's ruined fortress on f1."
    ]
    choosing.play("corner@a11")
    assert sentences(choosing, "f1", "f2") == ["First choose what your Rabble on f11 becomes."]


def test_grounds_show_mountains_and_standing_fortresses() -> None:
    position = build("Kf1 kf11", terrain={"e4": "hill"}, mountains=["e5"], ruined={"black": "a6"})
    looks = position.grounds()
    assert {at: look for at, look in looks.items() if look != "open"} == {
        "f1": "fortress",
        "e4": "hill",
        "e5": "mountain",
    }


def test_reasons_for_a_barred_dragon() -> None:
    position = build("Kf1 kf11 Df6 rg6 rg5 rf5 re6 re7 rf7")
    text = sentence(position, "f6", "f8")
    assert text.startswith("Every path of 4 squares from f6 to f8 is barred by ")
    assert "Black's Rabble on f7" in text


# --- perft ----------------------------------------------------------------------------------------


def test_choices_count_as_decisions_in_perft() -> None:
    position = build("Kg3 kf11 tf1 Ra6", mountains=["h2", "g2", "f4", "h3", "f3", "g4"])
    moves = texts(position)
    assert all("x" not in text for text in moves)
    assert perft(position, 2) == 6 * len(moves)


def test_d12_the_dragon_flies_step_by_step() -> None:
    """Over mountains, round pieces: a ring of Rabble holds it, a ring of rock does not."""
    ring = MIKELEPAGE.ring(MIKELEPAGE.index("f5"), 1)
    around = [MIKELEPAGE.squares[at] for at in ring if at is not None]
    shut = build("Kf1 kf11 Df5 " + " ".join(f"R{at}" for at in around))
    assert not [action for action in shut.legal_actions() if action.origin == "f5"]
    free = build("Kf1 kf11 Df5", mountains=sorted(around))
    assert free.is_legal("f5-f9")


def test_d13_a_group_counts_and_the_king_as_the_best_of_it() -> None:
    assert build("Kf1 kf11 Re5 Rf5 se6").is_legal("e5xe6")
    assert not build("Kf1 kf11 Re5 se6").is_legal("e5xe6")
    assert build("Ke5 kf11 Rf5 se6").is_legal("e5xe6")
