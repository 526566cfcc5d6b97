"""Positions of Mikelepage's Cyvasse: reach, flanking, the steps of a turn, play and undo.

The board is an array of codes: 0 for an empty square, ``16 + type`` for a white and ``32 + type``
for a black piece, and codes of their own for mountains and for the one square that stands for
everything beyond the edge.  Each piece keeps its slot for the whole game; a captured piece's slot,
and that of a dragon in reserve, points beyond the edge.  Mountains have slots too, so that the
slots tell what stands where and nothing else has to be kept for the evaluation.

``make`` also carries out what happens by itself (mikelepage D8): the end of the turn, and the
beginning of the next one up to the first thing that its player has to decide.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import LETTERS
from cyvasse.boards import HEXAGON_DIAGONALS
from cyvasse.errors import StateError
from cyvasse.rules.base import Position, Stack
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import BRING_OUT_RANGE, MOUNTAINS, PIECES, RING, TERRAINS
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Effect, End, Setup, State, by_name, men
from cyvasse.rules.zobrist import keys

if not cython.compiled:
    from cyvasse.actions import (
        BRING_OUT,
        CAPTURE,
        CORNER,
        KIND,
        MOVE,
        ORIGIN,
        PASS,
        PIECE,
        PROMOTE,
        SQUARE,
        TARGET,
        VICTIM,
    )
    from cyvasse.rules.base import DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS

    RABBLE = 1
    KING = 2
    CROSSBOWS = 3
    SPEARS = 4
    LIGHT_HORSE = 5
    TREBUCHET = 6
    ELEPHANT = 7
    HEAVY_HORSE = 8
    DRAGON = 9
    TYPES = 10  # one more than there are
    HIGHER = 3  # from a tier-2 type to the tier-3 type that it is promoted to

    SQUARES = 91
    OFF = 91  # the square beyond the edge; also "no square"
    SLOTS = 20  # pieces a player has
    ALL_SLOTS = 52  # both players', then those of the mountains
    NO_SLOT = 31
    HITS = 400  # every piece may reach every opposing piece
    ROCK = 48
    EDGE = 64
    DIAGONALS = 6  # where the diagonal directions begin in STEP
    NEARBY = 62  # squares that a dragon may be brought out to, and an OFF that ends the list

    # What the player to act has to choose first.
    NOTHING = 0
    THE_CORNER = 1
    THE_PROMOTION = 2

    STEP = [0] * (SQUARES + 1) * 12
    AROUND = [0] * SQUARES * (SQUARES + 1) * 2
    NEAR = [0] * SQUARES * NEARBY
    CORNERS = [0] * 6
    TIER = [0] * TYPES
    HOME = [0] * TYPES
    BROUGHT = [0] * TYPES  # the ground that a piece brings to its square in a setup, or 0
    REACH = [0] * TYPES
    MOST = [0] * TYPES  # how many pieces of a type a player has
    LETTER = [0] * TYPES
    PIECE_KEYS = [0] * 48 * SQUARES
    GROUND_KEYS = [0] * 4 * SQUARES  # mountains, then the terrains
    FORTRESS_KEYS = [0] * 2 * SQUARES
    CORNER_KEYS = [0] * 2 * SQUARES
    RUIN_KEYS = [0] * 2
    RESERVE_KEYS = [0] * 2
    LOST_KEYS = [0] * 2 * TYPES * 8
    FLAG_KEYS = [0] * 12
    RESULT_KEYS = [0] * 4
    SIDE_KEY = [0]

TYPE_LIST = tuple(spec.type for spec in PIECES)
MEN = men(TYPE_LIST)
CODES = {
    piece: (16 << color) + number
    for color, pieces in enumerate(MEN)
    for number, piece in enumerate(pieces, 1)
}
OWNERS = ("white", "black")
PLAYERS = (WHITE, BLACK)  # Color() would look the number up, which takes longer
NUMBERS = {kind.name: number for number, kind in enumerate(TYPE_LIST, 1)}
CORNER_NAMES = ("a11", "f11", "k6", "k1", "f1", "a6")
PENDING = (None, "corner", "promotion")
GROUNDS = {terrain: number for number, terrain in enumerate(TERRAINS, 1)}
_HOMELESS = 99  # a ground that no square has


def _fill_tables() -> None:
    _fill_steps()
    _fill_rings()
    for i in range(6):
        CORNERS[i] = MIKELEPAGE.index(CORNER_NAMES[i])
    for number, spec in enumerate(PIECES, 1):
        TIER[number] = spec.tier
        MOST[number] = spec.type.count
        HOME[number] = _HOMELESS if spec.home is None else GROUNDS[spec.home]
        BROUGHT[number] = HOME[number] if spec.home and spec.tier == 2 else 0
        unlimited = 6 * SQUARES if spec.movement == RING else MIKELEPAGE.width
        REACH[number] = unlimited if spec.reach is None else spec.reach
        LETTER[number] = LETTERS.index(spec.type.letter)
    _fill_keys()


def _fill_steps() -> None:
    for i in range((SQUARES + 1) * 12):
        STEP[i] = OFF
    for square in range(SQUARES):
        for d, direction in enumerate(MIKELEPAGE.directions):
            for there in MIKELEPAGE.line(square, direction)[:1]:
                STEP[square * 12 + d] = there
        for d, direction in enumerate(HEXAGON_DIAGONALS):
            for there in MIKELEPAGE.diagonal(square, direction)[:1]:
                STEP[square * 12 + DIAGONALS + d] = there


def _fill_rings() -> None:
    for i in range(SQUARES * (SQUARES + 1) * 2):
        AROUND[i] = OFF
    for centre in range(SQUARES):
        near = centre * NEARBY
        NEAR[near] = centre
        for radius in range(1, MIKELEPAGE.width):
            ring = MIKELEPAGE.ring(centre, radius)
            for i, here in enumerate(ring):
                if here is None:
                    continue
                if radius <= BRING_OUT_RANGE:
                    near += 1
                    NEAR[near] = here
                at = (centre * (SQUARES + 1) + here) * 2
                before = ring[i - 1 if i else len(ring) - 1]
                after = ring[i + 1 if i + 1 < len(ring) else 0]
                AROUND[at] = OFF if before is None else before
                AROUND[at + 1] = OFF if after is None else after
        NEAR[near + 1] = OFF


def _fill_keys() -> None:
    stream = keys("mikelepage")
    for code in range(16, 48):
        for square in range(SQUARES):
            PIECE_KEYS[code * SQUARES + square] = next(stream)
    for color in range(2):
        RUIN_KEYS[color] = next(stream)
        RESERVE_KEYS[color] = next(stream)
        for square in range(SQUARES):
            FORTRESS_KEYS[color * SQUARES + square] = next(stream)
            CORNER_KEYS[color * SQUARES + square] = next(stream)
        for number in range(1, TYPES):
            LOST_KEYS[(color * TYPES + number) * 8] = 0
            for count in range(1, 8):
                LOST_KEYS[(color * TYPES + number) * 8 + count] = next(stream)
    FLAG_KEYS[0] = 0
    for flags in range(1, 12):
        FLAG_KEYS[flags] = next(stream)
    RESULT_KEYS[0] = 0
    for result in range(1, 4):
        RESULT_KEYS[result] = next(stream)
    SIDE_KEY[0] = next(stream)
    for place in range((1 + len(TERRAINS)) * SQUARES):
        GROUND_KEYS[place] = next(stream)


_fill_tables()


def first_position(rules: RuleSet, white: Setup, black: Setup, first: Color) -> Position:
    """The position when the screen is lifted over two legal setups."""
    position = MikelepagePosition.__new__(MikelepagePosition)
    position._set_up(rules, white, black, int(first))
    return position


class MikelepagePosition(Position):
    """A position of Mikelepage's Cyvasse."""

    terrain: dict[str, str]
    mountains: list[str]
    pending: int  # what has to be chosen before step 3 of the turn
    board_: list[int]
    ground: list[int]  # 0, or the place of the terrain in TERRAINS, from 1
    slot_at: list[int]  # the slot of the piece on a square; junk where there is none
    where: list[int]  # the square of each slot, white's, then black's, then the mountains'
    code_of: list[int]  # the piece of each slot
    count: list[int]  # slots in use, by colour; so are the following
    kings: list[int]  # kings on the board
    reserve: list[int]  # whether the dragon is in reserve
    dragon: list[int]  # the slot of the dragon in reserve
    site: list[int]  # where the fortress was built
    standing: list[int]  # the same, or OFF once it is ruined
    corner: list[int]  # the corner chosen after the ruin, or OFF
    centre: list[int]  # what the horses ride round, or OFF
    lost: list[int]  # captured pieces by colour and type
    after: int  # what happened by itself with the action that is being made
    # Scratch space of generate.
    hit_by: list[int]
    hit_at: list[int]
    hits: int
    muster: list[int]  # how many pieces reach a square, by square and tier; neither kings ...
    royal: list[int]  # ... nor dragons, and whether the king does
    seen: list[int]
    stamp: int
    queue: list[int]

    def __init__(self, rules: RuleSet, state: State) -> None:
        state = rules.checked_state(state)
        super().__init__(rules, state)
        self._clear()
        self._lay(state)
        self._build_fortresses(state)
        self._place(state)
        self._count_lost(state)
        self._take_up_turn(state)
        self._finish_key()

    def _clear(self) -> None:
        """An empty board, and nothing beside it."""
        self._allocate()
        self.after = self.hits = self.stamp = self.pending = 0
        for square in range(SQUARES + 1):
            self.board_[square] = self.ground[square] = self.royal[square] = 0
            self.seen[square] = 0
            self.slot_at[square] = NO_SLOT
        self.board_[OFF] = EDGE
        for side in range(2):
            self.count[side] = self.kings[side] = self.reserve[side] = self.dragon[side] = 0
            self.site[side] = self.standing[side] = self.corner[side] = self.centre[side] = OFF
        for slot in range(ALL_SLOTS):
            self.where[slot] = OFF
        for slot in range(2 * SLOTS):
            self.code_of[slot] = 0
        for number in range(2 * TYPES):
            self.lost[number] = 0

    def _allocate(self) -> None:
        """Make the lists that stand for C arrays where nothing is compiled."""
        if not cython.compiled:
            squares = SQUARES + 1
            self.board_, self.ground, self.slot_at = [0] * squares, [0] * squares, [0] * squares
            self.where, self.code_of = [OFF] * ALL_SLOTS, [0] * 2 * SLOTS
            self.count, self.kings, self.reserve, self.dragon = [0, 0], [0, 0], [0, 0], [0, 0]
            self.site, self.standing = [OFF, OFF], [OFF, OFF]
            self.corner, self.centre = [OFF, OFF], [OFF, OFF]
            self.lost = [0] * 2 * TYPES
            self.hit_by, self.hit_at = [0] * HITS, [0] * HITS
            self.muster, self.royal = [0] * squares * 4, [0] * squares
            self.seen, self.queue = [0] * squares, [0] * squares

    def _set_up(self, rules: RuleSet, white: Setup, black: Setup, first: int) -> None:
        """The same as the state that these setups give, without a state in between."""
        self._begin(rules, first)
        self._clear()
        squares = MIKELEPAGE.numbers
        self.mountains = sorted([*white.fields["mountains"], *black.fields["mountains"]])
        self._raise_mountains()
        terrain = {}
        for side in range(2):
            setup = black if side else white
            self.reserve[side] = setup.fields["dragon_in_reserve"]
            for name, kind in setup.pieces.items():
                square, number = squares[name], NUMBERS[kind]
                self.board_[square] = (16 << side) + number
                if number == KING:
                    self._build_fortress(side, square)
                if BROUGHT[number]:
                    self._cover(square, BROUGHT[number])
                    terrain[name] = TERRAINS[BROUGHT[number] - 1]
        self.terrain = by_name(terrain)
        self._take_slots()
        self._finish_key()

    def _finish_key(self) -> None:
        if self.side:
            self.key ^= SIDE_KEY[0]
        self.key ^= FLAG_KEYS[self._flags()] ^ RESULT_KEYS[self.result]

    def _lay(self, state: State) -> None:
        """Mountains and terrain."""
        self.terrain = dict(state.terrain)
        self.mountains = list(state.fields["mountains"])
        self._raise_mountains()
        for name in self.mountains:
            if name in state.terrain:
                raise StateError(f"{name} is both a mountain and {state.terrain[name]}")
        squares = MIKELEPAGE.numbers
        for name, ground in self.terrain.items():
            self._cover(squares[name], GROUNDS[ground])

    def _raise_mountains(self) -> None:
        if len(self.mountains) > 2 * MOUNTAINS:
            raise StateError(
                f"there are {len(self.mountains)} mountains, more than {2 * MOUNTAINS}"
            )
        slot = 2 * SLOTS
        for name in self.mountains:
            square = MIKELEPAGE.numbers[name]
            self.board_[square] = ROCK
            self.where[slot] = square
            self.key ^= GROUND_KEYS[square]
            slot += 1

    def _cover(self, square: int, number: int) -> None:
        """Lay the ground of that number."""
        self.ground[square] = number
        self.key ^= GROUND_KEYS[number * SQUARES + square]

    def _build_fortress(self, side: int, square: int) -> None:
        self.site[side] = self.standing[side] = square
        self.key ^= FORTRESS_KEYS[side * SQUARES + square]
        self._find_centre(side)

    def _build_fortresses(self, state: State) -> None:
        for color in (WHITE, BLACK):
            side = int(color)
            fortress = state.fields["fortress"][OWNERS[side]]
            site, corner = fortress["at"], fortress["corner"]
            if site is None:
                raise StateError(f"fortress.{color}.at is missing: where was the fortress built?")
            if site in self.mountains:
                raise StateError(f"{color.title}'s fortress is on the mountain on {site}")
            if corner is not None and corner not in CORNER_NAMES:
                raise StateError(
                    f"fortress.{color}.corner is {corner}; the corners are "
                    + ", ".join(CORNER_NAMES)
                )
            if corner is not None and not fortress["ruined"]:
                raise StateError(
                    f"a corner is chosen for {color.title}'s fortress, which still stands"
                )
            self._build_fortress(side, MIKELEPAGE.numbers[site])
            if fortress["ruined"]:
                self.standing[side] = OFF
                self.key ^= RUIN_KEYS[side]
                self._find_centre(side)
            if corner is not None:
                self._choose_corner(side, MIKELEPAGE.numbers[corner])
        if self.site[0] == self.site[1]:
            raise StateError(f"both fortresses are on {MIKELEPAGE.squares[self.site[0]]}")

    def _place(self, state: State) -> None:
        squares = MIKELEPAGE.numbers
        for name, man in state.pieces.items():
            square = squares[name]
            if self.board_[square] == ROCK:
                title = self.rules.piece_type(man.type).title
                raise StateError(f"the {title} on {name} stands on a mountain")
            self.board_[square] = CODES[man]
        for color, waits in enumerate(state.fields["reserve"].values()):
            self.reserve[color] = waits
        self._take_slots()
        for color in (WHITE, BLACK):
            if bool(self.kings[color]) == state.fields["king_taken"][str(color)]:
                raise StateError(
                    f"king_taken.{color} is true, but {color.title}'s King is on the board"
                    if self.kings[color]
                    else f"{color.title} has no King on the board, but king_taken.{color} is false"
                )

    def _take_slots(self) -> None:
        """Give slots to all pieces, by their types, then by their squares; then to the reserve."""
        for number in range(1, TYPES):
            for square in range(SQUARES):
                code = self.board_[square]
                if code & 15 == number:
                    side = (code >> 4) - 1
                    slot = self._take_slot(side, code)
                    self.slot_at[square] = slot
                    self.where[side * SLOTS + slot] = square
                    self.key ^= PIECE_KEYS[code * SQUARES + square]
                    if number == KING:
                        self.kings[side] = 1
        for side in range(2):
            if self.reserve[side]:
                self.dragon[side] = self._take_slot(side, (16 << side) + DRAGON)
                self.key ^= RESERVE_KEYS[side]

    def _take_slot(self, color: int, code: int) -> int:
        slot = self.count[color]
        if slot == SLOTS:
            raise StateError(f"{Color(color).title} has more than {SLOTS} pieces")
        self.code_of[color * SLOTS + slot] = code
        self.count[color] = slot + 1
        return slot

    def _count_lost(self, state: State) -> None:
        """Store what is lost; nobody can have and have lost more pieces than were set up."""
        for color in (WHITE, BLACK):
            side = int(color)
            first = side * TYPES
            for name, count in state.fields["lost"][OWNERS[side]].items():
                self.lost[first + NUMBERS[name]] = count
            for number in range(1, TYPES):
                owned = self._owned(side, number)
                lost = self.lost[first + number]
                if owned + lost > MOST[number]:
                    kind = TYPE_LIST[number - 1]
                    raise StateError(
                        f"{color.title} has {owned} {kind.title} and has lost {lost}, "
                        f"but had only {kind.count}"
                    )
                self.key ^= LOST_KEYS[(first + number) * 8 + lost]

    def _owned(self, color: int, number: int) -> int:
        """How many pieces of a type there are; what waits in reserve has a slot too."""
        owned = 0
        for i in range(color * SLOTS, color * SLOTS + self.count[color]):
            if self.code_of[i] & 15 == number:
                owned += 1
        return owned

    def _take_up_turn(self, state: State) -> None:
        """Go on where the state says; steps that lie behind are not done again."""
        self.pending = PENDING.index(state.fields["pending"])
        self.turn_open = 1 if state.fields["in_turn"] else 0
        other = 1 - self.side
        if self.turn_open and self.passed:
            raise StateError("in_turn is true, but the last action was a forced pass")
        if self.pending == THE_CORNER:
            if self.standing[other] != OFF or self.corner[other] != OFF:
                raise StateError(
                    f"pending is 'corner', but {Color(other).title}'s fortress is not a ruin "
                    f"without a corner"
                )
            if self.turn_open:
                raise StateError("pending is 'corner', so nothing can be done in this turn yet")
        if self.pending == THE_PROMOTION:
            fortress = self.standing[self.side]
            if self.board_[fortress] != (16 << self.side) + RABBLE or self._options() < 2:
                raise StateError(
                    f"pending is 'promotion', but there is no Rabble on {Color(self.side).title}'s "
                    f"fortress with two types to choose from"
                )
        self._take_up_end(state.fields["over"], state.drawn)

    def _take_up_end(self, over: str | None, drawn: bool) -> None:
        if over is None and not drawn:
            return
        if self.turn_open or self.pending:
            raise StateError("the game is over, but the turn goes on")
        if over is None:
            self.result = DRAWN
            return
        if drawn:
            raise StateError(f"over is {over!r}, but drawn is true")
        loser = self.side if over == "lost" else 1 - self.side
        if self.kings[loser]:
            raise StateError(f"over is {over!r}, but {Color(loser).title}'s King is on the board")
        if over == "lost" and self.standing[loser] != OFF:
            raise StateError(
                f"over is 'lost', but {Color(loser).title}'s fortress stands: one turn is left to "
                f"replace the King"
            )
        self.result = WHITE_WINS + 1 - loser

    # --- the inner face ---------------------------------------------------------------------------

    def generate(self, out: Stack) -> None:
        if self.result != ONGOING:
            return
        out.reserve(MAX_ACTIONS)
        if self.pending != NOTHING:
            self._choices(out)
            return
        start = out.size
        self._look_round(out)
        if self.reserve[self.side] and self.standing[self.side] != OFF:
            self._bring_out(out)
        for i in range(self.hits):
            origin = self.hit_by[i]
            target = self.hit_at[i]
            if self._takes(self.board_[origin] & 15, target):
                out.items[out.size] = (
                    CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
                )
                out.size += 1
        if out.size == start:
            out.items[out.size] = PASS  # P4
            out.size += 1

    def generate_like(self, code: int, out: Stack) -> None:
        kind = code & KIND
        if self.result != ONGOING or self.pending != NOTHING or kind > CAPTURE:
            self.generate(out)
            return
        origin = code >> ORIGIN & SQUARE
        target = code >> TARGET & SQUARE
        piece = self.board_[origin]
        taken = self.board_[target]
        if piece >> 4 != self.side + 1 or (kind == CAPTURE and taken >> 4 != 2 - self.side):
            return
        if kind == CAPTURE and TIER[piece & 15] < self._defence(taken, target):
            self.generate(out)  # by flanking: it depends on all that reach the target
            return
        out.reserve(MAX_ACTIONS)
        i = self.side * SLOTS + self.slot_at[origin]
        self.hits = 0
        self._look(i, i + 1, out)
        for i in range(self.hits):
            if kind == CAPTURE and self.hit_at[i] == target:
                out.items[out.size] = (
                    CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
                )
                out.size += 1

    def make(self, code: int) -> None:
        kind = code & KIND
        target = code >> TARGET & SQUARE
        passed = self.passed
        self._remember(kind, target)
        self.key ^= FLAG_KEYS[self._flags()]
        self.after = 0
        self.pending = NOTHING
        self.passed = 0
        if kind == CORNER:
            self.turn_open = 1
            self._choose_corner(1 - self.side, target)
            self._promote_at_beginning()
        elif kind == PROMOTE:
            self.turn_open = 1
            self._promote(target, self._chosen(code >> PIECE & 15))
        else:
            self.turn_open = 0
            if kind == PASS:
                self.passed = 1
            else:
                self._carry_out(kind, code >> ORIGIN & SQUARE, target)
            self._end_turn()
            if self.result == ONGOING and passed and kind == PASS:
                self.result = DRAWN
            if self.result == ONGOING:
                self._begin_turn()
        self.key ^= FLAG_KEYS[self._flags()] ^ RESULT_KEYS[self.result]
        record = self.after
        self.history.items[self.history.size - 1] = code | record << 32

    def unmake(self) -> None:
        self.history.size -= 3
        at = self.history.size
        before = self.history.items[at + 1]
        record = self.history.items[at + 2]
        kind = record & KIND
        target = record >> TARGET & SQUARE
        after = record >> 32
        self.result = ONGOING
        # What happened by itself is taken back first, the last first.
        if after >> 9:
            self._demote(self.standing[self.side], after >> 5 & 15)
        if kind == CORNER:
            self.corner[1 - self.side] = OFF
            self._find_centre(1 - self.side)
        elif kind == PROMOTE:
            self._demote(target, RABBLE)
        else:
            self.side = 1 - self.side
            if after >> 4 & 1:
                self.standing[self.side] = self.site[self.side]
                self._find_centre(self.side)
            if after & 15:
                self._demote(self.standing[self.side], after & 15)
            if kind != PASS:
                self._take_back(kind, record >> ORIGIN & SQUARE, target, before & 31)
        self.key = self.history.items[at]
        self.quiet_turns = before >> 8 & 16383
        self.quiet_turns -= 1
        self.passed = before >> 24 & 1
        self.turn_open = before >> 25 & 1
        self.pending = before >> 26 & 3

    # --- the steps of a turn ----------------------------------------------------------------------

    def _flags(self) -> int:
        return self.passed | self.turn_open << 1 | self.pending << 2

    def _remember(self, kind: int, target: int) -> None:
        """Push what unmake needs; make writes the last word when it knows what happened."""
        slot = NO_SLOT
        if kind in (CAPTURE, BRING_OUT) and self.board_[target] != 0:
            slot = self.slot_at[target]
        quiet = self.quiet_turns + 1
        self.history.reserve(3)
        self.history.items[self.history.size] = self.key
        self.history.items[self.history.size + 1] = (
            slot | quiet << 8 | self.passed << 24 | self.turn_open << 25 | self.pending << 26
        )
        self.history.size += 3

    def _carry_out(self, kind: int, origin: int, target: int) -> None:
        """Step 3: the action itself."""
        side = self.side
        taken = self.board_[target]
        if taken != 0:
            other = 1 - side
            self.where[other * SLOTS + self.slot_at[target]] = OFF
            self.key ^= PIECE_KEYS[taken * SQUARES + target]
            if taken & 15 == KING:
                self.kings[other] = 0
            else:
                self._count(other, taken & 15, 1)
            self.quiet_turns = -1
        if kind == BRING_OUT:
            piece = (16 << side) + DRAGON
            slot = self.dragon[side]
            self.reserve[side] = 0
            self.key ^= RESERVE_KEYS[side]
            self.quiet_turns = -1
        else:
            piece = self.board_[origin]
            slot = self.slot_at[origin]
            self.board_[origin] = 0
            self.key ^= PIECE_KEYS[piece * SQUARES + origin]
        self.board_[target] = piece
        self.slot_at[target] = slot
        self.where[side * SLOTS + slot] = target
        self.key ^= PIECE_KEYS[piece * SQUARES + target]

    def _take_back(self, kind: int, origin: int, target: int, taken: int) -> None:
        side = self.side
        slot = self.slot_at[target]
        if kind == BRING_OUT:
            self.reserve[side] = 1
            self.where[side * SLOTS + slot] = OFF
        else:
            self.board_[origin] = self.board_[target]
            self.slot_at[origin] = slot
            self.where[side * SLOTS + slot] = origin
        self.board_[target] = 0
        if taken != NO_SLOT:
            other = 1 - side
            code = self.code_of[other * SLOTS + taken]
            self.board_[target] = code
            self.slot_at[target] = taken
            self.where[other * SLOTS + taken] = target
            if code & 15 == KING:
                self.kings[other] = 1
            else:
                self.lost[other * TYPES + (code & 15)] -= 1

    def _end_turn(self) -> None:
        """Step 4, and over to the other player."""
        side = self.side
        other = 1 - side
        fortress = self.standing[side]
        code = self.board_[fortress]
        if code >> 4 == side + 1:
            if TIER[code & 15] == 3 and not self.kings[side]:
                self._promote(fortress, KING)
                self.after |= code & 15
        elif code >> 4 == other + 1:
            self.standing[side] = OFF
            self._find_centre(side)
            self.key ^= RUIN_KEYS[side]
            self.after |= 1 << 4
            self.quiet_turns = -1
        if not self.kings[side]:  # before the other king is asked for (D7)
            self.result = WHITE_WINS + other
        elif not self.kings[other] and self.standing[other] == OFF:
            self.result = WHITE_WINS + side
        if self.quiet_turns < QUIET_LIMIT:
            self.quiet_turns += 1
        self.side = other
        self.key ^= SIDE_KEY[0]

    def _begin_turn(self) -> None:
        """Steps 1 and 2, as far as there is nothing to choose."""
        other = 1 - self.side
        if self.standing[other] == OFF and self.corner[other] == OFF:
            self.pending = THE_CORNER
        else:
            self._promote_at_beginning()

    def _choose_corner(self, color: int, square: int) -> None:
        self.corner[color] = square
        self._find_centre(color)
        self.key ^= CORNER_KEYS[color * SQUARES + square]

    def _find_centre(self, color: int) -> None:
        fortress = self.standing[color]
        self.centre[color] = self.corner[color] if fortress == OFF else fortress

    def _promote_at_beginning(self) -> None:
        """Step 2."""
        side = self.side
        fortress = self.standing[side]
        code = self.board_[fortress]
        if code >> 4 != side + 1:
            return
        number = code & 15
        becomes = 0
        if TIER[number] == 3:
            if not self.kings[side]:
                becomes = KING
        elif TIER[number] == 2:
            if self.lost[side * TYPES + number + HIGHER]:
                becomes = number + HIGHER
        elif number == RABBLE:
            options = self._options()
            if options > 1:
                self.pending = THE_PROMOTION
            elif options == 1:
                for choice in range(CROSSBOWS, LIGHT_HORSE + 1):
                    if self.lost[side * TYPES + choice]:
                        becomes = choice
        if becomes:
            self._promote(fortress, becomes)
            self.after |= number << 5 | becomes << 9

    def _options(self) -> int:
        """How many types the player's Rabble may be promoted to."""
        options = 0
        for number in range(CROSSBOWS, LIGHT_HORSE + 1):
            if self.lost[self.side * TYPES + number]:
                options += 1
        return options

    def _chosen(self, letter: int) -> int:
        for number in range(CROSSBOWS, LIGHT_HORSE + 1):
            if LETTER[number] == letter:
                return number
        return CROSSBOWS

    def _promote(self, square: int, number: int) -> None:
        """Make a king, or use up a lost piece of that type (D5)."""
        old = self.board_[square]
        new = (old & 48) + number
        self.board_[square] = new
        self.code_of[self.side * SLOTS + self.slot_at[square]] = new
        self.key ^= PIECE_KEYS[old * SQUARES + square] ^ PIECE_KEYS[new * SQUARES + square]
        if number == KING:
            self.kings[self.side] = 1
        else:
            self._count(self.side, number, -1)
        self.quiet_turns = -1

    def _demote(self, square: int, number: int) -> None:
        """Take a promotion back; the key is not touched."""
        new = self.board_[square]
        old = (new & 48) + number
        self.board_[square] = old
        self.code_of[self.side * SLOTS + self.slot_at[square]] = old
        if new & 15 == KING:
            self.kings[self.side] = 0
        else:
            self.lost[self.side * TYPES + (new & 15)] += 1

    def _count(self, color: int, number: int, change: int) -> None:
        at = color * TYPES + number
        self.key ^= LOST_KEYS[at * 8 + self.lost[at]]
        self.lost[at] += change
        self.key ^= LOST_KEYS[at * 8 + self.lost[at]]

    # --- what is legal ----------------------------------------------------------------------------

    def _choices(self, out: Stack) -> None:
        """Corners of step 1 or promotions of step 2."""
        if self.pending == THE_CORNER:
            for i in range(6):
                out.items[out.size] = CORNER | CORNERS[i] << TARGET
                out.size += 1
            return
        fortress = self.standing[self.side]
        for number in range(CROSSBOWS, LIGHT_HORSE + 1):
            if self.lost[self.side * TYPES + number]:
                out.items[out.size] = PROMOTE | fortress << TARGET | LETTER[number] << PIECE
                out.size += 1

    def _look_round(self, out: Stack) -> None:
        """List every move, and note which pieces reach which opposing pieces."""
        side = self.side
        self.hits = 0
        for i in range((1 - side) * SLOTS, (1 - side) * SLOTS + self.count[1 - side]):
            square = self.where[i]
            self.royal[square] = 0
            for tier in range(4):
                self.muster[square * 4 + tier] = 0
        self._look(side * SLOTS, side * SLOTS + self.count[side], out)

    def _look(self, low: int, high: int, out: Stack) -> None:
        """The same for the pieces in the slots from ``low`` to below ``high``."""
        for i in range(low, high):
            square = self.where[i]
            if square == OFF:
                continue
            number = self.code_of[i] & 15
            if number in (RABBLE, KING, CROSSBOWS, TREBUCHET):
                self._slide(square, number, 0, out)
            elif number in (SPEARS, ELEPHANT):
                self._slide(square, number, DIAGONALS, out)
            elif number == DRAGON:
                self._fly(square, out)
            else:
                self._ride(square, number, out)

    def _slide(self, origin: int, number: int, first: int, out: Stack) -> None:
        """Go straight on in the six directions from ``first``."""
        for d in range(first, first + 6):
            target = origin
            for _ in range(REACH[number]):
                target = STEP[target * 12 + d]
                code = self.board_[target]
                if code == 0:
                    out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                    out.size += 1
                    continue
                if code >> 4 == 2 - self.side:
                    self._hit(origin, number, target)
                break

    def _ride(self, origin: int, number: int, out: Stack) -> None:
        """Go both ways round both centres; rings cross, so squares are met twice."""
        self.stamp += 1
        for color in range(2):
            centre = self.centre[color]
            if centre == OFF:
                continue  # a horse on a centre finds no ring round it, see AROUND
            for way in range(2):
                target = origin
                for _ in range(REACH[number]):
                    target = AROUND[(centre * (SQUARES + 1) + target) * 2 + way]
                    code = self.board_[target]
                    if code != 0 and code >> 4 != 2 - self.side:
                        break
                    if self.seen[target] != self.stamp:
                        self.seen[target] = self.stamp
                        if code == 0:
                            out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                            out.size += 1
                        else:
                            self._hit(origin, number, target)
                    if code != 0:
                        break

    def _fly(self, origin: int, out: Stack) -> None:
        """The dragon by any path, over mountains."""
        self.stamp += 1
        stamp = self.stamp
        self.seen[origin] = stamp
        self.seen[OFF] = stamp
        self.queue[0] = origin
        head, tail = 0, 1
        for left in range(REACH[DRAGON] - 1, -1, -1):
            end = tail
            while head < end:
                here = self.queue[head] * 12
                head += 1
                for d in range(6):
                    target = STEP[here + d]
                    if self.seen[target] == stamp:
                        continue
                    self.seen[target] = stamp
                    code = self.board_[target]
                    if code == 0:
                        out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                        out.size += 1
                    elif code != ROCK:
                        if code >> 4 == 2 - self.side:
                            self._hit(origin, DRAGON, target)
                        continue
                    if left > 0:
                        self.queue[tail] = target
                        tail += 1

    def _bring_out(self, out: Stack) -> None:
        at = self.standing[self.side] * NEARBY
        while NEAR[at] != OFF:
            target = NEAR[at]
            at += 1
            code = self.board_[target]
            if code == 0 or code >> 4 == 2 - self.side:
                out.items[out.size] = BRING_OUT | target << TARGET
                out.size += 1

    def _hit(self, origin: int, number: int, target: int) -> None:
        """Note that a piece reaches an opposing one.  Dragons flank nobody."""
        self.hit_by[self.hits] = origin
        self.hit_at[self.hits] = target
        self.hits += 1
        if number == KING:
            self.royal[target] = 1
        elif number != DRAGON:
            self.muster[target * 4 + TIER[number]] += 1

    def _takes(self, number: int, target: int) -> int:
        """Whether a piece of that type that reaches the target may take it (D2)."""
        defence = self._defence(self.board_[target], target)
        top = TIER[number]
        if top >= defence:
            return 1
        if number == KING:
            # He counts as the best of the others, so he may lead any of them.
            top = defence - 1
            while top > 0 and self.muster[target * 4 + top] == 0:
                top -= 1
            if top == 0:
                return 0
        carried = 0
        for tier in range(1, top):
            carried += self.muster[target * 4 + tier]
            if carried > 0:
                carried -= 1
        return top + self.muster[target * 4 + top] + carried + self.royal[target] - 1 >= defence

    def _defence(self, code: int, square: int) -> int:
        """The defence tier of a piece (given as on the board) on a square."""
        number = code & 15
        if number != DRAGON and (
            self.standing[(code >> 4) - 1] == square or HOME[number] == self.ground[square]
        ):
            return TIER[number] + 1
        return TIER[number]

    # --- what it tells ----------------------------------------------------------------------------

    def state(self) -> State:
        pieces = {}
        names = MIKELEPAGE.squares
        for square in range(SQUARES):
            code = self.board_[square]
            if code != 0 and code != ROCK:
                pieces[names[square]] = MEN[(code >> 4) - 1][(code & 15) - 1]
        return State(
            by_name(pieces),
            dict(self.terrain),
            Color(self.side),
            self.quiet_turns,
            bool(self.passed),
            {
                "mountains": list(self.mountains),
                "fortress": {str(color): self._fortress(color) for color in Color},
                "reserve": {str(color): bool(self.reserve[color]) for color in Color},
                "king_taken": {str(color): not self.kings[color] for color in Color},
                "lost": {str(color): self._lost_pieces(color) for color in Color},
                "pending": PENDING[self.pending],
                "in_turn": bool(self.turn_open),
                "over": self._over(),
            },
            self.result == DRAWN,
        )

    def _fortress(self, color: int) -> dict[str, Any]:
        corner = self.corner[color]
        return {
            "at": MIKELEPAGE.squares[self.site[color]],
            "ruined": self.standing[color] == OFF,
            "corner": None if corner == OFF else MIKELEPAGE.squares[corner],
        }

    def _lost_pieces(self, color: int) -> dict[str, int]:
        return {
            kind.name: self.lost[color * TYPES + number]
            for number, kind in enumerate(TYPE_LIST, 1)
            if self.lost[color * TYPES + number]
        }

    def _over(self) -> str | None:
        if self.result in (ONGOING, DRAWN):
            return None
        return "won" if self.result == WHITE_WINS + self.side else "lost"

    def copy(self) -> MikelepagePosition:
        other = MikelepagePosition.__new__(MikelepagePosition)
        other._allocate()
        self._start_copy(other)
        other.terrain, other.mountains = self.terrain, self.mountains
        other.pending, other.after, other.hits = self.pending, self.after, 0
        other.stamp = 0
        for square in range(SQUARES + 1):
            other.board_[square] = self.board_[square]
            other.ground[square] = self.ground[square]
            other.slot_at[square] = self.slot_at[square]
            other.seen[square] = 0
        for slot in range(ALL_SLOTS):
            other.where[slot] = self.where[slot]
        for slot in range(2 * SLOTS):
            other.code_of[slot] = self.code_of[slot]
        for number in range(2 * TYPES):
            other.lost[number] = self.lost[number]
        for color in range(2):
            other.count[color] = self.count[color]
            other.kings[color] = self.kings[color]
            other.reserve[color] = self.reserve[color]
            other.dragon[color] = self.dragon[color]
            other.site[color] = self.site[color]
            other.standing[color] = self.standing[color]
            other.corner[color] = self.corner[color]
            other.centre[color] = self.centre[color]
        return other

    def quiet_at_turn_end(self) -> int:
        """A promotion at the beginning of a turn is progress of that turn only (D11)."""
        if self.turn_open or self.quiet_turns >= 0 or self.history.size == 0:
            return self.quiet_turns
        before = self.history.items[self.history.size - 2]
        record = self.history.items[self.history.size - 1]
        promoted_or_ruined = record >> 32 & 31
        if before & 31 != NO_SLOT or record & KIND == BRING_OUT or promoted_or_ruined:
            return 0
        return int(before >> 8 & 16383)  # the count before the action, plus this turn

    def defences(self) -> dict[str, int]:
        """The defence tier of each piece."""
        found = {}
        for square in range(SQUARES):
            code = self.board_[square]
            if code != 0 and code != ROCK:
                found[MIKELEPAGE.squares[square]] = self._defence(code, square)
        return dict(sorted(found.items()))

    def effects(self) -> list[Effect]:
        """``captured`` (with ``by_flanking`` if nothing less would have done), then what happened
        by itself: ``promoted_at_end``, ``fortress_ruined``, and ``promoted_at_beginning`` of the
        turn that follows or, after the choice of a corner, of the same turn."""
        if self.history.size == 0:
            return []
        before = self.history.items[self.history.size - 2]
        record = self.history.items[self.history.size - 1]
        after = record >> 32
        ends_turn = record & KIND != CORNER and record & KIND != PROMOTE
        actor = PLAYERS[1 - self.side if ends_turn else self.side]
        effects = []
        if ends_turn and before & 31 != NO_SLOT:
            effects += self._capture_effects(
                actor, record >> TARGET & SQUARE, before & 31, after & 15
            )
        if after & 15:
            effects.append(Effect("promoted_at_end", actor, self._site(actor), "king"))
        if after >> 4 & 1:
            effects.append(Effect("fortress_ruined", actor, self._site(actor)))
        if after >> 9:
            becomes = TYPE_LIST[(after >> 9) - 1].name
            player = PLAYERS[self.side]
            effects.append(Effect("promoted_at_beginning", player, self._site(player), becomes))
        return effects

    def _capture_effects(self, actor: Color, square: int, slot: int, was: int) -> list[Effect]:
        """``was`` is the type that the taking piece had if it has become king since."""
        name, victim = MIKELEPAGE.squares[square], actor.other
        code = self.code_of[victim * SLOTS + slot]
        effects = [Effect("captured", victim, name, TYPE_LIST[(code & 15) - 1].name)]
        number = self.board_[square] & 15
        if was and square == self.site[actor]:
            number = was
        if TIER[number] < self._defence(code, square):
            effects.append(Effect("by_flanking", actor, name))
        return effects

    def _site(self, color: int) -> str:
        return MIKELEPAGE.squares[self.site[color]]

    def ending(self) -> End:
        if self.result == DRAWN:
            return End.FORCED_PASSES
        # Step 4c ends the loser's turn, step 4d the winner's.
        return End.KING_LOST if self.result == WHITE_WINS + self.side else End.KING_CAPTURED
