"""The commands that find setups and tune weights, from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cyvasse
from cyvasse.engine.setups import read_pool
from tests.cli.test_main import run

pytestmark = pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")


def test_pool(tmp_path: Path) -> None:
    out, journal = tmp_path / "setups.json", tmp_path / "pool.jsonl"
    words = ("pool", "nine-tile", "--games", "1", "--size", "3", "--nodes", "5")
    files = ("--out", str(out), "--journal", str(journal))
    told = run(*words, *files)
    assert told.returncode == 0, told.stderr
    text = out.read_text()
    found = read_pool(text)
    assert len(found.setups) == 3
    for name in found.names:
        assert name in told.stdout
    assert f"written to {out}" in told.stdout
    lines = journal.read_text()
    assert run(*words, *files, "--processes", "2").stdout == told.stdout
    assert (out.read_text(), journal.read_text()) == (text, lines)


def test_tune(tmp_path: Path) -> None:
    out, journal = tmp_path / "weights.json", tmp_path / "games.jsonl"
    words = ("tune", "nine-tile", "--nodes", "10", "--out", str(out), "--journal", str(journal))
    told = run(*words, "--games", "8")
    assert told.returncode == 0, told.stderr
    weights = json.loads(out.read_text())
    cyvasse.rule_set("nine-tile").evaluation(weights)
    assert "loss on the games held out" in told.stdout
    assert len(journal.read_text().splitlines()) == 9
    told = run(*words, "--games", "10", "--processes", "2", "--fresh")
    assert told.returncode == 0, told.stderr
    assert len(journal.read_text().splitlines()) == 11


@pytest.mark.parametrize(
    "words",
    [
        ("pool", "chess"),
        ("pool", "nine-tile", "--games", "5", "--minutes", "1"),
        ("tune", "chess"),
        ("tune", "nine-tile", "--games", "5", "--journal", "LETTER"),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ned,\n")
    told = run(*[word.replace("LETTER", str(letter)) for word in words])
    assert told.returncode == 2
    assert told.stderr.startswith("cyvasse: ")
    assert len(told.stderr.strip().splitlines()) == 1
