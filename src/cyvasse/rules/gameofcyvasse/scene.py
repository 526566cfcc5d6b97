"""What there is to see in the Rules of Cyvasse: fortresses, ruins, who waits, who points where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from cyvasse.rules.scene import Scene, SceneFeature
from cyvasse.rules.sentences import Templates
from cyvasse.rules.terms import BLACK, WHITE, State


class GameOfCyvasseScene(Scene):
    """The scene of the Rules of Cyvasse."""

    sentences: ClassVar[Templates] = {
        "ruined": "The fortress on {square} saved {the was} and is a ruin now.",
        "waits": "{color's} {piece} entered the water on {square} and cannot act in {color's} next "
        "turn.",
    }

    def ground(self, square: str) -> str:
        return "grass"

    def features(self, state: State) -> Iterable[SceneFeature]:
        fields = state.fields
        for at, ground in state.terrain.items():
            if ground == "fortress":
                owner = WHITE if at in self.rules.home(WHITE) else BLACK
                yield SceneFeature("ruin" if at in fields["ruined"] else "fortress", (at,), owner)
        for at, direction in fields["facing"].items():
            yield SceneFeature("facing", (at,), state.pieces[at].color, direction)
        if fields["waiting"]:
            yield SceneFeature("waiting", tuple(fields["waiting"]))
