"""The search: one for all rule sets, over Position and Evaluation.

Iterative deepening, principal variation search with a transposition table, quiescence over what
gains, null moves and late-move reductions.  What is unlike chess: a turn may be several actions, so
that the value of an action changes its sign only if the other player acts next; there is no check,
so Kings are simply taken; and an ongoing game without any action is lost for who should act.

Scores are hundredths of a Rabble for the player to act; ``WON - n`` is a win after n actions.

Functions whose names begin with an underscore run as C without the GIL and know no Python objects.
"""

from __future__ import annotations

import math
import time

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.engine.table import TranspositionTable
from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position, Stack
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.plain import PlainEvaluation, PlainPosition
from cyvasse.rules.terms import QUIET_TURNS, REPETITIONS
from cyvasse.rules.zobrist import keys

if not cython.compiled:
    from cyvasse.actions import END, KIND, ORIGIN, PASS, SQUARE, TARGET, VICTIM
    from cyvasse.engine.table import AT_LEAST, AT_MOST, EXACT
    from cyvasse.rules.base import DRAWN, MAX_ACTIONS, ONGOING, WHITE_WINS
    from cyvasse.rules.evaluation import KING_GAIN

    CHECKING = False  # compiled for checks, every undo inside the search is compared

    LONGEST = 100  # actions deep, quiescence included
    WON = 32000
    SURE = 31000  # scores beyond are won or lost games
    INFINITE = 32700

    # The order of actions: the table's, what gains, killers, the rest by its history, what loses.
    FIRST_CHOICE = 1 << 30
    GAINS = 1 << 28
    KILLS = 1 << 27
    PLAIN = 1 << 20
    MUCH = 1 << 14  # no history counts more

    FULL_WIDTH = 2
    DELTA = 200  # a capture that leaves more than this missing cannot save a quiet position
    LATEST = 64
    PACE = 511  # nodes between two looks at the clock
    REMEMBERED = 1 << 14  # worths of positions
    CODE = (1 << 30) - 1  # the part of a word that is an action
    NEAR_DRAW = 20  # turns before a draw by P3 from which on the count matters
    EVERYTHING = 1024  # who pays so much attention overlooks nothing
    MIXED = 0x7FFFFFFF
    LOOKS = 50000  # actions tried to see whether one loses at once

    REDUCTION = [0] * LONGEST * LATEST
    QUIET_KEYS = [0] * (NEAR_DRAW + 1)

    now = time.monotonic


_WRITTEN_IN_PYTHON = 1 << 9  # CPython's Py_TPFLAGS_HEAPTYPE


def _fill_tables() -> None:
    for depth in range(1, LONGEST):
        for place in range(1, LATEST):
            REDUCTION[depth * LATEST + place] = int(
                0.4 + math.log(depth) * math.log(place) / 2.0 + 1e-9
            )
    stream = keys("quiet")
    for left in range(NEAR_DRAW, -1, -1):
        QUIET_KEYS[left] = next(stream)


_fill_tables()


def check_position(position: object) -> None:
    """Refuse what the search cannot search.

    Compiled, it calls C alone: a class that is written in Python on top of the compiled Position
    has none, and would be searched wrongly in silence.
    """
    if not isinstance(position, Position):
        raise CyvasseError(f"the engine needs a position or a game, not {position!r:.40}")
    if cython.compiled:
        built = [kind for kind in type(position).__mro__ if not kind.__flags__ & _WRITTEN_IN_PYTHON]
        if built[0] is Position:
            raise CyvasseError(
                f"{type(position).__name__} is not compiled as the engine is: in plain Python a "
                "position is a PlainPosition"
            )


