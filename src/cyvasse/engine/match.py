"""Matches: two players, pairs of games on the same setups with the players swapped.

A pair follows from the match and its number alone, whoever plays it and when: setups, lot and the
seeds of the players are drawn from them.  So a match can be spread over processes, stopped and
taken up again, and its result stays the same.

    >>> result = run_match("nine-tile", "greedy", "random", games=4, seed=1)
    >>> result.games, result.wins + result.draws + result.losses
    (4, 4)

With ``jobs`` above 1 the games run in processes of their own; a script that asks for that needs
the usual ``if __name__ == "__main__":`` around what it does.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import random
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from cyvasse.engine.interrupts import ignore_interrupts, starting_children
from cyvasse.engine.matchfile import MatchFile, fingerprint
from cyvasse.engine.opponents import Player, PlayerText, player_of
from cyvasse.engine.starts import SETUP_SOURCES, Start, starts_of
from cyvasse.engine.statistics import (
    Decision,
    Interval,
    Sprt,
    elo_interval,
    score_interval,
)
from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.notation import write_game
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, in_words

LONGEST_GAME = 2000
"""Actions after which a game counts as drawn.  P2 and P3 should end every game long before."""
EVENT = "cyvasse match"
STARTS = "distinct"
"""How the starts of a match are drawn: a file from before they were is not gone on with."""
# Pairs are handed out this far ahead, so that nobody waits for a pair that takes long.
_AHEAD = 4


class PlayedPair(NamedTuple):
    """Two finished games."""

    number: int
    texts: tuple[str, str]
    """Their game files."""
    points: tuple[float, float]
    """What the first player got in each."""
    games: tuple[str, str]
    """Short texts that are the same for the same games."""


@dataclass(frozen=True)
class Match:
    """What is played: everything that decides how its games go."""

    rules_id: str
    first: PlayerText
    second: PlayerText
    seed: int
    setups: str
    fingerprints: str
    """They change with what the texts of the players do not tell: weights and levels."""

    def tags(self, pair: int, game: int) -> dict[str, str]:
        """The words with which a game file says which game of which match it is."""
        white, black = (self.first, self.second) if game == 1 else (self.second, self.first)
        return {
            "Event": EVENT,
            "White": white.text,
            "Black": black.text,
            "Seed": str(self.seed),
            "Setups": self.setups,
            "Starts": STARTS,
            "Fingerprints": self.fingerprints,
            "Pair": str(pair),
            "Game": str(game),
        }

    def number(self, *words: object) -> int:
        """A number drawn from the seed for one purpose."""
        return random.Random(" ".join(str(word) for word in (self.seed, *words))).getrandbits(62)

    def start(self, pair: int) -> Start:
        """The setups of a pair and who begins: no other pair has the same."""
        return starts_of(self.rules_id, self.setups, self.seed).of(pair)


@dataclass(frozen=True)
class MatchResult:
    """How a match stands.  Scores and Elo are the first player's."""

    match: Match
    sprt: Sprt | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    """How many pairs brought 0, ½, 1, 1½ and 2 points."""
    different: frozenset[str] = frozenset()
    """Each game once, as ``fingerprint`` tells it from others."""

    @property
    def distinct(self) -> int:
        """How many different games have been played."""
        return len(self.different)

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> Interval:
        """The part of the points, 0 to 1, with its 95 % bounds."""
        return score_interval(self.pairs)

    @property
    def elo(self) -> Interval:
        """The Elo difference with its 95 % bounds; infinite where nothing was lost, or won."""
        return elo_interval(self.pairs)

    @property
    def llr(self) -> float | None:
        """The log-likelihood ratio of the test, if there is one."""
        return None if self.sprt is None else self.sprt.llr(self.pairs)

    @property
    def decision(self) -> Decision | None:
        """What the test has decided."""
        return None if self.sprt is None else self.sprt.decision(self.pairs)

    def plus(self, points: Sequence[float], games: Sequence[str]) -> MatchResult:
        """The result with one more pair."""
        pairs = list(self.pairs)
        pairs[round(2 * sum(points))] += 1
        return replace(
            self,
            wins=self.wins + points.count(1.0),
            draws=self.draws + points.count(0.5),
            losses=self.losses + points.count(0.0),
            pairs=tuple(pairs),
            different=self.different.union(games),
        )

    def document(self) -> dict[str, Any]:
        """Everything as plain data; what is infinite is None, since JSON has no word for it."""
        document = {
            "rule_set": self.match.rules_id,
            "first": self.match.first.text,
            "second": self.match.second.text,
            "seed": self.match.seed,
            "setups": self.match.setups,
            "games": self.games,
            "distinct_games": self.distinct,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": list(self.pairs),
            "score": _finite(self.score),
            "elo": _finite(self.elo),
        }
        if self.sprt is not None:
            document["sprt"] = {
                **self.sprt._asdict(),
                "llr": self.llr,
                "lower": self.sprt.lower,
                "upper": self.sprt.upper,
                "decision": self.decision,
            }
        return document

    def __str__(self) -> str:
        match, score, elo = self.match, self.score, self.elo
        counts = ", ".join(
            f"{n} with {points}"
            for n, points in zip(self.pairs, ("0", "½", "1", "1½", "2"), strict=True)
        )
        players = f"{match.first} against {match.second}"
        lines = [
            f"{match.rules_id}: {players}, seed {match.seed}, setups: {match.setups}",
            f"{self.games} games: {self.wins} won, {self.draws} drawn, {self.losses} lost",
            f"different games: {self.distinct}",
            f"pairs by points: {counts}",
            f"score {score.value:.1%} (95 %: {score.low:.1%} to {score.high:.1%})",
            f"Elo {elo.value:+.0f} (95 %: {elo.low:+.0f} to {elo.high:+.0f})",
        ]
        if self.sprt is not None:
            verdict = f"{self.decision} accepted" if self.decision else "undecided"
            lines.append(
                f"SPRT, H0 {self.sprt.h0:.0%} against H1 {self.sprt.h1:.0%}: {verdict}, "
                f"LLR {self.llr:.2f} ({self.sprt.lower:.2f} to {self.sprt.upper:.2f})"
            )
        return "\n".join(lines)


