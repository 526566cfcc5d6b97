cimport cython

cdef class Lines:
    cdef object _source
    cdef list _returned
    cdef bint _cut
    cdef readonly Py_ssize_t number
    cdef readonly bint continued
    cdef public bint broken

    @cython.locals(length=Py_ssize_t)
    cpdef next(self)

cdef class _Cutter:
    cdef Lines _lines
    cdef list _collected
    cdef Py_ssize_t _first
    cdef bint _in_tags
    cdef bint _in_comment
    cdef Py_ssize_t _resume

    @cython.locals(size=Py_ssize_t, line=str)
    cpdef next_game(self)