class Search:
    """One thread's search from one position, which is copied.

    ``repetition`` and ``quiet`` say whether P2 and P3 hold.
    """

    position: Position
    evaluation: Evaluation
    table: TranspositionTable
    found: Stack
    path: Stack  # keys at the beginnings of turns, the game's first
    nodes: int
    node_limit: int
    deadline: float
    pace: int
    stopped: bool
    repetition: bool
    quiet_rule: bool
    tree_from: int
    root_depth: int
    fault: BaseException | None
    killers: list[int]
    history: list[int]
    line: list[int]  # row n: the best line from n actions deep on
    line_length: list[int]
    weighed: list[int]  # keys of positions whose worth is remembered
    worths: list[int]
    roots: int  # those that are noticed come first
    all_roots: int
    root_code: list[int]
    attention: int
    mood: int  # which actions are overlooked
    looks: int
    finished: int  # root actions whose value stands in this iteration

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        table: TranspositionTable,
        *,
        repetition: bool = True,
        quiet: bool = True,
    ) -> None:
        self.position = position.copy()
        self.evaluation = evaluation
        self.table = table
        self.found = Stack()
        self.path = Stack()
        self.nodes = 0
        self.node_limit = 1 << 62
        self.deadline = 1e300
        plain = isinstance(position, PlainPosition) or isinstance(evaluation, PlainEvaluation)
        self.pace = 0 if plain or not cython.compiled else PACE  # what is slow looks each time
        self.stopped = False
        self.repetition = repetition
        self.quiet_rule = quiet
        self.fault = None
        self.root_depth = 0
        self.finished = 0
        self.attention = EVERYTHING
        self.mood = 0
        self.looks = 0
        if not cython.compiled:
            self.killers, self.history = [0] * 2 * LONGEST, [0] * 2 * MUCH
            self.line, self.line_length = [0] * LONGEST * LONGEST, [0] * (LONGEST + 1)
            self.root_code = [0] * MAX_ACTIONS
            self.weighed, self.worths = [0] * REMEMBERED, [0] * REMEMBERED
        for i in range(2 * LONGEST):
            self.killers[i] = 0
        for i in range(2 * MUCH):
            self.history[i] = 0
        for i in range(LONGEST + 1):
            self.line_length[i] = 0
        for i in range(REMEMBERED):
            self.weighed[i] = 0
        self._look_back(position.copy())
        self._list_roots()

    def _look_back(self, past: Position) -> None:
        """Fill ``path`` with the turns that led here, as far as they can be repeated."""
        seen: list[int] = []
        turns = past.quiet_turns
        while past.history.size and len(seen) <= turns:
            if not past.turn_open:
                seen.append(past.key)
            past.unmake()
        if not past.turn_open and len(seen) <= turns:
            seen.append(past.key)
        self.path.reserve(len(seen) + LONGEST + 2)
        for key in reversed(seen):
            self.path.items[self.path.size] = key
            self.path.size += 1
        # Coming back to the root counts as a draw, coming back to the game's past once does not.
        self.tree_from = self.path.size - (0 if self.position.turn_open else 1)

    def _list_roots(self) -> None:
        self.position.generate(self.found)
        self._rank(0, 0, 0)
        self.position.raise_fault()
        self.roots = self.all_roots = self.found.size
        for i in range(self.roots):
            self.root_code[i] = self._pick(i) & CODE
        self.found.size = 0

    # --- for the engine ---------------------------------------------------------------------------

    def limit(self, nodes: int | None, deadline: float | None) -> None:
        """Stop after so many nodes, or at that time of ``time.monotonic``."""
        self.node_limit = 1 << 62 if nodes is None else nodes
        self.deadline = 1e300 if deadline is None else deadline

    def overlook(self, own: int, later: int, mood: int) -> None:
        """Notice only so many own actions, and so many of 1024 later ones; ``mood`` draws which.

        What is overlooked follows from the position, so that the same search finds the same again.
        """
        self.mood = mood
        codes = [self.root_code[i] for i in range(self.all_roots)]
        lots = [self._hidden(code) for code in codes]
        order = sorted(range(self.all_roots), key=lots.__getitem__)
        for place, i in enumerate(order):
            self.root_code[place] = codes[i]
        self.roots = min(own, self.all_roots)
        self.attention = later

    def boldest(self) -> int:
        """Of the actions that are noticed the one after which most can be taken, or a win."""
        side = self.position.side
        risks = [self._risk(side, self.root_code[i]) for i in range(self.roots)]
        self.position.raise_fault()
        return self.root_code[risks.index(max(risks))]

    def safe(self, wish: int) -> int:
        """An action that does not lose at once: the wish, or the most promising that does not.

        To lose at once is to let the opponent win with the whole next turn.  If every action does
        so it stays at the wish.
        """
        side = self.position.side
        codes = [wish, *(self.root_code[i] for i in range(self.all_roots))]
        for code in codes:
            self.looks = LOOKS
            lost = self._loses(side, code, 1)
            self.position.raise_fault()
            if not lost:
                return code
        return wish

    def stop(self) -> None:
        """End the search from another thread."""
        self.stopped = True

    def is_checking(self) -> bool:
        """Whether this build compares every undo."""
        return bool(CHECKING)

    def first_choice(self) -> int:
        """The number of the action to play if nothing has been searched."""
        return self.root_code[0]

    def deepen(self, depth: int, lines: int, guess: int) -> list[tuple[int, list[int]]]:
        """Search so many actions deep: the best lines with their scores, the best first.

        ``guess`` is near what the last iteration found.  Stopped, it gives what it can be sure of,
        which may be nothing.
        """
        found: list[tuple[int, list[int]]] = []
        self.root_depth = depth
        for first in range(min(lines, self.roots)):
            value = self._run(depth, first, guess if first == 0 else INFINITE)
            self.position.raise_fault()
            if self.fault is not None:
                raise self.fault
            if self.finished and self.line_length[0]:
                found.append((value, [self.line[i] for i in range(self.line_length[0])]))
            if self.stopped:
                break
        return sorted(found, key=lambda line: -line[0])

    def _run(self, depth: int, first: int, guess: int) -> int:
        with cython.nogil:
            value = self._aspire(depth, first, guess)
        return value

    # --- the search -------------------------------------------------------------------------------

    def _aspire(self, depth: int, first: int, guess: int) -> int:
        """Look for a value near the last one before looking for any."""
        if depth >= 4 and -SURE < guess < SURE:
            value = self._root(depth, first, guess - 50, guess + 50)
            if self.stopped or guess - 50 < value < guess + 50:
                return value
        return self._root(depth, first, -INFINITE, INFINITE)

    def _root(self, depth: int, first: int, alpha: int, beta: int) -> int:
        """The value of the position without its ``first`` best actions.

        The best action moves to the front of the rest.
        """
        side = self.position.side
        key = self.position.key
        path_size = self.path.size
        best = -INFINITE
        self.finished = 0
        self.line_length[0] = 0
        for i in range(first, self.roots):
            if not self._may_go_on():
                break
            code = self.root_code[i]
            self._make(code)
            value = -INFINITE
            if i > first:
                value = self._value_after(side, depth - 1, alpha, alpha + 1, 1, 1)
            if i == first or (value > alpha and not self.stopped):
                value = self._value_after(side, depth - 1, alpha, beta, 1, 1)
            self._unmake(key, path_size)
            if self.stopped:
                break
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    self.finished = 1
                    self._keep_line(0, code)
                    for j in range(i, first, -1):
                        self.root_code[j] = self.root_code[j - 1]
                    self.root_code[first] = code
                    if value >= beta:
                        break
        return best

    def _value_after(
        self, side: int, depth: int, alpha: int, beta: int, ply: int, null: int
    ) -> int:
        """The value for ``side``, who has just acted."""
        if self.position.result != ONGOING:
            self.line_length[ply] = 0
            return self._ended(side, ply)
        if self.position.side == side:
            return self._search(depth, alpha, beta, ply, null)
        return -self._search(depth, -beta, -alpha, ply, null)

    def _ended(self, side: int, ply: int) -> int:
        if self.position.result == DRAWN:
            return 0
        return WON - ply if self.position.result == WHITE_WINS + side else ply - WON

    def _search(self, depth: int, alpha: int, beta: int, ply: int, null: int) -> int:
        self.line_length[ply] = 0
        if not self.position.turn_open and self._drawn():
            return 0
        if depth <= 0:
            return self._quiesce(alpha, beta, ply, FULL_WIDTH, 0)
        if ply >= LONGEST - 1:
            return self._worth()
        # A win that is already sure cannot be beaten from here on.
        if alpha < ply - WON:
            alpha = ply - WON
        if beta > WON - ply - 1:
            beta = WON - ply - 1
        if alpha >= beta:
            return alpha
        narrow = beta - alpha == 1
        key = self._key()
        hash_code = 0
        entry = self.table.probe(key)
        if entry:
            hash_code = entry & CODE
            value = entry >> 47
            value -= 32768
            if value > SURE:
                value -= ply
            elif value < -SURE:
                value += ply
            bound = entry >> 37 & 3
            searched = entry >> 30 & 127
            if narrow and searched >= depth:
                if bound == EXACT:
                    return value
                if bound == AT_LEAST and value >= beta:
                    return value
                if bound == AT_MOST and value <= alpha:
                    return value
        elif depth >= 5:
            depth -= 1  # without a good first action it is cheaper to come back
        static = self._worth()
        calm = narrow and not self.position.turn_open and -SURE < beta < SURE
        if calm and depth <= 3 and static - 120 * depth >= beta:
            return static
        start = self.found.size
        self.position.generate(self.found)
        count = self.found.size - start
        if count == 0:
            return ply - WON
        side = self.position.side
        here = self.position.key
        path_size = self.path.size
        # Whoever is well off even after giving the turn away need not look further.  With little
        # to do it might be good to be allowed to pass, so that proves nothing.
        safe = calm and not self.position.passed and static >= beta and count >= 8
        if safe and null and depth >= 3 and self._may_go_on():
            self._make(PASS)
            value = self._value_after(side, depth - 3 - depth // 5, beta - 1, beta, ply + 1, 0)
            self._unmake(here, path_size)
            if self.stopped:
                self.found.size = start
                return 0
            if value >= beta:
                self.found.size = start
                return beta if value > SURE else value
        self._rank(start, ply, hash_code)
        best = -INFINITE
        best_code = 0
        before = alpha
        size = self.found.size
        i = start
        while i < size:
            mark = self._pick(i)
            code = mark & CODE
            if self.attention < EVERYTHING and not self._notices(code):
                i += 1
                continue
            quiet = mark >> 32 < KILLS
            place = i - start
            i += 1
            # Late quiet actions so near the end hardly ever change anything, nor do later ones.
            near = quiet and narrow and best > -SURE and depth <= 3
            if near and (place > 4 + 4 * depth * depth or static + 150 * depth < alpha):
                break
            if not self._may_go_on():
                break
            # Ending a turn decides nothing, and a forced action leaves nothing to decide.
            deeper = depth - 1
            if code & KIND == END or (count == 1 and ply < 2 * self.root_depth):
                deeper = depth
            self._make(code)
            value = -INFINITE
            search_wide = place == 0
            if place > 0:
                shallower = deeper
                if depth >= 3 and place >= 3 and quiet:
                    shallower -= REDUCTION[
                        depth * LATEST + (place if place < LATEST else LATEST - 1)
                    ]
                    if not narrow and shallower < deeper:
                        shallower += 1
                    if shallower < 1:
                        shallower = 1
                value = self._value_after(side, shallower, alpha, alpha + 1, ply + 1, 1)
                if value > alpha and shallower < deeper and not self.stopped:
                    value = self._value_after(side, deeper, alpha, alpha + 1, ply + 1, 1)
                search_wide = alpha < value < beta
            if search_wide and not self.stopped:
                value = self._value_after(side, deeper, alpha, beta, ply + 1, 1)
            self._unmake(here, path_size)
            if self.stopped:
                break
            if value > best:
                best = value
                best_code = code
                if value > alpha:
                    alpha = value
                    self._keep_line(ply, code)
                    if value >= beta:
                        if quiet:
                            self._reward(start, i - 1, ply, depth)
                        break
        self.found.size = start
        if self.stopped:
            return 0
        if best == -INFINITE:
            return static  # everything was overlooked
        bound = EXACT
        if best >= beta:
            bound = AT_LEAST
        elif best <= before:
            bound = AT_MOST
        value = best
        if value > SURE:
            value += ply
        elif value < -SURE:
            value -= ply
        self.table.store(key, best_code, depth, bound, value)
        return best

    def _quiesce(self, alpha: int, beta: int, ply: int, width: int, scene: int) -> int:
        """The value once nothing can be gained at once; the player to act need not take.

        After ``width`` captures of all kinds only those are looked at that strike ``scene``, where
        the last capture ended, and those of Kings: where much hangs on both sides the number of
        orders in which it can be taken has no end.
        """
        self.line_length[ply] = 0
        best = self._worth()
        if best >= beta or ply >= LONGEST - 1:
            return best
        if best > alpha:
            alpha = best
        start = self.found.size
        self.position.generate_captures(self.found)
        end = start
        i = start
        while i < self.found.size:
            code = self.found.items[i]
            prize = self.evaluation.gain(self.position, code)
            victim = code >> VICTIM & SQUARE
            if self.attention < EVERYTHING and not self._notices(code):
                prize = 0
            if width <= 0 and prize < KING_GAIN and victim != scene:
                prize = 0
            if prize > 0 and best + prize + DELTA > alpha:
                gain = prize
                self.found.items[end] = code | gain << 32
                end += 1
            i += 1
        self.found.size = end
        side = self.position.side
        here = self.position.key
        path_size = self.path.size
        i = start
        while i < end:
            code = self._pick(i)
            prize = code >> 32
            i += 1
            if best + prize + DELTA <= alpha or not self._may_go_on():
                break
            self._make(code & CODE)
            if self.position.result != ONGOING:
                self.line_length[ply + 1] = 0
                value = self._ended(side, ply + 1)
            elif self.position.side == side:
                value = self._quiesce(alpha, beta, ply + 1, width - 1, code >> TARGET & SQUARE)
            else:
                value = -self._quiesce(-beta, -alpha, ply + 1, width - 1, code >> TARGET & SQUARE)
            self._unmake(here, path_size)
            if self.stopped:
                break
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    self._keep_line(ply, code & CODE)
                    if value >= beta:
                        break
        self.found.size = start
        return best

    def _worth(self) -> int:
        """What the position is worth to the player to act; iterations meet the same ones again."""
        at = self.position.key & (REMEMBERED - 1)
        if self.weighed[at] != self.position.key:
            self.weighed[at] = self.position.key
            self.worths[at] = self.evaluation.score(self.position)
        return self.worths[at]

    # --- its parts --------------------------------------------------------------------------------

    def _notices(self, code: int) -> bool:
        """Whether an action is noticed in this position."""
        return self._hidden(code) < self.attention

    def _hidden(self, code: int) -> int:
        """How easily an action is overlooked in this position, 0 to 1023: drawn by lot."""
        mixed = (self.position.key ^ self.mood) & MIXED
        mixed = (mixed ^ code * 0x1E3779B1) & MIXED
        mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & MIXED
        mixed = (mixed ^ mixed >> 12) * 0x297A2D39 & MIXED
        return mixed >> 21

    def _risk(self, side: int, code: int) -> int:
        """How many captures an action leaves to the opponent; a win counts more than any."""
        self.position.make(code)
        risk = 0
        if self.position.result != ONGOING:
            risk = INFINITE if self.position.result == WHITE_WINS + side else 0
        elif self.position.side != side:
            start = self.found.size
            self.position.generate_captures(self.found)
            i = start
            while i < self.found.size:
                risk += self.evaluation.gain(self.position, self.found.items[i]) > 0
                i += 1
            self.found.size = start
        self.position.unmake()
        return risk

    def _loses(self, side: int, code: int, own: int) -> bool:
        """Whether ``side`` has lost after this action, or loses to the opponent's next turn.

        ``own`` says whether it is still the own turn.
        """
        self.looks -= 1
        self.position.make(code)
        mine = self.position.side == side
        own = own and mine
        if self.position.result != ONGOING:
            lost = self.position.result == WHITE_WINS + 1 - side
        elif self.looks < 0:
            lost = False
        else:
            start = self.found.size
            self.position.generate(self.found)
            # Whoever can do nothing has lost.  Of the own actions one may be safe, of the
            # opponent's one wins; when the turn is back, nothing was lost.
            lost = mine and (own or self.found.size == start)
            if own or not mine:
                i = start
                while i < self.found.size:
                    if self._loses(side, self.found.items[i] & CODE, own) != lost:
                        lost = not lost
                        break
                    i += 1
            self.found.size = start
        self.position.unmake()
        return lost

    def _drawn(self) -> bool:
        """P2 and P3, at the beginning of a turn; a position met twice in the search is drawn too,
        since what was good once will be good again."""
        if self.quiet_rule and self.position.quiet_turns >= QUIET_TURNS:
            return True
        if not self.repetition:
            return False
        here = self.path.size - 1
        oldest = here - self.position.quiet_turns
        if oldest < 0:
            oldest = 0
        met = 0
        i = here - 2
        while i >= oldest:
            if self.path.items[i] == self.position.key:
                met += 1
                if i >= self.tree_from or met == REPETITIONS - 1:
                    return True
            i -= 2
        return False

    def _may_go_on(self) -> bool:
        """Whether there is leave for one more node; looks at the clock now and then."""
        if self.stopped:
            return False
        if self.nodes >= self.node_limit:
            self.stopped = True
        if self.nodes & self.pace == self.pace and now() >= self.deadline:
            self.stopped = True
        if self.nodes & 8191 == 8191 and self._interrupted():
            self.stopped = True
        return not self.stopped

    def _interrupted(self) -> int:
        """Let the interpreter see to its signals: Ctrl-C ends a search, and so does a fault."""
        if self.position.fault is not None:
            return 1
        if cython.compiled:
            try:
                PyErr_CheckSignals()  # type: ignore[name-defined]  # noqa: F821
            except BaseException as error:
                self.fault = error
                return 1
        return 0

    def _make(self, code: int) -> None:
        self.position.make(code)
        self.nodes += 1
        if not self.position.turn_open:
            self.path.items[self.path.size] = self.position.key
            self.path.size += 1

    def _unmake(self, key: int, path_size: int) -> None:
        self.position.unmake()
        self.path.size = path_size
        if CHECKING:
            self._check(key, path_size)

    def _check(self, key: int, path_size: int) -> None:
        """After an undo everything must be as it was, and the hash what a fresh position has."""
        if self.position.fault is not None:
            return
        try:
            fresh: Position = self.position.rules.position(self.position.state())
            if self.position.key != key:
                raise CyvasseError(f"undo has changed the hash of {self.position.text()}")
            if fresh.hash != self.position.hash:
                raise CyvasseError(f"the hash of {self.position.text()} has drifted")
            if set(fresh.legal_actions()) != set(self.position.legal_actions()):
                raise CyvasseError(f"undo has changed the actions of {self.position.text()}")
        except BaseException as error:
            self.fault = error
            self.stopped = True

    def _key(self) -> int:
        key = self.position.key
        left = QUIET_TURNS - self.position.quiet_turns
        # Far from the draw by P3 the count decides nothing, and equal positions shall meet.
        if self.quiet_rule and 0 <= left <= NEAR_DRAW:
            key ^= QUIET_KEYS[left]
        return key

    def _rank(self, start: int, ply: int, hash_code: int) -> None:
        """Put the promise of each action above its code, so that one comparison orders them."""
        side = self.position.side
        for i in range(start, self.found.size):
            code = self.found.items[i]
            prize = self.evaluation.gain(self.position, code)
            at = code >> ORIGIN & (MUCH - 1)
            if code == hash_code:
                mark = FIRST_CHOICE
            elif prize > 0:
                mark = prize
                mark = GAINS + (mark << 6)
            elif prize < 0:
                mark = 0
            elif code == self.killers[2 * ply]:
                mark = KILLS + 1
            elif code == self.killers[2 * ply + 1]:
                mark = KILLS
            else:
                mark = PLAIN + self.history[side * MUCH + at]
            self.found.items[i] = code | mark << 32

    def _pick(self, i: int) -> int:
        """Bring the most promising of the remaining actions to place i."""
        best = i
        top = self.found.items[i]
        for j in range(i + 1, self.found.size):
            if self.found.items[j] > top:
                top = self.found.items[j]
                best = j
        self.found.items[best] = self.found.items[i]
        self.found.items[i] = top
        return top

    def _reward(self, start: int, i: int, ply: int, depth: int) -> None:
        """Remember a quiet action that refuted, and forget a little of those that did not."""
        side = self.position.side
        code = self.found.items[i] & CODE
        if self.killers[2 * ply] != code:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = code
        bonus = depth * depth * 16
        if bonus > 2048:
            bonus = 2048
        for j in range(start, i + 1):
            at = side * MUCH + (self.found.items[j] >> ORIGIN & (MUCH - 1))
            worth = self.history[at]
            if j == i:
                self.history[at] = worth + bonus - (worth * bonus >> 14)
            else:
                self.history[at] = worth - (worth * bonus >> 14)

    def _keep_line(self, ply: int, code: int) -> None:
        """The best line from here on: this action, then the best line after it."""
        self.line[ply * LONGEST] = code
        length = self.line_length[ply + 1]
        for i in range(length):
            self.line[ply * LONGEST + 1 + i] = self.line[(ply + 1) * LONGEST + i]
        self.line_length[ply] = length + 1
