"""Changing a setup: every function takes a setup and gives a new one.

Which setups are legal only ``check_setup`` says; here nothing leaves the own half, and nothing is
lost or doubled by moving it.  What can be laid beyond pieces the rule set tells as tools.

>>> import cyvasse
>>> rules = cyvasse.rule_set("croft")
>>> kit = Kit.of(rules, Color.WHITE)
>>> setup = placed(kit, empty(kit), Thing("mark", "keep"), "e1")
>>> thing_at(kit, setup, "e1")
Thing(kind='mark', name='keep')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from cyvasse.boards import Board
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Setup
from cyvasse.rules.tools import Brush, Marks, Reserve, SlotLayout, Slots


class Thing(NamedTuple):
    """Something to lay: a piece, a mark in place of a piece, a ground, a tile or a layout."""

    kind: str
    """``piece``, ``mark``, ``brush``, ``tile`` or ``layout``."""
    name: str


@dataclass(frozen=True)
class Kit:
    """Everything that a player's setup is arranged with."""

    rules: RuleSet
    color: Color
    marks: tuple[Marks, ...]
    brushes: tuple[Brush, ...]
    reserves: tuple[Reserve, ...]
    slots: Slots | None

    @classmethod
    def of(cls, rules: RuleSet, color: Color) -> Kit:
        """The tools of a rule set, by kind."""
        tools = rules.setups.tools_for(color)
        return cls(
            rules,
            color,
            tuple(tool for tool in tools if isinstance(tool, Marks)),
            tuple(tool for tool in tools if isinstance(tool, Brush)),
            tuple(tool for tool in tools if isinstance(tool, Reserve)),
            next((tool for tool in tools if isinstance(tool, Slots)), None),
        )

    @cached_property
    def home(self) -> frozenset[str]:
        """The squares of the own half."""
        return frozenset(self.rules.home(self.color))

    @property
    def layers(self) -> tuple[str, ...]:
        """What can be arranged by itself: pieces, and the ground or the tiles below them."""
        ground = ("ground",) if self.brushes else ()
        return ("pieces", *ground, *(("tiles",) if self.slots else ()))

    @property
    def about(self) -> str:
        """What the rule set says about its tools."""
        tools = (*self.marks, *self.brushes, *self.reserves, *((self.slots,) if self.slots else ()))
        return " ".join(tool.about for tool in tools if tool.about)


def empty(kit: Kit) -> Setup:
    """A setup without anything in it."""
    return _settled(kit, kit.rules.canonical_setup(Setup(kit.rules.id, kit.color, {})))


def thing_at(kit: Kit, setup: Setup, square: str) -> Thing | None:
    """The piece or mark on a square."""
    if square in setup.pieces:
        return Thing("piece", setup.pieces[square])
    for tool in kit.marks:
        if square in squares_of(setup, tool):
            return Thing("mark", tool.field)
    return None


def squares_of(setup: Setup, tool: Marks) -> list[str]:
    """Where the marks of a tool stand."""
    value = setup.fields[tool.field]
    if tool.single:
        return [] if value is None else [value]
    return list(value)


def taken_off(kit: Kit, setup: Setup, square: str) -> Setup:
    """Without the piece or mark on a square."""
    pieces = {at: name for at, name in setup.pieces.items() if at != square}
    setup = replace(setup, pieces=pieces)
    for tool in kit.marks:
        squares = squares_of(setup, tool)
        if square in squares:
            setup = _with_squares(setup, tool, [at for at in squares if at != square])
    return _settled(kit, setup)


def placed(kit: Kit, setup: Setup, thing: Thing, square: str) -> Setup:
    """With a piece or mark on a square; what stood there is taken off."""
    setup = taken_off(kit, setup, square)
    if thing.kind == "piece":
        pieces = dict(sorted({**setup.pieces, square: thing.name}.items()))
        return _settled(kit, replace(setup, pieces=pieces))
    tool = next(tool for tool in kit.marks if tool.field == thing.name)
    return _with_squares(setup, tool, [*squares_of(setup, tool), square])


