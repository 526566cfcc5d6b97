"""Why an action is legal or not, in a sentence that cites the rule.

>>> import cyvasse
>>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
>>> print(why(position, "a6", "c5"))
Rabble moves at most 1 square; c5 is 2 away. (nine-tile D1)
"""

from __future__ import annotations

from cyvasse.actions import Action
from cyvasse.errors import StateError
from cyvasse.rules.base import Position
from cyvasse.rules.terms import Color, Reason


def explain(position: Position, origin: str, target: str) -> list[Reason]:
    """Everything there is to say about the piece on ``origin`` acting on ``target``.

    Legal reasons come first: if the first is not legal, nothing is.  ``origin`` may also be the
    name of a piece type, for a piece in reserve.
    """
    if not isinstance(position, Position):
        raise StateError(f"only a position can be explained, not {position!r:.40}")
    position.board.index(target)
    outcome = position.outcome()
    if outcome:
        return [_no(f"The game is over. {outcome}.")]
    if origin in [kind.name for kind in position.rules.piece_types]:
        if not position.in_reserve(position.turn).get(origin):
            title = position.rules.piece_type(origin).title
            return [_no(f"{position.turn.title} has no {title} in reserve.")]
    else:
        piece = position.piece_at(origin)
        if piece is None:
            return [_no(f"No piece stands on {origin}.")]
        if piece.color != position.turn:
            kind = position.rules.piece_type(piece.type)
            whose = f"{kind.title} on {origin} {kind.does('be')} {Color(piece.color).title}'s"
            return [_no(f"{whose}, and it is {position.turn.title}'s turn.")]
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
    origin = action.origin
    if origin is not None:
        # What is struck says more than where the piece would end, which may be where it stands.
        meant = [at for at in dict.fromkeys((action.victim, action.target)) if at]
        meant = [at for at in meant if at != origin] or meant
        for at in meant:
            others = [
                str(legal)
                for legal in position.legal_actions()
                if legal.origin == origin and at in (legal.target, legal.victim)
            ]
            if others:
                return f"from {origin} what can be done on {at} is {', '.join(others)}."
            reason = explain(position, origin, at)[0]
            if not reason.legal:
                return str(reason)
    kinds = sorted({legal.kind for legal in position.legal_actions()})
    return f"{position.turn.title} may now {_listed(kinds)}."


def _listed(kinds: list[str]) -> str:
    words = [kind.replace("_", " ") for kind in kinds]
    return " or ".join(words)


def _no(sentence: str) -> Reason:
    return Reason(False, sentence, "all rule sets")
