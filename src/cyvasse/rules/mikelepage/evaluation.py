"""What makes a position of Mikelepage's Cyvasse good.

A King who is taken can be replaced while a piece of tier 3 reaches the fortress, so the fortress,
the heirs and the guards count as much as the King's own safety.  Ways are not walked: from which
squares of each line and ring are occupied the next piece on either side is found at once.  Every
piece leaves its mark on the pieces it reaches: as an attacker or a guard.

Lines and rings are those of the position that was measured last, changed where something stands
elsewhere now.  In a search that is little, and whoever only plays and undoes pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Mapping

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation, WeightedFeature
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import DIAGONAL, PIECES, STRAIGHT
from cyvasse.rules.mikelepage.position import MikelepagePosition

if not cython.compiled:
    from cyvasse.actions import BRING_OUT, CAPTURE, KIND, SQUARE, TARGET
    from cyvasse.rules.evaluation import KING_GAIN
    from cyvasse.rules.mikelepage.placement import (
        ALL_SLOTS,
        CROSSBOWS,
        DRAGON,
        ELEPHANT,
        HEAVY_HORSE,
        HIGHER,
        KING,
        LIGHT_HORSE,
        OFF,
        RABBLE,
        SLOTS,
        SPEARS,
        TYPES,
    )
    from cyvasse.rules.mikelepage.reach import DIAGONALS, HOME, REACH, STEP, TIER

    # Where features begin.  Those by type or tier begin one place (AT_HOME: two places) early, so
    # that the number of the type or tier can be added.
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

    # Who reaches a piece: 4 bits each for attackers of tier 1, 2 and 3 and the King, then guards.
    GUARD = 65536
    ATTACKS = 65535

    FLIGHT = 4  # how far a dragon flies, from where it is or out of reserve
    PLACES = 92  # squares and the place beyond the edge
    AXES = 6  # three for straight lines, three for diagonals
    LINES = 96
    SPOTS = 12  # places for the squares of a line, the last of them beyond the edge
    OCCUPIED = 2048  # ways in which a line can be occupied
    RINGS = 11  # radii from 0, which is the centre itself
    CIRCLE = 64  # places for the squares of a ring

    DISTANCE = [0] * PLACES * PLACES
    FORWARD = [0] * 2 * PLACES
    UNIT = [0] * 2 * TYPES * 8
    LINE = [0] * PLACES * AXES  # the line of each axis through a square ...
    SPOT = [0] * PLACES * AXES  # ... and the square's bit on that line
    SQUARE_ON = [0] * LINES * SPOTS
    ALONG = [0] * LINES
    HIGHEST = [0] * OCCUPIED
    LOWEST = [0] * OCCUPIED
    COUNT = [0] * OCCUPIED
    COURT = [0] * PLACES * LINES
    ON_RING = [0] * PLACES * PLACES  # radius << 6 | place, by centre and square
    OUTSIDE = [0] * PLACES * RINGS  # the places of a ring that are beyond the edge
    RING_BIT = [0] * CIRCLE
    RING_SQUARE = [0] * PLACES * RINGS * CIRCLE
    STRAIGHT_RANGE = [0] * TYPES
    DIAGONAL_RANGE = [0] * TYPES

    def lowest_bit(bits: int) -> int:
        """The place of the lowest bit."""
        return (bits & -bits).bit_length() - 1

    def highest_bit(bits: int) -> int:
        """The place of the highest bit."""
        return bits.bit_length() - 1


_MIDDLE = 5
_BACK_ROW = 2  # where pieces mostly begin: standing there is worth nothing by itself

# By type, in the order of PIECES: on the board, per square it reaches, per row it has gone forward,
# per square it is nearer to the enemy King.  A dragon's squares are the enemies in its range.
_BY_TYPE = (
    (100, 2, 2, 2),
    (150, -2, -12, 0),
    (270, 2, 1, 3),
    (220, 3, 2, 3),
    (210, 3, 2, 3),
    (470, 3, 0, 2),
    (430, 4, 1, 2),
    (400, 3, 1, 3),
    (820, 8, 2, 6),
)
# By tier: unguarded prey with the opponent to act and with the owner to act, and guarded prey.
_BY_TIER = ((-50, -8, -5), (-130, -15, -15), (-240, -30, -40), (-450, -50, -80))


def _by_type(heading: str, column: int, meaning: str) -> tuple[WeightedFeature, ...]:
    return tuple(
        WeightedFeature(
            f"{heading}{spec.type.name}", weights[column], f"{spec.type.title}: {meaning}"
        )
        for spec, weights in zip(PIECES, _BY_TYPE, strict=True)
    )


def _by_tier(heading: str, column: int, meaning: str) -> tuple[WeightedFeature, ...]:
    return tuple(
        WeightedFeature(f"{heading}{tier}", weights[column], f"tier {tier}: {meaning}")
        for tier, weights in enumerate(_BY_TIER, 1)
    )


FEATURES = (
    WeightedFeature("tempo", 20, "being the one to act"),
    *_by_type("", 0, "on the board"),
    *_by_type("mobility_", 1, "squares reached; for a Dragon, enemies in range"),
    *_by_type("advance_", 2, "rows gone forward"),
    *_by_type("nearness_", 3, "nearness to the enemy King"),
    *_by_tier("prey_", 0, "pieces that can be taken unguarded, the opponent to act"),
    *_by_tier("danger_", 1, "pieces that can be taken unguarded, their owner to act"),
    *_by_tier("contested_", 2, "pieces that can be taken and are guarded"),
    WeightedFeature("at_home_2", 15, "pieces of tier 2 on their home terrain"),
    WeightedFeature("at_home_3", 30, "pieces of tier 3 on their home terrain"),
    WeightedFeature("reserve", 840, "the Dragon in reserve, the fortress standing"),
    WeightedFeature("ambush", 10, "enemies where a Dragon can come out of reserve"),
    WeightedFeature("king_lost", -9000, "the King is missing and nobody can replace him in time"),
    WeightedFeature("fortress", 250, "the fortress stands"),
    WeightedFeature("invaded", -150, "an enemy stands on the fortress"),
    WeightedFeature("retaken", 100, "an enemy stands on the fortress and can be taken there"),
    WeightedFeature("garrison", 10, "an own piece other than the King on the fortress"),
    WeightedFeature("king_inside", 20, "the King on his fortress"),
    WeightedFeature("stormers", -15, "enemies that reach the fortress"),
    WeightedFeature("wardens", 5, "own pieces that reach the fortress"),
    WeightedFeature("first_heir", 60, "a piece of tier 3 on the fortress or reaching it"),
    WeightedFeature("more_heirs", 20, "further pieces of tier 3 that reach the fortress"),
    WeightedFeature("promotion", 25, "pieces that reach the fortress and would be promoted there"),
    WeightedFeature(
        "exposed_bare", -1500, "the King can be taken, the opponent to act, and no heir"
    ),
    WeightedFeature(
        "exposed_heir", -350, "the King can be taken, the opponent to act, and an heir"
    ),
    WeightedFeature("checked_bare", -80, "the King could be taken, his owner to act, and no heir"),
    WeightedFeature("checked_heir", -40, "the King could be taken, his owner to act, and an heir"),
    WeightedFeature("besieged_1", -10, "one enemy piece reaches the King or a square beside him"),
    WeightedFeature("besieged_2", -30, "two such pieces"),
    WeightedFeature("besieged_3", -65, "three such pieces"),
    WeightedFeature("besieged_4", -110, "four such pieces or more"),
    WeightedFeature("guards", 3, "own pieces that reach the King or a square beside him"),
    WeightedFeature("king_flown", -40, "the King within the range of an enemy Dragon"),
)


def _fill_tables() -> None:
    for i in range(PLACES * PLACES):
        DISTANCE[i] = 99  # from nowhere nothing is near
    for square, name in enumerate(MIKELEPAGE.squares):
        for other, far in enumerate(MIKELEPAGE.squares):
            DISTANCE[square * PLACES + other] = MIKELEPAGE.distance(name, far)
        row = MIKELEPAGE.row(name) - 1
        FORWARD[square] = row - _BACK_ROW
        FORWARD[PLACES + square] = 2 * _MIDDLE - row - _BACK_ROW
    for number, spec in enumerate(PIECES, 1):
        # By who looks, and by whose piece is met: 1 is White's, 2 Black's, then rock and edge.
        for color in range(2):
            first = (color * TYPES + number) * 8
            for met in range(8):
                UNIT[first + met] = 0
            UNIT[first + 1 + color] = GUARD
            UNIT[first + 2 - color] = 1 << 12 if number == KING else 1 << 4 * (spec.tier - 1)
        STRAIGHT_RANGE[number] = DIAGONAL_RANGE[number] = 0
        if spec.movement == STRAIGHT:
            STRAIGHT_RANGE[number] = REACH[number]
        elif spec.movement == DIAGONAL:
            DIAGONAL_RANGE[number] = 2 * REACH[number]  # a diagonal step leads two squares away
    _fill_axes()
    _fill_lines()
    _fill_rings()


def _fill_axes() -> None:
    for i in range(PLACES * AXES):
        LINE[i] = SPOT[i] = 0
    line = 0
    for axis in range(AXES):
        ahead = axis if axis < AXES // 2 else DIAGONALS + axis - AXES // 2
        for start in range(OFF):
            if STEP[start * 12 + ahead + 3] != OFF:
                continue
            here, spot = start, 1
            while here != OFF:
                LINE[here * AXES + axis] = line
                SPOT[here * AXES + axis] = spot
                here = STEP[here * 12 + ahead]
                spot *= 2
            line += 1


def _fill_lines() -> None:
    for i in range(LINES * SPOTS):
        SQUARE_ON[i] = OFF
    for i in range(LINES):
        ALONG[i] = 0
    for i in range(PLACES * LINES):
        COURT[i] = 0
    HIGHEST[0] = 1  # nothing in the way: the line is seen down to its first square
    LOWEST[0] = SPOTS - 1
    COUNT[0] = 0
    for bits in range(1, OCCUPIED):
        HIGHEST[bits] = 1 if bits == 1 else 2 * HIGHEST[bits >> 1]
        LOWEST[bits] = 0 if bits & 1 else LOWEST[bits >> 1] + 1
        COUNT[bits] = COUNT[bits >> 1] + (bits & 1)
    for i in range(OFF * AXES):
        square = i // AXES
        SQUARE_ON[LINE[i] * SPOTS + LOWEST[SPOT[i]]] = square
        ALONG[LINE[i]] |= SPOT[i]
        for king in range(OFF):
            if DISTANCE[king * PLACES + square] <= 1:
                COURT[king * LINES + LINE[i]] |= SPOT[i]


def _bit(place: int) -> int:
    return 1 << place  # of a Python number: beyond 31 places a C int would be cut off


def _fill_rings() -> None:
    for i in range(PLACES * PLACES):
        ON_RING[i] = 0
    for i in range(PLACES * RINGS):
        OUTSIDE[i] = 0
    for i in range(CIRCLE):
        RING_BIT[i] = _bit(i)
    for i in range(PLACES * RINGS * CIRCLE):
        RING_SQUARE[i] = OFF
    for centre in range(OFF):
        for radius in range(1, RINGS):
            ring = centre * RINGS + radius
            for place, square in enumerate(MIKELEPAGE.ring(centre, radius)):
                if square is None:
                    OUTSIDE[ring] |= _bit(place)
                else:
                    ON_RING[centre * PLACES + square] = radius << 6 | place
                    RING_SQUARE[ring * CIRCLE + place] = square


_fill_tables()


def seen_from(occupied: int, spot: int) -> int:
    """What is seen from a spot on a line: up to the first piece on either side, with it."""
    above = (occupied | OCCUPIED) & -(spot << 1)
    return ((above & -above) << 1) - spot - HIGHEST[occupied & (spot - 1)]


def falls(attacks: int, defence: int) -> int:
    """Whether attackers, directly or by flanking, can take a piece of that defence tier.

    The best group is led by the highest of those who are lower than the piece.
    """
    for tier in range(defence, 4):
        if attacks >> 4 * (tier - 1) & 15:
            return 1
    royal = attacks >> 12 & 15
    if royal and defence == 1:
        return 1
    top = defence - 1
    while top > 0 and attacks >> 4 * (top - 1) & 15 == 0:
        top -= 1
    if top == 0:
        return 0
    carried = 0
    for tier in range(1, top):
        carried += attacks >> 4 * (tier - 1) & 15
        if carried > 0:
            carried -= 1
    return 1 if top + (attacks >> 4 * (top - 1) & 15) + carried + royal > defence else 0


class MikelepageEvaluation(Evaluation):
    features = FEATURES

    # What is kept of the position that was measured last.
    stood: list[int]  # the square of each slot
    centre: list[int]  # what the horses ride round, by colour
    lines: list[int]  # the squares of each line that are occupied, by pieces or mountains
    rings: list[int]  # the same for the rings round both centres, by colour and radius
    # Scratch space of measure.
    reach: list[int]  # who reaches the piece on a square
    ends: list[int]  # where a horse's ways have ended
    throne: list[int]  # where the King is, by colour; so are the following
    lair: list[int]  # where the Dragon flies from
    besiegers: list[int]  # enemies that reach the King or a square beside him
    guards: list[int]  # own pieces that do
    stormers: list[int]  # enemies that reach the fortress
    wardens: list[int]  # own pieces that do
    heirs: list[int]  # those of tier 3 among them
    exposed: list[int]  # whether the King can be taken

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        super().__init__(weights)
        if not cython.compiled:
            self.stood, self.centre = [OFF] * ALL_SLOTS, [OFF, OFF]
            self.lines, self.rings = [0] * LINES, [0] * 2 * RINGS
            self.reach, self.ends = [0] * PLACES, [0] * 4
            self.throne, self.lair = [OFF, OFF], [OFF, OFF]
            self.besiegers, self.guards, self.exposed = [0, 0], [0, 0], [0, 0]
            self.stormers, self.wardens, self.heirs = [0, 0], [0, 0], [0, 0]
        self._begin(OFF, OFF)

    def measure(self, position: Position) -> None:
        self._survey(cython.cast(MikelepagePosition, position))

    def gain(self, position: Position, code: int) -> int:
        if code & KIND == CAPTURE or code & KIND == BRING_OUT:
            return self._prize(cython.cast(MikelepagePosition, position), code >> TARGET & SQUARE)
        return 0

    def _prize(self, here: MikelepagePosition, square: int) -> int:
        number = here.board_[square] & 15
        if number == KING:
            return KING_GAIN
        return self.weights[MATERIAL + number] if number else 0

    def _survey(self, here: MikelepagePosition) -> None:
        for i in range(self.size):
            self.counts[i] = 0
        self.counts[TEMPO] = 1 - 2 * here.side
        self._follow(here)
        self._clear(here)
        for color in range(2):
            self._look_out(here, color)
            self._look_at_fortress(here, color)
        for color in range(2):
            self._weigh(here, color)
            self._hold_court(here, color)
            self._keep(here, color)

    def _follow(self, here: MikelepagePosition) -> None:
        """Bring lines and rings up to date."""
        if self.centre[0] != here.centre[0] or self.centre[1] != here.centre[1]:
            self._begin(here.centre[0], here.centre[1])
        for slot in range(ALL_SLOTS):
            if self.stood[slot] != here.where[slot]:
                # Where a piece was taken one has gone and one has come: it stays occupied.
                self._toggle(self.stood[slot])
                self._toggle(here.where[slot])
                self.stood[slot] = here.where[slot]

    def _begin(self, white: int, black: int) -> None:
        """An empty board with these centres."""
        self.centre[0], self.centre[1] = white, black
        for slot in range(ALL_SLOTS):
            self.stood[slot] = OFF
        for line in range(LINES):
            self.lines[line] = 0
        for radius in range(RINGS):
            self.rings[radius] = OUTSIDE[white * RINGS + radius]
            self.rings[RINGS + radius] = OUTSIDE[black * RINGS + radius]

    def _toggle(self, square: int) -> None:
        """A square has become occupied, or free."""
        for i in range(square * AXES, square * AXES + AXES):
            self.lines[LINE[i]] ^= SPOT[i]
        for color in range(2):
            place = ON_RING[self.centre[color] * PLACES + square]
            self.rings[color * RINGS + (place >> 6)] ^= RING_BIT[place & 63]

    def _clear(self, here: MikelepagePosition) -> None:
        for square in range(PLACES):
            self.reach[square] = 0
        for color in range(2):
            self.besiegers[color] = self.guards[color] = self.exposed[color] = 0
            self.stormers[color] = self.wardens[color] = self.heirs[color] = 0
            self.throne[color] = OFF
            self.lair[color] = here.standing[color] if here.reserve[color] else OFF
            for i in range(color * SLOTS, color * SLOTS + here.count[color]):
                number = here.code_of[i] & 15
                if here.where[i] == OFF:
                    continue
                if number == KING:
                    self.throne[color] = here.where[i]
                elif number == DRAGON:
                    self.lair[color] = here.where[i]

    def _look_out(self, here: MikelepagePosition, color: int) -> None:
        """Count a player's pieces and see what they reach."""
        sign = 1 - 2 * color
        other = 1 - color
        goal = here.site[other] if self.throne[other] == OFF else self.throne[other]
        for i in range(color * SLOTS, color * SLOTS + here.count[color]):
            square = here.where[i]
            if square == OFF:
                continue
            number = here.code_of[i] & 15
            self.counts[MATERIAL + number] += sign
            self.counts[ADVANCE + number] += sign * FORWARD[color * PLACES + square]
            self.counts[NEARNESS + number] += sign * (6 - DISTANCE[goal * PLACES + square])
            if here.ground[square] == HOME[number]:
                self.counts[AT_HOME + TIER[number]] += sign
            if number in (RABBLE, KING):
                free = self._step(here, color, number, square)
            elif number in (LIGHT_HORSE, HEAVY_HORSE):
                free = self._ride(here, color, number, square)
            elif number == DRAGON:
                continue
            else:
                free = self._slide(here, color, number, square)
            self.counts[MOBILITY + number] += sign * free

    def _step(self, here: MikelepagePosition, color: int, number: int, square: int) -> int:
        """How many squares beside it a piece can go to."""
        free = 0
        unit = (color * TYPES + number) * 8
        for i in range(square * 12, square * 12 + 6):
            code = here.board_[STEP[i]]
            free += 1 if code == 0 else 0
            self.reach[STEP[i]] += UNIT[unit + (code >> 4)]
        if DISTANCE[self.throne[1 - color] * PLACES + square] <= 2:
            self.besiegers[1 - color] += 1
        if DISTANCE[self.throne[color] * PLACES + square] <= 2 and number != KING:
            self.guards[color] += 1
        return free

    def _slide(self, here: MikelepagePosition, color: int, number: int, square: int) -> int:
        """How many squares a piece can go to on three lines."""
        free = 0
        besieges = 0
        guards = 0
        unit = (color * TYPES + number) * 8
        court = self.throne[color] * LINES
        goal = self.throne[1 - color] * LINES
        axis = square * AXES
        if number in (SPEARS, ELEPHANT):
            axis += 3
        for i in range(axis, axis + 3):
            line = LINE[i]
            occupied = self.lines[line]
            span = seen_from(occupied, SPOT[i]) & ALONG[line]
            if REACH[number] <= 3:
                start = SPOT[i] >> REACH[number]
                span &= (SPOT[i] << REACH[number] + 1) - (start if start else 1)
            free += COUNT[span & ~occupied]
            besieges |= span & COURT[goal + line]
            guards |= span & COURT[court + line]
            span &= occupied
            for _ in range(2):
                target = SQUARE_ON[line * SPOTS + LOWEST[span]]
                self.reach[target] += UNIT[unit + (here.board_[target] >> 4)]
                span &= span - 1
        if besieges:
            self.besiegers[1 - color] += 1
        if guards:
            self.guards[color] += 1
        return free

    def _ride(self, here: MikelepagePosition, color: int, number: int, square: int) -> int:
        """How many squares a horse can ride to; those where rings cross count twice."""
        free = 0
        met = 0
        for owner in range(2):
            centre = here.centre[owner]
            place = ON_RING[centre * PLACES + square]
            radius = place >> 6
            if radius == 0:
                continue
            place &= 63
            size = 6 * radius
            occupied = self.rings[owner * RINGS + radius]
            turned = (occupied >> place | occupied << size - place) & (RING_BIT[size] - 1)
            ahead = lowest_bit(turned >> 1 | RING_BIT[size - 1])
            behind = size - 1 - highest_bit(turned)
            first = (centre * RINGS + radius) * CIRCLE
            if ahead < REACH[number] and ahead < size - 1:
                end = place + ahead + 1
                self.ends[met] = RING_SQUARE[first + (end - size if end >= size else end)]
                met += 1
            if behind < REACH[number] and behind < size - 1:
                end = place - behind - 1
                self.ends[met] = RING_SQUARE[first + (end + size if end < 0 else end)]
                met += 1
            ahead = ahead if ahead < REACH[number] else REACH[number]
            behind = behind if behind < REACH[number] else REACH[number]
            free += ahead + behind
            # Each centre is a fortress or a corner; only the other player's can lie on its rings.
            fortress = ON_RING[centre * PLACES + here.standing[1 - owner]]
            if fortress >> 6 == radius:
                way = (fortress & 63) - place
                way = way + size if way < 0 else way
                if way > 0 and (
                    way <= (ahead + 1 if ahead < REACH[number] else ahead)
                    or size - way <= (behind + 1 if behind < REACH[number] else behind)
                ):
                    self._reach_fortress(here, color, number, 1 - owner)
        self._meet(here, color, number, met)
        if DISTANCE[self.throne[1 - color] * PLACES + square] <= 2:
            self.besiegers[1 - color] += 1
        if DISTANCE[self.throne[color] * PLACES + square] <= 2:
            self.guards[color] += 1
        return free

    def _meet(self, here: MikelepagePosition, color: int, number: int, met: int) -> None:
        """Leave a horse's mark on the pieces at the ends of its ways, on each once."""
        for i in range(met):
            target = self.ends[i]
            for j in range(i):
                if self.ends[j] == target:
                    target = OFF
            self.reach[target] += UNIT[(color * TYPES + number) * 8 + (here.board_[target] >> 4)]

    def _look_at_fortress(self, here: MikelepagePosition, owner: int) -> None:
        """See which pieces reach a standing fortress on straight lines and diagonals."""
        fortress = here.standing[owner]
        if fortress == OFF:
            return
        for i in range(fortress * AXES, fortress * AXES + AXES):
            line = LINE[i]
            occupied = self.lines[line]
            span = seen_from(occupied, SPOT[i]) & ALONG[line] & occupied
            while span:
                square = SQUARE_ON[line * SPOTS + LOWEST[span]]
                span &= span - 1
                code = here.board_[square]
                number = code & 15
                reach = STRAIGHT_RANGE[number]
                if i >= fortress * AXES + 3:
                    reach = DIAGONAL_RANGE[number]
                if DISTANCE[fortress * PLACES + square] <= reach:
                    self._reach_fortress(here, (code >> 4) - 1, number, owner)

    def _reach_fortress(
        self, here: MikelepagePosition, color: int, number: int, owner: int
    ) -> None:
        if color != owner:
            self.stormers[owner] += 1
            return
        self.wardens[color] += 1
        lost = color * TYPES
        if TIER[number] == 3:
            self.heirs[color] += 1
        elif TIER[number] == 2:
            if here.lost[lost + number + HIGHER]:
                self.counts[PROMOTION] += 1 - 2 * color
        elif number == RABBLE and (
            here.lost[lost + CROSSBOWS] or here.lost[lost + SPEARS] or here.lost[lost + LIGHT_HORSE]
        ):
            self.counts[PROMOTION] += 1 - 2 * color

    def _weigh(self, here: MikelepagePosition, color: int) -> None:
        """What can be taken from a player."""
        sign = 1 - 2 * color
        other = 1 - color
        block = DANGER if here.side == color else PREY
        lair = self.lair[other] * PLACES
        hunt = AMBUSH if here.reserve[other] else MOBILITY + DRAGON
        for i in range(color * SLOTS, color * SLOTS + here.count[color]):
            square = here.where[i]
            if square == OFF:
                continue
            number = here.code_of[i] & 15
            if DISTANCE[lair + square] <= FLIGHT:
                self.counts[hunt] -= sign
                if number == KING:
                    self.counts[KING_FLOWN] += sign
            reach = self.reach[square]
            if reach & ATTACKS == 0:
                continue
            if falls(reach, here._defence(here.code_of[i], square)):
                if number == KING:
                    self.exposed[color] = 1
                elif reach >= GUARD:
                    self.counts[CONTESTED + TIER[number]] += sign
                else:
                    self.counts[block + TIER[number]] += sign

    def _hold_court(self, here: MikelepagePosition, color: int) -> None:
        """The King and those round him."""
        sign = 1 - 2 * color
        fortress = here.standing[color]
        code = here.board_[fortress]
        if code >> 4 == color + 1 and TIER[code & 15] == 3:
            self.heirs[color] += 1
        elif code >> 4 == 2 - color and not falls(self.reach[fortress] & ATTACKS, TIER[code & 15]):
            self.heirs[color] = 0
        if here.kings[color] == 0:
            if self.heirs[color] == 0:
                self.counts[KING_LOST] += sign
            return
        if self.exposed[color]:
            place = KING_EXPOSED + (1 if self.heirs[color] else 0)
            if here.side == color:
                place += 2
            self.counts[place] += sign
        self.counts[GUARDS] += sign * self.guards[color]
        besiegers = self.besiegers[color]
        if besiegers:
            self.counts[BESIEGED + (besiegers if besiegers < 4 else 4)] += sign

    def _keep(self, here: MikelepagePosition, color: int) -> None:
        """The fortress, while it stands, and what it is good for."""
        fortress = here.standing[color]
        if fortress == OFF:
            return
        sign = 1 - 2 * color
        self.counts[FORTRESS] += sign
        if here.reserve[color]:
            self.counts[RESERVE] += sign
        code = here.board_[fortress]
        if code >> 4 == 2 - color:
            self.counts[INVADED] += sign
            if falls(self.reach[fortress] & ATTACKS, TIER[code & 15]):
                self.counts[RETAKEN] += sign
        elif code & 15 == KING:
            self.counts[KING_INSIDE] += sign
        elif code != 0:
            self.counts[GARRISON] += sign
        self.counts[STORMERS] += sign * self.stormers[color]
        self.counts[WARDENS] += sign * self.wardens[color]
        if self.heirs[color]:
            self.counts[FIRST_HEIR] += sign
            self.counts[MORE_HEIRS] += sign * (self.heirs[color] - 1)
