"""What there is to see in Mikelepage's Cyvasse: mountains, fortresses, tiers, flanking."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage.pieces import SPECS
from cyvasse.rules.mikelepage.reasons import View, combined, flankers, group_of
from cyvasse.rules.scene import Layer, Scene, SceneFeature, Store
from cyvasse.rules.sentences import Templates
from cyvasse.rules.terms import Color, State


class MikelepageScene(Scene):
    """The scene of Mikelepage's Cyvasse."""

    sentences: ClassVar[Templates] = {
        "captured": "",  # the action tells it
        "by_flanking": "{color's} pieces flanked it on {square} together.",
        "promoted_at_end": "{color's} {was} in the fortress on {square} became the new King.",
        "promoted_at_beginning": "{color's} {was} in the fortress on {square} was promoted to "
        "{piece}.",
        "fortress_ruined": "{color's} fortress on {square} was ruined.",
        "end_king_captured": "{color} won: {other's} King was taken, and no fortress stands for "
        "another one.",
        "end_king_captured_on": "{color} won: {other's} King was taken on {square}, and no "
        "fortress stands for another one.",
    }

    def ground(self, square: str) -> str:
        return "open"

    def features(self, state: State) -> Iterable[SceneFeature]:
        yield SceneFeature("mountain", tuple(state.fields["mountains"]))
        for color in Color:
            fortress = state.fields["fortress"][str(color)]
            if fortress["ruined"]:
                yield SceneFeature("ruin", (fortress["at"],), color)
            elif fortress["at"] is not None:
                yield SceneFeature("fortress", (fortress["at"],), color)
            if fortress["corner"] is not None:
                yield SceneFeature("centre", (fortress["corner"],), color)

    def stores(self, state: State) -> Iterable[Store]:
        for color in Color:
            waiting = {"dragon": 1} if state.fields["reserve"][str(color)] else {}
            yield Store("reserve", color, waiting)
            yield Store("lost", color, state.fields["lost"][str(color)])

    def layers(self, position: Position) -> Iterable[Layer]:
        return tiers(position), flanking(position)


def tiers(position: Position) -> Layer:
    """The tier of each piece, and what its ground or fortress adds in defence."""
    view = View(position)
    values = {}
    for square, piece in sorted(view.pieces.items()):
        tier = SPECS[piece.type].tier
        more = view.defence(square)[0] - tier
        values[square] = f"{tier}+{more}" if more else str(tier)
    return Layer(
        "tiers",
        "Tiers and defence",
        "A piece takes what defends no higher than its own tier. 2+1 is a piece of tier 2 that its "
        "home terrain or its fortress lets defend as 3.",
        values,
        (),
    )


def flanking(position: Position) -> Layer:
    """Who reaches a higher piece together, and what they add up to."""
    values, lines = {}, []
    for one in (position, position.given_away()):
        if one is None or one.outcome() is not None:
            continue
        view = View(one)
        if view.pending is not None:
            continue
        for square, piece in sorted(view.pieces.items()):
            if piece.color is view.player:
                continue
            defence, _ = view.defence(square)
            lower = flankers(view, square, defence)
            if len(lower) < 2:
                continue
            best = max(
                combined([view.pieces[at] for at in group_of(view, lower, leader)])
                for leader in lower
            )
            values[square] = f"{best}/{defence}"
            lines += [(at, square) for at in sorted(lower)]
    return Layer(
        "flanking",
        "Flanking",
        "What the lower pieces that reach this one add up to, and what it defends at: at 3/3 it "
        "can be taken. Point at a piece to see who flanks whom.",
        values,
        tuple(sorted(lines)),
    )
