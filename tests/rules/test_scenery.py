"""What rule sets tell about their looks agrees with what else they tell about their positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import BLACK, WHITE, Color, RuleSet, Setup
from cyvasse.rules.scenery import FEATURES, Feature, Scene, Store, scene, setup_scene
from tests.strategies import positions, seeds

every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)


def of_kind(seen: Scene, kind: str) -> list[Feature]:
    return [feature for feature in seen.features if feature.kind == kind]


@every_rule_set
@given(data=st.data())
def test_a_scene_shows_the_position(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    seen = scene(position)
    assert seen.pieces == position.pieces()
    assert list(seen.grounds) == list(rules.board.squares)
    stands = {
        at: kind for kind in ("keep", "ruin") for f in of_kind(seen, kind) for at in f.squares
    }
    for square, ground in position.grounds().items():
        # A keep is told apart from its ground; so is a ruin, which some rule sets call plain.
        if square in stands:
            assert ground in (stands[square], seen.grounds[square])
        else:
            assert ground == seen.grounds[square]
    for feature in seen.features:
        assert feature.kind in FEATURES
        assert set(feature.squares) <= set(rules.board.squares)
        assert feature.direction is None or feature.direction in rules.board.directions


@every_rule_set
@given(data=st.data())
def test_stores_are_the_reserves(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    for color in Color:
        reserve = [
            store.pieces
            for store in scene(position).stores
            if store.kind == "reserve" and store.color is color
        ]
        expected = position.in_reserve(color)
        assert reserve == ([expected] if expected else [])


@every_rule_set
@given(data=st.data())
def test_turning_a_position_turns_its_scene(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    turn = rules.board.turned
    turned = {
        Feature(
            each.kind,
            tuple(sorted(map(turn, each.squares))),
            None if each.color is None else each.color.other,
            None if each.direction is None else rules.board.turned_direction(each.direction),
        )
        for each in scene(position).features
    }
    found = {
        each._replace(squares=tuple(sorted(each.squares)))
        for each in scene(position.turned()).features
    }
    assert found == turned


@every_rule_set
@given(seed=seeds, color=st.sampled_from([WHITE, BLACK]))
def test_a_setup_looks_like_the_start(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    alone = setup_scene(rules, setup)
    other = rules.random_setup(color.other, seed)
    white, black = (setup, other) if color is WHITE else (other, setup)
    start = scene(rules.start(white, black, WHITE))
    for square in rules.home(color):
        assert alone.pieces.get(square) == start.pieces.get(square)
        assert alone.grounds[square] == start.grounds[square]
    assert list(alone.stores) == [store for store in start.stores if store.color is color]
    assert {man.color for man in alone.pieces.values()} == {color}


def test_nine_tile_setups_show_their_tiles() -> None:
    rules = cyvasse.rule_set("nine-tile")
    for color in Color:
        seen = setup_scene(rules, rules.named_setups(color)["sunspear"])
        tiles = of_kind(seen, "tile")
        laid = [square for tile in tiles for square in tile.squares]
        assert len(tiles) == 9
        assert sorted(laid) == sorted(rules.home(color))
        (circle,) = of_kind(seen, "circle")
        assert seen.pieces[circle.squares[0]].type == "king"
    assert setup_scene(rules, Setup("nine-tile", WHITE, {})).features == ()


def test_mikelepage_shows_ruins_centres_and_losses() -> None:
    position = cyvasse.parse_position(
        "mikelepage 6/k6/8/9/10/11/10/9/8/6K/6 6/7/8/9/10/11/10/9/8/7/6 w "
        "fortress=white:(at:k2),black:(at:a10,ruined:yes,corner:a6);lost=black:(elephant:1) 0"
    )
    seen = scene(position)
    assert of_kind(seen, "fortress") == [Feature("fortress", ("k2",), WHITE)]
    assert of_kind(seen, "ruin") == [Feature("ruin", ("a10",), BLACK)]
    assert of_kind(seen, "centre") == [Feature("centre", ("a6",), BLACK)]
    assert seen.grounds["a10"] == "open"
    assert seen.stores == (Store("lost", BLACK, {"elephant": 1}),)


def test_gameofcyvasse_shows_who_waits_and_where_a_trebuchet_points() -> None:
    position = cyvasse.parse_position(
        "gameofcyvasse 7k/8/8/3T4/8/8/2R5/K7 c7/8/8/8/8/8/2w5/c7 b "
        "ruined=a8;waiting=c2;facing=d5:NE 0"
    )
    seen = scene(position)
    assert of_kind(seen, "ruin") == [Feature("ruin", ("a8",), BLACK)]
    assert seen.grounds["a8"] == "grass"
    assert of_kind(seen, "fortress") == [Feature("fortress", ("a1",), WHITE)]
    assert of_kind(seen, "facing") == [Feature("facing", ("d5",), WHITE, "NE")]
    assert of_kind(seen, "waiting") == [Feature("waiting", ("c2",))]


def test_a_croft_setup_without_a_keep_has_none() -> None:
    rules = cyvasse.rule_set("croft")
    seen = setup_scene(rules, Setup("croft", WHITE, {}, fields={"mountains": ["a1"]}))
    assert seen.features == (Feature("mountain", ("a1",)),)
    (store,) = seen.stores
    assert store.color is WHITE
    assert sum(store.pieces.values()) == 20
