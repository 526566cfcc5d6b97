"""Sentences: what is told of a game, as data and in words.

A sentence is the id of a *template* and its data; whoever shows it asks ``Scene.words`` for the
words, as everybody reads them or as one of the players does.  So there is one place for words, and
another language would need nothing but other templates.

In a template ``{color}`` is the player whose sentence it is and ``{other}`` his opponent, by name
or as ``you``; ``{color's}`` is ``White's`` or ``your``.  Pieces are told by their titles:
``{pieces}`` counts those of a list, and ``{the by}`` names pieces with their squares.  Everything
happened in the past tense, which is the same for one and for many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cyvasse.rules.terms import QUIET_TURNS, Color, in_words


class Sentence(NamedTuple):
    """Something told: which template, and what stands in it."""

    template: str
    data: Mapping[str, str]


class Template(NamedTuple):
    """The words of a sentence."""

    everyone: str
    addressed: str
    """For the player whose sentence it is, where ``your`` is not all that differs."""


Templates = Mapping[str, Template | str]

TAKES = "{color's} {piece} from {origin} took "
COMMON: Templates = {
    "move": "{color's} {piece} moved from {origin} to {target}.",
    "capture": TAKES + "{other's} {victim} on {at}.",
    "capture_own": TAKES + "{color's} own {victim} on {at}.",
    "capture_landing": TAKES + "{other's} {victim} on {at} and ended on {target}.",
    "capture_two": TAKES + "{other's} {victim} on {at} and {second} on {target}.",
    "shoot": "{color's} {piece} on {origin} shot {other's} {victim} on {at}.",
    "shoot_own": "{color's} {piece} on {origin} shot {color's} own {victim} on {at}.",
    "shoot_held": "{color's} {piece} on {origin} shot at {other's} {victim} on {at}.",
    "shoot_held_own": "{color's} {piece} on {origin} shot at {color's} own {victim} on {at}.",
    "siege": "{color's} {piece} from {origin} attacked {other's} {victim} on {at} and ended on "
    "{target}.",
    "siege_own": "{color's} {piece} from {origin} attacked {color's} own {victim} on {at} and "
    "ended on {target}.",
    "swap": "{color's} {piece} on {origin} changed places with the {partner} on {target}.",
    "jump": "{color's} {piece} went from {origin} directly to {target}.",
    "drop": "{color's} {piece} came out of the reserve to {target}.",
    "drop_capture": "{color's} {piece} came out of the reserve and took {other's} {victim} on "
    "{at}.",
    "promote": "{color} promoted the {piece} on {target} to {becomes}.",
    "corner": "{color} chose the corner {target}.",
    "end": "{color} ended the turn.",
    "pass": "{color} had to pass: there was nothing to do.",
    "act": "{color} played {action}.",
    "end_king_captured": "{color} won: {other's} King was taken.",
    "end_king_captured_on": "{color} won: {other's} King was taken on {square}.",
    "end_king_lost": "{color} won: {other's} King was not replaced in time.",
    "end_goal_reached": "{color} won: {color's} goal was reached.",
    "end_no_action": "{color} won: {other} had nothing left to do.",
    "end_forced_passes": "Drawn: both players had to pass, one after the other.",
    "end_repetition": "Drawn: this position stood there for the third time.",
    "end_quiet": f"Drawn: {QUIET_TURNS} turns" + " went by without progress.",
    "end_resignation": "{color} won: {other} resigned.",
    "end_agreement": "Drawn: the players agreed.",
    "end_time": "{color} won: {other's} time ran out.",
    "king_in_danger": "{color's} King on {square} can be taken by {the by}.",
    "king_in_danger_unseen": "{color's} King on {square} can be taken.",
    "defeat_in_danger": "{other} can win in the next turn.",
    "risk_king": "{color's} King on {square} can be taken then, by {the by}.",
    "risk_king_unseen": "{color's} King on {square} can be taken then.",
    "risk_defeat": "{other} can win in the next turn then.",
    "risk_lost": "{color} would lose at once.",
    "own_struck": "This strikes {color's} own {victim} on {at}.",
}
"""What every rule set has; one that says it in other words overrides it by the same id."""


Readers = Sequence[Color | None]


def words(
    sentence: Sentence, templates: Templates, title: Callable[[str, int], str], readers: Readers
) -> list[str]:
    """A sentence as each reader reads it; ``title`` tells what so many of a type are called."""
    form = templates[sentence.template]
    color = sentence.data.get("color")
    places = _Places(sentence.data, title)
    said = []
    for reader in readers:
        if color is not None:
            places.update(_PLAYERS[Color.parse(color), reader])
        addressed = reader is not None and color == reader.word
        said.append(_capital(_form(form, addressed).format_map(places)))
    return said


def _form(form: Template | str, addressed: bool) -> str:
    if isinstance(form, str):
        return form
    return form.addressed if addressed else form.everyone


def _capital(text: str) -> str:
    return ". ".join([part[:1].upper() + part[1:] for part in text.split(". ")])


def _players(color: Color, reader: Color | None) -> dict[str, str]:
    """What the places of players hold where a sentence is of one and somebody reads it."""
    return {
        place + ending: f"{who.title}{ending}" if who is not reader else f"you{'r' * bool(ending)}"
        for place, who in (("color", color), ("other", color.other))
        for ending in ("", "'s")
    }


_PLAYERS = {
    (color, reader): _players(color, reader) for color in Color for reader in (None, *Color)
}


class _Places(dict[str, str]):
    """What stands in the places of a template; the same for every reader but for the players."""

    def __init__(self, data: Mapping[str, str], title: Callable[[str, int], str]) -> None:
        self.data, self.title = data, title

    def __missing__(self, place: str) -> str:
        manner, _, name = place.rpartition(" ")
        things = self.data[name].split(",")
        if manner == "the":
            told = in_words([f"the {self._thing(thing)}" for thing in things], "or")
        elif len(things) == 1:
            told = self._thing(things[0])
        else:
            told = in_words([self._thing(*counted) for counted in Counter(things).items()])
        self[place] = told
        return told

    def _thing(self, thing: str, many: int = 1) -> str:
        """A piece with its square, so many of a type, or something else as it is."""
        piece, _, square = thing.partition("@")
        title = self.title(piece, many)
        return f"{title} on {square}" if square else title
