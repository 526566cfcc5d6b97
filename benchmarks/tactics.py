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
from dataclasses import dataclass

import cyvasse
from cyvasse import Action, Color, Position, Proof, RuleSet, forced_win

WANTED = {1: 8, 2: 34, 3: 12}
# Nodes for a proof.  Harder wins are left out: they would test patience.
PROOF_NODES = {1: 10_000, 2: 150_000, 3: 600_000}
CARE_NODES = 60_000
FEW_PIECES = 0.55  # of all; with no more of them players look two turns ahead
LONGEST = 300  # actions in a game
MOST_BEST = 3
MOST_BEST_SHARE = 0.1
MOST_QUIET_TURNS = 50  # far from a draw by quiet turns
MOST_CAPTURES = 0.4  # the share of positions that are won by taking something at once
FEWEST_ACTIONS = 12
FEWEST_PIECES = 0.2  # of all
BALANCE = 2.2  # how many times the defender's pieces the attacker's may be worth


@dataclass(frozen=True)
class Tactic:
    """A position with its fastest forced win."""

    text: str
    turns: int
    best: tuple[str, ...]
    takes: bool

    @classmethod
    def of(cls, position: Position, proof: Proof) -> Tactic:
        best = tuple(sorted(str(action) for action in proof.best))
        takes = any(action.victim for action in proof.best)
        return cls(position.text(), proof.turns, best, takes)

    def line(self) -> str:
        return json.dumps({"position": self.text, "turns": self.turns, "best": self.best})


def worth(rules: RuleSet, name: str) -> float:
    """What a piece is worth, by no more than how rare it is."""
    return 6 / rules.piece_type(name).count


def share_of_pieces(position: Position) -> float:
    """How much of what both players had is on the board."""
    return len(position.pieces()) / (2 * sum(kind.count for kind in position.rules.piece_types))


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
    """A likeable action among those that put off a forced loss for longest."""
    if share_of_pieces(position) > FEW_PIECES:
        care = 1
    wins = forced_win(position, 1).best
    if wins:
        return chance.choice(wins)
    color = position.turn
    prey = king(position, color.other)
    liked = sorted(
        position.legal_actions(),
        key=lambda action: liking(position, action, prey, chance),
        reverse=True,
    )
    chosen, longest = liked[0], 0
    for action in liked:
        turns = turns_safe(position, action, care)
        if turns > longest:
            chosen, longest = action, turns
        if longest > care:
            break
    return chosen


def turns_safe(position: Position, action: Action, care: int) -> int:
    """In how many turns the opponent wins after an action; more than ``care`` if in no fewer."""
    color = position.turn
    position.play(action)
    if position.outcome() is not None:
        turns = care + 1
    elif position.turn is color:
        # The last in the list is to end the turn, where that is allowed.
        turns = turns_safe(position, position.legal_actions()[-1], care)
    else:
        proof = forced_win(position, care, CARE_NODES)
        turns = proof.turns if proof.won else care + 1
    position.undo()
    return turns


def opening(rules: RuleSet, chance: random.Random) -> Position:
    """The screen lifted over named and random setups."""
    white, black = (
        chance.choice(
            [*rules.named_setups(color).values(), *[rules.random_setup(color, chance)] * 4]
        )
        for color in Color
    )
    return rules.start(white, black, rules.first_player or chance.choice(list(Color)))


def winners_turns(rules: RuleSet, chance: random.Random) -> list[Position]:
    """The positions at the beginning of the winner's turns in a game; none if it was not won."""
    position = opening(rules, chance)
    care = chance.choice([1, 2, 2])
    found = []
    for _ in range(LONGEST):
        if not position.in_turn:
            found.append(cyvasse.parse_position(position.text()))
        position.play(choose(position, care, chance))
        outcome = position.outcome()
        if outcome is not None:
            return [before for before in found if before.turn is outcome.winner]
    return []


def is_balanced(position: Position) -> bool:
    """Whether the attacker has not simply more of everything."""
    sums = dict.fromkeys(Color, 0.0)
    for piece in position.pieces().values():
        if piece.type != "king":
            sums[piece.color] += worth(position.rules, piece.type)
    return sums[position.turn] <= BALANCE * sums[position.turn.other]


def forced_wins(rules: RuleSet, chance: random.Random) -> list[tuple[Position, Proof]]:
    """The winner's last positions in a game, as far as they were forced wins, longest first."""
    found: list[tuple[Position, Proof]] = []
    for position in reversed(winners_turns(rules, chance)):
        longest = 2 if found else 1
        proof = forced_win(position, longest, PROOF_NODES[longest])
        if not proof.won and found and found[-1][1].turns == 2:
            proof = forced_win(position, 3, PROOF_NODES[3])
        if not proof.won:
            break
        found.append((position, proof))
    return found[::-1]


def is_puzzle(position: Position, proof: Proof) -> bool:
    """Whether it takes more to win than any action or the greater army."""
    actions = len(position.legal_actions())
    return (
        0 <= position.quiet_turns <= MOST_QUIET_TURNS
        and actions >= FEWEST_ACTIONS
        and share_of_pieces(position) >= FEWEST_PIECES
        and is_balanced(position)
        and len(proof.best) <= min(MOST_BEST, MOST_BEST_SHARE * actions)
    )


class Collection:
    """What is kept: enough of each kind, and not too many that begin by taking something."""

    def __init__(self) -> None:
        self.kept: list[Tactic] = []

    def counts(self) -> dict[int, int]:
        return {turns: sum(one.turns == turns for one in self.kept) for turns in WANTED}

    def is_full(self) -> bool:
        return self.counts() == WANTED

    def offer(self, new: Tactic) -> bool:
        """Keep it if it is wanted."""
        alike = [one for one in self.kept if one.turns == new.turns]
        room = WANTED[new.turns]
        if new.turns > 1 and new.takes:
            room = int(MOST_CAPTURES * room) + sum(not one.takes for one in alike)
        if len(alike) >= min(room, WANTED[new.turns]) or new in alike:
            return False
        self.kept.append(new)
        return True


def mine(rules: RuleSet, seed: int, most_games: int) -> list[Tactic]:
    collection = Collection()
    for number in range(most_games):
        chance = random.Random(f"{rules.id} {seed} {number}")
        for position, proof in forced_wins(rules, chance):
            if is_puzzle(position, proof) and collection.offer(Tactic.of(position, proof)):
                print(f"game {number}: {collection.counts()} {proof.nodes}", file=sys.stderr)
                break
        if collection.is_full():
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
