"""Make the positions that benchmarks/search.py searches: middle games of weak engines.

    python benchmarks/positions.py

It overwrites positions.json.  What was measured before cannot be compared with what is measured
after, so do it only if a rule set has changed so that the old texts cannot be read.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import cyvasse
from cyvasse import Engine, Game, RuleSet

FILE = Path(__file__).with_name("positions.json")
GAMES = 3
PLAYED = (10, 30, 60)  # actions


def middle_games(rules: RuleSet) -> Iterator[str]:
    """The texts of positions from games that lasted long enough."""
    wanted = GAMES
    for seed in range(1000):
        texts = list(played(rules, seed))
        if len(texts) == len(PLAYED):
            yield from texts
            wanted -= 1
        if not wanted:
            return


def played(rules: RuleSet, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    game = Game(rules)
    for color in cyvasse.Color:
        game.submit(color, chance.choice(list(rules.named_setups(color).values())))
    game.lift_screen(rules.first_player or cyvasse.WHITE)
    engine = Engine(level=-2, seed=seed)
    while game.outcome() is None and game.ply <= max(PLAYED):
        if game.ply in PLAYED:
            yield game.position.text()
        game.play(engine.choose(game))


def main() -> None:
    texts = {rules.id: list(middle_games(rules)) for rules in cyvasse.rule_sets()}
    FILE.write_text(json.dumps(texts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
