from cyvasse.actions cimport (
    BRING_OUT, CAPTURE, CORNER, KIND, MOVE, ORIGIN, PASS, PIECE, PROMOTE, SQUARE, TARGET, VICTIM,
)
from cyvasse.rules.base cimport MAX_ACTIONS, ONGOING, Stack, word
from cyvasse.rules.mikelepage.placement cimport (
    CROSSBOWS, DRAGON, ELEPHANT, KING, LIGHT_HORSE, NOTHING, OFF, RABBLE, ROCK, SLOTS, SPEARS,
    SQUARES, THE_CORNER, TREBUCHET, TYPES, Placement,
)

cimport cython

cdef enum:
    HITS = 400
    DIAGONALS = 6
    NEARBY = 62

# Tables stand where they are used most: other modules reach them through a pointer.
cdef int STEP[1104]
cdef int AROUND[16744]
cdef int NEAR[5642]
cdef int CORNERS[6]
cdef int TIER[10]
cdef int HOME[10]
cdef int REACH[10]
cdef int LETTER[10]

cdef class Reach(Placement):
    cdef int hit_by[400]
    cdef int hit_at[400]
    cdef int hits
    cdef int muster[368]
    cdef int royal[92]
    cdef long long seen[92]
    cdef long long stamp
    cdef int queue[92]

    cdef void generate(self, Stack out) noexcept nogil
    @cython.locals(kind=int, origin=int, target=int, piece=int, taken=int, i=int)
    cdef void generate_like(self, word code, Stack out) noexcept nogil

    # Inline is what no other module calls: it is called directly, not through a table of methods.
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
