"""The setups that the bot plays: a pool for each rule set, drawn so that nobody can prepare for it.

``cyvasse pool`` finds the pools; they are data beside this module.  A pool holds the results of its
setups against each other and a probability for each, near the equilibrium of these results.
"""

from __future__ import annotations

import json
import random
import secrets
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from cyvasse.notation import parse_setup, write_setup
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import WHITE, Color, Setup
from cyvasse.wholefiles import write_whole


class Result(NamedTuple):
    """What one setup has achieved against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points; a half where nothing was played."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def plus(self, score: float) -> Result:
        """With one more game."""
        return Result(
            self.wins + (score == 1), self.draws + (score == 0.5), self.losses + (score == 0)
        )

    @property
    def reversed(self) -> Result:
        """As the other setup sees it."""
        return Result(self.losses, self.draws, self.wins)


Results = tuple[tuple[Result, ...], ...]


class Pool(NamedTuple):
    """Setups for White with how often to play each of them."""

    names: tuple[str, ...]
    setups: tuple[Setup, ...]
    weights: tuple[float, ...]
    """Probabilities: together they are 1."""
    results: Results
    """Row against column; nothing was played on the diagonal."""
    about: dict[str, Any]
    """How it was found: nodes an action, games, exploitability …"""


def choose_setup(
    rules: RuleSet | str, color: Color | str = WHITE, *, seed: int | None = None
) -> Setup:
    """A good setup, drawn from the pool; without a seed nobody can foresee which.

    >>> import cyvasse
    >>> rules = cyvasse.rule_set("nine-tile")
    >>> rules.check_setup(choose_setup(rules, "black", seed=3))
    []
    """
    rules = rule_set(rules)
    chance = secrets.SystemRandom() if seed is None else random.Random(seed)
    found = pool(rules)
    if not found.setups:
        return rules.random_setup(color, chance)
    (setup,) = chance.choices(found.setups, found.weights)
    return (
        rules.canonical_setup(setup) if Color.parse(color) is WHITE else rules.turned_setup(setup)
    )


@cache
def pool(rules: RuleSet) -> Pool:
    """The pool of a rule set; its named setups, all alike, if none has been found yet."""
    file = files("cyvasse.engine") / "data" / f"{rules.id}-setups.json"
    if file.is_file():
        return read_pool(file.read_text(encoding="utf-8"))
    named = rules.named_setups(WHITE)
    number = len(named)
    return Pool(
        tuple(named),
        tuple(named.values()),
        (1 / number,) * number if number else (),
        ((Result(),) * number,) * number,
        {},
    )


def read_pool(text: str) -> Pool:
    """The pool that a data file describes."""
    data = json.loads(text)
    members = data["setups"]
    return Pool(
        tuple(member["name"] for member in members),
        tuple(parse_setup(member["setup"]) for member in members),
        tuple(member["probability"] for member in members),
        tuple(tuple(Result(*result) for result in row) for row in data["results"]),
        data["about"],
    )


def write_pool(path: Path, found: Pool) -> None:
    """Write a data file: one setup a line, then one row of results a line."""
    members = [
        json.dumps({"name": name, "probability": round(weight, 6), "setup": write_setup(setup)})
        for name, setup, weight in zip(found.names, found.setups, found.weights, strict=True)
    ]
    rows = [json.dumps(row, separators=(",", ":")) for row in found.results]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(
        path,
        "{\n"
        f'"about": {json.dumps(found.about)},\n'
        f'"setups": [\n{_lines(members)}\n],\n'
        f'"results": [\n{_lines(rows)}\n]\n'
        "}\n",
    )


def _lines(items: list[str]) -> str:
    return ",\n".join(f"  {item}" for item in items)
