"""Games between setups, remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

import cyvasse
from cyvasse import BLACK, WHITE, RuleSet, parse_setup, write_setup
from cyvasse.engine import arena as module
from cyvasse.engine.arena import FRESH, Arena, Task, answer, ratings
from cyvasse.engine.selfplay import Workers
from tests.strategies import IDS

RULES = cyvasse.rule_set("nine-tile")
SUNSPEAR, EYRIE, VOLANTIS = (
    write_setup(RULES.named_setups()[name]) for name in ("sunspear", "eyrie", "volantis")
)


def make_arena(path: Path | None = None, **options: int) -> Arena:
    return Arena(RULES, Workers(), journal=path, **{"nodes": 10, **options})


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)
def test_numbers_exchange_colours_and_beginners(rules: RuleSet) -> None:
    row, column = (write_setup(rules.random_setup(WHITE, seed)) for seed in (1, 2))
    starts = [Task(row, column, number).start(rules) for number in range(4)]
    mine, theirs = parse_setup(row), parse_setup(column)
    turned = rules.turned_setup
    assert [(white, black) for white, black, _ in starts] == [
        (mine, turned(theirs)),
        (theirs, turned(mine)),
    ] * 2
    assert [first for _, _, first in starts] == [WHITE, WHITE, BLACK, BLACK]


def test_the_answer_is_the_rows() -> None:
    """A look at the same start, seen from both sides."""
    for number in range(4):
        seen = answer(RULES.id, 10, 1, Task(SUNSPEAR, EYRIE, number, look=True))
        other = answer(RULES.id, 10, 1, Task(EYRIE, SUNSPEAR, number ^ 1, look=True))
        assert seen == -other


def test_games_are_played_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    tasks = [
        Task(SUNSPEAR, EYRIE, 0),
        Task(EYRIE, SUNSPEAR, 0),
        Task(SUNSPEAR, EYRIE, 0),
        Task(SUNSPEAR, EYRIE, 1, look=True),
    ]
    arena = make_arena(path)
    first = arena.ask(tasks)
    assert first[0] == first[2]
    assert arena.played == 2
    assert len(arena.results) == 3
    assert arena.ask(tasks) == first
    assert arena.played == 2
    assert arena.seconds_for(20) > 0

    def refuse(*_: object) -> float:
        raise AssertionError("this game is known")

    monkeypatch.setattr(module, "answer", refuse)
    again = make_arena(path)
    assert again.ask(tasks) == first
    assert again.played == 0
    with pytest.raises(AssertionError):
        again.ask([Task(SUNSPEAR, VOLANTIS, 0)])


def test_other_conditions_need_another_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    make_arena(path)
    for options in ({"nodes": 11}, {"seed": 2}):
        with pytest.raises(cyvasse.CyvasseError, match="was begun with"):
            make_arena(path, **options)


def test_trials_use_fresh_games_and_no_mirrors(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Task] = []

    def strong_first(rules_id: str, nodes: int, seed: int, task: Task) -> float:
        asked.append(task)
        return float(task.row == SUNSPEAR)

    monkeypatch.setattr(module, "answer", strong_first)
    arena = make_arena()
    points = arena.trial([SUNSPEAR, EYRIE], [EYRIE, VOLANTIS], 4)
    assert points == [1.0, 0.0]
    assert all(task.row != task.column for task in asked)
    assert all(task.number >= FRESH for task in asked)
    assert len(set(asked)) == 8
    arena.trial([SUNSPEAR], [EYRIE, VOLANTIS], 4)
    assert len(set(asked)) == 12


def test_two_processes_agree_with_one() -> None:
    tasks = [Task(SUNSPEAR, EYRIE, number) for number in range(3)]
    with Workers(2) as workers:
        many = Arena(RULES, workers, nodes=10).ask(tasks)
    assert many == make_arena().ask(tasks)


def test_ratings_compare_across_opponents() -> None:
    """Beating the strong says more than beating the weak."""
    results = [("strong", "middle", 1.0)] * 8 + [("strong", "middle", 0.0)] * 2
    results += [("middle", "weak", 1.0)] * 8 + [("middle", "weak", 0.0)] * 2
    results += [("beats strong", "strong", 1.0)] * 6 + [("beats strong", "strong", 0.0)] * 4
    results += [("beats weak", "weak", 1.0)] * 6 + [("beats weak", "weak", 0.0)] * 4
    strengths = ratings(results)
    order = sorted(strengths, key=strengths.__getitem__, reverse=True)
    assert order[:3] == ["beats strong", "strong", "middle"]
    assert strengths["beats strong"] > 3 * strengths["beats weak"]
    assert ratings([]) == {}
