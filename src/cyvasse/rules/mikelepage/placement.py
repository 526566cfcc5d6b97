"""What a position of Mikelepage's Cyvasse consists of: read from a state or two setups, and told.

The board is an array of codes: 0 for an empty square, ``16 + type`` for a white and ``32 + type``
for a black piece, and codes of their own for mountains and for the one square that stands for
everything beyond the edge.  Each piece keeps its slot for the whole game; a captured piece's slot,
and that of a dragon in reserve, points beyond the edge.  Mountains have slots too, so that the
slots tell what stands where and nothing else has to be kept for the evaluation.
"""

from __future__ import annotations

from typing import Any

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.errors import StateError
from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import MOUNTAINS, PIECES, SPECS, TERRAINS
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup, State, by_name, men

if not cython.compiled:
    from cyvasse.rules.base import DRAWN, ONGOING, WHITE_WINS

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
    ROCK = 48
    EDGE = 64

    # What the player to act has to choose first.
    NOTHING = 0
    THE_CORNER = 1
    THE_PROMOTION = 2

    BROUGHT = [0] * TYPES  # the ground that a piece brings to its square in a setup, or 0
    MOST = [0] * TYPES  # how many pieces of a type a player has

TYPE_LIST = tuple(spec.type for spec in PIECES)
MEN = men(TYPE_LIST)
CODES = {
    piece: (16 << color) + number
    for color, pieces in enumerate(MEN)
    for number, piece in enumerate(pieces, 1)
}
OWNERS = ("white", "black")
NUMBERS = {kind.name: number for number, kind in enumerate(TYPE_LIST, 1)}
CORNER_NAMES = ("a11", "f11", "k6", "k1", "f1", "a6")
PENDING = (None, "corner", "promotion")
GROUNDS = {terrain: number for number, terrain in enumerate(TERRAINS, 1)}


def _fill_tables() -> None:
    for number, spec in enumerate(PIECES, 1):
        MOST[number] = spec.type.count
        BROUGHT[number] = GROUNDS[spec.home] if spec.home and spec.tier == 2 else 0


_fill_tables()


class Placement(Position):
    """What stands where, what is lost, ruined and chosen, and how far the turn has come."""

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

    def __init__(self, rules: RuleSet, state: State) -> None:
        state = rules.checked_state(state)
        super().__init__(rules, state)
        self._clear()
        self._lay(state)
        self._build_fortresses(state)
        self._place(state)
        self._count_lost(state)
        self._take_up_turn(state)

    def _clear(self) -> None:
        """An empty board, and nothing beside it."""
        self._allocate()
        self.pending = NOTHING
        for square in range(SQUARES + 1):
            self.board_[square] = self.ground[square] = 0
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
                    self.site[side] = self.standing[side] = square
                if BROUGHT[number]:
                    self.ground[square] = BROUGHT[number]
                    terrain[name] = TERRAINS[BROUGHT[number] - 1]
        self.terrain = by_name(terrain)
        self._take_slots()

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
            self.ground[squares[name]] = GROUNDS[ground]

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
            slot += 1

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
            self.site[side] = self.standing[side] = MIKELEPAGE.numbers[site]
            if fortress["ruined"]:
                self.standing[side] = OFF
            if corner is not None:
                self.corner[side] = MIKELEPAGE.numbers[corner]
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
                    if number == KING:
                        self.kings[side] = 1
        for side in range(2):
            if self.reserve[side]:
                self.dragon[side] = self._take_slot(side, (16 << side) + DRAGON)

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
            options = self._lost_pieces(self.side).keys() & SPECS["rabble"].becomes
            if self.board_[fortress] != (16 << self.side) + RABBLE or len(options) < 2:
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

    # --- told again, and copied -------------------------------------------------------------------

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

    def _copy_placement(self, other: Placement) -> None:
        """Give a fresh object everything that is here."""
        other._allocate()
        self._start_copy(other)
        other.terrain, other.mountains, other.pending = self.terrain, self.mountains, self.pending
        for square in range(SQUARES + 1):
            other.board_[square] = self.board_[square]
            other.ground[square] = self.ground[square]
            other.slot_at[square] = self.slot_at[square]
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
