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


def perft(position: Position, depth: int) -> int:
    """How many sequences of ``depth`` actions there are; every leaf is played and taken back."""
    if not isinstance(position, Position):
        raise CyvasseError(f"perft counts from a position, not from {position!r:.40}")
    if type(depth) is not int or not 0 <= depth <= DEEPEST:
        raise CyvasseError(f"the depth of a perft is a number from 0 to {DEEPEST}, not {depth!r}")
    return _run(position, depth)


def _run(position: Position, depth: int) -> int:
    found = Stack()
    if depth == 0:
        return 1
    with cython.nogil:
        count = _count(position, depth, found)
    return count


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
