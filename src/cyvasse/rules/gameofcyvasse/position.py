"""Positions of gameofcyvasse: legal actions, play and undo.

A piece is a code, ``color << 4 | rank``, and each player has one of a kind: the code says all about
a piece but where it stands, and it is the piece's place in the list of squares and its bit in the
set of pieces that wait.  One square, OFF, stands for everything beyond the edge; its ground is
mountain, so that whoever walks stops there.  A ruined fortress is grass.
"""

from __future__ import annotations

from collections.abc import Iterator

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.errors import StateError
from cyvasse.rules.base import Position, Stack
from cyvasse.rules.gameofcyvasse.board import GAMEOFCYVASSE
from cyvasse.rules.gameofcyvasse.pieces import PIECES, takes
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Effect, State, by_name, men
from cyvasse.rules.zobrist import keys

if not cython.compiled:
    from cyvasse.actions import (
        CAPTURE,
        KIND,
        MOVE,
        ORIGIN,
        PASS,
        SHOOT,
        SIEGE,
        SQUARE,
        TARGET,
        VICTIM,
    )
    from cyvasse.rules.base import (
        BLACK_WINS,
        DRAWN,
        MAX_ACTIONS,
        ONGOING,
        QUIET_LIMIT,
        WHITE_WINS,
    )

    CROSSBOWMAN = 3
    LIGHT_HORSE = 4
    HEAVY_HORSE = 5
    CATAPULT = 7
    TREBUCHET = 8
    DRAGON = 9
    KING = 10

    GRASS = 0
    FOREST = 1
    WATER = 2
    FORTRESS = 3  # a standing one
    MOUNTAIN = 4

    SQUARES = 64
    OFF = 64  # the square beyond the edge; also "no square"
    CODES = 32
    NOWHERE = 8  # the direction of a Trebuchet that has not moved (D7)

    STEP = [0] * (SQUARES + 1) * 8
    HEADING = [0] * 19
    TAKES = [0] * CODES * CODES
    SHOT_COUNT = [0] * SQUARES
    SHOTS = [0] * SQUARES * 24 * 3
    PIECE_KEYS = [0] * CODES * SQUARES
    WAIT_KEYS = [0] * SQUARES
    RUIN_KEYS = [0] * SQUARES
    GROUND_KEYS = [0] * 5 * SQUARES
    FACING_KEYS = [0] * CODES
    SIDE_KEY = [0]
    PASSED_KEY = [0]
    DRAWN_KEY = [0]

MEN = men(spec.type for spec in PIECES)

GROUNDS = {"forest": FOREST, "water": WATER, "fortress": FORTRESS, "mountain": MOUNTAIN}
CODE_OF = {
    piece: color << 4 | spec.rank
    for color, pieces in enumerate(MEN)
    for piece, spec in zip(pieces, PIECES, strict=True)
}


def _fill_tables() -> None:
    _fill_steps()
    _fill_shots()
    for attacker in range(CODES):
        for victim in range(CODES):
            TAKES[attacker * CODES + victim] = _takes(attacker, victim)
    stream = keys("gameofcyvasse")
    for color in range(2):
        for spec in PIECES:
            for square in range(SQUARES):
                PIECE_KEYS[(color * 16 + spec.rank) * SQUARES + square] = next(stream)
        for direction in range(NOWHERE):
            FACING_KEYS[color * 16 + direction] = next(stream)
    for square in range(SQUARES):
        WAIT_KEYS[square] = next(stream)
        RUIN_KEYS[square] = next(stream)
    SIDE_KEY[0] = next(stream)
    PASSED_KEY[0] = next(stream)
    DRAWN_KEY[0] = next(stream)
    for ground in GROUNDS.values():
        for square in range(SQUARES):
            GROUND_KEYS[ground * SQUARES + square] = next(stream)


def _fill_steps() -> None:
    for d, direction in enumerate(GAMEOFCYVASSE.directions):
        for square in range(SQUARES):
            there = GAMEOFCYVASSE.neighbour(square, direction)
            STEP[square * 8 + d] = OFF if there is None else there
        STEP[OFF * 8 + d] = OFF
        # The difference of two neighbours' numbers tells the direction from one to the other.
        dx, dy = GAMEOFCYVASSE.steps[direction]
        HEADING[9 + dx + 8 * dy] = d


