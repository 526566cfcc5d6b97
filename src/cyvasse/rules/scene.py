"""Scene, an aspect of every rule set: what there is to see and to say.

Whatever shows a position or a setup (the page, pictures, the terminal, mail) asks here and knows no
rule set, and no rule set knows who shows it.  Pieces stand in every state.  Beyond them a rule set
tells the *ground* of each square, *features* (a keep, a wall, a Trebuchet that points somewhere),
*stores* of pieces beside the board, *layers* that are shown on demand, and *sentences*: what is
told of an action (``rules/telling.py``) and of what is about to happen (``rules/dangers.py``).

>>> import cyvasse
>>> rules = cyvasse.rule_set("croft")
>>> seen = rules.scene.of(rules.random_position(seed=1))
>>> [feature.squares for feature in seen.features if feature.kind == "keep"]
[('e1',), ('h7',)]
>>> seen.grounds["e1"], seen.on("e1")
('plain', 'keep')
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from cyvasse.rules import dangers, sentences, telling
from cyvasse.rules.dangers import Danger
from cyvasse.rules.sentences import COMMON, Sentence, Templates
from cyvasse.rules.telling import Ending
from cyvasse.rules.terms import Color, Outcome, Piece, Setup, State, check_fields

if TYPE_CHECKING:
    from cyvasse.actions import Action
    from cyvasse.rules.base import Position
    from cyvasse.rules.ruleset import RuleSet

GROUNDS: Mapping[str, str] = {
    "open": "stone, in three shades that take turns",
    "plain": "red stone",
    "water": "blue, with waves",
    "forest": "green, with trees",
    "grass": "pale green, in two shades that take turns",
    "grassland": "yellow, with tall grass",
    "hill": "brown, with hills",
    "mountain": "grey, with peaks",
    "crag": "reddish brown, with crags",
    "fortress": "sand, inside a wall",
}
"""The looks of grounds; a ground of another name borrows one of these by ``RuleSet.looks``."""
FEATURES: Mapping[str, str] = {
    "mountain": "rock that fills the squares, whatever ground lies below",
    "fortress": "a wall around a square on which pieces stand",
    "ruin": "what is left of such a wall",
    "keep": "a building on which no piece stands",
    "home": "the squares that belong to a keep",
    "circle": "the square on which the King is set up",
    "centre": "a square round which pieces ride, in place of a player's fortress",
    "tile": "squares that lie on the board as one tile",
    "facing": "the direction in which the piece on a square points",
    "waiting": "pieces that cannot act yet",
}
BUILDINGS = ("mountain", "fortress", "ruin", "keep")
"""The features that say more about a square than its ground does."""
COVERING = ("mountain", "fortress")
"""Those that are the ground of their squares."""
BARING = ("ruin",)
"""Those below which a square has its usual ground, whatever was laid there."""


class SceneFeature(NamedTuple):
    """Something to see on the board beyond its pieces and grounds."""

    kind: str
    """A key of ``FEATURES``."""
    squares: tuple[str, ...]
    color: Color | None = None
    """Whose it is, where it is anybody's."""
    direction: str | None = None
    """For ``facing``: one of the board's directions."""


class Store(NamedTuple):
    """Pieces beside the board."""

    kind: str
    """``reserve`` for those that may still be brought to the board, ``lost`` for those taken that
    the rules can still give back."""
    color: Color
    pieces: Mapping[str, int]
    """How many there are of each type."""


class Layer(NamedTuple):
    """One thing to show about all pieces at once: numbers beside them, lines between them."""

    name: str
    """A stable word for programs."""
    title: str
    about: str
    """What its numbers and lines mean, in a sentence or two."""
    values: Mapping[str, str]
    """A short text for the pieces on these squares."""
    lines: tuple[tuple[str, str], ...]
    """From the piece that acts to the piece that it acts on."""
    told: Mapping[str, str] = {}
    """The values in a few words, for who looks at one piece: the title and the value where there
    are none, nothing where they are empty."""


@dataclass(frozen=True)
class Seen:
    """Everything that a picture of a position or a setup shows."""

    rules: RuleSet
    pieces: Mapping[str, Piece]
    grounds: Mapping[str, str]
    """The ground of every square; below a keep or a ruin the ground it stands on."""
    features: tuple[SceneFeature, ...]
    stores: tuple[Store, ...]

    def on(self, square: str) -> str:
        """What is on a square apart from pieces, in a word: what is built there, or its ground."""
        return self._built.get(square) or self.grounds[square]

    def look(self, square: str) -> str:
        """Which of ``GROUNDS`` the ground of a square looks like."""
        return self.rules.scene.look(self.grounds[square])

    @cached_property
    def _built(self) -> dict[str, str]:
        buildings = [each for each in self.features if each.kind in BUILDINGS]
        return {at: each.kind for each in buildings for at in each.squares}


