cimport cython

from cyvasse.actions cimport CAPTURE, CAPTURE_LANDING, CAPTURE_TWO, KIND, PASS, SHOOT, SIEGE, Action, make_action
from cyvasse.rules.base cimport DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS, Position, Stack, word
from cyvasse.rules.evaluation cimport HIGHEST_SCORE, Evaluation

cdef class PlainPosition(Position):
    cdef public dict men
    cdef public dict terrain
    cdef public dict fields
    cdef list _past
    cdef list _effects
    cdef dict _numbers
    cdef bint _progress
    cdef bint _drawn
    cdef object _outcome

    @cython.locals(other=PlainPosition)
    cpdef copy(self)
    cdef void generate(self, Stack out) noexcept with gil
    @cython.locals(code=word, kind=int)
    cdef void generate_captures(self, Stack out) noexcept with gil
    cdef void make(self, word code) noexcept with gil
    cdef void unmake(self) noexcept with gil
    @cython.locals(action=Action)
    cdef list _codes(self)
    cdef tuple _kept(self)
    cdef _take_back(self, tuple kept)
    cdef _carry_out(self, word code)
    cdef _settle(self)
    cdef dict _look_over(self)
    cdef tuple _count_men(self)
    cdef bint _is_open(self) except -1

cdef class PlainEvaluation(Evaluation):
    cdef dict _places

    cdef void measure(self, Position position) noexcept with gil
    cdef int gain(self, Position position, word code) noexcept with gil
    cdef _fill(self, Position position)
    cdef int _prize(self, Position position, word code) except? -1
