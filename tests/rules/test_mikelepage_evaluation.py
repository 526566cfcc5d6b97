"""What positions of Mikelepage's Cyvasse are worth: each feature where its value is obvious."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage import MIKELEPAGE_RULES as RULES
from cyvasse.rules.terms import BLACK, WHITE
from tests.rules.test_mikelepage import build

NAMES = [feature.name for feature in RULES.evaluation().features]


def counts(pieces: str, *args: Any, **fields: Any) -> dict[str, int]:
    """The features that are not balanced, by name."""
    found = RULES.evaluation().count(build(pieces, *args, **fields))
    return {name: count for name, count in zip(NAMES, found, strict=True) if count}


def gain(position: Position, text: str) -> int:
    return RULES.evaluation().gain_of(position, position.parse_action(text).code)


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_two_kings_are_worth_the_tempo() -> None:
    assert counts("Kf1 kf11") == {"tempo": 1}
    assert counts("Kf1 kf11", BLACK) == {"tempo": -1}


def test_material_place_and_mobility() -> None:
    found = counts("Kf1 kf11 Xf6")
    assert found["crossbows"] == 1
    assert found["mobility_crossbows"] == 6 * 3
    assert found["advance_crossbows"] == 3
    assert found["nearness_crossbows"] == 1
    assert counts("Kf1 kf11 Sf6")["mobility_spears"] == 6 * 2
    assert counts("Kf1 kf11 Rf6")["mobility_rabble"] == 6


def test_what_stands_in_the_way_ends_mobility() -> None:
    found = counts("Kf1 kf11 Tf6 Rf7 re6", mountains=["g6"])
    assert found["mobility_trebuchet"] == 4 + 5 + 5  # f2 to f5, and two lines to the edge


def test_mobility_is_that_of_the_actions() -> None:
    """Of pieces whose ways do not cross, which horses' do."""
    types = {"X": "crossbows", "S": "spears", "T": "trebuchet", "E": "elephant", "R": "rabble"}
    for seed in range(20):
        position = RULES.random_position(seed, 30)
        state = position.state()
        if position.outcome() is not None or state.fields["pending"]:
            continue
        found = dict(zip(NAMES, RULES.evaluation().count(position), strict=True))
        for name in types.values():
            moves = {WHITE: 0, BLACK: 0}
            for color in moves:
                there = RULES.position(
                    type(state)(
                        state.pieces, state.terrain, color, fields={**state.fields, "pending": None}
                    )
                )
                for action in there.legal_actions():
                    if action.kind == "move" and action.origin is not None:
                        moves[color] += state.pieces[action.origin].type == name
            assert found[f"mobility_{name}"] == moves[WHITE] - moves[BLACK], (seed, name)


def test_horses_ride_round_both_centres() -> None:
    # On f3 two squares from f1 and eight from f11: to the edge on both arcs.
    found = counts("Kf1 kf11 Lf3")
    assert found["mobility_light_horse"] == 2 + 2 + 3 + 3
    assert (
        counts("Kf1 kf11 Hf3 Rg2")["mobility_heavy_horse"]
        < counts("Kf1 kf11 Hf3")["mobility_heavy_horse"]
    )


def test_home_terrain() -> None:
    terrain = {"f6": "hill"}
    assert counts("Kf1 kf11 Xf6", terrain=terrain)["at_home_2"] == 1
    assert counts("Kf1 kf11 tf6", terrain=terrain)["at_home_3"] == -1
    assert "at_home_2" not in counts("Kf1 kf11 Sf6", terrain=terrain)


@pytest.mark.parametrize(
    ("pieces", "name"),
    [
        ("Tf3 xf6", "prey_2"),  # directly
        ("Rf5 Rg5 xf6", "prey_2"),  # by flanking
        ("Rf5 Re7 Xc6 tf6", "prey_3"),
        ("Tf3 dj6", None),  # out of reach
        ("Rf5 xf6", None),  # alone
        ("Tf3 xf6 tj6", "contested_2"),  # guarded
        ("Tf3 Ti6 df6", "prey_4"),
        ("Rf5 rf6", "prey_1"),
    ],
)
def test_what_can_be_taken(pieces: str, name: str | None) -> None:
    found = counts(f"Ka6 kf11 {pieces}", forts="a6 f11")
    taken = {key for key in found if key.startswith(("prey", "contested")) and found[key] < 0}
    assert taken == ({name} if name else set())


def test_home_terrain_saves_from_a_single_attacker() -> None:
    found = counts("Ka6 kf11 Xf3 xf6", forts="a6 f11", terrain={"f6": "hill"})
    assert "prey_2" not in found
    assert counts("Ka6 kf11 Xf3 xf6", forts="a6 f11")["prey_2"] == -1


def test_whose_turn_it_is_makes_prey_or_danger() -> None:
    assert counts("Ka6 kf11 Tf3 rf6", forts="a6 f11")["prey_1"] == -1
    assert counts("Ka6 kf11 Tf3 rf6", BLACK, forts="a6 f11")["danger_1"] == -1


def test_a_dragon_in_reserve() -> None:
    found = counts("Kf1 kf11 rf4 rf8", reserve={"white": True})
    assert found["reserve"] == 1
    assert found["ambush"] == 1  # f4, not f8
    assert "dragon" not in found
    ruined = counts("Kg1 kf11 rf4", reserve={"white": True}, ruined={"white": "a6"})
    assert "reserve" not in ruined
    assert "ambush" not in ruined
    assert ruined["fortress"] == -1


