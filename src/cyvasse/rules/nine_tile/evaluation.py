"""What makes a position of Nine-Tile Cyvasse good.

Nothing is taken here by one piece alone: it must be *engaged* by as many as its armour asks for,
and *struck*, within the capturing reach of one piece.  So both are mapped for the whole board, as
areas, and most features ask where the two meet.
"""

from __future__ import annotations

from collections.abc import Mapping

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation, WeightedFeature
from cyvasse.rules.nine_tile.board import NINE_TILE
from cyvasse.rules.nine_tile.pieces import PIECES
from cyvasse.rules.nine_tile.position import NineTilePosition

if not cython.compiled:
    from cyvasse.actions import CAPTURE, CAPTURE_LANDING, KIND, SQUARE, VICTIM
    from cyvasse.rules.areas import size
    from cyvasse.rules.evaluation import KING_GAIN
    from cyvasse.rules.nine_tile.position import (
        CROSSBOWS,
        DRAGON,
        ELEPHANT,
        HEAVY_HORSE,
        KING,
        LIGHT_HORSE,
        OFF,
        RABBLE,
        SLOTS,
        SPEARS,
        SPOT,
        SQUARES,
        TOWER,
        TREBUCHET,
    )

    # The first five are groups: the number of a piece's type is added, 1 to 10.  Material's
    # begins at 0, so that a victim's weight is its type's.
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

    BOARD = [0]
    PLACES = [0] * 2 * (SQUARES + 1) * (SQUARES + 1)
    SIEGE = [0] * 24

    def step(squares: int, d: int) -> int:
        """The squares one step away in a direction, with spare bits beyond the edge."""
        even, odd = squares & (1 << 64) - 1, squares >> 64
        stepped = (
            (even << 1, odd << 1),
            (odd << 13, even),
            (odd << 12, even >> 1),
            (even >> 1, odd >> 1),
            (odd, even >> 13),
            (odd << 1, even >> 12),
        )
        return stepped[d][1] << 64 | stepped[d][0]

    def beside(squares: int) -> int:
        """The squares one step away in any direction, with spare bits beyond the edge."""
        reached = 0
        for d in range(6):
            reached |= step(squares, d)
        return reached


def _by_type(suffix: str, weights: tuple[int, ...], meaning: str) -> tuple[WeightedFeature, ...]:
    return tuple(
        WeightedFeature(spec.type.name + suffix, weight, meaning.format(spec.type.title))
        for spec, weight in zip(PIECES, weights, strict=True)
    )


