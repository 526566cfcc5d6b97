from cyvasse.rules.base cimport Position, word
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation
from cyvasse.rules.nine_tile.position cimport KING, OFF, SLOTS, NineTilePosition

cdef class NineTileEvaluation(Evaluation):
    cdef void measure(self, Position position) noexcept nogil
    cdef void _survey(self, NineTilePosition here) noexcept nogil
    cdef int gain(self, Position position, word code) noexcept nogil
    cdef int _prize(self, NineTilePosition here, int victim) noexcept nogil
