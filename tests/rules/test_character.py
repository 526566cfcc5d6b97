"""What rule sets say about the length of their games, beside the games that were measured."""

from __future__ import annotations

import gzip
import statistics
from pathlib import Path

import pytest

import cyvasse

CORPUS = Path(__file__).parents[1] / "data" / "corpus"


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_length(rules: cyvasse.RuleSet) -> None:
    with gzip.open(CORPUS / f"{rules.id}.txt.gz", "rt", encoding="utf-8") as lines:
        turns = [len(game.turns()) for game in cyvasse.read_games(lines)]
    assert rules.turns == round(statistics.median(turns), -1)
