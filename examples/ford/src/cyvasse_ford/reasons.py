"""Why a piece may or may not act on a square, in a sentence.

Written from the rules page and the plain state, without a look at position.py: the contract tests
hold the two against each other, so that whoever has misread a rule in one of them is told.
"""

from __future__ import annotations

from cyvasse.rules import Position, Reason
from cyvasse_ford.board import AHEAD, BOARD, STEPS, WATER


def reasons(position: Position, origin: str, target: str) -> list[Reason]:
    """The one reason why the piece on ``origin`` may or may not act on ``target``."""
    legal, sentence, rule = judgement(position, origin, target)
    return [Reason(legal, sentence, f"The Ford, {rule}")]


def judgement(position: Position, origin: str, target: str) -> tuple[bool, str, str]:
    state = position.state()
    rocks, piece, victim = state.fields["rocks"], state.pieces[origin], state.pieces.get(target)
    title = position.rules.piece_type(piece.type).title
    if target in rocks:
        return False, f"There is a rock on {target}; nothing goes there.", "Setup"
    if victim is not None and victim.color is piece.color:
        own = position.rules.piece_type(victim.type).title
        return False, f"Your own {own} stands on {target}.", "A turn"
    ahead = BOARD.direction(origin, target)
    if ahead is None:
        return False, f"{target} is not in a straight line from {origin}.", title
    direction, distance = ahead
    line = [BOARD.squares[there] for there in BOARD.line(BOARD.index(origin), direction)]
    for between in line[: distance - 1]:
        if between in state.pieces or between in rocks:
            return False, f"What stands on {between} is in the way to {target}.", "A turn"
    if piece.type == "crossbowman" and distance == 2 and victim is not None:
        return True, f"The Crossbowman may shoot at {target}.", title
    for wet in line[:distance]:
        if wet in WATER:
            return False, f"{wet} is deep water; the fords are a4, c4 and e4.", "What you need"
    if piece.type == "rabble" and direction not in AHEAD[piece.color]:
        return False, "Rabble goes ahead, straight or aslant, never sideways or back.", title
    if distance > STEPS[piece.type]:
        return False, f"{target} is {distance} squares away, too far for the {title}.", title
    deed = f"take the piece on {target}" if victim else f"go to {target}"
    return True, f"The {title} may {deed}.", title
