"""Where setups meet: quick games between them, each played once and remembered.

A game is known by its two setups and its number, and the journal keeps its result.  So a program
that asks for games and decides by their results can be started again: it takes the same decisions
in no time and carries on where it stopped.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cyvasse.engine.journal import Journal
from cyvasse.engine.player import Engine
from cyvasse.engine.selfplay import Workers, new_game, play_out
from cyvasse.notation import parse_setup
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup

NODES = 400
# A look searches this many times the nodes of a game's action, and is never surer than this.
LOOK_NODES = 4
MOST_SEEN = 1000
# The first numbers of a pairing's games are kept for the table: no one shall be chosen by them.
FRESH = 64
RATING_ROUNDS = 40


class Task(NamedTuple):
    """A game, or only a look at its start.  Setups are given as texts for White.

    The number tells who has White and who begins; games of different numbers differ.
    """

    row: str
    column: str
    number: int
    look: bool = False

    @property
    def row_color(self) -> Color:
        """Who plays the row's setup."""
        return BLACK if self.number & 1 else WHITE

    def start(self, rules: RuleSet) -> tuple[Setup, Setup, Color]:
        """White's setup, Black's setup and who begins."""
        white, black = parse_setup(self.row), parse_setup(self.column)
        if self.row_color is BLACK:
            white, black = black, white
        return white, rules.turned_setup(black), BLACK if self.number & 2 else WHITE


def answer(rules_id: str, nodes: int, seed: int, task: Task) -> float:
    """The row's score in a game; for a look, what a short search thinks of the row's position."""
    rules = rule_set(rules_id)
    game = new_game(rules, *task.start(rules))
    engine = Engine(megabytes=1)
    if task.look:
        *_, analysis = engine.analyse(game, nodes=nodes * LOOK_NODES)
        score = max(-MOST_SEEN, min(MOST_SEEN, analysis.score))
        return score if game.turn is task.row_color else -score
    chance = random.Random(f"{seed} {task.row} {task.column} {task.number}")
    white = play_out(game, (engine, engine), nodes, chance)
    return white if task.row_color is WHITE else 1 - white


class Arena:
    """Plays games and remembers them all."""

    def __init__(
        self,
        rules: RuleSet,
        workers: Workers,
        *,
        journal: Path | None = None,
        nodes: int = NODES,
        seed: int = 1,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """``watch`` is called after each game."""
        self.rules = rules
        self.nodes = nodes
        self.seed = seed
        self.results: list[tuple[str, str, float]] = []
        """Every game asked for: row, column, the row's score."""
        self.played = 0
        """How many of them were not remembered but played."""
        self._seconds = 0.0
        self._workers = workers
        self._watch = watch
        self._known: dict[Task, float] = {}
        self._numbers: dict[str, int] = {}
        self._trials: Counter[frozenset[str]] = Counter()
        heading = {"journal": "pool", "rule_set": rules.id, "nodes": nodes, "seed": seed}
        self._journal = Journal(journal, heading)
        texts: list[str] = []
        for entry in self._journal.entries:
            if isinstance(entry, str):
                texts.append(entry)
            else:
                row, column, number, look, result = entry
                self._known[Task(texts[row], texts[column], number, bool(look))] = result
        self._numbers = {text: number for number, text in enumerate(texts)}

    def ask(self, tasks: Sequence[Task]) -> list[float]:
        """The results of tasks; what is not known yet is played."""
        missing = [task for task in dict.fromkeys(tasks) if task not in self._known]
        start = time.monotonic()
        reply = partial(answer, self.rules.id, self.nodes, self.seed)
        for task, result in zip(missing, self._workers.answers(reply, missing), strict=True):
            self._known[task] = result
            places = [self._number(task.row), self._number(task.column)]
            self._journal.add([*places, task.number, int(task.look), result])
            self._watch()
        games = sum(not task.look for task in missing)
        if games:
            self.played += games
            self._seconds += time.monotonic() - start
        self.results += [
            (task.row, task.column, self._known[task]) for task in tasks if not task.look
        ]
        return [self._known[task] for task in tasks]

    def trial(self, candidates: Sequence[str], rivals: Sequence[str], games: int) -> list[float]:
        """The share of the points that each candidate takes from the rivals, the same for all."""
        tasks = []
        for candidate in candidates:
            others = [rival for rival in rivals if rival != candidate] or rivals
            tasks += [
                self._fresh_task(candidate, others[game // 2 % len(others)])
                for game in range(games)
            ]
        points = self.ask(tasks)
        return [sum(points[i : i + games]) / games for i in range(0, len(points), games)]

    def seconds_for(self, games: int) -> float:
        """How long so many games will take, as far as can be told."""
        return games * self._seconds / self.played if self.played else 0.0

    def _fresh_task(self, row: str, column: str) -> Task:
        """A game of these two that this run has not asked for yet."""
        pair = frozenset((row, column))
        self._trials[pair] += 1
        return Task(row, column, FRESH + self._trials[pair])

    def _number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self._numbers)
            self._journal.add(text)
        return self._numbers[text]


def ratings(results: Iterable[tuple[str, str, float]]) -> dict[str, float]:
    """The strength of each setup from games against whomever (Bradley and Terry).

    In a long run one of strength 3 takes three points from one of strength 1 for each that it
    loses.  Everyone also has a draw with an opponent of strength 1, so that a few lucky games do
    not make anybody invincible.

    >>> strengths = ratings([("a", "b", 1.0), ("b", "c", 1.0), ("b", "c", 0.5)])
    >>> sorted(strengths, key=strengths.__getitem__)
    ['c', 'b', 'a']
    """
    points: dict[str, float] = {}
    meetings: dict[str, Counter[str]] = {}
    for row, column, score in results:
        points[row] = points.get(row, 0.0) + score
        points[column] = points.get(column, 0.0) + 1 - score
        meetings.setdefault(row, Counter())[column] += 1
        meetings.setdefault(column, Counter())[row] += 1
    strengths = dict.fromkeys(meetings, 1.0)
    for _ in range(RATING_ROUNDS):
        strengths = {
            name: (points[name] + 0.5)
            / (
                1 / (strengths[name] + 1)
                + sum(games / (strengths[name] + strengths[other]) for other, games in met.items())
            )
            for name, met in meetings.items()
        }
    return strengths
