"""Tuning the weights of an evaluation on the engine's own games (``cyvasse tune``).

The engine plays itself from varied setups and notes quiet positions: those in which the best line
of its search ends.  A journal keeps them with the results of their games, so that games can be
added at any time.  Positions are kept as texts and counted anew each time, so that they serve on
when the features of an evaluation change.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cyvasse.engine.analysis import Analysis
from cyvasse.engine.journal import Journal
from cyvasse.engine.player import Engine
from cyvasse.engine.regression import Sample
from cyvasse.engine.selfplay import Workers, new_game, play_out
from cyvasse.engine.setups import choose_setup
from cyvasse.engine.weights import tuned_weights
from cyvasse.game import Game
from cyvasse.notation import parse_position
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup
from cyvasse.wholefiles import write_whole

NODES = 600
POSITIONS = 24  # of one game; more would say little more, being so alike
FIRST_TURNS = 6  # in which nothing has happened yet
DECIDED = 1000  # scores beyond teach only what is known
MOST_STRAY = 4  # actions played at random at the beginning
MOST_VARIED = 6  # small changes of a setup


class Noted(NamedTuple):
    """What is kept of a game: White's score, and texts of quiet positions."""

    result: float
    positions: list[str]


def note_games(
    rules: RuleSet,
    number: int,
    workers: Workers,
    *,
    journal: Path | None = None,
    nodes: int = NODES,
    seed: int = 1,
) -> Iterator[Noted]:
    """So many games: first those that the journal has, then new ones, which it keeps."""
    heading = {"journal": "tuning", "rule_set": rules.id, "nodes": nodes, "seed": seed}
    kept = Journal(journal, heading)
    for entry in kept.entries[:number]:
        yield Noted(*entry)
    play = partial(play_game, rules.id, nodes, seed)
    for noted in workers.answers(play, range(len(kept.entries), number)):
        kept.add(noted)
        yield noted


def play_game(rules_id: str, nodes: int, seed: int, number: int) -> Noted:
    """One game of the engine against itself; seed and number decide how it begins."""
    rules = rule_set(rules_id)
    chance = random.Random(f"tune {seed} {number}")
    white, black = (varied_start(rules, color, chance) for color in Color)
    game = new_game(rules, white, black, chance.choice([WHITE, BLACK]))
    for _ in range(chance.randint(0, MOST_STRAY)):
        game.play(chance.choice(game.legal_actions()))
        if game.outcome() is not None:
            game.undo()
    notes = _Notes(rules.evaluation(tuned_weights(rules)))
    engine = Engine(megabytes=2)
    result = play_out(game, (engine, engine), nodes, chance, notes.take)
    found = notes.positions
    return Noted(result, chance.sample(found, min(POSITIONS, len(found))))


def varied_start(rules: RuleSet, color: Color, chance: random.Random) -> Setup:
    """A good setup, a good one with some changes, or any at all."""
    if chance.random() < 0.25:
        return rules.random_setup(color, chance)
    setup = choose_setup(rules, color, seed=chance.getrandbits(32))
    for _ in range(max(0, chance.randint(-MOST_VARIED, MOST_VARIED))):
        setup = rules.varied_setup(setup, chance)
    return setup


class _Notes:
    """Watches a game and keeps what teaches something."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.positions: list[str] = []
        self.turns = 0

    def take(self, game: Game, analysis: Analysis) -> None:
        if game.in_turn:
            return
        self.turns += 1
        if self.turns > FIRST_TURNS and abs(analysis.score) < DECIDED:
            end = quiet_end(game.position, analysis, self.evaluation)
            if end is not None:
                self.positions.append(end.text())


def quiet_end(position: Position, analysis: Analysis, evaluation: Evaluation) -> Position | None:
    """The position in which the best line ends, if its own worth is what the search came to.

    Nothing can be gained there at once, or the line would go on; and a line that ends the game
    says nothing about what stands on the board.
    """
    asker = position.turn
    for action in analysis.lines[0].actions:
        position.play(action)
    if position.outcome() is not None:
        return None
    worth = evaluation.worth(position)
    return position if (worth if position.turn is asker else -worth) == analysis.score else None


def samples(rules: RuleSet, games: Sequence[Noted]) -> list[list[Sample]]:
    """The counts of all positions, by game; games without any are left out."""
    evaluation = rules.evaluation()
    counted = []
    for game in games:
        found = []
        for text in game.positions:
            counts = evaluation.count(parse_position(text))
            present = tuple((i, count) for i, count in enumerate(counts) if count)
            found.append(Sample(present, game.result))
        if found:
            counted.append(found)
    return counted


def start_weights(rules: RuleSet, given: Mapping[str, int] | None = None) -> dict[str, int]:
    """All weights by feature: those given, and for the others those that tuning starts from."""
    evaluation = rules.evaluation(tuned_weights(rules) if given is None else given)
    return {feature.name: evaluation.weight_of(feature.name) for feature in evaluation.features}


def write_weights(path: Path, weights: Mapping[str, int]) -> None:
    """Write a data file of weights, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(weights, indent=2) + "\n")
