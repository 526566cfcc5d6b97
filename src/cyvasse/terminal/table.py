"""A table: a game, who sits at it, and what may be done there beyond the rules.

>>> table = Table.new("nine-tile", bots={Color.BLACK: 1}, seed=1)
>>> table.submit(Color.WHITE, table.rules.named_setups("white")["eyrie"])
>>> table.game.screen_lifted
True
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date

from cyvasse.actions import Action
from cyvasse.engine import Engine, choose_setup
from cyvasse.engine.levels import check_level, gives_up, level_name
from cyvasse.errors import CyvasseError, NothingToUndoError
from cyvasse.game import Game
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.dangers import Danger
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.sentences import Sentence
from cyvasse.rules.terms import Color, Setup

_HINT_SECONDS = 1.0
_JUDGING_NODES = 3_000


class Table:
    """A game between a person and a bot, or between two persons at one keyboard.

    ``bots`` has the level of each bot.  ``first`` begins, where the players want to say so.
    ``seed`` makes the bot's setup, its mistakes and the lot repeatable.
    """

    def __init__(
        self,
        game: Game,
        bots: Mapping[Color, int] | None = None,
        *,
        first: Color | None = None,
        seed: int | None = None,
    ) -> None:
        self.game = game
        self.bots = dict(bots or {})
        self.first = first
        self.seed = seed
        self.drafts: dict[Color, Setup] = {}
        """What a player has arranged but not declared finished."""
        if len(self.bots) > 1:
            raise CyvasseError("two bots need no table: one player must be a person")
        for level in self.bots.values():
            check_level(level)
        self._chance = random.SystemRandom() if seed is None else random.Random(seed)

    @classmethod
    def new(
        cls,
        rules: RuleSet | str,
        bots: Mapping[Color, int] | None = None,
        *,
        first: Color | None = None,
        seed: int | None = None,
    ) -> Table:
        """A table at which nothing has been set up yet."""
        tags = {"Date": date.today().isoformat()}
        return cls(Game(rule_set(rules), tags=tags), bots, first=first, seed=seed)

    @property
    def rules(self) -> RuleSet:
        """The rule set that is played."""
        return self.game.rules

    @property
    def persons(self) -> tuple[Color, ...]:
        """Who is no bot, White first."""
        return tuple(color for color in Color if color not in self.bots)

    @property
    def shared(self) -> bool:
        """Whether two persons share the keyboard."""
        return len(self.persons) > 1

    def name(self, color: Color) -> str:
        """``White``, or ``White (bot, level 3)``."""
        level = self.bots.get(color)
        return color.title if level is None else f"{color.title} (bot, {level_name(level)})"

    # --- behind the screen ------------------------------------------------------------------------

    def to_set_up(self) -> Color | None:
        """The person who arranges a setup next; None once the screen is lifted."""
        if self.game.screen_lifted:
            return None
        return next((color for color in self.persons if not self.game.is_ready(color)), None)

    def random_setup(self, color: Color) -> Setup:
        """A setup drawn at random."""
        return self.rules.random_setup(color, self._chance)

    def good_setup(self, color: Color) -> Setup:
        """One of the setups that the bot plays too."""
        return choose_setup(self.rules, color, seed=self._drawn())

    def submit(self, color: Color, setup: Setup) -> None:
        """Declare a setup finished.  With the last one the bot sets up and the screen is lifted."""
        self.game.submit(color, setup)
        self.drafts.pop(color, None)
        if self.to_set_up() is None:
            self.lift()

    def lift(self) -> None:
        """Let the bot set up, and lift the screen."""
        for bot in self.bots:
            self.game.submit(bot, self.good_setup(bot))
        self.game.lift_screen(self.first or self.rules.first_player or self.lot())

    def lot(self) -> Color:
        """White or Black, drawn by lot."""
        return self._chance.choice(list(Color))

    def _drawn(self) -> int | None:
        return None if self.seed is None else self._chance.getrandbits(32)

    # --- play -------------------------------------------------------------------------------------

    @property
    def bot_to_act(self) -> int | None:
        """The level of the bot that is to act; None if a person is, or nobody."""
        if not self.game.screen_lifted or self.game.outcome():
            return None
        return self.bots.get(self.game.turn)

    @property
    def bot_gives_up(self) -> bool:
        """Whether the bot that is to act resigns."""
        level = self.bot_to_act
        return level is not None and gives_up(level, self.game.position)

    def engine(self) -> Engine:
        """The mind of the bot that is to act."""
        return Engine(self.bot_to_act, seed=self.seed)

    def undo(self) -> int:
        """Take back the last turn, finished or not; against a bot back to the person's own.

        The number of actions that were taken back.
        """
        turns = self.game.turns()
        last = next(
            (i for i in reversed(range(len(turns))) if turns[i].color in self.persons), None
        )
        if last is None:
            raise NothingToUndoError("You have not played anything yet that could be taken back.")
        actions = sum(len(turn.actions) for turn in turns[last:])
        for _ in range(actions):
            self.game.undo()
        return actions

    # --- what is told -----------------------------------------------------------------------------

    @property
    def reader(self) -> Color | None:
        """Whom sentences address: the one person; nobody where two share the screen."""
        return None if self.shared else self.persons[0]

    def play(self, action: Action | str) -> list[str]:
        """Play an action; what it did, in sentences."""
        before = self.game.position
        self.game.play(action)
        told = self.rules.scene.tell(before, self.game.actions[-1], self.game.position)
        return [self._words(sentence) for sentence in told]

    def told(self) -> list[str]:
        """What the last turn did."""
        return [self._words(sentence) for sentence in self.game.position.told()]

    def dangers(self) -> list[tuple[Danger, str]]:
        """What the person has to fear, or where two play the one who is to act, in words."""
        if self.game.outcome():
            return []
        whose = self.reader or self.game.turn
        dangers = [each for each in self.game.position.dangers() if each.color is whose]
        return [(danger, self._words(danger.said)) for danger in dangers]

    def risks(self, texts: Sequence[Action | str]) -> list[str]:
        """What these actions would give away; nothing where they cannot be played."""
        now = self.game.position
        ahead, actions = now.copy(), []
        try:
            for text in texts:
                action = ahead.parse_action(str(text))
                ahead.play(action)
                actions.append(action)
        except CyvasseError:
            return []
        return [self._words(risk) for risk in self.rules.scene.risks(now, actions)]

    def ending(self) -> str | None:
        """How the game ended."""
        ending = self.game.ending()
        return None if ending is None else self._words(ending.said)

    def _words(self, sentence: Sentence) -> str:
        return self.rules.scene.words(sentence, self.reader)


NO_HINTS = "Hints are for games against a bot; between two people everyone thinks alone."


def where_to_look(position: Position, action: Action) -> str | None:
    """The first half of a hint: which piece acts.  None where no piece of the board does."""
    piece = position.piece_at(action.origin) if action.origin else None
    if piece is None:
        return None
    return f"Look at your {position.rules.piece_type(piece.type).title} on {action.origin}."


def hint(engine: Engine, game: Game) -> tuple[Action, str]:
    """What the engine would play, and what it thinks of the position."""
    *_, analysis = engine.analyse(game, seconds=_HINT_SECONDS)
    return analysis.best, analysis.lines[0].verdict


def accepts_draw(engine: Engine, game: Game) -> bool:
    """Whether the bot takes the draw that the player to act offers: not if it stands better."""
    *_, analysis = engine.analyse(game, nodes=_JUDGING_NODES)
    return analysis.score >= 0