class Scene(ABC):
    """What there is to see and to say in one rule set."""

    sentences: ClassVar[Templates] = {}
    """The words for each kind of effect, with ``{color's}``, ``{square}``, ``{piece}`` and what it
    ``{was}``; for what ``warnings`` tells; and for common sentences that are told otherwise here.
    An effect that the action itself tells has an empty text."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.board = rules.board

    # --- each rule set writes this ----------------------------------------------------------------

    @abstractmethod
    def ground(self, square: str) -> str:
        """The ground of a square on which nobody has laid anything."""

    # --- and these if it has something to tell ----------------------------------------------------

    def features(self, state: State) -> Iterable[SceneFeature]:
        """What there is to see beyond pieces and grounds.

        A state of one lone setup has fields at their defaults.
        """
        return ()

    def setup_features(self, setup: Setup) -> Iterable[SceneFeature]:
        """What can be seen only as long as a setup is arranged."""
        return ()

    def stores(self, state: State) -> Iterable[Store]:
        """The pieces beside the board that the rules still know."""
        return ()

    def layers(self, position: Position) -> Iterable[Layer]:
        """What can be shown about pieces on demand, beyond who takes whom.

        The same ones in every position, in the same order, whether there is something to show or
        not: who shows them has a switch for each.
        """
        return ()

    def warnings(self, position: Position, state: State) -> Iterable[Danger]:
        """What threatens a player beyond the taking of his King, and what can still be done.

        ``state`` is that of the position, which takes longer to find than most answers.
        """
        return ()

    def defeat(self, position: Position, color: Color, by: Sequence[str]) -> Danger:
        """That the opponent can win in one turn otherwise than by taking a King on the board."""
        return Danger(
            "defeat", color, (), tuple(by), Sentence("defeat_in_danger", {"color": color.word})
        )

    def cause(self, position: Position, outcome: Outcome) -> Ending:
        """How the game ended on the board that is shown, and where."""
        return telling.ending(position, outcome)

    # --- the same for all -------------------------------------------------------------------------

    @cached_property
    def usual(self) -> dict[str, str]:
        """The ground of every square on which nobody has laid anything."""
        return {at: self.ground(at) for at in self.board.squares}

    def look(self, ground: str) -> str:
        """Which of ``GROUNDS`` a ground looks like; open where nobody has said.

        >>> import cyvasse
        >>> cyvasse.rule_set("croft").scene.look("water")
        'water'
        """
        return self.rules.looks.get(ground, ground if ground in GROUNDS else "open")

    def of(self, position: Position) -> Seen:
        """What there is to see in a position."""
        return self.of_state(position.state())

    def of_setup(self, setup: Setup) -> Seen:
        """What its owner sees of a setup; it need not be complete or legal."""
        setups = self.rules.setups
        setup = setups.canonical(setup)
        nobody = setups.canonical(Setup(self.rules.id, setup.color.other, {}))
        white, black = (setup, nobody) if setup.color is Color.WHITE else (nobody, setup)
        state = setups.start_state(white, black, setup.color)
        fields = check_fields(self.rules.state_fields, state.fields, self.board, "a setup")
        seen = self.of_state(replace(state, fields=fields))
        features = (*seen.features, *self.setup_features(setup))
        stores = tuple(store for store in seen.stores if store.color is setup.color)
        return replace(seen, features=features, stores=stores)

    def of_state(self, state: State) -> Seen:
        """The same as plain data tells it."""
        features = tuple(self.features(state))
        stores = tuple(store for store in self.stores(state) if store.pieces)
        grounds = {**self.usual, **state.terrain}
        for feature in features:
            if feature.kind in COVERING:
                grounds.update(dict.fromkeys(feature.squares, feature.kind))
            elif feature.kind in BARING:
                grounds.update({at: self.usual[at] for at in feature.squares})
        return Seen(self.rules, state.pieces, grounds, features, stores)

    def reserve(self, state: State, color: Color) -> Mapping[str, int]:
        """How many pieces of each type a player may still bring to the board."""
        for store in self.stores(state):
            if store.kind == "reserve" and store.color is color:
                return store.pieces
        return {}

    def all_layers(self, position: Position) -> list[Layer]:
        """Everything that can be shown on demand.

        >>> import cyvasse
        >>> position = cyvasse.rule_set("croft").random_position(seed=1, actions=30)
        >>> [(layer.title, dict(layer.values)) for layer in position.layers()]
        [('Who takes whom', {'a1': '1', 'b1': '1', 'g7': '1'})]
        """
        return [*self.layers(position), strikes(position)]

    # --- what is told -----------------------------------------------------------------------------

    @cached_property
    def templates(self) -> Templates:
        """The words of everything that is told in this rule set."""
        return {**COMMON, **self.sentences}

    def words(self, sentence: Sentence, reader: Color | None = None) -> str:
        """A sentence as everybody reads it, or as one of the players does.

        >>> import cyvasse
        >>> scene = cyvasse.rule_set("croft").scene
        >>> data = {"color": "white", "piece": "dragon", "origin": "a1", "target": "a2"}
        >>> scene.words(Sentence("move", data))
        "White's Dragon moved from a1 to a2."
        >>> scene.words(Sentence("move", data), Color.WHITE)
        'Your Dragon moved from a1 to a2.'
        """
        return self.readings(sentence, (reader,))[0]

    def readings(self, sentence: Sentence, readers: Sequence[Color | None]) -> list[str]:
        """The same for several readers at once, which is faster."""
        return sentences.words(sentence, self.templates, self._title, readers)

    def _title(self, word: str, many: int) -> str:
        kind = self.rules.types.get(word)
        if kind is None:
            return word
        return kind.title if many == 1 else kind.counted(many)

    def tell(self, before: Position, action: Action, after: Position) -> list[Sentence]:
        """What an action did, what happened by itself, what it means now, how the game ended."""
        return self._tell(before, action, after, after.outcome())

    def _tell(
        self, before: Position, action: Action, after: Position, outcome: Outcome | None
    ) -> list[Sentence]:
        past, now = before.state(), after.state()
        pieces = past.pieces
        told = [telling.of_action(before.turn, action, pieces, now.pieces)]
        actor = pieces.get(action.origin) if action.origin else None
        told += telling.together(
            telling.of_effect(effect, actor, action, pieces)
            for effect in after.effects()
            if self.sentences[effect.kind]
        )
        if outcome is not None:
            return [*told, self.cause(after, outcome).said]
        warned = [danger.said for danger in self.warnings(after, now)]
        known = [danger.said for danger in self.warnings(before, past)] if warned else []
        return told + [said for said in warned if said not in known]

    def told(self, position: Position) -> list[Sentence]:
        """What the last turn did, or the turn that is going on; nothing where no past is known."""
        told: list[Sentence] = []
        outcome = position.outcome()
        while (last := telling.undone(position)) is not None:
            before, action = last
            told = self._tell(before, action, position, outcome) + told
            if not before.in_turn:
                break
            position, outcome = before, None  # the game went on from there
        return told

    def dangers(self, position: Position) -> list[Danger]:
        """What both players have to fear now; nothing once the game is over."""
        if position.outcome() is not None:
            return []
        state = position.state()
        attacks = [each for color in Color for each in self._attacks(position, color, state.pieces)]
        return [*attacks, *self.warnings(position, state)]

    def _attacks(
        self, position: Position, color: Color, pieces: Mapping[str, Piece]
    ) -> Iterable[Danger]:
        """What the opponent of a player could win in one turn: the King, or the game."""
        found = dangers.threats(position, color, pieces)
        yield from dangers.kings_in_danger(color, pieces, found)
        if found.winners is not None:
            yield self.defeat(position, color, found.winners)

    def risks(self, position: Position, actions: Sequence[Action]) -> list[Sentence]:
        """What a player's actions would give away at once, and the own pieces that they strike."""
        color, ahead = position.turn, position.copy()
        found: list[Sentence] = []
        for action in actions:
            found += dangers.own_struck(ahead, action)
            ahead.play(action)
        outcome = ahead.outcome()
        if outcome is None:
            if ahead.turn is not color:  # else the turn may still save what it gives away
                given = self._attacks(ahead, color, ahead.pieces())
                found += [dangers.then(danger.said) for danger in given]
        elif outcome.winner is color.other:
            found.append(Sentence("risk_lost", {"color": color.word}))
        return found

    def gives_away(self, position: Position, action: Action) -> bool:
        """Whether the opponent could take the King, or win, in his turn right after an action."""
        color, ahead = position.turn, position.copy()
        ahead.play(action)
        outcome = ahead.outcome()
        if outcome is not None:
            return outcome.winner is color.other
        return ahead.turn is not color and any(self._attacks(ahead, color, ahead.pieces()))


def strikes(position: Position) -> Layer:
    """Who can take whom: now, and if it were the opponent's turn."""
    lines = tuple(sorted(set(_strikes(position))))
    counts = Counter(struck for _, struck in lines)
    return Layer(
        "strikes",
        "Who takes whom",
        "The number tells how many pieces could take this one if it were their turn. "
        "Tap or point at a piece for the lines.",
        {at: str(number) for at, number in sorted(counts.items())},
        lines,
        {at: f"{number} can take it" for at, number in sorted(counts.items())},
    )


def _strikes(position: Position) -> Iterable[tuple[str, str]]:
    for one in (position, position.given_away()):
        if one is None or one.outcome() is not None:
            continue
        pieces = one.state().pieces
        for action in one.capturing_actions():
            for struck in action.struck:
                if pieces[struck].color is not one.turn and action.origin is not None:
                    yield action.origin, struck
