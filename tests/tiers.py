"""How much is tested when.

`make quick` leaves out what is marked slow or thorough, `make test` what is marked thorough, and
`make thorough` nothing.  `make ci` takes one case of each thorough test, chosen by a seed.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NoReturn

import pytest

THOROUGH = os.environ.get("CYVASSE_THOROUGH") or "sample"
"""`sample` or `whole`: how long tests last that could go on for ever."""

if THOROUGH not in ("sample", "whole"):
    raise pytest.UsageError(f"CYVASSE_THOROUGH is {THOROUGH!r}; it can be sample or whole")


def missing(what: str) -> NoReturn:
    """Skip for something that is not here; fail where everything must be."""
    if os.environ.get("CYVASSE_REQUIRE_ALL"):
        pytest.fail(what)
    pytest.skip(what)


def lasting(sample: int, whole: int) -> int:
    """How many rounds, examples or positions there are in a test that could go on for ever."""
    return whole if THOROUGH == "whole" else sample


def one_of(cases: Iterable[Any], kept: str) -> list[Any]:
    """Cases of which one, by its id, is tested each time, and the others when there is time."""
    named = {getattr(case, "id", None) or str(case): case for case in cases}
    assert kept in named, f"{kept!r} is none of {', '.join(named)}"
    return [
        pytest.param(case, id=name, marks=() if name == kept else pytest.mark.thorough)
        for name, case in named.items()
    ]


def sample(items: list[pytest.Item], seed: int) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """What is run and what is left out when one case of each thorough test is enough."""
    tests: dict[tuple[object, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("thorough"):
            tests[item.path, item.nodeid.partition("[")[0]].append(item)
    chance = random.Random(seed)
    left_out = {case for cases in tests.values() for case in cases}
    left_out -= {chance.choice(cases) for cases in tests.values()}
    return [item for item in items if item not in left_out], [*left_out]
