from cyvasse.actions cimport BRING_OUT, CAPTURE
from cyvasse.rules.base cimport Position, word
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation
from cyvasse.rules.mikelepage.position cimport (
    AROUND, DIAGONALS, DRAGON, ELEPHANT, HEAVY_HORSE, HIGHER, HOME, KING, LIGHT_HORSE, OFF,
    CROSSBOWS, RABBLE, REACH, SLOTS, SPEARS, SQUARES, STEP, TIER, TYPES,
    MikelepagePosition,
)

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

    RING_FIELD = 8
    FORTRESS_FIELD = 20
    FIELD = 63
    GUARD = 65536
    ATTACKS = 65535
    FLIGHT = 4
    PLACES = 92
    RAY = 11

cdef unsigned char RAYS[12144]
cdef unsigned char DISTANCE[8464]
cdef int FORWARD[184]
cdef int UNIT[10]

cdef class MikelepageEvaluation(Evaluation):
    cdef int reach[92]
    cdef int zone[92]
    cdef int ends[4]
    cdef int besiegers[2]
    cdef int guards[2]
    cdef int stormers[2]
    cdef int wardens[2]
    cdef int heirs[2]
    cdef int exposed[2]

    cdef void measure(self, Position position) noexcept nogil
    cdef int gain(self, Position position, word code) noexcept nogil
    cdef int _prize(self, MikelepagePosition here, int square) noexcept nogil
    cdef void _survey(self, MikelepagePosition here) noexcept nogil
    cdef void _mark(self, MikelepagePosition here) noexcept nogil
    cdef void _look_out(self, MikelepagePosition here, int color) noexcept nogil
    cdef int _slide(
        self, MikelepagePosition here, int square, int number, int enemy
    ) noexcept nogil
    cdef int _ride(
        self, MikelepagePosition here, int square, int number, int enemy
    ) noexcept nogil
    cdef void _note(
        self, MikelepagePosition here, int color, int number, int found
    ) noexcept nogil
    cdef void _weigh(self, MikelepagePosition here, int color) noexcept nogil
    cdef int _falls(self, int attacks, int defence) noexcept nogil
    cdef void _hold_court(self, MikelepagePosition here, int color) noexcept nogil
    cdef void _keep(self, MikelepagePosition here, int color) noexcept nogil
