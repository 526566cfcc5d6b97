"""How setups are arranged, in words: the contract between the rule sets and whoever edits setups.

Every setup has pieces on squares of the own half.  What a rule set has beyond them (mountains, a
keep, tiles, a Dragon that waits) it names here as *tools*, so that an editor needs no word about
any rule set.  What follows from a setup, such as the ground below a piece, is for ``scenery``; what
is wrong with it only ``check_setup`` says.

>>> import cyvasse
>>> [(tool.field, tool.count) for tool in setup_tools(cyvasse.rule_set("croft"), Color.WHITE)]
[('mountains', 3), ('keep', 1)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Protocol, runtime_checkable

from cyvasse.rules.base import RuleSet
from cyvasse.rules.terms import Color


@dataclass(frozen=True)
class Marks:
    """Things that stand on squares in place of pieces; the field holds the squares."""

    kind: ClassVar = "marks"
    field: str
    title: str
    drawing: str
    """The kind of ``scenery`` feature that it looks like."""
    count: int
    single: bool = False
    """Whether the field holds one square, or None, and not a list."""
    about: str = ""


@dataclass(frozen=True)
class Brush:
    """A ground that is laid by hand on a number of squares; it becomes the setup's terrain."""

    kind: ClassVar = "brush"
    ground: str
    title: str
    count: int
    about: str = ""


@dataclass(frozen=True)
class Reserve:
    """A piece that may wait beside the board; the field, a flag, says that it does."""

    kind: ClassVar = "reserve"
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
class Layout:
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

    kind: ClassVar = "slots"
    field: str
    title: str
    choice: str
    """The field that says which layout is chosen."""
    choice_title: str
    layouts: Mapping[str, Layout]
    tiles: Mapping[str, Mapping[str, tuple[str | None, ...]]]
    """The grounds of every tile on each of its faces; None leaves the ground as it is."""
    turned: str
    """Follows the name of a tile that is turned by 180° in its slot."""
    piece: str
    about: str = ""


Tool = Marks | Brush | Reserve | Slots


@runtime_checkable
class Arranged(Protocol):
    """A rule set whose setups have more than pieces."""

    def setup_tools(self) -> Sequence[Tool]:
        """What White's setups are arranged with, in the order in which an editor shows it."""


def setup_tools(rules: RuleSet, color: Color) -> tuple[Tool, ...]:
    """What a player's setups are arranged with beyond pieces."""
    tools = tuple(rules.setup_tools()) if isinstance(rules, Arranged) else ()
    if color is Color.WHITE:
        return tools
    turn = rules.board.turned
    return tuple(_turned(tool, turn) if isinstance(tool, Slots) else tool for tool in tools)


def tool_document(tool: Tool) -> dict[str, Any]:
    """A tool as plain data.

    >>> tool_document(Brush("water", "Water", 5))
    {'kind': 'brush', 'ground': 'water', 'title': 'Water', 'count': 5, 'about': ''}
    """
    return {"kind": tool.kind, **asdict(tool)}


def _turned(tool: Slots, turn: Callable[[str], str]) -> Slots:
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
