"""What makes a position of gameofcyvasse good.

A set of squares is a word with one bit for each.  For every piece the squares that it could strike
with its next action are found, from which everything else follows: what can be taken, what is
guarded, who stands round the Kings.
"""

from __future__ import annotations

from collections.abc import Mapping

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation, WeightedFeature
from cyvasse.rules.gameofcyvasse.board import GAMEOFCYVASSE
from cyvasse.rules.gameofcyvasse.pieces import PIECES
from cyvasse.rules.gameofcyvasse.position import GameOfCyvassePosition

if not cython.compiled:
    from cyvasse.actions import CAPTURE, KIND, SHOOT, SIEGE, SQUARE, VICTIM
    from cyvasse.rules.evaluation import KING_GAIN
    from cyvasse.rules.gameofcyvasse.position import (
        CATAPULT,
        CROSSBOWMAN,
        DRAGON,
        FOREST,
        FORTRESS,
        HEAVY_HORSE,
        KING,
        LIGHT_HORSE,
        MOUNTAIN,
        NOWHERE,
        OFF,
        STEP,
        TREBUCHET,
        WATER,
    )

    # Where features begin.  Those by rank or class begin one place early, so that the number of the
    # rank or class can be added.
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
    PLACES = 65  # squares and the place beyond the edge
    SIEGE_GAIN = 40  # what a ruined fortress is worth to those who order actions

    BIT = [0] * PLACES
    BESIDE = [0] * PLACES
    AREA = [0] * PLACES
    FLIGHT = [0] * PLACES
    BEYOND = [0] * PLACES * PLACES
    COVER = [0] * PLACES * PLACES
    DISTANCE = [0] * PLACES * PLACES
    RANKS = [0] * 11
    FIELDS = [0] * 5

# By rank: on the board, per square it can go to, per row gone forward, per square it is nearer to
# the enemy King.  The King has no worth of his own: without him the game is over.
_BY_RANK = (
    (100, 2, 4, 5),
    (140, 2, 4, 6),
    (330, 3, 3, 8),
    (300, 3, 1, 6),
    (340, 4, 1, 8),
    (360, 4, 4, 8),
    (620, 4, 2, 12),
    (480, 4, 2, 8),
    (900, 5, 0, 2),
    (0, 0, -8, 0),
)
# What counts as the same to those who threaten it.
_CLASSES = ("foot", "line", "engine", "dragon")
_CLASS_OF = (1, 1, 2, 2, 2, 2, 3, 3, 4)
# By class: prey with the opponent to act and with the owner to act, and what is guarded.
_BY_CLASS = ((-50, -10, -10), (-140, -25, -30), (-250, -50, -60), (-450, -80, -150))


def _by_rank(
    heading: str, column: int, meaning: str, ranks: int = 10
) -> tuple[WeightedFeature, ...]:
    return tuple(
        WeightedFeature(
            f"{heading}{spec.type.name}", weights[column], f"{spec.type.title}: {meaning}"
        )
        for spec, weights in zip(PIECES[:ranks], _BY_RANK, strict=False)
    )


def _by_class(heading: str, column: int, meaning: str) -> tuple[WeightedFeature, ...]:
    return tuple(
        WeightedFeature(f"{heading}{name}", weights[column], f"{name}: {meaning}")
        for name, weights in zip(_CLASSES, _BY_CLASS, strict=True)
    )


