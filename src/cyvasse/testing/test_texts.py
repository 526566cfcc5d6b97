"""Texts and documents of positions, setups and games read back; what each player may see."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse.game import Game
from cyvasse.notation import read_state, state_document
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color
from cyvasse.testing import every_rule_set
from cyvasse.testing.strategies import games, positions, seeds
from cyvasse.testing.words import broken, changes, portrait

pytestmark = every_rule_set


@given(st.data())
def test_positions_round_trip(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    text = position.text()
    assert text.startswith(rules.id + " ")
    assert text.isascii()
    assert "\n" not in text
    again = cyvasse.parse_position(text)
    assert again == position, broken(
        rules,
        f"The text {text} reads back as another position: "
        f"{changes(portrait(position), portrait(again))}.",
        "Position.state",
        "RuleSet.state_fields",
    )
    assert again.text() == text
    assert str(again) == str(position)


@given(st.data())
def test_documents_round_trip(rules: RuleSet, data: st.DataObject) -> None:
    state = data.draw(positions(rules)).state()
    document = state_document(rules, state)
    assert read_state(rules, json.loads(json.dumps(document))) == state, broken(
        rules,
        f"The document reads back as another state: {document}.",
        "Position.state",
        "RuleSet.state_fields",
    )


@given(seeds, st.sampled_from(Color))
def test_setups_round_trip(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    text = cyvasse.write_setup(setup)
    assert cyvasse.parse_setup(text) == setup, broken(
        rules,
        f"The text {text} reads back as another setup.",
        "RuleSet.setup_fields",
        "Setups.home",
    )
    assert cyvasse.write_setup(cyvasse.parse_setup(text)) == text


@given(st.data())
def test_games_round_trip(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    words = st.text(
        st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="{}"),
        max_size=30,
    )
    for at in data.draw(st.sets(st.integers(0, len(game.actions)), max_size=4)):
        game.comments[at] = data.draw(words)
    game.tags["White"] = data.draw(st.sampled_from(["Arianne", 'a "name" \\ with ü', ""]))
    if game.outcome() is None and data.draw(st.booleans()):
        how = data.draw(st.sampled_from(["resign", "agree", "time"]))
        if how == "resign":
            game.resign(Color.WHITE)
        elif how == "agree":
            game.agree_draw()
        else:
            game.lose_on_time(Color.BLACK)
    text = cyvasse.write_game(game)
    again = cyvasse.read_game(text)
    assert cyvasse.write_game(again) == text
    assert again.actions == game.actions
    assert again.outcome() == game.outcome()
    assert again.tags == game.tags
    assert (again.repetition, again.quiet) == (game.repetition, game.quiet)
    assert again.position == game.position


def test_game_from_a_position_round_trips(rules: RuleSet) -> None:
    game = Game.from_position(rules.random_position(3, actions=11))
    for _ in range(6):
        if game.outcome() is None:
            game.play(game.legal_actions()[0])
    text = str(game)
    assert "[Position " in text
    assert str(cyvasse.read_game(text)) == text


@given(st.data())
def test_views_do_not_depend_on_the_other_setup(rules: RuleSet, data: st.DataObject) -> None:
    mine = rules.random_setup("white", data.draw(seeds))
    views = []
    for _ in range(2):
        game = Game(rules)
        game.submit("white", mine)
        game.submit("black", rules.random_setup("black", data.draw(seeds)))
        views.append([game.view(viewer) for viewer in ("white", None)])
        assert "black" not in game.view("white")["setups"]
        assert game.view(None)["setups"] == {}
    assert json.dumps(views[0]) == json.dumps(views[1])
