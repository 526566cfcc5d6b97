"""Two builds of the package against each other in one run: perft, search, and reading of files.

    python benchmarks/builds.py OLD_PYTHON NEW_PYTHON [--json] [--rounds 7]

Each argument is the Python of an environment that has one of the builds.  Both stay open side by
side, and measure the same thing in turn, in CPU time; so whatever else the machine does meets both.
What is reported is the median over the rounds of new over old.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
POSITIONS = HERE / "positions.json"
CORPUS = HERE.parent / "tests" / "data" / "corpus"
PERFT_DEPTH = 3
NODES = 30_000  # for each position
SHORTEST = 0.2
WHAT = ("perft", "search", "files")


# --- a build: answers on stdout, one line for each line of stdin ----------------------------------


def serve() -> None:
    """Measure what each line asks for, as ``perft croft``, and print the rate."""
    works: dict[str, tuple[Callable[[], int], ...]] = {}
    for line in sys.stdin:
        what, rules = line.split()
        if line not in works:
            works[line] = MAKERS[what](rules)
        print(rate(works[line]), flush=True)


def rate(works: tuple[Callable[[], int], ...]) -> float:
    """How much is done in a second of CPU time; short work is done again and again."""
    start = time.process_time()
    done = 0
    while (spent := time.process_time() - start) < SHORTEST:
        done += sum(work() for work in works)
    return done / spent


def perfts(rules: str) -> tuple[Callable[[], int], ...]:
    import cyvasse

    positions = [cyvasse.parse_position(text) for text in json.loads(POSITIONS.read_text())[rules]]
    return tuple(partial(cyvasse.perft, position, PERFT_DEPTH) for position in positions)


def searches(rules: str) -> tuple[Callable[[], int], ...]:
    import cyvasse

    def search(position: cyvasse.Position) -> int:
        *_, last = cyvasse.Engine().analyse(position, nodes=NODES)
        return last.nodes

    positions = [cyvasse.parse_position(text) for text in json.loads(POSITIONS.read_text())[rules]]
    return tuple(partial(search, position) for position in positions)


def files(rules: str) -> tuple[Callable[[], int], ...]:
    import cyvasse
    from cyvasse.notation import gamereader

    text = gzip.decompress((CORPUS / f"{rules}.txt.gz").read_bytes()).decode()

    def read() -> int:
        gamereader.forget()
        return sum(game.ply for game in cyvasse.read_games(text))

    return (read,)


MAKERS = {"perft": perfts, "search": searches, "files": files}


# --- both together --------------------------------------------------------------------------------


class Build:
    """A build in a process of its own."""

    def __init__(self, python: str) -> None:
        self._python = python
        self._process = subprocess.Popen(
            [python, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )

    def measure(self, what: str, rules: str) -> float:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{what} {rules}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"{self._python} ended while it measured {what} of {rules}")
        return float(answer)

    def end(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def compare(old: str, new: str, rounds: int) -> dict[str, dict[str, Any]]:
    builds = [Build(old), Build(new)]
    result: dict[str, dict[str, Any]] = {}
    for what in WHAT:
        for rules in json.loads(POSITIONS.read_text()):
            for build in builds:
                build.measure(what, rules)  # to warm up
            samples = [[build.measure(what, rules) for build in builds] for _ in range(rounds)]
            ratios = sorted(after / before for before, after in samples)
            result[f"{what} {rules}"] = {
                "ratio": round(statistics.median(ratios), 3),
                "lowest": round(ratios[0], 3),
                "highest": round(ratios[-1], 3),
                "new_per_second": round(statistics.median(after for _, after in samples)),
            }
    for build in builds:
        build.end()
    return result


def main() -> None:
    if sys.argv[1:] == ["--serve"]:
        return serve()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("old", help="the Python that has the old build")
    parser.add_argument("new", help="the Python that has the new one")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    result = compare(options.old, options.new, options.rounds)
    if options.json:
        print(json.dumps(result))
        return
    print(f"{'new over old':26}{'median':>8}{'lowest':>8}{'highest':>8}{'new/s':>14}")
    for name, row in result.items():
        numbers = "".join(f"{row[key]:>8.3f}" for key in ("ratio", "lowest", "highest"))
        print(f"{name:26}{numbers}{row['new_per_second']:>14,}")


if __name__ == "__main__":
    main()
