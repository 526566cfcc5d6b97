"""What makes a position of Croft's Cyvasse good.

The army is long-ranged and the Kings are slow, so attacks are mapped for the whole board, as areas.
The keep is a second King: two intruders on its home tiles, and all that waits in it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import LETTERS
from cyvasse.rules.areas import area_of
from cyvasse.rules.base import Position
from cyvasse.rules.croft.board import CROFT, FOREST, WATER, around
from cyvasse.rules.croft.pieces import PIECES
from cyvasse.rules.croft.position import CroftPosition
from cyvasse.rules.evaluation import Evaluation, WeightedFeature

if not cython.compiled:
    from cyvasse.actions import (
        CAPTURE,
        CAPTURE_TWO,
        DROP,
        JUMP,
        KIND,
        MOVE,
        ORIGIN,
        SQUARE,
        TARGET,
        VICTIM,
    )
    from cyvasse.rules.areas import highest, lowest, size
    from cyvasse.rules.croft.position import (
        CATAPULT,
        CROSSBOWMAN,
        DRAGON,
        ELEPHANT,
        FIRST_OF,
        HEAVY_HORSE,
        KING,
        LIGHT_HORSE,
        NUMBER_OF,
        OFF,
        RABBLE,
        RESERVE,
        SLOTS,
        SPEARMAN,
        SPOT,
        SQUARES,
        TREBUCHET,
        TYPES,
    )
    from cyvasse.rules.evaluation import KING_GAIN

    BITS = 102  # the bits of an area: the tiles, one before the first, one after the last

    # The first seven are groups: the number of a piece's type is added, 0 to 9.  Material's begins
    # at 0, so that a victim's weight is its type's.
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

    BOARD = [0]
    WATERS = [0]
    FORESTS_AREA = [0]
    MIDDLE = [0]
    HALF = [0, 0]
    RAY = [0] * BITS * 8
    ROUND_RAY = [0] * BITS * 8
    CROSS = [0] * BITS
    SALTIRE = [0] * BITS
    WIDE = [0] * BITS
    PLACES = [0] * 2 * (SQUARES + 1) * (SQUARES + 1)
    SIEGE = [0] * 24


def _by_type(suffix: str, weights: tuple[int, ...], meaning: str) -> tuple[WeightedFeature, ...]:
    kinds = sorted(PIECES, key=lambda kind: LETTERS.index(kind.letter))
    return tuple(
        WeightedFeature(kind.name + suffix, weight, meaning.format(kind.title))
        for kind, weight in zip(kinds, weights, strict=True)
    )


# Weights in the order King, Rabble, Spearman, Crossbowman, Light Horse, Heavy Horse, Elephant,
# Catapult, Trebuchet, Dragon.
FEATURES = (
    *_by_type("", (10000, 100, 110, 200, 430, 430, 480, 360, 380, 850), "{} on the board"),
    *_by_type("_waiting", (20, 60, 65, 140, 310, 310, 360, 260, 270, 640), "{} in the keep"),
    *_by_type("_advanced", (-10, 4, 3, 2, 2, 2, 2, 2, 2, 2), "rows that {} has come forward"),
    *_by_type("_near_king", (0, 4, 4, 4, 2, 2, 2, 2, 2, 4), "{}, nearness to the opposing King"),
    *_by_type(
        "_prey",
        (4000, 50, 55, 100, 220, 220, 240, 180, 190, 420),
        "{} of the waiting player that can be captured now at a profit",
    ),
    *_by_type(
        "_threatened",
        (-250, -15, -15, -25, -50, -50, -55, -45, -45, -90),
        "{} of the player to act that could be captured at a profit if he did nothing",
    ),
    *_by_type("_mobility", (0, 3, 2, 1, 4, 4, 4, 5, 5, 4), "tiles that {} can go to"),
    WeightedFeature("tempo", 20, "being the one to act, or to act next in an open turn"),
    WeightedFeature(
        "exchanges", 8, "guarded pieces of the waiting player that can be captured now"
    ),
    WeightedFeature("exchanges_threatened", -4, "guarded pieces of the player to act under attack"),
    WeightedFeature("keep_standing", 150, "own keep stands"),
    WeightedFeature("intruder", -60, "an opposing piece on a home tile of the own keep"),
    WeightedFeature("intruder_reserve", -12, "then, pieces in the own reserve"),
    WeightedFeature("intruder_king", -80, "then, own King in the reserve"),
    WeightedFeature("breach", 80, "the player to act can destroy the opposing keep now"),
    WeightedFeature("breach_reserve", 120, "then, pieces in the opposing reserve"),
    WeightedFeature("breach_king", 4000, "then, opposing King in the reserve"),
    WeightedFeature(
        "breach_threatened", -60, "the own keep would fall if the player to act did nothing"
    ),
    WeightedFeature("breach_threatened_reserve", -15, "then, pieces in the own reserve"),
    WeightedFeature("breach_threatened_king", -250, "then, own King in the reserve"),
    WeightedFeature("home_empty", -5, "empty home tiles of the own keep"),
    WeightedFeature(
        "home_forest", -5, "those of them that are forest, for each opposing Crossbowman"
    ),
    WeightedFeature("home_reached", -10, "home tiles of the own keep that opposing pieces reach"),
    WeightedFeature("home_guarded", 4, "home tiles of the own keep that own pieces cover"),
    WeightedFeature("keep_besieged", -10, "opposing pieces up to two tiles from the own keep"),
    WeightedFeature("can_drop", 25, "a piece waits in the own keep and has a tile to come out on"),
    WeightedFeature("elephants_safe", 15, "own Elephants with no opposing piece beside them"),
    WeightedFeature("ring_attacked", -8, "tiles around the own King that the opponent attacks"),
    WeightedFeature("ring_attacked_twice", -10, "tiles around the own King attacked twice"),
    WeightedFeature("king_escapes", 6, "tiles that the own King can safely go to"),
    WeightedFeature("king_guards", 6, "own pieces beside the own King"),
    WeightedFeature("king_besieged", -6, "1, 3, 6, 10 … for opposing pieces up to two tiles away"),
    WeightedFeature("king_exposed", -3, "tiles from which a Dragon would attack the own King"),
    WeightedFeature("guarded", 4, "own pieces on tiles that own pieces cover"),
    WeightedFeature("control", 1, "empty tiles that own pieces attack"),
    WeightedFeature("centre", 4, "tiles of the middle that own pieces attack or hold"),
    WeightedFeature("invasion", 2, "tiles of the opposing half that own pieces attack or hold"),
    WeightedFeature("double_shot", 60, "pairs of victims of the own Catapult"),
    WeightedFeature("rabble_pair", 10, "two own Rabble on the board"),
)


def _fill_areas() -> None:
    BOARD[0] = area_of(range(1, SQUARES + 1))
    WATERS[0] = _area(WATER)
    FORESTS_AREA[0] = _area(FOREST)
    rows = {name: CROFT.row(name) for name in CROFT.squares}
    MIDDLE[0] = _area([name for name in CROFT.squares if name[0] in "defg" and 3 < rows[name] < 8])
    HALF[0] = _area([name for name in CROFT.squares if rows[name] < 6])
    HALF[1] = _area([name for name in CROFT.squares if rows[name] > 5])
    for square, name in enumerate(CROFT.squares):
        beside = [CROFT.squares.index(there) for there in around(name)]
        for d, direction in enumerate(CROFT.directions):
            ahead = CROFT.line(square, direction)
            behind = CROFT.line(square, CROFT.turned_direction(direction))
            RAY[(square + 1) * 8 + d] = area_of(there + 1 for there in ahead)
            ROUND_RAY[(square + 1) * 8 + d] = area_of(there + 1 for there in behind)
        CROSS[square + 1] = area_of(1 + at for at in beside if abs(at - square) in (1, 10))
        SALTIRE[square + 1] = area_of(1 + at for at in beside if abs(at - square) in (9, 11))
        WIDE[square + 1] = _area([at for at in CROFT.squares if CROFT.distance(at, name) in (1, 2)])


def _area(names: Iterable[str]) -> int:
    return area_of(1 + CROFT.index(name) for name in names)


def _fill_places() -> None:
    for square, name in enumerate(CROFT.squares):
        row = CROFT.coordinates[square][1]
        for king in range(SQUARES + 1):
            near = 0 if king == OFF else 9 - CROFT.distance(name, CROFT.squares[king])
            # Three counts in one number, so that a piece is added to all of them at once.
            for color, rows in enumerate((row, CROFT.height - 1 - row)):
                entry = (color * (SQUARES + 1) + king) * (SQUARES + 1) + square
                PLACES[entry] = 1 | rows << 8 | near << 16
    for besiegers in range(24):
        SIEGE[besiegers] = besiegers * (besiegers + 1) // 2


_fill_areas()
_fill_places()


def line(bit: int, d: int, barriers: int) -> int:
    """The tiles ahead as far as the first barrier, that one included."""
    way = RAY[bit * 8 + d]
    stops = way & barriers
    if not stops:
        return way
    return way ^ RAY[(lowest(stops) if d < 4 else highest(stops)) * 8 + d]


def line_round(bit: int, d: int, barriers: int) -> int:
    """The tiles ahead as far as the first barrier, beyond the edge too, as Light Horses ride."""
    way = RAY[bit * 8 + d]
    stops = way & barriers
    if stops:
        return way ^ RAY[(lowest(stops) if d < 4 else highest(stops)) * 8 + d]
    stops = ROUND_RAY[bit * 8 + d] & barriers
    if not stops:
        return way | ROUND_RAY[bit * 8 + d]
    return way | ROUND_RAY[bit * 8 + d] & ~RAY[(lowest(stops) if d < 4 else highest(stops)) * 8 + d]


def straight(bit: int, barriers: int) -> int:
    """The four straight lines."""
    return (
        line(bit, 0, barriers)
        | line(bit, 2, barriers)
        | line(bit, 4, barriers)
        | line(bit, 6, barriers)
    )


def diagonal(bit: int, barriers: int) -> int:
    """The four diagonal lines."""
    return (
        line(bit, 1, barriers)
        | line(bit, 3, barriers)
        | line(bit, 5, barriers)
        | line(bit, 7, barriers)
    )


class CroftEvaluation(Evaluation):
    """Counts what matters in Croft's Cyvasse."""

    features = FEATURES

    of: list[int]  # the areas of the pieces on the board, by colour and type
    men: list[int]  # all pieces on the board, by colour
    walls: int  # mountains and keeps
    empty: int
    barriers: int  # what stops a piece without any power
    once: list[int]  # attacked or covered by a colour, its King aside
    twice: list[int]
    small: list[int]  # by its Rabble, Spearmen and Crossbowmen
    common: list[int]  # by all but its Dragon
    outside: list[int]  # where its pieces go that are not on opposing home tiles
    places: list[int]  # sums of PLACES by type, for one colour

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        super().__init__(weights)
        if not cython.compiled:
            self.of, self.places = [0] * 2 * TYPES, [0] * TYPES
            self.men, self.once, self.twice = [0, 0], [0, 0], [0, 0]
            self.small, self.common, self.outside = [0, 0], [0, 0], [0, 0]

    def measure(self, position: Position) -> None:
        self._survey(cython.cast(CroftPosition, position))

    def gain(self, position: Position, code: int) -> int:
        return self._prize(cython.cast(CroftPosition, position), code)

    def _prize(self, here: CroftPosition, code: int) -> int:
        kind = code & KIND
        origin = code >> ORIGIN & SQUARE
        target = code >> TARGET & SQUARE
        enemy = 1 - here.side
        gain = 0
        if kind in (CAPTURE, CAPTURE_TWO):
            victim = code >> VICTIM & SQUARE
            gain = self._worth(here.board_[victim] & 15)
            if kind == CAPTURE_TWO:
                gain += self._worth(here.board_[target] & 15)
        if here.keep[enemy] == OFF or gain >= KING_GAIN:
            return gain
        intruders = here.intruders[enemy]
        if kind in (MOVE, JUMP, CAPTURE, CAPTURE_TWO):
            intruders -= here.is_home[enemy * (SQUARES + 1) + origin]
            intruders += here.is_home[enemy * (SQUARES + 1) + target]
        elif kind == DROP:
            intruders += here.is_home[enemy * (SQUARES + 1) + target]
        return gain + self._keep_worth(here, enemy) if intruders > 1 else gain

    def _worth(self, number: int) -> int:
        if number == KING:
            return KING_GAIN
        # Whatever tuning thinks of a piece, a capture stays a capture.
        return self.weights[number] if self.weights[number] > 0 else 1

    def _keep_worth(self, here: CroftPosition, color: int) -> int:
        """What goes with a keep."""
        if here.reserve[color * TYPES + KING]:
            return KING_GAIN
        total = self.weights[KEEP_STANDING]
        for number in range(1, TYPES):
            total += here.reserve[color * TYPES + number] * self.weights[WAITING + number]
        return total if total > 0 else 1

    def _survey(self, here: CroftPosition) -> None:
        for i in range(self.size):
            self.counts[i] = 0
        # With a Rabble moved already little can be captured in this turn: the other acts next.
        mover = here.side if here.second == OFF else 1 - here.side
        self.counts[TEMPO] = 1 - 2 * mover
        self._muster(here, 0)
        self._muster(here, 1)
        self.walls = here.peaks
        for color in range(2):
            if here.keep[color] != OFF:
                self.walls |= SPOT[here.keep[color]]
        self.empty = BOARD[0] & ~(self.walls | self.men[0] | self.men[1])
        self.barriers = WATERS[0] | BOARD[0] & ~self.empty
        self._scout(here, 0)
        self._scout(here, 1)
        for color in range(2):
            self._judge_captures(color, mover)
            self._judge_keep(here, color, mover)
            self._judge_king(here, color)
            self._judge_ground(color)

    # --- maps -------------------------------------------------------------------------------------

    def _muster(self, here: CroftPosition, color: int) -> None:
        """Map the pieces and count material, reserves and places."""
        sign = 1 - 2 * color
        king = here.where[(1 - color) * SLOTS]
        if king == RESERVE:
            king = here.keep[1 - color]
        first = (color * (SQUARES + 1) + king) * (SQUARES + 1)
        for number in range(TYPES):
            self.of[color * TYPES + number] = 0
            self.places[number] = 0
        men = 0
        for slot in range(SLOTS):
            square = here.where[color * SLOTS + slot]
            if square < OFF:
                number = NUMBER_OF[slot]
                spot = SPOT[square]
                men |= spot
                self.of[color * TYPES + number] |= spot
                self.places[number] += PLACES[first + square]
        self.men[color] = men
        for number in range(TYPES):
            places = self.places[number]
            self.counts[number] += sign * (places & 255)
            self.counts[WAITING + number] += sign * here.reserve[color * TYPES + number]
            self.counts[ADVANCED + number] += sign * (places >> 8 & 255)
            self.counts[NEAR_KING + number] += sign * (places >> 16)
        # A King who waits is no less alive.
        self.counts[KING] += sign * here.reserve[color * TYPES + KING]

    def _scout(self, here: CroftPosition, color: int) -> None:
        """Map what the pieces of a colour attack and cover, its King aside."""
        sign = 1 - 2 * color
        own = self.men[color]
        goals = BOARD[0] & ~(self.walls | own)
        once = twice = outside = 0
        for slot in range(1, SLOTS):
            number = NUMBER_OF[slot]
            if slot == FIRST_OF[LIGHT_HORSE]:
                self.small[color] = once
            elif number == DRAGON:
                self.common[color] = once
            square = here.where[color * SLOTS + slot]
            if square >= OFF:
                continue
            bit = square + 1
            if number <= SPEARMAN:
                seen = CROSS[bit]
            elif number == CROSSBOWMAN:
                seen = SALTIRE[bit]
                if not here.homes[1 - color] & SPOT[square]:
                    outside |= FORESTS_AREA[0] & self.empty
            elif number == LIGHT_HORSE:
                seen = line_round(bit, 0, self.barriers) | line_round(bit, 4, self.barriers)
                seen |= line_round(bit, 2, self.barriers) | line_round(bit, 6, self.barriers)
            elif number == HEAVY_HORSE:
                seen = straight(bit, self.barriers & ~own | WATERS[0])
            elif number == ELEPHANT:
                seen = straight(bit, self.barriers)
            elif number == CATAPULT:
                seen = self._roll(bit, color)
            elif number == TREBUCHET:
                seen = diagonal(bit, self.walls | WATERS[0]) & (own | self.men[1 - color])
                seen |= diagonal(bit, self.barriers)
            else:
                seen = straight(bit, BOARD[0] & ~(self.empty | here.peaks))
                seen |= diagonal(bit, BOARD[0] & ~(self.empty | here.peaks))
            twice |= once & seen
            once |= seen
            self.counts[MOBILITY + number] += sign * size(seen & goals)
            if not here.homes[1 - color] & SPOT[square]:
                outside |= seen & goals
        self.once[color] = once
        self.twice[color] = twice
        self.outside[color] = outside

    def _roll(self, bit: int, color: int) -> int:
        """What a Catapult attacks, second victims included (D10)."""
        seen = diagonal(bit, self.barriers)
        enemy = self.men[1 - color] & ~WATERS[0]
        if seen & enemy:
            for d in range(1, 8, 2):
                way = line(bit, d, self.barriers) & enemy
                if way:
                    way = line(lowest(way), d, self.barriers) & self.men[1 - color]
                    if way:
                        seen |= way
                        self.counts[DOUBLE_SHOT] += 1 - 2 * color
        return seen

    def _safe_elephants(self, color: int) -> int:
        """``color``'s Elephants that cannot be captured now (D9)."""
        safe = self.of[color * TYPES + ELEPHANT]
        first = (1 - color) * TYPES
        all_ = safe
        while all_:
            bit = lowest(all_)
            all_ ^= SPOT[bit - 1]
            helpers = (CROSS[bit] | SALTIRE[bit]) & self.men[1 - color]
            if not helpers or not self.once[1 - color] & SPOT[bit - 1]:
                continue
            if size(helpers) == 1 and not self.twice[1 - color] & SPOT[bit - 1]:
                # One helper, one attacker: they must be two different pieces.
                strikers = self.of[first + DRAGON] | (
                    SALTIRE[bit]
                    & (
                        self.of[first + CROSSBOWMAN]
                        | self.of[first + CATAPULT]
                        | self.of[first + TREBUCHET]
                    )
                )
                strikers |= CROSS[bit] & (
                    self.of[first + RABBLE]
                    | self.of[first + SPEARMAN]
                    | self.of[first + LIGHT_HORSE]
                    | self.of[first + HEAVY_HORSE]
                    | self.of[first + ELEPHANT]
                )
                if helpers & strikers:
                    continue
            safe ^= SPOT[bit - 1]
        return safe

    # --- what follows from them -------------------------------------------------------------------

    def _judge_captures(self, color: int, mover: int) -> None:
        """What ``color`` captures, or could capture."""
        sign = 1 - 2 * color
        theirs = (1 - color) * TYPES
        safe = self.of[theirs + ELEPHANT]
        if safe:
            safe = self._safe_elephants(1 - color)
        enemy = self.men[1 - color] & ~safe
        guarded = self.once[1 - color]
        king = self.of[color * TYPES + KING]
        prey = enemy & self.once[color]
        # A piece that is guarded is worth taking with a lesser one only; a King is always.
        hanging = prey & ~guarded | prey & self.of[theirs + KING]
        hanging |= prey & self.of[theirs + DRAGON] & self.common[color]
        hanging |= (
            prey
            & self.small[color]
            & ~(
                self.of[theirs + RABBLE]
                | self.of[theirs + SPEARMAN]
                | self.of[theirs + CROSSBOWMAN]
            )
        )
        if king:
            bit = lowest(king)
            hanging |= (CROSS[bit] | SALTIRE[bit]) & enemy & ~guarded
        # Captures count for who makes them, threats against who suffers them.
        whose = sign if color == mover else -sign
        if hanging:
            first = PREY if color == mover else THREATENED
            for number in range(TYPES):
                if hanging & self.of[theirs + number]:
                    self.counts[first + number] += whose * size(hanging & self.of[theirs + number])
        prey &= ~hanging
        if prey:
            first = EXCHANGES if color == mover else EXCHANGES_THREATENED
            self.counts[first] += whose * size(prey)
        self.counts[GUARDED] -= sign * size(self.men[1 - color] & guarded)
        self.counts[ELEPHANTS_SAFE] -= sign * size(safe)

    def _judge_keep(self, here: CroftPosition, color: int, mover: int) -> None:
        """How ``color``'s keep fares."""
        if here.keep[color] == OFF:
            return
        sign = 1 - 2 * color
        home = here.homes[color]
        waiting = 0
        for number in range(1, TYPES):
            waiting += here.reserve[color * TYPES + number]
        king = here.reserve[color * TYPES + KING]
        self.counts[KEEP_STANDING] += sign
        if here.intruders[color]:
            self.counts[INTRUDER] += sign
            self.counts[INTRUDER_RESERVE] += sign * waiting
            self.counts[INTRUDER_KING] += sign * king
            if home & self.outside[1 - color]:
                if color == mover:
                    self.counts[BREACH_THREATENED] += sign
                    self.counts[BREACH_THREATENED_RESERVE] += sign * waiting
                    self.counts[BREACH_THREATENED_KING] += sign * king
                else:
                    self.counts[BREACH] -= sign
                    self.counts[BREACH_RESERVE] -= sign * waiting
                    self.counts[BREACH_KING] -= sign * king
        goals = home & self.empty
        if goals:
            self.counts[HOME_EMPTY] += sign * size(goals)
            enemies = size(self.of[(1 - color) * TYPES + CROSSBOWMAN])
            self.counts[HOME_FOREST] += sign * enemies * size(goals & FORESTS_AREA[0])
            if waiting + king:
                self.counts[CAN_DROP] += sign
        self.counts[HOME_REACHED] += sign * size(home & self.once[1 - color])
        self.counts[HOME_GUARDED] += sign * size(home & self.once[color])
        self.counts[KEEP_BESIEGED] += sign * size(WIDE[here.keep[color] + 1] & self.men[1 - color])

    def _judge_king(self, here: CroftPosition, color: int) -> None:
        """How ``color``'s King fares on the board."""
        square = here.where[color * SLOTS]
        if square >= OFF:
            return
        sign = 1 - 2 * color
        bit = square + 1
        ring = CROSS[bit] | SALTIRE[bit]
        attacked = self.once[1 - color]
        lines = BOARD[0] & ~self.empty
        lines = (straight(bit, lines) | diagonal(bit, lines)) & self.empty
        self.counts[RING_ATTACKED] += sign * size(ring & attacked & ~self.walls)
        self.counts[RING_ATTACKED_TWICE] += sign * size(ring & self.twice[1 - color] & ~self.walls)
        self.counts[KING_ESCAPES] += sign * size(ring & ~(attacked | self.walls | self.men[color]))
        self.counts[MOBILITY + KING] += sign * size(ring & ~(self.walls | self.men[color]))
        self.counts[KING_GUARDS] += sign * size(ring & self.men[color])
        self.counts[KING_BESIEGED] += sign * SIEGE[size(WIDE[bit] & self.men[1 - color])]
        self.counts[KING_EXPOSED] += sign * size(lines)

    def _judge_ground(self, color: int) -> None:
        """What ``color`` holds of the board."""
        sign = 1 - 2 * color
        once = self.once[color]
        own = self.men[color]
        self.counts[CONTROL] += sign * size(once & self.empty)
        self.counts[CENTRE] += sign * size((once | own) & MIDDLE[0])
        self.counts[INVASION] += sign * size((once | own) & HALF[1 - color])
        if size(self.of[color * TYPES + RABBLE]) > 1:
            self.counts[RABBLE_PAIR] += sign
