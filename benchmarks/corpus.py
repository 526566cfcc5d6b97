"""Play the games of tests/data/corpus: bots of several levels, setups of every kind, to the end.

    python benchmarks/corpus.py [--games 120] [--parts DIRECTORY]

Every game follows from its number, so that a run that broke off goes on where it stopped: finished
games wait in DIRECTORY, one file each, until all of a rule set are there.  The packed files are the
same whenever they are made.
"""

from __future__ import annotations

import argparse
import gzip
import random
from pathlib import Path

import cyvasse
from cyvasse import Color, Engine, Game, RuleSet, Setup

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "corpus"
LEVELS = (1, 2, 3, 4)  # of the eight that there were when the corpus was played


def play(rules: RuleSet, number: int) -> Game:
    """The game of that number."""
    chance = random.Random(f"{rules.id} {number}")
    levels = {color: chance.choice(LEVELS) for color in Color}
    tags = {"Event": "corpus", "Round": str(number)}
    tags |= {color.title: f"level {level}" for color, level in levels.items()}
    game = Game(rules, tags=tags)
    for color in Color:
        game.submit(color, draw_setup(rules, color, chance))
    game.lift_screen(rules.first_player or chance.choice(list(Color)))
    players = {
        color: Engine(-level, seed=chance.getrandbits(32)) for color, level in levels.items()
    }
    while game.outcome() is None:
        game.play(players[game.turn].choose(game))
    return game


def draw_setup(rules: RuleSet, color: Color, chance: random.Random) -> Setup:
    """From the bot's pool, by name, by name with some changes, or wholly at random."""
    kind = chance.choice(("pool", "named", "varied", "random"))
    if kind == "random":
        return rules.random_setup(color, chance)
    if kind == "pool":
        return cyvasse.choose_setup(rules, color, seed=chance.getrandbits(32))
    setup = chance.choice(list(rules.named_setups(color).values()))
    if kind == "varied":
        for _ in range(4):
            setup = rules.varied_setup(setup, chance)
    return setup


def collect(rules: RuleSet, games: int, parts: Path) -> str:
    """The games of a rule set; those that an earlier run has left are not played again."""
    folder = parts / rules.id
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for number in range(1, games + 1):
        part = folder / f"{number}.txt"
        if not part.exists():
            unfinished = part.with_suffix(".part")
            unfinished.write_text(cyvasse.write_game(play(rules, number)), encoding="utf-8")
            unfinished.replace(part)
            print(f"{rules.id} {number}", flush=True)
        texts.append(part.read_text(encoding="utf-8"))
    return "\n".join(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=120, help="for each rule set")
    parser.add_argument("--parts", type=Path, default=Path("build/corpus"))
    options = parser.parse_args()
    CORPUS.mkdir(parents=True, exist_ok=True)
    for rules in cyvasse.rule_sets():
        text = collect(rules, options.games, options.parts)
        packed = gzip.compress(text.encode(), 9, mtime=0)
        (CORPUS / f"{rules.id}.txt.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
