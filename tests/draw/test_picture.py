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
from cyvasse import BLACK, WHITE, Color, CyvasseError, RuleSet, Setup
from cyvasse.draw import board_svg, setup_svg
from cyvasse.draw.drawings import PIECES, motif_of
from cyvasse.draw.geometry import layout
from cyvasse.draw.marks import MARKS
from cyvasse.draw.palette import THEMES
from tests.draw.golden import POSITIONS, pictures
from tests.goldens import ROOT
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


def cells(svg: str) -> list[tuple[float, float]]:
    """Where the outline of each square begins, ground by ground."""
    found = []
    for path in ElementTree.fromstring(svg).iter(f"{SVG}path"):
        d = path.attrib["d"]
        if d.endswith("z"):
            found += [(float(x), float(y)) for x, y in re.findall(r"M(\S+) ([-\d.]+)", d)]
    return found


@pytest.mark.parametrize("name", SAVED)
def test_golden_pictures(name: str) -> None:
    # Renewed by ``make goldens``.
    assert (ROOT / name).read_text(encoding="utf-8") == SAVED[name]


@every_rule_set
@given(data=st.data())
def test_pictures_are_sound(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules, 60))
    options: dict[str, Any] = {
        "style": data.draw(st.sampled_from([None, *rules.board.styles])),
        "theme": data.draw(st.sampled_from(["light", "dark", "both"])),
        "bottom": data.draw(st.sampled_from(["white", "black"])),
        "coordinates": data.draw(st.booleans()),
        "size": data.draw(st.sampled_from([None, 200, 900])),
        "crop": data.draw(st.none() | st.lists(st.sampled_from(rules.board.squares), min_size=1)),
        "last": data.draw(st.sampled_from([None, *position.legal_actions()])),
    }
    svg = board_svg(position, **options)
    assert_sound(svg)
    assert svg == board_svg(position, **options)


