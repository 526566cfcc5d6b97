"""Position and Evaluation for rule sets in plain Python: what they write, and the bridge to it.

The search, perft and all the rest call ``generate``, ``make``, ``unmake``, ``measure`` and ``gain``
as C, without the GIL, where Python cannot write them.  These two classes do: they take the GIL and
ask the methods that stand first in each of them, which are ordinary Python and know no C.  What a
method gives is looked at before anybody relies on it.  Uncompiled everything is the same.

An error can go no way through C.  It stays in ``Position.fault``, from where on nothing is listed
and nothing carried out, until it is raised in Python: as a RuleSetError with the first error as its
cause.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Self

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.actions import Action, known_action, make_action
from cyvasse.errors import CyvasseError, RuleSetError, StateError
from cyvasse.rules.base import Position, Stack
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.terms import (
    Color,
    Effect,
    End,
    Outcome,
    Piece,
    State,
)

if TYPE_CHECKING:
    from cyvasse.rules.ruleset import RuleSet

if not cython.compiled:
    from cyvasse.actions import CAPTURE, CAPTURE_LANDING, CAPTURE_TWO, KIND, PASS, SHOOT, SIEGE
    from cyvasse.rules.base import DRAWN, MAX_ACTIONS, ONGOING, QUIET_LIMIT, WHITE_WINS
    from cyvasse.rules.evaluation import HIGHEST_SCORE

MOST_COUNTED = 500
"""So many of all features at their highest weights still fit into a C int."""


class PlainPosition(Position):
    """A position as three mappings that Python can change: ``men``, ``terrain`` and ``fields``.

    Undo, copies, the hash, the count of quiet turns, passes and whose turn it is are seen to.
    ``self.turn`` is the player to act, ``self.board`` the board.  Nothing else may be kept in the
    position that changes with it: undo would not know.
    """

    men: dict[str, Piece]
    """The pieces by square."""
    terrain: dict[str, str]
    """What players have laid, by square."""
    fields: dict[str, Any]
    """The rule set's own ``state_fields``."""

    _past: list[tuple[Any, ...]]
    _effects: list[Effect]
    _numbers: dict[tuple[str, Piece], int]
    _progress: bool
    _drawn: bool
    _outcome: Outcome | None

    def __init__(self, rules: RuleSet, state: State) -> None:
        """To refuse states that cannot be, write one that calls this and then raises StateError."""
        # Also what setups have given: only the word of a plain rule set stands for that.
        state = rules.checked_state(State(**vars(state)) if isinstance(state, State) else state)
        super().__init__(rules, state)
        self.men = dict(state.pieces)
        self.terrain = dict(state.terrain)
        self.fields = deepcopy(dict(state.fields))
        self._past, self._effects = [], []
        self._progress, self._drawn = False, state.drawn
        self._numbers = _numbers_of(rules)
        self.turn_open = 1 if self._is_open() else 0
        self._settle()
        self._look_over()
        if state.drawn and self._outcome is not None:
            raise StateError(f"drawn is true, but the game has ended: {self._outcome}")
        if state.passed and self.turn_open:
            raise StateError("passed is true, but a turn is open: only one was the last")
        if state.quiet_turns < 0 and not self.turn_open and self._outcome is None:
            raise StateError("quiet_turns is -1, but no turn is open")

    # --- each rule set writes these three ---------------------------------------------------------

    def actions(self) -> Iterable[Action | str]:
        """Every legal action, or its text, once and in any order; the game is going on.

        Where there is none ``turn`` loses, unless the rule set lets who is stuck ``"pass"``.
        """
        raise NotImplementedError

    def act(self, action: Action) -> None:
        """Change ``men``, ``terrain`` and ``fields`` as a legal action does; never called to pass.

        Afterwards it is the other player's turn, unless ``goes_on`` says otherwise.
        """
        raise NotImplementedError

    def ended(self) -> Outcome | None:
        """How the game has ended on the board, or None while it goes on.

        It follows from what the position is now.  Who has no action, and two passes one after the
        other, are seen to.
        """
        raise NotImplementedError

    # --- and this one where a turn may be several actions -----------------------------------------

    def goes_on(self) -> bool:
        """Whether ``turn`` has already acted in this turn and may act again; ``fields`` tell."""
        return False

    # --- what ``act`` may say ---------------------------------------------------------------------

    def add_effect(self, effect: Effect) -> None:
        """Something happened by itself; ``Scene.sentences`` has the words."""
        rules = self.rules
        if not isinstance(effect, Effect):
            raise _misfit(rules, self, "act", f"adds {effect!r:.60}, which is not an Effect")
        if effect.kind not in rules.scene.sentences:
            raise _misfit(
                rules, self, "act", f"adds {effect.kind!r:.40}, for which there are no sentences"
            )
        self._effects.append(effect)

    def progress(self) -> None:
        """This turn is not a quiet one (platform rule P3).

        That the men on the board or the ground have changed is seen without a word.
        """
        self._progress = True

    # --- the contract -----------------------------------------------------------------------------

    def state(self) -> State:
        return State(
            dict(sorted(self.men.items())),
            dict(sorted(self.terrain.items())),
            Color(self.side),
            self.quiet_turns,
            bool(self.passed),
            deepcopy(self.fields),
            self._drawn,
        )

    def copy(self) -> Self:
        kind = type(self)
        other: PlainPosition = kind.__new__(kind)
        if hasattr(self, "__dict__"):
            vars(other).update(vars(self))  # what a subclass has added
        self._start_copy(other)
        other.men, other.terrain = dict(self.men), dict(self.terrain)
        other.fields = deepcopy(self.fields)
        other._past, other._effects = list(self._past), self._effects
        other._numbers, other._outcome = self._numbers, self._outcome
        other._progress, other._drawn = self._progress, self._drawn
        return other  # type: ignore[return-value]

    def ending(self) -> End:
        return End.FORCED_PASSES if self._outcome is None else self._outcome.end

    def effects(self) -> list[Effect]:
        return list(self._effects)

    # --- the inner face ---------------------------------------------------------------------------

    def generate(self, out: Stack) -> None:
        if self.fault is not None or self.result != ONGOING:
            return
        try:
            codes = self._codes()
            out.reserve(len(codes))
            for code in codes:
                out.items[out.size] = code
                out.size += 1
        except BaseException as error:
            self.fault = error

    def generate_captures(self, out: Stack) -> None:
        end = out.size
        self.generate(out)
        for i in range(end, out.size):
            code = out.items[i]
            kind = code & KIND
            if kind in (CAPTURE, CAPTURE_LANDING, CAPTURE_TWO, SHOOT, SIEGE):
                out.items[end] = code
                end += 1
        out.size = end

    def make(self, code: int) -> None:
        if self.fault is not None:
            return
        try:
            kept = self._kept()
            try:
                self._carry_out(code)
            except BaseException:
                self._take_back(kept)
                raise
            self._past.append(kept)
            self.history.reserve(1)
            self.history.items[self.history.size] = code
            self.history.size += 1
        except BaseException as error:
            self.fault = error

    def unmake(self) -> None:
        if self.fault is None:
            self._take_back(self._past.pop())
            self.history.size -= 1

    # --- the bridge -------------------------------------------------------------------------------

    def _codes(self) -> list[int]:
        """The legal actions as numbers, in an order that depends on nothing but the position."""
        rules = self.rules
        board = rules.board
        try:
            listed = list(islice(self.actions(), MAX_ACTIONS + 1))
        except Exception as error:
            raise _failure(rules, self, "actions", error) from error
        if len(listed) > MAX_ACTIONS:
            raise _misfit(rules, self, "actions", f"lists more than {MAX_ACTIONS} actions")
        codes = []
        for item in listed:
            if type(item) is str:
                try:
                    action = known_action(item, board)
                except CyvasseError as error:
                    raise _misfit(rules, self, "actions", f"lists {item!r:.40}: {error}") from error
            elif type(item) is Action:
                action = item
            else:
                raise _misfit(
                    rules, self, "actions", f"lists {item!r:.40}, not an action or its text"
                )
            if action.board is not board:
                raise _misfit(
                    rules, self, "actions", f"lists {item!r} of the {action.board.name} board"
                )
            codes.append(action.code)
        codes.sort()
        for one, next_ in pairwise(codes):
            if one == next_:
                twice = make_action(one, board)
                raise _misfit(rules, self, "actions", f"lists {twice} more than once")
        return codes

    def _kept(self) -> tuple[Any, ...]:
        """What undo needs.  ``act`` is given other mappings to change."""
        return (
            self.men,
            self.terrain,
            self.fields,
            self.side,
            self.turn_open,
            self.passed,
            self.quiet_turns,
            self.result,
            self.key,
            self._effects,
            self._drawn,
            self._outcome,
        )

    def _take_back(self, kept: tuple[Any, ...]) -> None:
        self.men, self.terrain, self.fields = kept[0], kept[1], kept[2]
        self.side, self.turn_open, self.passed = kept[3], kept[4], kept[5]
        self.quiet_turns, self.result, self.key = kept[6], kept[7], kept[8]
        self._effects, self._drawn, self._outcome = kept[9], kept[10], kept[11]

    def _carry_out(self, code: int) -> None:
        before = self._count_men()[2]
        terrain, goes_on = self.terrain, False
        self._progress, self._effects = False, []
        if code == PASS:
            self._drawn = bool(self.passed)
        else:
            self.men, self.terrain = dict(self.men), dict(terrain)
            self.fields = deepcopy(self.fields)
            _asked(self.rules, self, "act", make_action(code, self.rules.board))
            goes_on = self._is_open()
        self.passed = 1 if code == PASS else 0
        self.turn_open = 1 if goes_on else 0
        if not goes_on:
            self.side = 1 - self.side
        counts = self._look_over()
        if self._progress or self.terrain != terrain or counts != before:
            self.quiet_turns = -1
        if not goes_on and self.quiet_turns < QUIET_LIMIT:
            self.quiet_turns += 1
        self._settle()

    def _is_open(self) -> bool:
        goes_on: bool = _asked(self.rules, self, "goes_on")
        if type(goes_on) is not bool:
            raise _misfit(self.rules, self, "goes_on", f"gives {goes_on!r:.40}, not True or False")
        return goes_on

    def _settle(self) -> None:
        """See whether the game has ended."""
        rules = self.rules
        ended = _asked(rules, self, "ended")
        self._outcome = ended
        self.result = DRAWN if self._drawn else ONGOING
        if ended is None:
            return
        if not isinstance(ended, Outcome) or not isinstance(ended.end, End):
            raise _misfit(rules, self, "ended", f"gives {ended!r:.60}, not an Outcome or None")
        if ended.winner is not None and not isinstance(ended.winner, Color):
            raise _misfit(rules, self, "ended", f"names {ended.winner!r:.40}, not a Color or None")
        self.turn_open = 0
        self.result = DRAWN if ended.winner is None else WHITE_WINS + int(ended.winner)

    def _look_over(self) -> dict[Piece, int]:
        """Check what ``act`` has left behind and work out the hash; how many men there are."""
        rules = self.rules
        fits, key, counts = self._count_men()
        if not fits or self.terrain or self.fields or rules.state_fields:
            try:
                state = rules.checked_state(State(self.men, self.terrain, fields=self.fields))
            except CyvasseError as error:
                raise _misfit(rules, self, "act", f"leaves what cannot be: {error}") from error
            self.terrain, self.fields = dict(state.terrain), dict(state.fields)
            key ^= _number(repr((self.terrain, self.fields)))
        if self.side:
            key ^= _number("side")
        if self.passed:
            key ^= _number("passed")
        if self._drawn:
            key ^= _number("drawn")
        self.key = key
        return counts

    def _count_men(self) -> tuple[bool, int, dict[Piece, int]]:
        """Whether all men can be where they are, their part of the hash, how many there are."""
        numbers, types = self._numbers, self.rules.types
        counts: dict[Piece, int] = {}
        key = 0
        try:
            for at, man in self.men.items():
                number = numbers.get((at, man))
                if number is None or type(man) is not Piece:
                    return False, 0, {}
                key ^= number
                counts[man] = counts.get(man, 0) + 1
        except (AttributeError, TypeError):  # no mapping, or nothing that could be a name
            return False, 0, {}
        fits = all(number <= types[man.type].count for man, number in counts.items())
        return fits, key, counts


