"""What rule sets tell editors agrees with what they say about setups."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

import cyvasse
from cyvasse import Color, RuleSet, Setup
from cyvasse.rules.scenery import FEATURES, setup_scene
from cyvasse.rules.terms import Flag, Record, Square, Squares, Word
from cyvasse.rules.tools import Brush, Marks, Reserve, Slots, setup_tools, tool_document
from tests.strategies import IDS, seeds

pytestmark = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def all_tools(rules: RuleSet, kind: type[Any]) -> list[Any]:
    return [each for each in setup_tools(rules, Color.WHITE) if isinstance(each, kind)]


def test_every_field_has_its_tool(rules: RuleSet) -> None:
    shapes = {field.name: field.shape for field in rules.setup_fields}
    fields = []
    for tool in setup_tools(rules, Color.WHITE):
        match tool:
            case Marks():
                assert isinstance(shapes[tool.field], Square if tool.single else Squares)
                assert tool.drawing in FEATURES
                fields.append(tool.field)
            case Reserve():
                assert isinstance(shapes[tool.field], Flag)
                assert rules.piece_type(tool.piece).count == 1
                fields.append(tool.field)
            case Slots():
                choice, laid = shapes[tool.choice], shapes[tool.field]
                assert isinstance(choice, Word)
                assert choice.choices == tuple(tool.layouts)
                assert isinstance(laid, Record)
                slots = {slot for layout in tool.layouts.values() for slot in layout.slots}
                assert slots == set(laid.parts)
                tiles = {tile + turned for tile in tool.tiles for turned in ("", tool.turned)}
                assert all(set(part.choices) == tiles for part in laid.parts.values())  # type: ignore[attr-defined]
                fields += [tool.choice, tool.field]
    assert sorted(fields) == sorted(shapes)


def test_brushes_cover_the_half(rules: RuleSet) -> None:
    """Grounds that are laid are laid everywhere, and those that follow have no brush."""
    brushes: list[Brush] = all_tools(rules, Brush)
    if brushes:
        assert sum(brush.count for brush in brushes) == len(rules.home(Color.WHITE))
        known = {*rules.terrain_letters, rules.ground(rules.home(Color.WHITE)[0])}
        assert {brush.ground for brush in brushes} == known
    else:
        assert not any(setup.terrain for setup in rules.named_setups().values())


@given(seed=seeds)
def test_legal_setups_use_up_the_tools(rules: RuleSet, seed: int) -> None:
    for color in Color:
        setup = rules.random_setup(color, seed)
        for tool in setup_tools(rules, color):
            match tool:
                case Marks(single=False):
                    assert len(setup.fields[tool.field]) == tool.count
                case Marks():
                    assert setup.fields[tool.field] is not None
                case Brush():
                    laid = [setup.terrain.get(at, rules.ground(at)) for at in rules.home(color)]
                    assert laid.count(tool.ground) == tool.count
                case Reserve():
                    assert setup.fields[tool.field] is (tool.piece not in setup.pieces.values())
                case Slots():
                    layout = tool.layouts[setup.fields[tool.choice]]
                    assert setup.pieces[layout.circle] == tool.piece
                    assert grounds_of(tool, setup) == {
                        at: ground
                        for at, ground in setup_scene(rules, setup).grounds.items()
                        if ground != rules.ground(at)
                    }


def grounds_of(tool: Slots, setup: Setup) -> dict[str, str]:
    """What an editor would draw from the tiles alone."""
    grounds: dict[str, str] = {}
    layout = tool.layouts[setup.fields[tool.choice]]
    covered = list(layout.rest)
    for name, slot in layout.slots.items():
        tile = setup.fields[tool.field][name]
        face = tool.tiles[tile.removesuffix(tool.turned)][slot.face]
        face = face[::-1] if tile.endswith(tool.turned) else face
        grounds |= {at: ground for at, ground in zip(slot.squares, face, strict=True) if ground}
        covered += slot.squares
    rules = cyvasse.rule_set(setup.rule_set)
    assert sorted(covered) == sorted(rules.home(setup.color))
    return dict(sorted(grounds.items()))


def test_tools_are_plain_data(rules: RuleSet) -> None:
    for color in Color:
        for tool in setup_tools(rules, color):
            document = tool_document(tool)
            assert document["kind"] == tool.kind
            assert set(document) == {"kind", *vars(tool)}
            json.dumps(document)
