"""Finding the setups that the bot plays, by search and play (``cyvasse pool``).

Setups evolve: the named ones, random ones and variations of the best are looked at by a short
search; the promising ones play quick games against the population, fewer and fewer of them more and
more games; and who proves stronger than a member takes its place.  Setups that are much alike
compete for one place, so that the pool stays varied.  In the end the strongest play a round robin,
which is the table that the pool is drawn by.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from cyvasse.engine.arena import FRESH, MOST_SEEN, Arena, Task, ratings
from cyvasse.engine.equilibrium import exploitability, near_equilibrium
from cyvasse.engine.setups import Pool, Result
from cyvasse.errors import CyvasseError
from cyvasse.notation import parse_setup, write_setup
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import WHITE, Setup

SIZE = 26
# Two setups are much alike if more than this share of what lies on their squares is the same.
ALIKE = 0.8
LOOKS = 4  # at each setup, with both colours and both beginners
BROOD = 8  # children that are looked at for one that plays
VARIATIONS = (1, 1, 2, 2, 3, 4, 6, 10)  # small changes that make a child
TRIALS = (4, 8, 12)  # games; after each trial the weaker half goes
PAIRING = 4  # games of a pairing in the round robin
MORE = 2  # games that time left over adds to each pairing

OnStage = Callable[[str], None]


def find_pool(
    arena: Arena,
    *,
    size: int = SIZE,
    minutes: float | None = None,
    games: int | None = None,
    on_stage: OnStage = lambda stage: None,
) -> Pool:
    """Look for a pool until so many minutes have passed or so many games are played.

    With a limit of games the same seed finds the same pool.  The first population and the round
    robin are played in any case.  ``on_stage`` hears what is being done.
    """
    if size < 2 or (minutes is None) is (games is None):
        raise CyvasseError("a pool needs two setups or more, and a limit of minutes or of games")
    deadline = None if minutes is None else time.monotonic() + 60 * minutes
    evolution = Evolution(arena, size)
    finalists = size + size // 7
    reserve = PAIRING * finalists * (finalists - 1) // 2

    def there_is_room_for(more: int) -> bool:
        if deadline is not None:
            return time.monotonic() + arena.seconds_for(more) < deadline
        return games is not None and len(arena.results) + more <= games

    on_stage("first population")
    evolution.begin()
    number = 0
    before = len(arena.results)
    spent = 0
    while there_is_room_for(reserve + spent):
        number += 1
        on_stage(f"generation {number}")
        evolution.generation()
        spent, before = len(arena.results) - before, len(arena.results)
    on_stage("round robin")
    members = evolution.finalists(finalists)
    table = round_robin(arena, members, 0, PAIRING)
    members = strongest(members, table, size)
    rounds = PAIRING
    more = MORE * size * (size - 1) // 2
    while rounds + MORE <= FRESH and there_is_room_for(more):
        on_stage(f"round robin, {rounds + MORE} games a pairing")
        table = joined(table, round_robin(arena, members, rounds, rounds + MORE))
        rounds += MORE
    return pool_of(arena, members, table, generations=number)


CrossTable = dict[tuple[str, str], Result]


def round_robin(arena: Arena, members: Sequence[str], first: int, end: int) -> CrossTable:
    """Everyone meets everyone in the games of these numbers."""
    # Sorted, so that a game has one name whatever the order of the members.
    pairs = list(combinations(sorted(members), 2))
    tasks = [Task(row, column, number) for row, column in pairs for number in range(first, end)]
    table: CrossTable = {}
    for task, score in zip(tasks, arena.ask(tasks), strict=True):
        result = table.get((task.row, task.column), Result()).plus(score)
        table[task.row, task.column] = result
        table[task.column, task.row] = result.reversed
    return table


def joined(one: CrossTable, other: CrossTable) -> CrossTable:
    """Both tables' games together, of the pairings that the second has."""
    empty = Result()
    return {
        pair: Result(*(a + b for a, b in zip(one.get(pair, empty), result, strict=True)))
        for pair, result in other.items()
    }


