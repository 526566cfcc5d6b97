from cyvasse.actions cimport CAPTURE, KIND, MOVE, ORIGIN, PASS, SHOOT, SIEGE, SQUARE, TARGET, VICTIM
from cyvasse.rules.base cimport (
    BLACK_WINS, DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS, Position, Stack, word,
)

cimport cython

cdef enum:
    CROSSBOWMAN = 3
    LIGHT_HORSE = 4
    HEAVY_HORSE = 5
    CATAPULT = 7
    TREBUCHET = 8
    DRAGON = 9
    KING = 10
    GRASS = 0
    FOREST = 1
    WATER = 2
    FORTRESS = 3
    MOUNTAIN = 4
    SQUARES = 64
    OFF = 64
    CODES = 32
    NOWHERE = 8

cdef int STEP[520]
cdef int HEADING[19]
cdef int TAKES[1024]
cdef int SHOT_COUNT[64]
cdef int SHOTS[4608]
cdef word PIECE_KEYS[2048]
cdef word WAIT_KEYS[64]
cdef word RUIN_KEYS[64]
cdef word GROUND_KEYS[320]
cdef word FACING_KEYS[32]
cdef word SIDE_KEY[1]
cdef word PASSED_KEY[1]
cdef word DRAWN_KEY[1]

cdef class GameOfCyvassePosition(Position):
    cdef dict terrain
    cdef int board_[65]
    cdef int ground_[65]
    cdef word laid[5]
    cdef int where[32]
    cdef int facing[2]
    cdef int waiting
    cdef long long seen[65]
    cdef long long stamp
    cdef int reach[256]
    cdef int reached[4]

    @cython.locals(other=GameOfCyvassePosition)
    cpdef copy(self)
    @cython.locals(square=int, ground=int, spot=word)
    cdef _lay_ground(self, state)
    @cython.locals(square=int, code=int)
    cdef _place(self, state)

    cdef void generate(self, Stack out) noexcept nogil
    @cython.locals(origin=int, piece=int, rank=int)
    cdef void generate_like(self, word code, Stack out) noexcept nogil
    cdef inline void _act(self, int low, int high, Stack out) noexcept nogil
    # Words where they are shifted into the undo record: a C int would be cut off.
    @cython.locals(struck=word, kind=int, excused=int, origin=int, target=int, victim=int, aim=int)
    cdef void make(self, word code) noexcept nogil
    @cython.locals(code=word, past=word, kind=int, origin=int, target=int, victim=int, piece=int)
    cdef void unmake(self) noexcept nogil

    @cython.locals(waiting=word, white=word, black=word, passed=word, quiet=word)
    cdef inline word _small_print(self) noexcept nogil
    @cython.locals(waiting=int, own=int, excused=int)
    cdef inline int _is_excused(self) noexcept nogil
    @cython.locals(start=int, found=int)
    cdef inline int _choices(self) noexcept nogil
    cdef inline void _end_waits(self) noexcept nogil
    @cython.locals(fallen=word)
    cdef inline word _strike(self, int victim) noexcept nogil
    cdef inline void _relocate(self, int origin, int target) noexcept nogil
    cdef inline void _face(self, int color, int direction) noexcept nogil

    cdef inline void _walk(self, int origin, int fights, Stack out) noexcept nogil
    cdef inline void _ride(self, int origin, int steps, Stack out) noexcept nogil
    cdef inline void _fly(self, int origin, Stack out) noexcept nogil
    cdef inline void _shoot_beside(self, int origin, Stack out) noexcept nogil
    cdef inline void _shoot_around(self, int origin, Stack out) noexcept nogil
    cdef inline void _shoot_ahead(self, int origin, Stack out) noexcept nogil
