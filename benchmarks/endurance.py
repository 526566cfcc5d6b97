"""Play many fast games in one process: each must end, read back, and leave no memory behind.

    python benchmarks/endurance.py nine-tile [--games 1000] [--seconds 60] [--json]

Levels 1 to 3 and full strength with 200 nodes meet in turn, from the setups to the result.  A game
that takes longer than ``--seconds`` ends the run with a traceback, also when it hangs in C.  The
memory is compared after 100 games and at the end; the exit code is 1 if it has grown by a tenth.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import faulthandler
import gc
import itertools
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cyvasse
from cyvasse.engine.match import play_game
from cyvasse.engine.opponents import player_of
from cyvasse.engine.starts import draw_start

PLAYERS = ("level:1", "level:2", "level:3", "nodes:200")
WARM = 100  # games after which caches are full
GROWTH = 1.1


def memory() -> int:
    """Bytes of its own that this process needs.

    Pages of files come and go as the kernel likes, and what was freed stays for a while: the table
    of the last search is 8 MiB.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status").read_text()
    return 1024 * sum(int(size) for size in re.findall(r"(?:RssAnon|VmSwap):\s+(\d+)", status))


def play(rules: cyvasse.RuleSet, number: int, names: Sequence[str]) -> cyvasse.Game:
    """One game, read back from its file."""
    players = {
        color: player_of(name).meet(rules, 2 * number + color)
        for color, name in zip(cyvasse.Color, names, strict=True)
    }
    tags = {"Event": "endurance", "White": names[0], "Black": names[1], "Game": str(number)}
    game = play_game(rules, players, draw_start(rules, "pool", number), tags)
    text = cyvasse.write_game(game)
    again = cyvasse.read_game(text)
    if again.outcome() != game.outcome() or cyvasse.write_game(again) != text:
        raise SystemExit(f"game {number} does not read back:\n{text}")
    return game


def measure(rules: cyvasse.RuleSet, games: int, seconds: int) -> dict[str, Any]:
    meetings = itertools.cycle(itertools.product(PLAYERS, repeat=2))
    ends: collections.Counter[str] = collections.Counter()
    longest = slowest = 0.0
    actions = warm = 0
    begun = time.monotonic()
    for number in range(1, games + 1):
        start = time.monotonic()
        faulthandler.dump_traceback_later(seconds, exit=True)
        game = play(rules, number, next(meetings))
        faulthandler.cancel_dump_traceback_later()
        slowest = max(slowest, time.monotonic() - start)
        longest = max(longest, game.ply)
        actions += game.ply
        ends[str(game.outcome())] += 1
        if number == min(WARM, games):
            warm = memory()
        if number % 100 == 0:
            print(f"{number} games, {memory() / 2**20:.1f} MiB", file=sys.stderr)
    return {
        "rule_set": rules.id,
        "games": games,
        "seconds": round(time.monotonic() - begun, 1),
        "actions": actions,
        "longest": longest,
        "slowest_seconds": round(slowest, 2),
        "ends": dict(ends.most_common()),
        "warm_bytes": warm,
        "final_bytes": memory(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rule_set")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=60, help="the longest time for a game")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    result = measure(cyvasse.rule_set(options.rule_set), options.games, options.seconds)
    if options.json:
        print(json.dumps(result))
    else:
        print(
            f"{result['rule_set']}: {result['games']} games in {result['seconds']} s, "
            f"{result['actions']} actions, the longest game {result['longest']:.0f}, "
            f"the slowest {result['slowest_seconds']} s"
        )
        for end, count in result["ends"].items():
            print(f"  {count:5} {end}")
        print(
            f"memory: {result['warm_bytes'] / 2**20:.1f} MiB after {min(WARM, options.games)} "
            f"games, {result['final_bytes'] / 2**20:.1f} MiB at the end"
        )
    sys.exit(1 if result["final_bytes"] > GROWTH * result["warm_bytes"] else 0)


if __name__ == "__main__":
    main()