def strongest(members: Sequence[str], table: CrossTable, size: int) -> list[str]:
    """Without the weakest, one after the other, until so many are left."""
    left = list(members)
    while len(left) > size:
        left.remove(min(left, key=lambda text: mean_score(text, left, table)))
    return left


def mean_score(member: str, members: Sequence[str], table: CrossTable) -> float:
    """The share of the points that one takes from the others."""
    others = [other for other in members if other != member]
    return sum(table[member, other].score for other in others) / len(others)


def pool_of(arena: Arena, members: Sequence[str], table: CrossTable, generations: int) -> Pool:
    """The pool with its weights, the most frequent setup first."""
    empty = Result()
    scores = [[table.get((row, column), empty).score for column in members] for row in members]
    weights = near_equilibrium(scores)
    exploited = exploitability(scores, weights)
    order = sorted(range(len(members)), key=lambda i: (-weights[i], members[i]))
    names = {write_setup(setup): name for name, setup in arena.rules.named_setups(WHITE).items()}
    for place, i in enumerate(order, 1):
        names.setdefault(members[i], f"found-{place:02}")
    chosen = [members[i] for i in order]
    return Pool(
        tuple(names[text] for text in chosen),
        tuple(parse_setup(text) for text in chosen),
        tuple(weights[i] for i in order),
        tuple(tuple(table.get((row, column), empty) for column in chosen) for row in chosen),
        {
            "nodes": arena.nodes,
            "seed": arena.seed,
            "generations": generations,
            "games": len(arena.results),
            "games_a_pairing": max(result.games for result in table.values()),
            "exploitability": round(exploited, 4),
        },
    )


