"""The rule sets, and what writing one takes.

Four files say what a rule set has to write, each like a header: ``base`` (Position), ``setups``,
``scene`` and ``evaluation``; ``contract`` lists it all.  Each package is one rule set.  Packages of
other people bring theirs by an entry point (``installed``), and in plain Python (``plain``).
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping

from cyvasse.actions import Action
from cyvasse.boards import Board, hexagon_board, keep_board, square_board
from cyvasse.errors import (
    ContractError,
    LeftOutWarning,
    RuleSetError,
    StateError,
    UnknownRuleSetError,
)
from cyvasse.rules.base import Position
from cyvasse.rules.contract import check_contract
from cyvasse.rules.croft import CROFT_RULES
from cyvasse.rules.evaluation import KING_GAIN, Evaluation, WeightedFeature
from cyvasse.rules.gameofcyvasse import GAMEOFCYVASSE_RULES
from cyvasse.rules.installed import find_installed
from cyvasse.rules.mikelepage import MIKELEPAGE_RULES
from cyvasse.rules.nine_tile import NINE_TILE_RULES
from cyvasse.rules.plain import PlainEvaluation, PlainPosition
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import Scene
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Counts,
    Direction,
    Effect,
    End,
    Field,
    Flag,
    Outcome,
    PerColor,
    PerSquare,
    Piece,
    PieceType,
    Problem,
    Reason,
    Record,
    Setup,
    Square,
    Squares,
    State,
    Word,
)

__all__ = [
    "BLACK",
    "KING_GAIN",
    "WHITE",
    "Action",
    "Board",
    "Color",
    "ContractError",
    "Counts",
    "Direction",
    "Effect",
    "End",
    "Evaluation",
    "Field",
    "Flag",
    "LeftOutWarning",
    "Outcome",
    "PerColor",
    "PerSquare",
    "Piece",
    "PieceType",
    "PlainEvaluation",
    "PlainPosition",
    "Position",
    "Problem",
    "Reason",
    "Record",
    "RuleSet",
    "RuleSetError",
    "Scene",
    "Setup",
    "Setups",
    "Square",
    "Squares",
    "State",
    "StateError",
    "WeightedFeature",
    "Word",
    "hexagon_board",
    "left_out",
    "register",
    "rule_set",
    "rule_sets",
    "square_board",
]

_RULE_SETS: dict[str, RuleSet] = {}
_left_out: dict[str, str] | None = None  # None until somebody has looked
_looking = threading.RLock()


def register(rules: RuleSet) -> None:
    """Make a rule set known by its id; ContractError if it does not keep the contract."""
    if not isinstance(rules, RuleSet):
        raise ContractError(f"{rules!r:.60} is not a RuleSet")
    if rules.id in _RULE_SETS:
        raise ContractError(f"there is already a rule set {rules.id!r}")
    check_contract(rules)
    keep_board(rules.board)
    _RULE_SETS[rules.id] = rules


def rule_set(name: str | RuleSet) -> RuleSet:
    """The rule set with that id.

    >>> rule_set("nine-tile").title
    'Nine-Tile Cyvasse'
    """
    if isinstance(name, RuleSet):
        return name
    if not isinstance(name, str):
        raise UnknownRuleSetError(f"no rule set {name!r:.40}; the id of one is a text")
    if name not in _RULE_SETS and name in left_out():
        raise UnknownRuleSetError(left_out()[name])
    if name not in _RULE_SETS:
        raise UnknownRuleSetError(
            f"no rule set {name!r:.40}; there {'are' if len(_RULE_SETS) > 1 else 'is'} "
            f"{', '.join(_RULE_SETS)}"
        )
    return _RULE_SETS[name]


def rule_sets() -> tuple[RuleSet, ...]:
    """All rule sets, those of other packages last."""
    left_out()
    return tuple(_RULE_SETS.values())


def left_out() -> Mapping[str, str]:
    """Why rule sets of installed packages cannot be used: a sentence for each, by its name.

    They are looked for once, when somebody asks for more than the rule sets of this package.
    """
    global _left_out
    with _looking:
        if _left_out is None:
            _left_out = {}  # a package that asks while it is looked at gets what there is
            _left_out = dict(find_installed(_take))
            for sentence in _left_out.values():
                warnings.warn(sentence, LeftOutWarning, stacklevel=3)
    return _left_out


def _take(rules: RuleSet) -> None:
    if _RULE_SETS.get(rules.id) is not rules:  # it may have registered itself
        register(rules)


for _rules in (NINE_TILE_RULES, MIKELEPAGE_RULES, CROFT_RULES, GAMEOFCYVASSE_RULES):
    register(_rules)
