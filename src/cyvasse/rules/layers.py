"""What a player may want to see on the board on demand: numbers beside pieces, lines between them.

Each rule set names its own *layers* (how many pieces engage another, how high a piece defends);
all have the one that tells who can take whom.  So a board can show them without knowing any rules.

>>> import cyvasse
>>> position = cyvasse.rule_set("croft").random_position(seed=1, actions=30)
>>> [(layer.title, dict(layer.values)) for layer in position.layers()]
[('Who takes whom', {'a1': '1', 'b1': '1', 'g7': '1'})]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cyvasse.rules.base import Position


class Layer(NamedTuple):
    """One thing to show about all pieces at once."""

    name: str
    """A stable word for programs."""
    title: str
    about: str
    """What its numbers and lines mean, in a sentence or two."""
    values: Mapping[str, str]
    """A short text for the pieces on these squares."""
    lines: tuple[tuple[str, str], ...]
    """From the piece that acts to the piece that it acts on."""


def strikes(position: Position) -> Layer:
    """Who can take whom: now, and if it were the opponent's turn."""
    return Layer(
        "strikes",
        "Who takes whom",
        "The number tells how many pieces could take this one if it were their turn. "
        "Point at a piece for the lines.",
        *_told(_strikes(position)),
    )


def _strikes(position: Position) -> Iterable[tuple[str, str]]:
    for one in (position, position.given_away()):
        if one is None or one.outcome() is not None:
            continue
        pieces = one.state().pieces
        for action in one.capturing_actions():
            for struck in action.struck:
                if pieces[struck].color is not one.turn and action.origin is not None:
                    yield action.origin, struck


def _told(
    pairs: Iterable[tuple[str, str]],
) -> tuple[Mapping[str, str], tuple[tuple[str, str], ...]]:
    lines = tuple(sorted(set(pairs)))
    return counted(lines), lines


def counted(lines: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """How many lines end on each square."""
    return {at: str(number) for at, number in sorted(Counter(to for _, to in lines).items())}
