from libc.stdlib cimport calloc, free

from cyvasse.rules.base cimport word

cimport cython

cpdef enum:
    NOTHING = 0
    AT_LEAST = 1
    AT_MOST = 2
    EXACT = 3

cdef inline word* zeros(Py_ssize_t count) noexcept nogil:
    return <word*> calloc(count, sizeof(word))

cdef class TranspositionTable:
    cdef word* locks
    cdef word* entries
    cdef readonly Py_ssize_t size
    cdef word mask
    cdef word age
    @cython.locals(at=word, entry=word)
    cdef word probe(self, word key) noexcept nogil
    @cython.locals(at=word, entry=word, old=word, data=word, wide=word, searched=int)
    cdef void store(
        self, word key, word code, int depth, int bound, int score
    ) noexcept nogil
