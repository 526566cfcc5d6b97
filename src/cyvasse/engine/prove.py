"""Prove forced wins: every action of both players is tried, nothing is judged or left out.

It answers for the rules alone: that a game is drawn by repetition or after many quiet turns
(platform rules P2 and P3) is a matter of a ``Game``.

>>> import cyvasse
>>> position = cyvasse.parse_position("nine-tile 6k1/6L2/10/11/12/11/10/9/7K - w - 0")
>>> proof = forced_win(position, turns=2)
>>> proof.won, proof.turns, [str(action) for action in proof.best]
(True, 1, ['g8xg9'])
"""

from __future__ import annotations

from dataclasses import dataclass

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import Action, make_action
from cyvasse.errors import CyvasseError
from cyvasse.rules.base import Position, Stack

if not cython.compiled:
    from cyvasse.rules.base import ONGOING, WHITE_WINS

    LOOK_UP = 65536  # nodes between two looks at whether somebody wants to stop

LONGEST_WIN = 15  # in turns; ``Prover.latest`` has room for no more


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known about a forced win of the player to act."""

    won: bool | None
    """Whether there is one within the turns asked for; None if the nodes ran out before that."""
    turns: int
    """Own turns of the fastest win; without one, how many turns are proved not to be enough."""
    best: tuple[Action, ...]
    """Every first action that keeps the fastest win."""
    nodes: int
    """How many actions were played to find out."""


def forced_win(position: Position, turns: int, nodes: int | None = None) -> Proof:
    """Whether the player to act wins by force within that many own turns, at most ``nodes`` tried.

    A turn that is already going on is the first.  Fewer turns are refuted before more are tried, so
    the win that is found is the fastest.  A win that comes at the end of a turn of the opponent
    counts the own turns before it.
    """
    if not isinstance(position, Position):
        raise CyvasseError(f"a win is proved from a position, not from {position!r:.40}")
    if type(turns) is not int or not 1 <= turns <= LONGEST_WIN:
        raise CyvasseError(
            f"the turns of a win are a number from 1 to {LONGEST_WIN}, not {turns!r}"
        )
    if nodes is not None and (type(nodes) is not int or nodes < 1):
        raise CyvasseError(f"the nodes to try are a number from 1, not {nodes!r}")
    prover = Prover(position, _rows(turns), nodes)
    for within in range(1, turns + 1):
        best = prover.winning_actions(within)
        if prover.stopped:
            return Proof(None, within - 1, (), prover.nodes)
        if best:
            return Proof(True, within, best, prover.nodes)
    return Proof(False, turns, (), prover.nodes)


def _rows(turns: int) -> int:
    """How large a memory is worth clearing: a power of two."""
    return 1 << 5 * min(turns + 1, 4)


class Prover:
    """The search of one proof: what the player to act in one position can force."""

    position: Position
    found: Stack
    memory: Stack  # two words a row: the key, and what is proved about it
    rows: int
    attacker: int
    nodes: int
    budget: int
    stopped: int
    interruption: BaseException | None
    latest: list[int]  # the action that last settled a node, by kind of node

    def __init__(self, position: Position, rows: int, budget: int | None) -> None:
        # On a copy: other threads may go on with the position while this one searches.
        self.position = position.copy()
        if self.position.result != ONGOING:
            raise CyvasseError("the game is over: there is nothing to prove")
        self.attacker = self.position.side
        self.found = Stack()
        self.memory = Stack()
        self.rows = rows
        self.memory.reserve(2 * self.rows)
        for i in range(2 * self.rows):
            self.memory.items[i] = 0
        if not cython.compiled:
            self.latest = [0] * 64
        for i in range(64):
            self.latest[i] = 0
        self.nodes = 0
        self.budget = -1 if budget is None else budget
        self.stopped = 0
        self.interruption = None

    def winning_actions(self, turns: int) -> tuple[Action, ...]:
        """Every first action that wins by force within that many own turns."""
        best = []
        self.found.size = 0
        self.position.generate(self.found)
        self.position.raise_fault()
        for i in range(self.found.size):
            code = self.found.items[i]
            with cython.nogil:
                won = self._leads_to_win(self.position, self.found, code, turns)
            self.position.raise_fault()
            if self.interruption is not None:
                raise self.interruption
            if won:
                best.append(make_action(code, self.position.rules.board))
        return tuple(best)

    def _leads_to_win(self, position: Position, found: Stack, code: int, left: int) -> int:
        """Whether an action leads to a position that the attacker wins."""
        if self._spend():
            return 0
        side = position.side
        position.make(code)
        # The attacker's turn is over, and used up, only when the other side acts next.
        if side == self.attacker and position.side != side:
            won = self._wins(position, found, left - 1)
        else:
            won = self._wins(position, found, left)
        position.unmake()
        return won

    def _wins(self, position: Position, found: Stack, left: int) -> int:
        """Whether the attacker wins with ``left`` own turns, one that is going on included."""
        if position.result != ONGOING:
            return 1 if position.result == WHITE_WINS + self.attacker else 0
        attacks = 1 if position.side == self.attacker else 0
        if left == 0 and attacks:
            return 0
        # With no turn left the defender need only get through this one: quicker tried than kept.
        recalled = self._recalled(position.key, left) if left else -1
        if recalled >= 0:
            return recalled
        start = found.size
        position.generate(found)
        kind = left * 4 + attacks * 2 + position.turn_open
        self._put_latest_first(found, start, kind)
        # Whoever acts settles it with one action, or else has lost it; with no action too.
        won = 1 - attacks
        i = start
        while i < found.size:
            if self._leads_to_win(position, found, found.items[i], left) == attacks:
                won = attacks
                self.latest[kind] = found.items[i]
                break
            i += 1
        found.size = start
        if left and not self.stopped:
            self._remember(position.key, left, won)
        return won

    def _put_latest_first(self, found: Stack, start: int, kind: int) -> None:
        """What settled the last node of this kind often settles the next."""
        code = self.latest[kind]
        for i in range(start, found.size):
            if found.items[i] == code:
                found.items[i] = found.items[start]
                found.items[start] = code
                return

    def _recalled(self, key: int, left: int) -> int:
        """1 or 0 if it is known whether the attacker wins with so many turns, else -1."""
        row = 2 * (key & (self.rows - 1))
        if self.memory.items[row] != key:
            return -1
        # A win stays one with more turns, a failure stays one with fewer.
        within = self.memory.items[row + 1] & 255
        beyond = self.memory.items[row + 1] >> 8
        if within and within <= left:
            return 1
        return 0 if left <= beyond else -1

    def _remember(self, key: int, left: int, won: int) -> None:
        row = 2 * (key & (self.rows - 1))
        known = self.memory.items[row + 1] if self.memory.items[row] == key else 0
        self.memory.items[row] = key
        if won:
            self.memory.items[row + 1] = (known & ~255) | left
        else:
            self.memory.items[row + 1] = (known & 255) | left << 8

    def _spend(self) -> int:
        """Count a node; whether it is time to give up."""
        if self.nodes == self.budget:
            self.stopped = 1
        if self.stopped:
            return 1
        self.nodes += 1
        if self.nodes & (LOOK_UP - 1) == 0 and self._interrupted():
            self.stopped = 1
            return 1
        return 0

    def _interrupted(self) -> int:
        """Let Python see to signals, which uncompiled it does by itself."""
        if cython.compiled:
            try:
                PyErr_CheckSignals()  # type: ignore[name-defined]  # noqa: F821
            except BaseException as error:
                self.interruption = error
                return 1
        return 0
