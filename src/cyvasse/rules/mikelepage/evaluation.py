"""What makes a position of Mikelepage's Cyvasse good.

A King who is taken can be replaced while a piece of tier 3 reaches the fortress, so the fortress,
the heirs and the guards count as much as the King's own safety.  Every piece but the dragons walks
its ways once.  On the way it counts the squares, sees which of them lie beside a King or are a
fortress, and leaves its mark on the piece that ends the way: as an attacker there or as a guard.
"""

from __future__ import annotations

from collections.abc import Mapping

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.boards import HEXAGON_DIAGONALS, MIKELEPAGE
from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation, Feature
from cyvasse.rules.mikelepage.pieces import PIECES
from cyvasse.rules.mikelepage.position import MikelepagePosition

if not cython.compiled:
    from cyvasse.actions import BRING_OUT, CAPTURE
    from cyvasse.rules.evaluation import KING_GAIN
    from cyvasse.rules.mikelepage.position import (
        AROUND,
        CROSSBOWS,
        DIAGONALS,
        DRAGON,
        ELEPHANT,
        HEAVY_HORSE,
        HIGHER,
        HOME,
        KING,
        LIGHT_HORSE,
        OFF,
        RABBLE,
        REACH,
        SLOTS,
        SPEARS,
        SQUARES,
        STEP,
        TIER,
        TYPES,
    )

    # Where features begin.  Those by type or tier begin one place (AT_HOME: two places) late, so
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

    # What a walk finds, in one number: squares in the lowest 8 bits, then fields of 6 bits for the
    # squares beside White's and Black's King and for White's and Black's fortress.
    RING_FIELD = 8
    FORTRESS_FIELD = 20
    FIELD = 63
    # Who reaches a piece: 4 bits each for attackers of tier 1, 2 and 3 and the King, then guards.
    GUARD = 65536
    ATTACKS = 65535

    FLIGHT = 4  # how far a dragon flies, from where it is or out of reserve
    PLACES = 92  # squares and the place beyond the edge
    RAY = 11  # places for each ray; beyond the edge they end

    RAYS = [0] * PLACES * 12 * RAY
    DISTANCE = [0] * PLACES * PLACES
    FORWARD = [0] * 2 * PLACES
    UNIT = [0] * TYPES

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


def _by_type(heading: str, column: int, meaning: str) -> tuple[Feature, ...]:
    return tuple(
        Feature(f"{heading}{spec.type.name}", weights[column], f"{spec.type.title}: {meaning}")
        for spec, weights in zip(PIECES, _BY_TYPE, strict=True)
    )


def _by_tier(heading: str, column: int, meaning: str) -> tuple[Feature, ...]:
    return tuple(
        Feature(f"{heading}{tier}", weights[column], f"tier {tier}: {meaning}")
        for tier, weights in enumerate(_BY_TIER, 1)
    )


FEATURES = (
    Feature("tempo", 20, "being the one to act"),
    *_by_type("", 0, "on the board"),
    *_by_type("mobility_", 1, "squares reached; for a Dragon, enemies in range"),
    *_by_type("advance_", 2, "rows gone forward"),
    *_by_type("nearness_", 3, "nearness to the enemy King"),
    *_by_tier("prey_", 0, "pieces that can be taken unguarded, the opponent to act"),
    *_by_tier("danger_", 1, "pieces that can be taken unguarded, their owner to act"),
    *_by_tier("contested_", 2, "pieces that can be taken and are guarded"),
    Feature("at_home_2", 15, "pieces of tier 2 on their home terrain"),
    Feature("at_home_3", 30, "pieces of tier 3 on their home terrain"),
    Feature("reserve", 840, "the Dragon in reserve, the fortress standing"),
    Feature("ambush", 10, "enemies where a Dragon can come out of reserve"),
    Feature("king_lost", -9000, "the King is missing and nobody can replace him in time"),
    Feature("fortress", 250, "the fortress stands"),
    Feature("invaded", -150, "an enemy stands on the fortress"),
    Feature("retaken", 100, "an enemy stands on the fortress and can be taken there"),
    Feature("garrison", 10, "an own piece other than the King on the fortress"),
    Feature("king_inside", 20, "the King on his fortress"),
    Feature("stormers", -15, "enemies that reach the fortress"),
    Feature("wardens", 5, "own pieces that reach the fortress"),
    Feature("first_heir", 60, "a piece of tier 3 on the fortress or reaching it"),
    Feature("more_heirs", 20, "further pieces of tier 3 that reach the fortress"),
    Feature("promotion", 25, "pieces that reach the fortress and would be promoted there"),
    Feature("exposed_bare", -1500, "the King can be taken, the opponent to act, and no heir"),
    Feature("exposed_heir", -350, "the King can be taken, the opponent to act, and an heir"),
    Feature("checked_bare", -80, "the King could be taken, his owner to act, and no heir"),
    Feature("checked_heir", -40, "the King could be taken, his owner to act, and an heir"),
    Feature("besieged_1", -10, "one enemy piece reaches the King or a square beside him"),
    Feature("besieged_2", -30, "two such pieces"),
    Feature("besieged_3", -65, "three such pieces"),
    Feature("besieged_4", -110, "four such pieces or more"),
    Feature("guards", 6, "own pieces that reach the King or a square beside him"),
    Feature("king_flown", -40, "the King within the range of an enemy Dragon"),
)


