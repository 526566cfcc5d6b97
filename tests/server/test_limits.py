"""Rate limits: bursts are fine, floods are not, and one flood drowns nobody else."""

from __future__ import annotations

import pytest

from cyvasse.server import limits as module
from cyvasse.server.limits import LIMITS, TokenBuckets
from cyvasse.server.problems import TooOften


def spend(limits: TokenBuckets, what: str, who: str, times: int, now: float) -> int:
    """How many of so many are let through."""
    done = 0
    for _ in range(times):
        try:
            limits.spend(what, who, now=now)
        except TooOften:
            continue
        done += 1
    return done


@pytest.mark.parametrize("what", LIMITS)
def test_a_burst_and_then_the_rate(what: str) -> None:
    burst, rate = LIMITS[what]
    limits = TokenBuckets()
    assert spend(limits, what, "a", int(burst) + 5, now=0) == int(burst)
    later = 3 / rate
    assert spend(limits, what, "a", 10, now=later * 1.001) == 3
    assert spend(limits, what, "a", 10, now=later * 1.001) == 0


def test_a_bucket_is_never_fuller_than_full() -> None:
    limits = TokenBuckets()
    limits.spend("sign in", "a", now=0)
    assert spend(limits, "sign in", "a", 100, now=1e9) == LIMITS["sign in"].burst


def test_everyone_and_everything_has_a_bucket_of_its_own() -> None:
    limits = TokenBuckets()
    spend(limits, "sign in", "a", 100, now=0)
    limits.spend("sign in", "b", now=0)
    limits.spend("say", "a", now=0)


def test_the_refusal_says_how_long_to_wait() -> None:
    limits = TokenBuckets()
    spend(limits, "sign in", "a", 100, now=0)
    with pytest.raises(TooOften, match="wait 12 seconds") as error:
        limits.spend("sign in", "a", now=0)
    assert error.value.problem.status == 429
    spend(limits, "message", "a", 1000, now=0)
    with pytest.raises(TooOften, match="wait 1 second\\."):
        limits.spend("message", "a", now=0)


def test_limits_can_be_scaled_or_switched_off() -> None:
    assert spend(TokenBuckets(0), "sign in", "a", 1000, now=0) == 1000
    assert spend(TokenBuckets(2), "sign in", "a", 1000, now=0) == 2 * LIMITS["sign in"].burst


def test_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BUCKETS", 10)
    limits = TokenBuckets()
    spend(limits, "sign in", "first", 100, now=0)
    for other in range(10):
        limits.spend("sign in", str(other), now=0)
    assert len(limits._buckets["sign in"]) == 10
    limits.spend("sign in", "first", now=0)


def test_no_flood_lets_another_thing_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or whoever guesses would only have to ask for many pages from many addresses."""
    monkeypatch.setattr(module, "MOST_BUCKETS", 10)
    limits = TokenBuckets()
    spend(limits, "name", "arianne", 100, now=0)
    for other in range(100):
        limits.spend("request", str(other), now=0)
    assert spend(limits, "name", "arianne", 1, now=0) == 0


def test_who_is_refused_is_not_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BUCKETS", 10)
    limits = TokenBuckets()
    spend(limits, "name", "arianne", 100, now=0)
    for other in range(100):
        limits.spend("name", str(other), now=0)
        assert spend(limits, "name", "arianne", 1, now=0) == 0


def test_several_buckets_are_spent_from_together_or_not_at_all() -> None:
    limits = TokenBuckets()
    both = ("name", "arianne"), ("sign in", "192.0.2.1")
    spend(limits, *both[0], 100, now=0)
    for _ in range(20):
        with pytest.raises(TooOften, match="wait 30 seconds"):
            limits.spend_together(*both, now=0)
    assert spend(limits, *both[1], 100, now=0) == LIMITS["sign in"].burst
    with pytest.raises(TooOften) as error:
        limits.spend_together(*both, now=20)
    assert error.value.wait == 10  # the longest of all
    limits.spend_together(*both, now=30)
