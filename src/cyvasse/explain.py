"""Why an action is legal or not, in a sentence that cites the rule.

>>> import cyvasse
>>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
>>> print(why(position, "b4", "b6"))
Rabble moves at most 1 square; b6 is 2 away. (nine-tile D1)
"""

from __future__ import annotations

from cyvasse.actions import Action
from cyvasse.rules.base import Position
from cyvasse.rules.terms import Color, Reason


def explain(position: Position, origin: str, target: str) -> list[Reason]:
    """Everything there is to say about the piece on ``origin`` acting on ``target``.

    Legal reasons come first: if the first is not legal, nothing is.  ``origin`` may also be the
    name of a piece type, for a piece in reserve.
    """
    board = position.board
    board.index(target)
    outcome = position.outcome()
    if outcome:
        return [_no(f"The game is over. {outcome}.")]
    in_reserve = origin not in board and origin in {t.name for t in position.rules.piece_types}
    if not in_reserve:
        board.index(origin)
        piece = position.piece_at(origin)
        if piece is None:
            return [_no(f"No piece stands on {origin}.")]
        if piece.color != position.turn:
            title = position.rules.piece_type(piece.type).title
            owner = Color(piece.color).title
            return [
                _no(f"{title} on {origin} is {owner}'s, and it is {position.turn.title}'s turn.")
            ]
        if origin == target:
            return [_no(f"{origin} is where the piece stands already; choose another square.")]
    return position.reasons(origin, target)


def why(position: Position, origin: str, target: str) -> str:
    """The most telling reason as one sentence with its rule."""
    return str(explain(position, origin, target)[0])


def refusal(position: Position, action: Action) -> str:
    """Why this very action, which is not legal, is not."""
    outcome = position.outcome()
    if outcome:
        return f"the game is over. {outcome}."
    origin, target = action.origin, action.target
    if origin is not None and target is not None:
        others = [
            str(legal)
            for legal in position.legal_actions()
            if legal.origin == origin and legal.target == target
        ]
        if others:
            return f"from {origin} to {target} the legal actions are {', '.join(others)}."
        squares = [action.victim, target] if action.victim else [target]
        verdicts = [r for square in squares if square for r in explain(position, origin, square)]
        refused = [reason for reason in verdicts if not reason.legal]
        if refused:
            return str(refused[0])
    kinds = sorted({legal.kind for legal in position.legal_actions()})
    return f"{position.turn.title} may now {_listed(kinds)}."


def _listed(kinds: list[str]) -> str:
    words = [kind.replace("_", " ") for kind in kinds]
    return " or ".join(words)


def _no(sentence: str) -> Reason:
    return Reason(False, sentence, "all rule sets")
