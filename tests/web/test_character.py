"""What the home page says about the length of games, beside the games that were measured."""

from __future__ import annotations

import gzip
import re
import statistics
from pathlib import Path

import pytest

import cyvasse

ROOT = Path(__file__).parents[2]
TOLD = dict(
    re.findall(
        r'"?([a-z-]+)"?: \{ turns: (\d+)',
        (ROOT / "web" / "src" / "screens" / "character.ts").read_text(),
    )
)


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_length(rules: cyvasse.RuleSet) -> None:
    corpus = ROOT / "tests" / "data" / "corpus" / f"{rules.id}.txt.gz"
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        turns = [len(game.turns()) for game in cyvasse.read_games(lines)]
    assert int(TOLD[rules.id]) == round(statistics.median(turns), -1)
