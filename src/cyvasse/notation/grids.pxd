cimport cython

cdef class GridReader:
    cdef readonly object rows
    cdef list _squares
    cdef list _ends
    cdef list _order

    @cython.locals(
        size=Py_ssize_t, squares=Py_ssize_t, rows=Py_ssize_t, at=Py_ssize_t, place=Py_ssize_t,
        row=Py_ssize_t, run=Py_ssize_t, here=Py_UCS4, found=list, read=dict,
    )
    cpdef read(self, str text, dict meanings)
