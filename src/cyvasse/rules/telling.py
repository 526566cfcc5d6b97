"""What is told of an action: who did what, what happened by itself, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cyvasse.actions import Action
from cyvasse.rules.sentences import COMMON, Sentence
from cyvasse.rules.terms import Color, Effect, End, Outcome, Piece

if TYPE_CHECKING:
    from cyvasse.rules.base import Position

Pieces = Mapping[str, Piece]
KING = "K"


class Ending(NamedTuple):
    """How a game ended, and where."""

    said: Sentence
    squares: tuple[str, ...] = ()


def of_action(mover: Color, action: Action, before: Pieces, after: Pieces) -> Sentence:
    """Who did what to whom and where."""
    kind = action.kind
    data: dict[str, str] = {"color": mover.word}
    for place in ("origin", "target"):
        square = getattr(action, place)
        if square is not None:
            data[place] = square
    origin, target = action.origin, action.target
    actor = before.get(origin) if origin else None
    if kind == "promote" and target:
        actor = before.get(target)
        data["becomes"] = after[target].type
    elif kind in ("drop", "bring_out") and target:
        kind, actor = "drop", after.get(target)
        if target in before:
            kind = "drop_capture"
            data |= {"victim": before[target].type, "at": target}
    elif kind == "swap" and target:
        data["partner"] = before[target].type
    elif action.struck:
        return _of_strike(mover, action, before, after, data)
    if actor is not None:
        data["piece"] = actor.type
    elif kind not in ("corner", "end", "pass"):
        return Sentence("act", {"color": mover.word, "action": str(action)})
    return Sentence(kind, data)


def _of_strike(
    mover: Color, action: Action, before: Pieces, after: Pieces, data: dict[str, str]
) -> Sentence:
    actor = before.get(action.origin or "")
    struck = [(at, before[at]) for at in action.struck if at in before]
    if actor is None or len(struck) != len(action.struck):
        return Sentence("act", {"color": mover.word, "action": str(action)})
    (at, victim), *more = struck
    data |= {"piece": actor.type, "victim": victim.type, "at": at}
    if more:
        data["second"] = more[0][1].type
    template = action.kind
    if template == "shoot" and after.get(at) == victim:
        template = "shoot_held"
    if victim.color is mover and f"{template}_own" in COMMON:
        template += "_own"
    return Sentence(template, data)


def of_effect(effect: Effect, actor: Piece | None, action: Action, before: Pieces) -> Sentence:
    """What happened by itself; ``was`` is the piece to which it happened, as it was before."""
    data: dict[str, str] = {"color": effect.color.word}
    if effect.square is not None:
        data["square"] = effect.square
        came = effect.square == action.target and action.kind != "shoot"
        was = actor if actor and came else before.get(effect.square)
        if was is not None:
            data["was"] = was.type
    if effect.piece is not None:
        data["piece"] = effect.piece
    return Sentence(effect.kind, data)


def together(told: Iterable[Sentence]) -> list[Sentence]:
    """Pieces to which the same happened, beside the board, in one sentence as ``pieces``."""
    joined: list[Sentence] = []
    for each in told:
        data = dict(each.data)
        if "piece" in data and "square" not in data:
            pieces = data.pop("piece")
            last = joined[-1] if joined else each
            if last.template == each.template and last.data["color"] == data["color"] and joined:
                pieces = f"{joined.pop().data['pieces']},{pieces}"
            data["pieces"] = pieces
        joined.append(Sentence(each.template, data))
    return joined


def kings(position: Position, color: Color, pieces: Pieces | None = None) -> list[str]:
    """The squares of a player's Kings."""
    names = {kind.name for kind in position.rules.piece_types if kind.letter == KING}
    everybody = position.pieces() if pieces is None else pieces
    return [at for at, man in everybody.items() if man[1] in names and man[0] is color]


def undone(position: Position) -> tuple[Position, Action] | None:
    """The position before the last action, and that action; None where nothing was played."""
    if not position.has_past:
        return None
    before = position.copy()
    action = before.undo()
    return before, action


def ending(position: Position, outcome: Outcome) -> Ending:
    """How a game ended; where the King was taken, if that ended it."""
    said = of_outcome(outcome)
    if outcome.winner is None:
        return Ending(said)
    loser = outcome.winner.other
    last = undone(position) if outcome.end is End.KING_CAPTURED else None
    if last is not None:
        for square in set(kings(last[0], loser)) - set(kings(position, loser)):
            data = {**said.data, "square": square}
            return Ending(Sentence(f"{said.template}_on", data), (square,))
    return Ending(said, tuple(kings(position, loser)) if outcome.end is End.NO_ACTION else ())


def of_outcome(outcome: Outcome) -> Sentence:
    """How a game ended, whatever the board shows of it."""
    winner = outcome.winner
    return Sentence(
        f"end_{outcome.end.name.lower()}", {} if winner is None else {"color": winner.word}
    )
