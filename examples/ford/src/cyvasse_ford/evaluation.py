"""Evaluation: what a position is worth, for the bot.  The score is amounts times weights."""

from __future__ import annotations

from collections import Counter

from cyvasse.rules import KING_GAIN, WHITE, Action, PlainEvaluation, WeightedFeature
from cyvasse_ford.board import BOARD, FAR_ROW
from cyvasse_ford.position import FordPosition

WORTH = {"king": KING_GAIN, "rabble": 100, "crossbowman": 280, "light_horse": 320}


class FordEvaluation(PlainEvaluation):
    """Material first; then how far the Rabble has come, and who is beyond the river."""

    features = (
        WeightedFeature("tempo", 10, "the right to act"),
        WeightedFeature("rabble", WORTH["rabble"], "Rabble on the board"),
        WeightedFeature("crossbowman", WORTH["crossbowman"], "a Crossbowman on the board"),
        WeightedFeature("light_horse", WORTH["light_horse"], "a Light Horse on the board"),
        WeightedFeature("marched", 15, "rows that the Rabble has put behind it"),
        WeightedFeature("crossed", 40, "pieces beyond the river"),
    )

    def amounts(self, position: FordPosition) -> dict[str, int]:
        amounts = Counter(tempo=1 if position.turn is WHITE else -1)
        for square, piece in position.men.items():
            sign = 1 if piece.color is WHITE else -1
            if piece.type != "king":
                amounts[piece.type] += sign
            left = abs(FAR_ROW[piece.color] - BOARD.row(square))
            amounts["crossed"] += sign * (left < 3)
            if piece.type == "rabble":
                amounts["marched"] += sign * (6 - left)
        return amounts

    def prize(self, position: FordPosition, action: Action) -> int:
        return 0 if action.victim is None else WORTH[position.men[action.victim].type]
