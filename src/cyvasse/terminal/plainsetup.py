"""Arranging a setup in plain text."""

from __future__ import annotations

from collections.abc import Callable

from cyvasse.errors import CyvasseError
from cyvasse.notation import parse_setup, write_setup
from cyvasse.rules.terms import Color, Setup, in_words
from cyvasse.terminal import arrange
from cyvasse.terminal.arrange import Thing
from cyvasse.terminal.bench import Bench
from cyvasse.terminal.keeping import named_path, write_text
from cyvasse.terminal.looks import store_words, text_board
from cyvasse.terminal.orders import setup_from_file
from cyvasse.terminal.table import Table

_HELP = """\
setup NAME       take a named setup; presets lists the names
random, good     take one drawn at random, or one of those that the bot plays
put THING SQUARE lay a piece, a mountain, a ground, a tile; things lists what there is
move FROM TO     move what stands there; the two change places
off SQUARE       take off what stands there
choose NAME      choose how the tiles lie, where there is a choice
turn SQUARE      turn the tile there by 180 degrees
mirror, clear    change left and right; take everything off
undo             take the last change back
board, check     look at it; what is wrong with it
open FILE        take the setup in a file; save FILE writes it to one
ready            begin with it
quit             stop; what is arranged so far is kept"""


class SetupDesk:
    """One player's setup, arranged by commands.

    At a keyboard that two players share nothing of it is written unless its owner asks.
    """

    def __init__(
        self,
        table: Table,
        color: Color,
        read: Callable[[str], str],
        say: Callable[[str], None],
        keep: Callable[[], None],
    ) -> None:
        self.table = table
        self.color = color
        self.read = read
        self.say = say
        draft = table.drafts.get(color)
        self.bench = Bench(table.rules, color, draft or table.good_setup(color), self._changed)
        self._keep = keep
        self._commands: dict[str, tuple[int, Callable[..., None]]] = {
            "help": (0, lambda: self.say(_HELP)),
            "?": (0, lambda: self.say(_HELP)),
            "presets": (0, self._presets),
            "setup": (1, self._named),
            "random": (0, lambda: self.bench.change(table.random_setup(color))),
            "good": (0, lambda: self.bench.change(table.good_setup(color))),
            "things": (0, self._things),
            "put": (2, self._put),
            "move": (2, self._move),
            "off": (1, self._off),
            "choose": (1, self._choose),
            "turn": (1, self._turn),
            "mirror": (0, self._mirror),
            "clear": (0, self.bench.clear),
            "undo": (0, self._undo),
            "board": (0, self._board),
            "check": (0, self._check),
            "open": (1, self._open),
            "save": (1, self._save),
        }

    def arrange(self) -> Setup:
        """Take commands until the setup can be played and its owner says so."""
        name = self.color.title
        self.say(f"{name}'s setup. A good one lies ready: ready takes it, help tells the rest.")
        if not self.table.shared:
            self._board()
        while True:
            words = self.read(f"{name}'s setup> ").split()
            if words == ["ready"]:
                if not self.bench.problems():
                    return self.bench.setup
                self._check()
            elif words:
                self._order(words)

    def _changed(self, setup: Setup) -> None:
        self.table.drafts[self.color] = setup
        self._keep()

    def _order(self, words: list[str]) -> None:
        try:
            if words[0] == self.table.rules.id:
                self.bench.take(self._own(parse_setup(" ".join(words))))
                return
            number, command = self._commands.get(words[0].lower(), (0, None))
            if command is None:
                raise CyvasseError(f"{words[0]!r:.40} is no command here; help lists them")
            if len(words) - 1 != number:
                things = "nothing" if number == 0 else f"{number} word{'s' * (number > 1)}"
                raise CyvasseError(f"{words[0]} is followed by {things}; help tells which")
            command(*words[1:])
        except CyvasseError as error:
            self.say(f"{error}".rstrip(".") + ".")
        else:
            self._answer(words[0])

    def _answer(self, command: str) -> None:
        if command in ("help", "?", "presets", "things", "board", "check", "save"):
            return
        number = len(self.bench.problems())
        if number:
            self.say(
                f"Done. {number} {'thing is' if number == 1 else 'things are'} to mend: check."
            )
        else:
            self.say("Done. This setup can be played: ready.")

    def _presets(self) -> None:
        self.say(f"{in_words(list(self.table.rules.named_setups(self.color)))}.")

    def _named(self, name: str) -> None:
        named = self.table.rules.named_setups(self.color)
        if name not in named:
            raise CyvasseError(f"no setup {name!r:.40}; there are {in_words(list(named))}")
        self.bench.change(named[name])

    def _things(self) -> None:
        for layer in self.bench.kit.layers:
            self.bench.layer = layer
            items = [f"{item.thing.name} ({item.left} left)" for item in self.bench.items()]
            self.say(f"{layer.capitalize()}: {', '.join(items)}.")
        self.bench.layer = "pieces"
        if self.bench.kit.about:
            self.say(self.bench.kit.about)

    def _put(self, name: str, square: str) -> None:
        self._own_square(square)
        bench, kit = self.bench, self.bench.kit
        thing = self._thing(name)
        if thing.kind == "brush":
            bench.change(arrange.painted(kit, bench.setup, thing.name, square))
        elif thing.kind == "tile":
            slot = arrange.slot_at(kit, bench.setup, square)
            if slot is None:
                raise CyvasseError(f"{square} belongs to no slot for a tile")
            bench.change(arrange.tile_laid(kit, bench.setup, slot, thing.name))
        elif arrange.left(kit, bench.setup, thing) < 1:
            raise CyvasseError(f"no {bench.title_of(thing)} is left")
        else:
            bench.change(arrange.placed(kit, bench.setup, thing, square))

    def _thing(self, name: str) -> Thing:
        known: list[str] = []
        for layer in self.bench.kit.layers:
            self.bench.layer = layer
            for item in self.bench.items():
                words = (item.thing.name, item.title.lower().replace(" ", "_"), item.symbol.lower())
                if item.thing.kind != "layout" and name.lower() in words:
                    self.bench.layer = "pieces"
                    return item.thing
                known.append(item.thing.name)
        self.bench.layer = "pieces"
        raise CyvasseError(f"no {name!r:.40} can be put; there are {in_words(known)}")

    def _move(self, start: str, end: str) -> None:
        self._own_square(start)
        self._own_square(end)
        if arrange.thing_at(self.bench.kit, self.bench.setup, start) is None:
            raise CyvasseError(f"nothing stands on {start}")
        self.bench.change(arrange.moved(self.bench.kit, self.bench.setup, start, end))

    def _off(self, square: str) -> None:
        self._own_square(square)
        self.bench.take_off(square)

    def _choose(self, name: str) -> None:
        slots = self.bench.kit.slots
        if slots is None or name not in slots.layouts:
            known = in_words(list(slots.layouts)) if slots else "nothing"
            raise CyvasseError(f"no choice {name!r:.40}; there is {known}")
        self.bench.change(arrange.layout_chosen(self.bench.kit, self.bench.setup, name))

    def _turn(self, square: str) -> None:
        self._own_square(square)
        if not self.bench.turn(square):
            raise CyvasseError(f"no tile lies on {square}")

    def _mirror(self) -> None:
        if not self.bench.mirror():
            raise CyvasseError("this half has no mirror")

    def _undo(self) -> None:
        if not self.bench.undo():
            raise CyvasseError("there is nothing to take back")

    def _board(self) -> None:
        seen = self.bench.seen()
        self.say(text_board(seen, self.bench.kit.home, self.color))
        for store in seen.stores:
            self.say(store_words(seen.rules, store))

    def _check(self) -> None:
        problems = self.bench.problems()
        for problem in problems:
            self.say(str(problem))
        if not problems:
            self.say("This setup can be played: ready.")

    def _open(self, name: str) -> None:
        self.bench.take(setup_from_file(self.table.rules, self.color, named_path(name)))

    def _save(self, name: str) -> None:
        write_text(named_path(name), write_setup(self.bench.setup) + "\n")
        self.say("Saved.")

    def _own(self, setup: Setup) -> Setup:
        if setup.rule_set != self.table.rules.id:
            raise CyvasseError(f"this is a setup for {setup.rule_set}")
        return setup

    def _own_square(self, square: str) -> None:
        self.table.rules.board.index(square)
        if square not in self.bench.kit.home:
            raise CyvasseError(f"{square} is not behind {self.color.title}'s screen")
