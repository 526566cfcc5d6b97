"""The worker alone: its questions keep what decides the answer, and it ends with its stdin."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Engine, Game, RuleSet
from cyvasse.server.botworker import Question
from tests.strategies import games


def question() -> Question:
    rules = cyvasse.rule_set("nine-tile")
    return Question.about(Game.from_position(rules.random_position(seed=1)), level=5)


class Worker:
    """A worker process that does what the program says."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore:cyvasse runs uncompiled", "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        assert self.stdout.readline() == b'"ready"\n'

    def ask(self, line: bytes) -> None:
        self.stdin.write(line)
        self.stdin.flush()

    def end(self) -> tuple[int, bytes]:
        """End its stdin: how it ended and what it still said anywhere."""
        said, complained = self.process.communicate(timeout=60)
        return self.process.returncode, said + complained


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
@given(data=st.data())
def test_a_question_has_the_answer_of_the_whole_game(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    if game.outcome() is None:
        asked = Question.read(Question.about(game, level=5).line())
        assert asked.game().position == game.position
        assert asked.think() == Engine(5).choose(game)


def test_without_repetition_the_past_is_left_out() -> None:
    ahead = cyvasse.parse_position("nine-tile 8/4k4/10/11/12/11/10/4K4/D7 - w - 0")
    games = [Game.from_position(ahead, repetition=holds) for holds in (True, False)]
    for game in games:
        for action in ("h2-i2", "e8-f8", "i2-h2", "f8-e8"):
            game.play(action)
    assert [len(Question.about(game, level=5).actions) for game in games] == [4, 0]


def test_what_happened_before_the_last_progress_is_left_out() -> None:
    rules = cyvasse.rule_set("nine-tile")
    game = Game.from_position(rules.random_position(seed=3))
    while game.position.quiet_turns != 0 or game.ply < 10:
        captures = [action for action in game.legal_actions() if "x" in str(action)]
        game.play((captures or game.legal_actions())[0])
    assert Question.about(game, level=5).actions == []


def test_the_worker_ends_in_the_middle_of_a_thought() -> None:
    worker = Worker(
        "import time; from cyvasse.server import botworker;"
        "botworker._answer = lambda line: time.sleep(600);"
        "botworker.main()"
    )
    worker.ask(question().line())
    assert worker.end() == (0, b"")


def test_what_goes_wrong_is_told_without_the_board() -> None:
    worker = Worker("from cyvasse.server import botworker; botworker.main()")
    asked = question()
    worker.ask(asked._replace(actions=[asked.think().code] * 2).line())
    told = json.loads(worker.stdout.readline())
    assert told.startswith("IllegalActionError in ")
    assert str(asked.think()) not in told
    worker.ask(asked.line())  # nothing is broken
    assert json.loads(worker.stdout.readline()) == asked.think().code
    assert worker.end() == (0, b"")
