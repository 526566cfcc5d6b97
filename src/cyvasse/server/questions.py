"""What a bot is asked, and how that is said in UGI (docs/ugi.md)."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from cyvasse import Action, Engine, Game, GameOverError, NothingToUndoError, Position
from cyvasse.engine.levels import check_level


class Question(NamedTuple):
    """What shall a bot play?  As much of the game as the engine can tell from the whole.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    >>> question = Question.about(Game.from_position(position), level=5)
    >>> question.game().position == position
    True
    >>> position.is_legal(question.think())
    True
    """

    start: Position
    """The position after the last progress."""
    actions: list[Action]
    """What was played since."""
    repetition: bool
    quiet: bool
    level: int
    seconds: float | None = None

    @classmethod
    def about(cls, game: Game, level: int, seconds: float | None = None) -> Question:
        """The question for the player to act in a game that goes on."""
        check_level(level)
        start = game.position
        outcome = game.outcome()
        if outcome is not None:
            raise GameOverError(f"nothing to choose: {outcome}")
        # Nothing from before the last progress can come again, and for P3 the count is enough.
        actions = _go_back(start, start.quiet_turns if game.repetition else -1)
        return cls(start, actions, game.repetition, game.quiet, level, seconds)

    def game(self) -> Game:
        """A game in which the engine chooses as in the one that was asked about."""
        game = Game.from_position(self.start, repetition=self.repetition, quiet=self.quiet)
        game.play_on(self.actions)
        return game

    def think(self, nodes: int | None = None) -> Action:
        """The engine's answer.  Its mistakes are drawn anew each time: nobody can foresee them."""
        return Engine(self.level).choose(self.game(), nodes=nodes, seconds=self.seconds)

    def commands(self) -> str:
        """The question in UGI, whatever was asked before.

        A new game has a new engine, whose mistakes nobody can foresee.
        """
        played = " moves " + " ".join(map(str, self.actions)) if self.actions else ""
        limit = "" if self.seconds is None else f" movetime {int(self.seconds * 1000)}"
        return (
            "uginewgame\n"
            f"setoption name Level value {self.level}\n"
            f"setoption name Repetition value {_check(self.repetition)}\n"
            f"setoption name Quiet value {_check(self.quiet)}\n"
            f"position fen {self.start.text()}{played}\n"
            f"go{limit}\n"
        )


def _check(value: bool) -> str:
    return "true" if value else "false"


def _go_back(position: Position, turns: int) -> list[Action]:
    """Undo so many turns, or as many as there are: what was undone, in order."""
    undone: list[Action] = []
    begun = 0 if position.in_turn else 1
    with contextlib.suppress(NothingToUndoError):
        while begun <= turns:
            undone.append(position.undo())
            begun += not position.in_turn
    undone.reverse()
    return undone
