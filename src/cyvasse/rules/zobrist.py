"""Random-looking 64-bit numbers for hashing positions, the same on every machine and build."""

from collections.abc import Iterator

_MASK = (1 << 64) - 1


def keys(name: str) -> Iterator[int]:
    """An endless stream of numbers (SplitMix64), a different one for each name.

    >>> next(keys("nine-tile")) == next(keys("nine-tile"))
    True
    """
    state = int.from_bytes(name.encode()[:8].ljust(8, b"\0"), "little")
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        yield mixed ^ (mixed >> 31)
