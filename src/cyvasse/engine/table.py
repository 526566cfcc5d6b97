"""The transposition table: what the search has found out about positions, shared by its threads.

An entry is one word (action, depth, bound, age, score), and its lock is the key xor that word.  Two
threads that write at once can leave a lock that fits nothing, which then is not found; nobody waits
for anybody.

Buckets have two places: one keeps what was searched deepest, the other what came last.  Entries of
earlier searches count as empty, so that a search finds the same whatever was searched before.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

if not cython.compiled:
    NOTHING = 0
    AT_LEAST = 1
    AT_MOST = 2
    EXACT = 3

# code (30 bits) | depth (7) << 30 | bound (2) << 37 | age (8) << 39 | score + 32768 << 47
_AGES = 256


class TranspositionTable:
    """Room for a power of two of entries."""

    locks: list[int]
    entries: list[int]
    size: int
    mask: int
    age: int

    def __init__(self, megabytes: int = 16) -> None:
        """As many entries of 16 bytes as fit."""
        self.size = 2
        while self.size * 32 <= megabytes << 20:
            self.size *= 2
        self.mask = self.size - 2
        self.age = 0
        self._empty()

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.locks)  # type: ignore[name-defined]  # noqa: F821
            free(self.entries)  # type: ignore[name-defined]  # noqa: F821

    def _empty(self) -> None:
        if cython.compiled:
            free(self.locks)  # type: ignore[name-defined]  # noqa: F821
            free(self.entries)  # type: ignore[name-defined]  # noqa: F821
            self.locks = zeros(self.size)  # type: ignore[name-defined]  # noqa: F821
            self.entries = zeros(self.size)  # type: ignore[name-defined]  # noqa: F821
            if not self.locks or not self.entries:
                raise MemoryError("no memory for the transposition table")
        else:
            self.locks, self.entries = [0] * self.size, [0] * self.size

    def renew(self) -> None:
        """Forget everything, at no cost most of the time."""
        self.age += 1
        if self.age == _AGES:
            self._empty()
            self.age = 1

    def probe(self, key: int) -> int:
        """The entry of a position, or 0."""
        at = key & self.mask
        entry = self.entries[at]
        if self.locks[at] ^ entry == key and entry >> 39 & 255 == self.age:
            return entry
        entry = self.entries[at + 1]
        if self.locks[at + 1] ^ entry == key and entry >> 39 & 255 == self.age:
            return entry
        return 0

    def store(self, key: int, code: int, depth: int, bound: int, score: int) -> None:
        """Remember what a search of some depth has found."""
        at = key & self.mask
        wide = score + 32768
        data = depth
        entry = code | data << 30 | self.age << 39 | wide << 47
        data = bound
        entry |= data << 37
        old = self.entries[at]
        searched = old >> 30 & 127
        if old >> 39 & 255 == self.age and searched > depth and self.locks[at] ^ old != key:
            at += 1
        self.entries[at] = entry
        self.locks[at] = key ^ entry
