"""A bot's mind in a process of its own: reads questions from stdin and answers them on stdout.

Both sides speak JSON, one value a line.  The worker first says ``"ready"``; its answer is the
number of an action, or a text if something went wrong.  It ends when its stdin does, in the middle
of a thought too, so that it never outlives the server.

``python -m cyvasse.server.botworker`` is that process.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from cyvasse import (
    Action,
    CyvasseError,
    Engine,
    Game,
    GameOverError,
    NothingToUndoError,
    Position,
    parse_position,
    rule_sets,
)
from cyvasse.engine import LEVELS
from cyvasse.engine.weights import tuned_weights

READY = "ready"
NICENESS = 10


class Question(NamedTuple):
    """What shall a bot play?  As much of the game as the engine can tell from the whole.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    >>> question = Question.about(Game.from_position(position), level=5)
    >>> question.game().position == position
    True
    >>> position.is_legal(question.think())
    True
    """

    start: str
    """The position after the last progress."""
    actions: list[int]
    """The numbers of what was played since."""
    repetition: bool
    quiet: bool
    level: int
    seconds: float | None = None

    @classmethod
    def about(cls, game: Game, level: int, seconds: float | None = None) -> Question:
        """The question for the player to act in a game that goes on."""
        if level not in LEVELS:
            raise CyvasseError(f"level is {level!r}; the levels are 1 to {max(LEVELS)}")
        start = game.position
        outcome = game.outcome()
        if outcome is not None:
            raise GameOverError(f"nothing to choose: {outcome}")
        # Nothing from before the last progress can come again, and for P3 the count is enough.
        actions = _go_back(start, start.quiet_turns if game.repetition else -1)
        return cls(start.text(), actions, game.repetition, game.quiet, level, seconds)

    def game(self) -> Game:
        """A game in which the engine chooses as in the one that was asked about."""
        start = parse_position(self.start)
        game = Game.from_position(start, repetition=self.repetition, quiet=self.quiet)
        for code in self.actions:
            game.play(Action(code, start.board))
        return game

    def think(self, nodes: int | None = None) -> Action:
        """The engine's answer.  Its mistakes are drawn anew each time: nobody can foresee them."""
        return Engine(self.level).choose(self.game(), nodes=nodes, seconds=self.seconds)

    def line(self) -> bytes:
        """The question as it is sent."""
        return json.dumps(self).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> Question:
        """The question that a line holds."""
        return cls(*json.loads(line))


def main() -> None:
    """Answer questions until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    _step_back()
    for rules in rule_sets():
        tuned_weights(rules)  # so that the first question does not wait for them
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        _say(READY)
        while True:
            _say(_answer(lines.get()))
    os._exit(0)  # the listening thread is not to be waited for


def _go_back(position: Position, turns: int) -> list[int]:
    """Undo so many turns, or as many as there are: the numbers of what was undone, in order."""
    undone: list[int] = []
    begun = 0 if position.in_turn else 1
    with contextlib.suppress(NothingToUndoError):
        while begun <= turns:
            undone.append(position.undo().code)
            begun += not position.in_turn
    undone.reverse()
    return undone


def _step_back() -> None:
    """Leave the processor to the server when both want it."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Where Linux schedules by sessions niceness counts only within one, and this has its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def _listen(lines: SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def _answer(line: bytes) -> int | str:
    try:
        return Question.read(line).think().code
    except Exception as error:
        # Where, but not what: the message could tell of the board.
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {place.name}, line {place.lineno}"


def _say(answer: int | str) -> None:
    os.write(sys.stdout.fileno(), json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main()
