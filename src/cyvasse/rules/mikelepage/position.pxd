from cyvasse.actions cimport (
    BRING_OUT, CAPTURE, CORNER, KIND, ORIGIN, PASS, PIECE, PROMOTE, SQUARE, TARGET,
)
from cyvasse.rules.base cimport DRAWN, ONGOING, QUIET_LIMIT, WHITE_WINS, word
from cyvasse.rules.mikelepage.placement cimport (
    CROSSBOWS, DRAGON, HIGHER, KING, LIGHT_HORSE, NO_SLOT, NOTHING, OFF, RABBLE, ROCK, SLOTS,
    SQUARES, THE_CORNER, THE_PROMOTION, TYPES,
)
from cyvasse.rules.mikelepage.reach cimport LETTER, TIER, Reach

cimport cython

cdef word PIECE_KEYS[4368]
cdef word GROUND_KEYS[364]
cdef word FORTRESS_KEYS[182]
cdef word CORNER_KEYS[182]
cdef word RUIN_KEYS[2]
cdef word RESERVE_KEYS[2]
cdef word LOST_KEYS[160]
cdef word FLAG_KEYS[12]
cdef word RESULT_KEYS[4]
cdef word SIDE_KEY[1]

cdef class MikelepagePosition(Reach):
    cdef int after

    cdef void _finish(self) noexcept nogil
    @cython.locals(other=MikelepagePosition)
    cpdef copy(self)
    cpdef int quiet_at_turn_end(self)

    # Words where they are shifted into the history: a C int would be cut off.
    @cython.locals(kind=int, target=int, passed=int, record=word)
    cdef void make(self, word code) noexcept nogil
    @cython.locals(before=word, record=word, kind=int, target=int, after=int)
    cdef void unmake(self) noexcept nogil

    # Inline is what no other module calls: it is called directly, not through a table of methods.
    cdef inline int _flags(self) noexcept nogil
    cdef inline void _remember(self, int kind, int target) noexcept nogil
    cdef inline void _carry_out(self, int kind, int origin, int target) noexcept nogil
    cdef inline void _take_back(self, int kind, int origin, int target, int taken) noexcept nogil
    cdef inline void _end_turn(self) noexcept nogil
    cdef inline void _begin_turn(self) noexcept nogil
    cdef inline void _choose_corner(self, int color, int square) noexcept nogil
    cdef inline void _find_centre(self, int color) noexcept nogil
    cdef inline void _promote_at_beginning(self) noexcept nogil
    cdef inline int _options(self) noexcept nogil
    cdef inline int _chosen(self, int letter) noexcept nogil
    cdef inline void _promote(self, int square, int number) noexcept nogil
    cdef inline void _demote(self, int square, int number) noexcept nogil
    cdef inline void _count(self, int color, int number, int change) noexcept nogil

@cython.locals(position=MikelepagePosition)
cpdef first_position(rules, white, black, first)