class Evolution:
    """A population of setups, as texts for White; all its luck comes from the arena's seed."""

    def __init__(self, arena: Arena, size: int) -> None:
        self.arena = arena
        self.rules: RuleSet = arena.rules
        self.room = size + size // 3
        self.population: list[str] = []
        self.chance = random.Random(f"evolution {arena.seed}")
        self._marks: dict[str, frozenset[tuple[str, str]]] = {}

    def begin(self) -> None:
        """Fill the population: named setups, and the best of many random and varied ones."""
        named = [write_setup(setup) for setup in self.rules.named_setups(WHITE).values()]
        named = named or [self._random() for _ in range(LOOKS)]
        brood = [self._random() for _ in range(BROOD * self.room)]
        brood += [self._child(self.chance.choice(named)) for _ in range(BROOD * self.room)]
        field: list[str] = []
        for text in self._most_promising(brood, named):
            if len(field) < 2 * self.room and not self._twins(text, [*field, *named]):
                field.append(text)
        rivals = self.chance.sample(named, len(named))
        field = self._better_half(field, rivals, TRIALS[0])
        field = self._better_half([*field, *named], rivals, TRIALS[1])
        self._admit(named)
        self._admit(field)

    def generation(self) -> None:
        """Children of stronger members try to take the places of weaker ones."""
        strengths = ratings(self.arena.results)
        field = []
        for _ in range(max(4, self.room // 3)):
            rivals = self._rivals(LOOKS, strengths)
            (parent,) = self._rivals(1, strengths)
            brood = [self._child(parent) for _ in range(BROOD)]
            field.append(self._most_promising(brood, rivals)[0])
        field = [text for text in dict.fromkeys(field) if text not in self.population]
        for games in TRIALS:
            field = self._better_half(field, self._rivals(games // 2, strengths), games)
        self._admit(field)

    def finalists(self, number: int) -> list[str]:
        """The strongest that do not lose to one another at once, members of the population first.

        Where a child takes the places of several that are like it the population shrinks; then
        others that have played fill it up.
        """
        strengths = ratings(self.arena.results)
        members = sorted(self.population, key=lambda text: (-strengths[text], text))
        others = sorted(strengths.keys() - set(members), key=lambda text: (-strengths[text], text))
        chosen: list[str] = []
        for text in [*members, *others]:
            if len(chosen) == number:
                break
            if text in others and self._twins(text, chosen):
                continue
            if not self._is_sudden(text, chosen):
                chosen.append(text)
        return chosen

    def _is_sudden(self, text: str, chosen: Sequence[str]) -> bool:
        """Whether a game against one of those may be decided before the other side can act.

        Such setups are strong as often as they begin, and no pleasure for anybody.
        """
        first = [Task(text, other, 0, look=True) for other in chosen]
        second = [Task(other, text, 0, look=True) for other in chosen]
        return any(seen >= MOST_SEEN for seen in self.arena.ask([*first, *second]))

    def likeness(self, one: str, other: str) -> float:
        """The share of what lies on the squares that is the same in both."""
        mine, theirs = self._marks_of(one), self._marks_of(other)
        return len(mine & theirs) / max(len(mine), len(theirs))

    def _random(self) -> str:
        return write_setup(self.rules.random_setup(WHITE, self.chance))

    def _child(self, parent: str) -> str:
        setup = parse_setup(parent)
        for _ in range(self.chance.choice(VARIATIONS)):
            setup = self.rules.varied_setup(setup, self.chance)
        return write_setup(setup)

    def _most_promising(self, brood: Sequence[str], rivals: Sequence[str]) -> list[str]:
        """Sorted by what a short search thinks of them, the best first."""
        brood = list(dict.fromkeys(brood))
        tasks = [
            Task(text, rivals[number % len(rivals)], number, look=True)
            for text in brood
            for number in range(LOOKS)
        ]
        seen = self.arena.ask(tasks)
        promise = {text: sum(seen[LOOKS * i : LOOKS * (i + 1)]) for i, text in enumerate(brood)}
        return sorted(brood, key=lambda text: -promise[text])

    def _rivals(self, number: int, strengths: Mapping[str, float]) -> list[str]:
        """Some members, the stronger the likelier: who wants in must have answers to them."""
        # The largest of such numbers are drawn like balls of those sizes, without putting back.
        draws = {text: self.chance.random() ** (1 / strengths[text]) for text in self.population}
        return sorted(draws, key=draws.__getitem__, reverse=True)[:number]

    def _better_half(self, field: Sequence[str], rivals: Sequence[str], games: int) -> list[str]:
        """All play against the rivals; those remain that took more points."""
        points = self.arena.trial(field, rivals, games)
        order = sorted(range(len(field)), key=lambda i: -points[i])
        return [field[i] for i in order[: (len(field) + 1) // 2]]

    def _admit(self, field: Sequence[str]) -> None:
        """Take in those that are stronger than who is much like them, or than the weakest."""
        strengths = ratings(self.arena.results)
        for text in sorted(field, key=lambda text: -strengths[text]):
            rivals = self._twins(text, self.population)
            if not rivals and len(self.population) >= self.room:
                rivals = [min(self.population, key=strengths.__getitem__)]
            if all(strengths[text] > strengths[rival] for rival in rivals):
                self.population = [old for old in self.population if old not in rivals]
                self.population.append(text)

    def _twins(self, text: str, others: Sequence[str]) -> list[str]:
        return [other for other in others if self.likeness(text, other) > ALIKE]

    def _marks_of(self, text: str) -> frozenset[tuple[str, str]]:
        if text not in self._marks:
            self._marks[text] = marks(self.rules, parse_setup(text))
        return self._marks[text]


def marks(rules: RuleSet, setup: Setup) -> frozenset[tuple[str, str]]:
    """What lies where: the pieces, and the ground that is not there from the beginning."""
    seen = rules.scene.of_setup(setup)
    laid = [(at, seen.on(at)) for at in rules.home(WHITE)]
    laid = [(at, ground) for at, ground in laid if ground != rules.ground(at)]
    return frozenset([*setup.pieces.items(), *laid])
