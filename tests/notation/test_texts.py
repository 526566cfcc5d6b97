"""Odd texts and garbage; ``cyvasse.testing`` tests that those of every rule set read back."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Color, CyvasseError, Game, NotationError, RuleSet
from cyvasse.actions import Action
from cyvasse.notation import read_setup, setups
from tests.strategies import IDS, seeds

every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)
DATA = Path(__file__).parent.parent / "data"


@every_rule_set
@given(st.data())
def test_grids_read_quickly_mean_the_same(rules: RuleSet, data: st.DataObject) -> None:
    """Damage the grid of a setup a little: the quick way gives up or finds what the other finds."""
    color = data.draw(st.sampled_from(Color))
    setup = rules.random_setup(color, data.draw(seeds))
    text = cyvasse.write_setup(setup).split()[2]
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(text)))
        junk = data.draw(st.sampled_from(["", "/", "0", "1", "2", "10", "k", "K", "-", ".", "?"]))
        text = text[:at] + junk + text[at + data.draw(st.integers(0, 2)) :]
    half, names, _ = setups._half(rules, color)
    quick = half.read(text, names)
    try:
        careful = setups._pieces(rules, color, text)
    except NotationError:
        assert quick is None
        return
    assert quick == careful
    assert list(careful) == sorted(careful)
    assert list(quick or ()) == list(careful)


@every_rule_set
def test_many_games_in_a_stream(rules: RuleSet) -> None:
    chance = random.Random(8)
    texts = []
    for seed in range(3):
        game = Game.from_position(rules.random_position(seed))
        for _ in range(5):
            game.play(chance.choice(game.legal_actions()))
        game.comments[2] = "[Not a tag]"
        texts.append(str(game))
    stream = io.StringIO("\n".join(texts))
    assert [str(game) for game in cyvasse.read_games(stream)] == texts
    with pytest.raises(NotationError, match="a second game begins here"):
        cyvasse.read_game("\n".join(texts))


def example() -> str:
    return (DATA / "nine-tile-game.txt").read_text()


@every_rule_set
def test_golden_game(rules: RuleSet) -> None:
    """A game kept as text: it must read, replay and write exactly like this for ever."""
    text = (DATA / f"{rules.id}-game.txt").read_text()
    game = cyvasse.read_game(text)
    assert game.rules is rules
    assert cyvasse.write_game(game) == text
    assert game.outcome() is not None
    assert bool(rules.noted_effects) == any(f"({kind}" in text for kind in rules.noted_effects)


@every_rule_set
@given(st.data())
def test_broken_texts_raise_only_library_errors(rules: RuleSet, data: st.DataObject) -> None:
    """Take a good text of any kind, damage it, and read it."""
    chance = random.Random(data.draw(seeds))
    game = Game.from_position(rules.random_position(chance))
    for action in game.legal_actions():
        game.play(action)
        if not game.outcome():
            break
        game.undo()
    good = [
        (cyvasse.parse_position, game.position.text()),
        (cyvasse.parse_setup, cyvasse.write_setup(rules.random_setup("white", chance))),
        (cyvasse.read_game, str(game)),
        (lambda text: Action.parse(text, rules.board), str(game.actions[0])),
        (game.play, str(game.legal_actions()[0])),
    ]
    reader, text = data.draw(st.sampled_from(good))
    junk = st.text(st.characters(codec="utf-8"), max_size=6)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(junk) + text[at + data.draw(st.integers(0, 5)) :]
    with contextlib.suppress(CyvasseError):
        reader(text)


@given(st.text(max_size=200))
def test_garbage(text: str) -> None:
    for reader in (cyvasse.parse_position, cyvasse.parse_setup, cyvasse.read_game):
        with pytest.raises(CyvasseError):
            reader(text)


@pytest.mark.parametrize("thing", [None, 3, b"e4", ["nine-tile"], object()])
def test_things_that_are_no_text(thing: object) -> None:
    for reader in (cyvasse.parse_position, cyvasse.parse_setup, cyvasse.read_game):
        with pytest.raises(CyvasseError):
            reader(thing)  # type: ignore[arg-type]


POSITION = "nine-tile 6k1/9/10/11/4R7/11/10/9/7K - w - 0"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "six parts"),
        ("chess 8/8 - w - 0", "no rule set 'chess'"),
        (POSITION.replace("w", "x"), "w or b"),
        (POSITION.replace("4R7", "4R8"), "13 squares are given, 12 are needed"),
        (POSITION.replace("4R7", "4Q7"), "'Q' on e5 is no piece"),
        (POSITION.replace("/7K", ""), "8 rows are given, 9 are needed"),
        (POSITION.replace("- 0", "second_rabble=e4 0"), "no Rabble of white"),
        (POSITION.replace("- 0", "rabble=e4 0"), "no field"),
        (POSITION.replace("- 0", "- many"), "no number"),
        (POSITION.replace("- 0", "- 99999"), "0 to 9999|-1 to 9999"),
        (POSITION.replace("K", "1").replace("k", "1"), "1"),
        (
            POSITION.replace("4R7 - ", "4R7 - ").replace(" - w", " 8/9/10/11/4m7/11/10/9/8 w"),
            "mountain",
        ),
        (POSITION.replace(" - w", " 8/9/10/11/4q7/11/10/9/8 w"), "no ground"),
    ],
)
def test_positions_that_cannot_be_read(text: str, complaint: str) -> None:
    with pytest.raises(CyvasseError, match=complaint):
        cyvasse.parse_position(text)


def broken(old: str, new: str) -> str:
    text = example()
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('[Rules "nine-tile"]\n', "", "tag Rules is missing"),
        ('[Rules "nine-tile"]', '[Rules "chess"]', "line 1, column 1: the tag Rules: no rule set"),
        ('[Rules "nine-tile"]', "[Rules nine-tile]", "line 1, column 1: a tag looks like"),
        ("[First", "[Fist", "tag First is missing"),
        ('[First "', '[First "x', "the tag First: a player is"),
        ("[First", '[Position "x"]\n[First', "instead of WhiteSetup, BlackSetup and First"),
        ("[First", '[Quiet ""]\n[First', "neither on nor off"),
        ("triangle=", "triangel=", "the tag WhiteSetup"),
        ("\n1. ", "\n2. ", "turn 1 should come here, not 2."),
        ("\n1. ", "\n01. ", "turn 1 should come here, not 01."),
        ("\n1. ", "\n1. e1-e9,", "line 10, column 4: "),
        ("\n1. ", "\nhello 1. ", "line 10, column 1: 'hello' is neither"),
        ("\n1. ", "\n{open 1. ", "never closed"),
        ("\n1. ", "\n} 1. ", "never opened"),
        ("\n2. ", "\n", "neither"),
    ],
)
def test_games_that_cannot_be_read(old: str, new: str, complaint: str) -> None:
    if old == "\n2. ":
        old, new = " 2. ", " "
    with pytest.raises(NotationError) as caught:
        cyvasse.read_game(broken(old, new))
    assert complaint in str(caught.value)
    assert caught.value.line is not None


def test_wrong_results_are_told() -> None:
    game = cyvasse.read_game(example())
    outcome = game.outcome()
    assert outcome is not None
    wrong = "0-1" if outcome.result != "0-1" else "1-0"
    text = example().replace(outcome.result, wrong)
    with pytest.raises(NotationError, match="the game says"):
        cyvasse.read_game(text)
    unfinished = str(Game.from_position(game.start))
    with pytest.raises(NotationError, match="does not decide"):
        cyvasse.read_game(unfinished.replace("*", "1-0"))
    with pytest.raises(NotationError, match="out of time, but it says 'draw agreed'"):
        cyvasse.read_game(
            unfinished.replace('[Result "*"]', '[End "draw agreed"]').replace("*", "1-0")
        )
    with pytest.raises(NotationError, match="stands after the result"):
        cyvasse.read_game(example() + "\n99. e1-e2\n")
    with pytest.raises(NotationError, match="is not how the game stands"):
        cyvasse.read_game(example().replace(f'[End "{outcome.end}"]', '[End "resignation"]'))


def test_turns_must_be_whole() -> None:
    position = cyvasse.parse_position("nine-tile 6k1/9/10/11/4R2R4/11/10/9/7K - w - 0")
    game = Game.from_position(position)
    game.play("e5-e6")
    assert cyvasse.read_game(str(game)).position.in_turn
    with pytest.raises(NotationError, match="not finished"):
        cyvasse.read_game(str(game).replace("e5-e6", "e5-e6 2. h5-h6"))
    with pytest.raises(NotationError, match="column 14: the turn was over"):
        cyvasse.read_game(str(game).replace("e5-e6", "e5-e6,end,g9-g8"))


def test_what_happens_by_itself_is_recorded_with_its_action() -> None:
    """White's Dragon takes the King on his fortress; an Elephant retakes it and is the King."""
    with gzip.open(DATA / "mikelepage-games.jsonl.gz", "rt") as file:
        record = json.loads(next(file))
    rules = cyvasse.rule_set("mikelepage")
    game = Game(rules)
    for color in Color:
        game.submit(color, read_setup(rules, record["setup"][str(color)], color))
    game.lift_screen()
    game.play("out@f8")
    game.play("d9xf8")
    text = str(game)
    assert "1. out@f8 2. d9xf8(promoted_at_end:f8=king) *" in text
    assert str(cyvasse.read_game(text)) == text
    silent = cyvasse.read_game(text.replace("(promoted_at_end:f8=king)", ""))
    assert str(silent) == text
    for wrong in ("(promoted_at_end:f8=dragon)", "(promoted_at_end:f8=king", "()"):
        with pytest.raises(NotationError, match=r"comes .promoted_at_end:f8=king., not"):
            cyvasse.read_game(text.replace("(promoted_at_end:f8=king)", wrong))


