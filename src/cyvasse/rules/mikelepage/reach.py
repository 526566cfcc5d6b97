"""What is legal in Mikelepage's Cyvasse: which squares each piece reaches, and who may take whom.

A capture may need flanking, which depends on every piece that reaches the target.  So the moves are
listed first, with a note of who reaches which opposing piece, and the captures after that.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import LETTERS
from cyvasse.boards import HEXAGON_DIAGONALS
from cyvasse.rules.base import Stack
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import BRING_OUT_RANGE, PIECES, RING
from cyvasse.rules.mikelepage.placement import CORNER_NAMES, GROUNDS, Placement

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
    from cyvasse.rules.base import MAX_ACTIONS, ONGOING
    from cyvasse.rules.mikelepage.placement import (
        CROSSBOWS,
        DRAGON,
        ELEPHANT,
        KING,
        LIGHT_HORSE,
        NOTHING,
        OFF,
        RABBLE,
        ROCK,
        SLOTS,
        SPEARS,
        SQUARES,
        THE_CORNER,
        TREBUCHET,
        TYPES,
    )

    HITS = 400  # every piece may reach every opposing piece
    DIAGONALS = 6  # where the diagonal directions begin in STEP
    NEARBY = 62  # squares that a dragon may be brought out to, and an OFF that ends the list

    STEP = [0] * (SQUARES + 1) * 12
    AROUND = [0] * SQUARES * (SQUARES + 1) * 2
    NEAR = [0] * SQUARES * NEARBY
    CORNERS = [0] * 6
    TIER = [0] * TYPES
    HOME = [0] * TYPES
    REACH = [0] * TYPES
    LETTER = [0] * TYPES

_HOMELESS = 99  # a ground that no square has


def _fill_tables() -> None:
    _fill_steps()
    _fill_rings()
    for i in range(6):
        CORNERS[i] = MIKELEPAGE.index(CORNER_NAMES[i])
    for number, spec in enumerate(PIECES, 1):
        TIER[number] = spec.tier
        HOME[number] = _HOMELESS if spec.home is None else GROUNDS[spec.home]
        unlimited = 6 * SQUARES if spec.movement == RING else MIKELEPAGE.width
        REACH[number] = unlimited if spec.reach is None else spec.reach
        LETTER[number] = LETTERS.index(spec.type.letter)


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


_fill_tables()


class Reach(Placement):
    """A placement that lists what its player may do."""

    # Scratch space of generate.
    hit_by: list[int]
    hit_at: list[int]
    hits: int
    muster: list[int]  # how many pieces reach a square, by square and tier; neither kings ...
    royal: list[int]  # ... nor dragons, and whether the king does
    seen: list[int]
    stamp: int
    queue: list[int]

    def _allocate(self) -> None:
        super()._allocate()
        if not cython.compiled:  # in C everything is 0 at first
            squares = SQUARES + 1
            self.hit_by, self.hit_at = [0] * HITS, [0] * HITS
            self.muster, self.royal = [0] * squares * 4, [0] * squares
            self.seen, self.queue = [0] * squares, [0] * squares
            self.hits = self.stamp = 0

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

    # --- who reaches what -------------------------------------------------------------------------

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

    # --- who may take whom ------------------------------------------------------------------------

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

    def defences(self) -> dict[str, int]:
        """The defence tier of each piece."""
        found = {}
        for square in range(SQUARES):
            code = self.board_[square]
            if code != 0 and code != ROCK:
                found[MIKELEPAGE.squares[square]] = self._defence(code, square)
        return dict(sorted(found.items()))
