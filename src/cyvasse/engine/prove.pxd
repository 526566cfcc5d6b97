from cpython.exc cimport PyErr_CheckSignals

from cyvasse.actions cimport make_action
from cyvasse.rules.base cimport ONGOING, WHITE_WINS, Position, Stack, word

cimport cython

cdef enum:
    LOOK_UP = 65536

cdef class Prover:
    cdef Position position
    cdef Stack found
    cdef Stack memory
    cdef word rows
    cdef int attacker
    cdef readonly long long nodes
    cdef long long budget
    cdef readonly int stopped
    cdef object interruption
    cdef word latest[64]
    @cython.locals(code=word, i=Py_ssize_t)
    cpdef tuple winning_actions(self, int turns)
    cdef int _leads_to_win(
        self, Position position, Stack found, word code, int left
    ) noexcept nogil
    @cython.locals(start=Py_ssize_t, i=Py_ssize_t)
    cdef int _wins(self, Position position, Stack found, int left) noexcept nogil
    @cython.locals(code=word, i=Py_ssize_t)
    cdef void _put_latest_first(self, Stack found, Py_ssize_t start, int kind) noexcept nogil
    @cython.locals(row=Py_ssize_t, within=int, beyond=int)
    cdef int _recalled(self, word key, int left) noexcept nogil
    @cython.locals(row=Py_ssize_t, known=word)
    cdef void _remember(self, word key, int left, int won) noexcept nogil
    cdef int _spend(self) noexcept nogil
    cdef int _interrupted(self) noexcept with gil
