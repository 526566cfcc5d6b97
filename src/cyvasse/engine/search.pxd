from cpython.exc cimport PyErr_CheckSignals
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from cyvasse.actions cimport CORNER, END, KIND, ORIGIN, PASS, PROMOTE, SQUARE, TARGET, VICTIM
from cyvasse.engine.table cimport AT_LEAST, AT_MOST, EXACT, TranspositionTable
from cyvasse.rules.base cimport DRAWN, MAX_ACTIONS, ONGOING, WHITE_WINS, Position, Stack, word
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation

cimport cython

cdef extern from *:
    """
    #ifdef CYVASSE_CHECKED
    #define CYVASSE_CHECKING 1
    #else
    #define CYVASSE_CHECKING 0
    #endif
    """
    enum: CHECKING "CYVASSE_CHECKING"

cpdef enum:
    LONGEST = 100
    WON = 32000
    SURE = 31000
    INFINITE = 32700
    FIRST_CHOICE = 1 << 30
    GAINS = 1 << 28
    KILLS = 1 << 27
    PLAIN = 1 << 20
    MUCH = 1 << 14
    FULL_WIDTH = 2
    DELTA = 200
    LATEST = 64
    PACE = 511
    REMEMBERED = 1 << 14
    CODE = (1 << 30) - 1
    NEAR_DRAW = 20
    EVERYTHING = 1024
    MIXED = 0x7FFFFFFF
    LOOKS = 50000

cdef int REDUCTION[6400]
cdef word QUIET_KEYS[21]
cdef int QUIET_TURNS
cdef int REPETITIONS

cdef inline double now() noexcept nogil:
    cdef timespec moment
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return moment.tv_sec + moment.tv_nsec * 1e-9

cdef class Search:
    cdef Position position
    cdef Evaluation evaluation
    cdef TranspositionTable table
    cdef Stack found
    cdef Stack path
    cdef readonly long long nodes
    cdef long long node_limit
    cdef double deadline
    cdef int pace
    cdef readonly bint stopped
    cdef bint repetition
    cdef bint quiet_rule
    cdef int tree_from
    cdef int root_depth
    cdef object fault
    cdef unsigned int killers[200]
    cdef int history[32768]
    cdef unsigned int line[10000]
    cdef int line_length[101]
    cdef word weighed[16384]
    cdef int worths[16384]
    cdef int roots
    cdef int all_roots
    cdef int attention
    cdef word mood
    cdef int looks
    cdef unsigned int root_code[1024]
    cdef int finished

    cdef _look_back(self, Position past)
    cdef _list_roots(self)
    cdef int _run(self, int depth, int first, int guess) except? -32767
    cdef int _aspire(self, int depth, int first, int guess) noexcept nogil
    @cython.locals(key=word, path_size=Py_ssize_t, code=word, value=int, best=int)
    cdef int _root(self, int depth, int first, int alpha, int beta) noexcept nogil
    @cython.locals(
        key=word, entry=word, code=word, hash_code=word, best_code=word, kind=int, start=Py_ssize_t,
        i=Py_ssize_t, size=Py_ssize_t, path_size=Py_ssize_t, count=int, value=int, static=int, searched=int,
        narrow=bint, calm=bint, safe=bint, near=bint, quiet=bint, search_wide=bint, bound=int, side=int, here=word,
        best=int, before=int, mark=word, place=int, deeper=int, shallower=int,
    )
    cdef int _search(self, int depth, int alpha, int beta, int ply, int null) noexcept nogil
    @cython.locals(
        code=word, gain=word, start=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t, path_size=Py_ssize_t,
        prize=int, victim=int, value=int, best=int, side=int, here=word,
    )
    cdef int _quiesce(
        self, int alpha, int beta, int ply, int width, int scene
    ) noexcept nogil
    @cython.locals(at=word)
    cdef int _worth(self) noexcept nogil
    cdef int _value_after(
        self, int side, int depth, int alpha, int beta, int ply, int null
    ) noexcept nogil
    cdef int _ended(self, int side, int ply) noexcept nogil
    cdef bint _notices(self, word code) noexcept nogil
    @cython.locals(mixed=word)
    cdef int _hidden(self, word code) noexcept nogil
    @cython.locals(start=Py_ssize_t, i=Py_ssize_t, risk=int)
    cdef int _risk(self, int side, word code) noexcept nogil
    @cython.locals(start=Py_ssize_t, i=Py_ssize_t, mine=bint, lost=bint)
    cdef bint _loses(self, int side, word code, int own) noexcept nogil
    cdef bint _drawn(self) noexcept nogil
    cdef bint _may_go_on(self) noexcept nogil
    cdef void _make(self, word code) noexcept nogil
    cdef void _unmake(self, word key, Py_ssize_t path_size) noexcept nogil
    @cython.locals(i=Py_ssize_t, side=int, code=word, mark=word, prize=int, at=int)
    cdef void _rank(self, Py_ssize_t start, int ply, word hash_code) noexcept nogil
    @cython.locals(top=word, best=Py_ssize_t, j=Py_ssize_t)
    cdef word _pick(self, Py_ssize_t i) noexcept nogil
    @cython.locals(
        side=int, code=word, bonus=int, at=int, worth=int, j=Py_ssize_t,
    )
    cdef void _reward(self, Py_ssize_t start, Py_ssize_t i, int ply, int depth) noexcept nogil
    cdef void _keep_line(self, int ply, word code) noexcept nogil
    @cython.locals(key=word, left=int)
    cdef word _key(self) noexcept nogil
    cdef int _interrupted(self) noexcept with gil
    cdef void _check(self, word key, Py_ssize_t path_size) noexcept with gil
