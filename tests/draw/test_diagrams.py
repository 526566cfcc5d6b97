"""The pictures of the rules pages: drawn anew, all used, and true."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import cyvasse
from cyvasse import Color, CyvasseError, RuleSet
from cyvasse.explain import explain
from cyvasse.rules.nine_tile.reasons import Battlefield
from cyvasse.rules.nine_tile.tiles import FACES, SLOTS, SLOTS_BESIDE, TRIANGLES
from tests.draw.diagrams import IMAGES, RULES, SIZES, Diagram, diagrams, pictures
from tests.draw.test_picture import assert_sound

DRAWN = dict(pictures())
DIAGRAMS = diagrams()
POSITIONS = [diagram for diagram in DIAGRAMS if diagram.setup is None]
every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
FIGURE = re.compile(r"^!\[([^\]]*)\]\((\S+)\)\n\n(.*?)\n\n", re.MULTILINE | re.DOTALL)


def of_each(diagrams: list[Diagram]) -> pytest.MarkDecorator:
    names = [diagram.path.stem for diagram in diagrams]
    return pytest.mark.parametrize("diagram", diagrams, ids=names)


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.name)
def test_the_picture_is_what_its_diagram_draws(path: Path) -> None:
    # Renewed by ``make goldens``.
    assert path.read_text(encoding="utf-8") == DRAWN[path]


def test_there_are_no_other_files() -> None:
    assert set(IMAGES.iterdir()) == set(DRAWN)


@pytest.mark.parametrize("path", [path for path in DRAWN if path != SIZES], ids=lambda p: p.name)
def test_the_picture_is_sound_and_small(path: Path) -> None:
    svg = DRAWN[path]
    assert_sound(svg)
    assert len(svg) < 36_000
    assert "light-dark(" in svg


@every_rule_set
def test_every_picture_is_shown_once_with_words_and_a_caption(rules: RuleSet) -> None:
    page = (RULES / f"{rules.id}.md").read_text(encoding="utf-8")
    figures = FIGURE.findall(page)
    own = [f"images/{each.path.name}" for each in DIAGRAMS if each.rules is rules]
    assert sorted(path for _, path, _ in figures) == sorted(own)
    assert page.count("![") == len(figures) >= 8
    for words, path, caption in figures:
        assert len(words) > 60, path
        assert words.endswith("."), path
        assert re.fullmatch(r"\*[^*]+\.\*", caption), path
        assert words != caption.strip("*")


@every_rule_set
def test_the_opening_goes_on_turn_by_turn(rules: RuleSet) -> None:
    """Four pictures of one game between two presets, each a whole turn after the other."""
    shown = [each for each in DIAGRAMS if each.rules is rules and each.name.startswith("opening-")]
    assert [each.name for each in shown] == [f"opening-{number}" for number in range(1, 5)]
    assert len({each.start for each in shown}) == 1
    assert shown[0].start is not None
    before: tuple[str, ...] = ()
    for number, diagram in enumerate(shown, 1):
        assert diagram.play[: len(before)] == before
        position = replace(diagram, play=before).position()
        for action in diagram.play[len(before) :]:
            assert position.turn is list(Color)[(number - 1) % 2]
            position.play(action)
        assert not position.in_turn
        before = diagram.play


@every_rule_set
def test_no_page_draws_with_letters(rules: RuleSet) -> None:
    assert "```" not in (RULES / f"{rules.id}.md").read_text(encoding="utf-8")


@of_each(POSITIONS)
def test_what_a_diagram_claims_is_true(diagram: Diagram) -> None:
    position = diagram.position()
    for text in diagram.legal:
        assert position.is_legal(text), text
    for text, words in diagram.illegal.items():
        with pytest.raises(CyvasseError) as caught:
            position.play(text)
        assert words
        assert words in str(caught.value)
    for square, words in diagram.refused.items():
        reasons = explain(position, diagram.select, square)
        assert not any(reason.legal for reason in reasons), square
        assert words
        assert words in reasons[0].sentence
    for text, effect in diagram.brings.items():
        after = diagram.position()
        after.play(text)
        assert effect in [each.kind for each in after.effects()]


@of_each(POSITIONS)
def test_marks_that_are_typed_are_true(diagram: Diagram) -> None:
    struck = {at for action in diagram.position().legal_actions() for at in action.struck}
    assert set(diagram.marks.get("take", "").split()) <= struck
    assert struck.isdisjoint(diagram.marks.get("refused", "").split())
    assert set(diagram.marks) <= {"take", "refused", "ring", "selected"}
    for pair in diagram.arrows:
        assert diagram.position().is_legal(pair.replace(" ", "-")), pair


@of_each([diagram for diagram in POSITIONS if diagram.lines])
def test_lines_lead_from_those_who_reach(diagram: Diagram) -> None:
    position = diagram.position()
    lines = [pair.split() for pair in diagram.lines]
    tallies = position.tallies()
    if "engagement" in tallies:
        field = Battlefield(position)
        for origin, target in lines:
            assert field.engages(origin, target), (origin, target)
        for square in diagram.on.split():
            assert sum(target == square for _, target in lines) == tallies["engagement"][square]
    else:
        (victim,) = {target for _, target in lines}
        assert [diagram.select, victim] in tallies["flanking"]
        # Whoever reaches a piece could take it if it were only a Rabble.
        state = position.state()
        pieces = {**state.pieces, victim: state.pieces[victim]._replace(type="rabble")}
        weaker = diagram.rules.position(replace(state, pieces=pieces))
        for origin, _ in lines:
            assert weaker.is_legal(f"{origin}x{victim}"), origin


def test_ranks_are_those_of_the_rules() -> None:
    (diagram,) = [each for each in DIAGRAMS if each.path.stem == "gameofcyvasse-ranks"]
    order = [kind.name for kind in diagram.rules.piece_types]
    pieces = diagram.position().pieces()
    for square, rank in diagram.numbers.items():
        assert order.index(pieces[square].type) + 1 == int(rank)


@of_each([each for each in DIAGRAMS if each.setup is not None and each.whole_setup().pieces])
def test_armies_are_set_up_by_the_rules(diagram: Diagram) -> None:
    assert diagram.rules.check_setup(diagram.whole_setup()) == []


def test_slots_are_named_as_the_tiles_lie() -> None:
    found = [each for each in DIAGRAMS if each.name.startswith("slots-")]
    assert len(found) == len(TRIANGLES)
    for diagram in found:
        triangle = diagram.name.removeprefix("slots-")
        assert diagram.areas == (" ".join(TRIANGLES[triangle]),)
        named = {name: tuple(squares.split()) for squares, name in diagram.words.items()}
        assert named == {slot: SLOTS[slot] for slot in SLOTS_BESIDE[triangle]}
    for diagram in (each for each in DIAGRAMS if each.name.startswith("tiles-")):
        tiles = diagram.whole_setup().fields["tiles"]
        numbered = {tuple(squares.split()): number for squares, number in diagram.words.items()}
        assert numbered == {SLOTS[slot]: tile for slot, tile in tiles.items() if tile}
        assert set(numbered.values()) == set(FACES)
