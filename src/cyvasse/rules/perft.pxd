from cpython.exc cimport PyErr_CheckSignals

from cyvasse.rules.base cimport Position, Stack

cdef long long _run(Position position, int depth, Stack found) except -1
cdef long long _count(Position position, int depth, Stack found) noexcept nogil
