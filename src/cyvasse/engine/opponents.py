"""Players by a short text, so that they can be written down and made again in another process.

| text            | plays                                                                      |
|-----------------|----------------------------------------------------------------------------|
| ``random``      | any legal action                                                           |
| ``greedy``      | the capture that gains most at once, else any legal action                 |
| ``level:3``     | the engine at a level                                                      |
| ``nodes:20000`` | the engine at full strength, so many nodes an action                       |
| ``depth:4``     | the engine at full strength, so many actions deep                          |
| ``seconds:0.1`` | the engine at full strength, so long an action (never the same game twice) |

All but ``random`` may end with ``@FILE``, a JSON file of weights for the evaluation.

>>> import cyvasse
>>> rules = cyvasse.rule_set("nine-tile")
>>> position = rules.random_position(seed=1)
>>> position.is_legal(player_of("greedy").meet(rules, seed=1).choose(position))
True
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cyvasse.actions import Action
from cyvasse.engine.levels import LEVELS, check_level, gives_up, limits
from cyvasse.engine.player import Engine
from cyvasse.engine.weights import tuned_weights
from cyvasse.errors import CyvasseError, GameOverError
from cyvasse.game import Game
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet

_ENGINES = ("level", "nodes", "depth", "seconds")


class Player(Protocol):
    """Whoever can choose an action."""

    def choose(self, game: Game | Position) -> Action:
        """A legal action for the player to act."""

    def gives_up(self, game: Game) -> bool:
        """Whether the player to act resigns instead."""


@dataclass(frozen=True)
class PlayerText:
    """A player as it is written down."""

    text: str
    kind: str
    number: float = 0
    weights: Mapping[str, int] | None = field(default=None, hash=False)

    def meet(self, rules: RuleSet, seed: int) -> Player:
        """The player itself, for one game."""
        if self.kind == "random":
            return RandomPlayer(seed)
        if self.kind == "greedy":
            return GreedyPlayer(rules, seed, self.weights)
        if self.kind == "level":
            return EnginePlayer(Engine(int(self.number), seed=seed, weights=self.weights))
        engine = Engine(seed=seed, weights=self.weights)
        if self.kind == "seconds":
            return EnginePlayer(engine, seconds=self.number)
        if self.kind == "nodes":
            return EnginePlayer(engine, nodes=int(self.number))
        return EnginePlayer(engine, depth=int(self.number))

    def fingerprint(self, rules: RuleSet) -> str:
        """A short text that changes when the player's weights or its level do.

        Weights that do not fit the rule set are refused here.
        """
        if self.kind == "random":
            return "random"
        weights = tuned_weights(rules) if self.weights is None else self.weights
        rules.evaluation(weights)
        number = limits(int(self.number), rules) if self.kind == "level" else (self.number,)
        everything = json.dumps([self.kind, number, sorted(weights.items())])
        return hashlib.sha256(everything.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        return self.text


def player_of(text: str) -> PlayerText:
    """The player that a text describes; errors say what it may be."""
    if not isinstance(text, str):
        raise CyvasseError(f"a player is a text such as 'level:3', not {text!r:.40}")
    name, at, file = text.partition("@")
    kind, colon, value = name.partition(":")
    if kind in ("random", "greedy") and not colon:
        if kind == "random" and at:
            raise CyvasseError(f"{text!r:.60}: the random player weighs nothing; leave out @{file}")
        return PlayerText(text, kind, weights=read_weights(file) if at else None)
    if kind not in _ENGINES or not colon:
        raise CyvasseError(
            f"no player is called {text!r:.60}; there are random, greedy, level:3, nodes:20000, "
            "depth:4 and seconds:0.1, with @FILE for other weights"
        )
    number = _number(kind, value)
    return PlayerText(text, kind, number, read_weights(file) if at else None)


def _number(kind: str, value: str) -> float:
    if kind == "level":
        try:
            return check_level(int(value))
        except ValueError:
            raise CyvasseError(
                f"level:{value:.40} is no level; they are 1 to {max(LEVELS)}"
            ) from None
    try:
        number = float(value) if kind == "seconds" else int(value)
    except ValueError:
        number = 0
    if not 0 < number < 1e9:
        raise CyvasseError(f"{kind}:{value:.40} needs a number of {kind} greater than 0")
    return number


def read_weights(file: str | Path) -> dict[str, int]:
    """The weights in a JSON file: numbers by feature."""
    try:
        weights = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise CyvasseError(f"cannot read the weights in {file}: {error.strerror}") from None
    except ValueError as error:
        raise CyvasseError(f"the weights in {file} are no JSON: {error}") from None
    if not isinstance(weights, dict) or not all(type(w) is int for w in weights.values()):
        raise CyvasseError(f"the weights in {file} are not whole numbers by feature")
    return weights


class _Tenacious:
    def gives_up(self, game: Game) -> bool:
        """Never."""
        return False


class RandomPlayer(_Tenacious):
    """Plays any legal action."""

    def __init__(self, seed: int | None = None) -> None:
        self._chance = random.Random(seed)

    def choose(self, game: Game | Position) -> Action:
        """Any legal action, each as likely as the other."""
        return self._chance.choice(_legal(game))


class GreedyPlayer(_Tenacious):
    """Takes what gains most at once, without a look at what comes then."""

    def __init__(
        self, rules: RuleSet, seed: int | None = None, weights: Mapping[str, int] | None = None
    ) -> None:
        self._evaluation = rules.evaluation(tuned_weights(rules) if weights is None else weights)
        self._chance = random.Random(seed)

    def choose(self, game: Game | Position) -> Action:
        """The action with the highest gain; any of them if nothing gains."""
        legal = _legal(game)
        here = game.position if isinstance(game, Game) else game
        gains = [self._evaluation.gain_of(here, action.code) for action in legal]
        best = max(gains)
        if best > 0:
            legal = [action for action, gain in zip(legal, gains, strict=True) if gain == best]
        return self._chance.choice(legal)


class EnginePlayer:
    """The engine within fixed limits."""

    def __init__(
        self,
        engine: Engine,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self._engine = engine
        self._depth = depth
        self._nodes = nodes
        self._seconds = seconds

    def gives_up(self, game: Game) -> bool:
        """A level may."""
        level = self._engine.level
        return level is not None and gives_up(level, game.position)

    def choose(self, game: Game | Position) -> Action:
        """What the engine plays."""
        return self._engine.choose(
            game, depth=self._depth, nodes=self._nodes, seconds=self._seconds
        )


def _legal(game: Game | Position) -> list[Action]:
    legal = game.legal_actions()
    if not legal:
        raise GameOverError(f"nothing to choose: {game.outcome()}")
    return legal