def moved(kit: Kit, setup: Setup, start: str, end: str) -> Setup:
    """With a thing on another square; what stands there takes its place."""
    thing, other = thing_at(kit, setup, start), thing_at(kit, setup, end)
    if thing is None or start == end:
        return setup
    setup = placed(kit, taken_off(kit, setup, start), thing, end)
    return setup if other is None else placed(kit, setup, other, start)


def left(kit: Kit, setup: Setup, thing: Thing) -> int:
    """How many of a thing are not laid yet."""
    if thing.kind == "piece":
        on = sum(name == thing.name for name in setup.pieces.values())
        return kit.rules.piece_type(thing.name).count - on
    if thing.kind == "mark":
        tool = next(tool for tool in kit.marks if tool.field == thing.name)
        return tool.count - len(squares_of(setup, tool))
    if thing.kind == "brush":
        brush = next(brush for brush in kit.brushes if brush.ground == thing.name)
        return brush.count - sum(ground_at(kit, setup, square) == thing.name for square in kit.home)
    if thing.kind == "tile":
        return int(thing.name in tiles_left(kit, setup))
    return int(kit.slots is None or setup.fields[kit.slots.choice] != thing.name)


def _with_squares(setup: Setup, tool: Marks, squares: list[str]) -> Setup:
    value: Any = (squares[-1] if squares else None) if tool.single else sorted(squares)
    return _with_field(setup, tool.field, value)


def _with_field(setup: Setup, name: str, value: Any) -> Setup:
    return replace(setup, fields={**setup.fields, name: value})


def _settled(kit: Kit, setup: Setup) -> Setup:
    """Pieces that may wait beside the board do so as long as they are not on it."""
    for tool in kit.reserves:
        setup = _with_field(setup, tool.field, tool.piece not in setup.pieces.values())
    return setup


# --- grounds that are laid by hand ----------------------------------------------------------------


def ground_at(kit: Kit, setup: Setup, square: str) -> str:
    """The ground that is laid on a square, or was always there."""
    return setup.terrain.get(square) or kit.rules.ground(square)


def painted(kit: Kit, setup: Setup, ground: str, square: str) -> Setup:
    """With another ground on a square."""
    terrain = {at: name for at, name in setup.terrain.items() if at != square}
    if kit.rules.ground(square) != ground:
        terrain[square] = ground
    return replace(setup, terrain=dict(sorted(terrain.items())))


def grounds_exchanged(kit: Kit, setup: Setup, one: str, other: str) -> Setup:
    """With the grounds of two squares changed for one another."""
    first, second = ground_at(kit, setup, one), ground_at(kit, setup, other)
    return painted(kit, painted(kit, setup, second, one), first, other)


# --- tiles in slots -------------------------------------------------------------------------------


def layout_of(kit: Kit, setup: Setup) -> SlotLayout | None:
    """The layout that is chosen."""
    return None if kit.slots is None else kit.slots.layouts.get(setup.fields[kit.slots.choice])


def slot_at(kit: Kit, setup: Setup, square: str) -> str | None:
    """The slot that a square belongs to."""
    layout = layout_of(kit, setup)
    slots = {} if layout is None else layout.slots
    return next((name for name, slot in slots.items() if square in slot.squares), None)


def tile_in(kit: Kit, setup: Setup, slot: str) -> str | None:
    """The tile in a slot, with the mark that it is turned."""
    return _laid(kit, setup).get(slot)


def tiles_left(kit: Kit, setup: Setup) -> list[str]:
    """The tiles that lie in no slot."""
    if kit.slots is None:
        return []
    lying = [tile.removesuffix(kit.slots.turned) for tile in _laid(kit, setup).values() if tile]
    return [tile for tile in kit.slots.tiles if tile not in lying]


def tile_laid(kit: Kit, setup: Setup, slot: str, tile: str | None) -> Setup:
    """With a tile in a slot; what lay there is taken off, and the tile from where it lay."""
    assert kit.slots is not None
    name = None if tile is None else tile.removesuffix(kit.slots.turned)
    laid = {
        at: None if other and other.removesuffix(kit.slots.turned) == name else other
        for at, other in _laid(kit, setup).items()
    }
    return _with_field(setup, kit.slots.field, {**laid, slot: tile})


