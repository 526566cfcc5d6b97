"""What is about to happen to a player, and what an action would give away.

A King is in danger if any line of actions in one turn of the opponent takes him: a choice that
comes first, or a second action of the turn, may hide who does.  Whatever a rule set knows beyond
that (a keep about to fall, a King to be replaced) its Scene tells as warnings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cyvasse.actions import Action
from cyvasse.rules.sentences import Sentence
from cyvasse.rules.telling import kings
from cyvasse.rules.terms import Color, Piece

if TYPE_CHECKING:
    from cyvasse.rules.base import Position


class Danger(NamedTuple):
    """What a player has to fear, or has to do at once."""

    kind: str
    """``king``: the King can be taken in the opponent's next turn; ``defeat``: the game can be lost
    then in another way; or a word of the rule set's own, such as ``keep``."""
    color: Color
    """Whose danger it is."""
    squares: tuple[str, ...]
    """What is in danger."""
    by: tuple[str, ...]
    """The pieces that threaten; if something can still be saved, those that can save it."""
    said: Sentence


class Threats(NamedTuple):
    """What the opponent of a player could do in one turn."""

    takers: dict[str, tuple[str, ...]]
    """The pieces that can take the King on each square; without those beside the board."""
    winners: tuple[str, ...] | None
    """The pieces with which he can win otherwise; None if he cannot."""


def opponents_turn(position: Position, color: Color) -> Position | None:
    """The position with the opponent of a player to act, as if nothing more were done."""
    if position.turn is not color:
        return position
    if not position.in_turn:
        return position.given_away()
    for action in position.legal_actions():
        if action.kind == "end":
            ended = position.copy()
            ended.play(action)
            return ended
    return None


def threats(position: Position, color: Color, pieces: Mapping[str, Piece]) -> Threats:
    """What the player can lose at once if he does nothing, or has nothing left to do."""
    other = opponents_turn(position, color)
    takers: dict[str, tuple[str, ...]] = {}
    winning: set[str] = set()
    wins = False
    if other is None or other.turn is color:
        return Threats(takers, None)
    at = kings(position, color, pieces)
    for square in at or (None,):
        found: dict[Action, bool] = {}
        for line, won in other.finishing(square):
            last = line[-1]
            if square is not None and square in (last.target, *last.struck):
                if last not in found:
                    found[last] = won or _is_gone(other, line, square, pieces[square])
            elif won:
                wins = True
                winning |= {last.origin} if last.origin else set()
        if any(found.values()):
            origins = {last.origin for last, gone in found.items() if gone and last.origin}
            takers[square or ""] = tuple(sorted(origins))
    return Threats(takers, tuple(sorted(winning)) if wins else None)


def _is_gone(position: Position, line: tuple[Action, ...], square: str, king: Piece) -> bool:
    ahead = position.copy()
    for action in line:
        ahead.play(action)
    return ahead.pieces().get(square) != king


def named(squares: Sequence[str], pieces: Mapping[str, Piece]) -> str:
    """Pieces with their squares, as sentences write them."""
    return ",".join(f"{pieces[at].type}@{at}" for at in squares if at in pieces)


def kings_in_danger(color: Color, pieces: Mapping[str, Piece], found: Threats) -> Iterator[Danger]:
    """The Kings of a player that can be taken, and by whom as far as they stand on the board."""
    for square, by in found.takers.items():
        data = {"color": color.word, "square": square}
        said = Sentence("king_in_danger_unseen", data)
        if by:
            said = Sentence("king_in_danger", {**data, "by": named(by, pieces)})
        yield Danger("king", color, (square,), by, said)


def then(said: Sentence) -> Sentence:
    """What is so now as what would be so then."""
    return Sentence("risk_" + said.template.replace("_in_danger", ""), said.data)


def own_struck(position: Position, action: Action) -> Iterator[Sentence]:
    """The own pieces that an action strikes."""
    pieces = position.pieces()
    for at in action.struck:
        piece = pieces.get(at)
        if piece is not None and piece.color is position.turn:
            yield Sentence(
                "own_struck", {"color": piece.color.word, "victim": piece.type, "at": at}
            )
