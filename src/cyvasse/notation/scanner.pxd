cimport cython

from cyvasse.actions cimport from_square_to_square, make_action

@cython.locals(
    tags=dict, line=str, name=str, number=Py_ssize_t, size=Py_ssize_t, at=Py_ssize_t,
    start=Py_ssize_t, end=Py_ssize_t, here=Py_UCS4,
)
cpdef scan_tags(list lines, Py_ssize_t first)
cdef bint _is_in_name(Py_UCS4 here, bint inside) noexcept
@cython.locals(
    squares=bytes, actions=list, ends=list, size=Py_ssize_t, at=Py_ssize_t, start=Py_ssize_t,
    number=int, expected=int, found=cython.longlong,
)
cpdef scan_turns(str text, board)
@cython.locals(here=Py_UCS4)
cdef bint _ends(str text, Py_ssize_t at, Py_ssize_t size) noexcept
