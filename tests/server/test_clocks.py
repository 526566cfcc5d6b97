"""Clocks count what they are told, and nothing else."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.rules.terms import BLACK, WHITE, Color
from cyvasse.server.clocks import (
    DAY,
    Clock,
    DaysPerTurn,
    Fischer,
    Rate,
    Unlimited,
    setup_limit,
)

START = 1_700_000_000_000


def test_without_a_clock_nothing_runs_out() -> None:
    clock = Clock(Unlimited())
    clock.start(WHITE, START)
    assert clock.running is WHITE
    assert clock.left(WHITE, START + DAY) is None
    assert clock.deadline is None


def test_only_the_player_to_act_loses_time() -> None:
    clock = Clock(Fischer(60))
    clock.start(WHITE, START)
    assert clock.left(WHITE, START + 1_500) == 58_500
    assert clock.left(BLACK, START + 1_500) == 60_000
    assert clock.deadline == START + 60_000
    clock.start(BLACK, START + 2_000, turn_over=True)
    assert clock.left(WHITE, START + 10_000) == 58_000
    assert clock.left(BLACK, START + 10_000) == 52_000
    assert clock.deadline == START + 62_000


def test_an_increment_is_for_a_turn_that_is_over() -> None:
    clock = Clock(Fischer(60, increment=5))
    clock.start(WHITE, START)
    clock.start(BLACK, START + 1_000, turn_over=True)
    assert clock.left(WHITE, START + 1_000) == 64_000
    clock.start(WHITE, START + 2_000)  # something was taken back
    assert clock.left(BLACK, START + 2_000) == 59_000


def test_a_turn_may_be_followed_by_another_of_the_same_player() -> None:
    clock = Clock(Fischer(60, increment=5))
    clock.start(WHITE, START)
    clock.start(WHITE, START + 1_000, turn_over=True)
    assert clock.left(WHITE, START + 2_000) == 63_000


def test_time_never_falls_below_nothing() -> None:
    clock = Clock(Fischer(10))
    clock.start(WHITE, START)
    assert clock.left(WHITE, START + 11_000) == 0
    clock.stop(START + 11_000)
    assert clock.left(WHITE, START + 12_000) == 0
    assert clock.running is None
    assert clock.deadline is None


def test_a_clock_that_was_set_back_gives_nothing_away() -> None:
    clock = Clock(Fischer(10))
    clock.start(WHITE, START)
    assert clock.left(WHITE, START - 5_000) == 10_000


def test_days_are_for_each_turn() -> None:
    clock = Clock(DaysPerTurn(2))
    clock.start(WHITE, START)
    assert clock.deadline == START + 2 * DAY
    clock.start(BLACK, START + DAY, turn_over=True)
    assert clock.left(WHITE, START + DAY) == 2 * DAY
    assert clock.deadline == START + 3 * DAY


def test_days_are_for_each_turn_also_after_taking_back() -> None:
    clock = Clock(DaysPerTurn(1))
    clock.start(WHITE, START)
    clock.start(BLACK, START + 1_000, turn_over=True)
    clock.start(WHITE, START + 1_000 + DAY // 2)  # Black lets White take back
    clock.start(BLACK, START + 2_000 + DAY // 2, turn_over=True)
    assert clock.left(BLACK, START + 2_000 + DAY // 2) == DAY


def test_whoever_takes_back_the_own_action_gains_no_days() -> None:
    clock = Clock(DaysPerTurn(1))
    clock.start(WHITE, START)
    clock.start(WHITE, START + 5_000)  # within the own turn
    assert clock.deadline == START + DAY


@pytest.mark.parametrize("rate", [Fischer(60), DaysPerTurn(1)])
def test_time_that_nobody_could_play_in_is_given_back(rate: Rate) -> None:
    clock = Clock(rate)
    clock.start(WHITE, START)
    before = clock.left(WHITE, START + 1_000)
    clock.give_back(30_000)
    assert clock.left(WHITE, START + 31_000) == before
    assert clock.left(WHITE, START) == clock.left(BLACK, START)  # never more than there was


@given(
    st.lists(st.tuples(st.integers(0, 20_000), st.booleans()), max_size=30),
    st.integers(0, 10),
)
def test_no_time_is_lost_or_made(steps: list[tuple[int, bool]], increment: int) -> None:
    clock = Clock(Fischer(3600, increment))
    now, turn, turns = START, WHITE, 0
    used = {WHITE: 0, BLACK: 0}
    clock.start(turn, now)
    for milliseconds, over in steps:
        now += milliseconds
        used[turn] += milliseconds
        if over:
            turn = turn.other
            turns += 1
        clock.start(turn, now, turn_over=over)
    left = {color: clock.left(color, now) for color in Color}
    ended = {WHITE: (turns + 1) // 2, BLACK: turns // 2}
    for color in Color:
        assert left[color] == 3_600_000 - used[color] + ended[color] * increment * 1000


@pytest.mark.parametrize(
    ("rate", "limit"), [(Unlimited(), None), (Fischer(60), 600), (DaysPerTurn(3), 3 * 86_400)]
)
def test_how_long_setting_up_may_take(rate: Rate, limit: int | None) -> None:
    assert setup_limit(rate) == limit


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"fischer","seconds":9}',
        '{"kind":"fischer","seconds":21601}',
        '{"kind":"fischer","seconds":60,"increment":-1}',
        '{"kind":"fischer","seconds":60,"increment":601}',
        '{"kind":"days","days":0}',
        '{"kind":"days","days":31}',
        '{"kind":"hourglass"}',
    ],
)
def test_rates_have_limits(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Rate)
