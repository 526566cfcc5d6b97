"""Position: what may be done now, what that changes, and how the game ends.

Undo, copies, hashes, whose turn it is and the count of quiet turns are PlainPosition's affair, as
long as all that changes is in ``self.men``, ``self.terrain`` and ``self.fields``.
"""

from __future__ import annotations

from collections.abc import Iterator

from cyvasse.rules import Action, End, Outcome, Piece, PlainPosition
from cyvasse_ford.board import AHEAD, BOARD, FAR_ROW, STEPS, WATER

# The squares in each direction, nearest first: the bot asks for them all the time.
LINES = {
    square: {
        direction: [BOARD.squares[there] for there in BOARD.line(number, direction)]
        for direction in BOARD.directions
    }
    for square, number in BOARD.numbers.items()
}


class FordPosition(PlainPosition):
    """A position of the Ford."""

    def actions(self) -> Iterator[str]:
        for origin, piece in self.men.items():
            if piece.color is self.turn:
                yield from walks(self, origin, piece)
                if piece.type == "crossbowman":
                    yield from shots(self, origin)

    def act(self, action: Action) -> None:
        if action.victim:
            del self.men[action.victim]
        if action.kind != "shoot" and action.origin and action.target:
            self.men[action.target] = self.men.pop(action.origin)

    def ended(self) -> Outcome | None:
        kings = [piece.color for piece in self.men.values() if piece.type == "king"]
        if len(kings) == 1:
            return Outcome(kings[0], End.KING_CAPTURED)
        for square, piece in self.men.items():
            if BOARD.row(square) == FAR_ROW[piece.color]:
                return Outcome(piece.color, End.GOAL_REACHED)
        return None


def walks(position: FordPosition, origin: str, piece: Piece) -> Iterator[str]:
    """Straight on until something is in the way; an enemy is taken."""
    directions = AHEAD[piece.color] if piece.type == "rabble" else BOARD.directions
    for direction in directions:
        for target in LINES[origin][direction][: STEPS[piece.type]]:
            if target in WATER or target in position.fields["rocks"]:
                break
            victim = position.men.get(target)
            if victim is None:
                yield f"{origin}-{target}"
                continue
            if victim.color is not piece.color:
                yield f"{origin}x{target}"
            break


def shots(position: FordPosition, origin: str) -> Iterator[str]:
    """Exactly two squares away, over water but over nothing else."""
    for line in LINES[origin].values():
        if len(line) >= 2 and line[0] not in position.men:
            victim = position.men.get(line[1])
            free = line[0] not in position.fields["rocks"]
            if free and victim is not None and victim.color is not position.turn:
                yield f"{origin}*{line[1]}"
