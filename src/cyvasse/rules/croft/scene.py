"""What there is to see in Croft's Cyvasse: mountains, keeps with their home tiles, reserves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from cyvasse.rules.base import Position
from cyvasse.rules.croft.board import ground
from cyvasse.rules.dangers import Danger
from cyvasse.rules.scene import Scene, SceneFeature, Store
from cyvasse.rules.sentences import Sentence, Templates
from cyvasse.rules.telling import Ending
from cyvasse.rules.terms import Color, End, Outcome, State


class CroftScene(Scene):
    """The scene of Croft's Cyvasse."""

    sentences: ClassVar[Templates] = {
        "keep_destroyed": "{color's} keep on {square} was stormed.",
        "reserve_captured": "{color} lost what was in it: {pieces}.",
        "end_king_in_keep": "{color} won: {other's} keep on {square} was stormed with the King in "
        "it.",
        "keep_entered": "{other's} {piece} on {at} stands on a home tile of {color's} keep on "
        "{square}. With a second piece there the keep falls.",
        "keep_in_danger": "{color's} keep on {square} can be stormed with the King in it.",
        "risk_keep": "{color's} keep on {square} can be stormed then, with the King in it.",
    }

    def ground(self, square: str) -> str:
        return ground(square)

    def features(self, state: State) -> Iterable[SceneFeature]:
        yield SceneFeature("mountain", tuple(state.fields["mountains"]))
        for color in Color:
            keep = state.fields["keeps"][str(color)]
            if keep["at"] is not None:
                yield SceneFeature("home", tuple(keep["home"]), color)
                yield SceneFeature("keep", (keep["at"],), color)

    def warnings(self, position: Position, state: State) -> Iterable[Danger]:
        """The keeps with one of the two pieces that it takes to storm them."""
        for color in Color:
            keep = state.fields["keeps"][str(color)]
            inside = [at for at in keep["home"] if _stands(state, at, color.other)]
            if keep["at"] is not None and inside:
                at, piece = inside[0], state.pieces[inside[0]].type
                data = {"color": color.word, "square": keep["at"], "piece": piece, "at": at}
                said = Sentence("keep_entered", data)
                yield Danger("keep", color, (keep["at"],), tuple(inside), said)

    def defeat(self, position: Position, color: Color, by: Sequence[str]) -> Danger:
        keep = position.state().fields["keeps"][str(color)]["at"]
        if keep is None:
            return super().defeat(position, color, by)
        said = Sentence("keep_in_danger", {"color": color.word, "square": keep})
        return Danger("keep", color, (keep,), tuple(by), said)

    def cause(self, position: Position, outcome: Outcome) -> Ending:
        effects = position.effects() if outcome.end is End.KING_CAPTURED else []
        if any(effect.piece == "king" for effect in effects):
            keep = str(effects[0].square)
            data = {"color": effects[0].color.other.word, "square": keep}
            return Ending(Sentence("end_king_in_keep", data), (keep,))
        return super().cause(position, outcome)

    def stores(self, state: State) -> Iterable[Store]:
        for color in Color:
            yield Store("reserve", color, state.fields["reserves"][str(color)])


def _stands(state: State, square: str, color: Color) -> bool:
    piece = state.pieces.get(square)
    return piece is not None and piece.color is color
