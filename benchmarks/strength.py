"""How strong the engine is: the matches that docs/engine.md reports.  levels.py has its levels.

    python benchmarks/strength.py nine-tile --folder FOLDER [--jobs 2]

Each match keeps its games in a file of the folder and goes on where it stopped; results that are
complete are added to ``results.jsonl`` there, one a line, and printed as rows of a table.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from pathlib import Path
from typing import NamedTuple

from cyvasse.engine.match import MatchResult, run_match
from cyvasse.rules import rule_set


class Pairing(NamedTuple):
    """A match to be played."""

    first: str
    second: str
    games: int


PAIRINGS = (
    Pairing("nodes:20000", "random", 200),
    Pairing("nodes:20000", "greedy", 200),
)


def row(result: MatchResult) -> str:
    """A row of the table in docs/engine.md."""
    score = result.score
    return (
        f"| {result.match.rules_id} | {result.match.first} | {result.match.second} | "
        f"{result.games} | {result.wins} | {result.draws} | {result.losses} | "
        f"{score.value:.1%} ({score.low:.1%} to {score.high:.1%}) |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rule_set", nargs="+")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.rule_set:
        for pairing in PAIRINGS:
            players = f"{pairing.first}-{pairing.second}".replace(":", "")
            result = run_match(
                rule_set(name),
                pairing.first,
                pairing.second,
                games=pairing.games,
                seed=options.seed,
                jobs=options.jobs,
                out=options.folder / f"{name}-{players}.games",
            )
            print(row(result), flush=True)
            with (options.folder / "results.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(result.document()) + "\n")


if __name__ == "__main__":
    main()
