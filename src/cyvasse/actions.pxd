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

cdef class Action:
    cdef readonly unsigned int code
    cdef readonly object board

@cython.locals(action=Action)
cpdef Action make_action(unsigned int code, object board)
cpdef str action_text(unsigned int code, object board)
