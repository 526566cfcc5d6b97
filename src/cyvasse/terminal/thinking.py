"""Thinking in the background: the screen never waits for the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cyvasse.engine import Engine
from cyvasse.game import Game

Answer = TypeVar("Answer")


class Thought(Generic[Answer]):
    """One question to the engine, in a thread of its own.

    ``answered`` is called from that thread with the answer, or with the exception that came
    instead; after ``drop`` it is not called any more.  The thread never keeps the program from
    ending.
    """

    def __init__(
        self,
        engine: Engine,
        question: Callable[[Engine, Game], Answer],
        game: Game,
        answered: Callable[[Answer | Exception], None],
    ) -> None:
        self._engine = engine
        self._question = question
        self._game = game.copy()
        self._answered = answered
        self._dropped = threading.Event()
        self._thread = threading.Thread(target=self._think, daemon=True)
        self._thread.start()

    def hurry(self) -> None:
        """Answer with what was found so far."""
        self._engine.stop()

    def drop(self) -> None:
        """Forget the question."""
        self._dropped.set()
        self._engine.stop()

    def wait(self) -> None:
        """Wait for the answer."""
        self._thread.join()

    def _think(self) -> None:
        answer: Answer | Exception
        try:
            answer = self._question(self._engine, self._game)
        except Exception as error:
            answer = error
        if not self._dropped.is_set():
            self._answered(answer)
