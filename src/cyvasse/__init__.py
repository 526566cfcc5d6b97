"""Cyvasse, the board game of A Song of Ice and Fire.

Pick a rule set, make or parse setups, lift the screen, play:

>>> import cyvasse
>>> rules = cyvasse.rule_set("nine-tile")
>>> game = cyvasse.Game(rules)
>>> for color in (cyvasse.WHITE, cyvasse.BLACK):
...     game.submit(color, rules.random_setup(color, seed=3))
>>> game.lift_screen(first="white")
>>> len(game.legal_actions()) > 20
True

Positions play and undo like a chess board of python-chess; ``str(position)`` draws the board and
``position.text()`` is its one-line form.
"""

from cyvasse import _build
from cyvasse.actions import Action
from cyvasse.boards import Board
from cyvasse.engine import Analysis, Engine, Line, analyse, choose_setup
from cyvasse.engine.prove import Proof, forced_win
from cyvasse.errors import (
    ContractError,
    CyvasseError,
    GameOverError,
    IllegalActionError,
    LeftOutWarning,
    NotationError,
    NothingToUndoError,
    RuleSetError,
    ScreenError,
    SetupError,
    StateError,
    UncompiledWarning,
    UnknownPieceError,
    UnknownRuleSetError,
    UnknownSquareError,
)
from cyvasse.explain import explain, why
from cyvasse.game import Game, Turn
from cyvasse.notation import (
    parse_position,
    parse_setup,
    read_game,
    read_games,
    write_game,
    write_position,
    write_setup,
)
from cyvasse.rules import left_out, register, rule_set, rule_sets
from cyvasse.rules.base import Position
from cyvasse.rules.perft import perft
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Effect,
    End,
    Outcome,
    Piece,
    PieceType,
    Problem,
    Reason,
    Setup,
    State,
)

__version__ = "0.1.0"

COMPILED = _build.is_compiled()
"""Whether the rules run as C; uncompiled they are the same, but about a hundred times slower."""
_build.warn_if_slow(COMPILED)

__all__ = [
    "BLACK",
    "COMPILED",
    "WHITE",
    "Action",
    "Analysis",
    "Board",
    "Color",
    "ContractError",
    "CyvasseError",
    "Effect",
    "End",
    "Engine",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "LeftOutWarning",
    "Line",
    "NotationError",
    "NothingToUndoError",
    "Outcome",
    "Piece",
    "PieceType",
    "Position",
    "Problem",
    "Proof",
    "Reason",
    "RuleSet",
    "RuleSetError",
    "ScreenError",
    "Setup",
    "SetupError",
    "State",
    "StateError",
    "Turn",
    "UncompiledWarning",
    "UnknownPieceError",
    "UnknownRuleSetError",
    "UnknownSquareError",
    "analyse",
    "choose_setup",
    "explain",
    "forced_win",
    "left_out",
    "parse_position",
    "parse_setup",
    "perft",
    "read_game",
    "read_games",
    "register",
    "rule_set",
    "rule_sets",
    "why",
    "write_game",
    "write_position",
    "write_setup",
]
