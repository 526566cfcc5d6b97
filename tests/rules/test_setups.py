"""What editors rely on: where a thing may stand, what problems are about, what setups are like."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import cyvasse
from cyvasse.errors import UnknownPieceError
from cyvasse.rules.problems import MOST_LISTED
from cyvasse.rules.terms import Color, Setup, exchanged
from cyvasse.rules.tools import Brush, fields_of

every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)


@every_rule_set
@pytest.mark.parametrize("color", Color)
def test_pieces_may_change_their_places(rules: cyvasse.RuleSet, color: Color) -> None:
    """Two pieces that change squares are legal there if both squares are places, and only then."""
    for seed in range(5):
        setup = rules.random_setup(color, seed)
        places = {name: set(rules.setups.places(setup, name)) for name in setup.pieces.values()}
        for one, name in setup.pieces.items():
            for other, rival in setup.pieces.items():
                swapped = setup.with_pieces(exchanged(setup.pieces, one, other))
                fits = other in places[name] and one in places[rival]
                assert (rules.check_setup(swapped) == []) is fits, (one, other)


@every_rule_set
def test_no_place_elsewhere(rules: cyvasse.RuleSet) -> None:
    """Whatever stands where it has no place is a problem, however the rest is arranged."""
    chance = random.Random(3)
    for color in Color:
        setup = rules.random_setup(color, chance)
        for name in dict.fromkeys(setup.pieces.values()):
            places = rules.setups.places(setup, name)
            for at in set(rules.home(color)) - set(places):
                origin = next(here for here, each in setup.pieces.items() if each == name)
                assert rules.check_setup(setup.with_pieces(exchanged(setup.pieces, origin, at))), (
                    name,
                    at,
                )


def test_the_king_of_nine_tile_has_one_place() -> None:
    rules = cyvasse.rule_set("nine-tile")
    assert rules.setups.places(rules.named_setups()["sunspear"], "king") == ("h2",)
    assert rules.setups.places(rules.named_setups("black")["sunspear"], "king") == ("e8",)
    empty = Setup(rules.id, Color.WHITE, {})
    assert rules.setups.places(empty, "king") == ("f2", "h2", "j2")


def test_the_pieces_of_croft_have_their_places_around_the_keep() -> None:
    rules = cyvasse.rule_set("croft")
    setup = rules.named_setups()["pyke"]  # the keep on i2, no mountain beside it
    beside = ("h1", "i1", "j1", "h2", "j2", "h3", "i3", "j3")
    assert set(rules.setups.places(setup, "king")) == {
        at for at in beside if at not in setup.fields["mountains"]
    }


def test_what_there_is_not_has_no_place() -> None:
    rules = cyvasse.rule_set("croft")
    with pytest.raises(UnknownPieceError):
        rules.setups.places(rules.random_setup("white", 1), "mountain")


@every_rule_set
def test_no_list_of_squares_is_long(rules: cyvasse.RuleSet) -> None:
    """Neither for an empty board nor for one that is full of the same."""
    home = rules.home(Color.WHITE)
    setups = [Setup(rules.id, Color.WHITE, {})]
    for kind in rules.piece_types:
        setups.append(Setup(rules.id, Color.WHITE, dict.fromkeys(home, kind.name)))
    for ground in rules.terrain_letters:
        laid = dict.fromkeys(rules.board.squares, ground)
        setups.append(Setup(rules.id, Color.WHITE, {}, laid))
    setups += [replace(setup, fields=_marked(rules, home)) for setup in setups]
    for setup in setups:
        for problem in rules.check_setup(setup):
            words = problem.text.replace(",", " ").replace(".", " ").replace(";", " ").split()
            named = [word for word in words if word in rules.board]
            assert len(named) <= MOST_LISTED, problem.text


def _marked(rules: cyvasse.RuleSet, home: tuple[str, ...]) -> dict[str, object]:
    """All marks everywhere, where several may lie."""
    shapes = {field.name: field.shape.default() for field in rules.setup_fields}
    return {name: list(home) for name, default in shapes.items() if default == []}


@every_rule_set
def test_problems_lead_to_things_that_there_are(rules: cyvasse.RuleSet) -> None:
    tools = rules.setups.tools_for(Color.WHITE)
    known = {name for tool in tools for name in fields_of(tool)}
    known |= {tool.ground for tool in tools if isinstance(tool, Brush)} | rules.types.keys()
    problems = rules.check_setup(Setup(rules.id, Color.WHITE, {}))
    assert all(problem.thing in known for problem in problems)


@every_rule_set
def test_characters(rules: cyvasse.RuleSet) -> None:
    """Each of our setups has a sentence, short enough for a small card."""
    characters = rules.characters
    assert characters.keys() == rules.named_setups().keys()
    for sentence in characters.values():
        assert sentence.endswith(".")
        assert len(sentence) <= 80
    assert len(rules.summary) <= 28