# Weights in the order Rabble, Spears, Light Horse, Heavy Horse, Elephant, Crossbows, Trebuchet,
# Dragon, Tower, King.
FEATURES = (
    WeightedFeature("tempo", 20, "being the one to act, or to act next in an open turn"),
    *_by_type("", (100, 170, 280, 420, 400, 320, 380, 850, 150, 10000), "{} on the board"),
    *_by_type("_advanced", (5, 2, 3, 2, 0, 0, -3, 3, 3, -12), "rows that {} has come forward"),
    *_by_type("_near_king", (6, 2, 3, 4, 8, 5, 8, 6, 3, 0), "{}, nearness to the opposing King"),
    *_by_type(
        "_prey",
        (60, 90, 150, 220, 210, 170, 200, 450, 60, 4000),
        "{} of the waiting player that can be captured now",
    ),
    *_by_type(
        "_threatened",
        (-20, -30, -45, -60, -60, -55, -60, -110, -15, -250),
        "{} of the player to act that could be captured if he did nothing",
    ),
    WeightedFeature("unguarded_prey", 0, "such prey on squares that its own side does not cover"),
    WeightedFeature("unguarded_threatened", -20, "such threatened pieces on squares nobody covers"),
    WeightedFeature(
        "engaged_light", 6, "opposing pieces without heavy armour engaged at least once"
    ),
    WeightedFeature("half_engaged", 10, "opposing heavy pieces engaged exactly once"),
    WeightedFeature("engaged_heavy", 25, "opposing heavy pieces engaged at least twice"),
    WeightedFeature("engaged_to_spare", 5, "opposing pieces engaged more often than is needed"),
    WeightedFeature("struck", 2, "opposing pieces within reach of a capture, engaged or not"),
    WeightedFeature("king_engaged", -50, "own King engaged"),
    WeightedFeature("king_struck", -40, "own King within reach of a capture, engaged or not"),
    WeightedFeature("ring_engaged", -8, "squares around the own King that the opponent engages"),
    WeightedFeature("ring_engaged_twice", -14, "squares around the own King engaged twice"),
    WeightedFeature("ring_struck", -8, "squares around the own King within reach of a capture"),
    WeightedFeature("king_escapes", 8, "safe empty squares around the own King"),
    WeightedFeature("king_guards", 12, "own pieces up to two squares from the own King"),
    WeightedFeature("king_towers", 35, "own Towers beside the own King"),
    WeightedFeature(
        "king_besieged", -6, "1, 3, 6, 10 … for opposing pieces up to three squares away"
    ),
    WeightedFeature("king_stormed", -22, "opposing pieces up to two squares from the own King"),
    WeightedFeature("zone_squares", 2, "empty squares in front of own Spears"),
    WeightedFeature("zone_prisoners", 8, "opposing pieces in front of own Spears"),
    WeightedFeature("suppressed", -15, "own pieces that a Tower keeps from engaging"),
    WeightedFeature("suppressed_range", -15, "those of them that engage from afar"),
    WeightedFeature("wading", -8, "own pieces in water"),
    WeightedFeature("rabble_free", 4, "own Rabble with a free square beside them"),
    WeightedFeature("rabble_pair", 5, "two own Rabble could move in one turn"),
    WeightedFeature("rabble_linked", 2, "own Rabble beside another Rabble"),
    WeightedFeature("light_horse_reach", 1, "squares that own Light Horse can move to"),
    WeightedFeature("heavy_horse_reach", 2, "squares that own Heavy Horse can move to"),
    WeightedFeature("crossbows_reach", 1, "squares that own Crossbows can move to"),
    WeightedFeature("stuck", -3, "own pieces, Towers aside, without a free square beside them"),
    WeightedFeature("control", 1, "empty squares that own pieces engage"),
    WeightedFeature("control_twice", 2, "empty squares engaged twice"),
    WeightedFeature("grip", 3, "empty squares where a light piece could be captured at once"),
    WeightedFeature("guarded", 5, "own pieces on squares that own pieces engage and strike"),
    WeightedFeature("trebuchet_targets", 8, "opposing pieces in the Trebuchet's lines"),
    WeightedFeature("trebuchet_ready", 4, "lines along which the Trebuchet has room to step back"),
)


def _fill_tables() -> None:
    for square in range(SQUARES):
        BOARD[0] |= SPOT[square]
    for square, name in enumerate(NINE_TILE.squares):
        row = NINE_TILE.coordinates[square][1]
        for king in range(SQUARES + 1):
            near = 0  # beyond eight squares, and where there is no King
            if king != OFF:
                near = max(0, 8 - NINE_TILE.distance(name, NINE_TILE.squares[king]))
            # Three counts in one number, so that a piece is added to all of them at once.
            for color, rows in enumerate((row, NINE_TILE.height - 1 - row)):
                entry = (color * (SQUARES + 1) + king) * (SQUARES + 1) + square
                PLACES[entry] = 1 | rows << 8 | near << 16
    for besiegers in range(24):
        SIEGE[besiegers] = besiegers * (besiegers + 1) // 2


_fill_tables()


def engage_along(
    self: NineTileEvaluation,
    color: int,
    d: int,
    board: int,
    free: int,
    towers: int,
    bright: int,
    dim: int,
    wide: int,
    far: int,
    trebuchet: int,
) -> None:
    """Add what the pieces of a colour engage in one direction.

    ``bright`` engage at least the next square, ``dim`` stand in a Tower's shadow, ``wide`` engage
    two squares or more, and ``far`` three; ``free`` does not block them.
    """
    ahead = bright
    dim_ahead = dim
    if d != 1 + 3 * color and d != 2 + 3 * color:
        ahead &= ~self.of[color * 11 + SPEARS]
        dim_ahead &= ~self.of[color * 11 + SPEARS]
    once = self.once[color]
    twice = self.twice[color]
    thrice = self.thrice[color]
    hit = step(ahead, d) & board | step(dim_ahead, d) & towers
    thrice |= twice & hit
    twice |= once & hit
    once |= hit
    hit = step(step(wide, d) & free, d) & board
    thrice |= twice & hit
    twice |= once & hit
    once |= hit
    front = step(step(far, d) & free, d) & free
    hit = step(front, d) & board
    thrice |= twice & hit
    twice |= once & hit
    once |= hit
    if trebuchet:
        front = step(step(trebuchet, d) & free, d) & board
        hit = front
        front = step(front & free, d) & board
        hit |= front
        front = step(front & free, d) & board
        thrice |= twice & front
        twice |= once & front
        once |= front
        if trebuchet & step(self.empty, d):
            self.hurled[color] |= hit | front
            self.counts[TREBUCHET_READY] += 1 - 2 * color
    self.once[color] = once
    self.twice[color] = twice
    self.thrice[color] = thrice


