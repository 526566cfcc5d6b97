"""What every Scene promises: what it tells agrees with what else is told about a position."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.draw import board_svg
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import BUILDINGS, FEATURES, SceneFeature
from cyvasse.rules.terms import Color
from cyvasse.rules.tools import Marks
from cyvasse.testing import every_rule_set
from cyvasse.testing.strategies import is_quick, positions, seeds, walk
from cyvasse.testing.words import broken

pytestmark = every_rule_set


@given(st.data())
def test_a_scene_shows_the_position(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    seen = position.scene()
    assert seen.pieces == position.pieces()
    assert list(seen.grounds) == list(rules.board.squares)
    assert position.grounds() == seen.grounds
    built = {
        at: each.kind for each in seen.features if each.kind in BUILDINGS for at in each.squares
    }
    for square in rules.board.squares:
        assert seen.on(square) == built.get(square, seen.grounds[square])
    square = data.draw(st.sampled_from(rules.board.squares))
    assert position.terrain_at(square) == seen.on(square)
    for feature in seen.features:
        assert feature.kind in FEATURES, broken(
            rules, f"Nothing is drawn like {feature.kind!r}.", "Scene.features"
        )
        assert set(feature.squares) <= set(rules.board.squares), broken(
            rules, f"{feature} is not on the board.", "Scene.features"
        )
        assert feature.direction is None or feature.direction in rules.board.directions, broken(
            rules, f"{feature} points where no direction is.", "Scene.features"
        )


def test_it_can_be_drawn(rules: RuleSet) -> None:
    for seed in range(3):
        position = rules.random_position(seed, 20 * seed)
        try:
            assert "</svg>" in board_svg(position)
            assert str(position)
        except Exception as error:
            what = f"{position.text()} cannot be drawn: {type(error).__name__}: {error}."
            pytest.fail(broken(rules, what, "Scene.ground", "Scene.features", "Scene.stores"))


@given(st.data())
def test_stores_are_the_reserves(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    for color in Color:
        reserve = [
            store.pieces
            for store in position.scene().stores
            if store.kind == "reserve" and store.color is color
        ]
        expected = position.in_reserve(color)
        assert reserve == ([expected] if expected else []), broken(
            rules, f"{color.title} has two reserves.", "Scene.stores"
        )


@given(st.data())
def test_turning_a_position_turns_its_scene(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    turn = rules.board.turned
    turned = {
        SceneFeature(
            each.kind,
            tuple(sorted(map(turn, each.squares))),
            None if each.color is None else each.color.other,
            None if each.direction is None else rules.board.turned_direction(each.direction),
        )
        for each in position.scene().features
    }
    other = position.turned().scene()
    found = {each._replace(squares=tuple(sorted(each.squares))) for each in other.features}
    assert found == turned, broken(
        rules,
        f"With the board turned {position.text()} shows {found} and not {turned}.",
        "Scene.features",
        "RuleSet.state_fields",
    )
    for at, ground in position.scene().grounds.items():
        assert other.grounds[turn(at)] == ground, broken(
            rules,
            f"The players do not have the same ground: {at} is {ground}, "
            f"{turn(at)} on the turned board {other.grounds[turn(at)]}.",
            "Scene.ground",
        )


@given(seed=seeds, color=st.sampled_from(Color))
def test_a_setup_looks_like_the_start(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    alone = rules.scene.of_setup(setup)
    other = rules.random_setup(color.other, seed)
    white, black = (setup, other) if color is Color.WHITE else (other, setup)
    start = rules.start(white, black, Color.WHITE).scene()
    where = ("Setups.start_state", "Scene.features")
    for at in rules.home(color):
        assert alone.pieces.get(at) == start.pieces.get(at), broken(
            rules, f"On {at} of a setup stands another piece than in the game.", *where
        )
        assert alone.grounds[at] == start.grounds[at], broken(
            rules,
            f"{at} is {alone.grounds[at]} in a setup and {start.grounds[at]} after it.",
            *where,
        )
    assert list(alone.stores) == [store for store in start.stores if store.color is color], broken(
        rules, "A setup shows other reserves than the game.", "Scene.stores"
    )
    assert {man.color for man in alone.pieces.values()} == {color}


@given(seed=seeds, color=st.sampled_from(Color))
def test_what_is_laid_can_be_seen(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    seen = rules.scene.of_setup(setup).features
    for tool in rules.setups.tools_for(color):
        if isinstance(tool, Marks):
            value = setup.fields[tool.field]
            laid = {value} if tool.single else set(value)
            shown = {at for each in seen if each.kind == tool.drawing for at in each.squares}
            assert laid <= shown, broken(
                rules,
                f"The {tool.title} on {', '.join(sorted(laid - shown))} cannot be seen: "
                f"no feature {tool.drawing!r} lies there.",
                "Scene.features",
                "Setups.start_state",
            )


def test_who_takes_whom(rules: RuleSet) -> None:
    for seed in range(12):
        position = rules.random_position(seed, actions=5 * seed)
        lines = next(set(each.lines) for each in position.layers() if each.name == "strikes")
        pieces = position.pieces()
        taking = {
            (action.origin, struck)
            for action in position.legal_actions()
            for struck in action.struck
            if pieces[struck].color is not position.turn
        }
        now = {line for line in lines if pieces[line[0]].color is position.turn}
        assert now == taking, broken(
            rules,
            f"In {position.text()} the capturing actions are not those that take.",
            "Position.generate_captures",
        )
        assert {victim for _, victim in lines - now} == set(position.threats())


def test_layers_speak_of_pieces_on_the_board(rules: RuleSet) -> None:
    for seed in range(12):
        position = rules.random_position(seed, actions=5 * seed)
        pieces = position.pieces()
        for shown in position.layers():
            said = broken(rules, f"The layer {shown.name} is not as it should be.", "Scene.layers")
            assert set(shown.values) <= set(pieces), said
            for origin, target in shown.lines:
                assert pieces[origin].color is not pieces[target].color, said
            assert shown.title, said
            assert shown.about.endswith("."), said


def test_the_same_layers_are_there_in_every_position(rules: RuleSet) -> None:
    """Whoever shows them has a switch for each, and asks for no position to make it."""
    kinds = {
        tuple(layer[:3] for layer in rules.random_position(seed, 12 * seed).layers())
        for seed in range(4)
    }
    assert len(kinds) == 1, broken(
        rules, "Which layers there are depends on the position.", "Scene.layers"
    )


def test_whatever_happens_can_be_told(rules: RuleSet) -> None:
    """Every sentence has words, and they name the squares and the players that it is about."""
    scene, known = rules.scene, set(rules.scene.sentences)
    assert set(rules.noted_effects) <= known, broken(
        rules,
        f"There is no sentence for {sorted(set(rules.noted_effects) - known)}.",
        "Scene.sentences",
        "RuleSet.noted_effects",
    )
    for seed in range(60 if is_quick(rules) else 3):
        for position in walk(rules, seed, 200):
            for effect in position.effects():
                assert effect.kind in known, broken(
                    rules, f"There is no sentence for {effect.kind!r}.", "Scene.sentences"
                )
            dangers = position.dangers()
            for sentence in (*position.told(), *(danger.said for danger in dangers)):
                words = scene.words(sentence)
                said = broken(rules, f"{sentence} becomes: {words}", "Scene.sentences")
                assert words.endswith("."), said
                assert words[0].isupper(), said
                assert "None" not in words, said
                for reader in Color:
                    assert scene.words(sentence, reader).endswith("."), said
            for danger in dangers:
                said = broken(rules, f"{danger} is not on the board.", "Scene.warnings")
                assert set(danger.squares) <= set(rules.board.squares), said
                assert set(danger.by) <= set(position.pieces()), said
