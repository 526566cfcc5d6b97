"""How fast the rules are, beside python-chess in the same run.

    python benchmarks/perft.py [--json] [--rounds 7]

Perft plays and takes back every leaf, here as there.  The machine is noisy, so only ratios taken in
one run are compared: each round measures python-chess and every rule set in turn, in CPU time, and
the medians of the rounds are reported.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import chess

import cyvasse
from cyvasse import Position, RuleSet

CHESS_DEPTH = 3
SEED = 7
MIDDLE_GAME = 40  # actions into a random game


def chess_perft(board: chess.Board, depth: int) -> int:
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += chess_perft(board, depth - 1) if depth > 1 else 1
        board.pop()
    return nodes


def starts(rules: RuleSet) -> list[Position]:
    """The start of a game with named setups, and two middle games."""
    white, black = (next(iter(rules.named_setups(color).values())) for color in cyvasse.Color)
    return [
        rules.start(white, black, rules.first_player or cyvasse.WHITE),
        *middle_games(rules, 2),
    ]


def middle_games(rules: RuleSet, count: int) -> list[Position]:
    """Positions in the middle of random games that are not over yet."""
    seeds = itertools.count(SEED)
    played = (rules.random_position(seed, MIDDLE_GAME) for seed in seeds)
    return list(itertools.islice((p for p in played if not p.outcome()), count))


def rate(count: Callable[[], int]) -> float:
    """Nodes a second of CPU time."""
    start = time.process_time()
    nodes = count()
    return nodes / (time.process_time() - start)


def measure(rounds: int) -> dict[str, Any]:
    positions = {rules.id: starts(rules) for rules in cyvasse.rule_sets()}
    samples: dict[str, list[float]] = {"python-chess": [], **{name: [] for name in positions}}
    for _ in range(rounds):
        samples["python-chess"].append(rate(lambda: chess_perft(chess.Board(), CHESS_DEPTH)))
        for name, sample in positions.items():
            rates = [rate(lambda p=p: cyvasse.perft(p, 3)) for p in sample]  # type: ignore[misc]
            samples[name].append(statistics.harmonic_mean(rates))
    medians = {name: statistics.median(found) for name, found in samples.items()}
    reference = medians.pop("python-chess")
    return {
        "python-chess": {"nodes_per_second": round(reference)},
        **{
            name: {
                "nodes_per_second": round(value),
                "ratio": round(value / reference, 1),
                "legal_actions_us": round(legal_actions_time(cyvasse.rule_set(name), rounds), 2),
            }
            for name, value in medians.items()
        },
        "import_seconds": round(import_time(rounds), 3),
        "compiled": cyvasse.COMPILED,
        "rounds": rounds,
    }


def legal_actions_time(rules: RuleSet, rounds: int) -> float:
    """Microseconds for the legal actions of an average middle game as Python objects."""
    sample = middle_games(rules, 20)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for position in sample:
            for _ in range(50):
                position.legal_actions()
        times.append((time.process_time() - start) / (50 * len(sample)))
    return 1e6 * statistics.median(times)


def import_time(rounds: int) -> float:
    """Seconds of CPU time that ``import cyvasse`` adds to a fresh interpreter."""
    script = (
        "import time; start = time.process_time(); import cyvasse; "
        "print(time.process_time() - start)"
    )
    found = []
    for _ in range(rounds):
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script],
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(float(run.stdout))
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    result = measure(options.rounds)
    if options.json:
        print(json.dumps(result))
        return
    reference = result["python-chess"]["nodes_per_second"]
    print(f"{'':16}{'nodes/s':>14}{'ratio':>9}{'legal_actions':>16}")
    print(f"{'python-chess':16}{reference:>14,}{1:>9}")
    for rules in cyvasse.rule_sets():
        row = result[rules.id]
        print(
            f"{rules.id:16}{row['nodes_per_second']:>14,}{row['ratio']:>9}"
            f"{row['legal_actions_us']:>13} µs"
        )
    print(f"import cyvasse: {result['import_seconds']} s, {options.rounds} rounds")


if __name__ == "__main__":
    main()
