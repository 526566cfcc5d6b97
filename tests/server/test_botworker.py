"""The worker alone: it ends with its stdin, and tells nothing of the board."""

from __future__ import annotations

import subprocess
import sys
from typing import IO

import cyvasse
from cyvasse import Game
from cyvasse.server.bots import FAILURE, GREETING
from cyvasse.server.questions import Question


def question() -> Question:
    rules = cyvasse.rule_set("nine-tile")
    return Question.about(Game.from_position(rules.random_position(seed=1)), level=6)


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
        self.ask(GREETING)
        assert self.hear("readyok").startswith("id name cyvasse ")

    def ask(self, lines: str) -> None:
        self.stdin.write(lines.encode())
        self.stdin.flush()

    def hear(self, last: str) -> str:
        """Everything up to a line that begins with this."""
        told = ""
        for line in iter(self.stdout.readline, b""):
            told += line.decode()
            if line.startswith(last.encode()):
                return told
        raise AssertionError(f"it ended after {told!r}")

    def end(self) -> tuple[int, bytes]:
        """End its stdin: how it ended and what it still said anywhere."""
        said, complained = self.process.communicate(timeout=60)
        return self.process.returncode, said + complained


def test_the_worker_ends_in_the_middle_of_a_thought() -> None:
    worker = Worker(
        "import time, cyvasse; from cyvasse.server import botworker\n"
        "def choose(*_, **__):\n"
        "    print('info string thinking', flush=True)\n"
        "    while True: time.sleep(600)\n"
        "cyvasse.Engine.choose = choose\n"
        "botworker.main()"
    )
    worker.ask(question().commands())
    worker.hear("info string thinking")
    assert worker.end() == (0, b"")


def test_the_worker_ends_in_the_middle_of_a_command() -> None:
    worker = Worker(
        "import time; from cyvasse.engine import ugi; from cyvasse.server import botworker\n"
        "def read(text):\n"
        "    print('info string reading', flush=True)\n"
        "    while True: time.sleep(600)\n"
        "ugi.parse_position = read\n"
        "botworker.main()"
    )
    worker.ask(question().commands())
    worker.hear("info string reading")
    assert worker.end() == (0, b"")


def test_what_goes_wrong_is_told_without_the_board() -> None:
    worker = Worker("from cyvasse.server import botworker; botworker.main()")
    asked = question()
    best = asked.think()
    worker.ask(asked._replace(actions=[best] * 2).commands())
    told = worker.hear("info string error").strip()
    assert told.startswith("info string error: IllegalActionError in ")
    assert FAILURE.fullmatch(told)
    worker.hear("bestmove")
    worker.ask(asked.commands())  # nothing is broken
    assert worker.hear("bestmove") == f"bestmove {best}\n"
    assert worker.end() == (0, b"")


def test_a_bug_is_told_without_the_board() -> None:
    worker = Worker(
        "import cyvasse; from cyvasse.server import botworker\n"
        "def choose(self, game, **_): raise KeyError(game.position.text())\n"
        "cyvasse.Engine.choose = choose\n"
        "botworker.main()"
    )
    worker.ask(question().commands())
    told = worker.hear("bestmove").splitlines()
    assert told[0] == "info string error: the search has failed: KeyError in choose, line 2"
    assert FAILURE.fullmatch(told[0])
    assert worker.end() == (0, b"")