def test_a_dragon_and_those_in_its_range() -> None:
    found = counts("Kf1 kf8 Df4 rf6 rf9")
    assert found["dragon"] == 1
    assert found["mobility_dragon"] == 2  # the Rabble on f6 and the King
    assert found["king_flown"] == -1


def test_king_and_fortress() -> None:
    assert counts("Kf1 kg9")["king_inside"] == 1
    assert counts("Kf3 kf11 Rf1")["garrison"] == 1
    found = counts("Kf3 kf11 tf1 Rj1", BLACK)
    assert found["invaded"] == 1
    assert "retaken" not in found
    assert counts("Kf3 kf11 tf1 Tj1", BLACK)["retaken"] == 1
    assert counts("Kf1 kf11 tf9")["stormers"] == 1
    assert counts("Kf1 kf11 Tf9")["stormers"] == -1


def test_heirs_and_what_they_are_good_for() -> None:
    assert counts("Kf3 kf11 Tj1")["first_heir"] == 1
    found = counts("Kf3 kf11 Tj1 Ee4")
    assert (found["first_heir"], found.get("more_heirs")) == (1, None)  # e4 is on no diagonal
    assert counts("Kf3 kf11 Tj1 Ee3")["more_heirs"] == 1
    fields: dict[str, Any] = {"forts": "f1 f11"}
    assert counts("kf11 Tj1", **fields).get("king_lost") is None
    assert counts("kf11 Xj1", **fields)["king_lost"] == 1
    # An enemy Dragon on the fortress is too strong for one heir.
    assert counts("kf11 Tj1 df1", **fields)["king_lost"] == 1
    assert counts("kf11 Tj1 Ee3 df1", **fields).get("king_lost") is None


def test_promotion() -> None:
    assert counts("Kf3 kf11 Xh1", lost={"white": {"trebuchet": 1}})["promotion"] == 1
    assert "promotion" not in counts("Kf3 kf11 Xh1", lost={"white": {"elephant": 1}})
    assert counts("Kf3 kf11 Rg1", lost={"white": {"spears": 1}})["promotion"] == 1


def test_an_exposed_king() -> None:
    assert counts("Kf1 kf9 Tf4")["exposed_bare"] == -1
    assert counts("Kf1 kf9 Tf4", BLACK)["checked_bare"] == -1
    assert counts("Kf1 kf9 Tf4 tb11")["exposed_heir"] == -1
    # In his fortress he defends at tier 2.
    assert "exposed_bare" not in counts("Kf1 kf11 Rf10")
    assert counts("Kf1 kf11 Rf10 Re11")["exposed_bare"] == -1


def test_besiegers_count_together() -> None:
    found = counts("Kf1 kf9 Rf7 Re9 Tg4")
    assert found["besieged_3"] == -1
    assert not {"besieged_1", "besieged_2"} & set(found)
    assert counts("Kf1 kf9 rf8 re9 tf4", BLACK)["guards"] == -3


def test_gain() -> None:
    evaluation = RULES.evaluation()
    position = build("Kf1 kf9 Tf4 xf6 rf3", reserve={"white": True})
    assert gain(position, "f4xf6") == evaluation.weight_of("crossbows")
    assert gain(position, "out@f3") == evaluation.weight_of("rabble")
    assert gain(position, "out@f2") == 0
    assert gain(position, "f4-f5") == 0
    assert gain(build("Kf1 kf9 Tf4"), "f4xf9") >= 10000
    assert (
        gain(
            build("Kf1 kf11 Rg9 Rf10", forts="f1 a11", ruined={"black": None}, pending="corner"),
            "corner@a6",
        )
        == 0
    )


def test_only_the_position_counts() -> None:
    """What was played before leaves no trace, and colours are alike."""
    evaluation = RULES.evaluation()
    for seed in range(60):
        chance = random.Random(seed)
        position = RULES.random_position(chance)
        for _ in range(chance.randrange(120)):
            legal = position.legal_actions()
            if not legal:
                break
            position.play(chance.choice(legal))
            if chance.random() < 0.2:
                position.undo()
        found = evaluation.count(position)
        assert RULES.evaluation().count(RULES.position(position.state())) == found
        assert evaluation.count(position.copy()) == found
        assert evaluation.count(position.turned()) == [-count for count in found]
        assert evaluation.worth(position.turned()) == evaluation.worth(position)


def test_one_evaluation_goes_from_game_to_game() -> None:
    """What it keeps of the last position must not show, however little the next is like it."""
    evaluation = RULES.evaluation()
    chance = random.Random(1)
    games = [RULES.random_position(chance, 60) for _ in range(8)]
    games += [
        build("Kf1 kf11 Hf3", mountains=["g2"]),
        build("Kg1 kf11 Lf4", ruined={"white": "a6"}),
        build("Kg1 kf11 Lf4", BLACK, ruined={"white": None}, pending="corner"),
    ]
    for _ in range(300):
        position = chance.choice(games)
        for action in position.legal_actions()[::9]:
            position.play(action)
            assert evaluation.count(position) == RULES.evaluation().count(position)
            position.undo()
        assert evaluation.count(position) == RULES.evaluation().count(position)
