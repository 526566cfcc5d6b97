"""The words in which ``Setups.tools`` tells editors what can be laid.

Every setup has pieces on squares of the own half.  What a rule set has beyond them (mountains, a
keep, tiles, a Dragon that waits) it names as *tools*, so that an editor needs no word about any
rule set.  What follows from a setup, such as the ground below a piece, is for ``Scene``; what is
wrong with it only ``Setups.check`` says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True)
class Marks:
    """Things that stand on squares in place of pieces; the field holds the squares."""

    kind: Literal["marks"] = dataclasses.field(default="marks", init=False)
    field: str
    title: str
    drawing: str
    """The kind of feature of a ``Scene`` that it looks like."""
    count: int
    single: bool = False
    """Whether the field holds one square, or None, and not a list."""
    about: str = ""


@dataclass(frozen=True)
class Brush:
    """A ground that is laid by hand on a number of squares; it becomes the setup's terrain."""

    kind: Literal["brush"] = dataclasses.field(default="brush", init=False)
    ground: str
    title: str
    count: int
    about: str = ""


@dataclass(frozen=True)
class Reserve:
    """A piece that may wait beside the board; the field, a flag, says that it does."""

    kind: Literal["reserve"] = dataclasses.field(default="reserve", init=False)
    field: str
    piece: str
    about: str = ""


@dataclass(frozen=True)
class Slot:
    """Squares that one tile covers, in the order of the tile's grounds."""

    squares: tuple[str, ...]
    face: str
    """Which face of the tile is up here."""


@dataclass(frozen=True)
class SlotLayout:
    """One way to divide the half into slots."""

    title: str
    slots: Mapping[str, Slot]
    rest: tuple[str, ...]
    """The squares of the tile that goes with the layout itself."""
    circle: str
    """Where ``Slots.piece`` belongs."""


@dataclass(frozen=True)
class Slots:
    """Tiles that lie in slots; the field holds the tile of each slot, or None."""

    kind: Literal["slots"] = dataclasses.field(default="slots", init=False)
    field: str
    title: str
    choice: str
    """The field that says which layout is chosen."""
    choice_title: str
    layouts: Mapping[str, SlotLayout]
    tiles: Mapping[str, Mapping[str, tuple[str | None, ...]]]
    """The grounds of every tile on each of its faces; None leaves the ground as it is."""
    turned: str
    """Follows the name of a tile that is turned by 180° in its slot."""
    piece: str
    about: str = ""


Tool = Marks | Brush | Reserve | Slots


def fields_of(tool: Tool) -> tuple[str, ...]:
    """The fields of a setup that a tool fills.

    >>> fields_of(Marks("keep", "Keep", "keep", 1, single=True))
    ('keep',)
    """
    match tool:
        case Brush():
            return ()
        case Slots():
            return tool.choice, tool.field
        case _:
            return (tool.field,)


def tool_document(tool: Tool) -> dict[str, Any]:
    """A tool as plain data.

    >>> tool_document(Brush("water", "Water", 5))
    {'kind': 'brush', 'ground': 'water', 'title': 'Water', 'count': 5, 'about': ''}
    """
    return asdict(tool)


def turned_tool(tool: Tool, turn: Callable[[str], str]) -> Tool:
    """The same tool for the other player."""
    if not isinstance(tool, Slots):
        return tool

    def squares(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(turn(at) for at in names)

    layouts = {
        name: replace(
            layout,
            slots={
                key: replace(slot, squares=squares(slot.squares))
                for key, slot in layout.slots.items()
            },
            rest=squares(layout.rest),
            circle=turn(layout.circle),
        )
        for name, layout in tool.layouts.items()
    }
    return replace(tool, layouts=layouts)
