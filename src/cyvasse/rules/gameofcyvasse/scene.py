"""What there is to see in the Rules of Cyvasse: fortresses, ruins, who waits, who points where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from cyvasse.rules.scene import Scene, SceneFeature
from cyvasse.rules.terms import BLACK, WHITE, State


class GameOfCyvasseScene(Scene):
    """The scene of the Rules of Cyvasse."""

    effect_words: ClassVar[Mapping[str, str]] = {
        "ruined": "{owner} fortress on {square} is ruined.",
        "waits": "{owner} {piece} on {square} is in the water and cannot act next turn.",
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