def strike_along(
    self: NineTileEvaluation,
    color: int,
    d: int,
    board: int,
    soar: int,
    ride: int,
    march: int,
    strikers: int,
    horses: int,
    light: int,
    elephants: int,
    dragons: int,
) -> None:
    """Add what the pieces of a colour could capture in one direction.

    Dragons pass over ``soar``, horses over ``ride``, Elephants over ``march``.
    """
    hit = strikers
    if d == 1 + 3 * color or d == 2 + 3 * color:
        hit |= self.of[color * 11 + SPEARS]
    struck = step(hit, d)
    struck |= step(step(horses, d) & ride | step(elephants, d) & march, d)
    front = step(step(light, d) & ride, d) & ride
    struck |= step(front, d)
    if dragons:
        hit = step(step(dragons, d) & soar, d) & board
        struck |= hit
        hit = step(hit & soar, d) & board
        struck |= hit | step(hit & soar, d)
    self.struck[color] |= struck & board


class NineTileEvaluation(Evaluation):
    """Counts what matters in Nine-Tile Cyvasse."""

    features = FEATURES

    of: list[int]  # the areas of the pieces, by colour and type
    men: list[int]  # all pieces, by colour
    empty: int
    zone: list[int]  # in front of Spears, by their colour
    shadow: list[int]  # beside Towers, by their colour
    once: list[int]  # engaged by at least one piece of a colour
    twice: list[int]
    thrice: list[int]
    struck: list[int]  # within the capturing reach of a colour
    hurled: list[int]  # what the Trebuchet of a colour can capture if it is sufficiently engaged
    places: list[int]  # sums of PLACES by type, for one colour

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        super().__init__(weights)
        if not cython.compiled:
            self.of = [0] * 22
            self.men, self.zone, self.shadow = [0, 0], [0, 0], [0, 0]
            self.once, self.twice, self.thrice = [0, 0], [0, 0], [0, 0]
            self.struck, self.hurled, self.places = [0, 0], [0, 0], [0] * 11

    def measure(self, position: Position) -> None:
        self._survey(cython.cast(NineTilePosition, position))

    def gain(self, position: Position, code: int) -> int:
        kind = code & KIND
        if kind not in (CAPTURE, CAPTURE_LANDING):
            return 0
        return self._prize(cython.cast(NineTilePosition, position), code >> VICTIM & SQUARE)

    def _prize(self, here: NineTilePosition, victim: int) -> int:
        number = here.board_[victim] & 15
        if number == KING:
            return KING_GAIN
        # Whatever tuning thinks of a piece, a capture stays a capture.
        return self.weights[number] if self.weights[number] > 0 else 1

    def _survey(self, here: NineTilePosition) -> None:
        for i in range(self.size):
            self.counts[i] = 0
        # With a Rabble moved already there is no capture left in this turn: the other acts next.
        mover = here.side if here.second == OFF else 1 - here.side
        self.counts[TEMPO] = 1 - 2 * mover
        self._muster(here, 0)
        self._muster(here, 1)
        self.empty = BOARD[0] & ~(here.mountains | self.men[0] | self.men[1])
        self._bar(0)
        self._bar(1)
        self._engage(here, 0)
        self._engage(here, 1)
        self._strike(here, 0)
        self._strike(here, 1)
        for color in range(2):
            self._judge_captures(color, mover)
            self._judge_king(color)
            self._judge_ground(here, color)

    # --- maps -------------------------------------------------------------------------------------

    def _king(self, here: NineTilePosition, color: int) -> int:
        """Where the King stands, or OFF: he has the last slot."""
        if here.count[color] == 0:
            return OFF
        last = color * SLOTS + here.count[color] - 1
        return here.where[last] if here.code_of[last] & 15 == KING else OFF

    def _muster(self, here: NineTilePosition, color: int) -> None:
        """Map the pieces and count material and places."""
        sign = 1 - 2 * color
        first = (color * (SQUARES + 1) + self._king(here, 1 - color)) * (SQUARES + 1)
        for number in range(11):
            self.of[color * 11 + number] = 0
            self.places[number] = 0
        men = 0
        for i in range(color * SLOTS, color * SLOTS + here.count[color]):
            square = here.where[i]
            if square != OFF:
                number = here.code_of[i] & 15
                spot = SPOT[square]
                men |= spot
                self.of[color * 11 + number] |= spot
                self.places[number] += PLACES[first + square]
        self.men[color] = men
        for number in range(1, 11):
            places = self.places[number]
            self.counts[number] += sign * (places & 255)
            self.counts[ADVANCED + number] += sign * (places >> 8 & 255)
            self.counts[NEAR_KING + number] += sign * (places >> 16)

    def _bar(self, color: int) -> None:
        """Map the Spears' zones (D2) and the shadows of Towers (D6)."""
        spears = self.of[color * 11 + SPEARS]
        ahead = 1 + 3 * color
        self.zone[color] = (step(spears, ahead) | step(spears, ahead + 1)) & BOARD[0]
        self.shadow[color] = beside(self.of[color * 11 + TOWER])

    def _engage(self, here: NineTilePosition, color: int) -> None:
        """Map what one side engages (D5, D6, D8), on empty squares and own pieces too."""
        board = BOARD[0]
        men = color * 11
        towers = self.of[11 - men + TOWER]
        free = board & ~(here.mountains | self.men[1 - color])
        dry = self.men[color] & ~here.waters
        bright = dry & ~self.shadow[1 - color]
        dim = dry & self.shadow[1 - color] & ~self.of[men + TREBUCHET]
        trebuchet = bright & self.of[men + TREBUCHET]
        far = bright & self.of[men + CROSSBOWS] | trebuchet
        wide = bright & (self.of[men + ELEPHANT] | self.of[men + DRAGON]) | far
        bright &= ~trebuchet
        self.once[color] = self.twice[color] = self.thrice[color] = self.hurled[color] = 0
        engage_along(self, color, 0, board, free, towers, bright, dim, wide, far, trebuchet)
        engage_along(self, color, 1, board, free, towers, bright, dim, wide, far, trebuchet)
        engage_along(self, color, 2, board, free, towers, bright, dim, wide, far, trebuchet)
        engage_along(self, color, 3, board, free, towers, bright, dim, wide, far, trebuchet)
        engage_along(self, color, 4, board, free, towers, bright, dim, wide, far, trebuchet)
        engage_along(self, color, 5, board, free, towers, bright, dim, wide, far, trebuchet)

    def _strike(self, here: NineTilePosition, color: int) -> None:
        """Map where one side captures what is sufficiently engaged, Kings over Towers aside."""
        board = BOARD[0]
        men = color * 11
        soar = board & ~self.zone[1 - color]
        ride = soar & ~(here.mountains | self.men[1 - color])
        march = soar & self.empty
        light = self.of[men + LIGHT_HORSE]
        horses = light | self.of[men + HEAVY_HORSE]
        beasts = self.of[men + ELEPHANT]
        dragons = self.of[men + DRAGON]
        strikers = horses | beasts | dragons | self.of[men + RABBLE] | self.of[men + KING]
        self.struck[color] = self.hurled[color]
        strike_along(
            self, color, 0, board, soar, ride, march, strikers, horses, light, beasts, dragons
        )
        strike_along(
            self, color, 1, board, soar, ride, march, strikers, horses, light, beasts, dragons
        )
        strike_along(
            self, color, 2, board, soar, ride, march, strikers, horses, light, beasts, dragons
        )
        strike_along(
            self, color, 3, board, soar, ride, march, strikers, horses, light, beasts, dragons
        )
        strike_along(
            self, color, 4, board, soar, ride, march, strikers, horses, light, beasts, dragons
        )
        strike_along(
            self, color, 5, board, soar, ride, march, strikers, horses, light, beasts, dragons
        )

    # --- what follows from them -------------------------------------------------------------------

    def _judge_captures(self, color: int, mover: int) -> None:
        """What ``color`` captures, could capture, and nearly could."""
        sign = 1 - 2 * color
        theirs = 11 - color * 11
        soft = self.of[theirs + CROSSBOWS] | self.of[theirs + TREBUCHET]
        heavy = (
            self.of[theirs + HEAVY_HORSE]
            | self.of[theirs + ELEPHANT]
            | self.of[theirs + DRAGON]
            | self.of[theirs + TOWER]
        )
        light = self.men[1 - color] & ~(soft | heavy)
        once = self.once[color]
        twice = self.twice[color]
        prey = self.struck[color] & (soft | light & once | heavy & twice)
        guarded = self.once[1 - color] & self.struck[1 - color]
        if prey:
            # A prey is its owner's: threats count for him, the captures for the other.
            whose = sign if color == mover else -sign
            first = PREY if color == mover else THREATENED
            for number in range(1, 11):
                if prey & self.of[theirs + number]:
                    self.counts[first + number] += whose * size(prey & self.of[theirs + number])
            first = UNGUARDED_PREY if color == mover else UNGUARDED_THREATENED
            self.counts[first] += whose * size(prey & ~guarded)
        self.counts[ENGAGED_LIGHT] += sign * size((soft | light) & once)
        self.counts[HALF_ENGAGED] += sign * size(heavy & once & ~twice)
        self.counts[ENGAGED_HEAVY] += sign * size(heavy & twice)
        spare = soft & once | light & twice | heavy & self.thrice[color]
        self.counts[ENGAGED_TO_SPARE] += sign * size(spare)
        self.counts[STRUCK] += sign * size(self.men[1 - color] & self.struck[color] & ~prey)
        self.counts[GUARDED] -= sign * size(self.men[1 - color] & guarded)
        if self.hurled[color]:
            self.counts[TREBUCHET_TARGETS] += sign * size(self.hurled[color] & self.men[1 - color])

    def _judge_king(self, color: int) -> None:
        """How ``color``'s King fares."""
        king = self.of[color * 11 + KING]
        if not king:
            return
        sign = 1 - 2 * color
        ring = beside(king) & BOARD[0]
        wide = beside(ring) & BOARD[0] | ring
        once = self.once[1 - color]
        struck = self.struck[1 - color]
        if king & once:
            self.counts[KING_ENGAGED] += sign
        if king & struck:
            self.counts[KING_STRUCK] += sign
        self.counts[RING_ENGAGED] += sign * size(ring & once)
        self.counts[RING_ENGAGED_TWICE] += sign * size(ring & self.twice[1 - color])
        self.counts[RING_STRUCK] += sign * size(ring & struck)
        self.counts[KING_ESCAPES] += sign * size(ring & self.empty & ~(once & struck))
        self.counts[KING_GUARDS] += sign * size(wide & self.men[color] & ~king)
        self.counts[KING_TOWERS] += sign * size(ring & self.of[color * 11 + TOWER])
        besiegers = self.men[1 - color] & ~self.of[11 - color * 11 + TOWER]
        self.counts[KING_STORMED] += sign * size(wide & besiegers)
        self.counts[KING_BESIEGED] += sign * SIEGE[size(beside(wide) & besiegers)]

    def _judge_ground(self, here: NineTilePosition, color: int) -> None:
        """What ``color`` holds of the board, and how freely it moves."""
        sign = 1 - 2 * color
        men = color * 11
        own = self.men[color]
        dimmed = own & self.shadow[1 - color] & ~here.waters & ~self.of[men + TOWER]
        movable = beside(self.empty)
        rabble = self.of[men + RABBLE]
        covered = self.once[color] & self.empty
        self.counts[ZONE_SQUARES] += sign * size(self.zone[color] & self.empty)
        self.counts[ZONE_PRISONERS] += sign * size(self.zone[color] & self.men[1 - color])
        if dimmed:
            self.counts[SUPPRESSED] += sign * size(dimmed)
            dimmed &= ~(rabble | self.of[men + SPEARS] | self.of[men + LIGHT_HORSE])
            dimmed &= ~(self.of[men + HEAVY_HORSE] | self.of[men + KING])
            self.counts[SUPPRESSED_RANGE] += sign * size(dimmed)
        self.counts[WADING] += sign * size(own & here.waters)
        free = size(rabble & movable)
        self.counts[RABBLE_FREE] += sign * free
        if free > 1:
            self.counts[RABBLE_PAIR] += sign
        self.counts[RABBLE_LINKED] += sign * size(rabble & beside(rabble))
        self.counts[LIGHT_HORSE_REACH] += sign * self._reach(color, self.of[men + LIGHT_HORSE], 3)
        self.counts[HEAVY_HORSE_REACH] += sign * self._reach(color, self.of[men + HEAVY_HORSE], 2)
        self.counts[CROSSBOWS_REACH] += sign * self._reach(color, self.of[men + CROSSBOWS], 2)
        self.counts[STUCK] += sign * size(own & ~movable & ~self.of[men + TOWER])
        self.counts[CONTROL] += sign * size(covered)
        self.counts[CONTROL_TWICE] += sign * size(self.twice[color] & self.empty)
        self.counts[GRIP] += sign * size(covered & self.struck[color])

    def _reach(self, color: int, start: int, allowance: int) -> int:
        """How many squares normal moves lead to from an area (D1, D2)."""
        if not start:
            return 0
        ways = self.empty | self.men[color]
        reached = beside(start) & ways
        for _ in range(allowance - 1):
            reached |= beside(reached & ~self.zone[1 - color]) & ways
        return size(reached & self.empty)
