"""Files of many games: streams in constant memory, bad games among good ones, hostile files."""

from __future__ import annotations

import contextlib
import gc
import gzip
import io
import itertools
import json
import random
import tracemalloc
from pathlib import Path
from typing import TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Game, NotationError, RuleSet
from cyvasse.notation import (
    game_document,
    read_any_games,
    read_game_document,
    read_game_documents,
)
from cyvasse.notation.gamelines import LONGEST_GAME, GameLines, split_games
from cyvasse.notation.gamereader import GameReader
from cyvasse.notation.scanner import scan_tags
from tests.strategies import IDS, games, seeds

DATA = Path(__file__).parent.parent / "data"
CORPUS = DATA / "corpus"
every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def golden(name: str) -> str:
    return (DATA / f"{name}-game.txt").read_text()


def corpus(rules: RuleSet) -> str:
    return gzip.decompress((CORPUS / f"{rules.id}.txt.gz").read_bytes()).decode()


def problems_of(text: str | TextIO) -> tuple[list[Game], list[NotationError]]:
    problems: list[NotationError] = []
    return list(read_any_games(text, problems.append)), problems


# --- the corpus -----------------------------------------------------------------------------------


@every_rule_set
def test_corpus(rules: RuleSet) -> None:
    """At least 100 games of bots, each to its end, that read and write exactly like this."""
    text = corpus(rules)
    # Uncompiled, a few of the shorter games say as much.
    count = 0
    for game_lines in split_games(text):
        written = "\n".join(game_lines.lines).rstrip() + "\n"
        if not cyvasse.COMPILED and (len(written) > 1500 or count > 5):
            continue
        game = GameReader(game_lines).game()
        assert game.rules is rules
        assert game.outcome() is not None
        assert str(game) == written
        count += 1
    assert count >= 100 or not cyvasse.COMPILED


@every_rule_set
def test_a_changed_game_of_the_corpus_is_found(rules: RuleSet) -> None:
    texts = [
        "\n".join(game_lines.lines)
        for game_lines in itertools.islice(split_games(corpus(rules)), 5)
    ]
    third = texts[2]
    last = third.rstrip().rsplit(" ", 1)[-1]
    changes = {
        "result": third.rstrip()[: -len(last)] + ("0-1" if last == "1-0" else "1-0"),
        "first action": third.replace("\n1. ", "\n1. pass,", 1),
        "end": third.replace('[End "', '[End "x'),
        "a turn less": third.replace(" 2. ", " ", 1),
    }
    for what, changed in changes.items():
        found, problems = problems_of("\n\n".join([*texts[:2], changed, *texts[3:]]))
        assert len(found) == 4, what
        assert len(problems) == 1, what
        first = sum(text.count("\n") + 2 for text in texts[:2]) + 1
        assert problems[0].line is not None
        assert first <= problems[0].line <= first + changed.count("\n"), what
        assert problems[0].column is not None


@every_rule_set
def test_effects_of_the_corpus_are_checked(rules: RuleSet) -> None:
    text = corpus(rules)
    for kind in rules.noted_effects:
        noted = [part for part in text.split("\n\n[") if f"({kind}:" in part]
        if not noted:
            continue
        part = noted[0] if noted[0].startswith("[") else "[" + noted[0]
        at = part.index(f"({kind}:")
        wrong = part[:at] + part[at:].replace(f"({kind}:", f"({kind}:x", 1)
        _, [problem] = problems_of(wrong)
        assert "comes (" in problem.message
        assert problem.line == wrong[:at].count("\n") + 1


# --- both ways of reading agree -------------------------------------------------------------------


@every_rule_set
@given(st.data())
def test_the_quick_way_takes_the_same_games(rules: RuleSet, data: st.DataObject) -> None:
    """Damage a game a little: the quick way either gives up or finds what the other one finds."""
    game = data.draw(games(rules))
    for at in data.draw(st.sets(st.integers(0, game.ply), max_size=3)):
        game.comments[at] = data.draw(st.sampled_from(["good", "[bad]", "1. e4-e5"]))
    if game.outcome() is None and data.draw(st.booleans()):
        game.agree_draw()
    head, body = str(game).split("\n\n")
    junk = st.sampled_from([" ", ",", "\n", ".", "{", "}", "{x}", "1", "a1-a2", "end", "*", "("])
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(body)))
        body = body[:at] + data.draw(junk) + body[at + data.draw(st.integers(0, 4)) :]
    [game_lines, *rest] = split_games(f"{head}\n\n{body}")
    if rest:
        return
    reader = GameReader(game_lines)
    quick = reader._begin()
    place = reader._quick_turns(quick)
    remarks = {at: list(said) for at, said in reader.remarks.items()}
    reader.remarks.clear()
    careful = reader._begin()
    try:
        careful_place = reader._turns(careful)
    except NotationError:
        assert place is None
        return
    if place is not None:
        assert place == careful_place
        assert quick.actions == careful.actions
        assert quick.turns() == careful.turns()
        assert quick.outcome() == careful.outcome()
        assert remarks == reader.remarks


