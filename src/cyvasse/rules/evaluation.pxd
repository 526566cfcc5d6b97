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
