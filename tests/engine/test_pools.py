"""Finding pools of setups."""

from __future__ import annotations

from itertools import combinations, count
from types import SimpleNamespace

import pytest

import cyvasse
from cyvasse import CyvasseError, RuleSet, write_setup
from cyvasse.engine import arena as module
from cyvasse.engine import pools
from cyvasse.engine.arena import Arena, Task
from cyvasse.engine.pools import (
    ALIKE,
    Evolution,
    find_pool,
    joined,
    marks,
    round_robin,
    strongest,
)
from cyvasse.engine.selfplay import Workers
from cyvasse.engine.setups import Result
from tests.strategies import IDS

NINE_TILE = cyvasse.rule_set("nine-tile")
every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def make_arena(rules: RuleSet = NINE_TILE, seed: int = 1) -> Arena:
    return Arena(rules, Workers(), nodes=5, seed=seed)


@pytest.fixture
def by_quality(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has more pieces on the right half of the board wins every game."""

    def right(text: str) -> int:
        return sum(at[0] > "f" for at in cyvasse.parse_setup(text).pieces)

    def play(rules_id: str, nodes: int, seed: int, task: Task) -> float:
        difference = right(task.row) - right(task.column)
        if task.look:
            return 0.0
        return 0.5 if difference == 0 else float(difference > 0)

    monkeypatch.setattr(module, "answer", play)


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")
@every_rule_set
def test_a_pool_is_found_by_play(rules: RuleSet) -> None:
    stages: list[str] = []
    found = find_pool(make_arena(rules), size=3, games=1, on_stage=stages.append)
    assert len(found.setups) == len({write_setup(setup) for setup in found.setups}) == 3
    assert all(rules.check_setup(setup) == [] for setup in found.setups)
    assert sum(found.weights) == pytest.approx(1)
    assert list(found.weights) == sorted(found.weights, reverse=True)
    for i, row in enumerate(found.results):
        assert [result.games for result in row] == [0 if i == j else 4 for j in range(3)]
    assert stages == ["first population", "round robin"]
    named = {write_setup(setup): name for name, setup in rules.named_setups().items()}
    for name, setup in zip(found.names, found.setups, strict=True):
        assert name == named.get(write_setup(setup), name)
        assert name in named.values() or name.startswith("found-")


@pytest.mark.usefixtures("by_quality")
def test_evolution_finds_what_wins() -> None:
    arena = make_arena()
    evolution = Evolution(arena, 6)
    evolution.begin()

    def quality() -> float:
        setups = [cyvasse.parse_setup(text) for text in evolution.population]
        return sum(sum(at[0] > "f" for at in setup.pieces) for setup in setups) / len(setups)

    assert len(evolution.population) == evolution.room
    before = quality()
    for _ in range(12):
        evolution.generation()
    assert quality() > before + 1
    for one, other in combinations(evolution.population, 2):
        assert evolution.likeness(one, other) <= ALIKE


def test_who_decides_a_game_at_once_is_no_finalist(monkeypatch: pytest.MonkeyPatch) -> None:
    named = [write_setup(setup) for setup in NINE_TILE.named_setups().values()]
    victim, killer, *rest = named

    def play(rules_id: str, nodes: int, seed: int, task: Task) -> float:
        if task.look:
            return module.MOST_SEEN if (task.row, task.column) == (killer, victim) else 0.0
        return 1.0 if task.row == victim else 0.5  # so that the victim is the strongest

    monkeypatch.setattr(module, "answer", play)
    arena = make_arena()
    arena.ask([Task(victim, other, 0) for other in [killer, *rest]])
    evolution = Evolution(arena, 3)
    evolution.population = [victim, killer]
    finalists = evolution.finalists(4)
    assert finalists[0] == victim
    assert killer not in finalists
    assert len(finalists) == 4  # filled up with others that have played


@pytest.mark.usefixtures("by_quality")
def test_the_same_seed_finds_the_same_pool() -> None:
    first = find_pool(make_arena(), size=3, games=300)
    again = find_pool(make_arena(), size=3, games=300)
    other = find_pool(make_arena(seed=2), size=3, games=300)
    assert first == again
    assert first.setups != other.setups
    assert first.about["generations"] > 1
    assert first.about["games"] <= 300


@pytest.mark.usefixtures("by_quality")
def test_it_stops_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two generations or so, then the round robin, then more rounds while time is left."""
    ticks = count()
    monkeypatch.setattr(pools, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    arena = make_arena()
    monkeypatch.setattr(arena, "seconds_for", lambda games: 2.0 if games > 30 else 0.0)
    stages: list[str] = []
    find_pool(arena, size=4, minutes=0.1, on_stage=stages.append)
    assert stages == [
        "first population",
        "generation 1",
        "generation 2",
        "generation 3",
        "round robin",
        "round robin, 6 games a pairing",
    ]


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled, games take too long")
def test_round_robins_join() -> None:
    arena = make_arena()
    members = [write_setup(setup) for setup in NINE_TILE.named_setups().values()][:3]
    table = round_robin(arena, members, 0, 2)
    assert table == round_robin(arena, members[::-1], 0, 2)
    more = round_robin(arena, members[:2], 2, 3)
    both = joined(table, more)
    assert set(both) == {(members[0], members[1]), (members[1], members[0])}
    assert both[members[0], members[1]].games == 3
    assert both[members[0], members[1]] == both[members[1], members[0]].reversed


def test_the_weakest_go_first() -> None:
    wins, draws, losses = Result(4, 0, 0), Result(0, 4, 0), Result(0, 0, 4)
    table = {("a", "b"): wins, ("a", "c"): draws, ("b", "c"): wins}
    table |= {("b", "a"): losses, ("c", "a"): draws, ("c", "b"): losses}
    assert strongest(["c", "b", "a"], table, 2) == ["b", "a"]


@every_rule_set
def test_marks_show_every_difference_on_the_board(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    assert {at for at, _ in marks(rules, setup)} >= set(setup.pieces)
    evolution = Evolution(make_arena(rules), 4)
    text = write_setup(setup)
    assert evolution.likeness(text, text) == 1
    likenesses = []
    for seed in range(30):
        child = write_setup(rules.varied_setup(setup, seed))
        likenesses.append(evolution.likeness(text, child))
        assert likenesses[-1] == evolution.likeness(child, text)
    assert min(likenesses) < 1
    assert max(likenesses) > 0.6
    other = write_setup(rules.random_setup("white", 2))
    assert evolution.likeness(text, other) < 0.6


@pytest.mark.parametrize(
    "limits", [{}, {"minutes": 1.0, "games": 5}, {"size": 1, "games": 5}], ids=str
)
def test_limits_are_needed(limits: dict[str, float]) -> None:
    with pytest.raises(CyvasseError):
        find_pool(make_arena(), **limits)  # type: ignore[arg-type]
