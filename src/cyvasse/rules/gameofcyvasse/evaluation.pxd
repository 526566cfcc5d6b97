from cyvasse.actions cimport CAPTURE, KIND, SHOOT, SIEGE, SQUARE, VICTIM
from cyvasse.rules.base cimport Position, word
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation
from cyvasse.rules.gameofcyvasse.position cimport (
    CATAPULT, CROSSBOWMAN, DRAGON, FOREST, FORTRESS, HEAVY_HORSE, KING, LIGHT_HORSE, MOUNTAIN,
    NOWHERE, OFF, STEP, TREBUCHET, WATER, GameOfCyvassePosition,
)

cimport cython

cdef enum:
    TEMPO = 0
    MATERIAL = 0
    MOBILITY = 9
    ADVANCE = 19
    NEARNESS = 29
    PREY = 38
    DANGER = 42
    CONTESTED = 46
    SHOTS = 51
    EXPOSED = 52
    CHECKED = 53
    BESIEGED = 53
    GUARDS = 58
    ESCAPES = 59
    KING_INSIDE = 60
    SHELTER = 61
    GARRISON = 62
    KING_WOODS = 63
    MOAT = 64
    IN_WOODS = 65
    WAITING = 66
    WET_SHOOTERS = 67
    ROOST = 68
    DRAGON_WOODS = 69
    AIMED = 70
    SOLE_DRAGON = 71
    UNMATCHED = 72
    UNTOUCHABLE = 73

    SPEARMEN = 2
    PLACES = 65
    SIEGE_GAIN = 40

cdef word BIT[65]
cdef word BESIDE[65]
cdef word AREA[65]
cdef word FLIGHT[65]
cdef word BEYOND[4225]
cdef word COVER[4225]
cdef int DISTANCE[4225]
cdef int RANKS[11]
cdef word FIELDS[5]

cdef int count_bits(word bits) noexcept nogil
@cython.locals(wide=word)
cdef word spread(word bits) noexcept nogil

cdef class GameOfCyvasseEvaluation(Evaluation):
    cdef word army[2]
    cdef word up_to[24]
    cdef word struck[2]
    cdef word shot[2]
    cdef word guarded[2]
    cdef word reached[2]
    cdef word ring[2]
    cdef int besiegers[2]
    cdef int guards[2]
    cdef int threats[2]

    cdef void measure(self, Position position) noexcept nogil
    cdef int gain(self, Position position, word code) noexcept nogil
    cdef int _prize(self, GameOfCyvassePosition here, int square) noexcept nogil
    cdef void _survey(self, GameOfCyvassePosition here) noexcept nogil
    @cython.locals(bits=word)
    cdef void _muster(self, GameOfCyvassePosition here, int color) noexcept nogil
    @cython.locals(reach=word, prey=word, everyone=word)
    cdef void _look_out(self, GameOfCyvassePosition here, int color) noexcept nogil
    cdef word _reach(
        self, GameOfCyvassePosition here, int color, int rank, int square, word everyone
    ) noexcept nogil
    @cython.locals(steps=word, fast=word, slow=word, free=word, reach=word)
    cdef word _ride(
        self, GameOfCyvassePosition here, int rank, int square, word everyone
    ) noexcept nogil
    @cython.locals(reach=word, cover=word)
    cdef word _hurl(self, GameOfCyvassePosition here, int square) noexcept nogil
    @cython.locals(reach=word)
    cdef word _aim(self, GameOfCyvassePosition here, int color, int square) noexcept nogil
    @cython.locals(prey=word)
    cdef word _prey(self, GameOfCyvassePosition here, int color, int rank) noexcept nogil
    @cython.locals(bit=word)
    cdef void _weigh(self, GameOfCyvassePosition here, int color) noexcept nogil
    @cython.locals(barred=word)
    cdef void _hold_court(self, GameOfCyvassePosition here, int color) noexcept nogil
    @cython.locals(shooters=word, woods=word, safe=word)
    cdef void _land(self, GameOfCyvassePosition here, int color) noexcept nogil
