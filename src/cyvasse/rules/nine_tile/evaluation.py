"""What makes a position of Nine-Tile Cyvasse good: material, …"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation, Feature
from cyvasse.rules.nine_tile.position import NineTilePosition

if not cython.compiled:
    from cyvasse.rules.evaluation import KING_GAIN
    from cyvasse.rules.nine_tile.position import KING, OFF, SLOTS

# The first features are the pieces by number, so that a victim's weight is its type's.
FEATURES = (
    Feature("tempo", 10, "being the one to act"),
    Feature("rabble", 100, "Rabble on the board"),
    Feature("spears", 150, "Spears on the board"),
    Feature("light_horse", 250, "Light Horse on the board"),
    Feature("heavy_horse", 350, "Heavy Horse on the board"),
    Feature("elephant", 400, "Elephants on the board"),
    Feature("crossbows", 250, "Crossbows on the board"),
    Feature("trebuchet", 350, "Trebuchets on the board"),
    Feature("dragon", 700, "Dragons on the board"),
    Feature("tower", 200, "Towers on the board"),
)


class NineTileEvaluation(Evaluation):
    features = FEATURES

    def measure(self, position: Position) -> None:
        self._survey(cython.cast(NineTilePosition, position))

    def gain(self, position: Position, code: int) -> int:
        victim = code >> 18 & 127
        if victim == 0 and code & 15 == 1:
            return 0
        return self._prize(cython.cast(NineTilePosition, position), victim)

    def _survey(self, here: NineTilePosition) -> None:
        for i in range(self.size):
            self.counts[i] = 0
        self.counts[0] = 1 - 2 * here.side
        for i in range(SLOTS):
            if here.where[i] != OFF and here.code_of[i] & 15 != KING:
                self.counts[here.code_of[i] & 15] += 1
            if here.where[SLOTS + i] != OFF and here.code_of[SLOTS + i] & 15 != KING:
                self.counts[here.code_of[SLOTS + i] & 15] -= 1

    def _prize(self, here: NineTilePosition, victim: int) -> int:
        number = here.board_[victim] & 15
        return KING_GAIN if number == KING else self.weights[number]
