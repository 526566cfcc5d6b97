from cyvasse.actions cimport BRING_OUT, CAPTURE, KIND, SQUARE, TARGET
from cyvasse.rules.base cimport Position, word
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation
from cyvasse.rules.mikelepage.placement cimport (
    ALL_SLOTS, CROSSBOWS, DRAGON, ELEPHANT, HEAVY_HORSE, HIGHER, KING, LIGHT_HORSE, OFF, RABBLE,
    SLOTS, SPEARS, TYPES,
)
from cyvasse.rules.mikelepage.position cimport MikelepagePosition
from cyvasse.rules.mikelepage.reach cimport DIAGONALS, HOME, REACH, STEP, TIER

cimport cython

cdef enum:
    TEMPO = 0
    MATERIAL = 0
    MOBILITY = 9
    ADVANCE = 18
    NEARNESS = 27
    PREY = 36
    DANGER = 40
    CONTESTED = 44
    AT_HOME = 47
    RESERVE = 51
    AMBUSH = 52
    KING_LOST = 53
    FORTRESS = 54
    INVADED = 55
    RETAKEN = 56
    GARRISON = 57
    KING_INSIDE = 58
    STORMERS = 59
    WARDENS = 60
    FIRST_HEIR = 61
    MORE_HEIRS = 62
    PROMOTION = 63
    KING_EXPOSED = 64
    BESIEGED = 67
    GUARDS = 72
    KING_FLOWN = 73

    GUARD = 65536
    ATTACKS = 65535
    FLIGHT = 4
    PLACES = 92
    AXES = 6
    LINES = 96
    SPOTS = 12
    OCCUPIED = 2048
    RINGS = 11
    CIRCLE = 64

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int lowest_bit(unsigned long long bits) {
        unsigned long place = 0; _BitScanForward64(&place, bits); return (int) place;
    }
    static int highest_bit(unsigned long long bits) {
        unsigned long place = 0; _BitScanReverse64(&place, bits); return (int) place;
    }
    #else
    static inline int lowest_bit(unsigned long long bits) { return __builtin_ctzll(bits); }
    static inline int highest_bit(unsigned long long bits) { return 63 - __builtin_clzll(bits); }
    #endif
    """
    int lowest_bit(word bits) noexcept nogil
    int highest_bit(word bits) noexcept nogil

cdef unsigned char DISTANCE[8464]
cdef int FORWARD[184]
cdef int UNIT[160]
cdef int LINE[552]
cdef int SPOT[552]
cdef unsigned char SQUARE_ON[1152]
cdef int ALONG[96]
cdef short HIGHEST[2048]
cdef unsigned char LOWEST[2048]
cdef unsigned char COUNT[2048]
cdef short COURT[8832]
cdef int ON_RING[8464]
cdef word OUTSIDE[1012]
cdef word RING_BIT[64]
cdef unsigned char RING_SQUARE[64768]
cdef int STRAIGHT_RANGE[10]
cdef int DIAGONAL_RANGE[10]

cdef int seen_from(int occupied, int spot) noexcept nogil
cdef int falls(int attacks, int defence) noexcept nogil

cdef class MikelepageEvaluation(Evaluation):
    cdef int stood[52]
    cdef int centre[2]
    cdef int lines[96]
    cdef word rings[22]
    cdef int reach[92]
    cdef int ends[4]
    cdef int throne[2]
    cdef int lair[2]
    cdef int besiegers[2]
    cdef int guards[2]
    cdef int stormers[2]
    cdef int wardens[2]
    cdef int heirs[2]
    cdef int exposed[2]

    cdef void measure(self, Position position) noexcept nogil
    cdef int gain(self, Position position, word code) noexcept nogil
    # Inline: called directly, not through a table of methods.
    cdef inline int _prize(self, MikelepagePosition here, int square) noexcept nogil
    cdef inline void _survey(self, MikelepagePosition here) noexcept nogil
    cdef inline void _follow(self, MikelepagePosition here) noexcept nogil
    cdef inline void _begin(self, int white, int black) noexcept nogil
    cdef inline void _toggle(self, int square) noexcept nogil
    cdef inline void _clear(self, MikelepagePosition here) noexcept nogil
    cdef inline void _look_out(self, MikelepagePosition here, int color) noexcept nogil
    cdef inline int _step(
        self, MikelepagePosition here, int color, int number, int square
    ) noexcept nogil
    @cython.locals(span=int)
    cdef inline int _slide(
        self, MikelepagePosition here, int color, int number, int square
    ) noexcept nogil
    @cython.locals(occupied=word, turned=word)
    cdef inline int _ride(
        self, MikelepagePosition here, int color, int number, int square
    ) noexcept nogil
    cdef inline void _meet(
        self, MikelepagePosition here, int color, int number, int met
    ) noexcept nogil
    cdef inline void _look_at_fortress(self, MikelepagePosition here, int owner) noexcept nogil
    cdef inline void _reach_fortress(
        self, MikelepagePosition here, int color, int number, int owner
    ) noexcept nogil
    cdef inline void _weigh(self, MikelepagePosition here, int color) noexcept nogil
    cdef inline void _hold_court(self, MikelepagePosition here, int color) noexcept nogil
    cdef inline void _keep(self, MikelepagePosition here, int color) noexcept nogil