FEATURES = (
    WeightedFeature("tempo", 20, "being the one to act"),
    *_by_rank("", 0, "on the board", ranks=9),
    *_by_rank("mobility_", 1, "empty squares that it can go to or shoot at"),
    *_by_rank("advance_", 2, "rows gone forward"),
    *_by_rank("nearness_", 3, "nearness to the enemy King", ranks=9),
    *_by_class("prey_", 0, "pieces that can be shot, or taken unguarded, the opponent to act"),
    *_by_class("danger_", 1, "pieces that can be shot, or taken unguarded, their owner to act"),
    *_by_class("contested_", 2, "pieces that can be taken, but are guarded"),
    WeightedFeature("shots", 8, "enemies that can be shot at"),
    WeightedFeature("exposed", -3000, "the King can be taken, the opponent to act"),
    WeightedFeature("checked", -60, "the King could be taken, his owner to act"),
    WeightedFeature("besieged_1", -15, "one enemy piece strikes at the King or beside him"),
    WeightedFeature("besieged_2", -50, "two such pieces"),
    WeightedFeature("besieged_3", -110, "three such pieces"),
    WeightedFeature("besieged_4", -180, "four such pieces or more"),
    WeightedFeature("guards", 8, "own pieces that strike beside the King"),
    WeightedFeature("escapes", 6, "squares that the King can go to and no enemy strikes at"),
    WeightedFeature("king_inside", 60, "the King in a standing fortress"),
    WeightedFeature("shelter", 25, "a standing fortress, empty, beside the King"),
    WeightedFeature("garrison", 15, "another own piece in a standing fortress"),
    WeightedFeature("king_woods", 60, "the King on forest while the enemy Dragon lives"),
    WeightedFeature("moat", 4, "water beside the King"),
    WeightedFeature("in_woods", 10, "other pieces on forest while the enemy Dragon lives"),
    WeightedFeature("waiting", -25, "pieces that wait in the water"),
    WeightedFeature("wet_shooters", -40, "pieces that cannot shoot because they stand in water"),
    WeightedFeature("roost", 20, "the Dragon on a mountain"),
    WeightedFeature("dragon_woods", 10, "the Dragon on forest"),
    WeightedFeature("aimed", 20, "the Trebuchet has a direction"),
    WeightedFeature("sole_dragon", 100, "a Dragon against none"),
    WeightedFeature("unmatched", 150, "a Dragon against none and nobody who shoots"),
    WeightedFeature("untouchable", 30, "pieces that only the enemy King could take"),
)


def _fill_tables() -> None:
    board = GAMEOFCYVASSE
    for i in range(PLACES * PLACES):
        BEYOND[i] = COVER[i] = DISTANCE[i] = 0
    for square in range(PLACES):
        BIT[square] = BESIDE[square] = AREA[square] = FLIGHT[square] = 0
    for square, name in enumerate(board.squares):
        BIT[square] = _bit(square)
        for direction in board.directions:
            line = board.line(square, direction)
            FLIGHT[square] |= _set(line)
            for i, there in enumerate(line):
                BEYOND[square * PLACES + there] = _set(line[i + 1 :])
        for there, far in enumerate(board.squares):
            distance = board.distance(name, far)
            DISTANCE[square * PLACES + there] = distance
            if distance == 1:
                BESIDE[square] |= _bit(there)
            if 0 < distance <= 2:
                AREA[square] |= _bit(there)
    for square in range(OFF):
        for there in range(OFF):
            if DISTANCE[square * PLACES + there] == 2:
                COVER[square * PLACES + there] = _between(square, there)
    for rank, number in enumerate(_CLASS_OF, 1):
        RANKS[rank] = number
    RANKS[0] = RANKS[KING] = 0
    FIELDS[0], FIELDS[1], FIELDS[2] = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
    FIELDS[3], FIELDS[4] = 0x7F7F7F7F7F7F7F7F, 0x00FFFFFFFFFFFFFF  # but the last file, row


def _bit(square: int) -> int:
    return 1 << square  # of a Python number: beyond 31 places a C int would be cut off


def _set(squares: list[int] | tuple[int, ...]) -> int:
    return sum(map(_bit, squares))


