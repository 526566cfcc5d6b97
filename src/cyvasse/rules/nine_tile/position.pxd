from cyvasse.actions cimport (
    CAPTURE, CAPTURE_LANDING, END, KIND, MOVE, ORIGIN, SQUARE, TARGET, VICTIM,
)
from cyvasse.rules.areas cimport area
from cyvasse.rules.base cimport (
    BLACK_WINS, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS, Position, Stack, word,
)

cimport cython

cdef enum:
    RABBLE = 1
    SPEARS = 2
    LIGHT_HORSE = 3
    HEAVY_HORSE = 4
    ELEPHANT = 5
    CROSSBOWS = 6
    TREBUCHET = 7
    DRAGON = 8
    TOWER = 9
    KING = 10
    SQUARES = 88
    OFF = 88
    SLOTS = 23
    NO_SLOT = 31
    ROCK = 48
    EDGE = 64

cdef int STEP[534]
cdef int ARMOUR[11]
cdef int REACH[11]
cdef area SPOT[89]
cdef word PIECE_KEYS[4224]
cdef word SECOND_KEYS[89]
cdef word SIDE_KEY[1]

cdef class NineTilePosition(Position):
    cdef dict terrain
    cdef int second
    cdef int board_[89]
    cdef int water[89]
    cdef int slot_at[89]
    cdef int where[46]
    cdef int code_of[46]
    cdef int count[2]
    cdef int rabble[2]
    cdef area mountains
    cdef area waters
    cdef int zone[89]
    cdef int near[89]
    cdef int engaged[89]
    cdef long long seen[89]
    cdef long long stamp
    cdef int queue[89]

    @cython.locals(other=NineTilePosition)
    cpdef copy(self)
    @cython.locals(item=int, square=int, number=int, color=int, code=int, slot=int)
    cdef _place(self, state)

    cdef void generate(self, Stack out) noexcept nogil
    cdef void generate_captures(self, Stack out) noexcept nogil
    @cython.locals(origin=int, piece=int)
    cdef void generate_like(self, word code, Stack out) noexcept nogil
    cdef inline void _survey_and_list(self, int moves, Stack out) noexcept nogil
    cdef inline void _move(self, int square, int number, Stack out) noexcept nogil
    cdef inline void _attack(self, int square, int number, Stack out) noexcept nogil
    # Words where they are shifted into the undo record: a C int would be cut off.
    @cython.locals(
        origin=int, target=int, victim=int, kind=int, piece=int, opens=int,
        slot=word, second=word, quiet=word, record=word, key=word,
    )
    cdef void make(self, word code) noexcept nogil
    @cython.locals(origin=int, target=int, victim=int, kind=int, slot=int, record=word)
    cdef void unmake(self) noexcept nogil

    cdef inline int _another_rabble(self, int moved) noexcept nogil
    cdef inline void _mark_zones(self, int color) noexcept nogil
    cdef inline void _count_engagement(self, int side) noexcept nogil
    cdef inline int _yields(self, int square) noexcept nogil
    cdef inline void _capture(self, int origin, int target, Stack out) noexcept nogil
    cdef inline void _steps(self, int origin, Stack out) noexcept nogil
    cdef inline void _wander(self, int origin, int allowance, Stack out) noexcept nogil
    cdef inline void _soar(self, int origin, Stack out) noexcept nogil
    cdef inline void _strike(self, int origin, int low, int high, Stack out) noexcept nogil
    cdef inline void _charge(self, int origin, int reach, Stack out) noexcept nogil
    cdef inline void _ride_on(self, int origin, int victim, int d, int left, Stack out) noexcept nogil
    cdef inline void _trample(self, int origin, Stack out) noexcept nogil
    cdef inline void _hurl(self, int origin, Stack out) noexcept nogil
    cdef inline void _swoop(self, int origin, Stack out) noexcept nogil
    cdef inline void _vault(self, int origin, Stack out) noexcept nogil
