"""The games that are kept as texts: they must be read, replayed and written like this for ever.

Made anew, a game is read and written.  One that cannot be read any more, because a rule has
changed, is replaced by another that is played like the first.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import re
import runpy
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cyvasse
from cyvasse import CyvasseError, RuleSet
from cyvasse.cli.main import random_game
from tests import goldens
from tests.goldens import DATA, ROOT

CORPUS = DATA / "corpus"
GAME = re.compile(r"\[Rules .*?\n(?=\n\[Rules |\Z)", re.DOTALL)


def games() -> Iterator[tuple[Path, str]]:
    """A random game of each rule set."""
    for rules in cyvasse.rule_sets():
        path = DATA / f"{rules.id}-game.txt"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        seed = re.search(r'^\[Seed "(\d+)"\]', text, re.MULTILINE)
        yield path, rewritten(text, partial(random_text, rules, int(seed[1]) if seed else 1))


def random_text(rules: RuleSet, seed: int) -> str:
    """What ``cyvasse random-game`` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        random_game(rules.id, seed)
    return printed.getvalue()


def corpus() -> Iterator[tuple[Path, bytes]]:
    """Games of bots, played by benchmarks/corpus.py."""
    play = runpy.run_path(str(ROOT / "benchmarks" / "corpus.py"))["play"]

    def another(rules: RuleSet, number: int) -> str:
        return cyvasse.write_game(play(rules, number))

    for rules in cyvasse.rule_sets():
        path = CORPUS / f"{rules.id}.txt.gz"
        kept = GAME.findall(gzip.decompress(path.read_bytes()).decode())
        texts = [rewritten(text, partial(another, rules, n)) for n, text in enumerate(kept, 1)]
        yield path, gzip.compress("\n".join(texts).encode(), 9, mtime=0)


def rewritten(text: str, play: Callable[[], str]) -> str:
    """The text of a game as it is written now, or of another if it is none any more."""
    try:
        return cyvasse.write_game(cyvasse.read_game(text))
    except CyvasseError:
        return play()


goldens.ours("games", games, "tests/data/*-game.txt")
goldens.ours("corpus", corpus, "tests/data/corpus/*", slow=True)
