"""What the package says of many things, line by line: here, and in the browser's Python.

This file runs in both, so it asks for nothing but the package.  It is given the name of a
transcript and a number: of positions, of searches … only every so-manieth is told.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cyvasse
from cyvasse.engine.levels import LEVELS
from cyvasse.notation.documents import read_state, state_document
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


def lines(path: Path) -> list[dict[str, Any]]:
    """The documents of a file, one in a line."""
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    return [json.loads(line) for line in text.splitlines()]


def documents(rules: RuleSet) -> Iterator[dict[str, Any]]:
    """Every position of the files with known answers."""
    for name in (f"{rules.id}.jsonl.gz", f"{rules.id}-edges.jsonl"):
        for document in lines(DATA / name):
            answers = {"id", "actions", "after", "perft", *rules.records.tally_names}
            yield {key: value for key, value in document.items() if key not in answers}


def puzzles(rules: RuleSet) -> list[Position]:
    """Positions that the engine is tested with."""
    return [
        cyvasse.parse_position(document["position"])
        for document in lines(DATA / f"tactics-{rules.id}.jsonl")
    ]


# --- what is told ---------------------------------------------------------------------------------


def positions(every: int) -> Iterator[str]:
    """All positions of tests/data: what may be done, what it does, how it ended."""
    for rules in cyvasse.rule_sets():
        evaluation = rules.evaluation()
        known = [rules.position(read_state(rules, document)) for document in documents(rules)]
        for number, position in enumerate([*known, *puzzles(rules)][::every]):
            yield f"{rules.id} {number}: {position.text()} {position.tallies()}"
            yield json.dumps(state_document(rules, position.state()), sort_keys=True)
            legal = position.legal_actions()
            yield " ".join(map(str, legal))
            yield told(position)
            yield str([evaluation.gain_of(position, action.code) for action in legal])
            for action in legal[number % 4 :: len(legal) // 3 + 1]:
                position.play(action)
                yield f"{action}: {told(position)} {evaluation.count(position)}"
                yield " ".join(rules.scene.words(sentence) for sentence in position.told())
                assert position.undo() == action
            if number % 10 == 0:
                yield str(position)
                yield f"{cyvasse.perft(position, 2)}"
                squares = [*position.pieces()]
                yield " ".join(cyvasse.why(position, squares[0], square) for square in squares)


def told(position: Position) -> str:
    """A position in short."""
    return f"{position.hash} {position.text()} {position.outcome()} {position.effects()}"


def corpus(rules: RuleSet) -> Iterator[str]:
    """Whole games, as they are written."""
    text = gzip.decompress((DATA / "corpus" / f"{rules.id}.txt.gz").read_bytes()).decode()
    begins = f'[Rules "{rules.id}"]'
    return (begins + game for game in text.split(begins)[1:])


def games(every: int) -> Iterator[str]:
    """Whole games, read and written again; and one that is played with hidden setups."""
    for rules in cyvasse.rule_sets():
        for text in [*corpus(rules)][::every]:
            game = cyvasse.read_game(text)
            yield cyvasse.write_game(game)
            yield f"{game.outcome()} {game.position.hash}"
        for path in DATA.glob(f"{rules.id}-games.jsonl.gz"):
            for document in lines(path)[::every]:
                yield f"{document['id']}: {[*rules.records.game_differences(document)]}"
        game = cyvasse.Game(rules)
        for color in (cyvasse.WHITE, cyvasse.BLACK):
            game.submit(color, cyvasse.choose_setup(rules, color, seed=2**40 + 7))
            yield cyvasse.write_setup(rules.random_setup(color, seed=2**70))
            yield str(game.view(color))
        game.lift_screen(first="white")
        while game.outcome() is None and game.ply < 60:
            game.play(game.legal_actions()[game.ply * 7 % len(game.legal_actions())])
        yield cyvasse.write_game(game)
        yield str(game.view(None))


# What 32 bits do not hold, digits that are not ours, texts that end too soon.
NUMBERS = (0, -1, 2**31, 2**32 + 1, 2**63, 2**64 - 1, 2**100)
ODD = ("", " ", "\0", "a1", "a1-", "a1-a1", "a1-z99", f"a1-a{2**40}", "é1-b2", "K@", "a1xb2(")
SPOILT = ("", "9", "99999999999", "z", "K", "/", "-", " ", "٣", "²", "é", "\0", "(", "{")


def edges(_: int) -> Iterator[str]:
    """Odd texts and odd numbers: what comes of them, or what is said against them."""
    for rules in cyvasse.rule_sets():
        position = rules.random_position(5, 20)
        for text in spoilt(position.text()):
            yield answer(cyvasse.parse_position, text)
        for text in spoilt(cyvasse.write_setup(rules.random_setup("white", seed=5))):
            yield answer(cyvasse.parse_setup, text)
        for text in spoilt(next(corpus(rules))):
            yield answer(cyvasse.read_game, text)
        for odd in ODD:
            yield answer(position.parse_action, odd)
            yield answer(cyvasse.why, position, odd, next(iter(position.pieces())))
        for number in NUMBERS:
            yield answer(rules.random_position, number, 9)
            yield answer(cyvasse.Engine(seed=1).choose, position, depth=2, nodes=number)
            weights = dict.fromkeys((each.name for each in rules.evaluation().features), number)
            yield answer(cyvasse.Engine(seed=1, weights=weights).choose, position, depth=2)
        for puzzle in puzzles(rules)[:6]:
            yield answer(cyvasse.forced_win, puzzle, 2, 2_000)


def spoilt(text: str) -> Iterator[str]:
    """A text with something odd in it, here or there, or which ends too soon."""
    for number, place in enumerate(range(0, len(text), 3)):
        yield text[:place] + SPOILT[number % len(SPOILT)] + text[place + number % 2 :]
    yield from (text[:end] for end in range(0, len(text), 25))


def answer(ask: Callable[..., object], *words: object, **limits: object) -> str:
    """What comes of it, in words."""
    try:
        found = ask(*words, **limits)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return found.text() if isinstance(found, Position) else str(found)


HIGH = 50_000
"""Levels that look at more nodes are asked less, and uncompiled not at all above these:"""
LOW = 2_000


def fixed(rules: RuleSet) -> list[Position]:
    """Twenty positions: nine from the middle of games, and eleven in which something is won."""
    played = json.loads((ROOT / "benchmarks" / "positions.json").read_text())[rules.id]
    found = [*map(cyvasse.parse_position, played[:9]), *puzzles(rules)[::5]][:20]
    assert len(found) == 20
    return found


def levels(every: int) -> Iterator[str]:
    """What each level plays; those that look at many nodes in two positions of each rule set."""
    for rules in cyvasse.rule_sets():
        for level, limits in LEVELS.items():
            here = fixed(rules)[::every] if limits.nodes <= HIGH else fixed(rules)[:2]
            yield from (choice(level, position) for position in here)


def low_levels(_: int) -> Iterator[str]:
    """What the levels that look at few nodes play in one position of each rule set."""
    for rules in cyvasse.rule_sets():
        for level, limits in LEVELS.items():
            if limits.nodes <= LOW:
                yield choice(level, fixed(rules)[0])


def choice(level: int, position: Position) -> str:
    """What a level plays."""
    return f"{position.text()} {level}: {cyvasse.Engine(level, seed=1).choose(position)}"


TRANSCRIPTS = {told.__name__: told for told in (positions, games, edges, levels, low_levels)}
