"""The bench: one player's setup while it is arranged, what is in hand, and what is wrong with it.

>>> import cyvasse
>>> bench = Bench(cyvasse.rule_set("gameofcyvasse"), Color.WHITE)
>>> bench.pick(Thing("piece", "king"))
>>> bench.tap("e1")
>>> bench.setup.pieces
{'e1': 'king'}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import Seen
from cyvasse.rules.terms import Color, Problem, Setup
from cyvasse.terminal import arrange
from cyvasse.terminal.arrange import Kit, Thing

_MOST_UNDONE = 200


class Item(NamedTuple):
    """A thing in the tray beside the board."""

    thing: Thing
    title: str
    left: int
    symbol: str
    """One character."""


class Bench:
    """A setup in the making.  ``changed`` is called whenever it is another one."""

    def __init__(
        self,
        rules: RuleSet,
        color: Color,
        setup: Setup | None = None,
        changed: Callable[[Setup], None] = lambda _: None,
    ) -> None:
        self.rules = rules
        self.color = color
        self.kit = Kit.of(rules, color)
        self.setup = arrange.empty(self.kit) if setup is None else rules.canonical_setup(setup)
        self.layer = "pieces"
        self.hand: Thing | None = None
        self.lifted: str | None = None
        """The square from which something is being moved."""
        self._changed = changed
        self._past: list[Setup] = []

    # --- what there is ----------------------------------------------------------------------------

    def problems(self) -> list[Problem]:
        """Everything that keeps this setup from being played."""
        return self.rules.check_setup(self.setup)

    def seen(self) -> Seen:
        """What its owner sees."""
        return self.rules.scene.of_setup(self.setup)

    def items(self) -> list[Item]:
        """What can be laid in the layer that is shown."""
        kit = self.kit
        found: list[tuple[Thing, str, str]] = []
        if self.layer == "pieces":
            for kind in self.rules.piece_types:
                found.append((Thing("piece", kind.name), kind.title, kind.letter))
            for mark in kit.marks:
                found.append((Thing("mark", mark.field), mark.title, "+"))
        elif self.layer == "ground":
            for brush in kit.brushes:
                found.append((Thing("brush", brush.ground), brush.title, "+"))
        elif kit.slots is not None:
            for tile in kit.slots.tiles:
                found.append((Thing("tile", tile), f"Tile {tile}", "+"))
            for name, layout in kit.slots.layouts.items():
                title = f"{kit.slots.choice_title}: {layout.title}"
                found.append((Thing("layout", name), title, "="))
        return [
            Item(thing, title, arrange.left(kit, self.setup, thing), symbol)
            for thing, title, symbol in found
        ]

    def title_of(self, thing: Thing) -> str:
        """What a thing is called."""
        for layer in self.kit.layers:
            here, self.layer = self.layer, layer
            items = self.items()
            self.layer = here
            for item in items:
                if item.thing == thing:
                    return item.title
        return thing.name

    def describe(self, square: str) -> str:
        """What lies on a square, in words."""
        if square not in self.kit.home:
            return f"{square} is not behind your screen."
        thing = arrange.thing_at(self.kit, self.setup, square)
        parts = [] if thing is None else [self.title_of(thing)]
        parts.append(self.seen().grounds[square])
        slot = arrange.slot_at(self.kit, self.setup, square)
        if slot is not None:
            tile = arrange.tile_in(self.kit, self.setup, slot)
            parts.append("no tile" if tile is None else f"tile {tile}")
        return f"{square}: {', '.join(parts)}"

    # --- changing it ------------------------------------------------------------------------------

    def change(self, setup: Setup) -> None:
        """Take another setup; the one before can be had back."""
        setup = self.rules.canonical_setup(setup)
        self.lifted = None
        if setup == self.setup:
            return
        self._past = [*self._past[-_MOST_UNDONE:], self.setup]
        self.setup = setup
        self._changed(setup)

    def undo(self) -> bool:
        """Take the last change back; whether there was one."""
        if not self._past:
            return False
        self.setup = self._past.pop()
        self.let_go()
        self._changed(self.setup)
        return True

    def clear(self) -> None:
        """Take everything off."""
        self.change(arrange.empty(self.kit))

    def mirror(self) -> bool:
        """Change left and right; whether this half has a mirror."""
        setup = arrange.mirrored(self.kit, self.setup)
        if setup is None:
            return False
        self.change(setup)
        return True

    def take(self, setup: Setup) -> None:
        """Take a setup of either colour."""
        self.change(setup if setup.color is self.color else self.rules.turned_setup(setup))

    # --- hands ------------------------------------------------------------------------------------

    def next_layer(self) -> str:
        """Arrange something else: pieces, ground, tiles."""
        layers = self.kit.layers
        self.let_go()
        self.layer = layers[(layers.index(self.layer) + 1) % len(layers)]
        return self.layer

    def let_go(self) -> None:
        """Nothing in hand, nothing lifted."""
        self.hand = self.lifted = None

    def pick(self, thing: Thing) -> None:
        """Take a thing from the tray in hand, or choose a layout; the same again lets go."""
        self.lifted = None
        if thing.kind == "layout":
            self.hand = None
            self.change(arrange.layout_chosen(self.kit, self.setup, thing.name))
            return
        has = thing.kind in ("brush", "tile") or arrange.left(self.kit, self.setup, thing) > 0
        self.hand = thing if has and thing != self.hand else None

    def tap(self, square: str) -> None:
        """Point at a square: put down what is in hand, or lift, or move what was lifted."""
        if square not in self.kit.home:
            self.let_go()
        elif self.hand is not None:
            self._put(self.hand, square)
        elif self.lifted is None:
            self.lifted = square if self._can_lift(square) else None
        elif self.lifted == square or self._same_slot(self.lifted, square):
            if self.layer == "tiles":
                self.turn(square)
            self.lifted = None
        else:
            self._move(self.lifted, square)

    def turn(self, square: str) -> bool:
        """Turn the tile under a square by 180°; whether there is one."""
        slot = arrange.slot_at(self.kit, self.setup, square)
        if slot is None or arrange.tile_in(self.kit, self.setup, slot) is None:
            return False
        self.change(arrange.tile_turned(self.kit, self.setup, slot))
        return True

    def take_off(self, square: str) -> None:
        """Take off what lies on a square in the layer that is shown."""
        self.let_go()
        slot = arrange.slot_at(self.kit, self.setup, square)
        if self.layer == "tiles" and slot is not None:
            self.change(arrange.tile_laid(self.kit, self.setup, slot, None))
        elif self.layer == "ground" and square in self.kit.home:
            self.change(arrange.painted(self.kit, self.setup, self.rules.ground(square), square))
        elif self.layer == "pieces":
            self.change(arrange.taken_off(self.kit, self.setup, square))

    def _can_lift(self, square: str) -> bool:
        if self.layer == "ground":
            return True
        if self.layer == "tiles":
            return arrange.slot_at(self.kit, self.setup, square) is not None
        return arrange.thing_at(self.kit, self.setup, square) is not None

    def _same_slot(self, one: str, other: str) -> bool:
        slots = [arrange.slot_at(self.kit, self.setup, square) for square in (one, other)]
        return self.layer == "tiles" and slots[0] == slots[1]

    def _put(self, thing: Thing, square: str) -> None:
        if thing.kind == "brush":
            self.change(arrange.painted(self.kit, self.setup, thing.name, square))
        elif thing.kind == "tile":
            slot = arrange.slot_at(self.kit, self.setup, square)
            if slot is not None:
                self.change(arrange.tile_laid(self.kit, self.setup, slot, thing.name))
                self.hand = None
        else:
            self.change(arrange.placed(self.kit, self.setup, thing, square))
            if arrange.left(self.kit, self.setup, thing) <= 0:
                self.hand = None

    def _move(self, start: str, end: str) -> None:
        if self.layer == "ground":
            self.change(arrange.grounds_exchanged(self.kit, self.setup, start, end))
        elif self.layer == "tiles":
            one, other = (arrange.slot_at(self.kit, self.setup, at) for at in (start, end))
            if one is not None and other is not None:
                self.change(arrange.tiles_exchanged(self.kit, self.setup, one, other))
        else:
            self.change(arrange.moved(self.kit, self.setup, start, end))
        self.lifted = None