@given(st.data())
def test_the_quick_way_takes_the_same_tags(data: st.DataObject) -> None:
    """Damage tags a little: they are left to the careful reader, or mean the same to both."""
    names = st.sampled_from(["Rules", "Event", "White", "x_1", "1x", ""])
    words = st.sampled_from(["croft", "", "a b", 'a\\"b', "José", "a]b", "\t", "\\\\"])
    lines = [f'[{name} "{word}"]' for name, word in data.draw(st.lists(st.tuples(names, words)))]
    for number in data.draw(st.sets(st.integers(0, max(len(lines) - 1, 0)), max_size=2)):
        line, at = "".join(lines[number : number + 1]), data.draw(st.integers(0, 20))
        lines[number : number + 1] = [line[:at] + data.draw(st.text('[]" \\a1', max_size=2))]
    quick = scan_tags([*lines, ""], 1)
    if quick is None:
        return
    careful = GameReader(GameLines(1, ["", "*"]))
    for number, line in enumerate(itertools.takewhile(bool, lines), 1):
        careful._tag(number, line)
    assert quick == careful.tags


@every_rule_set
def test_written_games_are_read_the_quick_way(rules: RuleSet) -> None:
    """Or the figures of the benchmark would be others."""
    for game_lines in itertools.islice(split_games(corpus(rules)), 20):
        assert scan_tags(game_lines.lines, game_lines.first) is not None
        reader = GameReader(game_lines)
        assert reader._quick_turns(reader._begin()) is not None


# --- many games -----------------------------------------------------------------------------------


class Endless(io.TextIOBase):
    """A stream that holds a text many times."""

    def __init__(self, text: str, times: int) -> None:
        self._lines = itertools.chain.from_iterable(
            itertools.repeat(text.splitlines(keepends=True), times)
        )

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return next(self._lines, "")


def peak(source: TextIO) -> tuple[int, int]:
    """How many games there are, and the most bytes that reading them took at a time."""
    tracemalloc.start()
    count = sum(1 for _ in cyvasse.read_games(source))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return count, most


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    text = golden("mikelepage") + "\n"
    list(cyvasse.read_games(text))  # what is kept once
    few, most_of_few = peak(Endless(text, 20))  # type: ignore[arg-type]
    many, most_of_many = peak(Endless(text, 600))  # type: ignore[arg-type]
    assert (few, many) == (20, 600)
    assert most_of_many < 1.5 * most_of_few + 50_000


@pytest.mark.slow
def test_setups_that_never_come_again_do_not_fill_the_memory() -> None:
    def batch(first: int) -> str:
        texts = []
        for seed in range(first, first + 600):
            game = Game("croft")
            for color in cyvasse.Color:
                game.submit(color, game.rules.random_setup(color, seed * 2 + color))
            game.lift_screen("white")
            texts.append(str(game))
        return "\n".join(texts)

    batches = [batch(first) for first in range(0, 2400, 600)]
    tracemalloc.start()
    kept = []
    for text in batches:
        assert sum(1 for _ in cyvasse.read_games(text)) == 600
        gc.collect()
        kept.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    # What is kept for the next game fills up in the first two and stays at that.
    assert kept[3] < 1.1 * kept[2]


