from cyvasse.rules.base cimport DRAWN, ONGOING, WHITE_WINS, Position

cimport cython

cdef enum:
    RABBLE = 1
    KING = 2
    CROSSBOWS = 3
    SPEARS = 4
    LIGHT_HORSE = 5
    TREBUCHET = 6
    ELEPHANT = 7
    HEAVY_HORSE = 8
    DRAGON = 9
    TYPES = 10
    HIGHER = 3
    SQUARES = 91
    OFF = 91
    SLOTS = 20
    ALL_SLOTS = 52
    NO_SLOT = 31
    ROCK = 48
    EDGE = 64
    NOTHING = 0
    THE_CORNER = 1
    THE_PROMOTION = 2

cdef int BROUGHT[10]
cdef int MOST[10]

cdef class Placement(Position):
    cdef dict terrain
    cdef list mountains
    cdef int pending
    cdef int board_[92]
    cdef int ground[92]
    cdef int slot_at[92]
    cdef int where[52]
    cdef int code_of[40]
    cdef int count[2]
    cdef int kings[2]
    cdef int reserve[2]
    cdef int dragon[2]
    cdef int site[2]
    cdef int standing[2]
    cdef int corner[2]
    cdef int centre[2]
    cdef int lost[20]

    cdef void _clear(self) noexcept
    @cython.locals(side=int, square=int, number=int, terrain=dict)
    cdef _set_up(self, rules, white, black, int first)
    cdef _lay(self, state)
    @cython.locals(slot=int, square=int)
    cdef _raise_mountains(self)
    @cython.locals(side=int)
    cdef _build_fortresses(self, state)
    @cython.locals(square=int)
    cdef _place(self, state)
    @cython.locals(number=int, square=int, code=int, side=int, slot=int)
    cdef int _take_slots(self) except -1
    cdef int _take_slot(self, int color, int code) except -1
    @cython.locals(side=int, first=int, number=int, owned=int, lost=int)
    cdef _count_lost(self, state)
    @cython.locals(owned=int)
    cdef int _owned(self, int color, int number) noexcept nogil
    cdef _copy_placement(self, Placement other)
