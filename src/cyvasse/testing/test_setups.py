"""What every Setups promises: checking, drawing, varying, naming and turning setups; its tools."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.errors import CyvasseError, SetupError
from cyvasse.game import Game
from cyvasse.notation import read_setup, setup_document
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import FEATURES
from cyvasse.rules.terms import Color, Flag, Problem, Record, Setup, Square, Squares, Word
from cyvasse.rules.tools import Brush, Marks, Reserve, Slots, fields_of, tool_document
from cyvasse.testing import every_rule_set
from cyvasse.testing.strategies import seeds
from cyvasse.testing.words import broken, changes, portrait, short

pytestmark = every_rule_set
KING = "K"  # the letter that a King has in all rule sets


def listed(problems: list[Problem]) -> str:
    return " ".join(problem.text for problem in problems)


# --- drawn, varied, named -------------------------------------------------------------------------


@given(seeds, st.sampled_from(Color))
def test_random_setups_are_legal_and_turn(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    assert setup.color is color, broken(rules, "A setup has the wrong owner.", "Setups.drawn")
    problems = rules.check_setup(setup)
    assert not problems, broken(
        rules, f"A setup drawn is illegal: {listed(problems)}", "Setups.drawn", "Setups.problems"
    )
    assert setup == rules.random_setup(color, seed), broken(
        rules, "The same seed gives two setups: chance is not the only chance.", "Setups.drawn"
    )
    other = rules.turned_setup(setup)
    problems = rules.check_setup(other)
    assert not problems, broken(
        rules,
        f"A setup is legal for {color} but not for {color.other}: {listed(problems)}",
        "Setups.problems",
    )
    assert rules.turned_setup(other) == setup, broken(
        rules, "A setup turned twice is another one.", "RuleSet.setup_fields"
    )
    document = json.loads(json.dumps(setup_document(rules, setup)))
    assert read_setup(rules, document) == setup


@given(seeds, st.sampled_from(Color))
def test_varied_setups_differ_a_little(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    before = json.dumps(setup_document(rules, setup))
    varied = rules.varied_setup(setup, seed)
    assert varied.color is color
    assert rules.check_setup(varied) == []
    assert varied != setup
    assert varied == rules.canonical_setup(varied)
    assert varied == rules.varied_setup(setup, seed), broken(
        rules, "The same seed varies a setup in two ways.", "Setups.changed"
    )
    assert json.dumps(setup_document(rules, setup)) == before, broken(
        rules, "Varying a setup changes the setup itself.", "Setups.changed"
    )


def test_setups_vary_in_every_part(rules: RuleSet) -> None:
    chance = random.Random(1)
    setup = rules.random_setup("white", chance)
    seen: dict[str, set[str]] = {}
    for _ in range(300):
        setup = rules.varied_setup(setup, chance)
        for name, value in setup_document(rules, setup).items():
            seen.setdefault(name, set()).add(json.dumps(value))
    fixed = {"rule_set", "color"} | (set() if setup.terrain else {"terrain"})
    stiff = {name for name, values in seen.items() if len(values) == 1} - fixed
    assert not stiff, broken(
        rules, f"300 small changes never touch {', '.join(sorted(stiff))}.", "Setups.changed"
    )


def test_an_illegal_setup_is_not_varied(rules: RuleSet) -> None:
    with pytest.raises(SetupError):
        rules.varied_setup(Setup(rules.id, Color.WHITE, {}), 1)


def test_named_setups(rules: RuleSet) -> None:
    for color in Color:
        setups = rules.named_setups(color)
        assert setups, broken(rules, "There is no named setup at all.", "Setups.white")
        for name, setup in setups.items():
            problems = rules.check_setup(setup)
            assert not problems, broken(
                rules, f"The setup {name} is illegal: {listed(problems)}", "Setups.white"
            )
            assert name == name.lower(), broken(
                rules, f"The name {name} is not in lower case.", "Setups.white"
            )


def test_characters_are_of_named_setups(rules: RuleSet) -> None:
    characters = rules.characters
    strange = characters.keys() - rules.named_setups().keys()
    assert not strange, broken(
        rules, f"There is no setup called {', '.join(sorted(strange))}.", "RuleSet.characters"
    )
    for name, sentence in characters.items():
        assert sentence.strip(), broken(rules, f"{name} has an empty one.", "RuleSet.characters")


def test_no_named_setup_loses_at_once(rules: RuleSet) -> None:
    chance = random.Random(11)
    first = rules.first_player or Color.BLACK
    kings = {kind.name for kind in rules.piece_types if kind.letter == KING}
    for name, setup in rules.named_setups(first.other).items():
        rivals = list(rules.named_setups(first).values())
        rivals += [rules.random_setup(first, chance) for _ in range(40)]
        for rival in rivals:
            white, black = (rival, setup) if first is Color.WHITE else (setup, rival)
            position = rules.start(white, black, first)
            for action in position.legal_actions():
                position.play(action)
                assert position.outcome() is None, broken(
                    rules, f"{name} loses at once by {action}.", "Setups.white"
                )
                struck = setup.pieces.get(action.victim) if action.victim else None
                assert struck not in kings, broken(
                    rules, f"{name} loses its King at once by {action}.", "Setups.white"
                )
                position.undo()


# --- checked --------------------------------------------------------------------------------------


def test_empty_setup_has_problems(rules: RuleSet) -> None:
    problems = rules.check_setup(Setup(rules.id, Color.WHITE, {}))
    assert problems, broken(rules, "An empty setup is legal.", "Setups.problems")
    assert all(problem.text for problem in problems), broken(
        rules, "A problem has no words.", "Setups.problems"
    )


def test_setup_for_the_wrong_player_is_refused(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    game = Game(rules)
    with pytest.raises(SetupError) as caught:
        game.submit("black", setup)
    assert "white" in str(caught.value)
    assert caught.value.problems
    assert not game.is_ready("black")


def test_setup_on_the_wrong_half_names_the_squares(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    squares = {rules.board.turned(at): name for at, name in setup.pieces.items()}
    problems = rules.check_setup(setup.with_pieces(squares))
    named = {square for problem in problems for square in problem.squares}
    assert set(squares) <= named, broken(
        rules,
        f"Pieces on the opponent's half, on {sorted(set(squares) - named)}, are no problem.",
        "Setups.problems",
    )


@given(seeds, st.sampled_from(Color), st.data())
def test_too_many_pieces_are_a_problem(
    rules: RuleSet, seed: int, color: Color, data: st.DataObject
) -> None:
    setup = rules.random_setup(color, seed)
    kind = data.draw(st.sampled_from(rules.piece_types))
    squares = sorted(rules.home(color))
    free = data.draw(st.permutations(squares))[: kind.count + 1]
    crowded = setup.with_pieces({**setup.pieces, **dict.fromkeys(free, kind.name)})
    assert rules.check_setup(crowded), broken(
        rules,
        f"A setup with more than {kind.count} {kind.title} is legal: {short(crowded.pieces)}.",
        "Setups.problems",
    )


@given(seeds, st.sampled_from(Color))
def test_whatever_stands_in_a_legal_setup_has_its_place(
    rules: RuleSet, seed: int, color: Color
) -> None:
    """An editor marks the places of what is in hand: none that is right may be missing."""
    setup = rules.random_setup(color, seed)
    standing: dict[str, set[str]] = {}
    for at, name in setup.pieces.items():
        standing.setdefault(name, set()).add(at)
    for tool in rules.setups.tools_for(color):
        if isinstance(tool, Marks):
            laid = setup.fields[tool.field]
            standing[tool.field] = {laid} if tool.single else set(laid)
    for thing, squares in standing.items():
        missing = squares - set(rules.setups.places(setup, thing))
        assert not missing, broken(
            rules,
            f"{thing} stands on {sorted(missing)}, which are no places for it: {short(setup)}.",
            "Setups.problems",
            "Setups.places",
        )


@given(seeds, st.sampled_from(Color))
def test_marks_lie_where_no_piece_stands(rules: RuleSet, seed: int, color: Color) -> None:
    """In place of pieces, on the own half, and all of them: else a setup is not legal."""
    setup = rules.random_setup(color, seed)
    beyond = rules.home(color.other)[0]
    taken = min(setup.pieces)
    for tool in rules.setups.tools_for(color):
        if not isinstance(tool, Marks):
            continue
        laid = setup.fields[tool.field]
        wrongs: dict[str, Any] = (
            {"missing": None, "on a piece": taken, "beyond the own half": beyond}
            if tool.single
            else {
                "missing": [],
                "on a piece": [*laid[1:], taken],
                "beyond the own half": [*laid[1:], beyond],
            }
        )
        for where, value in wrongs.items():
            wrong = replace(setup, fields={**setup.fields, tool.field: value})
            assert rules.check_setup(wrong), broken(
                rules,
                f"A setup is legal whose {tool.title} is {where} ({tool.field}: {value}; "
                f"pieces: {short(setup.pieces)}).",
                "Setups.problems",
            )


@given(seeds, st.sampled_from(Color), st.data())
def test_whatever_is_legal_can_begin(
    rules: RuleSet, seed: int, color: Color, data: st.DataObject
) -> None:
    """Setups that somebody is still arranging: every one has its answer, and none breaks."""
    chance = random.Random(seed)
    setup = rules.random_setup(color, chance)
    other = rules.random_setup(color.other, chance)
    pieces = dict(setup.pieces)
    names = [kind.name for kind in rules.piece_types]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(rules.home(color)))
        name = data.draw(st.sampled_from([None, *names]))
        pieces.pop(at, None)
        if name is not None:
            pieces[at] = name
    left_out = (
        data.draw(st.sets(st.sampled_from([field.name for field in rules.setup_fields])))
        if rules.setup_fields
        else set()
    )
    fields = {name: value for name, value in setup.fields.items() if name not in left_out}
    changed = replace(setup, pieces=pieces, fields=fields)
    text = short(setup_document(rules, rules.canonical_setup(changed)))
    try:
        problems = rules.check_setup(changed)
        rules.scene.of_setup(changed)
    except Exception as error:
        raise AssertionError(
            broken(
                rules,
                f"{type(error).__name__} ({error}) about an unfinished setup: {text}.",
                "Setups.problems",
                "Setups.start_state",
                "Scene.features",
            )
        ) from error
    if problems:
        return
    white, black = (changed, other) if color is Color.WHITE else (other, changed)
    try:
        rules.start(white, black, color)
    except CyvasseError as error:
        raise AssertionError(
            broken(
                rules,
                f"No problem is found, but no game can begin ({error}): {text}.",
                "Setups.problems",
                "Setups.start_state",
            )
        ) from error


@given(seeds)
def test_screens_are_lifted_without_checking_twice(rules: RuleSet, seed: int) -> None:
    """What two legal setups give is in canonical form as it is."""
    chance = random.Random(seed)
    white, black = (rules.random_setup(color, chance) for color in Color)
    first = chance.choice(list(Color))
    lifted = rules.setups.lifted(white, black, first)
    checked = rules.position(rules.setups.start_state(white, black, first))
    changed = changes(portrait(checked), portrait(lifted))
    assert not changed, broken(
        rules,
        f"Two setups give two positions, checked and unchecked: {changed}.",
        "Setups.start_state",
        "Setups.lifted",
    )
    assert repr(lifted.state()) == repr(checked.state())
    standing = {at: piece.type for at, piece in lifted.pieces().items()}
    assert standing == {**white.pieces, **black.pieces}, broken(
        rules, "Not all pieces of the setups stand on the board.", "Setups.start_state"
    )


# --- tools ----------------------------------------------------------------------------------------


def test_every_field_has_its_tool(rules: RuleSet) -> None:
    shapes = {field.name: field.shape for field in rules.setup_fields}
    tools = rules.setups.tools_for(Color.WHITE)
    fields = [name for tool in tools for name in fields_of(tool)]
    for tool in tools:
        match tool:
            case Marks():
                wanted = Square if tool.single else Squares
                assert isinstance(shapes[tool.field], wanted), broken(
                    rules, f"{tool.field} has not the shape {wanted.__name__}.", "Setups.tools"
                )
                assert tool.drawing in FEATURES, broken(
                    rules, f"Nothing is drawn like {tool.drawing!r}.", "Setups.tools"
                )
            case Reserve():
                assert isinstance(shapes[tool.field], Flag)
                assert rules.piece_type(tool.piece).count == 1
            case Slots():
                choice, laid = shapes[tool.choice], shapes[tool.field]
                assert isinstance(choice, Word)
                assert choice.choices == tuple(tool.layouts)
                assert isinstance(laid, Record)
                slots = {slot for layout in tool.layouts.values() for slot in layout.slots}
                assert slots == set(laid.parts)
                tiles = {tile + turned for tile in tool.tiles for turned in ("", tool.turned)}
                assert all(set(part.choices) == tiles for part in laid.parts.values())  # type: ignore[attr-defined]
    assert sorted(fields) == sorted(shapes), broken(
        rules,
        f"The setup has the fields {sorted(shapes)}, and there are tools for {sorted(fields)}.",
        "Setups.tools",
        "RuleSet.setup_fields",
    )


def test_brushes_cover_the_half(rules: RuleSet) -> None:
    """Grounds that are laid are laid everywhere, and those that follow have no brush."""
    brushes = [tool for tool in rules.setups.tools_for(Color.WHITE) if isinstance(tool, Brush)]
    if brushes:
        assert sum(brush.count for brush in brushes) == len(rules.home(Color.WHITE)), broken(
            rules, "The brushes do not cover the half.", "Setups.tools"
        )
        known = {*rules.terrain_letters, rules.ground(rules.home(Color.WHITE)[0])}
        assert {brush.ground for brush in brushes} == known, broken(
            rules, f"There are brushes for other grounds than {sorted(known)}.", "Setups.tools"
        )
    else:
        assert not any(setup.terrain for setup in rules.named_setups().values()), broken(
            rules, "Setups have terrain, but there is no brush for it.", "Setups.tools"
        )


@given(seed=seeds)
def test_legal_setups_use_up_the_tools(rules: RuleSet, seed: int) -> None:
    for color in Color:
        setup = rules.random_setup(color, seed)
        for tool in rules.setups.tools_for(color):
            said = broken(
                rules,
                f"A legal setup has not what its tool {tool} says: {short(setup)}.",
                "Setups.tools",
                "Setups.problems",
            )
            match tool:
                case Marks(single=False):
                    assert len(setup.fields[tool.field]) == tool.count, said
                case Marks():
                    assert setup.fields[tool.field] is not None, said
                case Brush():
                    laid = [setup.terrain.get(at, rules.ground(at)) for at in rules.home(color)]
                    assert laid.count(tool.ground) == tool.count, said
                case Reserve():
                    waits = tool.piece not in setup.pieces.values()
                    assert setup.fields[tool.field] is waits, said
                case Slots():
                    layout = tool.layouts[setup.fields[tool.choice]]
                    assert setup.pieces[layout.circle] == tool.piece, said
                    assert _grounds_of(rules, tool, setup) == {
                        at: ground
                        for at, ground in rules.scene.of_setup(setup).grounds.items()
                        if ground != rules.ground(at)
                    }, said


def _grounds_of(rules: RuleSet, tool: Slots, setup: Setup) -> dict[str, str]:
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
    assert sorted(covered) == sorted(rules.home(setup.color)), broken(
        rules, "The slots do not cover the half.", "Setups.tools"
    )
    return dict(sorted(grounds.items()))


def test_tools_are_plain_data(rules: RuleSet) -> None:
    for color in Color:
        for tool in rules.setups.tools_for(color):
            document = tool_document(tool)
            assert document["kind"] == tool.kind
            assert set(document) == {"kind", *vars(tool)}
            json.dumps(document)
