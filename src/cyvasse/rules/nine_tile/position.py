"""Positions of Nine-Tile Cyvasse: engagement, legal actions, play and undo.

The board is an array of codes: 0 for an empty square, ``16 + type`` for a white and ``32 + type``
for a black piece, and codes of their own for mountains and for the one square that stands for
everything beyond the edge.  No piece ever rests on a mountain, so one array is enough.  Each piece
keeps its slot for the whole game, Rabble first; a captured piece's slot points beyond the edge.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.errors import StateError
from cyvasse.rules.areas import area_of
from cyvasse.rules.base import Position, Stack
from cyvasse.rules.nine_tile.board import NINE_TILE
from cyvasse.rules.nine_tile.pieces import PIECES
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, State, by_name, men
from cyvasse.rules.zobrist import keys

if not cython.compiled:
    from cyvasse.actions import (
        CAPTURE,
        CAPTURE_LANDING,
        END,
        KIND,
        MOVE,
        ORIGIN,
        SQUARE,
        TARGET,
        VICTIM,
    )
    from cyvasse.rules.base import BLACK_WINS, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS

    RABBLE = 1
    SPEARS = 2
    LIGHT_HORSE = 3
    HEAVY_HORSE = 4
    ELEPHANT = 5
    CROSSBOWS = 6
    TREBUCHET = 7
    DRAGON = 8
    TOWER = 9
    KING = 10

    SQUARES = 88
    OFF = 88  # the square beyond the edge; also "no square"
    SLOTS = 23  # pieces a player has
    NO_SLOT = 31
    ROCK = 48
    EDGE = 64

    STEP = [0] * (SQUARES + 1) * 6
    ARMOUR = [0] * 11
    REACH = [0] * 11
    SPOT = [0] * (SQUARES + 1)
    PIECE_KEYS = [0] * 48 * SQUARES
    SECOND_KEYS = [0] * (SQUARES + 1)
    SIDE_KEY = [0]

TYPES = tuple(spec.type for spec in PIECES)
MEN = men(TYPES)
# Where each piece belongs among the slots: in the order of the types, then of the squares.
ORDER = {
    piece: number << 8 | color
    for color, pieces in enumerate(MEN)
    for number, piece in enumerate(pieces, 1)
}
NUMBERS = {kind.name: number for number, kind in enumerate(TYPES, 1)}
GROUND_KEYS: dict[tuple[str, str], int] = {}


def _fill_tables() -> None:
    # Directions run round the compass, E NE NW W SW SE, so that d + 3 is the opposite of d.
    for square in range(SQUARES):
        for d, direction in enumerate(NINE_TILE.directions):
            there = NINE_TILE.neighbour(square, direction)
            STEP[square * 6 + d] = OFF if there is None else there
    for d in range(6):
        STEP[OFF * 6 + d] = OFF
    for square, (x, y) in enumerate(NINE_TILE.coordinates):
        # Rows lie by turns in the lower and the upper half of an area, so that no step crosses
        # from one half to the other; each has a bit to spare, for what steps over the edge.
        SPOT[square] = area_of([64 * (y & 1) + 13 * (y >> 1) + x])
    for number, spec in enumerate(PIECES, 1):
        ARMOUR[number] = spec.armour
        REACH[number] = spec.engagement
    stream = keys("nine-tile")
    for color in (16, 32):
        for number in range(1, 11):
            for square in range(SQUARES):
                PIECE_KEYS[(color + number) * SQUARES + square] = next(stream)
    for square in range(SQUARES):
        SECOND_KEYS[square] = next(stream)
    SECOND_KEYS[OFF] = 0
    SIDE_KEY[0] = next(stream)
    for ground in ("water", "mountain"):
        for name in NINE_TILE.squares:
            GROUND_KEYS[ground, name] = next(stream)


_fill_tables()


class NineTilePosition(Position):
    """A position of Nine-Tile Cyvasse."""

    terrain: dict[str, str]
    second: int  # where the Rabble that has just moved stands, or OFF
    board_: list[int]
    water: list[int]
    slot_at: list[int]  # the slot of the piece on a square; junk where there is none
    where: list[int]  # the square of each slot, white's then black's
    code_of: list[int]  # the piece of each slot
    count: list[int]  # slots in use, by colour
    rabble: list[int]  # how many of them are Rabble, by colour
    mountains: int  # the area of all mountains
    waters: int  # the area of all water
    # Scratch space of generate.
    zone: list[int]
    near: list[int]
    engaged: list[int]
    seen: list[int]
    stamp: int
    queue: list[int]

    def __init__(self, rules: RuleSet, state: State) -> None:
        state = rules.checked_state(state)
        super().__init__(rules, state)
        self._allocate()
        self.terrain = dict(state.terrain)
        self.stamp = 0
        self.mountains = self.waters = 0
        for square in range(SQUARES + 1):
            self.board_[square] = 0
            self.water[square] = 0
            self.seen[square] = 0
            self.slot_at[square] = NO_SLOT
        self.board_[OFF] = EDGE
        for name, ground in self.terrain.items():
            square = NINE_TILE.numbers[name]
            self.key ^= GROUND_KEYS[ground, name]
            if ground == "mountain":
                self.board_[square] = ROCK
                self.mountains |= SPOT[square]
            else:
                self.water[square] = 1
                self.waters |= SPOT[square]
        self._place(state)
        self._open_turn(state.fields["second_rabble"])
        if self.side:
            self.key ^= SIDE_KEY[0]
        if state.quiet_turns < 0:
            raise StateError("quiet_turns is -1, but no capture leaves a turn of Nine-Tile open")
        if state.passed:
            raise StateError("nobody passes in Nine-Tile Cyvasse: who cannot act loses")

    def _allocate(self) -> None:
        """Make the lists that stand for C arrays where nothing is compiled."""
        if not cython.compiled:
            squares = SQUARES + 1
            self.board_, self.water, self.slot_at = [0] * squares, [0] * squares, [0] * squares
            self.where, self.code_of = [OFF] * 2 * SLOTS, [0] * 2 * SLOTS
            self.count, self.rabble = [0, 0], [0, 0]
            self.zone, self.near, self.engaged = [0] * squares, [0] * squares, [0] * squares
            self.seen, self.queue = [0] * squares, [0] * squares

    def _place(self, state: State) -> None:
        kings = [0, 0]
        for color in (0, 1):
            self.count[color] = self.rabble[color] = 0
            for slot in range(SLOTS):
                self.where[color * SLOTS + slot] = OFF
                self.code_of[color * SLOTS + slot] = 0
        # Sorting by type puts the Rabble first, which is where the second Rabble is looked for.
        squares = NINE_TILE.numbers
        for item in sorted([ORDER[man] | squares[at] << 1 for at, man in state.pieces.items()]):
            number, square, color = item >> 8, item >> 1 & 127, item & 1
            if self.board_[square] == ROCK:
                title, name = TYPES[number - 1].title, NINE_TILE.squares[square]
                raise StateError(f"the {title} on {name} stands on a mountain")
            slot = self.count[color]
            code = (16 << color) + number
            self.board_[square] = code
            self.slot_at[square] = slot
            self.where[color * SLOTS + slot] = square
            self.code_of[color * SLOTS + slot] = code
            self.count[color] += 1
            if number == RABBLE:
                self.rabble[color] += 1
            if number == KING:
                kings[color] += 1
            self.key ^= PIECE_KEYS[code * SQUARES + square]
        if kings == [0, 0]:
            raise StateError("both Kings are missing; one at least must be on the board")
        if kings[0] == 0:
            self.result = BLACK_WINS
        if kings[1] == 0:
            self.result = WHITE_WINS

    def _open_turn(self, name: str | None) -> None:
        self.second = OFF
        if name is None:
            return
        square = NINE_TILE.index(name)
        if self.board_[square] != (16 << self.side) + RABBLE:
            raise StateError(
                f"second_rabble is {name}, but no Rabble of {Color(self.side)} stands there"
            )
        self.second = square
        self.turn_open = 1
        self.key ^= SECOND_KEYS[square]

    # --- the inner face ---------------------------------------------------------------------------

    def generate(self, out: Stack) -> None:
        if self.result != ONGOING:
            return
        out.reserve(MAX_ACTIONS)
        side = self.side
        first = side * SLOTS
        if self.second != OFF:
            for i in range(first, first + self.rabble[side]):
                square = self.where[i]
                if square != self.second and square != OFF:
                    self._steps(square, out)
            out.items[out.size] = END
            out.size += 1
            return
        self._survey_and_list(1, out)

    def generate_captures(self, out: Stack) -> None:
        if self.result == ONGOING and self.second == OFF:
            out.reserve(MAX_ACTIONS)
            self._survey_and_list(0, out)

    def generate_like(self, code: int, out: Stack) -> None:
        if self.result != ONGOING or self.second != OFF:
            self.generate(out)
            return
        origin = code >> ORIGIN & SQUARE
        piece = self.board_[origin]
        if piece >> 4 != self.side + 1:
            return
        out.reserve(MAX_ACTIONS)
        self._mark_zones(1 - self.side)
        self._move(origin, piece & 15, out)
        if code & KIND != MOVE or piece & 15 == KING:  # his vault is a move, or a capture
            self._count_engagement(self.side)
            self._attack(origin, piece & 15, out)

    def _survey_and_list(self, moves: int, out: Stack) -> None:
        """List captures, and normal moves too if they are wanted."""
        side = self.side
        first = side * SLOTS
        self._mark_zones(1 - side)
        self._count_engagement(side)
        for i in range(first, first + self.count[side]):
            square = self.where[i]
            if square == OFF:
                continue
            number = self.code_of[i] & 15
            if moves:
                self._move(square, number, out)
            self._attack(square, number, out)

    def _move(self, square: int, number: int, out: Stack) -> None:
        if number == LIGHT_HORSE:
            self._wander(square, 3, out)
        elif number in (HEAVY_HORSE, CROSSBOWS):
            self._wander(square, 2, out)
        elif number == DRAGON:
            self._soar(square, out)
        elif number != TOWER:
            self._steps(square, out)

    def _attack(self, square: int, number: int, out: Stack) -> None:
        if number == RABBLE:
            self._strike(square, 0, 6, out)
        elif number == SPEARS:
            # Forward is NE and NW for White, SW and SE for Black.
            self._strike(square, 1 + 3 * self.side, 3 + 3 * self.side, out)
        elif number == LIGHT_HORSE:
            self._charge(square, 3, out)
        elif number == HEAVY_HORSE:
            self._charge(square, 2, out)
        elif number == ELEPHANT:
            self._trample(square, out)
        elif number == TREBUCHET:
            self._hurl(square, out)
        elif number == DRAGON:
            self._swoop(square, out)
        elif number == KING:
            self._strike(square, 0, 6, out)
            self._vault(square, out)

    def make(self, code: int) -> None:
        side = self.side
        slot = NO_SLOT
        key = self.key
        second = self.second
        quiet = self.quiet_turns
        record = code | second << 32 | quiet << 40
        kind = code & KIND
        opens = 0
        key ^= SECOND_KEYS[second]
        if kind < END:
            origin = code >> ORIGIN & SQUARE
            target = code >> TARGET & SQUARE
            piece = self.board_[origin]
            if kind != MOVE:
                victim = code >> VICTIM & SQUARE
                slot = self.slot_at[victim]
                self.where[(1 - side) * SLOTS + slot] = OFF
                key ^= PIECE_KEYS[self.board_[victim] * SQUARES + victim]
                if self.board_[victim] & 15 == KING:
                    self.result = WHITE_WINS + side
                self.board_[victim] = 0
            self.board_[origin] = 0
            self.board_[target] = piece
            self.slot_at[target] = self.slot_at[origin]
            self.where[side * SLOTS + self.slot_at[target]] = target
            key ^= PIECE_KEYS[piece * SQUARES + origin] ^ PIECE_KEYS[piece * SQUARES + target]
            if kind == MOVE and piece & 15 == RABBLE and second == OFF:
                opens = self._another_rabble(target)
        self.history.reserve(2)
        self.history.items[self.history.size] = self.key
        self.history.items[self.history.size + 1] = record | slot << 56
        self.history.size += 2
        if opens:
            self.second = target
            self.turn_open = 1
            key ^= SECOND_KEYS[target]
        else:
            self.second = OFF
            self.turn_open = 0
            self.side = 1 - side
            key ^= SIDE_KEY[0]
            if slot != NO_SLOT:
                self.quiet_turns = 0
            elif quiet < QUIET_LIMIT:
                self.quiet_turns += 1
        self.key = key

    def unmake(self) -> None:
        self.history.size -= 2
        self.key = self.history.items[self.history.size]
        record = self.history.items[self.history.size + 1]
        self.second = record >> 32 & 127
        self.quiet_turns = record >> 40 & 16383
        self.result = ONGOING
        if not self.turn_open:
            self.side = 1 - self.side
        self.turn_open = 1 if self.second != OFF else 0
        kind = record & KIND
        if kind >= END:  # END, or the PASS of a search
            return
        side = self.side
        origin = record >> ORIGIN & SQUARE
        target = record >> TARGET & SQUARE
        slot = self.slot_at[target]
        self.board_[origin] = self.board_[target]
        self.board_[target] = 0
        self.slot_at[origin] = slot
        self.where[side * SLOTS + slot] = origin
        if kind != MOVE:
            victim = record >> VICTIM & SQUARE
            slot = record >> 56
            self.where[(1 - side) * SLOTS + slot] = victim
            self.slot_at[victim] = slot
            self.board_[victim] = self.code_of[(1 - side) * SLOTS + slot]

    def _another_rabble(self, moved: int) -> int:
        """Whether a Rabble other than the one on ``moved`` has a free square beside it (D9)."""
        first = self.side * SLOTS
        for i in range(first, first + self.rabble[self.side]):
            square = self.where[i]
            if square != moved and square != OFF:
                for d in range(6):
                    if self.board_[STEP[square * 6 + d]] == 0:
                        return 1
        return 0

    def _mark_zones(self, color: int) -> None:
        """Mark the two squares in front of each of ``color``'s Spears (D2)."""
        for square in range(SQUARES):
            self.zone[square] = 0
        first = color * SLOTS
        for i in range(first, first + self.count[color]):
            if self.code_of[i] & 15 == SPEARS:
                square = self.where[i]
                self.zone[STEP[square * 6 + 1 + 3 * color]] = 1
                self.zone[STEP[square * 6 + 2 + 3 * color]] = 1

    def _count_engagement(self, side: int) -> None:
        """Count how many of ``side``'s pieces engage each opposing piece (D5, D6, D8)."""
        first = (1 - side) * SLOTS
        for square in range(SQUARES):
            self.near[square] = 0
            self.engaged[square] = 0
        for i in range(first, first + self.count[1 - side]):
            if self.code_of[i] & 15 == TOWER:
                for d in range(6):
                    self.near[STEP[self.where[i] * 6 + d]] = 1
        first = side * SLOTS
        enemy = 2 - side
        for i in range(first, first + self.count[side]):
            square = self.where[i]
            if square == OFF or self.water[square]:
                continue
            number = self.code_of[i] & 15
            low, high = 0, 6
            if number == SPEARS:
                low, high = 1 + 3 * side, 3 + 3 * side
            if self.near[square]:
                if number != TREBUCHET:
                    for d in range(low, high):
                        there = STEP[square * 6 + d]
                        if self.board_[there] == enemy * 16 + TOWER:
                            self.engaged[there] += 1
                continue
            reach = REACH[number]
            for d in range(low, high):
                there = square
                for distance in range(1, reach + 1):
                    there = STEP[there * 6 + d]
                    code = self.board_[there]
                    if code >= ROCK:
                        break
                    if code >> 4 == enemy:
                        if number != TREBUCHET or distance > 1:
                            self.engaged[there] += 1
                        break

    def _yields(self, square: int) -> int:
        """Whether an opposing piece stands on the square and is sufficiently engaged (D8)."""
        code = self.board_[square]
        return code >> 4 == 2 - self.side and self.engaged[square] >= ARMOUR[code & 15]

    def _capture(self, origin: int, target: int, out: Stack) -> None:
        out.items[out.size] = CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
        out.size += 1

    def _steps(self, origin: int, out: Stack) -> None:
        """Normal moves by one square (D1)."""
        for d in range(6):
            target = STEP[origin * 6 + d]
            if self.board_[target] == 0:
                out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                out.size += 1

    def _wander(self, origin: int, allowance: int, out: Stack) -> None:
        """Normal moves by any path: own pieces are passed, zones end the movement (D1, D2)."""
        self.stamp += 1
        stamp = self.stamp
        own = self.side + 1
        self.seen[origin] = stamp
        self.queue[0] = origin
        head, tail = 0, 1
        while allowance > 0:
            allowance -= 1
            end = tail
            while head < end:
                here = self.queue[head] * 6
                head += 1
                for d in range(6):
                    target = STEP[here + d]
                    if self.seen[target] == stamp:
                        continue
                    code = self.board_[target]
                    if code == 0:
                        out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                        out.size += 1
                    elif code >> 4 != own:
                        continue
                    self.seen[target] = stamp
                    if allowance > 0 and not self.zone[target]:
                        self.queue[tail] = target
                        tail += 1

    def _soar(self, origin: int, out: Stack) -> None:
        """The Dragon's normal moves: mountains and all pieces are passed (D1, D2)."""
        self.stamp += 1
        stamp = self.stamp
        self.seen[origin] = stamp
        self.seen[OFF] = stamp
        self.queue[0] = origin
        head, tail = 0, 1
        for allowance in range(3, -1, -1):
            end = tail
            while head < end:
                here = self.queue[head] * 6
                head += 1
                for d in range(6):
                    target = STEP[here + d]
                    if self.seen[target] == stamp:
                        continue
                    self.seen[target] = stamp
                    if self.board_[target] == 0:
                        out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                        out.size += 1
                    if allowance > 0 and not self.zone[target]:
                        self.queue[tail] = target
                        tail += 1

    def _strike(self, origin: int, low: int, high: int, out: Stack) -> None:
        """Captures of adjacent pieces in the directions from ``low`` to below ``high``."""
        for d in range(low, high):
            target = STEP[origin * 6 + d]
            if self._yields(target):
                self._capture(origin, target, out)

    def _charge(self, origin: int, reach: int, out: Stack) -> None:
        """The horses' captures, on the victim's square or beyond it (D3)."""
        enemy = 2 - self.side
        for d in range(6):
            victim = origin
            for distance in range(1, reach + 1):
                victim = STEP[victim * 6 + d]
                code = self.board_[victim]
                if code >= ROCK:
                    break
                if code >> 4 == enemy:
                    if self._yields(victim):
                        self._capture(origin, victim, out)
                        if not self.zone[victim]:
                            self._ride_on(origin, victim, d, reach - distance, out)
                    break
                if self.zone[victim]:
                    break

    def _ride_on(self, origin: int, victim: int, d: int, left: int, out: Stack) -> None:
        target = victim
        while left > 0:
            left -= 1
            target = STEP[target * 6 + d]
            code = self.board_[target]
            if code >= ROCK or code >> 4 == 2 - self.side:
                break
            if code == 0:
                out.items[out.size] = (
                    CAPTURE_LANDING | origin << ORIGIN | target << TARGET | victim << VICTIM
                )
                out.size += 1
            if self.zone[target]:
                break

    def _trample(self, origin: int, out: Stack) -> None:
        """The Elephant's captures: two squares far, through no piece (D4)."""
        for d in range(6):
            target = STEP[origin * 6 + d]
            if self.board_[target] == 0 and not self.zone[target]:
                target = STEP[target * 6 + d]
            if self._yields(target):
                self._capture(origin, target, out)

    def _hurl(self, origin: int, out: Stack) -> None:
        """The Trebuchet's captures, stepping directly away from the victim (D5)."""
        if self.water[origin] or self.near[origin]:
            return
        enemy = 2 - self.side
        for d in range(6):
            target = STEP[origin * 6 + (d + 3 if d < 3 else d - 3)]
            if self.board_[target] != 0:
                continue
            victim = origin
            for distance in range(1, REACH[TREBUCHET] + 1):
                victim = STEP[victim * 6 + d]
                code = self.board_[victim]
                if code >= ROCK:
                    break
                if code >> 4 == enemy:
                    if distance > 1 and self._yields(victim):
                        out.items[out.size] = (
                            CAPTURE_LANDING | origin << ORIGIN | target << TARGET | victim << VICTIM
                        )
                        out.size += 1
                    break

    def _swoop(self, origin: int, out: Stack) -> None:
        """The Dragon's captures: straight, over everything but a zone."""
        for d in range(6):
            target = origin
            for _ in range(4):
                target = STEP[target * 6 + d]
                if self._yields(target):
                    self._capture(origin, target, out)
                if self.zone[target]:
                    break

    def _vault(self, origin: int, out: Stack) -> None:
        """The King over an own Tower beside him (D7)."""
        for d in range(6):
            tower = STEP[origin * 6 + d]
            if self.board_[tower] == (16 << self.side) + TOWER and not self.zone[tower]:
                target = STEP[tower * 6 + d]
                if self.board_[target] == 0:
                    out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                    out.size += 1
                elif self._yields(target):
                    self._capture(origin, target, out)

    # --- what it tells ----------------------------------------------------------------------------

    def state(self) -> State:
        pieces = {}
        names = NINE_TILE.squares
        for color in range(2):
            for slot in range(self.count[color]):
                square = self.where[color * SLOTS + slot]
                if square != OFF:
                    number = self.code_of[color * SLOTS + slot] & 15
                    pieces[names[square]] = MEN[color][number - 1]
        second = None if self.second == OFF else NINE_TILE.squares[self.second]
        return State(
            by_name(pieces),
            dict(self.terrain),
            Color(self.side),
            self.quiet_turns,
            fields={"second_rabble": second},
        )

    def copy(self) -> NineTilePosition:
        other = NineTilePosition.__new__(NineTilePosition)
        other._allocate()
        self._start_copy(other)
        other.terrain = self.terrain
        other.second, other.stamp = self.second, self.stamp
        other.mountains, other.waters = self.mountains, self.waters
        for square in range(SQUARES + 1):
            other.board_[square] = self.board_[square]
            other.water[square] = self.water[square]
            other.slot_at[square] = self.slot_at[square]
            other.seen[square] = self.seen[square]
        for slot in range(2 * SLOTS):
            other.where[slot] = self.where[slot]
            other.code_of[slot] = self.code_of[slot]
        for color in range(2):
            other.count[color] = self.count[color]
            other.rabble[color] = self.rabble[color]
        return other

    def engagement(self) -> dict[str, int]:
        """How many opposing pieces engage each piece on the board."""
        engagement = {}
        for color in range(2):
            self._count_engagement(1 - color)
            for slot in range(self.count[color]):
                square = self.where[color * SLOTS + slot]
                if square != OFF:
                    engagement[NINE_TILE.squares[square]] = self.engaged[square]
        return dict(sorted(engagement.items()))
