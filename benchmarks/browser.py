"""The package in the browser's Python against the same package here, in one run.

    make browser
    python benchmarks/browser.py [--rounds 7] [--build build/browser] [--json]

Node runs Pyodide as a browser does.  Both stay open side by side and measure the same thing in
turn, in CPU time of their processes: nodes a second of the search, and the seconds that each level
takes for an action.  Before that, what it takes to load Pyodide, and to unpack and import the
package.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NODES = 30_000  # for each position


# --- measured here and there ----------------------------------------------------------------------


def work(line: str) -> int:
    """Search as ``nodes croft`` or ``level 5`` says; how many nodes, or actions, that were."""
    what, which = line.split()
    return search(which) if what == "nodes" else play(int(which))


def search(rules: str) -> int:
    """Search positions of a rule set, fewer and less deep if that is slow; the nodes."""
    import cyvasse

    texts = json.loads((HERE / "positions.json").read_text())[rules]
    found, limit = (texts, NODES) if cyvasse.COMPILED else (texts[:3], NODES // 50)
    nodes = 0
    engine = cyvasse.Engine(megabytes=1)  # as the levels
    for text in found:
        *_, last = engine.analyse(cyvasse.parse_position(text), nodes=limit)
        nodes += last.nodes
    return nodes


def play(level: int) -> int:
    """Let a level choose in one position of each rule set; the actions."""
    import cyvasse

    texts = [each[1] for each in json.loads((HERE / "positions.json").read_text()).values()]
    for text in texts:
        cyvasse.Engine(level, seed=1).choose(cyvasse.parse_position(text))
    return len(texts)


def here(line: str) -> float:
    """Seconds of CPU time for a node or an action."""
    start = time.process_time()
    done = work(line)
    return (time.process_time() - start) / done


# --- both together --------------------------------------------------------------------------------


class There:
    """Pyodide, in a Node of its own."""

    def __init__(self, build: str) -> None:
        self._node = subprocess.Popen(
            ["node", str(HERE / "browser.mjs"), build, str(ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.load, self.bring = json.loads(self._answer())

    def measure(self, line: str) -> float:
        assert self._node.stdin
        self._node.stdin.write(f"{line}\n")
        self._node.stdin.flush()
        return float(self._answer())

    def end(self) -> None:
        assert self._node.stdin
        self._node.stdin.close()
        self._node.wait()

    def _answer(self) -> str:
        assert self._node.stdout
        line = self._node.stdout.readline()
        if not line:
            sys.exit("Pyodide has ended while it measured")
        return line


def starts(build: str, rounds: int) -> dict[str, float]:
    """What it takes until the package can be used, in the median."""
    opened = [There(build) for _ in range(rounds)]  # one after the other: each waits until it is up
    for there in opened:
        there.end()
    return {
        "load Pyodide": statistics.median(there.load for there in opened),
        "unpack and import": statistics.median(there.bring for there in opened),
    }


def main() -> None:
    import cyvasse
    from cyvasse.engine.levels import LEVELS

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", default=str(ROOT / "build" / "browser"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    manifest = json.loads(Path(options.build, "manifest.json").read_text())
    report: dict[str, object] = {"compiled": manifest["compiled"], **starts(options.build, 3)}
    there = There(options.build)
    lines = [f"nodes {rules.id}" for rules in cyvasse.rule_sets()]
    # Uncompiled the high ones take minutes.
    lines += [f"level {n}" for n, it in LEVELS.items() if manifest["compiled"] or it.nodes < 10_000]
    taken: dict[str, list[tuple[float, float]]] = {line: [] for line in lines}
    for _ in range(options.rounds):
        for line in lines:
            taken[line].append((there.measure(line), here(line)))
    there.end()
    for line, pairs in taken.items():
        theirs, ours = (statistics.median(each) for each in zip(*pairs, strict=True))
        report[line] = {
            "there": 1 / theirs if line.startswith("nodes") else theirs,
            "here": 1 / ours if line.startswith("nodes") else ours,
            "speed": statistics.median(own / their for their, own in pairs),
        }
    show(report, options.json)


def show(report: dict[str, object], plain: bool) -> None:
    """Print it, for programs or for people."""
    if plain:
        print(json.dumps(report))
        return
    for name, value in report.items():
        if isinstance(value, dict):
            there, ours, speed = (float(value[key]) for key in ("there", "here", "speed"))
            print(f"{name:20} {there:14,.3f} {ours:14,.3f} {speed:6.3f}")
        else:
            print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
