cimport cython
from libc.stdlib cimport abort, free, realloc

from cyvasse.actions cimport (
    BRING_OUT,
    CAPTURE,
    CAPTURE_LANDING,
    CAPTURE_TWO,
    KIND,
    NO_SQUARE,
    PASS,
    SHOOT,
    SIEGE,
    SQUARE,
    TARGET,
    VICTIM,
    Action,
    action_text,
    make_action,
)

cpdef enum:
    ONGOING = 0
    WHITE_WINS = 1
    BLACK_WINS = 2
    DRAWN = 3
    MAX_ACTIONS = 1024
    QUIET_LIMIT = 9999

ctypedef unsigned long long word

cdef inline word* resized(word* items, Py_ssize_t capacity) noexcept nogil:
    # Running out of memory for a few kilobytes is not something that the search could survive.
    cdef word* grown = <word*> realloc(items, capacity * sizeof(word))
    if grown == NULL:
        abort()
    return grown

cdef class Stack:
    cdef word* items
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef void reserve(self, Py_ssize_t room) noexcept nogil
    cpdef copy_to(self, Stack other)

cdef class Position:
    cdef readonly object rules
    cdef Stack history
    cdef int side
    cdef int turn_open
    cdef int passed
    cdef readonly int quiet_turns
    cdef int result
    cdef word key
    cdef object fault
    cdef Stack listed
    cdef word listed_key
    cdef Py_ssize_t listed_at
    cdef void generate(self, Stack out) noexcept nogil
    cdef void generate_captures(self, Stack out) noexcept nogil
    cdef void generate_like(self, word code, Stack out) noexcept nogil
    cdef void make(self, word code) noexcept nogil
    @cython.locals(other=Position)
    cpdef Position given_away(self)
    cdef void unmake(self) noexcept nogil
    cpdef copy(self)
    cdef _begin(self, rules, int side)
    cdef _start_copy(self, Position other)
    cpdef int quiet_at_turn_end(self)
    @cython.locals(action=Action, played=int, found=Stack, key=object, times=cython.longlong)
    cpdef play_on(self, actions, dict seen, long long repetitions, long long quiet)
    @cython.locals(further=Stack, side=int, code=word, kind=int, i=Py_ssize_t)
    cdef _seek(self, Stack legal, word square, list line, list found)
    cdef Stack _listed(self)
    cdef bint _is_listed(self)
    cdef bint _is_generated(self, Action action, Stack found)
    cpdef raise_fault(self)

ctypedef void (*_generate)(Position, Stack) noexcept nogil
ctypedef void (*_make)(Position, word) noexcept nogil
ctypedef void (*_unmake)(Position) noexcept nogil

# Python cannot see these three; their addresses tell whether a class has its own.
cdef inline list inherited(Position position):
    cdef list names = []
    if <_generate> position.generate == <_generate> Position.generate:
        names.append("generate")
    if <_make> position.make == <_make> Position.make:
        names.append("make")
    if <_unmake> position.unmake == <_unmake> Position.unmake:
        names.append("unmake")
    return names