def test_tags_that_cannot_be_written() -> None:
    game = Game("nine-tile", tags={"White": "two\nlines"})
    with pytest.raises(NotationError, match="White"):
        str(game)
    game.tags = {"two words": "x"}
    with pytest.raises(NotationError, match="name of a tag"):
        str(game)
    game.tags = {}
    game.comments[0] = "{nested}"
    with pytest.raises(NotationError, match="comment"):
        str(game)


@pytest.mark.parametrize(
    "name", ["Arianne Martell", "\u06a9\u200c\u06cc", "a\u00a0b", "\U0001f409"]
)
def test_names_in_any_script(name: str) -> None:
    game = Game("croft", tags={"White": name})
    assert cyvasse.read_game(str(game)).tags == {"White": name}


def test_tags_and_comments_that_fit_nowhere() -> None:
    for tags in ({"Result": "1-0"}, {5: "x"}, {"White": "a\x00"}, {"White": "\ud800"}):
        with pytest.raises(NotationError):
            str(Game("croft", tags=tags))  # type: ignore[arg-type]
    remarks: list[tuple[int, Any]] = [
        (1, "late"),
        (-1, "early"),
        (0, 5),
        (0, "\ud800"),
        (0, "\x1b"),
    ]
    for at, remark in remarks:
        game = Game("croft")
        game.comments[at] = remark
        with pytest.raises(NotationError):
            str(game)


