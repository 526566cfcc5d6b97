"""The engine as its users meet it: choose an action, analyse a position."""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Iterator, Mapping

from cyvasse.actions import Action
from cyvasse.engine.analysis import Analysis, Line
from cyvasse.engine.levels import ALL, Level, check_level, limits
from cyvasse.engine.search import LONGEST, SURE, WON, Search, check_position
from cyvasse.engine.table import TranspositionTable
from cyvasse.engine.weights import tuned_weights
from cyvasse.errors import CyvasseError, GameOverError
from cyvasse.game import Game
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet

DEEPEST = LONGEST // 2
DEFAULT_SECONDS = 1.0
LARGE = (9, 10)
"""Levels that look at so much that they need a large table."""
MOST_THREADS = 64
MOST_MEGABYTES = 1 << 16


class Engine:
    """A player.  ``level`` is 1 to 10; without it the engine plays as well as it can.

    ``seed`` makes the mistakes of the lower levels repeatable.  With one thread and a limit of
    nodes or depth the same position always gets the same answer, whatever was asked before.

    ``weights`` replace the tuned weights of the evaluation, by feature.
    """

    def __init__(
        self,
        level: int | None = None,
        *,
        seed: int | None = None,
        threads: int = 1,
        megabytes: int = 16,
        weights: Mapping[str, int] | None = None,
    ) -> None:
        if level is not None:
            check_level(level)
        _check_number("threads", threads, MOST_THREADS)
        _check_number("megabytes", megabytes, MOST_MEGABYTES)
        self.level = level
        self.threads = threads
        self._weights = weights
        self._seed = secrets.randbits(64) if seed is None else seed
        self._mood = random.Random(f"{self._seed}").getrandbits(32)
        if level is not None:
            megabytes = 16 if level in LARGE else 1
        self._table = TranspositionTable(megabytes)
        self._searches: list[Search] = []
        self._stopped = False

    def choose(
        self,
        position: Position | Game,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Action:
        """The action to play.

        A level keeps to its own limits; ``seconds`` may only shorten its thinking.  Full strength
        thinks for a second unless it is told otherwise.
        """
        here = position.position if isinstance(position, Game) else position
        check_position(here)
        level = self._limits(here.rules)
        lines = 1
        if level is not None:
            depth = min(level.depth, depth or level.depth)
            nodes = min(level.nodes, nodes or level.nodes)
            lines = level.lines
        elif depth is None and nodes is None and seconds is None:
            seconds = DEFAULT_SECONDS
        thoughts = self.analyse(position, depth=depth, nodes=nodes, seconds=seconds, lines=lines)
        legal = position.legal_actions()
        if len(legal) == 1:
            return legal[0]
        *_, analysis = thoughts
        if level is None:
            return analysis.best
        if level.blur:
            return self._waver(analysis, level, position)
        search = self._searches[0]
        wish = search.boldest() if level.bold else analysis.best.code
        return Action(search.safe(wish), analysis.best.board)

    def analyse(
        self,
        position: Position | Game,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
    ) -> Iterator[Analysis]:
        """What is found at depth 1, 2, 3 … until a limit is reached or the result is certain.

        Without a limit it ends at a certain result or when ``stop`` is called.
        """
        _check_limits(depth, nodes, seconds, lines)
        here = position.position if isinstance(position, Game) else position
        check_position(here)
        outcome = position.outcome()
        if outcome is not None:
            raise GameOverError(f"nothing to choose: {outcome}")
        repetition = position.repetition if isinstance(position, Game) else True
        quiet = position.quiet if isinstance(position, Game) else True
        return self._think(here, depth or DEEPEST, nodes, seconds, lines, repetition, quiet)

    def stop(self) -> None:
        """End what is being thought in another thread; what was found so far is its answer."""
        self._stopped = True
        for search in self._searches:
            search.stop()

    def _think(
        self,
        position: Position,
        depth: int,
        nodes: int | None,
        seconds: float | None,
        lines: int,
        repetition: bool,
        quiet: bool,
    ) -> Iterator[Analysis]:
        start = time.monotonic()
        rules: RuleSet = position.rules
        level = self._limits(rules)
        weights = tuned_weights(rules) if self._weights is None else self._weights
        self._stopped = False
        self._table.renew()
        self._searches = [
            Search(
                position,
                rules.evaluation(weights),
                self._table,
                repetition=repetition,
                quiet=quiet,
            )
            for _ in range(self.threads)
        ]
        first = self._searches[0]
        for search in self._searches:
            search.limit(nodes, None if seconds is None else start + seconds)
            if level is not None and min(level.own, level.later) < ALL:
                search.overlook(level.own, level.later, self._mood)
        faults: list[BaseException] = []
        helpers = [
            threading.Thread(target=_help, args=(first, search, depth, number, faults), daemon=True)
            for number, search in enumerate(self._searches[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        try:
            board = rules.board
            reported = False
            guess = 0
            for current in range(1, min(depth, DEEPEST) + 1):
                found = [] if self._stopped else first.deepen(current, lines, guess)
                if faults:
                    raise faults[0]
                if not found and not reported:
                    found = [(guess, [first.first_choice()])]
                if found and not (first.stopped and reported and len(found) < lines):
                    reported = True
                    guess = found[0][0]
                    yield Analysis(
                        current,
                        sum(search.nodes for search in self._searches),
                        time.monotonic() - start,
                        tuple(
                            Line(score, tuple(Action(code, board) for code in codes))
                            for score, codes in found
                        ),
                    )
                if self._stopped or first.stopped or _is_certain(found, current, lines):
                    break
        finally:
            for search in self._searches:
                search.stop()
            for helper in helpers:
                helper.join()

    def _limits(self, rules: RuleSet) -> Level | None:
        return None if self.level is None else limits(self.level, rules)

    def _waver(self, analysis: Analysis, level: Level, position: Position | Game) -> Action:
        """Choose one of the good actions as somebody would who misjudges them a little."""
        here = position.position if isinstance(position, Game) else position
        best = analysis.lines[0]
        if best.wins_in is not None:
            return analysis.best  # a win that is seen is taken, a loss is put off
        chance = random.Random(f"{self._seed} {here.hash}")
        blurred = [
            (line.score + chance.uniform(-level.blur, level.blur), line)
            for line in analysis.lines
            if line.score > -SURE
        ]
        return max(blurred, key=lambda pair: pair[0])[1].actions[0]


def analyse(
    position: Position | Game,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    lines: int = 1,
    threads: int = 1,
) -> Iterator[Analysis]:
    """Analyse at full strength; see ``Engine.analyse``.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    >>> [analysis.depth for analysis in analyse(position, depth=3)]
    [1, 2, 3]
    """
    return Engine(threads=threads).analyse(
        position, depth=depth, nodes=nodes, seconds=seconds, lines=lines
    )


def _help(
    first: Search, search: Search, depth: int, number: int, faults: list[BaseException]
) -> None:
    """Fill the table for the first thread, some iterations ahead of it."""
    guess = 0
    try:
        for current in range(1 + number % 2, min(depth + 1, DEEPEST) + 1):
            found = search.deepen(current, 1, guess)
            if search.stopped:
                return
            if found:
                guess = found[0][0]
    except BaseException as error:
        faults.append(error)
        first.stop()  # and raise it


def _is_certain(found: list[tuple[int, list[int]]], depth: int, lines: int) -> bool:
    """Whether looking deeper cannot change anything: the best line ends the game within sight.

    A win may hide behind a longer one, since actions that look late are searched less deep.
    """
    if lines > 1 or not found:
        return False
    distance = WON - abs(found[0][0])
    return distance <= 1 or depth >= 2 * distance + 2


def _check_number(name: str, number: object, most: int) -> None:
    if type(number) is not int or not 1 <= number <= most:
        raise CyvasseError(f"{name} is {number!r}, not a number from 1 to {most}")


def _check_limits(depth: int | None, nodes: int | None, seconds: float | None, lines: int) -> None:
    if depth is not None:
        _check_number("depth", depth, 1 << 30)
    if nodes is not None:
        _check_number("nodes", nodes, 1 << 60)
    if seconds is not None and (
        isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds >= 0
    ):
        raise CyvasseError(f"seconds is {seconds!r}, not a number of seconds")
    _check_number("lines", lines, 1 << 30)
