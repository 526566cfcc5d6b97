"""Pictures of positions and setups: complete, well formed, the same every time."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import BLACK, WHITE, CyvasseError, RuleSet, Setup
from cyvasse.draw import board_svg, setup_svg
from cyvasse.draw.drawings import PIECES, motif_of
from cyvasse.draw.geometry import layout
from cyvasse.draw.palette import THEMES
from cyvasse.rules.scenery import scene
from tests.draw.golden import POSITIONS, ROOT, pictures
from tests.strategies import positions, seeds

SVG = "{http://www.w3.org/2000/svg}"
RULES = cyvasse.rule_sets()
every_rule_set = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
SAVED = {path.relative_to(ROOT).as_posix(): picture for path, picture in pictures()}


def uses(svg: str) -> list[tuple[str, float, float]]:
    """What is used and where its middle lies."""
    return [
        (
            use.attrib["href"].removeprefix("#cyvasse-"),
            float(use.attrib["x"]) + float(use.get("width", "0")) / 2,
            float(use.attrib["y"]) + float(use.get("height", "0")) / 2,
        )
        for use in ElementTree.fromstring(svg).iter(f"{SVG}use")
    ]


def drawn(svg: str) -> list[str]:
    return [name for name, _, _ in uses(svg)]


@pytest.mark.parametrize("name", SAVED)
def test_golden_pictures(name: str) -> None:
    # Renewed by ``python -m tests.draw.golden``.
    assert (ROOT / name).read_text(encoding="utf-8") == SAVED[name]


@every_rule_set
@given(data=st.data())
def test_pictures_are_sound(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules, longest=60))
    options: dict[str, Any] = {
        "style": data.draw(st.sampled_from([None, *rules.board.styles])),
        "theme": data.draw(st.sampled_from(["light", "dark"])),
        "bottom": data.draw(st.sampled_from(["white", "black"])),
        "coordinates": data.draw(st.booleans()),
        "size": data.draw(st.sampled_from([None, 200, 900])),
        "last": data.draw(st.sampled_from([None, *position.legal_actions()])),
    }
    svg = board_svg(position, **options)
    assert_sound(svg)
    assert svg == board_svg(position, **options)


def assert_sound(svg: str) -> None:
    """Well formed, self-contained, without scripts, everything used is defined once."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert [child.tag for child in root][:3] == [f"{SVG}title", f"{SVG}desc", f"{SVG}defs"]
    defined = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(defined) == len(set(defined))
    assert {f"cyvasse-{name}" for name in drawn(svg)} <= set(defined)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "title", "desc", "defs", "symbol", "g", "use", "path", "circle", "rect"),
            *("polygon", "text", "clipPath"),
        }
        assert not any(name.startswith("on") for name in element.attrib)
    assert "var(" not in svg
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "", 1)
    for decimals in re.findall(r"\d\.(\d+)", re.sub(r"<defs>.*</defs>", "", svg)):
        assert len(decimals) <= 2


@every_rule_set
def test_every_piece_is_drawn_once(rules: RuleSet) -> None:
    position = cyvasse.parse_position(POSITIONS[rules.id])
    # On open ground nothing else looks like a piece; elsewhere a halo lies below it.
    expected: list[str] = []
    seen = scene(position)
    for square, man in position.pieces().items():
        kind = PIECES[rules.piece_type(man.type).letter]
        expected += [kind] * (1 if motif_of(seen.grounds[square], False) is None else 2)
    for store in seen.stores:
        expected += [PIECES[rules.piece_type(name).letter] for name in store.pieces]
    found = [name for name in drawn(board_svg(position)) if name in PIECES.values()]
    assert sorted(found) == sorted(expected)


def stones(svg: str) -> set[tuple[str, str, int, int]]:
    """Every drawing with the colour it is filled with and where its middle lies."""
    found = set()
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        for use in group.iter(f"{SVG}use"):
            side = float(use.get("width", "0"))
            x, y = (round(float(use.attrib[part]) + side / 2) for part in ("x", "y"))
            found.add((group.get("fill", ""), use.attrib["href"].removeprefix("#cyvasse-"), x, y))
    return found


