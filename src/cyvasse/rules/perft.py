"""Perft: count the action sequences of a given length, to compare and to time rule sets.

>>> import cyvasse
>>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
>>> perft(position, 1) == len(position.legal_actions())
True
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position, Stack

DEEPEST = 64
_SHORT = 3  # a fraction of a second at most


def perft(position: Position, depth: int) -> int:
    """How many sequences of ``depth`` actions there are; every leaf is played and taken back."""
    if not isinstance(position, Position):
        raise CyvasseError(f"perft counts from a position, not from {position!r:.40}")
    if type(depth) is not int or not 0 <= depth <= DEEPEST:
        raise CyvasseError(f"the depth of a perft is a number from 0 to {DEEPEST}, not {depth!r}")
    if depth == 0:
        return 1
    # On a copy: other threads may go on with the position while this one counts.
    here: Position = position.copy()
    total = _run(here, depth, Stack())
    here.raise_fault()
    return total


def _run(position: Position, depth: int, found: Stack) -> int:
    """Count, looking up now and then whether somebody wants to stop."""
    if depth <= _SHORT:
        with cython.nogil:
            short = _count(position, depth, found)
        return short
    start = found.size
    position.generate(found)
    total = 0
    i = start
    while i < found.size:
        position.make(found.items[i])
        total += _run(position, depth - 1, found)
        position.unmake()
        i += 1
        if cython.compiled:
            PyErr_CheckSignals()  # type: ignore[name-defined]  # noqa: F821
    found.size = start
    return total


def _count(position: Position, depth: int, found: Stack) -> int:
    start = found.size
    position.generate(found)
    total = 0
    i = start
    while i < found.size:
        position.make(found.items[i])
        total += _count(position, depth - 1, found) if depth > 1 else 1
        position.unmake()
        i += 1
    found.size = start
    return total