# --- going on after a bad game --------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        '[Rules "chess"]\n\n*',
        '[Rules "croft"]\n\n1. e4-e5 *',
        '[Rules "croft"]\n\n{never closed *',
        '[Rules "croft"]\n\n{one} {two\n*',
        '[Rules "croft"]\n\n{ { *',
        '[Rules "croft"]\n\n} *',
        '[Rules "croft"\n\n*',
        '[Rules "croft"]\n\n\x00\x01\x02 *',
        '[Rules "croft"]\n[White "\udcff"]\n\n*',
        '[Rules "croft"]\n\n' + "9" * 100_000 + ". e4-e5 *",
        '[Rules "croft"]\n\n' + "{" * 5000,
        '[Rules "croft"]\n\n' + "(" * 5000,
        '[Rules "croft"]\n\n1. ' + "," * 5000 + " *",
        '[Rules "croft"]\n[Position "' + "9" * 5000 + '"]\n\n*',
        '[Rules "croft"]\n[Position "croft ' + "(" * 5000 + ' - w - 0"]\n\n*',
        '[Rules "croft"]\n[Position "croft - - w keeps=' + "(" * 5000 + ' 0"]\n\n*',
        '[Rules "croft"]\n\n' + "x" * (LONGEST_GAME + 5),
        '[Rules "croft"]\n\n' + "x\n" * (LONGEST_GAME // 2 + 5),
        "[\n" * (LONGEST_GAME // 2 + 5) + "x",
        '[Rules "croft"]\n\n{' + "x" * (LONGEST_GAME + 5) + "\n}",
    ],
    ids=range(20),
)
def test_games_after_a_bad_one_are_read(bad: str) -> None:
    good = golden("croft")
    other = golden("mikelepage")
    found, problems = problems_of(f"{good}\n{bad}\n\n{other}\n{good}")
    assert [str(game) for game in found] == [good, other, good]
    first = good.count("\n") + 2
    for problem in problems:
        assert problem.line is not None
        assert problem.column is not None
        assert first <= problem.line <= first + bad.count("\n") + 1
    assert 1 <= len(problems) <= 2


def test_a_comment_may_hold_something_like_a_tag() -> None:
    text = golden("croft").replace("\n1. ", "\n{a\n[Rules there]\nb} 1. ", 1)
    [game] = cyvasse.read_games(text)
    assert game.comments == {0: "a [Rules there] b"}


@pytest.mark.parametrize("filler", ["\n", "x", "[\n", " "])
def test_something_endless_is_given_up(filler: str) -> None:
    """A few bytes of gzip can hold gigabytes."""

    class Bomb(io.TextIOBase):
        read_so_far = 0

        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            line = filler if filler.endswith("\n") else filler * size
            self.read_so_far += len(line)
            assert self.read_so_far < 4 * LONGEST_GAME
            return line

    found, problems = problems_of(Bomb())  # type: ignore[arg-type]
    assert not found
    assert 1 <= len(problems) <= 2
    assert problems[-1].line is not None


