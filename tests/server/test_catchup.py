"""The decision table of a client that comes back, row by row."""

from __future__ import annotations

import pytest

from cyvasse.server.catchup import MOST_EVENTS, Answer, catch_up


@pytest.mark.parametrize(
    ("last", "number", "answer"),
    [
        # The client has nothing.
        (None, 0, "snapshot"),
        (None, 7, "snapshot"),
        (0, 0, "snapshot"),
        (0, 7, "snapshot"),
        # More than there is.
        (8, 7, "snapshot"),
        (1, 0, "snapshot"),
        # Everything.
        (7, 7, "current"),
        (5_000, 5_000, "current"),
        # All but a few.
        (6, 7, "update"),
        (1, 7, "update"),
        (1, 1 + MOST_EVENTS, "update"),
        # Less than that.
        (1, 2 + MOST_EVENTS, "snapshot"),
        (1, 100_000, "snapshot"),
    ],
)
def test_decision_table(last: int | None, number: int, answer: Answer) -> None:
    assert catch_up(last, number) == answer
