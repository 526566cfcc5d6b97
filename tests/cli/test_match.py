"""``cyvasse match`` as a user types it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import cyvasse
from tests.cli.test_main import run

FAST = ("match", "nine-tile", "greedy", "random", "--setups", "named", "--jobs", "1")


def test_summary_and_file(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    told = run(*FAST, "--games", "6", "--out", str(file))
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    lines = told.stdout.splitlines()
    assert lines[0] == "nine-tile: greedy against random, seed 1, setups: named"
    assert lines[1].startswith("6 games: ")
    assert len(list(cyvasse.read_games(file.read_text()))) == 6
    assert run(*FAST, "--games", "6", "--out", str(file)).stdout == told.stdout


def test_json_is_one_line() -> None:
    told = run(*FAST, "--games", "4", "--json", "--sprt", "0.55", "0.65")
    (line,) = told.stdout.splitlines()
    document = json.loads(line)
    assert document["games"] == 4
    assert document["sprt"]["decision"] is None
    assert told.returncode == 1  # undecided


@pytest.mark.parametrize(
    ("players", "code"), [(("greedy", "random"), 0), (("random", "greedy"), 1)]
)
def test_exit_code_tells_the_decision(players: tuple[str, str], code: int) -> None:
    told = run(
        *("match", "nine-tile", *players, "--games", "80", "--jobs", "2"),
        *("--sprt", "0.4", "0.6", "--alpha", "0.1", "--beta", "0.1"),
    )
    assert told.returncode == code
    assert f"H{1 - code} accepted" in told.stdout


def test_weights_for_either_player(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    one.write_text('{"rabble": 90}')
    two.write_text('{"rabble": 110}')
    words = ("match", "nine-tile", "greedy", "greedy", "--games", "2", "--jobs", "1", "--json")
    told = json.loads(run(*words, "--weights", str(one)).stdout)
    assert (told["first"], told["second"]) == (f"greedy@{one}", "greedy")
    told = json.loads(run(*words, "--weights", str(one), "--weights", str(two)).stdout)
    assert (told["first"], told["second"]) == (f"greedy@{one}", f"greedy@{two}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess", "random", "random"), "chess"),
        (("nine-tile", "rando", "random"), "no player is called"),
        (("nine-tile", "random", "random", "--games", "5"), "even number"),
        (("nine-tile", "random", "random", "--setups", "x"), "pool, named or random"),
        (("nine-tile", "random", "random", "--sprt", "0.7", "0.6"), "lower one first"),
        (("nine-tile", "random", "random", "--out", "no/such/folder/x"), "no/such/folder/x"),
        (("nine-tile", "depth:1@a", "random", "--weights", "b"), "has weights already"),
        (("nine-tile", "random", "random", *["--weights", "b"] * 3), "3 times"),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...], told: str) -> None:
    said = run("match", *words)
    assert said.returncode in (1, 2)
    assert said.stderr.startswith("cyvasse: ")
    assert told in said.stderr
    assert len(said.stderr.strip().splitlines()) == 1
    assert said.stdout == ""


def test_a_bar_on_a_terminal() -> None:
    parent, child = pty.openpty()
    try:
        told = subprocess.run(
            [
                *(sys.executable, "-W", "ignore", "-m", "cyvasse"),
                *(*FAST, "--games", "4", "--sprt", "0.55", "0.65"),
            ],
            stdout=subprocess.PIPE,
            stderr=child,
            text=True,
            check=False,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        )
        os.close(child)
        shown = b""
        while True:
            try:
                more = os.read(parent, 65536)
            except OSError:
                break
            if not more:
                break
            shown += more
    finally:
        os.close(parent)
    assert "4 games: " in told.stdout
    assert "games/min" not in told.stdout
    text = shown.decode()
    for part in ("4/4", "games/min", "score", "LLR"):
        assert part in text
