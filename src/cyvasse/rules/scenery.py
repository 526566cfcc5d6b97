"""What there is to see, in words: the contract between the rule sets and whoever draws them.

Pieces and grounds are in every state.  What a rule set has beyond them (keeps, walls, a Trebuchet
that points somewhere) it names here as *features*, so that a picture needs no word about any rule
set, and a rule set none about pictures.

>>> import cyvasse
>>> position = cyvasse.rule_set("croft").random_position(seed=1)
>>> [feature.squares for feature in scene(position).features if feature.kind == "keep"]
[('e1',), ('h7',)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from cyvasse.rules.terms import Color, Piece, Setup, State, check_fields

if TYPE_CHECKING:
    from cyvasse.rules.base import Position, RuleSet

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


class Feature(NamedTuple):
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


@dataclass(frozen=True)
class Scene:
    """Everything that a picture of a position or a setup shows."""

    rules: RuleSet
    pieces: Mapping[str, Piece]
    grounds: Mapping[str, str]
    """The ground of every square; below a keep the ground it stands on."""
    features: tuple[Feature, ...]
    stores: tuple[Store, ...]


def scene(position: Position) -> Scene:
    """What there is to see in a position."""
    return _scene(position.rules, position.state())


def setup_scene(rules: RuleSet, setup: Setup) -> Scene:
    """What its owner sees of a setup; it need not be complete or legal."""
    setup = rules.canonical_setup(setup)
    nobody = rules.canonical_setup(Setup(rules.id, setup.color.other, {}))
    white, black = (setup, nobody) if setup.color is Color.WHITE else (nobody, setup)
    state = rules.start_state(white, black, setup.color)
    fields = check_fields(rules.state_fields, state.fields, rules.board, "a setup")
    seen = _scene(rules, replace(state, fields=fields))
    features = (*seen.features, *rules.setup_features(setup))
    stores = tuple(store for store in seen.stores if store.color is setup.color)
    return replace(seen, features=features, stores=stores)


def _scene(rules: RuleSet, state: State) -> Scene:
    features = tuple(rules.features(state))
    stores = tuple(store for store in rules.stores(state) if store.pieces)
    grounds = {at: state.terrain.get(at) or rules.ground(at) for at in rules.board.squares}
    for feature in features:
        if feature.kind in ("mountain", "fortress"):
            grounds.update(dict.fromkeys(feature.squares, feature.kind))
        elif feature.kind == "ruin":
            grounds.update({at: rules.ground(at) for at in feature.squares})
    return Scene(rules, state.pieces, grounds, features, stores)
