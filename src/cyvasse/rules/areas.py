"""Areas: sets of squares in one number, a bit a square, for what must be counted quickly.

Compiled, an area is the C compiler's whole number of 128 bits; each of our boards fits into it.
"""

from __future__ import annotations

from collections.abc import Iterable

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

if not cython.compiled:

    def size(squares: int) -> int:
        """How many squares an area has."""
        return squares.bit_count()

    def lowest(squares: int) -> int:
        """The lowest bit of an area that is not empty."""
        return (squares & -squares).bit_length() - 1

    def highest(squares: int) -> int:
        """The highest bit of an area that is not empty."""
        return squares.bit_length() - 1


def area_of(bits: Iterable[int]) -> int:
    """The area of several squares.

    >>> area_of([0, 3])
    9
    """
    return sum(2**bit for bit in set(bits))
