from cyvasse.actions cimport (
    CAPTURE, CAPTURE_TWO, DROP, END, JUMP, KIND, MOVE, ORIGIN, PASS, PIECE, SQUARE, SWAP, TARGET,
    VICTIM,
)
from cyvasse.rules.areas cimport area
from cyvasse.rules.base cimport (
    DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS, Position, Stack, word,
)

cimport cython

cdef enum:
    KING = 0
    RABBLE = 1
    SPEARMAN = 2
    CROSSBOWMAN = 3
    LIGHT_HORSE = 4
    HEAVY_HORSE = 5
    ELEPHANT = 6
    CATAPULT = 7
    TREBUCHET = 8
    DRAGON = 9
    TYPES = 10
    SQUARES = 100
    OFF = 100
    RESERVE = 101
    FORESTS = 46
    SLOTS = 20
    FIRST_RABBLE = 1
    FIRST_SPEARMAN = 4
    NO_SLOT = 31
    HOMES = 8
    ROCK = 48
    KEEP = 64
    EDGE = 80
    STRAIGHT = 0
    DIAGONAL = 1

cdef int STEP[808]
cdef int ROUND[808]
cdef int WATERY[101]
cdef int JUMP_TILES[4600]
cdef int JUMP_COUNT[100]
cdef int NUMBER_OF[20]
cdef int FIRST_OF[11]
cdef area SPOT[101]
cdef word PIECE_KEYS[4200]
cdef word KEEP_KEYS[202]
cdef word HOME_KEYS[202]
cdef word MOUNTAIN_KEYS[100]
cdef word RESERVE_KEYS[80]
cdef word SECOND_KEYS[101]
cdef word SIDE_KEY[1]
cdef word PASSED_KEY[1]
cdef word DRAWN_KEY[1]

cdef class CroftPosition(Position):
    cdef list mountains
    cdef int second
    cdef int board_[101]
    cdef int slot_at[101]
    cdef int where[40]
    cdef int reserve[20]
    cdef int keep[2]
    cdef int home_count[2]
    cdef int home[16]
    cdef int is_home[202]
    cdef int intruders[2]
    cdef area peaks
    cdef area homes[2]

    @cython.locals(other=CroftPosition)
    cpdef copy(self)
    @cython.locals(square=int)
    cdef _raise_mountains(self, list mountains)
    @cython.locals(place=int, square=int, i=int)
    cdef _build_keep(self, color, keep)
    @cython.locals(square=int, code=int, color=int, slot=int)
    cdef _place(self, state)
    cdef inline int _free_slot(self, int color, int number) noexcept nogil
    @cython.locals(free=int, slot=int)
    cdef _fill_reserve(self, int color, int number, int count)

    cdef void generate(self, Stack out) noexcept nogil
    cdef void generate_captures(self, Stack out) noexcept nogil
    @cython.locals(origin=int, slot=int)
    cdef void generate_like(self, word code, Stack out) noexcept nogil
    cdef inline void _list(self, int quiet, Stack out) noexcept nogil
    @cython.locals(first=int, square=int, number=int)
    cdef inline void _act(self, int low, int high, int quiet, Stack out) noexcept nogil
    # Words where they are shifted into the undo record: a C int would be cut off.
    @cython.locals(
        kind=int, origin=int, target=int, victim=int, opens=int, progress=int,
        second=word, quiet=word, passed=word, taken=word, taken_too=word, aside=word,
    )
    cdef void make(self, word code) noexcept nogil
    @cython.locals(
        kind=int, origin=int, target=int, victim=int, slot=int, record=word, aside=word,
    )
    cdef void unmake(self) noexcept nogil

    cdef inline void _go(self, int origin, int target) noexcept nogil
    cdef inline int _take(self, int square) noexcept nogil
    cdef inline void _give_back(self, int square, int slot) noexcept nogil
    cdef inline void _swap(self, int origin, int target) noexcept nogil
    cdef inline void _bring(self, int number, int target) noexcept nogil
    cdef inline void _send_back(self, int target) noexcept nogil
    cdef inline int _stormed(self) noexcept nogil
    @cython.locals(aside=word, one=word)
    cdef inline word _storm(self) noexcept nogil
    cdef inline void _rebuild(self, word aside) noexcept nogil
    cdef inline void _change_reserve(self, int color, int number, int by) noexcept nogil

    cdef inline int _another_rabble(self, int moved) noexcept nogil
    cdef inline int _yields(self, int square, int origin) noexcept nogil
    cdef inline int _helped(self, int square, int origin) noexcept nogil
    cdef inline void _move(self, int origin, int target, Stack out) noexcept nogil
    cdef inline void _capture(self, int origin, int target, Stack out) noexcept nogil
    cdef inline void _steps(self, int origin, int pattern, Stack out) noexcept nogil
    cdef inline void _swaps(self, int origin, Stack out) noexcept nogil
    cdef inline void _jumps(self, int origin, Stack out) noexcept nogil
    cdef inline void _trample(self, int origin, Stack out) noexcept nogil
    cdef inline int _ride(self, int origin, int d, int stop, Stack out) noexcept nogil
    cdef inline void _charge(self, int origin, Stack out) noexcept nogil
    cdef inline void _roll(self, int origin, Stack out) noexcept nogil
    cdef inline void _roll_on(self, int origin, int victim, int d, Stack out) noexcept nogil
    cdef inline void _hurl(self, int origin, Stack out) noexcept nogil
    cdef inline void _fly(self, int origin, Stack out) noexcept nogil
    cdef inline void _drops(self, Stack out) noexcept nogil