def _between(square: int, there: int) -> int:
    """The squares that must all be mountains to stop a shot two squares far (D8)."""
    (x, y), (far_x, far_y) = (GAMEOFCYVASSE.coordinates[at] for at in (square, there))
    low = GAMEOFCYVASSE.at((x + far_x) // 2, (y + far_y) // 2)
    high = GAMEOFCYVASSE.at((x + far_x + 1) // 2, (y + far_y + 1) // 2)
    assert low is not None
    assert high is not None
    return _bit(low) | _bit(high)


_fill_tables()


def count_bits(bits: int) -> int:
    """How many squares a set has."""
    bits -= bits >> 1 & FIELDS[0]
    bits = (bits & FIELDS[1]) + (bits >> 2 & FIELDS[1])
    bits = bits + (bits >> 4) & FIELDS[2]
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 127


def spread(bits: int) -> int:
    """The squares of a set and all that are beside them."""
    wide = bits | (bits & FIELDS[3]) << 1 | bits >> 1 & FIELDS[3]
    return wide | (wide & FIELDS[4]) << 8 | wide >> 8


class GameOfCyvasseEvaluation(Evaluation):
    features = FEATURES

    # Scratch space of measure, by colour; ``up_to`` also by rank.
    army: list[int]  # the pieces
    up_to: list[int]  # the pieces up to a rank
    struck: list[int]  # the pieces that an enemy can take
    shot: list[int]  # those of them that can be shot
    guarded: list[int]  # the pieces that an own piece could strike at
    reached: list[int]  # all that a player can strike at
    ring: list[int]  # the King and what is beside him
    besiegers: list[int]  # enemies that strike at the ring
    guards: list[int]  # own pieces that do
    threats: list[int]  # enemies that can take the King

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        super().__init__(weights)
        if not cython.compiled:
            self.army, self.up_to, self.ring = [0, 0], [0] * 24, [0, 0]
            self.struck, self.shot, self.guarded, self.reached = [0, 0], [0, 0], [0, 0], [0, 0]
            self.besiegers, self.guards, self.threats = [0, 0], [0, 0], [0, 0]

    def measure(self, position: Position) -> None:
        self._survey(cython.cast(GameOfCyvassePosition, position))

    def gain(self, position: Position, code: int) -> int:
        if code & KIND == CAPTURE or code & KIND == SHOOT or code & KIND == SIEGE:
            return self._prize(
                cython.cast(GameOfCyvassePosition, position), code >> VICTIM & SQUARE
            )
        return 0

    def _prize(self, here: GameOfCyvassePosition, square: int) -> int:
        victim = here.board_[square]
        if here.ground_[square] == FORTRESS:
            prize = SIEGE_GAIN
        elif victim & 15 == KING:
            prize = KING_GAIN
        else:
            prize = self.weights[MATERIAL + (victim & 15)]
        return -prize if victim >> 4 == here.side else prize

    def _survey(self, here: GameOfCyvassePosition) -> None:
        for i in range(self.size):
            self.counts[i] = 0
        self.counts[TEMPO] = 1 - 2 * here.side
        for color in range(2):
            self._muster(here, color)
        for color in range(2):
            self._look_out(here, color)
        for color in range(2):
            self._weigh(here, color)
            self._hold_court(here, color)
            self._land(here, color)

    def _muster(self, here: GameOfCyvassePosition, color: int) -> None:
        bits = BIT[OFF]
        self.up_to[color * 12] = bits
        for rank in range(1, KING + 1):
            bits |= BIT[here.where[color << 4 | rank]]
            self.up_to[color * 12 + rank] = bits
        self.up_to[color * 12 + KING + 1] = bits
        self.army[color] = bits
        king = here.where[color << 4 | KING]
        self.ring[color] = BIT[king] | BESIDE[king]
        self.struck[color] = self.shot[color] = self.guarded[color] = self.reached[color] = 0
        self.besiegers[color] = self.guards[color] = self.threats[color] = 0

    def _look_out(self, here: GameOfCyvassePosition, color: int) -> None:
        """Count a player's pieces and see what they can strike at."""
        sign = 1 - 2 * color
        other = 1 - color
        everyone = self.army[0] | self.army[1]
        goal = here.where[other << 4 | KING] * PLACES
        for rank in range(1, KING + 1):
            square = here.where[color << 4 | rank]
            if square == OFF:
                continue
            row = square >> 3
            self.counts[ADVANCE + rank] += sign * (6 - row if color else row - 1)
            if rank != KING:
                self.counts[MATERIAL + rank] += sign
                self.counts[NEARNESS + rank] += sign * (5 - DISTANCE[goal + square])
            if here.waiting >> (color << 4 | rank) & 1:
                self.counts[WAITING] += sign
                continue
            reach = self._reach(here, color, rank, square, everyone)
            prey = reach & self._prey(here, color, rank)
            self.counts[MOBILITY + rank] += sign * count_bits(reach & ~everyone)
            self.reached[color] |= reach
            self.struck[other] |= prey
            if rank in (CROSSBOWMAN, CATAPULT, TREBUCHET):
                self.shot[other] |= prey
            if prey & BIT[here.where[other << 4 | KING]]:
                self.threats[other] += 1
            if reach & self.ring[other]:
                self.besiegers[other] += 1
            self.guarded[color] |= reach & self.army[color]
            if reach & self.ring[color] and rank != KING:
                self.guards[color] += 1

    def _reach(
        self, here: GameOfCyvassePosition, color: int, rank: int, square: int, everyone: int
    ) -> int:
        """The squares that a piece could strike at with its next action."""
        if rank in (LIGHT_HORSE, HEAVY_HORSE):
            return self._ride(here, rank, square, everyone)
        if rank == DRAGON:
            rival = here.where[(1 - color) << 4 | DRAGON]
            return FLIGHT[square] & ~BEYOND[square * PLACES + rival]
        if rank in (CROSSBOWMAN, CATAPULT, TREBUCHET):
            if here.ground_[square] == WATER:
                return BIT[OFF]
            if rank == CROSSBOWMAN:
                return BESIDE[square]
            if rank == CATAPULT:
                return self._hurl(here, square)
            return BESIDE[square] & ~here.laid[MOUNTAIN] | self._aim(here, color, square)
        return BESIDE[square] & ~here.laid[MOUNTAIN]

    def _ride(self, here: GameOfCyvassePosition, rank: int, square: int, everyone: int) -> int:
        """As far as a horse comes: entering forest takes one step more, water all that is left."""
        free = ~(everyone | here.laid[MOUNTAIN] | here.laid[WATER])
        reach = BESIDE[square]
        steps = reach & free
        fast = steps & ~here.laid[FOREST]
        if rank == LIGHT_HORSE:
            slow = steps & here.laid[FOREST]
            steps = spread(fast)
            reach |= steps
            fast = steps & free & ~here.laid[FOREST] | slow
        reach |= spread(fast)
        return reach & ~here.laid[MOUNTAIN] & ~BIT[square]

    def _hurl(self, here: GameOfCyvassePosition, square: int) -> int:
        """What a Catapult hits; empty squares behind mountains do not matter."""
        reach = AREA[square]
        if BESIDE[square] & here.laid[MOUNTAIN]:
            for color in range(2):
                for rank in range(1, KING + 1):
                    target = here.where[color << 4 | rank]
                    cover = COVER[square * PLACES + target]
                    if cover and cover & here.laid[MOUNTAIN] == cover:
                        reach &= ~BIT[target]
        return reach

    def _aim(self, here: GameOfCyvassePosition, color: int, square: int) -> int:
        """The three squares before a Trebuchet, as far as mountains let it shoot."""
        reach = BIT[OFF]
        direction = here.facing[color]
        if direction == NOWHERE:
            return reach
        self.counts[AIMED] += 1 - 2 * color
        for _ in range(3):
            square = STEP[square * 8 + direction]
            reach |= BIT[square]
            if here.ground_[square] == MOUNTAIN:
                break
        return reach

    def _prey(self, here: GameOfCyvassePosition, color: int, rank: int) -> int:
        """The enemy pieces that a rank can take, wherever they are."""
        other = 1 - color
        if rank >= TREBUCHET:
            prey = self.army[other]
            return prey & ~here.laid[FOREST] if rank == DRAGON else prey
        prey = self.up_to[other * 12 + rank + 1] | BIT[here.where[other << 4 | KING]]
        if rank in (LIGHT_HORSE, HEAVY_HORSE):
            return prey & ~BIT[here.where[other << 4 | SPEARMEN]]
        if rank in (CROSSBOWMAN, CATAPULT):
            return prey | BIT[here.where[other << 4 | DRAGON]]
        return prey

    def _weigh(self, here: GameOfCyvassePosition, color: int) -> None:
        """What can be taken from a player; a standing fortress saves who is in it."""
        sign = 1 - 2 * color
        self.counts[SHOTS] -= sign * count_bits(self.shot[color])
        if self.struck[color] == 0:
            return
        block = DANGER if here.side == color else PREY
        for rank in range(1, KING):
            square = here.where[color << 4 | rank]
            bit = BIT[square]
            if self.struck[color] & bit and here.ground_[square] != FORTRESS:
                if self.shot[color] & bit or not self.guarded[color] & bit:
                    self.counts[block + RANKS[rank]] += sign
                else:
                    self.counts[CONTESTED + RANKS[rank]] += sign

    def _hold_court(self, here: GameOfCyvassePosition, color: int) -> None:
        """The King and those round him."""
        sign = 1 - 2 * color
        other = 1 - color
        king = here.where[color << 4 | KING]
        if king == OFF:
            return
        if here.ground_[king] == FORTRESS:
            self.counts[KING_INSIDE] += sign
        elif self.threats[color]:
            self.counts[CHECKED if here.side == color else EXPOSED] += sign
        besiegers = self.besiegers[color]
        if besiegers:
            self.counts[BESIEGED + (besiegers if besiegers < 4 else 4)] += sign
        self.counts[GUARDS] += sign * self.guards[color]
        barred = here.laid[MOUNTAIN] | self.army[color] | self.reached[other]
        self.counts[ESCAPES] += sign * count_bits(BESIDE[king] & ~barred)
        self.counts[MOAT] += sign * count_bits(BESIDE[king] & here.laid[WATER])
        if here.ground_[king] == FOREST and here.where[other << 4 | DRAGON] != OFF:
            self.counts[KING_WOODS] += sign

    def _land(self, here: GameOfCyvassePosition, color: int) -> None:
        """What the ground does for a player's pieces, and what the enemy's losses mean for them."""
        sign = 1 - 2 * color
        other = 1 - color
        dragon = here.where[color << 4 | DRAGON]
        king = here.where[color << 4 | KING]
        shooters = (
            BIT[here.where[color << 4 | CROSSBOWMAN]]
            | BIT[here.where[color << 4 | CATAPULT]]
            | BIT[here.where[color << 4 | TREBUCHET]]
        )
        if shooters & here.laid[WATER]:
            self.counts[WET_SHOOTERS] += sign * count_bits(shooters & here.laid[WATER])
        if here.where[other << 4 | DRAGON] != OFF:
            woods = self.up_to[color * 12 + TREBUCHET] & here.laid[FOREST]
            self.counts[IN_WOODS] += sign * count_bits(woods)
        elif dragon != OFF:
            self.counts[SOLE_DRAGON] += sign
            if (
                here.where[other << 4 | CROSSBOWMAN] == OFF
                and here.where[other << 4 | CATAPULT] == OFF
                and here.where[other << 4 | TREBUCHET] == OFF
            ):
                self.counts[UNMATCHED] += sign
        if here.ground_[dragon] == FOREST:
            self.counts[DRAGON_WOODS] += sign
        elif here.ground_[dragon] == MOUNTAIN and dragon != OFF:
            self.counts[ROOST] += sign
        strongest = DRAGON
        while strongest > 0 and here.where[other << 4 | strongest] == OFF:
            strongest -= 1
        if strongest < CATAPULT:
            safe = self.up_to[color * 12 + TREBUCHET] & ~self.up_to[color * 12 + strongest + 1]
            self.counts[UNTOUCHABLE] += sign * count_bits(safe)
        if self.army[color] & here.laid[FORTRESS]:
            for rank in range(1, KING):
                if here.ground_[here.where[color << 4 | rank]] == FORTRESS:
                    self.counts[GARRISON] += sign
        if BESIDE[king] & here.laid[FORTRESS]:
            for d in range(8):
                beside = STEP[king * 8 + d]
                if here.ground_[beside] == FORTRESS and here.board_[beside] == 0:
                    self.counts[SHELTER] += sign
