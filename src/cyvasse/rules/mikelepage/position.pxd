from cyvasse.actions cimport (
    BRING_OUT, CAPTURE, CORNER, KIND, MOVE, ORIGIN, PASS, PIECE, PROMOTE, SQUARE, TARGET, VICTIM,
)
from cyvasse.rules.base cimport (
    DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS, Position, Stack, word,
)

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
    HITS = 400
    ROCK = 48
    EDGE = 64
    DIAGONALS = 6
    NEARBY = 62
    NOTHING = 0
    THE_CORNER = 1
    THE_PROMOTION = 2

cdef int STEP[1104]
cdef int AROUND[16744]
cdef int NEAR[5642]
cdef int CORNERS[6]
cdef int TIER[10]
cdef int HOME[10]
cdef int BROUGHT[10]
cdef int REACH[10]
cdef int MOST[10]
cdef int LETTER[10]
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

cdef class MikelepagePosition(Position):
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
    cdef int after
    cdef int hit_by[400]
    cdef int hit_at[400]
    cdef int hits
    cdef int muster[368]
    cdef int royal[92]
    cdef long long seen[92]
    cdef long long stamp
    cdef int queue[92]

    @cython.locals(other=MikelepagePosition)
    cpdef copy(self)

    cdef void _clear(self) noexcept
    @cython.locals(side=int, square=int, number=int, terrain=dict)
    cdef _set_up(self, rules, white, black, int first)
    cdef void _finish_key(self) noexcept nogil
    @cython.locals(slot=int, square=int)
    cdef _raise_mountains(self)
    cdef void _cover(self, int square, int number) noexcept nogil
    cdef void _build_fortress(self, int side, int square) noexcept nogil
    @cython.locals(side=int)
    cdef _build_fortresses(self, state)
    @cython.locals(square=int)
    cdef _place(self, state)
    @cython.locals(number=int, square=int, code=int, side=int, slot=int)
    cdef int _take_slots(self) except -1
    @cython.locals(side=int, first=int, number=int, owned=int, lost=int)
    cdef _count_lost(self, state)
    @cython.locals(owned=int)
    cdef int _owned(self, int color, int number) noexcept nogil
    @cython.locals(square=int, number=int)
    cdef _lay(self, state)
    cdef int _take_slot(self, int color, int code) except -1
    cpdef int quiet_at_turn_end(self)

    cdef void generate(self, Stack out) noexcept nogil
    @cython.locals(kind=int, origin=int, target=int, piece=int, taken=int, i=int)
    cdef void generate_like(self, word code, Stack out) noexcept nogil
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

    cdef inline void _choices(self, Stack out) noexcept nogil
    cdef inline void _look_round(self, Stack out) noexcept nogil
    cdef inline void _look(self, int low, int high, Stack out) noexcept nogil
    cdef inline void _slide(self, int origin, int number, int first, Stack out) noexcept nogil
    cdef inline void _ride(self, int origin, int number, Stack out) noexcept nogil
    cdef inline void _fly(self, int origin, Stack out) noexcept nogil
    cdef inline void _bring_out(self, Stack out) noexcept nogil
    cdef inline void _hit(self, int origin, int number, int target) noexcept nogil
    cdef inline int _takes(self, int number, int target) noexcept nogil
    cdef int _defence(self, int code, int square) noexcept nogil

@cython.locals(position=MikelepagePosition)
cpdef first_position(rules, white, black, first)
