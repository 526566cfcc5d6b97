"""``cyvasse stats``: results, ends, lengths and choices over many games."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from cyvasse.cli.gamefiles import (
    BAD,
    GOOD,
    UNREADABLE,
    CannotReadError,
    Files,
    GameFile,
    ReadingProgress,
    find_files,
    number_of,
    place,
    reading_progress,
)
from cyvasse.errors import NotationError
from cyvasse.game import Game
from cyvasse.notation.gamewords import RESULTS
from cyvasse.rules import rule_sets
from cyvasse.rules.perft import perft

_NAMES = dict(zip(RESULTS, ("white", "black", "draw", "unfinished"), strict=True))


class Summary:
    """What is counted over the games of a rule set; its size does not grow with their number."""

    def __init__(self) -> None:
        self.games = 0
        self.results: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.turns: Counter[int] = Counter()
        self.actions: Counter[int] = Counter()
        self.by_first = 0
        """Games won by the player who began."""
        self.choices = 0
        """Legal actions, added up over all actions that were played …"""
        self.first_choices = 0
        """… and over those with which turns began."""

    def add(self, game: Game) -> None:
        """Count a game."""
        self.games += 1
        outcome = game.outcome()
        self.results[_NAMES[outcome.result if outcome else "*"]] += 1
        if outcome:
            self.ends[str(outcome.end)] += 1
        if not game.screen_lifted:
            self.turns[0] += 1
            self.actions[0] += 1
            return
        position = game.start
        self.by_first += outcome is not None and outcome.winner is position.turn
        turns = 0
        for action in game.actions:
            choices = perft(position, 1)
            self.choices += choices
            if not position.in_turn or not turns:
                self.first_choices += choices
                turns += 1
            position.play(action)
        self.turns[turns] += 1
        self.actions[game.ply] += 1

    def document(self) -> dict[str, Any]:
        """Everything as plain data."""
        turns, actions = (_total(lengths) for lengths in (self.turns, self.actions))
        decided = self.games - self.results["unfinished"]
        return {
            "games": self.games,
            "results": {name: self.results[name] for name in _NAMES.values()},
            "won_by_first": round(self.by_first / decided, 4) if decided else None,
            "ends": dict(self.ends.most_common()),
            "turns": quartiles(self.turns),
            "actions": quartiles(self.actions),
            "choices_per_turn": round(self.first_choices / turns, 2) if turns else None,
            "choices_per_action": round(self.choices / actions, 2) if actions else None,
        }


def _total(lengths: Counter[int]) -> int:
    return sum(length * number for length, number in lengths.items())


def quartiles(lengths: Counter[int]) -> dict[str, float]:
    """The shortest, the quartiles and the longest of some lengths, counted by length.

    >>> quartiles(Counter([4, 1, 3, 2, 5]))
    {'least': 1, 'lower': 2, 'median': 3, 'upper': 4, 'most': 5, 'mean': 3.0}
    """
    number = lengths.total()
    ordered = sorted(lengths)

    def at(rank: int) -> int:
        seen = 0
        for length in ordered:
            seen += lengths[length]
            if seen > rank:
                return length
        return ordered[-1]

    return {
        "least": ordered[0],
        "lower": at((number - 1) // 4),
        "median": at((number - 1) // 2),
        "upper": at(3 * (number - 1) // 4),
        "most": ordered[-1],
        "mean": round(_total(lengths) / number, 2),
    }


def stats(
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Count results, ends, lengths and choices of many games, by rule set.

    Games that cannot be read are told on stderr and left out; the exit code is 1 then, and 2 if a
    file cannot be read.
    """
    found = find_files(files)
    summaries = {rules.id: Summary() for rules in rule_sets()}
    code = GOOD
    with reading_progress(found) as progress:
        for file in found:
            try:
                _count(file, summaries, progress)
            except CannotReadError as error:
                print(f"cyvasse: {error}", file=sys.stderr)
                code = UNREADABLE
    counted = {name: summary.document() for name, summary in summaries.items() if summary.games}
    problems = sum(file.problems for file in found)
    if as_json:
        print(json.dumps({"files": len(found), "problems": problems, "rule_sets": counted}))
    else:
        _show(counted)
        games = sum(summary.games for summary in summaries.values())
        bad = f", {number_of(problems, 'problem')}" if problems else ""
        print(f"{number_of(len(found), 'file')}, {number_of(games, 'game')}{bad}")
    raise typer.Exit(code or (BAD if problems else GOOD))


def _count(file: GameFile, summaries: dict[str, Summary], progress: ReadingProgress) -> None:
    def report(problem: NotationError) -> None:
        print(place(file, problem), file=sys.stderr)

    for game in file.games(report):
        summaries[game.rules.id].add(game)
        progress.step(file)
    progress.end(file)


def _show(counted: dict[str, dict[str, Any]]) -> None:
    if not counted:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in counted:
        table.add_column(name, justify="right", no_wrap=True)
    for heading, cells in _rows(list(counted.values())):
        table.add_row(heading, *cells)
    Console(highlight=False, soft_wrap=True).print(table)


def _rows(counted: list[dict[str, Any]]) -> Iterable[tuple[str, list[str]]]:
    yield "games", [f"{each['games']:,}" for each in counted]
    for name in _NAMES.values():
        yield name, [_share(each["results"][name], each["games"]) for each in counted]
    yield "won by who began", [_percent(each["won_by_first"]) for each in counted]
    for end in dict.fromkeys(end for each in counted for end in each["ends"]):
        yield end, [_share(each["ends"].get(end, 0), each["games"]) for each in counted]
    for what in ("turns", "actions"):
        yield f"{what}, median", [f"{each[what]['median']:,}" for each in counted]
        yield (
            f"{what}, quartiles",
            [f"{each[what]['lower']:,}-{each[what]['upper']:,}" for each in counted],
        )
        yield (
            f"{what}, all",
            [f"{each[what]['least']:,}-{each[what]['most']:,}" for each in counted],
        )
    for key, heading in (
        ("choices_per_turn", "choices a turn"),
        ("choices_per_action", "choices an action"),
    ):
        yield heading, ["" if each[key] is None else f"{each[key]:.1f}" for each in counted]


def _share(number: int, games: int) -> str:
    return f"{number:,} ({number / games:.0%})" if number else "0"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"