@every_rule_set
@pytest.mark.parametrize("bottom", [WHITE, BLACK])
def test_pieces_stand_on_their_squares_in_their_colours(
    rules: RuleSet, bottom: cyvasse.Color
) -> None:
    position = cyvasse.parse_position(POSITIONS[rules.id])
    found = stones(board_svg(position, bottom=bottom, theme="dark"))
    lying = layout(rules.board, rules.board.styles[0], bottom)
    for square, man in position.pieces().items():
        color, kind = THEMES["dark"][str(man.color)], PIECES[rules.piece_type(man.type).letter]
        x, y = lying.centres[square]
        near = [(x + dx, y - 1 + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert any((color, kind, round(right), round(down)) in found for right, down in near)


@every_rule_set
def test_every_type_and_ground_has_a_drawing(rules: RuleSet) -> None:
    assert {kind.letter for kind in rules.piece_types} <= set(PIECES)
    for seed in range(5):
        position = rules.random_position(seed)
        names = drawn(board_svg(position))
        for ground in set(position.grounds().values()):
            motif = motif_of(ground, False)
            if motif is not None:
                shown = list(scene(position).grounds.values()).count(ground)
                assert names.count(motif) == shown, ground


@every_rule_set
def test_turning_the_board_turns_everything(rules: RuleSet) -> None:
    position = rules.random_position(4, actions=10)
    for style in rules.board.styles:
        ours, theirs = (
            [
                use
                for use in uses(board_svg(position, style=style, bottom=side))
                if use[0].startswith("cell-")
            ]
            for side in (WHITE, BLACK)
        )
        assert len(ours) == len(rules.board)
        for (_, x, y), (_, left, up) in zip(ours, theirs, strict=True):
            assert math.isclose(x, -left, abs_tol=0.011)
            assert math.isclose(y, -up, abs_tol=0.011)


@every_rule_set
def test_coordinates_can_be_left_out(rules: RuleSet) -> None:
    position = rules.random_position(4)
    root = ElementTree.fromstring(board_svg(position))
    names = [text.text for text in root.iter(f"{SVG}text")]
    rows = {square[1:] for square in rules.board.squares}
    assert rows <= set(names)
    assert {square[0] for square in rules.board.squares} <= set(names)
    bare = ElementTree.fromstring(board_svg(position, coordinates=False))
    assert rows.isdisjoint(text.text for text in bare.iter(f"{SVG}text"))


def test_size_sets_width_and_height() -> None:
    position = cyvasse.rule_set("croft").random_position(1)
    root = ElementTree.fromstring(board_svg(position, size=400))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert root.attrib["width"] == "400"
    assert math.isclose(float(root.attrib["height"]) * width, 400 * height, rel_tol=1e-4)
    assert "width" not in ElementTree.fromstring(board_svg(position)).attrib


def test_small_squares_get_bolder_motifs() -> None:
    position = cyvasse.rule_set("mikelepage").random_position(1)
    assert "forest" in drawn(board_svg(position, size=800))
    small = drawn(board_svg(position, size=250))
    assert "forest" not in small
    assert "forest-small" in small


# --- words ----------------------------------------------------------------------------------------


def words(svg: str) -> tuple[str, str]:
    root = ElementTree.fromstring(svg)
    return root.findtext(f"{SVG}title") or "", root.findtext(f"{SVG}desc") or ""


def test_title_and_description_tell_the_position() -> None:
    title, description = words(SAVED["tests/data/draw/gameofcyvasse.svg"])
    assert title == "The Rules of Cyvasse, Black to act"
    assert "White: Rabble b2; Spearmen e1; Light Horse c6; Elephant a2; " in description
    assert " Forest: d1, e1, f1, g1, " in description
    assert "Black's ruined fortress: c8." in description
    assert "White's fortress: a2." in description
    assert "The Trebuchet on e5 points S." in description
    assert "Waiting: d8." in description


def test_title_tells_the_end() -> None:
    position = cyvasse.parse_position("gameofcyvasse 7k/8/8/8/8/8/8/K6D - w - 0")
    position.play("h1xh8")
    assert words(board_svg(position))[0] == "The Rules of Cyvasse. White wins: king captured"


def test_description_tells_what_is_beside_the_board() -> None:
    _, croft = words(SAVED["tests/data/draw/croft.svg"])
    assert "White in reserve: 2 Rabble, 2 Spearman, " in croft
    assert "Black's keep: h7." in croft
    _, mikelepage = words(SAVED["tests/data/draw/mikelepage.svg"])
    assert "Black lost: 2 Rabble, 1 Light Horse, " in mikelepage
    assert "Black's centre in place of the fortress: a6." in mikelepage


def test_hostile_text_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "</title><script>alert('&')</script>"
    rules = cyvasse.rule_set("croft")
    monkeypatch.setattr(type(rules), "title", hostile)
    for svg in (
        board_svg(rules.random_position(1)),
        setup_svg(rules.random_setup("white", 1)),
    ):
        assert "<script" not in svg
        assert hostile in words(svg)[0]
        assert_sound(svg)


# --- marks ----------------------------------------------------------------------------------------


@every_rule_set
def test_marks_and_arrows_change_the_picture(rules: RuleSet) -> None:
    position = rules.random_position(1)
    one, other = rules.board.squares[:2]
    plain = board_svg(position)
    seen = {plain}
    for kind in ("ring", "selected", "dot", "take", "shot"):
        seen.add(board_svg(position, marks={one: kind}))
    assert board_svg(position, marks=[one]) == board_svg(position, marks={one: "ring"})
    seen.add(board_svg(position, arrows=[(one, other)]))
    seen.add(board_svg(position, arrows=[(other, one)]))
    assert len(seen) == 8
    for svg in seen:
        assert_sound(svg)


@every_rule_set
def test_every_kind_of_action_can_be_the_last(rules: RuleSet) -> None:
    kinds: dict[str, cyvasse.Action] = {}
    position = rules.random_position(1)
    for seed in range(40):
        for action in rules.random_position(seed, actions=3 * seed).legal_actions():
            kinds.setdefault(action.kind, action)
    plain = board_svg(position)
    assert len(kinds) > 2
    for kind, action in kinds.items():
        svg = board_svg(position, last=action)
        assert_sound(svg)
        assert (svg == plain) is (kind in ("end", "pass")), kind
        assert svg == board_svg(position, last=str(action))


BAD_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"style": "cubes"}, "the croft board is drawn in squares, not in 'cubes'"),
    ({"style": "hexagons"}, "the croft board is drawn in squares, not in 'hexagons'"),
    ({"theme": "sepia"}, "no theme 'sepia'; there are light and dark"),
    ({"theme": None}, "no theme None"),
    ({"bottom": "red"}, "a player is 'white' or 'black', not 'red'"),
    ({"marks": ["z99"]}, "no square 'z99'"),
    ({"marks": "a1"}, "marks are squares"),
    ({"marks": {"a1": "star"}}, "no mark 'star' for a1"),
    ({"marks": [["a1"]]}, "no square ['a1']"),
    ({"marks": {"a1": ["ring"]}}, "no mark ['ring'] for a1"),
    ({"marks": 7}, "marks are squares"),
    ({"arrows": 7}, "arrows are pairs of squares"),
    ({"arrows": "a1a2"}, "arrows are pairs of squares"),
    ({"arrows": [("a1", "<b>")]}, "no square '<b>'"),
    ({"arrows": [("a1", "a1")]}, "an arrow leads to another square"),
    ({"arrows": ["a1"]}, "'a1' is none"),
    ({"last": "nonsense"}, "is not an action"),
    ({"last": cyvasse.Action.parse("e4-f5", cyvasse.rule_set("nine-tile").board)}, "nine-tile"),
    ({"size": 0}, "size is 0, not a whole number of pixels"),
    ({"size": 1.5}, "size is 1.5"),
    ({"size": 10**9}, "size is 1000000000"),
]


