"""Many fast games in one process: all end, can be read back, and leave no memory behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.strategies import IDS
from tests.tiers import lasting

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "endurance.py"


@pytest.mark.thorough
@pytest.mark.parametrize("rules", IDS)
def test_many_games(rules: str) -> None:
    games = str(lasting(20, 300))
    command = [sys.executable, str(PROGRAM), rules, "--games", games, "--seconds", "600"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{games} games in" in done.stdout
