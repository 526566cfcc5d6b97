from cyvasse.actions cimport (
    CAPTURE, CAPTURE_TWO, DROP, JUMP, KIND, MOVE, ORIGIN, SQUARE, TARGET, VICTIM,
)
from cyvasse.rules.areas cimport area, highest, lowest, size
from cyvasse.rules.base cimport Position, word
from cyvasse.rules.croft.position cimport (
    CATAPULT, CROSSBOWMAN, DRAGON, ELEPHANT, FIRST_OF, HEAVY_HORSE, KING, LIGHT_HORSE, NUMBER_OF,
    OFF, RABBLE, RESERVE, SLOTS, SPEARMAN, SPOT, SQUARES, TREBUCHET, TYPES, CroftPosition,
)
from cyvasse.rules.evaluation cimport KING_GAIN, Evaluation

cimport cython

cdef enum:
    BITS = 102
    WAITING = 10
    ADVANCED = 20
    NEAR_KING = 30
    PREY = 40
    THREATENED = 50
    MOBILITY = 60
    TEMPO = 70
    EXCHANGES = 71
    EXCHANGES_THREATENED = 72
    KEEP_STANDING = 73
    INTRUDER = 74
    INTRUDER_RESERVE = 75
    INTRUDER_KING = 76
    BREACH = 77
    BREACH_RESERVE = 78
    BREACH_KING = 79
    BREACH_THREATENED = 80
    BREACH_THREATENED_RESERVE = 81
    BREACH_THREATENED_KING = 82
    HOME_EMPTY = 83
    HOME_FOREST = 84
    HOME_REACHED = 85
    HOME_GUARDED = 86
    KEEP_BESIEGED = 87
    CAN_DROP = 88
    ELEPHANTS_SAFE = 89
    RING_ATTACKED = 90
    RING_ATTACKED_TWICE = 91
    KING_ESCAPES = 92
    KING_GUARDS = 93
    KING_BESIEGED = 94
    KING_EXPOSED = 95
    GUARDED = 96
    CONTROL = 97
    CENTRE = 98
    INVASION = 99
    DOUBLE_SHOT = 100
    RABBLE_PAIR = 101

cdef area BOARD[1]
cdef area WATERS[1]
cdef area FORESTS_AREA[1]
cdef area MIDDLE[1]
cdef area HALF[2]
cdef area RAY[816]
cdef area ROUND_RAY[816]
cdef area CROSS[102]
cdef area SALTIRE[102]
cdef area WIDE[102]
cdef unsigned int PLACES[20402]
cdef int SIEGE[24]

@cython.locals(way=area, stops=area)
cdef area line(int bit, int d, area barriers) noexcept nogil
@cython.locals(way=area, stops=area)
cdef area line_round(int bit, int d, area barriers) noexcept nogil
cdef area straight(int bit, area barriers) noexcept nogil
cdef area diagonal(int bit, area barriers) noexcept nogil

cdef class CroftEvaluation(Evaluation):
    cdef area of[20]
    cdef area men[2]
    cdef area walls
    cdef area empty
    cdef area barriers
    cdef area once[2]
    cdef area twice[2]
    cdef area small[2]
    cdef area common[2]
    cdef area outside[2]
    cdef unsigned int places[10]

    cdef void measure(self, Position position) noexcept nogil
    cdef int gain(self, Position position, word code) noexcept nogil
    @cython.locals(kind=int, origin=int, target=int, victim=int)
    cdef int _prize(self, CroftPosition here, word code) noexcept nogil
    cdef int _worth(self, int number) noexcept nogil
    cdef int _keep_worth(self, CroftPosition here, int color) noexcept nogil
    cdef void _survey(self, CroftPosition here) noexcept nogil
    @cython.locals(men=area, spot=area, places=int)
    cdef void _muster(self, CroftPosition here, int color) noexcept nogil
    @cython.locals(own=area, seen=area, once=area, twice=area, outside=area, goals=area)
    cdef void _scout(self, CroftPosition here, int color) noexcept nogil
    @cython.locals(seen=area, way=area, enemy=area)
    cdef area _roll(self, int bit, int color) noexcept nogil
    @cython.locals(safe=area, own=area, helpers=area, all_=area, strikers=area)
    cdef area _safe_elephants(self, int color) noexcept nogil
    @cython.locals(enemy=area, prey=area, guarded=area, hanging=area, safe=area, king=area)
    cdef void _judge_captures(self, int color, int mover) noexcept nogil
    @cython.locals(home=area, goals=area)
    cdef void _judge_keep(self, CroftPosition here, int color, int mover) noexcept nogil
    @cython.locals(ring=area, attacked=area, lines=area)
    cdef void _judge_king(self, CroftPosition here, int color) noexcept nogil
    @cython.locals(own=area, once=area)
    cdef void _judge_ground(self, int color) noexcept nogil
