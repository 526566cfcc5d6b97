from cyvasse.actions cimport CAPTURE, CAPTURE_LANDING, KIND, SQUARE, VICTIM
from cyvasse.rules.areas cimport area, size
from cyvasse.rules.base cimport Position, word
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation
from cyvasse.rules.nine_tile.position cimport (
    CROSSBOWS, DRAGON, ELEPHANT, HEAVY_HORSE, KING, LIGHT_HORSE, OFF, RABBLE, SLOTS, SPEARS, SPOT,
    SQUARES, TOWER, TREBUCHET, NineTilePosition,
)

cimport cython

cdef enum:
    TEMPO = 0
    ADVANCED = 10
    NEAR_KING = 20
    PREY = 30
    THREATENED = 40
    UNGUARDED_PREY = 51
    UNGUARDED_THREATENED = 52
    ENGAGED_LIGHT = 53
    HALF_ENGAGED = 54
    ENGAGED_HEAVY = 55
    ENGAGED_TO_SPARE = 56
    STRUCK = 57
    KING_ENGAGED = 58
    KING_STRUCK = 59
    RING_ENGAGED = 60
    RING_ENGAGED_TWICE = 61
    RING_STRUCK = 62
    KING_ESCAPES = 63
    KING_GUARDS = 64
    KING_TOWERS = 65
    KING_BESIEGED = 66
    KING_STORMED = 67
    ZONE_SQUARES = 68
    ZONE_PRISONERS = 69
    SUPPRESSED = 70
    SUPPRESSED_RANGE = 71
    WADING = 72
    RABBLE_FREE = 73
    RABBLE_PAIR = 74
    RABBLE_LINKED = 75
    LIGHT_HORSE_REACH = 76
    HEAVY_HORSE_REACH = 77
    CROSSBOWS_REACH = 78
    STUCK = 79
    CONTROL = 80
    CONTROL_TWICE = 81
    GRIP = 82
    GUARDED = 83
    TREBUCHET_TARGETS = 84
    TREBUCHET_READY = 85

# In C, since a step is a few instructions on the two halves of an area; see SPOT.
cdef extern from *:
    """
    #define HALVES(area) unsigned long long even = (unsigned long long) (area), \\
                                            odd = (unsigned long long) ((area) >> 64)
    #define JOINED(even, odd) ((cyvasse_area) (odd) << 64 | (even))

    static inline cyvasse_area nine_tile_step(cyvasse_area squares, int d) {
        HALVES(squares);
        switch (d) {
            case 0: return JOINED(even << 1, odd << 1);
            case 1: return JOINED(odd << 13, even);
            case 2: return JOINED(odd << 12, even >> 1);
            case 3: return JOINED(even >> 1, odd >> 1);
            case 4: return JOINED(odd, even >> 13);
            default: return JOINED(odd << 1, even >> 12);
        }
    }

    static inline cyvasse_area nine_tile_beside(cyvasse_area squares) {
        HALVES(squares);
        return JOINED(even << 1 | even >> 1 | odd | odd << 1 | odd << 12 | odd << 13,
                      odd << 1 | odd >> 1 | even | even >> 1 | even >> 12 | even >> 13);
    }
    """
    area step "nine_tile_step"(area squares, int d) noexcept nogil
    area beside "nine_tile_beside"(area squares) noexcept nogil

cdef area BOARD[1]
cdef unsigned int PLACES[15842]
cdef int SIEGE[24]

# Functions, so that the compiler makes code of its own for each direction.
@cython.locals(
    ahead=area, dim_ahead=area, hit=area, front=area, once=area, twice=area, thrice=area,
)
cdef void engage_along(
    NineTileEvaluation self, int color, int d, area board, area free,
    area towers, area bright, area dim, area wide, area far, area trebuchet,
) noexcept nogil
@cython.locals(hit=area, front=area, struck=area)
cdef void strike_along(
    NineTileEvaluation self, int color, int d, area board, area soar, area ride, area march,
    area strikers, area horses, area light, area elephants, area dragons,
) noexcept nogil

cdef class NineTileEvaluation(Evaluation):
    cdef area of[22]
    cdef area men[2]
    cdef area empty
    cdef area zone[2]
    cdef area shadow[2]
    cdef area once[2]
    cdef area twice[2]
    cdef area thrice[2]
    cdef area struck[2]
    cdef area hurled[2]
    cdef unsigned int places[11]

    cdef void measure(self, Position position) noexcept nogil
    @cython.locals(kind=int)
    cdef int gain(self, Position position, word code) noexcept nogil
    cdef int _prize(self, NineTilePosition here, int victim) noexcept nogil
    cdef void _survey(self, NineTilePosition here) noexcept nogil
    cdef int _king(self, NineTilePosition here, int color) noexcept nogil
    @cython.locals(men=area, spot=area, places=int)
    cdef void _muster(self, NineTilePosition here, int color) noexcept nogil
    @cython.locals(spears=area)
    cdef void _bar(self, int color) noexcept nogil
    @cython.locals(
        board=area, towers=area, free=area, dry=area, trebuchet=area, bright=area, dim=area,
        wide=area, far=area,
    )
    cdef void _engage(self, NineTilePosition here, int color) noexcept nogil
    @cython.locals(
        board=area, ride=area, march=area, soar=area, horses=area, light=area, beasts=area,
        dragons=area, strikers=area,
    )
    cdef void _strike(self, NineTilePosition here, int color) noexcept nogil
    @cython.locals(
        soft=area, light=area, heavy=area, once=area, twice=area, prey=area, guarded=area,
        spare=area,
    )
    cdef void _judge_captures(self, int color, int mover) noexcept nogil
    @cython.locals(king=area, ring=area, wide=area, once=area, struck=area, besiegers=area)
    cdef void _judge_king(self, int color) noexcept nogil
    @cython.locals(own=area, dimmed=area, rabble=area, movable=area, covered=area)
    cdef void _judge_ground(self, NineTilePosition here, int color) noexcept nogil
    @cython.locals(ways=area, reached=area)
    cdef int _reach(self, int color, area start, int allowance) noexcept nogil
