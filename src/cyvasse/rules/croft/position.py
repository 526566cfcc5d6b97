"""Positions of Croft's Cyvasse: legal actions, keeps and reserves, play and undo.

The board is an array of codes: 0 for an empty tile, ``16 + type`` for a white and ``32 + type`` for
a black piece, and codes of their own for mountains, keeps and the one tile that stands for
everything beyond the edge.  A type's number is that of its letter in actions.  Each of a player's
twenty pieces keeps its slot for the whole game, and slots are the same in every game; a slot says
on which tile its piece stands, or that it waits in the reserve, or that it is gone.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import LETTERS
from cyvasse.errors import StateError
from cyvasse.rules.areas import area_of
from cyvasse.rules.base import Position, Stack
from cyvasse.rules.croft.board import CROFT, FOREST, WATER, home_tiles
from cyvasse.rules.croft.pieces import PIECES
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Effect, State, by_name, in_words, men
from cyvasse.rules.zobrist import keys

if not cython.compiled:
    from cyvasse.actions import (
        CAPTURE,
        CAPTURE_TWO,
        DROP,
        END,
        JUMP,
        KIND,
        MOVE,
        ORIGIN,
        PASS,
        PIECE,
        SQUARE,
        SWAP,
        TARGET,
        VICTIM,
    )
    from cyvasse.rules.base import DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS

    KING = 0
    RABBLE = 1
    SPEARMAN = 2
    CROSSBOWMAN = 3
    LIGHT_HORSE = 4
    HEAVY_HORSE = 5
    ELEPHANT = 6
    CATAPULT = 7
    TREBUCHET = 8
    DRAGON = 9
    TYPES = 10

    SQUARES = 100
    OFF = 100  # the tile beyond the edge; also "no tile", "captured"
    RESERVE = 101  # where a slot's piece is while it waits in the reserve
    FORESTS = 46
    SLOTS = 20  # pieces a player has, by the numbers of their types
    FIRST_RABBLE = 1
    FIRST_SPEARMAN = 4
    NO_SLOT = 31
    HOMES = 8
    ROCK = 48
    KEEP = 64
    EDGE = 80
    # Directions run round the compass from E: the even ones are straight, the odd ones diagonal.
    STRAIGHT = 0
    DIAGONAL = 1

    STEP = [0] * (SQUARES + 1) * 8
    ROUND = [0] * (SQUARES + 1) * 8
    WATERY = [0] * (SQUARES + 1)
    JUMP_TILES = [0] * SQUARES * FORESTS
    JUMP_COUNT = [0] * SQUARES
    NUMBER_OF = [0] * SLOTS
    FIRST_OF = [0] * (TYPES + 1)
    SPOT = [0] * (SQUARES + 1)
    PIECE_KEYS = [0] * 42 * SQUARES
    KEEP_KEYS = [0] * 2 * (SQUARES + 1)
    HOME_KEYS = [0] * 2 * (SQUARES + 1)
    MOUNTAIN_KEYS = [0] * SQUARES
    RESERVE_KEYS = [0] * 2 * TYPES * 4
    SECOND_KEYS = [0] * (SQUARES + 1)
    SIDE_KEY = [0]
    PASSED_KEY = [0]
    DRAWN_KEY = [0]

NUMBERS = {kind.name: LETTERS.index(kind.letter) for kind in PIECES}
KINDS = {LETTERS.index(kind.letter): kind for kind in PIECES}
PLACES = {number: place for place, number in enumerate(KINDS)}
MEN = men(PIECES)
CODES = {
    piece: (16 << color) + NUMBERS[piece.type]
    for color, pieces in enumerate(MEN)
    for piece in pieces
}
_MOUNTAINS = 6


def _fill_geometry() -> None:
    for square in range(SQUARES):
        # From 1, so that there is a bit before the first tile as well as one after the last.
        SPOT[square] = area_of([square + 1])
        x, y = CROFT.coordinates[square]
        for d, direction in enumerate(CROFT.directions):
            there = CROFT.neighbour(square, direction)
            dx, dy = CROFT.steps[direction]
            STEP[square * 8 + d] = OFF if there is None else there
            ROUND[square * 8 + d] = 10 * ((y + dy + 10) % 10) + (x + dx + 10) % 10
        beside = [CROFT.neighbour(square, direction) for direction in CROFT.directions[1::2]]
        jumps = [there for there in map(CROFT.index, FOREST) if there not in (square, *beside)]
        JUMP_COUNT[square] = len(jumps)
        for i, there in enumerate(sorted(jumps)):
            JUMP_TILES[square * FORESTS + i] = there
    for d in range(8):
        STEP[OFF * 8 + d] = OFF
        ROUND[OFF * 8 + d] = OFF
    for name in WATER:
        WATERY[CROFT.index(name)] = 1
    slot = 0
    for number in range(TYPES):
        FIRST_OF[number] = slot
        for _ in range(KINDS[number].count):
            NUMBER_OF[slot] = number
            slot += 1
    FIRST_OF[TYPES] = slot


def _fill_keys() -> None:
    stream = keys("croft")
    for color in Color:
        for number in range(TYPES):
            for square in range(SQUARES):
                PIECE_KEYS[((16 << int(color)) + number) * SQUARES + square] = next(stream)
            for count in range(1, 4):
                RESERVE_KEYS[(int(color) * TYPES + number) * 4 + count] = next(stream)
        for square in range(SQUARES):
            KEEP_KEYS[int(color) * (SQUARES + 1) + square] = next(stream)
            HOME_KEYS[int(color) * (SQUARES + 1) + square] = next(stream)
    for square in range(SQUARES):
        SECOND_KEYS[square] = next(stream)
        MOUNTAIN_KEYS[square] = next(stream)
    SIDE_KEY[0] = next(stream)
    PASSED_KEY[0] = next(stream)
    DRAWN_KEY[0] = next(stream)


_fill_geometry()
_fill_keys()


class CroftPosition(Position):
    """A position of Croft's Cyvasse."""

    mountains: list[str]
    second: int  # where the Rabble that has just moved stands, or OFF
    board_: list[int]
    slot_at: list[int]  # the slot of the piece on a tile; junk where there is none
    where: list[int]  # the tile of each slot, White's then Black's, or OFF or RESERVE
    reserve: list[int]  # pieces in reserve, by colour and type
    keep: list[int]  # the tile of each keep, or OFF
    home_count: list[int]
    home: list[int]  # the home tiles, eight places a colour
    is_home: list[int]  # 1 for the home tiles, by colour and tile
    intruders: list[int]  # opposing pieces on the home tiles of each colour
    peaks: int  # the area of the mountains
    homes: list[int]  # the areas of the home tiles, by colour

    def __init__(self, rules: RuleSet, state: State) -> None:
        state = rules.checked_state(state)
        super().__init__(rules, state)
        self._allocate()
        for square in range(SQUARES + 1):
            self.board_[square] = 0
            self.slot_at[square] = NO_SLOT
        self.board_[OFF] = EDGE
        self._raise_mountains(state.fields["mountains"])
        for color in Color:
            self._build_keep(color, state.fields["keeps"][str(color)])
        self._place(state)
        self._find_winner()
        self._open_turn(state)
        if self.side:
            self.key ^= SIDE_KEY[0]
        if self.passed:
            self.key ^= PASSED_KEY[0]
        if state.drawn:
            if self.result != ONGOING:
                raise StateError("drawn is true, but a King is missing")
            self.result = DRAWN
            self.key ^= DRAWN_KEY[0]

    def _allocate(self) -> None:
        """Make the lists that stand for C arrays where nothing is compiled."""
        if not cython.compiled:
            squares = SQUARES + 1
            self.board_, self.slot_at = [0] * squares, [NO_SLOT] * squares
            self.where, self.reserve = [OFF] * 2 * SLOTS, [0] * 2 * TYPES
            self.keep, self.home_count, self.intruders = [OFF, OFF], [0, 0], [0, 0]
            self.home, self.is_home = [OFF] * 2 * HOMES, [0] * 2 * squares
            self.homes = [0, 0]

    def _raise_mountains(self, mountains: list[str]) -> None:
        if len(mountains) > _MOUNTAINS:
            raise StateError(f"there are {len(mountains)} mountains; the players have {_MOUNTAINS}")
        self.mountains = list(mountains)
        self.peaks = 0
        for name in mountains:
            square = CROFT.numbers[name]
            self.board_[square] = ROCK
            self.peaks |= SPOT[square]
            self.key ^= MOUNTAIN_KEYS[square]

    def _build_keep(self, color: Color, keep: dict[str, object]) -> None:
        """Set up a keep and its home tiles; those left out are worked out."""
        at, home = keep["at"], keep["home"]
        place = int(color)
        assert isinstance(home, list)
        self.keep[color] = OFF
        self.intruders[color] = 0
        if isinstance(at, str):
            square = CROFT.index(at)
            if self.board_[square]:
                raise StateError(f"{color.title}'s keep on {at} stands on a mountain or a keep")
            around = home_tiles(at, self.mountains)
            if home and home != around:
                raise StateError(
                    f"the home tiles of {color.title}'s keep on {at} are {in_words(around)}, "
                    f"not {in_words(home)}"
                )
            home = around
            self.keep[color] = square
            self.board_[square] = KEEP
            self.key ^= KEEP_KEYS[place * (SQUARES + 1) + square]
        elif len(home) > HOMES:
            raise StateError(
                f"{color.title}'s keep has {len(home)} home tiles; 8 at most are possible"
            )
        self.home_count[color] = len(home)
        for square in range(SQUARES + 1):
            self.is_home[place * (SQUARES + 1) + square] = 0
        for i in range(HOMES):
            self.home[place * HOMES + i] = OFF
        self.homes[color] = 0
        for i, name in enumerate(home):
            square = CROFT.numbers[name]
            self.home[place * HOMES + i] = square
            self.is_home[place * (SQUARES + 1) + square] = 1
            self.homes[place] |= SPOT[square]
            self.key ^= HOME_KEYS[place * (SQUARES + 1) + square]

    def _place(self, state: State) -> None:
        for i in range(2 * SLOTS):
            self.where[i] = OFF
        for i in range(2 * TYPES):
            self.reserve[i] = 0
        squares = CROFT.numbers
        for name, man in state.pieces.items():
            square = squares[name]
            if self.board_[square]:
                what = "mountain" if self.board_[square] == ROCK else "keep"
                title = self.rules.piece_type(man.type).title
                raise StateError(f"the {title} on {name} stands on a {what}")
            self.board_[square] = CODES[man]
        for square in range(SQUARES):  # slots go by the squares
            code = self.board_[square]
            if code == 0 or code >= ROCK:
                continue
            color = (code >> 4) - 1
            slot = self._free_slot(color, code & 15)
            self.slot_at[square] = slot
            self.where[color * SLOTS + slot] = square
            self.intruders[1 - color] += self.is_home[(1 - color) * (SQUARES + 1) + square]
            self.key ^= PIECE_KEYS[code * SQUARES + square]
        for color, reserve in enumerate(state.fields["reserves"].values()):
            for name, count in reserve.items():
                self._fill_reserve(color, NUMBERS[name], count)

    def _free_slot(self, color: int, number: int) -> int:
        slot = FIRST_OF[number]
        while slot < FIRST_OF[number + 1] and self.where[color * SLOTS + slot] != OFF:
            slot += 1
        return slot

    def _fill_reserve(self, color: int, number: int, count: int) -> None:
        free = self._free_slot(color, number)
        if free + count > FIRST_OF[number + 1]:
            owner, kind = Color(color).title, KINDS[number]
            raise StateError(f"{owner} has more than {kind.count} {kind.title}, reserve included")
        if self.keep[color] == OFF:
            owner = Color(color).title
            raise StateError(f"{owner}'s keep is destroyed, so there can be no reserve")
        for slot in range(free, free + count):
            self.where[color * SLOTS + slot] = RESERVE
        self._change_reserve(color, number, count)

    def _find_winner(self) -> None:
        lost = [self.where[color * SLOTS] == OFF for color in (0, 1)]
        if lost[0] and lost[1]:
            raise StateError("both Kings are missing; one at least must be in the game")
        if lost[0] or lost[1]:
            self.result = WHITE_WINS + (1 if lost[0] else 0)

    def _open_turn(self, state: State) -> None:
        name = state.fields["second_rabble"]
        self.second = OFF
        if name is None:
            if state.quiet_turns < 0:
                raise StateError("quiet_turns is -1, but no turn is open: second_rabble is missing")
            return
        square = CROFT.index(name)
        if self.board_[square] != (16 << self.side) + RABBLE:
            raise StateError(
                f"second_rabble is {name}, but no Rabble of {Color(self.side)} stands there"
            )
        if state.passed:
            raise StateError("second_rabble and passed exclude each other: only one was the last")
        self.second = square
        self.turn_open = 1
        self.key ^= SECOND_KEYS[square]

    # --- the inner face ---------------------------------------------------------------------------

    def generate(self, out: Stack) -> None:
        self._list(1, out)

    def generate_captures(self, out: Stack) -> None:
        self._list(0, out)

    def generate_like(self, code: int, out: Stack) -> None:
        if self.result != ONGOING or self.second != OFF or code & KIND >= DROP:
            self.generate(out)
            return
        origin = code >> ORIGIN & SQUARE
        if self.board_[origin] >> 4 == self.side + 1:
            out.reserve(MAX_ACTIONS)
            slot = self.slot_at[origin]
            self._act(slot, slot + 1, 1, out)

    def _list(self, quiet: int, out: Stack) -> None:
        """List what may capture, and swaps, jumps and drops too if they are wanted."""
        if self.result != ONGOING:
            return
        out.reserve(MAX_ACTIONS)
        first = self.side * SLOTS
        if self.second != OFF:
            for i in range(first + FIRST_RABBLE, first + FIRST_SPEARMAN):
                if self.where[i] < OFF and self.where[i] != self.second:
                    self._steps(self.where[i], STRAIGHT, out)
            out.items[out.size] = END
            out.size += 1
            return
        start = out.size
        self._act(0, SLOTS, quiet, out)
        if not quiet:
            return
        if self.keep[self.side] != OFF:
            self._drops(out)
        if out.size == start:  # P4
            out.items[out.size] = PASS
            out.size += 1

    def _act(self, low: int, high: int, quiet: int, out: Stack) -> None:
        """List what the pieces on the board do, those in the slots from ``low`` to below ``high``.

        Swaps and jumps are among it if they are wanted.
        """
        first = self.side * SLOTS
        for slot in range(low, high):
            square = self.where[first + slot]
            if square >= OFF:
                continue
            number = NUMBER_OF[slot]
            if number == KING:
                self._steps(square, STRAIGHT, out)
                self._steps(square, DIAGONAL, out)
            elif number == RABBLE:
                self._steps(square, STRAIGHT, out)
            elif number == SPEARMAN:
                self._steps(square, STRAIGHT, out)
                if quiet:
                    self._swaps(square, out)
            elif number == CROSSBOWMAN:
                self._steps(square, DIAGONAL, out)
                if quiet:
                    self._jumps(square, out)
            elif number == LIGHT_HORSE:
                for d in range(2):  # E and N; then W and S, up to where those ended (D8)
                    end = self._ride(square, 2 * d, square, out)
                    if end != square:
                        self._ride(square, 2 * d + 4, end, out)
            elif number == HEAVY_HORSE:
                self._charge(square, out)
            elif number == ELEPHANT:
                self._trample(square, out)
            elif number == CATAPULT:
                self._roll(square, out)
            elif number == TREBUCHET:
                self._hurl(square, out)
            elif number == DRAGON:
                self._fly(square, out)

    def make(self, code: int) -> None:
        kind = code & KIND
        origin = code >> ORIGIN & SQUARE
        target = code >> TARGET & SQUARE
        second = self.second
        quiet = self.quiet_turns + 1
        passed = self.passed
        taken = NO_SLOT
        taken_too = NO_SLOT
        aside = OFF
        opens = 0
        progress = 0
        self.history.reserve(3)
        self.history.items[self.history.size] = self.key
        self.key ^= SECOND_KEYS[self.second]
        if self.passed:
            self.key ^= PASSED_KEY[0]
            self.passed = 0
        if kind in (MOVE, JUMP):
            self._go(origin, target)
        elif kind in (CAPTURE, CAPTURE_TWO):
            victim = code >> VICTIM & SQUARE
            taken = self._take(victim)
            if kind == CAPTURE_TWO:
                taken_too = self._take(target)
            self._go(origin, target)
            progress = 1
        elif kind == SWAP:
            self._swap(origin, target)
        elif kind == DROP:
            self._bring(code >> PIECE, target)
            progress = 1
        # D15: a captured King ends the game before anything else can happen.
        if self.result == ONGOING and self._stormed():
            aside = self._storm()
            progress = 1
        if self.result == ONGOING and second == OFF and kind in (MOVE, CAPTURE):
            opens = self.board_[target] & 15 == RABBLE and self._another_rabble(target)
        if progress:
            self.quiet_turns = -1
        if opens:
            self.second = target
            self.turn_open = 1
            self.key ^= SECOND_KEYS[target]
        else:
            self.second = OFF
            self.turn_open = 0
            if kind == PASS:
                self.passed = 1
                self.key ^= PASSED_KEY[0]
                if passed and self.result == ONGOING:
                    self.result = DRAWN
                    self.key ^= DRAWN_KEY[0]
            self.side = 1 - self.side
            self.key ^= SIDE_KEY[0]
            if self.quiet_turns < QUIET_LIMIT:
                self.quiet_turns += 1
        self.history.items[self.history.size + 1] = aside | taken << 27 | taken_too << 32
        self.history.items[self.history.size + 2] = code | second << 32 | quiet << 39 | passed << 53
        self.history.size += 3

    def unmake(self) -> None:
        self.history.size -= 3
        aside = self.history.items[self.history.size + 1]
        record = self.history.items[self.history.size + 2]
        if not self.turn_open:
            self.side = 1 - self.side
        self.second = record >> 32 & 127
        self.turn_open = 1 if self.second != OFF else 0
        self.quiet_turns = (record >> 39 & 16383) - 1
        self.passed = record >> 53 & 1
        self.result = ONGOING
        kind = record & KIND
        origin = record >> ORIGIN & SQUARE
        target = record >> TARGET & SQUARE
        if aside & 127 != OFF:
            self._rebuild(aside)
        if kind in (MOVE, JUMP):
            self._go(target, origin)
        elif kind in (CAPTURE, CAPTURE_TWO):
            self._go(target, origin)
            victim = record >> VICTIM & SQUARE
            slot = aside >> 27 & 31
            self._give_back(victim, slot)
            if kind == CAPTURE_TWO:
                slot = aside >> 32 & 31
                self._give_back(target, slot)
        elif kind == SWAP:
            self._swap(target, origin)
        elif kind == DROP:
            self._send_back(target)
        self.key = self.history.items[self.history.size]

    def _go(self, origin: int, target: int) -> None:
        """Put an own piece on another, empty tile."""
        piece = self.board_[origin]
        slot = self.slot_at[origin]
        theirs = (1 - self.side) * (SQUARES + 1)
        self.board_[origin] = 0
        self.board_[target] = piece
        self.slot_at[target] = slot
        self.where[self.side * SLOTS + slot] = target
        self.intruders[1 - self.side] += self.is_home[theirs + target]
        self.intruders[1 - self.side] -= self.is_home[theirs + origin]
        self.key ^= PIECE_KEYS[piece * SQUARES + origin] ^ PIECE_KEYS[piece * SQUARES + target]

    def _take(self, square: int) -> int:
        """Remove an opposing piece; the slot it had."""
        piece = self.board_[square]
        slot = self.slot_at[square]
        self.board_[square] = 0
        self.where[(1 - self.side) * SLOTS + slot] = OFF
        self.intruders[self.side] -= self.is_home[self.side * (SQUARES + 1) + square]
        self.key ^= PIECE_KEYS[piece * SQUARES + square]
        if piece & 15 == KING:
            self.result = WHITE_WINS + self.side
        return slot

    def _give_back(self, square: int, slot: int) -> None:
        self.board_[square] = (16 << (1 - self.side)) + NUMBER_OF[slot]
        self.slot_at[square] = slot
        self.where[(1 - self.side) * SLOTS + slot] = square
        self.intruders[self.side] += self.is_home[self.side * (SQUARES + 1) + square]

    def _swap(self, origin: int, target: int) -> None:
        """Exchange two own pieces; as many of them stand on home tiles as before."""
        first, other = self.board_[origin], self.board_[target]
        slot, other_slot = self.slot_at[origin], self.slot_at[target]
        self.board_[origin] = other
        self.board_[target] = first
        self.slot_at[origin] = other_slot
        self.slot_at[target] = slot
        self.where[self.side * SLOTS + slot] = target
        self.where[self.side * SLOTS + other_slot] = origin
        self.key ^= PIECE_KEYS[first * SQUARES + origin] ^ PIECE_KEYS[first * SQUARES + target]
        self.key ^= PIECE_KEYS[other * SQUARES + origin] ^ PIECE_KEYS[other * SQUARES + target]

    def _bring(self, number: int, target: int) -> None:
        """Bring a piece out of the reserve; its slot is the first of its type that waits."""
        slot = FIRST_OF[number]
        while self.where[self.side * SLOTS + slot] != RESERVE:
            slot += 1
        piece = (16 << self.side) + number
        self.board_[target] = piece
        self.slot_at[target] = slot
        self.where[self.side * SLOTS + slot] = target
        self.intruders[1 - self.side] += self.is_home[(1 - self.side) * (SQUARES + 1) + target]
        self.key ^= PIECE_KEYS[piece * SQUARES + target]
        self._change_reserve(self.side, number, -1)

    def _send_back(self, target: int) -> None:
        slot = self.slot_at[target]
        self.board_[target] = 0
        self.where[self.side * SLOTS + slot] = RESERVE
        self.intruders[1 - self.side] -= self.is_home[(1 - self.side) * (SQUARES + 1) + target]
        self._change_reserve(self.side, NUMBER_OF[slot], 1)

    def _stormed(self) -> int:
        """Whether the opposing keep stands and two of its home tiles are taken (D13)."""
        return self.keep[1 - self.side] != OFF and self.intruders[1 - self.side] > 1

    def _storm(self) -> int:
        """Destroy the opposing keep and capture its reserve; what ``_rebuild`` needs."""
        color = 1 - self.side
        square = self.keep[color]
        aside = square
        one = 1
        self.keep[color] = OFF
        self.board_[square] = 0
        self.key ^= KEEP_KEYS[color * (SQUARES + 1) + square]
        for slot in range(SLOTS):
            if self.where[color * SLOTS + slot] == RESERVE:
                self.where[color * SLOTS + slot] = OFF
                self._change_reserve(color, NUMBER_OF[slot], -1)
                aside |= one << (7 + slot)
                if NUMBER_OF[slot] == KING:
                    self.result = WHITE_WINS + self.side
        return aside

    def _rebuild(self, aside: int) -> None:
        color = 1 - self.side
        square = aside & 127
        self.keep[color] = square
        self.board_[square] = KEEP
        for slot in range(SLOTS):
            if aside >> (7 + slot) & 1:
                self.where[color * SLOTS + slot] = RESERVE
                self._change_reserve(color, NUMBER_OF[slot], 1)

    def _change_reserve(self, color: int, number: int, by: int) -> None:
        entry = color * TYPES + number
        self.key ^= RESERVE_KEYS[entry * 4 + self.reserve[entry]]
        self.reserve[entry] += by
        self.key ^= RESERVE_KEYS[entry * 4 + self.reserve[entry]]

    def _another_rabble(self, moved: int) -> int:
        """Whether a Rabble other than the one on ``moved`` can move or capture (D5)."""
        first = self.side * SLOTS
        for i in range(first + FIRST_RABBLE, first + FIRST_SPEARMAN):
            square = self.where[i]
            if square < OFF and square != moved:
                for d in range(4):
                    target = STEP[square * 8 + 2 * d]
                    if self.board_[target] == 0 or self._yields(target, square):
                        return 1
        return 0

    def _yields(self, square: int, origin: int) -> int:
        """Whether an opposing piece stands there that may be captured from ``origin``."""
        piece = self.board_[square]
        if piece >> 4 != 2 - self.side:
            return 0
        return 1 if piece & 15 != ELEPHANT else self._helped(square, origin)

    def _helped(self, square: int, origin: int) -> int:
        """Whether an own piece other than the one on ``origin`` is beside the tile (D9)."""
        for d in range(8):
            there = STEP[square * 8 + d]
            if self.board_[there] >> 4 == self.side + 1 and there != origin:
                return 1
        return 0

    def _move(self, origin: int, target: int, out: Stack) -> None:
        out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
        out.size += 1

    def _capture(self, origin: int, target: int, out: Stack) -> None:
        out.items[out.size] = CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
        out.size += 1

    def _steps(self, origin: int, pattern: int, out: Stack) -> None:
        """One tile in the four straight or the four diagonal directions."""
        for d in range(4):
            target = STEP[origin * 8 + 2 * d + pattern]
            if self.board_[target] == 0:
                self._move(origin, target, out)
            elif self._yields(target, origin):
                self._capture(origin, target, out)

    def _swaps(self, origin: int, out: Stack) -> None:
        """A Spearman and an own piece of another type beside it (D6)."""
        for d in range(8):
            target = STEP[origin * 8 + d]
            piece = self.board_[target]
            if piece >> 4 == self.side + 1 and piece & 15 != SPEARMAN:
                out.items[out.size] = SWAP | origin << ORIGIN | target << TARGET
                out.size += 1

    def _jumps(self, origin: int, out: Stack) -> None:
        """A Crossbowman to the unoccupied forest tiles that no step of his reaches (D7, D14)."""
        for i in range(origin * FORESTS, origin * FORESTS + JUMP_COUNT[origin]):
            target = JUMP_TILES[i]
            if self.board_[target] == 0:
                out.items[out.size] = JUMP | origin << ORIGIN | target << TARGET
                out.size += 1

    def _trample(self, origin: int, out: Stack) -> None:
        """The Elephant: straight on until something is met."""
        for d in range(4):
            target = STEP[origin * 8 + 2 * d]
            while self.board_[target] == 0:
                self._move(origin, target, out)
                if WATERY[target]:
                    break
                target = STEP[target * 8 + 2 * d]
            if self._yields(target, origin):
                self._capture(origin, target, out)

    def _ride(self, origin: int, d: int, stop: int, out: Stack) -> int:
        """The Light Horse in one direction, round the board; where it came to an end.

        It goes nowhere beyond ``stop``, nor onto it: that tile is its own, or was met from the
        other side (D8).
        """
        target = ROUND[origin * 8 + d]
        while target != stop:
            if self.board_[target]:
                if self._yields(target, origin):
                    self._capture(origin, target, out)
                break
            self._move(origin, target, out)
            if WATERY[target]:
                break
            target = ROUND[target * 8 + d]
        return target

    def _charge(self, origin: int, out: Stack) -> None:
        """The Heavy Horse: over own pieces, unless they stand on water."""
        own = self.side + 1
        for d in range(4):
            target = origin
            while True:
                target = STEP[target * 8 + 2 * d]
                piece = self.board_[target]
                if piece == 0:
                    self._move(origin, target, out)
                elif piece >> 4 != own:
                    if self._yields(target, origin):
                        self._capture(origin, target, out)
                    break
                if WATERY[target]:
                    break

    def _roll(self, origin: int, out: Stack) -> None:
        """The Catapult: one victim, or two on one diagonal (D10)."""
        for d in range(1, 8, 2):
            target = STEP[origin * 8 + d]
            while self.board_[target] == 0:
                self._move(origin, target, out)
                if WATERY[target]:
                    break
                target = STEP[target * 8 + d]
            if self._yields(target, origin):
                self._capture(origin, target, out)
                if not WATERY[target]:
                    self._roll_on(origin, target, d, out)

    def _roll_on(self, origin: int, victim: int, d: int, out: Stack) -> None:
        target = STEP[victim * 8 + d]
        while self.board_[target] == 0 and not WATERY[target]:
            target = STEP[target * 8 + d]
        if self._yields(target, origin):
            out.items[out.size] = (
                CAPTURE_TWO | origin << ORIGIN | target << TARGET | victim << VICTIM
            )
            out.size += 1

    def _hurl(self, origin: int, out: Stack) -> None:
        """The Trebuchet: like anyone else, but over all pieces to a victim (D11)."""
        for d in range(1, 8, 2):
            passing = 0
            target = origin
            while True:
                target = STEP[target * 8 + d]
                piece = self.board_[target]
                if piece >= ROCK:
                    break
                if piece == 0:
                    if not passing:
                        self._move(origin, target, out)
                else:
                    passing = 1
                    if self._yields(target, origin):
                        self._capture(origin, target, out)
                if WATERY[target]:
                    break

    def _fly(self, origin: int, out: Stack) -> None:
        """The Dragon: over mountains and water, not over pieces and keeps (D12)."""
        for d in range(8):
            target = STEP[origin * 8 + d]
            while self.board_[target] == 0 or self.board_[target] == ROCK:
                if self.board_[target] == 0:
                    self._move(origin, target, out)
                target = STEP[target * 8 + d]
            if self._yields(target, origin):
                self._capture(origin, target, out)

    def _drops(self, out: Stack) -> None:
        """Every type in reserve to every empty home tile."""
        first = self.side * HOMES
        for i in range(first, first + self.home_count[self.side]):
            target = self.home[i]
            if self.board_[target] == 0:
                for number in range(TYPES):
                    if self.reserve[self.side * TYPES + number]:
                        out.items[out.size] = DROP | target << TARGET | number << PIECE
                        out.size += 1

    # --- what it tells ----------------------------------------------------------------------------

    def state(self) -> State:
        pieces = {}
        names = CROFT.squares
        for color in range(2):
            for slot in range(SLOTS):
                square = self.where[color * SLOTS + slot]
                if square < OFF:
                    pieces[names[square]] = MEN[color][PLACES[NUMBER_OF[slot]]]
        return State(
            by_name(pieces),
            {},
            Color(self.side),
            self.quiet_turns,
            bool(self.passed),
            {
                "mountains": list(self.mountains),
                "keeps": {str(color): self._keep_record(color) for color in Color},
                "reserves": {str(color): self._reserve_of(color) for color in Color},
                "second_rabble": None if self.second == OFF else CROFT.squares[self.second],
            },
            self.result == DRAWN,
        )

    def _keep_record(self, color: Color) -> dict[str, object]:
        at, first = self.keep[color], int(color) * HOMES
        home = [CROFT.squares[self.home[first + i]] for i in range(self.home_count[color])]
        return {"at": None if at == OFF else CROFT.squares[at], "home": home}

    def _reserve_of(self, color: Color) -> dict[str, int]:
        counts = {
            kind.name: self.reserve[int(color) * TYPES + NUMBERS[kind.name]] for kind in PIECES
        }
        return {name: count for name, count in counts.items() if count}

    def copy(self) -> CroftPosition:
        other = CroftPosition.__new__(CroftPosition)
        other._allocate()
        self._start_copy(other)
        other.mountains = self.mountains
        other.peaks = self.peaks
        other.second = self.second
        for square in range(SQUARES + 1):
            other.board_[square] = self.board_[square]
            other.slot_at[square] = self.slot_at[square]
        for i in range(2 * SLOTS):
            other.where[i] = self.where[i]
        for i in range(2 * TYPES):
            other.reserve[i] = self.reserve[i]
        for i in range(2 * HOMES):
            other.home[i] = self.home[i]
        for i in range(2 * (SQUARES + 1)):
            other.is_home[i] = self.is_home[i]
        for color in range(2):
            other.keep[color] = self.keep[color]
            other.home_count[color] = self.home_count[color]
            other.intruders[color] = self.intruders[color]
            other.homes[color] = self.homes[color]
        return other

    def effects(self) -> list[Effect]:
        """``keep_destroyed``, then ``reserve_captured`` for each piece that waited in it."""
        if self.history.size == 0:
            return []
        aside = self.history.items[self.history.size - 2]
        if aside & 127 == OFF:
            return []
        # Whoever stormed it has ended the turn, or has a second Rabble to move.
        owner = Color(1 - self.side) if self.turn_open else Color(self.side)
        effects = [Effect("keep_destroyed", owner, CROFT.squares[aside & 127])]
        for slot in range(SLOTS):
            if aside >> (7 + slot) & 1:
                name = KINDS[NUMBER_OF[slot]].name
                effects.append(Effect("reserve_captured", owner, None, name))
        return effects
