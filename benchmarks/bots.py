"""How fast the server's bots answer, beside the engine alone in the same run.

    python benchmarks/bots.py [--against FOLDER] [--rounds 7] [--json]

One bot is asked one question after another at level 1, where the way to the worker and back weighs
most: *short* questions about middle games, and *long* ones about games in which 200 actions were
played since the last progress, all of which are told.  The machine is noisy, so answers are counted
by the second of processor time that server and worker take together, also by the second of the
clock, and what counts are the ratios of each round, of which the median is reported.  ``--against``
takes the ``src`` of another version, built, and measures it in turn with this one.

It needs Linux, for the processor time of another process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cyvasse
from cyvasse import Engine, Game
from cyvasse.server.bots import Bots

HERE = Path(__file__).resolve()
LEVEL = 1
GAMES = 10  # of each kind and rule set
TIMES = 3
LONG = 200  # actions
SEED = 7


def middle_game(rules: cyvasse.RuleSet, seed: int) -> Game:
    """A game that goes on, without a past."""
    chance = random.Random(seed)
    while True:
        position = rules.random_position(chance.getrandbits(32), actions=40)
        if position.outcome() is None:
            return Game.from_position(position, quiet=False)


def long_game(rules: cyvasse.RuleSet, seed: int) -> Game:
    """A game that has gone on for long without progress."""
    chance = random.Random(seed)
    game = middle_game(rules, seed)
    while game.ply < LONG:
        quiet = game.position.quiet_turns
        legal = game.legal_actions()
        for action in chance.sample(legal, len(legal)):
            game.play(action)
            if game.outcome() is None and game.position.quiet_turns >= quiet:
                break
            game.undo()
        else:
            return long_game(rules, seed + 1000)
    return game


def processor_time(pid: int) -> float:
    """The seconds of processor time that a process has taken, all threads together."""
    return time.clock_gettime(~pid << 3 | 2)  # the kernel's name of that clock


def engine_rate(games: list[Game]) -> float:
    """Answers a second of processor time without any worker."""
    start = time.process_time()
    for game in games * TIMES:
        Engine(LEVEL).choose(game)
    return len(games) * TIMES / (time.process_time() - start)


async def bot_rates(bots: Bots, games: list[Game]) -> tuple[float, float]:
    """Answers of one worker by seconds of processor time, and by seconds of the clock."""
    await bots.choose(games[0], LEVEL)  # until the worker is there
    pids = [os.getpid(), *bots.processes]
    used = sum(processor_time(pid) for pid in pids)
    start = time.perf_counter()
    for game in games * TIMES:
        await bots.choose(game, LEVEL)
    passed = time.perf_counter() - start
    used = sum(processor_time(pid) for pid in pids) - used
    return len(games) * TIMES / used, len(games) * TIMES / passed


async def measure() -> dict[str, float]:
    """Answers a second of both kinds, from the bots and from the engine alone."""
    found = {}
    bots = Bots()
    await bots.start()
    for kind, make in (("short", middle_game), ("long", long_game)):
        games = [make(rules, SEED + n) for rules in cyvasse.rule_sets() for n in range(GAMES)]
        found[kind], found[f"{kind}, by the clock"] = await bot_rates(bots, games)
        found[f"{kind}, engine"] = engine_rate(games)
    await bots.close()
    return found


def measured(source: Path) -> dict[str, float]:
    """The same for the package in that folder."""
    told = subprocess.run(
        [sys.executable, str(HERE), "--once"],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        check=True,
        text=True,
    )
    found: dict[str, float] = json.loads(told.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="the src folder of another version")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--once", action="store_true", help="one round of this version, as JSON")
    arguments = parser.parse_args()
    if arguments.once:
        print(json.dumps(asyncio.run(measure())))
        return
    here = Path(cyvasse.__file__).parents[1]
    figures: dict[str, list[float]] = {}
    for _ in range(arguments.rounds):
        ours = measured(here)
        theirs = measured(arguments.against) if arguments.against else {}
        for kind in ("short", "long"):
            row = {
                "answers a second of processor time": ours[kind],
                "of the engine alone": ours[kind] / ours[f"{kind}, engine"],
            }
            if theirs:
                clock = f"{kind}, by the clock"
                row["of the other version"] = ours[kind] / theirs[kind]
                row["of the other version, by the clock"] = ours[clock] / theirs[clock]
            for name, value in row.items():
                figures.setdefault(f"{kind}: {name}", []).append(value)
    result = {name: statistics.median(values) for name, values in figures.items()}
    if arguments.json:
        print(json.dumps(result))
        return
    for name, value in result.items():
        print(f"{name:45}{value:9.2f}")


if __name__ == "__main__":
    main()