def _fill_shots() -> None:
    """What a Catapult reaches, and the two squares that must not both be mountains (D8)."""
    for square in range(SQUARES):
        count = 0
        for target, cover in _catapult_shots(square):
            place = (square * 24 + count) * 3
            SHOTS[place] = target
            SHOTS[place + 1], SHOTS[place + 2] = cover
            count += 1
        SHOT_COUNT[square] = count


def _catapult_shots(square: int) -> Iterator[tuple[int, tuple[int, int]]]:
    x, y = GAMEOFCYVASSE.coordinates[square]
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            target = GAMEOFCYVASSE.at(x + dx, y + dy)
            if target is None or target == square:
                continue
            if max(abs(dx), abs(dy)) == 1:
                yield target, (square, square)  # the Catapult's own square is never a mountain
                continue
            # Halfway, rounded both ways: one square on a line, two for a knight's jump.
            inner_x, inner_y = _half(dx), _half(dy)
            near = GAMEOFCYVASSE.at(x + inner_x, y + inner_y)
            far = GAMEOFCYVASSE.at(x + dx - inner_x, y + dy - inner_y)
            assert near is not None
            assert far is not None
            yield target, (near, far)


def _half(distance: int) -> int:
    """Half of a number from -2 to 2, rounded towards 0."""
    return (distance == 2) - (distance == -2)


def _takes(attacker: int, victim: int) -> int:
    """By codes, friendly fire included, but never on the own King (D5)."""
    names = {spec.rank: spec.type.name for spec in PIECES}
    if attacker & 15 not in names or victim & 15 not in names:
        return 0
    if victim & 15 == KING and attacker >> 4 == victim >> 4:
        return 0
    return 1 if takes(names[attacker & 15], names[victim & 15]) else 0


_fill_tables()