def tile_turned(kit: Kit, setup: Setup, slot: str) -> Setup:
    """With the tile in a slot turned by 180°."""
    tile = tile_in(kit, setup, slot)
    if kit.slots is None or tile is None:
        return setup
    mark = kit.slots.turned
    turned = tile.removesuffix(mark) if tile.endswith(mark) else tile + mark
    return _with_field(setup, kit.slots.field, {**_laid(kit, setup), slot: turned})


def tiles_exchanged(kit: Kit, setup: Setup, one: str, other: str) -> Setup:
    """With the tiles of two slots changed for one another."""
    assert kit.slots is not None
    laid = _laid(kit, setup)
    changed = {**laid, one: laid.get(other), other: laid.get(one)}
    return _with_field(setup, kit.slots.field, changed)


def layout_chosen(kit: Kit, setup: Setup, choice: str) -> Setup:
    """With another layout: the tiles keep their order, and the piece of the circle goes along."""
    assert kit.slots is not None
    before, after = layout_of(kit, setup), kit.slots.layouts[choice]
    if before is after:
        return setup
    laid = _laid(kit, setup)
    order = [laid.get(slot) for slot in (laid if before is None else before.slots)]
    order += [None] * len(after.slots)
    tiles = {**dict.fromkeys(laid), **dict(zip(after.slots, order, strict=False))}
    setup = _with_field(setup, kit.slots.choice, choice)
    setup = _with_field(setup, kit.slots.field, tiles)
    if before is not None and thing_at(kit, setup, before.circle):
        return moved(kit, setup, before.circle, after.circle)
    return setup


def _laid(kit: Kit, setup: Setup) -> Mapping[str, str | None]:
    assert kit.slots is not None
    laid: Mapping[str, str | None] = setup.fields[kit.slots.field]
    return laid


# --- left and right -------------------------------------------------------------------------------


def mirrored(kit: Kit, setup: Setup) -> Setup | None:
    """The setup with left and right changed; None where the half has no mirror."""
    mirror = _mirror(kit.rules.board, kit.home)
    if mirror is None:
        return None
    result = replace(
        setup,
        pieces=dict(sorted((mirror[at], name) for at, name in setup.pieces.items())),
        terrain=dict(sorted((mirror[at], name) for at, name in setup.terrain.items())),
    )
    for tool in kit.marks:
        result = _with_squares(result, tool, [mirror[at] for at in squares_of(setup, tool)])
    return result if kit.slots is None else _slots_mirrored(kit, result, mirror)


def _slots_mirrored(kit: Kit, setup: Setup, mirror: Mapping[str, str]) -> Setup | None:
    """Tiles go to the slots that lie where theirs do in the mirror."""
    assert kit.slots is not None
    before = layout_of(kit, setup)
    if before is None:
        return setup

    def alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
        return {mirror[at] for at in one} == set(other)

    for choice, after in kit.slots.layouts.items():
        if not alike(before.rest, after.rest):
            continue
        tiles: dict[str, str | None] = dict.fromkeys(_laid(kit, setup))
        for name, slot in before.slots.items():
            there = [at for at, each in after.slots.items() if alike(slot.squares, each.squares)]
            if not there:
                return None
            tiles[there[0]] = tile_in(kit, setup, name)
        return _with_field(_with_field(setup, kit.slots.choice, choice), kit.slots.field, tiles)
    return None


def _mirror(board: Board, home: frozenset[str]) -> dict[str, str] | None:
    centres = {square: board.centre(square) for square in home}
    total = min(x for x, _ in centres.values()) + max(x for x, _ in centres.values())
    by_place = {(round(2 * x), round(2 * y)): square for square, (x, y) in centres.items()}
    mirror = {}
    for square, (x, y) in centres.items():
        other = by_place.get((round(2 * (total - x)), round(2 * y)))
        if other is None:
            return None
        mirror[square] = other
    return mirror
