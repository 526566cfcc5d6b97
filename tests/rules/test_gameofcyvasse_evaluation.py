"""What positions of gameofcyvasse are worth: each feature where its value is obvious."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cyvasse.rules.base import Position
from cyvasse.rules.gameofcyvasse import GAMEOFCYVASSE_RULES as RULES
from cyvasse.rules.terms import BLACK, WHITE, State
from tests.rules.test_gameofcyvasse import place

NAMES = [feature.name for feature in RULES.evaluation().features]


def counts(pieces: str, *args: Any, **fields: Any) -> dict[str, int]:
    """The features that are not balanced, by name."""
    found = RULES.evaluation().count(place(pieces, *args, **fields))
    return {name: count for name, count in zip(NAMES, found, strict=True) if count}


def gain(position: Position, text: str) -> int:
    return RULES.evaluation().gain_of(position, position.parse_action(text).code)


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_two_kings_are_worth_the_tempo() -> None:
    assert counts("") == {"tempo": 1}
    assert counts("", "", BLACK) == {"tempo": -1}


def test_material_place_and_mobility() -> None:
    found = counts("Ed4")
    assert found["elephant"] == 1
    assert found["mobility_elephant"] == 8
    assert found["advance_elephant"] == 2
    assert found["nearness_elephant"] == 1
    assert counts("Dd4")["mobility_dragon"] == 27 - 2  # both Kings stand on its diagonal


def test_mobility_is_that_of_the_actions() -> None:
    """Of those who do not shoot."""
    names = ["rabble", "spearmen", "light_horse", "heavy_horse", "elephant", "dragon", "king"]
    for seed in range(20):
        position = RULES.random_position(seed, 20)
        if position.outcome() is not None:
            continue
        state = position.state()
        found = dict(zip(NAMES, RULES.evaluation().count(RULES.position(state)), strict=True))
        for name in names:
            moves = {WHITE: 0, BLACK: 0}
            for color in moves:
                there = RULES.position(
                    State(state.pieces, state.terrain, color, fields=state.fields)
                )
                for action in there.legal_actions():
                    if action.kind == "move" and action.origin is not None:
                        moves[color] += state.pieces[action.origin].type == name
            assert found[f"mobility_{name}"] == moves[WHITE] - moves[BLACK], (seed, name)


@pytest.mark.parametrize(
    ("pieces", "terrain", "name"),
    [
        ("Rd4 sd5", "", "prey_foot"),  # one rank higher
        ("Rd4 xd5", "", None),  # two ranks higher
        ("Ld4 sd6", "", None),  # never by horses
        ("Ld4 rd7", "", "prey_foot"),
        ("Ld4 rd7", "md5 mc5 me5 mc4 me4 mc3 md3 me3", None),
        ("Ld4 rd7", "wc5 wd5 we5 wc4 we4", None),  # water stops it
        ("Hd4 ed6", "", "prey_line"),
        ("Hd4 ed6", "fc5 fd5 fe5", None),  # forest takes both steps
        ("Dd4 cd8", "", "prey_engine"),
        ("Dd4 cd8", "fd8", None),  # safe from the Dragon
        ("Dd4 cd8", "cd8", None),  # a fortress saves it
        ("Rd4 sd5 rd6", "", "contested_foot"),
        ("Cd4 sd6 rd7", "", "prey_foot"),  # shots are not avenged
        ("Cd4 sd6", "md5", None),
        ("Cd4 se6", "md5", "prey_foot"),
        ("Cd4 se6", "md5 me5", None),
        ("Cd4 se6", "wd4", None),
        ("Xd4 de5", "", "prey_dragon"),
        ("Xd4 de5", "me5", "prey_dragon"),
        ("Ed4 de5", "", None),
    ],
)
def test_what_can_be_taken(pieces: str, terrain: str, name: str | None) -> None:
    found = counts(pieces, terrain)
    taken = {key for key in found if key.startswith(("prey", "contested")) and found[key] < 0}
    assert taken == ({name} if name else set())


def test_whose_turn_it_is_makes_prey_or_danger() -> None:
    assert counts("Ed4 rd5")["prey_foot"] == -1
    assert counts("Ed4 rd5", "", BLACK)["danger_foot"] == -1


def test_a_trebuchet_shoots_where_it_points() -> None:
    assert "shots" not in counts("Td4 rd7")
    found = counts("Td4 rd7", facing={"d4": "N"})
    assert (found["shots"], found["aimed"], found["prey_foot"]) == (1, 1, -1)
    assert "shots" not in counts("Td4 rd7", "md6", facing={"d4": "N"})
    assert "shots" not in counts("Td4 rd7", facing={"d4": "E"})


def test_water() -> None:
    found = counts("Ed4 re5", "wd4", waiting=["d4"])
    assert found["waiting"] == 1
    assert "prey_foot" not in found
    assert counts("Cd4", "wd4")["wet_shooters"] == 1
    assert counts("", "wa2 wb1 wh1")["moat"] == 2


def test_the_ground_and_the_dragons() -> None:
    assert counts("Dd4", "md4")["roost"] == 1
    assert counts("Dd4", "fd4")["dragon_woods"] == 1
    found = counts("Rb3 dg3", "fa1 fb3")
    assert (found["king_woods"], found["in_woods"]) == (1, 1)
    assert "king_woods" not in counts("Rb3", "fa1 fb3")
    assert counts("Rb3 Dd5 dg3", "")["rabble"] == 1
    assert "sole_dragon" not in counts("Dd5 dg3")
    assert counts("Dd5 xg3")["sole_dragon"] == 1
    assert "unmatched" not in counts("Dd5 xg3")
    assert counts("Dd5 eg3")["unmatched"] == 1


def test_ranks_that_nobody_takes() -> None:
    assert counts("Ed4 Cc2 Ra3 xg3")["untouchable"] == 2
    assert counts("Ed4 Cc2 Ra3 hg3")["untouchable"] == 1  # a Heavy Horse takes Elephants
    assert "untouchable" not in counts("Ed4 Cc2 Ra3 eg3")


def test_king_and_fortress() -> None:
    assert counts("", "ca1")["king_inside"] == 1
    assert "king_inside" not in counts("", "ca1", ruined=["a1"])
    assert counts("", "cb1")["shelter"] == 1
    assert "shelter" not in counts("", "cb1", ruined=["b1"])
    found = counts("Rb1", "cb1")
    assert found["garrison"] == 1
    assert "shelter" not in found


def test_an_exposed_king() -> None:
    assert counts("Rg7")["exposed"] == -1
    assert counts("Rg7", "", BLACK)["checked"] == -1
    assert "exposed" not in counts("Rg7", "ch8")
    assert counts("Dd4")["exposed"] == -1
    assert "exposed" not in counts("Dd4", "fh8")


def test_besiegers_count_together() -> None:
    found = counts("Rf7 Eg6 Cf6")
    assert found["besieged_3"] == -1
    assert not {"besieged_1", "besieged_2"} & set(found)
    assert counts("Rb2 Cc3")["guards"] == 2


def test_escapes() -> None:
    assert "escapes" not in counts("")
    assert counts("Ef7")["escapes"] == 2  # g7 and g8 are struck at


def test_gain() -> None:
    evaluation = RULES.evaluation()
    position = place("Cd4 Rd3 xd6 te5 hc5", "ce5")
    assert gain(position, "d4*d6") == evaluation.weight_of("crossbowman")
    assert gain(position, "d4xc5") == evaluation.weight_of("heavy_horse")
    assert 0 < gain(position, "d4*e5") < evaluation.weight_of("rabble")
    assert 0 < gain(position, "d4-d4*e5") < evaluation.weight_of("rabble")
    assert gain(position, "d4*d3") == -evaluation.weight_of("rabble")
    assert gain(position, "d4-c4") == 0
    assert gain(place("Rg7"), "g7xh8") >= 10000


def test_only_the_position_counts() -> None:
    """What was played before leaves no trace, and colours are alike."""
    evaluation = RULES.evaluation()
    for seed in range(60):
        chance = random.Random(seed)
        position = RULES.random_position(chance)
        for _ in range(chance.randrange(80)):
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
