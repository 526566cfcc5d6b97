"""What pointing at a square means: found from the legal actions alone, without any rules.

>>> import cyvasse
>>> position = cyvasse.rule_set("gameofcyvasse").random_position(seed=1)
>>> choices = Choices.of(position)
>>> [str(action) for action in choices.meanings("h2", "g2")]
['h2-g2']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cyvasse.actions import Action
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import in_words

RESERVE = "@"
"""Begins the name of a source that is no square: a piece beside the board."""

# How a player would say each kind of action; the page says it in the same words.
WORDS: Mapping[str, str] = {
    "move": "go to {target}",
    "capture": "take on {target}",
    "capture_landing": "take on {victim}, end on {target}",
    "capture_two": "take on {victim} and {target}",
    "shoot": "shoot at {victim}",
    "siege": "attack {victim}, end on {target}",
    "swap": "change places with {target}",
    "jump": "jump to {target}",
    "drop": "bring {piece} to {target}",
    "bring_out": "bring out to {target}",
    "promote": "{target} becomes {piece}",
    "corner": "choose {target}",
    "end": "end the turn",
    "pass": "pass",
}
WORDS_STAYING: Mapping[str, str] = {"siege": "attack {victim} and stay"}
"""The same where the acting piece ends on its own square."""


@dataclass
class Choices:
    """The legal actions, sorted by how a player points them out."""

    sources: dict[str, list[Action]] = field(default_factory=dict)
    """By what is chosen first: a square, or ``@`` and the letter of a piece beside the board."""
    squares: dict[str, list[Action]] = field(default_factory=dict)
    """Squares that are chosen without a piece."""
    others: list[Action] = field(default_factory=list)
    """What no square tells: ending the turn, passing, what a piece becomes."""

    @classmethod
    def of(cls, position: Position, actions: Sequence[Action] | None = None) -> Choices:
        """The choices of the player to act."""
        found = cls()
        for action in position.legal_actions() if actions is None else actions:
            source = _source(action)
            if source is not None:
                found.sources.setdefault(source, []).append(action)
            elif action.kind != "promote" and action.target is not None:
                found.squares.setdefault(action.target, []).append(action)
            else:
                found.others.append(action)
        return found

    def reserve(self) -> list[str]:
        """The sources that are no squares."""
        return [source for source in self.sources if source.startswith(RESERVE)]

    def targets(self, source: str | None) -> dict[str, str]:
        """How each square is marked that can be chosen now: ``move``, ``take``, ``shot``."""
        if source is None:
            return dict.fromkeys(self.squares, "move")
        marked: dict[str, str] = {}
        for action in self.sources.get(source, []):
            square = pointed(action)
            if square is None:
                continue
            kind = "move" if not action.struck else "take"
            if action.kind in ("shoot", "siege"):
                kind = "shot"
            marked[square] = kind if marked.get(square, kind) == kind else "take"
        return marked

    def meanings(self, source: str | None, square: str) -> list[Action]:
        """The actions that choosing a square can mean, the plain meaning first."""
        if source is None:
            return self.squares.get(square, [])
        actions = self.sources.get(source, [])
        plain = [action for action in actions if pointed(action) == square]
        return plain or [action for action in actions if action.target == square]


def pointed(action: Action) -> str | None:
    """The square that means this action: what is struck, or where the piece goes."""
    struck = action.struck
    if struck and action.target not in struck:
        return struck[0]
    return action.target


def _source(action: Action) -> str | None:
    if action.kind == "drop" and action.piece is not None:
        return RESERVE + action.piece
    if action.kind == "bring_out":
        return RESERVE
    return action.origin


def source_title(position: Position, source: str) -> str:
    """What a source that is no square is called."""
    letter = source.removeprefix(RESERVE)
    names = [piece_name(position.rules, letter)] if letter else []
    titles = [
        position.rules.piece_type(name).title
        for name in names or position.in_reserve(position.turn)
    ]
    return in_words(titles, "or")


def reserve_piece(position: Position, source: str) -> str | None:
    """The name of the piece type that waits beside the board, for explanations."""
    letter = source.removeprefix(RESERVE)
    if letter:
        return piece_name(position.rules, letter)
    return next(iter(position.in_reserve(position.turn)), None)


def piece_name(rules: RuleSet, letter: str) -> str:
    """The name of the piece type with a letter."""
    return next(kind.name for kind in rules.piece_types if kind.letter == letter.upper())


def in_plain_words(rules: RuleSet, action: Action) -> str:
    """An action as a player would say it.

    >>> import cyvasse
    >>> rules = cyvasse.rule_set("nine-tile")
    >>> in_plain_words(rules, Action.parse("e4xf6-g7", rules.board))
    'take on f6, end on g7'
    """
    stays = action.origin is not None and action.target == action.origin
    words = WORDS_STAYING if stays and action.kind in WORDS_STAYING else WORDS
    return words[action.kind].format(
        target=action.target,
        victim=action.victim,
        piece=action.piece and rules.piece_type(piece_name(rules, action.piece)).title,
    )
