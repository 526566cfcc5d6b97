"""The engine: a search that plays every rule set, its levels, its setups, and matches between them.

>>> import cyvasse
>>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
>>> position.is_legal(Engine(level=2, seed=1).choose(position))
True
"""

from cyvasse.engine.analysis import Analysis, Line
from cyvasse.engine.levels import LEVELS, Level
from cyvasse.engine.player import Engine, analyse
from cyvasse.engine.setups import choose_setup

__all__ = ["LEVELS", "Analysis", "Engine", "Level", "Line", "analyse", "choose_setup"]