class GameOfCyvassePosition(Position):
    """A position of gameofcyvasse."""

    terrain: dict[str, str]
    board_: list[int]  # the code of the piece on each square, 0 where there is none
    ground_: list[int]
    laid: list[int]  # the squares of each ground, one bit each; ruins are still counted
    where: list[int]  # the square of each piece by its code, OFF when it is taken
    facing: list[int]  # where each player's Trebuchet points
    waiting: int  # one bit for each piece that waits
    # Scratch space of generate.
    seen: list[int]
    stamp: int
    reach: list[int]  # squares reached with 0 to 3 steps left
    reached: list[int]  # how many of each

    def __init__(self, rules: RuleSet, state: State) -> None:
        state = rules.checked_state(state)
        super().__init__(rules, state)
        self._allocate()
        if state.quiet_turns < 0:
            raise StateError("quiet_turns is -1, but a turn of gameofcyvasse is never left open")
        self.terrain = dict(state.terrain)
        self.stamp = 0
        self.waiting = 0
        for square in range(SQUARES + 1):
            self.board_[square] = 0
            self.ground_[square] = GRASS
            self.seen[square] = 0
        for code in range(CODES):
            self.where[code] = OFF
        for ground in range(MOUNTAIN + 1):
            self.laid[ground] = 0
        self._lay_ground(state)
        self._place(state)
        self._make_wait(state)
        self._aim(state)
        self._judge(state)
        if self.side:
            self.key ^= SIDE_KEY[0]
        if self.passed:
            self.key ^= PASSED_KEY[0]

    def _allocate(self) -> None:
        """Make the lists that stand for C arrays where nothing is compiled."""
        if not cython.compiled:
            squares = SQUARES + 1
            self.board_, self.ground_, self.seen = [0] * squares, [0] * squares, [0] * squares
            self.where, self.facing = [OFF] * CODES, [NOWHERE] * 2
            self.laid = [0] * 5
            self.reach, self.reached = [0] * 4 * SQUARES, [0] * 4

    def _lay_ground(self, state: State) -> None:
        self.ground_[OFF] = MOUNTAIN
        squares = GAMEOFCYVASSE.numbers
        for name, laid in self.terrain.items():
            square, ground = squares[name], GROUNDS[laid]
            self.ground_[square] = ground
            spot = 1
            spot <<= square
            self.laid[ground] |= spot
            self.key ^= GROUND_KEYS[ground * SQUARES + square]
        for name in state.fields["ruined"]:
            square = GAMEOFCYVASSE.index(name)
            if self.ground_[square] != FORTRESS:
                raise StateError(f"{name} is listed as ruined, but no fortress was laid there")
            self.ground_[square] = GRASS
            self.key ^= RUIN_KEYS[square]

    def _place(self, state: State) -> None:
        squares = GAMEOFCYVASSE.numbers
        for name, piece in state.pieces.items():
            square, code = squares[name], CODE_OF[piece]
            if self.ground_[square] == MOUNTAIN and code & 15 != DRAGON:
                title = self.rules.piece_type(piece.type).title
                raise StateError(f"the {title} on {name} stands on a mountain; only a Dragon may")
            self.board_[square] = code
            self.where[code] = square
            self.key ^= PIECE_KEYS[code * SQUARES + square]

    def _make_wait(self, state: State) -> None:
        for name in state.fields["waiting"]:
            square = GAMEOFCYVASSE.index(name)
            code = self.board_[square]
            if code == 0:
                raise StateError(f"a piece waits on {name}, but nothing stands there")
            if self.ground_[square] != WATER:
                raise StateError(f"a piece waits on {name}, which is not water")
            if code & 15 == DRAGON:
                raise StateError(f"the Dragon waits on {name}, but a Dragon never waits")
            self.waiting |= 1 << code
            self.key ^= WAIT_KEYS[square]

    def _aim(self, state: State) -> None:
        self.facing[0] = self.facing[1] = NOWHERE
        for name, direction in state.fields["facing"].items():
            code = self.board_[GAMEOFCYVASSE.index(name)]
            if code & 15 != TREBUCHET:
                raise StateError(f"{name} faces {direction}, but no Trebuchet stands there")
            self._face(code >> 4, GAMEOFCYVASSE.directions.index(direction))

    def _judge(self, state: State) -> None:
        lost = [self.where[color * 16 + KING] == OFF for color in (WHITE, BLACK)]
        if all(lost):
            raise StateError("both Kings are missing; one at least must be on the board")
        if lost[WHITE]:
            self.result = BLACK_WINS
        if lost[BLACK]:
            self.result = WHITE_WINS
        if state.drawn:
            if any(lost):
                raise StateError("drawn is true, but a King is missing")
            self.result = DRAWN
            self.key ^= DRAWN_KEY[0]

    # --- the inner face ---------------------------------------------------------------------------

    def generate(self, out: Stack) -> None:
        if self.result != ONGOING:
            return
        out.reserve(MAX_ACTIONS)
        start = out.size
        self._act(1, KING + 1, out)
        if out.size == start:
            out.items[out.size] = PASS
            out.size += 1

    def generate_like(self, code: int, out: Stack) -> None:
        if self.result != ONGOING or code & KIND == PASS:
            self.generate(out)
            return
        origin = code >> ORIGIN & SQUARE
        piece = self.board_[origin]
        if piece and piece >> 4 == self.side:
            out.reserve(MAX_ACTIONS)
            rank = piece & 15
            self._act(rank, rank + 1, out)

    def _act(self, low: int, high: int, out: Stack) -> None:
        """List what the pieces do whose ranks go from ``low`` to below ``high``."""
        for rank in range(low, high):
            code = self.side << 4 | rank
            square = self.where[code]
            if square == OFF or self.waiting >> code & 1:
                continue
            if rank == DRAGON:
                self._fly(square, out)
            elif rank == LIGHT_HORSE:
                self._ride(square, 3, out)
            elif rank == HEAVY_HORSE:
                self._ride(square, 2, out)
            elif rank in (CROSSBOWMAN, CATAPULT, TREBUCHET):
                # Those who shoot cannot attack from water, not even in melee.
                if self.ground_[square] == WATER:
                    self._walk(square, 0, out)
                    continue
                self._walk(square, 1, out)
                if rank == CROSSBOWMAN:
                    self._shoot_beside(square, out)
                elif rank == CATAPULT:
                    self._shoot_around(square, out)
                else:
                    self._shoot_ahead(square, out)
            else:
                self._walk(square, 1, out)

    def make(self, code: int) -> None:
        kind = code & KIND
        struck = 0
        excused = kind == PASS and self._is_excused()
        self.history.reserve(3)
        self.history.items[self.history.size] = self.key
        self.history.items[self.history.size + 1] = self._small_print()
        # Whoever waits has waited long enough once this turn is over (D10).
        self._end_waits()
        if kind == PASS and not excused:
            if self.passed:
                self.result = DRAWN
                self.key ^= DRAWN_KEY[0]
            else:
                self.passed = 1
                self.key ^= PASSED_KEY[0]
        elif self.passed:
            self.passed = 0
            self.key ^= PASSED_KEY[0]
        if kind != PASS:
            origin = code >> ORIGIN & SQUARE
            target = code >> TARGET & SQUARE
            victim = code >> VICTIM & SQUARE
            if kind != MOVE:
                struck = self._strike(victim)
            if kind != SHOOT:
                if self.board_[origin] & 15 == TREBUCHET:
                    aim = victim if kind == SIEGE else target
                    self._face(self.side, HEADING[9 + aim - origin])
                if target != origin:
                    self._relocate(origin, target)
        self.history.items[self.history.size + 2] = code | struck << 32
        self.history.size += 3
        if struck:
            self.quiet_turns = 0
        elif self.quiet_turns < QUIET_LIMIT:
            self.quiet_turns += 1
        self.side = 1 - self.side
        self.key ^= SIDE_KEY[0]

    def unmake(self) -> None:
        self.history.size -= 3
        self.key = self.history.items[self.history.size]
        past = self.history.items[self.history.size + 1]
        code = self.history.items[self.history.size + 2]
        self.waiting = past & 0x7FFFFFFF
        self.facing[0] = past >> 32 & 15
        self.facing[1] = past >> 36 & 15
        self.passed = past >> 40 & 1
        self.quiet_turns = past >> 41 & 16383
        self.result = ONGOING
        self.side = 1 - self.side
        kind = code & KIND
        if kind == PASS:
            return
        origin = code >> ORIGIN & SQUARE
        target = code >> TARGET & SQUARE
        if kind != SHOOT and target != origin:
            piece = self.board_[target]
            self.board_[target] = 0
            self.board_[origin] = piece
            self.where[piece] = origin
        if kind != MOVE:
            victim = code >> VICTIM & SQUARE
            piece = code >> 32 & 31
            if piece:
                self.board_[victim] = piece
                self.where[piece] = victim
            else:
                self.ground_[victim] = FORTRESS

    def _small_print(self) -> int:
        """What an action may change beyond pieces and fortresses, in one word."""
        waiting = self.waiting
        white = self.facing[0]
        black = self.facing[1]
        passed = self.passed
        quiet = self.quiet_turns
        return waiting | white << 32 | black << 36 | passed << 40 | quiet << 41

    def _is_excused(self) -> int:
        """Whether a pass is forced only because pieces wait (D14).

        The search also passes where something else could be done; that is no excuse.
        """
        waiting = self.waiting
        own = waiting >> (16 * self.side) & 0xFFFF
        if not own or self._choices():
            return 0
        self.waiting ^= own << (16 * self.side)
        excused = self._choices() > 0
        self.waiting = waiting
        return excused

    def _choices(self) -> int:
        """How many actions there are but passing; they are listed behind the history for that."""
        self.history.reserve(MAX_ACTIONS)
        start = self.history.size
        self._act(1, KING + 1, self.history)
        found = self.history.size - start
        self.history.size = start
        return found

    def _end_waits(self) -> None:
        """Free the pieces of the player to act that wait."""
        own = self.waiting >> (16 * self.side) & 0xFFFF
        if own:
            for rank in range(1, KING + 1):
                if own >> rank & 1:
                    self.key ^= WAIT_KEYS[self.where[self.side << 4 | rank]]
            self.waiting ^= own << (16 * self.side)

    def _strike(self, victim: int) -> int:
        """Attack a square: the code of the piece that falls, or CODES if a fortress does."""
        if self.ground_[victim] == FORTRESS:
            self.ground_[victim] = GRASS
            self.key ^= RUIN_KEYS[victim]
            return CODES
        fallen = self.board_[victim]
        self.board_[victim] = 0
        self.where[fallen] = OFF
        self.key ^= PIECE_KEYS[fallen * SQUARES + victim]
        if self.waiting >> fallen & 1:
            self.waiting ^= 1 << fallen
            self.key ^= WAIT_KEYS[victim]
        if fallen & 15 == TREBUCHET:
            self._face(fallen >> 4, NOWHERE)
        elif fallen & 15 == KING:
            self.result = WHITE_WINS + self.side
        return fallen

    def _relocate(self, origin: int, target: int) -> None:
        piece = self.board_[origin]
        self.board_[origin] = 0
        self.board_[target] = piece
        self.where[piece] = target
        self.key ^= PIECE_KEYS[piece * SQUARES + origin] ^ PIECE_KEYS[piece * SQUARES + target]
        if self.ground_[target] == WATER and piece & 15 != DRAGON:
            self.waiting |= 1 << piece
            self.key ^= WAIT_KEYS[target]

    def _face(self, color: int, direction: int) -> None:
        """Point a player's Trebuchet somewhere (D7)."""
        before = self.facing[color]
        self.key ^= FACING_KEYS[color << 4 | before] ^ FACING_KEYS[color << 4 | direction]
        self.facing[color] = direction

    # --- moves and melee --------------------------------------------------------------------------

    def _walk(self, origin: int, fights: int, out: Stack) -> None:
        """One step, onto an empty square or onto a piece."""
        piece = self.board_[origin]
        for d in range(8):
            target = STEP[origin * 8 + d]
            ground = self.ground_[target]
            if ground == MOUNTAIN:
                continue
            victim = self.board_[target]
            if victim == 0:
                out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                out.size += 1
            elif fights and TAKES[piece << 5 | victim]:
                if ground == FORTRESS:
                    out.items[out.size] = (
                        SIEGE | origin << ORIGIN | origin << TARGET | target << VICTIM
                    )
                else:
                    out.items[out.size] = (
                        CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
                    )
                out.size += 1

    def _ride(self, origin: int, steps: int, out: Stack) -> None:
        """Several steps.  What a step costs depends on the square that is entered alone, so the
        first way found to a square, from whoever has most steps left, leaves most steps there."""
        self.stamp += 1
        stamp = self.stamp
        self.seen[origin] = stamp
        piece = self.board_[origin]
        for left in range(1, steps):
            self.reached[left] = 0
        self.reach[steps * SQUARES] = origin
        self.reached[steps] = 1
        for left in range(steps, 0, -1):
            for i in range(self.reached[left]):
                here = self.reach[left * SQUARES + i]
                for d in range(8):
                    target = STEP[here * 8 + d]
                    ground = self.ground_[target]
                    if ground == MOUNTAIN or self.seen[target] == stamp:
                        continue
                    victim = self.board_[target]
                    if victim == 0:
                        self.seen[target] = stamp
                        out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                        out.size += 1
                        rest = left - 2 if ground == FOREST else left - 1
                        if rest > 0 and ground != WATER:
                            self.reach[rest * SQUARES + self.reached[rest]] = target
                            self.reached[rest] += 1
                    elif TAKES[piece << 5 | victim]:
                        if ground == FORTRESS:
                            # Not marked as seen: each square to besiege it from counts (D9).
                            out.items[out.size] = (
                                SIEGE | origin << ORIGIN | here << TARGET | target << VICTIM
                            )
                        else:
                            self.seen[target] = stamp
                            out.items[out.size] = (
                                CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
                            )
                        out.size += 1

    def _fly(self, origin: int, out: Stack) -> None:
        """The Dragon's lines, over everything but the enemy Dragon."""
        piece = self.board_[origin]
        rival = (1 - self.side) << 4 | DRAGON
        for d in range(8):
            last = origin  # where a siege on this line would end (D9)
            target = STEP[origin * 8 + d]
            while target != OFF:
                victim = self.board_[target]
                if victim == 0:
                    out.items[out.size] = MOVE | origin << ORIGIN | target << TARGET
                    out.size += 1
                    last = target
                else:
                    ground = self.ground_[target]
                    if ground != FOREST and TAKES[piece << 5 | victim]:
                        if ground == FORTRESS:
                            out.items[out.size] = (
                                SIEGE | origin << ORIGIN | last << TARGET | target << VICTIM
                            )
                        else:
                            out.items[out.size] = (
                                CAPTURE | origin << ORIGIN | target << TARGET | target << VICTIM
                            )
                        out.size += 1
                    if victim == rival:
                        break
                target = STEP[target * 8 + d]

    # --- shots ------------------------------------------------------------------------------------

    def _shoot_beside(self, origin: int, out: Stack) -> None:
        """The Crossbowman's shots."""
        piece = self.board_[origin]
        for d in range(8):
            target = STEP[origin * 8 + d]
            if TAKES[piece << 5 | self.board_[target]]:
                out.items[out.size] = SHOOT | origin << ORIGIN | target << TARGET | target << VICTIM
                out.size += 1

    def _shoot_around(self, origin: int, out: Stack) -> None:
        """The Catapult's shots (D8, D12)."""
        piece = self.board_[origin]
        first = origin * 72
        for place in range(first, first + 3 * SHOT_COUNT[origin], 3):
            target = SHOTS[place]
            if TAKES[piece << 5 | self.board_[target]] and not (
                self.ground_[SHOTS[place + 1]] == MOUNTAIN
                and self.ground_[SHOTS[place + 2]] == MOUNTAIN
            ):
                out.items[out.size] = SHOOT | origin << ORIGIN | target << TARGET | target << VICTIM
                out.size += 1

    def _shoot_ahead(self, origin: int, out: Stack) -> None:
        """The Trebuchet's shots, once it has a direction (D7, D8)."""
        direction = self.facing[self.side]
        if direction == NOWHERE:
            return
        piece = self.board_[origin]
        target = origin
        for _ in range(3):
            target = STEP[target * 8 + direction]
            if TAKES[piece << 5 | self.board_[target]]:
                out.items[out.size] = SHOOT | origin << ORIGIN | target << TARGET | target << VICTIM
                out.size += 1
            if self.ground_[target] == MOUNTAIN:
                break

    # --- what it tells ----------------------------------------------------------------------------

    def state(self) -> State:
        names = GAMEOFCYVASSE.squares
        pieces, waiting, facing = {}, [], {}
        for color in range(2):
            for place, spec in enumerate(PIECES):
                code = color * 16 + spec.rank
                square = self.where[code]
                if square == OFF:
                    continue
                pieces[names[square]] = MEN[color][place]
                if self.waiting >> code & 1:
                    waiting.append(names[square])
                if spec.rank == TREBUCHET and self.facing[color] != NOWHERE:
                    facing[names[square]] = GAMEOFCYVASSE.directions[self.facing[color]]
        ruined = [
            name
            for name, ground in self.terrain.items()
            if ground == "fortress" and self.ground_[GAMEOFCYVASSE.index(name)] != FORTRESS
        ]
        return State(
            by_name(pieces),
            dict(self.terrain),
            Color(self.side),
            self.quiet_turns,
            bool(self.passed),
            {
                "ruined": ruined,
                "waiting": sorted(waiting),
                "facing": dict(sorted(facing.items())),
            },
            self.result == DRAWN,
        )

    def copy(self) -> GameOfCyvassePosition:
        other = GameOfCyvassePosition.__new__(GameOfCyvassePosition)
        other._allocate()
        self._start_copy(other)
        other.terrain = self.terrain
        other.waiting, other.stamp = self.waiting, self.stamp
        other.facing[0], other.facing[1] = self.facing[0], self.facing[1]
        for square in range(SQUARES + 1):
            other.board_[square] = self.board_[square]
            other.ground_[square] = self.ground_[square]
            other.seen[square] = self.seen[square]
        for code in range(CODES):
            other.where[code] = self.where[code]
        for ground in range(MOUNTAIN + 1):
            other.laid[ground] = self.laid[ground]
        return other

    def effects(self) -> list[Effect]:
        """``ruined``: a fortress fell instead of its piece; ``waits``: a piece entered water."""
        if self.history.size == 0:
            return []
        code = self.history.items[self.history.size - 1]
        names = GAMEOFCYVASSE.squares
        effects = []
        if code >> 32 == CODES:
            fortress = code >> VICTIM & SQUARE
            owner = WHITE if fortress < SQUARES // 2 else BLACK
            effects.append(Effect("ruined", owner, names[fortress]))
        piece = self.board_[code >> TARGET & SQUARE]
        if code & KIND in (MOVE, CAPTURE) and self.waiting >> piece & 1:
            spec = PIECES[(piece & 15) - 1]
            color = Color(1 - self.side)
            effects.append(Effect("waits", color, names[self.where[piece]], spec.type.name))
        return effects
