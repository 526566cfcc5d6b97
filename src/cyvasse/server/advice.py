"""Hints: what a strong bot would play in the place of somebody who plays against a bot."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cyvasse.actions import Action
from cyvasse.game import Game
from cyvasse.rules.base import Position
from cyvasse.server.contest import Contest
from cyvasse.server.problems import NotYours, Refusal


class Hint(msgspec.Struct, frozen=True):
    """An action to think about.  Show the piece first, and the action to who asks again."""

    action: str
    origin: str | None
    """Where the piece stands; null for a choice, or a piece from beside the board."""
    piece: str | None
    """The letter of its type; null for a choice."""


def game_to_hint(contest: Contest, person: str, held: Sequence[str]) -> Game:
    """The game in which a person asks for a hint, after the actions that are not sent yet."""
    seats = contest.seats_of(person)
    if not seats:
        raise NotYours("You are watching this game; only its players can ask for a hint.")
    if len(seats) > 1:
        raise Refusal("Two people play at this screen; hints are for games against a bot.")
    return contest.hinted(seats[0], held)


def hint_of(position: Position, action: Action) -> Hint:
    """The hint to play this action here."""
    piece = position.piece_at(action.origin) if action.origin else None
    letter = action.piece if piece is None else position.rules.piece_type(piece.type).letter
    return Hint(str(action), action.origin, letter)
