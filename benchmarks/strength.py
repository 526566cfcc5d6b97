"""How strong the engine and its levels are: the matches that docs/engine.md reports.

    python benchmarks/strength.py nine-tile --folder FOLDER [--jobs 2] [--only level]

Each match keeps its games in a file of the folder and goes on where it stopped; results that are
complete are added to ``results.jsonl`` there, one a line, and printed as rows of a table.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from pathlib import Path
from typing import NamedTuple

from cyvasse.engine.levels import LEVELS
from cyvasse.engine.match import MatchResult, run_match
from cyvasse.engine.statistics import Sprt
from cyvasse.rules import rule_set

STEP = Sprt(0.55, 0.65)  # what a level must prove against the one below it


class Pairing(NamedTuple):
    """A match to be played."""

    first: str
    second: str
    games: int
    sprt: Sprt | None = None


PAIRINGS = (
    Pairing("nodes:20000", "random", 200),
    Pairing("nodes:20000", "greedy", 200),
    Pairing("level:1", "random", 200),
    Pairing("level:1", "level:3", 200),
    *(Pairing(f"level:{n}", f"level:{n - 1}", 400, STEP) for n in sorted(LEVELS) if n > 1),
)


def row(result: MatchResult) -> str:
    """A row of the table in docs/engine.md."""
    score = result.score
    decision = ""
    if result.sprt is not None:
        decision = f"{result.decision or 'undecided'}, LLR {result.llr:.2f}"
    return (
        f"| {result.match.rules_id} | {result.match.first} | {result.match.second} | "
        f"{result.games} | {result.wins} | {result.draws} | {result.losses} | "
        f"{score.value:.1%} ({score.low:.1%} to {score.high:.1%}) | {decision} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rule_set", nargs="+")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="matches whose players begin with this")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.rule_set:
        for pairing in PAIRINGS:
            if not pairing.first.startswith(options.only):
                continue
            players = f"{pairing.first}-{pairing.second}".replace(":", "")
            result = run_match(
                rule_set(name),
                pairing.first,
                pairing.second,
                games=pairing.games,
                seed=options.seed,
                jobs=options.jobs,
                sprt=pairing.sprt,
                out=options.folder / f"{name}-{players}.games",
            )
            print(row(result), flush=True)
            with (options.folder / "results.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(result.document()) + "\n")


if __name__ == "__main__":
    main()