def assert_sound(svg: str) -> None:
    """Well formed, self-contained, without scripts, everything used is defined once."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    defined = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(defined) == len(set(defined))
    assert {f"cyvasse-{name}" for name in drawn(svg)} <= set(defined)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "title", "desc", "defs", "symbol", "g", "use", "path", "circle", "rect"),
            *("polygon", "text", "clipPath", "style", "view"),
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
    seen = position.scene()
    for square, man in position.pieces().items():
        kind = PIECES[rules.piece_type(man.type).letter]
        expected += [kind] * (1 if motif_of(seen.look(square), False) is None else 2)
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
def test_pieces_stand_on_their_squares_in_their_colours(rules: RuleSet, bottom: Color) -> None:
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
            motif = motif_of(rules.scene.look(ground), False)
            if motif is not None:
                shown = list(position.scene().grounds.values()).count(ground)
                assert names.count(motif) == shown, ground


@every_rule_set
def test_turning_the_board_turns_everything(rules: RuleSet) -> None:
    position = rules.random_position(4, actions=10)
    for style in rules.board.styles:
        ours, theirs = (cells(board_svg(position, style=style, bottom=side)) for side in Color)
        assert len(ours) == len(rules.board)
        # Every square begins with the same corner, which is not turned.
        first_x, first_y = layout(rules.board, style, WHITE).corners[0]
        for (x, y), (left, up) in zip(ours, theirs, strict=True):
            assert math.isclose(x - first_x, first_x - left, abs_tol=0.021)
            assert math.isclose(y - first_y, first_y - up, abs_tol=0.021)


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
    assert int(root.attrib["height"]) == round(400 * height / width)
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
    assert "White in reserve: 2 Rabble, 2 Spearmen, " in croft
    assert "Black's keep: h7." in croft
    _, mikelepage = words(SAVED["tests/data/draw/mikelepage.svg"])
    assert "Black lost: 2 Rabble, 1 Light Horse, " in mikelepage
    assert "Black's centre in place of the fortress: a6." in mikelepage


def test_hostile_text_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "</title><script>alert('&')</script>"
    rules = cyvasse.rule_set("croft")
    monkeypatch.setitem(vars(rules), "title", hostile)
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
    for kind in (*MARKS, "dot take"):
        seen.add(board_svg(position, marks={one: kind}))
    assert board_svg(position, marks=[one]) == board_svg(position, marks={one: "ring"})
    seen.add(board_svg(position, arrows=[(one, other)]))
    seen.add(board_svg(position, arrows=[(other, one)]))
    seen.add(board_svg(position, lines=[(one, other)]))
    seen.add(board_svg(position, areas=[[one, other]]))
    seen.add(board_svg(position, numbers={one: "2"}))
    seen.add(board_svg(position, words={one: "<2>"}))
    seen.add(board_svg(position, words={f"{one} {other}": "<2>"}))
    assert len(seen) == len(MARKS) + 9
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


# --- a part of the board --------------------------------------------------------------------------


def test_a_crop_shows_the_squares_between_and_no_others() -> None:
    position = cyvasse.parse_position("croft k9/10/10/10/3r6/2R7/10/10/10/9K - w - 0")
    svg = board_svg(position, crop=["b4", "e6"], size=400)
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert (width, height) == (4 * 64 + 68, 3 * 64 + 68)
    assert [text.text for text in root.iter(f"{SVG}text")] == ["4", "5", "6", "b", "c", "d", "e"]
    # The ring of squares around them shines through the frame.
    inside, beyond = 4 * 3, 6 * 5 - 4 * 3
    assert len(cells(svg)) == inside + beyond
    assert words(svg)[1] == (
        "White: Rabble c5. Black: Rabble d6. Forest: c4, e4, b5, d5, c6 and e6. Water: d4."
    )
    assert "king" not in drawn(svg)


@every_rule_set
def test_a_crop_of_everything_is_the_whole_board(rules: RuleSet) -> None:
    position = rules.random_position(4, actions=10)
    for style in rules.board.styles:
        whole = board_svg(position, style=style)
        assert board_svg(position, style=style, crop=rules.board.squares) == whole


@every_rule_set
def test_what_lies_outside_is_not_drawn(rules: RuleSet) -> None:
    position = rules.random_position(4, actions=10)
    for square in rules.board.squares[::9]:
        svg = board_svg(position, crop=[square])
        assert_sound(svg)
        shown = [name for name in drawn(svg) if name in PIECES.values()]
        man = position.piece_at(square)
        kinds = {PIECES[rules.piece_type(man.type).letter]} if man else set()
        stored = {
            PIECES[rules.piece_type(name).letter]
            for store in position.scene().stores
            for name in store.pieces
        }
        assert kinds <= set(shown) <= kinds | stored


@every_rule_set
def test_a_setup_can_be_cropped_to_the_own_half(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    own = setup_svg(setup, crop=rules.home(WHITE))
    assert_sound(own)
    assert "cyvasse-curtain" not in own or rules.board.styles[0] == "hexagons"
    both = setup_svg(setup, crop=[*rules.home(WHITE), rules.home(BLACK)[0]])
    assert_sound(both)
    assert "cyvasse-curtain" in both


# --- both themes ----------------------------------------------------------------------------------


@every_rule_set
def test_a_picture_for_both_themes_is_the_light_one_with_rules_for_the_dark(rules: RuleSet) -> None:
    position = cyvasse.parse_position(POSITIONS[rules.id])
    square = rules.board.squares[0]
    options: dict[str, Any] = {"marks": {square: "refused"}, "words": {square: "x"}}
    light, dark, both = (
        board_svg(position, theme=theme, **options) for theme in ("light", "dark", "both")
    )
    style = re.search(r"<style>(.*)</style>(<view id=\"[a-z-]+\"/>)+", both)
    assert style is not None
    assert both.replace(style[0], "") == light
    turned = light
    for attribute, day, night in re.findall(
        r'\[\w+="#\w+"\]{(\w+):light-dark\((#\w+),(#\w+)\)}', style[1]
    ):
        assert f'[{attribute}="{day}"]' in style[1]
        # A letter that no colour has, so that nothing is turned twice.
        turned = turned.replace(f'{attribute}="{day}"', f'{attribute}="{night.upper()}"')
    assert re.sub(r'"#[0-9A-F]{6}"', lambda found: found[0].lower(), turned) == dark


BAD_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"style": "cubes"}, "the croft board is drawn in squares, not in 'cubes'"),
    ({"style": "hexagons"}, "the croft board is drawn in squares, not in 'hexagons'"),
    ({"theme": "sepia"}, "no theme 'sepia'; there are light, dark and both"),
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
    ({"arrows": [("a1", "a1")]}, "arrows lead to another square"),
    ({"arrows": ["a1"]}, "'a1' is none"),
    ({"lines": [("a1", "a1")]}, "lines lead to another square"),
    ({"lines": 7}, "lines are pairs of squares"),
    ({"areas": "a1"}, "areas are lists of squares"),
    ({"areas": ["a1"]}, "'a1' is none"),
    ({"areas": [["z99"]]}, "no square 'z99'"),
    ({"numbers": ["a1"]}, "numbers stand by squares"),
    ({"numbers": {"z99": "2"}}, "no square 'z99'"),
    ({"numbers": {"a1": 2}}, "numbers are texts of 1 to 24 characters, not 2 for a1"),
    ({"words": {"": "here"}}, "no square ''"),
    ({"words": {"a1 z99": "here"}}, "no square 'z99'"),
    ({"words": {"a1": ""}}, "words are texts of 1 to 24 characters"),
    ({"words": {"a1": "a\nb"}}, "words are texts of 1 to 24 characters"),
    ({"crop": "a1"}, "a crop is the squares to be shown"),
    ({"crop": []}, "there must be at least one"),
    ({"crop": ["z99"]}, "no square 'z99'"),
    ({"crop": 7}, "a crop is the squares to be shown"),
    ({"crop": ["b2", "d4"], "marks": ["e5"]}, "e5 is not shown: the picture ends at b2 and d4"),
    ({"crop": ["b2", "d4"], "words": {"e5": "x"}}, "e5 is not shown"),
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
def test_a_setup_need_not_be_complete(rules: RuleSet, color: Color) -> None:
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
