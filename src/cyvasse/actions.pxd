cimport cython

cpdef enum:
    MOVE = 1
    CAPTURE = 2
    CAPTURE_LANDING = 3
    CAPTURE_TWO = 4
    SHOOT = 5
    SIEGE = 6
    SWAP = 7
    JUMP = 8
    DROP = 9
    BRING_OUT = 10
    PROMOTE = 11
    CORNER = 12
    END = 13
    PASS = 14

cpdef enum:
    ORIGIN = 5
    TARGET = 12
    VICTIM = 19
    PIECE = 26
    KIND = 31
    SQUARE = 127

cdef enum:
    NO_SQUARE = 255
    STRIKES = 32

cdef bytes _SIGNS

@cython.no_gc  # it leads to nothing but a board
@cython.freelist(256)
cdef class Action:
    cdef readonly unsigned int code
    cdef readonly object board

@cython.locals(action=Action)
cpdef Action make_action(unsigned int code, object board)
cpdef str action_text(unsigned int code, object board)
@cython.locals(first=int, second=int, target=int, kind=int, code=cython.longlong)
cpdef long long from_square_to_square(
    str text, Py_ssize_t at, Py_ssize_t size, bytes squares
) noexcept
@cython.locals(column=int, row=int, square=int)
cdef int _named_square(str text, Py_ssize_t at, Py_ssize_t size, bytes squares) noexcept
