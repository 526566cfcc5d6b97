"""How much memory `cyvasse check -` takes while a long stream of games goes through it.

    python benchmarks/stream.py [--json] [--games 100000]

The games are those of tests/data/corpus, all rule sets mixed, over and over, each with a tag of its
own.  Linux tells the peak of the memory in use after a tenth of the games and after all of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "corpus"


def stream() -> Iterator[str]:
    """Games without end; this process knows nothing about them but where they begin."""
    games = []
    for path in sorted(CORPUS.glob("*.txt.gz")):
        games += re.split(
            r'^(?=\[Rules ")', gzip.decompress(path.read_bytes()).decode(), flags=re.M
        )
    games = [game for game in games if game.strip()]
    chance = random.Random(7)
    number = 0
    while True:
        chance.shuffle(games)
        for game in games:
            number += 1
            yield game.replace("\n", f'\n[Number "{number}"]\n', 1)


def peak(process: subprocess.Popen[str]) -> float:
    """The most memory that a process has had so far, in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    match = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert match
    return round(int(match[1]) / 1000, 1)


def measure(games: int) -> dict[str, Any]:
    start = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "cyvasse", "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        peaks = {}
        for number, game in enumerate(stream(), 1):
            process.stdin.write(game)
            if number in (games // 10, games):
                process.stdin.flush()  # what is still in the pipe is a few dozen games
                peaks[number] = peak(process)
            if number == games:
                break
        process.stdin.close()
        summary = process.stdout.read().strip().splitlines()[-1]
    return {
        "peak_megabytes": peaks,
        "summary": summary,
        "exit": process.returncode,
        "seconds": round(time.monotonic() - start),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", type=int, default=100_000)
    options = parser.parse_args()
    result = measure(options.games)
    if options.json:
        print(json.dumps(result))
        return
    for number, megabytes in result["peak_megabytes"].items():
        print(f"{number:>10,} games: at most {megabytes} MB")
    print(f"{result['summary']} (exit code {result['exit']}, {result['seconds']} s)")


if __name__ == "__main__":
    main()