def run_match(
    rules: RuleSet | str,
    first: str,
    second: str,
    *,
    games: int = 100,
    seed: int = 1,
    jobs: int = 1,
    sprt: Sprt | tuple[float, float] | None = None,
    out: str | Path | None = None,
    setups: str = "pool",
    on_pair: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play a match; ``cyvasse.engine.opponents`` tells how players are written.

    With ``sprt`` it ends early, at the first pair after which the test decides.  ``out`` is a file
    to which the games are added; a match that it holds in part goes on where it stopped.
    ``on_pair`` is told how the match stands, once at the beginning and after each pair.

    >>> print(run_match("nine-tile", "random", "random", games=4, setups="named"))
    nine-tile: random against random, seed 1, setups: named
    4 games: 2 won, 0 drawn, 2 lost
    different games: 4
    pairs by points: 0 with 0, 0 with ½, 2 with 1, 0 with 1½, 0 with 2
    score 50.0% (95 %: 19.1% to 80.9%)
    Elo +0 (95 %: -251 to +251)
    """
    match = _checked_match(rules, first, second, games, seed, jobs, setups)
    result = MatchResult(match, None if sprt is None else Sprt(*sprt).checked())
    file = None if out is None else MatchFile(Path(out), match.rules_id, match.tags)
    done = 0
    for points, played_games in [] if file is None else file.pairs[: games // 2]:
        if result.decision is None:
            done += 1
            result = result.plus(points, played_games)
    if on_pair:
        on_pair(result)
    if result.decision is not None or 2 * done == games:
        return result
    with closing(_play_pairs(match, range(done + 1, games // 2 + 1), jobs)) as played:
        for pair in played:
            if file is not None:
                file.append(pair.texts)
            result = result.plus(pair.points, pair.games)
            if on_pair:
                on_pair(result)
            if result.decision is not None:
                break
    return result


def play_game(
    rules: RuleSet, players: Mapping[Color, Player], start: Start, tags: Mapping[str, str]
) -> Game:
    """One game between two players, to its end."""
    game = Game(rules, tags=tags)
    for color in Color:
        game.submit(color, start.setups[color])
        if color in start.names:
            game.tags[f"{color.title}SetupName"] = start.names[color]
    game.lift_screen(start.first)
    while game.outcome() is None:
        if game.ply == LONGEST_GAME:
            game.comments[game.ply] = f"stopped after {LONGEST_GAME} actions"
            game.agree_draw()
            break
        player = players[game.turn]
        if player.gives_up(game):
            game.resign(game.turn)
        else:
            game.play(player.choose(game))
    return game


def play_pair(match: Match, number: int) -> PlayedPair:
    """The two games of a pair: the first player has White in the first and Black in the second."""
    rules = rule_set(match.rules_id)
    start = match.start(number)
    texts = []
    points = []
    games = []
    for which in (1, 2):
        own = WHITE if which == 1 else BLACK
        players = {
            own: match.first.meet(rules, match.number(number, which, "first")),
            own.other: match.second.meet(rules, match.number(number, which, "second")),
        }
        game = play_game(rules, players, start, match.tags(number, which))
        outcome = game.outcome()
        assert outcome is not None
        texts.append(write_game(game))
        points.append(0.5 if outcome.winner is None else float(outcome.winner is own))
        games.append(fingerprint(game))
    return PlayedPair(number, (texts[0], texts[1]), (points[0], points[1]), (games[0], games[1]))


# --- spreading the work ---------------------------------------------------------------------------


def _play_pairs(match: Match, numbers: range, jobs: int) -> Generator[PlayedPair, None, None]:
    """The pairs in their order, whichever is finished first."""
    if jobs == 1:
        return (play_pair(match, number) for number in numbers)
    return _in_parallel(match, numbers, min(jobs, len(numbers)))


def _in_parallel(match: Match, numbers: range, jobs: int) -> Generator[PlayedPair, None, None]:
    others = multiprocessing.active_children()
    # Not forked: the caller may have threads, such as one that draws a progress bar.
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), initializer=ignore_interrupts
    )
    rest = iter(numbers)
    waiting: deque[Future[PlayedPair]] = deque()
    try:
        while True:
            with starting_children():
                for number in itertools.islice(rest, _AHEAD * jobs - len(waiting)):
                    waiting.append(pool.submit(play_pair, match, number))
            if not waiting:
                return
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise CyvasseError(
            "a process that played games has died; the pairs before are kept"
        ) from None
    finally:
        # Whoever stops early does not want to wait for games that nobody counts.
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        pool.shutdown(cancel_futures=True)


# --- details --------------------------------------------------------------------------------------


def _checked_match(
    rules: RuleSet | str, first: str, second: str, games: int, seed: int, jobs: int, setups: str
) -> Match:
    if type(games) is not int or games < 2 or games % 2:
        raise CyvasseError(f"games come in pairs: an even number, not {games!r:.20}")
    if type(jobs) is not int or jobs < 1:
        raise CyvasseError(f"jobs is {jobs!r:.20}, not a number of processes")
    if type(seed) is not int:
        raise CyvasseError(f"the seed is {seed!r:.20}, not a whole number")
    if setups not in SETUP_SOURCES:
        raise CyvasseError(f"setups come from {in_words(SETUP_SOURCES, 'or')}, not {setups!r:.20}")
    rules = rule_set(rules)
    players = player_of(first), player_of(second)
    fingerprints = " ".join(player.fingerprint(rules) for player in players)
    return Match(rules.id, *players, seed, setups, fingerprints)


def _finite(interval: Interval) -> dict[str, float | None]:
    return {
        name: value if math.isfinite(value) else None for name, value in interval._asdict().items()
    }
