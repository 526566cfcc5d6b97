"""How fast the search is, beside perft of the same positions in the same run.

    python benchmarks/search.py [--json] [--rounds 7]

A node is one action played in the search.  The machine is noisy, so what is compared between runs
is the ratio of search to perft, both in CPU time of one thread, in interleaved rounds; medians
are reported.  How much a second thread adds is measured by the wall clock, beside how much two
cores give two perfts at that moment: where they give nothing, two threads cannot either.
"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cyvasse
from cyvasse import Engine, Position
from cyvasse.engine.bench import search_all

POSITIONS = Path(__file__).with_name("positions.json")
NODES = 50_000  # for each position
PERFT_DEPTH = 3
THREAD_SECONDS = 0.5

LEAST_NODES = 500_000  # a second
LEAST_GAIN = 1.6  # of two threads over one, where two cores give at least that to perft


def read_positions() -> dict[str, list[Position]]:
    texts = json.loads(POSITIONS.read_text(encoding="utf-8"))
    return {name: [cyvasse.parse_position(text) for text in texts[name]] for name in texts}


def perft_rate(positions: Sequence[Position]) -> float:
    """Nodes a second of CPU time."""
    start = time.process_time()
    found = sum(cyvasse.perft(position, PERFT_DEPTH) for position in positions)
    return found / (time.process_time() - start)


def search_gain(positions: Sequence[Position]) -> float:
    """How many times the nodes of one thread two threads search in the same time."""
    rates = []
    for threads in (1, 2):
        engine = Engine(threads=threads)
        found = 0
        seconds = 0.0
        for position in positions:
            *_, last = engine.analyse(position, seconds=THREAD_SECONDS)
            found += last.nodes
            seconds += last.seconds
        rates.append(found / seconds)
    return rates[1] / rates[0]


def machine_gain(position: Position) -> float:
    """The same for two independent perfts: what two cores give at this moment."""

    def count() -> None:
        start = time.monotonic()
        while time.monotonic() - start < THREAD_SECONDS:
            done.append(cyvasse.perft(position, PERFT_DEPTH))

    rates = []
    for threads in (1, 2):
        done: list[int] = []
        start = time.monotonic()
        together([count] * threads)
        rates.append(sum(done) / (time.monotonic() - start))
    return rates[1] / rates[0]


def together(tasks: Sequence[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(rounds: int, nodes: int) -> dict[str, Any]:
    positions = read_positions()
    names = ("search", "perft", "depth", "gain", "machine")
    samples: dict[str, dict[str, list[float]]] = {
        name: {kind: [] for kind in names} for name in positions
    }
    for _ in range(rounds):
        for name, sample in positions.items():
            searched = search_all(sample, nodes)
            few = sample[1::3]
            found = (
                searched.speed,
                perft_rate(sample),
                searched.depth,
                search_gain(few),
                machine_gain(few[0]),
            )
            for kind, value in zip(names, found, strict=True):
                samples[name][kind].append(value)
    result: dict[str, Any] = {name: summary(found) for name, found in samples.items()}
    return {**result, "nodes": nodes, "rounds": rounds, "compiled": cyvasse.COMPILED}


def summary(samples: dict[str, list[float]]) -> dict[str, Any]:
    medians = {kind: statistics.median(values) for kind, values in samples.items()}
    return {
        "nodes_per_second": round(medians["search"]),
        "perft_per_second": round(medians["perft"]),
        "ratio": round(
            statistics.median(
                search / perft
                for search, perft in zip(samples["search"], samples["perft"], strict=True)
            ),
            4,
        ),
        "depth": round(medians["depth"], 2),
        "two_threads": round(medians["gain"], 2),
        "two_cores": round(medians["machine"], 2),
    }


def verdict(row: dict[str, Any]) -> str:
    """What falls short, in words."""
    short = []
    if row["nodes_per_second"] < LEAST_NODES:
        short.append(f"fewer than {LEAST_NODES:,} nodes a second")
    if row["two_threads"] < LEAST_GAIN:
        scarce = row["two_cores"] < LEAST_GAIN
        short.append(
            "the machine did not give two cores"
            if scarce
            else f"two threads below {LEAST_GAIN} times one"
        )
    return "; ".join(short)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--nodes", type=int, default=NODES, help="for each position")
    options = parser.parse_args()
    result = measure(options.rounds, options.nodes)
    if options.json:
        print(json.dumps(result))
        return
    print(
        f"{'':16}{'nodes/s':>12}{'perft/s':>14}{'ratio':>9}{'depth':>7}"
        f"{'two threads':>13}{'two cores':>11}"
    )
    for rules in cyvasse.rule_sets():
        row = result[rules.id]
        print(
            f"{rules.id:16}{row['nodes_per_second']:>12,}{row['perft_per_second']:>14,}"
            f"{row['ratio']:>9}{row['depth']:>7}{row['two_threads']:>13}{row['two_cores']:>11}"
            f"  {verdict(row)}"
        )
    print(f"{options.rounds} rounds, {options.nodes:,} nodes for each position")


if __name__ == "__main__":
    main()
