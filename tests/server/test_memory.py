"""What connections leave behind is found, and a busy worker does not stop for it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from cyvasse.server.memory import LEAST_ENDED, PATIENCE, Memory


class Circle:
    """Something that only the garbage collector finds."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture
def memory() -> Iterator[Memory]:
    before = gc.get_threshold()
    memory = Memory()
    memory.begin()
    yield memory
    memory.end()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def circle() -> weakref.ref[Circle]:
    return weakref.ref(Circle())


def test_what_is_new_is_looked_through(memory: Memory) -> None:
    left = circle()
    memory.settle(0, quiet=False)
    assert left() is None


def old_circle(memory: Memory) -> weakref.ref[Circle]:
    """Garbage that has been put aside while it was still in use."""
    used = Circle()
    memory.settle(0, quiet=False)
    memory.settle(0, quiet=False)
    return weakref.ref(used)


@pytest.mark.parametrize(
    ("connections", "ended", "quiet", "found"),
    [
        (0, LEAST_ENDED, True, True),
        (0, LEAST_ENDED - 1, True, False),
        (0, LEAST_ENDED, False, False),
        (0, PATIENCE * LEAST_ENDED, False, True),
        (5_000, 4_999, True, False),
        (5_000, 5_000, True, True),
        (5_000, 19_999, False, False),
        (5_000, 20_000, False, True),
    ],
)
def test_everything_is_looked_through_when_it_is_worth_it(
    memory: Memory, connections: int, ended: int, quiet: bool, found: bool
) -> None:
    left = old_circle(memory)
    for _ in range(ended):
        memory.connection_ended()
    memory.settle(connections, quiet=quiet)
    assert (left() is None) is found
    if found:  # and then it begins anew
        left = old_circle(memory)
        memory.settle(connections, quiet=quiet)
        assert left() is not None
