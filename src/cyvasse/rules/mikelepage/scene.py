"""What there is to see in Mikelepage's Cyvasse: mountains, fortresses, tiers, flanking."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from cyvasse.rules.base import Position
from cyvasse.rules.dangers import Danger, named
from cyvasse.rules.mikelepage.pieces import SPECS
from cyvasse.rules.mikelepage.reasons import View, combined, flankers, group_of
from cyvasse.rules.scene import Layer, Scene, SceneFeature, Store
from cyvasse.rules.sentences import Sentence, Template, Templates
from cyvasse.rules.telling import Ending, kings
from cyvasse.rules.terms import Color, End, Outcome, State


class MikelepageScene(Scene):
    """The scene of Mikelepage's Cyvasse."""

    sentences: ClassVar[Templates] = {
        "captured": "",  # the action tells it
        "by_flanking": "{color's} pieces took it together, by flanking.",
        "promoted_at_end": "{color's} {was} in the fortress on {square} became the new King.",
        "promoted_at_beginning": "{color's} {was} in the fortress on {square} rose to {piece}.",
        "fortress_ruined": "{color's} fortress on {square} was ruined.",
        "fortress_entered": Template(
            "{other's} {piece} entered {color's} fortress on {square} and will ruin it at the end "
            "of {color's} turn unless taken.",
            "{other's} {piece} entered your fortress on {square}. Take the intruder this turn, or "
            "the fortress is ruined.",
        ),
        "king_missing": Template(
            "{color} has no King and must move {the by} onto the fortress on {square} this "
            "turn, or lose.",
            "You have no King. Move {the by} onto your fortress on {square} this turn, or you "
            "lose.",
        ),
        "king_missing_stay": "{color's} {piece} on the fortress on {square} becomes the new King "
        "if it stays there this turn.",
        "king_missing_lost": Template(
            "{color} has no King, and nothing can replace him in time.",
            "You have no King, and nothing can replace him in time.",
        ),
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

    def warnings(self, position: Position, state: State) -> Iterable[Danger]:
        """A King to be replaced, and fortresses that an opponent has entered."""
        for color in Color:
            fortress = state.fields["fortress"][str(color)]
            site = None if fortress["ruined"] else fortress["at"]
            if position.turn is color and not kings(position, color, state.pieces):
                yield _king_missing(position, color, site)
            intruder = state.pieces.get(site) if site else None
            if site and intruder is not None and intruder.color is not color:
                data = {"color": color.word, "piece": intruder.type, "square": site}
                said = Sentence("fortress_entered", data)
                yield Danger("fortress", color, (site,), (site,), said)

    def cause(self, position: Position, outcome: Outcome) -> Ending:
        ending = super().cause(position, outcome)
        if outcome.end is not End.KING_LOST or outcome.winner is None:
            return ending
        site = position.state().fields["fortress"][str(outcome.winner.other)]["at"]
        return ending._replace(squares=(site,) if site else ())

    def layers(self, position: Position) -> Iterable[Layer]:
        return tiers(position), flanking(position)


def _king_missing(position: Position, color: Color, site: str | None) -> Danger:
    """Who can still become King this turn."""
    pieces = position.pieces()
    able = saviours(position, site) if site else []
    data: dict[str, str] = {"color": color.word}
    template = "king_missing_lost"
    if site and site in able:
        template = "king_missing_stay"
        data |= {"piece": pieces[site].type, "square": site}
    elif site and able:
        template = "king_missing"
        data |= {"by": named(able, pieces), "square": site}
    squares = (site,) if site else ()
    return Danger("king_missing", color, squares, tuple(able), Sentence(template, data))


def saviours(position: Position, site: str) -> list[str]:
    """The pieces of the player to act that can become King on his fortress by the end of the turn.

    A corner or a promotion that has to be chosen first may decide which ones.
    """
    crown = {at for at, man in position.pieces().items() if SPECS[man.type].tier == 3}
    own = position.piece_at(site)
    able = {site} if own is not None and own.color is position.turn and site in crown else set()
    for action in position.legal_actions():
        if action.kind in ("corner", "promote"):
            chosen = position.copy()
            chosen.play(action)
            able.update(saviours(chosen, site))
        elif action.target == site and action.origin in crown:
            able.add(str(action.origin))
    return sorted(able)


def tiers(position: Position) -> Layer:
    """The tier of each piece, and what its ground or fortress adds in defence."""
    view = View(position)
    values, told = {}, {}
    for square, piece in sorted(view.pieces.items()):
        tier = SPECS[piece.type].tier
        more = view.defence(square)[0] - tier
        values[square] = f"{tier}+{more}" if more else str(tier)
        # What it defends as anywhere is among the facts about the piece.
        told[square] = f"Defends as {tier + more} here" if more else ""
    return Layer(
        "tiers",
        "Tiers and defence",
        "A piece takes what defends no higher than its own tier. 2+1 is a piece of tier 2 that its "
        "home terrain or its fortress lets defend as 3.",
        values,
        (),
        told,
    )


def flanking(position: Position) -> Layer:
    """Who reaches a higher piece together, and what they add up to."""
    values, told, lines = {}, {}, []
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
            told[square] = f"Flanked with {best} of {defence}"
            lines += [(at, square) for at in sorted(lower)]
    return Layer(
        "flanking",
        "Flanking",
        "What the lower pieces that reach this one add up to, and what it defends at: at 3/3 it "
        "can be taken. Tap or point at a piece to see who flanks whom.",
        values,
        tuple(sorted(lines)),
        told,
    )
