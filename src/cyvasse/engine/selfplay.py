"""Whole games that the engine plays against itself, quickly: for finding setups and for tuning."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from cyvasse.engine.analysis import Analysis
from cyvasse.engine.interrupts import ignore_interrupts, starting_children
from cyvasse.engine.player import Engine
from cyvasse.game import Game
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup

# A game is not played on once both sides have seen the same one so far ahead for so many actions.
DECIDED = 1500
STEADY = 6
# A game that takes too long, or goes on without progress for so many turns, is won by who is at
# least this far ahead, and otherwise drawn.
LONGEST_GAME = 400
MOST_QUIET = 50
AHEAD = 500

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def new_game(rules: RuleSet, white: Setup, black: Setup, first: Color) -> Game:
    """A game with the screen lifted; ``first`` begins where the rule set leaves it open."""
    game = Game(rules)
    game.submit(WHITE, white)
    game.submit(BLACK, black)
    game.lift_screen(rules.first_player or first)
    return game


def play_out(
    game: Game,
    engines: tuple[Engine, Engine],
    nodes: int,
    chance: random.Random,
    watch: Callable[[Game, Analysis], None] | None = None,
) -> float:
    """Play a game to its end: White's score, 1, ½ or 0.

    The nodes for an action vary by a quarter, so that no two games between the same setups are
    alike.  ``watch`` is shown what was thought before each action.
    """
    steady = white = 0
    while game.outcome() is None:
        if game.ply >= LONGEST_GAME or game.position.quiet_turns >= MOST_QUIET:
            return 0.5 if abs(white) < AHEAD else float(white > 0)
        budget = chance.randint(nodes * 3 // 4, nodes * 5 // 4)
        *_, analysis = engines[game.turn].analyse(game, nodes=max(1, budget))
        before, white = white, analysis.score if game.turn is WHITE else -analysis.score
        steady = steady + 1 if abs(white) >= DECIDED and white * before >= 0 else 0
        if steady >= STEADY:
            return float(white > 0)
        if watch is not None:
            watch(game, analysis)
        game.play(analysis.best)
    outcome = game.outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner is WHITE)


class Workers:
    """Several processes that answer tasks in order; one process is this one."""

    def __init__(self, jobs: int = 1) -> None:
        # Not forked: the caller may have threads, such as one that draws a progress bar.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(jobs, context, ignore_interrupts) if jobs > 1 else None

    def answers(self, answer: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """The answers to tasks, each as soon as it and those before it are there."""
        if self._pool is None:
            return map(answer, tasks)
        with starting_children():
            return self._pool.map(answer, tasks)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