def _fill_tables() -> None:
    for i in range(PLACES * 12 * RAY):
        RAYS[i] = OFF
    for i in range(PLACES * PLACES):
        DISTANCE[i] = 99  # from nowhere nothing is near
    for square, name in enumerate(MIKELEPAGE.squares):
        for d, direction in enumerate(MIKELEPAGE.directions):
            for i, there in enumerate(MIKELEPAGE.line(square, direction)):
                RAYS[(square * 12 + d) * RAY + i] = there
        for d, direction in enumerate(HEXAGON_DIAGONALS):
            for i, there in enumerate(MIKELEPAGE.diagonal(square, direction)):
                RAYS[(square * 12 + DIAGONALS + d) * RAY + i] = there
        for other, far in enumerate(MIKELEPAGE.squares):
            DISTANCE[square * PLACES + other] = MIKELEPAGE.distance(name, far)
        row = MIKELEPAGE.row(name) - 1
        FORWARD[square] = row - _BACK_ROW
        FORWARD[PLACES + square] = 2 * _MIDDLE - row - _BACK_ROW
    for number, spec in enumerate(PIECES, 1):
        UNIT[number] = 1 << 12 if number == KING else 1 << 4 * (spec.tier - 1)


_fill_tables()


class MikelepageEvaluation(Evaluation):
    features = FEATURES

    # Scratch space of measure.
    reach: list[int]  # who reaches the piece on a square
    zone: list[int]  # what a walk over a square finds
    ends: list[int]  # where a horse's ways have ended
    besiegers: list[int]  # enemies round the King, by colour; so are the following
    guards: list[int]  # own pieces round the King
    stormers: list[int]  # enemies that reach the fortress
    wardens: list[int]  # own pieces that do
    heirs: list[int]  # those of tier 3 among them
    exposed: list[int]  # whether the King can be taken

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        super().__init__(weights)
        if not cython.compiled:
            self.reach, self.zone, self.ends = [0] * PLACES, [0] * PLACES, [0] * 4
            self.besiegers, self.guards, self.exposed = [0, 0], [0, 0], [0, 0]
            self.stormers, self.wardens, self.heirs = [0, 0], [0, 0], [0, 0]

    def measure(self, position: Position) -> None:
        self._survey(cython.cast(MikelepagePosition, position))

    def gain(self, position: Position, code: int) -> int:
        if code & 15 == CAPTURE or code & 15 == BRING_OUT:
            return self._prize(cython.cast(MikelepagePosition, position), code >> 11 & 127)
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
        self._mark(here)
        for color in range(2):
            self._look_out(here, color)
        for color in range(2):
            self._weigh(here, color)
            self._hold_court(here, color)
            self._keep(here, color)

    def _mark(self, here: MikelepagePosition) -> None:
        """Clear the scratch space and mark what walks shall find."""
        for square in range(PLACES):
            self.reach[square] = 0
            self.zone[square] = 1
        for color in range(2):
            self.besiegers[color] = self.guards[color] = self.exposed[color] = 0
            self.stormers[color] = self.wardens[color] = self.heirs[color] = 0
            self.zone[here.standing[color]] += 1 << FORTRESS_FIELD + 6 * color
            if here.kings[color]:
                for i in range(color * SLOTS, color * SLOTS + here.count[color]):
                    square = here.where[i]
                    if square != OFF and here.code_of[i] & 15 == KING:
                        self.zone[square] += 1 << RING_FIELD + 6 * color
                        for d in range(6):
                            self.zone[STEP[square * 12 + d]] += 1 << RING_FIELD + 6 * color
        self.zone[OFF] = 0

    def _look_out(self, here: MikelepagePosition, color: int) -> None:
        """Count a player's pieces and let them walk."""
        sign = 1 - 2 * color
        goal = here.site[1 - color]
        for i in range((1 - color) * SLOTS, (1 - color) * SLOTS + here.count[1 - color]):
            if here.code_of[i] & 15 == KING and here.where[i] != OFF:
                goal = here.where[i]
        for i in range(color * SLOTS, color * SLOTS + here.count[color]):
            square = here.where[i]
            if square == OFF:
                continue
            number = here.code_of[i] & 15
            self.counts[MATERIAL + number] += sign
            self.counts[ADVANCE + number] += sign * FORWARD[color * PLACES + square]
            self.counts[NEARNESS + number] += sign * (6 - DISTANCE[goal * PLACES + square])
            if number == DRAGON:
                continue
            if here.ground[square] == HOME[number]:
                self.counts[AT_HOME + TIER[number]] += sign
            if number == LIGHT_HORSE or number == HEAVY_HORSE:
                found = self._ride(here, square, number, 2 - color)
            else:
                found = self._slide(here, square, number, 2 - color)
            self.counts[MOBILITY + number] += sign * (found & 255)
            if found >> RING_FIELD:
                self._note(here, color, number, found)

    def _slide(self, here: MikelepagePosition, square: int, number: int, enemy: int) -> int:
        found = 0
        first = square * 12
        if number == SPEARS or number == ELEPHANT:
            first += DIAGONALS
        for d in range(first, first + 6):
            for i in range(d * RAY, d * RAY + REACH[number]):
                target = RAYS[i]
                code = here.board_[target]
                if code == 0:
                    found += self.zone[target]
                    continue
                if code >> 4 == enemy:
                    found += self.zone[target]
                    self.reach[target] += UNIT[number]
                elif code >> 4 == 3 - enemy:
                    found += self.zone[target] - 1
                    self.reach[target] += GUARD
                break
        return found

    def _ride(self, here: MikelepagePosition, square: int, number: int, enemy: int) -> int:
        """Squares where rings cross count twice, pieces there once."""
        found = 0
        met = 0
        for color in range(2):
            centre = here.centre[color]
            if centre == OFF:
                continue
            for way in range(2):
                target = square
                code = 0
                for _ in range(REACH[number]):
                    target = AROUND[(centre * PLACES + target) * 2 + way]
                    code = here.board_[target]
                    if code != 0:
                        break
                    found += self.zone[target]
                if code == 0 or target == square or target == OFF:
                    continue
                for i in range(met):
                    if self.ends[i] == target:
                        code = 0
                self.ends[met] = target
                met += 1
                if code >> 4 == enemy:
                    found += self.zone[target]
                    self.reach[target] += UNIT[number]
                elif code >> 4 == 3 - enemy:
                    found += self.zone[target] - 1
                    self.reach[target] += GUARD
        return found

    def _note(self, here: MikelepagePosition, color: int, number: int, found: int) -> None:
        """A piece has found a King or a fortress."""
        other = 1 - color
        if found >> RING_FIELD + 6 * other & FIELD:
            self.besiegers[other] += 1
        if found >> RING_FIELD + 6 * color & FIELD and number != KING:
            self.guards[color] += 1
        if found >> FORTRESS_FIELD + 6 * other & FIELD:
            self.stormers[other] += 1
        if found >> FORTRESS_FIELD + 6 * color & FIELD:
            self.wardens[color] += 1
            lost = color * TYPES
            if TIER[number] == 3:
                self.heirs[color] += 1
            elif TIER[number] == 2:
                if here.lost[lost + number + HIGHER]:
                    self.counts[PROMOTION] += 1 - 2 * color
            elif number == RABBLE and (
                here.lost[lost + CROSSBOWS]
                or here.lost[lost + SPEARS]
                or here.lost[lost + LIGHT_HORSE]
            ):
                self.counts[PROMOTION] += 1 - 2 * color

    def _weigh(self, here: MikelepagePosition, color: int) -> None:
        """What can be taken from a player."""
        sign = 1 - 2 * color
        other = 1 - color
        block = DANGER if here.side == color else PREY
        # Where the enemy Dragon flies from, and what its targets are to its owner.
        lair = OFF
        hunt = MOBILITY + DRAGON
        if here.reserve[other]:
            lair = here.standing[other]
            hunt = AMBUSH
        else:
            for i in range(other * SLOTS, other * SLOTS + here.count[other]):
                if here.code_of[i] & 15 == DRAGON:
                    lair = here.where[i]
        for i in range(color * SLOTS, color * SLOTS + here.count[color]):
            square = here.where[i]
            if square == OFF:
                continue
            number = here.code_of[i] & 15
            if DISTANCE[lair * PLACES + square] <= FLIGHT:
                self.counts[hunt] -= sign
                if number == KING:
                    self.counts[KING_FLOWN] += sign
            reach = self.reach[square]
            if reach & ATTACKS == 0:
                continue
            if self._falls(reach, here._defence(here.code_of[i], square)):
                if number == KING:
                    self.exposed[color] = 1
                elif reach >= GUARD:
                    self.counts[CONTESTED + TIER[number]] += sign
                else:
                    self.counts[block + TIER[number]] += sign

    def _falls(self, attacks: int, defence: int) -> int:
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

    def _hold_court(self, here: MikelepagePosition, color: int) -> None:
        """The King and those round him."""
        sign = 1 - 2 * color
        fortress = here.standing[color]
        code = here.board_[fortress]
        if code >> 4 == color + 1 and TIER[code & 15] == 3:
            self.heirs[color] += 1
        elif code >> 4 == 2 - color and not self._falls(
            self.reach[fortress] & ATTACKS, TIER[code & 15]
        ):
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
            if self._falls(self.reach[fortress] & ATTACKS, TIER[code & 15]):
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