def test_damaged_gzip_tells_the_line() -> None:
    chance = random.Random(5)
    packed = gzip.compress(
        "\n".join(golden(name) for name in IDS).encode() + chance.randbytes(10).hex().encode()
    )
    for damaged in (packed[:-20], packed[: len(packed) // 2], packed[:600] + b"x" * 50):
        with io.TextIOWrapper(gzip.GzipFile(fileobj=io.BytesIO(damaged)), "utf-8") as stream:
            _, problems = problems_of(stream)
        assert problems
        assert problems[-1].line is not None
        assert "damaged" in problems[-1].message


def test_bytes_that_are_no_utf_8_are_placed() -> None:
    packed = golden("croft").encode().replace(b"random game", b"random \xff game", 1)
    with io.TextIOWrapper(io.BytesIO(packed), "utf-8", errors="surrogateescape") as stream:
        found, [problem] = problems_of(stream)
    assert not found
    line = golden("croft").splitlines()[1]
    assert (problem.line, problem.column) == (2, line.index("game") + 1)
    assert problem.message == "this is no UTF-8"


@pytest.mark.parametrize("end", ["\r\n", "\r", "mixed"])
def test_line_ends_of_any_kind(end: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    text = golden("croft")
    if end == "mixed":
        pieces = text.split("\n")
        text = "".join(
            piece + e
            for piece, e in zip(pieces, itertools.cycle(["\n", "\r\n", "\r"]), strict=False)
        )
    else:
        text = text.replace("\n", end)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    with path.open(encoding="utf-8") as file:
        assert [str(game) for game in read_any_games(file)] == [golden("croft")]


@every_rule_set
@given(seeds)
def test_damaged_files_never_fail_otherwise(rules: RuleSet, seed: int) -> None:
    """Whatever is done to a file of three games, in any form: problems have a place."""
    chance = random.Random(seed)
    text = golden(rules.id)
    game = cyvasse.read_game(text)
    forms = [
        text,
        json.dumps(game_document(game)) + "\n",
        json.dumps(game_document(game), indent=2) + "\n",
        game.position.text() + "\n",
    ]
    raw = bytearray("\n".join([chance.choice(forms)] * 3).encode())
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(raw) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            del raw[at : at + chance.randint(1, 400)]
        elif kind == 1:
            raw[at:at] = chance.randbytes(chance.randint(1, 20))
        elif kind == 2:
            raw[at:at] = chance.choice([b"{", b"}", b"[", b"]", b'"', b"\n", b"\x00", b"\\", b"("])
        elif kind == 3:
            raw[at:at] = raw[chance.randrange(len(raw) + 1) :][: chance.randint(1, 200)]
        else:
            del raw[at:]
            raw += b"\n"
    if not raw:
        return
    stream = io.TextIOWrapper(io.BytesIO(bytes(raw)), "utf-8", errors="surrogateescape")
    found, problems = problems_of(stream)
    for problem in problems:
        assert problem.line is not None
        assert 1 <= problem.line <= bytes(raw).count(b"\n") + bytes(raw).count(b"\r") + 1
        assert problem.column is not None
        assert problem.column >= 1
    for each in found:
        assert str(cyvasse.read_game(str(each))) == str(each)


# --- JSON -----------------------------------------------------------------------------------------


@every_rule_set
@given(st.data())
def test_documents_round_trip(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    game.tags["White"] = 'ü "x" \\'
    game.comments[game.ply] = "so far"
    if game.outcome() is None and data.draw(st.booleans()):
        game.resign("white")
    text = json.dumps(game_document(game))
    assert str(read_game_document(json.loads(text))) == str(game)
    [again] = read_game_documents(io.StringIO(json.dumps(json.loads(text), indent=2)))
    assert str(again) == str(game)


def test_documents_of_games_without_setups() -> None:
    for game in (
        Game("croft"),
        Game.from_position(cyvasse.rule_set("croft").random_position(3)),
        Game("croft", repetition=False, quiet=False),
    ):
        assert str(read_game_document(game_document(game))) == str(game)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rule_set": "chess"}, "no rule set 'chess'"),
        ({"rule_set": ["croft"]}, "no rule set"),
        ({"more": 1}, "no field 'more'"),
        ({"quiet": 1}, "quiet is 1"),
        ({"tags": {"Result": "x"}}, "free tag"),
        ({"tags": {"White": "\n"}}, "control character"),
        ({"tags": {"White": 5}}, "not a text"),
        ({"tags": []}, "named values"),
        ({"first": "red"}, "a player is"),
        ({"setups": {"white": {}}}, "setups has white and black"),
        ({"setups": 7}, "named values"),
        ({"position": {}}, "instead of"),
        ({"turns": {}}, "not a list"),
        ({"turns": [[]]}, "turn 1 is empty"),
        ({"turns": ["pass"]}, "turn 1 is 'pass'"),
        ({"turns": [[3]]}, "turn 1, action 1: an action is 3"),
        ({"turns": [["a1-a1"]]}, "turn 1, action 1: "),
        ({"comments": {"x": "y"}}, "fits nowhere"),
        ({"comments": {"99999": "y"}}, "fits nowhere"),
        ({"comments": {"0": "{"}}, "cannot be written"),
        ({"result": "2-0"}, "result is '2-0'"),
        ({"result": []}, "result is []"),
        ({"end": 5}, "end is 5"),
        ({"end": "boredom"}, "not how the game stands"),
    ],
)
def test_documents_that_cannot_be_read(change: dict[str, object], complaint: str) -> None:
    document = game_document(cyvasse.read_game(golden("croft"))) | change
    with pytest.raises(cyvasse.CyvasseError) as caught:
        read_game_document(document)
    assert complaint in str(caught.value)


def test_bad_json_is_placed_and_left_behind() -> None:
    game = cyvasse.read_game(golden("croft"))
    good = json.dumps(game_document(game))
    tall = json.dumps(game_document(game), indent=2)
    bad = [
        "{" + '"a":' * 3,
        '{"rule_set": "croft", "turns": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"rule_set": "croft", "turns": ' + "9" * 100_000 + "}",
        tall.replace('"quiet": true,', '"quiet": true', 1),
        tall[: len(tall) // 2],
        '{"rule_set": "croft"} {"rule_set": "croft"}',
        '["croft"]',
        good.replace('"Event"', '"Eve\udcffnt"'),
    ]
    for each in bad:
        found, problems = problems_of(f"{good}\n{each}\n{good}\n{tall}\n")
        assert [str(one) for one in found] == [str(game)] * 3, each[:60]
        assert problems, each[:60]
        for problem in problems:
            assert problem.line is not None
            assert 2 <= problem.line <= 2 + each.count("\n")
    with contextlib.suppress(NotationError):
        list(read_game_documents("{" * 100))


def test_positions_line_by_line() -> None:
    texts = [rules.random_position(5, actions=9).text() for rules in cyvasse.rule_sets()]
    found, problems = problems_of("\n".join([texts[0], "nine-tile 8/8", "", *texts[1:]]))
    assert [game.position.text() for game in found] == texts
    assert [(problem.line, problem.column) for problem in problems] == [(2, 1)]
