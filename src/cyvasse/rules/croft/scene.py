"""What there is to see in Croft's Cyvasse: mountains, keeps with their home tiles, reserves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from cyvasse.rules.croft.board import ground
from cyvasse.rules.scene import Scene, SceneFeature, Store
from cyvasse.rules.terms import Color, State


class CroftScene(Scene):
    """The scene of Croft's Cyvasse."""

    effect_words: ClassVar = {
        "keep_destroyed": "{owner} keep on {square} falls.",
        "reserve_captured": "{owner} {piece} {be} taken in the keep.",
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

    def stores(self, state: State) -> Iterable[Store]:
        for color in Color:
            yield Store("reserve", color, state.fields["reserves"][str(color)])