@pytest.mark.parametrize(("options", "wanted"), BAD_CALLS)
def test_bad_input_is_refused_in_words(options: dict[str, Any], wanted: str) -> None:
    position = cyvasse.rule_set("croft").random_position(1)
    with pytest.raises(CyvasseError) as caught:
        board_svg(position, **options)
    assert wanted in str(caught.value)


def test_only_positions_and_setups_are_drawn() -> None:
    with pytest.raises(CyvasseError, match="only a position can be drawn"):
        board_svg("croft")  # type: ignore[arg-type]
    with pytest.raises(CyvasseError, match="only a setup can be drawn"):
        setup_svg("croft")  # type: ignore[arg-type]
    with pytest.raises(CyvasseError, match="no rule set 'chess'"):
        setup_svg(Setup("chess", WHITE, {}))
    with pytest.raises(CyvasseError, match="no piece 'queen'"):
        setup_svg(Setup("croft", WHITE, {"a1": "queen"}))


# --- setups ---------------------------------------------------------------------------------------


@every_rule_set
@given(data=st.data())
def test_setups_are_drawn(rules: RuleSet, data: st.DataObject) -> None:
    color = data.draw(st.sampled_from([WHITE, BLACK]))
    setup = rules.random_setup(color, data.draw(seeds))
    svg = setup_svg(setup)
    assert_sound(svg)
    assert words(svg)[0] == f"{rules.title}, {color.title}'s setup"
    assert f"{color.other.title}: " not in words(svg)[1]
    assert f"{color.other.title} in reserve" not in words(svg)[1]


@every_rule_set
@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_a_setup_need_not_be_complete(rules: RuleSet, color: cyvasse.Color) -> None:
    assert_sound(setup_svg(Setup(rules.id, color, {})))
    home = rules.home(color)
    assert_sound(setup_svg(Setup(rules.id, color, dict.fromkeys(home, "king")), marks=home[:2]))


@every_rule_set
def test_the_curtain_covers_the_other_half(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    root = ElementTree.fromstring(setup_svg(setup))
    ((cloth,),) = [list(clip) for clip in root.iter(f"{SVG}clipPath")]
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", cloth.attrib["d"])]
    height = max(numbers[1::2]) - min(numbers[1::2])
    rows = {rules.board.row(square) for square in rules.home(BLACK)}
    step = 64 * math.sqrt(3) / 2 if rules.board.styles[0] == "hexagons" else 64
    corner = 64 / math.sqrt(3) * 2 if rules.board.styles[0] == "hexagons" else 64
    assert math.isclose(height, (len(rows) - 1) * step + corner, abs_tol=0.1)
    assert cloth.attrib["d"].count("Z") == 1
