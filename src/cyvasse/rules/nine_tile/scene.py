"""What there is to see in Nine-Tile Cyvasse: tiles while setting up, and who engages whom."""

from __future__ import annotations

from collections.abc import Iterable

from cyvasse.rules.base import Position
from cyvasse.rules.nine_tile import tiles
from cyvasse.rules.nine_tile.pieces import SPECS
from cyvasse.rules.nine_tile.reasons import Battlefield
from cyvasse.rules.scene import Layer, Scene, SceneFeature
from cyvasse.rules.terms import WHITE, Setup


class NineTileScene(Scene):
    """The scene of Nine-Tile Cyvasse."""

    def ground(self, square: str) -> str:
        return "open"

    def setup_features(self, setup: Setup) -> Iterable[SceneFeature]:
        triangle, laid = setup.fields["triangle"], setup.fields["tiles"]
        slots = tiles.SLOTS if triangle is None else tiles.SLOTS_BESIDE[triangle]
        lying = [tiles.SLOTS[slot] for slot in slots if laid[slot] is not None]
        features = [SceneFeature("tile", squares) for squares in lying]
        if triangle is not None:
            features.append(SceneFeature("tile", tiles.TRIANGLES[triangle]))
            features.append(SceneFeature("circle", (tiles.circle(triangle),)))
        if setup.color is WHITE:
            return features
        turn = self.board.turned
        return [SceneFeature(kind, tuple(map(turn, squares))) for kind, squares, *_ in features]

    def layers(self, position: Position) -> Iterable[Layer]:
        return (engagement(position),)


def engagement(position: Position) -> Layer:
    """How many pieces engage each piece, of how many that its armour asks for.

    Those that nobody engages have their number too, so that armour can be seen at any time.
    """
    field = Battlefield(position)
    values, told, lines = {}, {}, []
    for square, piece in sorted(field.pieces.items()):
        engagers = field.engagers(square)
        lines += [(at, square) for at in sorted(engagers)]
        needed = SPECS[piece.type].armour
        if needed:
            values[square] = f"{len(engagers)}/{needed}"
            told[square] = f"Engaged by {len(engagers)} of {needed}"
    return Layer(
        "engagement",
        "Engagement",
        "How many pieces engage this one, of how many its armour asks for: at 2/2 it can be taken, "
        "and without a number at any time. Tap or point at a piece to see who engages whom.",
        values,
        tuple(lines),
        told,
    )
