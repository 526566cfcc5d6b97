"""Positions of Mikelepage's Cyvasse: the steps of a turn, play and undo, and what happened.

``make`` also carries out what happens by itself (mikelepage D8): the end of the turn, and the
beginning of the next one up to the first thing that its player has to decide.  What a position
consists of is in ``placement.py``, what is legal in ``reach.py``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import TERRAINS
from cyvasse.rules.mikelepage.placement import TYPE_LIST
from cyvasse.rules.mikelepage.reach import Reach
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Effect, End, Setup, State
from cyvasse.rules.zobrist import keys

if not cython.compiled:
    from cyvasse.actions import (
        BRING_OUT,
        CAPTURE,
        CORNER,
        KIND,
        ORIGIN,
        PASS,
        PIECE,
        PROMOTE,
        SQUARE,
        TARGET,
    )
    from cyvasse.rules.base import DRAWN, ONGOING, QUIET_LIMIT, WHITE_WINS
    from cyvasse.rules.mikelepage.placement import (
        CROSSBOWS,
        DRAGON,
        HIGHER,
        KING,
        LIGHT_HORSE,
        NO_SLOT,
        NOTHING,
        OFF,
        RABBLE,
        ROCK,
        SLOTS,
        SQUARES,
        THE_CORNER,
        THE_PROMOTION,
        TYPES,
    )
    from cyvasse.rules.mikelepage.reach import LETTER, TIER

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

PLAYERS = (WHITE, BLACK)  # Color() would look the number up, which takes longer


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


_fill_keys()


def first_position(rules: RuleSet, white: Setup, black: Setup, first: Color) -> Position:
    """The position when the screen is lifted over two legal setups."""
    position = MikelepagePosition.__new__(MikelepagePosition)
    position._set_up(rules, white, black, int(first))
    position._finish()
    return position


class MikelepagePosition(Reach):
    """A position of Mikelepage's Cyvasse."""

    after: int  # what happened by itself with the action that is being made

    def __init__(self, rules: RuleSet, state: State) -> None:
        super().__init__(rules, state)
        self._finish()

    def _finish(self) -> None:
        """What follows from the placement: the centres and the hash."""
        for color in range(2):
            self._find_centre(color)
            self.key ^= FORTRESS_KEYS[color * SQUARES + self.site[color]]
            if self.standing[color] == OFF:
                self.key ^= RUIN_KEYS[color]
            if self.corner[color] != OFF:
                self.key ^= CORNER_KEYS[color * SQUARES + self.corner[color]]
            if self.reserve[color]:
                self.key ^= RESERVE_KEYS[color]
            for i in range(color * TYPES + 1, color * TYPES + TYPES):
                self.key ^= LOST_KEYS[i * 8 + self.lost[i]]
        for square in range(SQUARES):
            code = self.board_[square]
            if code == ROCK:
                self.key ^= GROUND_KEYS[square]
            elif code != 0:
                self.key ^= PIECE_KEYS[code * SQUARES + square]
            if self.ground[square]:
                self.key ^= GROUND_KEYS[self.ground[square] * SQUARES + square]
        if self.side:
            self.key ^= SIDE_KEY[0]
        self.key ^= FLAG_KEYS[self._flags()] ^ RESULT_KEYS[self.result]

    def copy(self) -> MikelepagePosition:
        other = MikelepagePosition.__new__(MikelepagePosition)
        self._copy_placement(other)
        return other

    # --- play and undo ----------------------------------------------------------------------------

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
        if kind != PROMOTE and self.result == ONGOING:
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

    # --- the steps of a turn ----------------------------------------------------------------------

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

    # --- what happened ----------------------------------------------------------------------------

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