class PlainEvaluation(Evaluation):
    """Counts features and weighs actions by two methods that are ordinary Python."""

    _places: dict[str, int]

    def __init__(self, weights: Mapping[str, int] | None = None) -> None:
        super().__init__(weights)
        self._places = {feature.name: i for i, feature in enumerate(self.features)}

    # --- each rule set names its ``features`` and writes these two --------------------------------

    def amounts(self, position: Any) -> Mapping[str, int]:
        """What White has of each feature less what Black has; those not mentioned count 0."""
        raise NotImplementedError

    def prize(self, position: Any, action: Action) -> int:
        """What an action takes from the opponent at once, less what it costs the own side at once.

        0 for a quiet action; at least ``KING_GAIN`` for taking a King.  It is asked for every
        action that the search looks at, so it must be quick rather than exact.
        """
        raise NotImplementedError

    # --- the inner face ---------------------------------------------------------------------------

    def measure(self, position: Position) -> None:
        for i in range(self.size):
            self.counts[i] = 0
        if position.fault is not None:
            return
        try:
            self._fill(position)
        except BaseException as error:
            position.fault = error

    def gain(self, position: Position, code: int) -> int:
        if position.fault is not None:
            return 0
        try:
            return self._prize(position, code)
        except BaseException as error:
            position.fault = error
            return 0

    # --- the bridge -------------------------------------------------------------------------------

    def _fill(self, position: Position) -> None:
        rules: RuleSet = position.rules
        amounts = _asked(rules, self, "amounts", position)
        if not isinstance(amounts, Mapping):
            raise _misfit(rules, self, "amounts", f"gives {amounts!r:.40}, not a mapping")
        for name, amount in amounts.items():
            place = self._places.get(name)
            if place is None:
                raise _misfit(rules, self, "amounts", f"counts {name!r:.40}, which is no feature")
            if type(amount) is not int or not -MOST_COUNTED <= amount <= MOST_COUNTED:
                wanted = f"a whole number from {-MOST_COUNTED} to {MOST_COUNTED}"
                raise _misfit(rules, self, "amounts", f"counts {amount!r:.40} {name}, not {wanted}")
            self.counts[place] = amount

    def _prize(self, position: Position, code: int) -> int:
        rules: RuleSet = position.rules
        action = make_action(code, rules.board)
        prize: int = _asked(rules, self, "prize", position, action)
        if type(prize) is not int or not -HIGHEST_SCORE <= prize <= HIGHEST_SCORE:
            wanted = f"a whole number from {-HIGHEST_SCORE} to {HIGHEST_SCORE}"
            raise _misfit(rules, self, "prize", f"gives {prize!r:.40} for {action}, not {wanted}")
        return prize


def _asked(rules: RuleSet, owner: object, method: str, *given: object) -> Any:
    """What a method of a rule set answers; RuleSetError if it fails."""
    try:
        return getattr(owner, method)(*given)
    except RuleSetError:
        raise
    except Exception as error:
        raise _failure(rules, owner, method, error) from error


def _failure(rules: RuleSet, owner: object, method: str, error: Exception) -> RuleSetError:
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return RuleSetError(f"{rules.id}: {type(owner).__name__}.{method} has failed: {what}")


def _misfit(rules: RuleSet, owner: object, method: str, words: str) -> RuleSetError:
    return RuleSetError(f"{rules.id}: {type(owner).__name__}.{method} {words}")


@cache
def _numbers_of(rules: RuleSet) -> dict[tuple[str, Piece], int]:
    """For the hash, a number for every piece on every square."""
    return {
        (at, man): _number(f"{at} {man.color} {man.type}")
        for at in rules.board.squares
        for man in (Piece(color, kind.name) for color in Color for kind in rules.piece_types)
    }


@lru_cache(maxsize=1 << 14)
def _number(words: str) -> int:
    """64 bits that are the same on every machine."""
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest())
