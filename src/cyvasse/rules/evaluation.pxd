from cyvasse.rules.base cimport Position, word

cpdef enum:
    MOST_FEATURES = 160
    KING_GAIN = 10000
    HIGHEST_SCORE = 20000

cdef class Evaluation:
    cdef int size
    cdef int weights[160]
    cdef int counts[160]
    cdef void measure(self, Position position) noexcept nogil
    cdef int gain(self, Position position, word code) noexcept nogil
    cdef int score(self, Position position) noexcept nogil

ctypedef void (*_measure)(Evaluation, Position) noexcept nogil
ctypedef int (*_gain)(Evaluation, Position, word) noexcept nogil

# As in base.pxd: the addresses tell whether a class has its own.
cdef inline list inherited(Evaluation evaluation):
    cdef list names = []
    if <_measure> evaluation.measure == <_measure> Evaluation.measure:
        names.append("measure")
    if <_gain> evaluation.gain == <_gain> Evaluation.gain:
        names.append("gain")
    return names
