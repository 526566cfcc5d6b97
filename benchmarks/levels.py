"""How strong the levels are: the matches between them, and a newcomer who always plays the hint.

    nice -n 15 python benchmarks/levels.py [--rule-set nine-tile …] [--levels 1 2 3 …]
        [--jobs 1] [--folder benchmarks/results]

Each match keeps its games in a file of the folder and goes on where it stopped.  What is complete
is a line of ``levels.jsonl`` there and is not played again, unless a level has changed since;
``python -m tests.goldens documents`` puts it into docs/engine.md.  Cheap matches come first, in all
rule sets.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cyvasse.engine.levels import HINT_LEVEL, LEVELS
from cyvasse.engine.match import play_game, run_match
from cyvasse.engine.opponents import player_of
from cyvasse.engine.starts import draw_start
from cyvasse.engine.statistics import Sprt
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.terms import BLACK, WHITE

FOLDER = Path(__file__).parent / "results"
STEP = Sprt(0.55, 0.65)  # what a level must prove against the one below it
SEED = 1


class Pairing(NamedTuple):
    """A match to be played."""

    level: int
    against: str
    games: int
    sprt: Sprt | None = None

    @property
    def players(self) -> tuple[str, str]:
        return f"level:{self.level}", self.against


PAIRINGS = (
    Pairing(1, "greedy", 200),
    Pairing(1, "random", 200),
    Pairing(2, "greedy", 200),
    *(Pairing(level, f"level:{level - 1}", 400, STEP) for level in sorted(LEVELS) if level > 1),
)
HINT = "hint"
"""What stands for the newcomer in the results."""


def known(folder: Path) -> list[dict[str, Any]]:
    """The results that are there."""
    path = folder / "levels.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def prints(rules_id: str, *players: str) -> str:
    """It changes with the players' limits and weights."""
    return " ".join(player_of(each).fingerprint(rule_set(rules_id)) for each in players)


def current(folder: Path) -> Iterator[dict[str, Any]]:
    """The results that still hold, in the order of the table."""
    found = {(r["rule_set"], r["first"], r["second"], r["fingerprints"]): r for r in known(folder)}
    for rules in rule_sets():
        for first, second in [*(each.players for each in PAIRINGS), (HINT, "level:1")]:
            players = (f"level:{HINT_LEVEL}" if first == HINT else first), second
            result = found.get((rules.id, first, second, prints(rules.id, *players)))
            if result is not None:
                yield result


def play(rules_id: str, pairing: Pairing, folder: Path, jobs: int) -> dict[str, Any]:
    """One match, to its end."""
    first, second = pairing.players
    name = f"{rules_id}-{first}-{second}".replace(":", "")
    result = run_match(
        rules_id,
        first,
        second,
        games=pairing.games,
        seed=SEED,
        jobs=jobs,
        sprt=pairing.sprt,
        out=folder / f"{name}.games",
    )
    return {**result.document(), "fingerprints": prints(rules_id, first, second)}


def newcomer(rules_id: str) -> dict[str, Any]:
    """The first game of somebody who always plays the hint: White, who begins, against level 1."""
    rules = rule_set(rules_id)
    players = f"level:{HINT_LEVEL}", "level:1"
    start = draw_start(rules, "pool", SEED)._replace(first=WHITE)
    seats = dict(
        zip((WHITE, BLACK), (player_of(each).meet(rules, SEED) for each in players), strict=True)
    )
    game = play_game(rules, seats, start, {})
    outcome = game.outcome()
    assert outcome is not None
    return {
        "rule_set": rules_id,
        "first": HINT,
        "second": "level:1",
        "won": outcome.winner is WHITE,
        "outcome": str(outcome),
        "turns": len(game.turns()),
        "fingerprints": prints(rules_id, *players),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rule-set", nargs="+", default=[rules.id for rules in rule_sets()])
    parser.add_argument("--levels", nargs="+", type=int, default=sorted(LEVELS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    def keep(result: dict[str, Any]) -> None:
        print(json.dumps(result), flush=True)
        with (options.folder / "levels.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")

    def is_known(rules_id: str, first: str, second: str) -> bool:
        return any(
            (result["rule_set"], result["first"], result["second"]) == (rules_id, first, second)
            for result in current(options.folder)
        )

    for rules_id in options.rule_set:
        if 1 in options.levels and not is_known(rules_id, HINT, "level:1"):
            keep(newcomer(rules_id))
    for pairing in sorted(PAIRINGS, key=lambda each: each.level):
        for rules_id in options.rule_set:
            if pairing.level in options.levels and not is_known(rules_id, *pairing.players):
                keep(play(rules_id, pairing, options.folder, options.jobs))


if __name__ == "__main__":
    main()
