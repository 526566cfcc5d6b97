"""Scene: what there is to see beyond the pieces, here the river and the rocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from cyvasse.rules import Scene, State
from cyvasse.rules.scene import SceneFeature
from cyvasse_ford.board import WATER


class FordScene(Scene):
    """The scene of the Ford."""

    sentences: ClassVar = {
        "end_goal_reached": "{color} won: {color's} piece reached the far row.",
        "defeat_in_danger": "{other} can reach the far row in the next turn.",
        "risk_defeat": "{other} can reach the far row in the next turn then.",
    }

    def ground(self, square: str) -> str:
        return "water" if square in WATER else "open"

    def features(self, state: State) -> Iterator[SceneFeature]:
        if state.fields["rocks"]:
            yield SceneFeature("mountain", tuple(state.fields["rocks"]))
