"""What can go wrong, named for the game.  Messages say what was wrong, where, what is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cyvasse.rules.terms import Problem


class CyvasseError(ValueError):
    """The parent of every error this library raises about its input and its rule sets."""


class UnknownRuleSetError(CyvasseError):
    """No rule set has that id."""


class UnknownSquareError(CyvasseError):
    """The board has no square of that name."""


class UnknownPieceError(CyvasseError):
    """The rule set has no piece of that name or letter."""


class IllegalActionError(CyvasseError):
    """The action is well formed, but the rules forbid it here."""


class NothingToUndoError(CyvasseError):
    """No action has been played since the position was made."""


class ContractError(CyvasseError):
    """A rule set that cannot be registered: it lacks a method, or has misspelt one."""


class RuleSetError(CyvasseError):
    """A rule set has failed: one of its methods raised an error or gave an answer of no use."""


class StateError(CyvasseError):
    """A position that cannot be: two pieces on a square, a piece on a mountain, no such field."""


class SetupError(CyvasseError):
    """A setup that breaks the rules; ``problems`` lists every one of them."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[type[SetupError], tuple[str, tuple[Problem, ...]]]:
        return SetupError, (str(self), self.problems)


class ScreenError(CyvasseError):
    """The screen stands, or is already lifted, so this cannot be done now."""


class GameOverError(CyvasseError):
    """The game has ended: nothing more can be played, offered or resigned."""


class NotationError(CyvasseError):
    """A text that cannot be read.  ``line`` and ``column`` count from 1 where they are known."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        where = f"line {line}, column {column}: " if line is not None else ""
        super().__init__(where + message)
        self.message = message
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, int | None, int | None]]:
        return type(self), (self.message, self.line, self.column)


class LeftOutWarning(RuntimeWarning):
    """A rule set of an installed package cannot be used, and why."""


class UncompiledWarning(RuntimeWarning):
    """The package runs as plain Python: correct, but about a hundred times slower."""
