"""Scene: what there is to see beyond the pieces, here the river and the rocks."""

from __future__ import annotations

from collections.abc import Iterator

from cyvasse.rules import Scene, State
from cyvasse.rules.scene import SceneFeature
from cyvasse_ford.board import WATER


class FordScene(Scene):
    """The scene of the Ford."""

    def ground(self, square: str) -> str:
        return "water" if square in WATER else "open"

    def features(self, state: State) -> Iterator[SceneFeature]:
        if state.fields["rocks"]:
            yield SceneFeature("mountain", tuple(state.fields["rocks"]))
