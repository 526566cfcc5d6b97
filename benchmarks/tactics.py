"""Find positions with a forced win, to test the engine with.

    python benchmarks/tactics.py nine-tile [--seed 1] > tests/data/tactics-nine-tile.jsonl

Players who move at random, but like to take, to come near the King, and not to lose at once, play
games from named and random setups.  Of every game at most one position is kept: one in which the
player to act wins by force in one, two or three own turns and no faster, which is proved by
exhaustive search.  It must be a puzzle: few first actions win, and the material decides nothing.
The same seed finds the same positions.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import cyvasse
from cyvasse import Action, Color, Position, RuleSet, forced_win

WANTED = {1: 8, 2: 36, 3: 12}
# Nodes for a proof.  Harder wins are left out: they would test patience.
PROOF_NODES = {1: 100_000, 2: 1_000_000, 3: 4_000_000}
CARE_NODES = 30_000
LONGEST = 300  # actions in a game
CANDIDATES = 15  # actions that a player looks at twice
MOST_BEST = 3
MOST_BEST_SHARE = 0.1
MOST_QUIET_TURNS = 50  # far from a draw by quiet turns
MOST_CAPTURES = 0.4  # the share of positions that are won by taking something at once
BALANCE = 1.5  # how many times the defender's pieces the attacker's may be worth


@dataclass(frozen=True)
class Tactic:
    """A position with its fastest forced win."""

    text: str
    turns: int
    best: tuple[str, ...]
    takes: bool

    def line(self) -> str:
        return json.dumps({"position": self.text, "turns": self.turns, "best": self.best})


def worth(rules: RuleSet, name: str) -> float:
    """What a piece is worth, by no more than how rare it is."""
    return 6 / rules.piece_type(name).count


def king(position: Position, color: Color) -> str | None:
    kings = (at for at, p in position.pieces().items() if p == cyvasse.Piece(color, "king"))
    return next(kings, None)


def liking(position: Position, action: Action, prey: str | None, chance: random.Random) -> float:
    """How much a player likes an action at first sight."""
    score = chance.gauss(0, 1.5)
    victim = position.piece_at(action.victim) if action.victim else None
    if victim is not None:
        value = worth(position.rules, victim.type)
        score += value if victim.color is not position.turn else -value
    if action.origin and action.target and prey:
        board = position.board
        score += board.distance(action.origin, prey) - board.distance(action.target, prey)
    return score


def choose(position: Position, care: int, chance: random.Random) -> Action:
    """A likeable action after which the opponent has no forced win in ``care`` turns."""
    win = forced_win(position, 1).best
    if win:
        return chance.choice(win)
    color = position.turn
    prey = king(position, color.other)
    liked = sorted(
        position.legal_actions(),
        key=lambda action: liking(position, action, prey, chance),
        reverse=True,
    )
    for action in liked[:CANDIDATES]:
        position.play(action)
        over = position.outcome() is not None
        safe = over or position.turn is color or not forced_win(position, care, CARE_NODES).won
        position.undo()
        if safe:
            return action
    return liked[0]


def opening(rules: RuleSet, chance: random.Random) -> Position:
    """The screen lifted over named and random setups."""
    white, black = (
        chance.choice([*rules.named_setups(color).values(), *[rules.random_setup(color, chance)] * 4])
        for color in Color
    )
    return rules.start(white, black, rules.first_player or chance.choice(list(Color)))


def turns_of_game(rules: RuleSet, chance: random.Random) -> list[Position]:
    """The positions at the beginning of each turn of a game, if it was won."""
    position = opening(rules, chance)
    care = chance.choice([1, 2, 2])
    found = []
    for _ in range(LONGEST):
        if not position.in_turn:
            found.append(cyvasse.parse_position(position.text()))
        position.play(choose(position, care, chance))
        outcome = position.outcome()
        if outcome is not None:
            return [] if outcome.winner is None else found
    return []


def is_balanced(position: Position) -> bool:
    """Whether the attacker has not simply more of everything."""
    sums = dict.fromkeys(Color, 0.0)
    for piece in position.pieces().values():
        if piece.type != "king":
            sums[piece.color] += worth(position.rules, piece.type)
    return sums[position.turn] <= BALANCE * sums[position.turn.other]


def tactic(position: Position, turns: int) -> Tactic | None:
    """The position as a puzzle of so many turns, if it is a good one."""
    if not 0 <= position.quiet_turns <= MOST_QUIET_TURNS or not is_balanced(position):
        return None
    proof = forced_win(position, turns, PROOF_NODES[turns])
    best = proof.best
    if not proof.won or proof.turns != turns or len(best) > MOST_BEST:
        return None
    if len(best) > MOST_BEST_SHARE * len(position.legal_actions()):
        return None
    takes = any(action.victim for action in best)
    return Tactic(position.text(), turns, tuple(sorted(map(str, best))), takes)


def candidates(rules: RuleSet, chance: random.Random) -> Iterator[tuple[Position, int]]:
    """Late positions of a game that may be forced wins, with the number of turns to try.

    The longest wins come first; they stand before positions that are already won.
    """
    played = turns_of_game(rules, chance)
    for back in (5, 7, 3, 9):
        for turns in (3, 2) if back > 3 else (2,):
            if back <= len(played):
                yield played[-back], turns
    if played:
        yield played[-1], 1


class Collection:
    """What is kept: enough of each kind, and not too many that begin by taking something."""

    def __init__(self) -> None:
        self.kept: list[Tactic] = []

    def lacks(self, turns: int) -> bool:
        return sum(one.turns == turns for one in self.kept) < WANTED[turns]

    def lacks_anything(self) -> bool:
        return any(self.lacks(turns) for turns in WANTED)

    def offer(self, new: Tactic) -> bool:
        """Keep it if it is wanted."""
        taking = sum(one.turns == new.turns and one.takes for one in self.kept)
        if new.turns > 1 and new.takes and taking >= MOST_CAPTURES * WANTED[new.turns]:
            return False
        if any(one.text == new.text for one in self.kept):
            return False
        self.kept.append(new)
        return True


def mine(rules: RuleSet, seed: int, most_games: int) -> list[Tactic]:
    collection = Collection()
    for number in range(most_games):
        chance = random.Random(f"{rules.id} {seed} {number}")
        for position, turns in candidates(rules, chance):
            if not collection.lacks(turns):
                continue
            new = tactic(position, turns)
            if new is not None and collection.offer(new):
                counts = [sum(one.turns == n for one in collection.kept) for n in WANTED]
                print(f"game {number}: {counts} {new.line()}", file=sys.stderr, flush=True)
                break
        if not collection.lacks_anything():
            break
    return sorted(collection.kept, key=lambda one: one.turns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rule_set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="play at most so many")
    options = parser.parse_args()
    for one in mine(cyvasse.rule_set(options.rule_set), options.seed, options.games):
        print(one.line())


if __name__ == "__main__":
    main()