def test_files_as_they_come(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xef\xbb\xbf" + example().replace("\n", "\r\n").encode() + b"\r\n\r\n")
    with path.open(encoding="utf-8", newline="") as file:
        assert str(cyvasse.read_game(file)) == example()
    with path.open("rb") as binary, pytest.raises(NotationError, match="as text"):
        cyvasse.read_game(binary)  # type: ignore[arg-type]
    path.write_bytes(example().encode() + b"\xff")
    with path.open(encoding="utf-8") as file, pytest.raises(NotationError, match="no UTF-8"):
        list(cyvasse.read_games(file))
    with pytest.raises(NotationError, match="line 1, column 1: a game begins with tags"):
        cyvasse.read_game("games.txt")
    two = example() + "\n" + example()
    second = example().count("\n") + 2
    with pytest.raises(NotationError, match=f"line {second}, column 1: a second game"):
        cyvasse.read_game(two)
    wrong = example().replace("0-1", "1-0") + "\n\n\n"
    with pytest.raises(NotationError) as caught:
        cyvasse.read_game(wrong)
    last = example().rstrip().splitlines()
    assert (caught.value.line, caught.value.column) == (len(last), last[-1].index("0-1") + 1)


def test_many_comments_are_read_in_one_go() -> None:
    game = cyvasse.read_game('[Rules "croft"]\n\n' + "{a}" * 5000 + " *")
    assert game.comments == {0: " ".join(["a"] * 5000)}


def test_a_game_behind_the_screen_tells_no_setup() -> None:
    game = Game("nine-tile")
    game.submit("white", game.rules.random_setup("white", 1))
    text = str(game)
    assert "Setup" not in text
    assert str(cyvasse.read_game(text)) == text


def test_diagram() -> None:
    drawing = str(cyvasse.parse_position(POSITION)).splitlines()
    assert drawing[0].startswith(" a9-h9")
    assert drawing[0].split()[1:] == [*"......k."]
    assert drawing[4].split()[1:] == [*"....R......."]
    assert drawing[-1] == "White to act."
