"""The pictures of the rules pages: drawn from docs/rules/diagrams/<rule set>.toml.

A diagram is a table with the name of the picture.  What a piece can do is never typed but asked
from the rules, so a picture cannot lie; what a caption claims beyond that is written under
``legal``, ``illegal``, ``refused`` and ``brings``, and the tests ask the rules whether it is true.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cyvasse
from cyvasse import Action, Color, Piece, Position, RuleSet, Setup, State
from cyvasse.draw import board_svg, setup_svg
from cyvasse.notation import parse_setup
from tests.goldens import ROOT

RULES = ROOT / "docs" / "rules"
IMAGES = RULES / "images"
SIZES = IMAGES / "sizes.json"
"""The width and height of each picture, for pages that must keep room for it."""

SQUARE = 48.0
"""How wide a square is drawn, in pixels, where there is room."""
WIDEST = 560
"""As wide as a column of text."""

# How the target of an action is marked; what is struck is marked as well.
_TARGETS = {
    "move": "dot",
    "capture": "take",
    "capture_landing": "landing",
    "capture_two": "take",
    "siege": "landing",
    "swap": "ring",
    "jump": "landing",
    "drop": "dot",
    "bring_out": "dot",
    "corner": "ring",
}


@dataclass(frozen=True)
class Diagram:
    """What a picture shows; squares are separated by spaces."""

    rules: RuleSet
    name: str

    pieces: str = ""
    """``Ke1 rd5``: capitals are White's."""
    ground: Mapping[str, str] = field(default_factory=dict)
    """The squares of each ground that players lay."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    turn: str = "white"
    start: tuple[str, str] | None = None
    """The named setups of White and Black, instead of pieces."""
    setup: str | None = None
    """White's setup, by name or as a text, instead of a position."""
    play: tuple[str, ...] = ()
    """What is played before the picture is drawn; the last action is shown."""

    select: str = ""
    """The square of a piece, or the name of one in reserve: what it can do is marked.

    ``turn`` stands for choices that no piece makes."""
    kinds: str = ""
    """The kinds of actions that are marked, if not all."""
    only: str = ""
    """The squares on which actions are marked, if not all."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Squares on which the selected piece can do nothing, each with words of the explanation."""
    legal: tuple[str, ...] = ()
    illegal: Mapping[str, str] = field(default_factory=dict)
    """Actions that are refused, each with words of the explanation."""
    brings: Mapping[str, str] = field(default_factory=dict)
    """Actions with the kind of an effect that they bring about."""

    count: str = ""
    """The tally that is written on the squares of ``on``."""
    on: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    """The squares of each kind of mark."""
    arrows: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    """Groups of squares; ``ring h2 e4`` is all squares as far from h2 as e4 is."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    problems: str = ""
    """Squares with a problem of the setup that has this word in it are marked."""
    names: bool = False
    """Whether every empty square bears its name."""
    able: bool = False
    """Whether the pieces that may act are marked."""

    crop: str = ""
    """Squares that must be shown, if it is not to be the whole board; ``targets`` stands for all
    that the selected piece can reach, and what is refused."""
    square: float = SQUARE

    @property
    def path(self) -> Path:
        return IMAGES / f"{self.rules.id}-{self.name}.svg"

    def position(self) -> Position:
        """The position that is shown."""
        if self.start is not None:
            white, black = (
                self.rules.named_setups(color)[name]
                for color, name in zip(Color, self.start, strict=True)
            )
            position = self.rules.start(white, black, self.turn)
        else:
            position = self.rules.position(self._state())
        for action in self.play:
            position.play(action)
        return position

    def _state(self) -> State:
        types = {kind.letter: kind.name for kind in self.rules.piece_types}
        pieces = {}
        for man in self.pieces.split():
            color = Color.WHITE if man[0].isupper() else Color.BLACK
            assert man[1:] not in pieces, f"{self.name}: two pieces on {man[1:]}"
            pieces[man[1:]] = Piece(color, types[man[0].upper()])
        terrain = {at: name for name, squares in self.ground.items() for at in squares.split()}
        return State(pieces, terrain, Color.parse(self.turn), fields=self.fields)

    def whole_setup(self) -> Setup:
        """The setup that is shown."""
        assert self.setup is not None
        named = self.rules.named_setups("white")
        return named[self.setup] if self.setup in named else parse_setup(self.setup)

    def draw(self) -> str:
        """The picture."""
        natural = self._draw(None)
        width = float(re.findall(r'viewBox="0 0 (\S+)', natural)[0])
        return self._draw(min(WIDEST, round(width * self.square / 64)))

    def _draw(self, size: int | None) -> str:
        options: dict[str, Any] = {
            "theme": "both",
            "areas": [self._area(squares) for squares in self.areas],
            "size": size,
        }
        marks = {at: kind for kind, squares in self.marks.items() for at in squares.split()}
        if self.setup is not None:
            setup = self.whole_setup()
            return setup_svg(
                setup,
                crop=self.crop.split(),
                marks={**marks, **self._problems(setup)},
                words=self.words,
                **options,
            )
        position = self.position()
        targets = self.targets(position)
        refused = dict.fromkeys(self.refused, "refused")
        return board_svg(
            position,
            crop=self._crop(targets),
            marks={**self._able(position), **targets, **refused, **marks},
            arrows=_pairs(self.arrows),
            lines=_pairs(self.lines),
            numbers={**self.numbers, **self._counted(position)},
            words=self._names(position) if self.names else self.words,
            last=self.play[-1] if self.play else None,
            **options,
        )

    def _crop(self, targets: Mapping[str, str]) -> list[str] | None:
        squares = self.crop.split()
        if "targets" in squares:
            squares.remove("targets")
            squares += [*targets, *self.refused]
        return squares or None

    def _counted(self, position: Position) -> dict[str, str]:
        tallies = position.tallies().get(self.count, {})
        return {square: str(tallies[square]) for square in self.on.split()}

    def _names(self, position: Position) -> dict[str, str]:
        taken = position.pieces()
        return {square: square for square in self.rules.board.squares if square not in taken}

    def _problems(self, setup: Setup) -> dict[str, str]:
        found = self.rules.check_setup(setup) if self.problems else []
        return {
            square: "refused"
            for problem in found
            if self.problems in problem.text
            for square in problem.squares
        }

    def _area(self, words: str) -> list[str]:
        kind, *squares = words.split()
        if kind != "ring":
            return words.split()
        board = self.rules.board
        centre, far = squares
        radius = board.distance(centre, far)
        return [at for at in board.squares if board.distance(centre, at) == radius]

    def targets(self, position: Position) -> dict[str, str]:
        """The marks of everything that the selected piece can do."""
        if not self.select:
            return {}
        found: dict[str, list[str]] = {}
        if self.select in self.rules.board:
            found[self.select] = ["selected"]
        for action in position.legal_actions():
            if self._is_selected(action):
                for square, kind in _marks(position, action):
                    if self.only and square not in self.only.split():
                        continue
                    kinds = found.setdefault(square, [])
                    if kind not in kinds:
                        kinds.append(kind)
        return {square: " ".join(kinds) for square, kinds in found.items()}

    def _able(self, position: Position) -> dict[str, str]:
        origins = [action.origin for action in position.legal_actions()] if self.able else []
        return {origin: "able" for origin in origins if origin is not None}

    def _is_selected(self, action: Action) -> bool:
        if self.kinds and action.kind not in self.kinds.split():
            return False
        if action.kind == "bring_out":
            return self.select == "dragon"
        if action.kind in ("corner", "promote"):
            return self.select == "turn"
        if action.kind == "drop":
            return action.piece == self.rules.piece_type(self.select).letter
        return action.origin == self.select


def _pairs(pairs: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(origin, target) for origin, target in (pair.split() for pair in pairs)]


def _marks(position: Position, action: Action) -> Iterator[tuple[str, str]]:
    """Where an action shows, and how."""
    if action.kind == "shoot":
        yield from ((square, "shot") for square in action.struck)
        return
    for square in action.struck:
        yield square, "take"
    if action.target is not None and action.target != action.origin:
        kind = _TARGETS[action.kind]
        if action.kind == "bring_out" and position.piece_at(action.target):
            kind = "take"
        yield action.target, kind


def diagrams() -> list[Diagram]:
    """All of them, in the order of the files; each file may begin with what is usual there."""
    found = []
    for rules in cyvasse.rule_sets():
        tables = tomllib.loads((RULES / "diagrams" / f"{rules.id}.toml").read_text("utf-8"))
        usual = tables.pop("usual", {})
        usual_fields = usual.pop("fields", {})
        for name, table in tables.items():
            fields = {**usual_fields, **table.pop("fields", {})}
            words: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in {**usual, **table}.items()
            }
            found.append(Diagram(rules, name, fields=fields, **words))
    return found


def pictures() -> Iterator[tuple[Path, str]]:
    """Every picture with the file it is kept in, and their sizes."""
    sizes = {}
    for diagram in diagrams():
        try:
            picture = diagram.draw()
        except cyvasse.CyvasseError as error:
            error.add_note(f"in the diagram {diagram.path.stem}")
            raise
        width, height = re.findall(r'<svg[^>]* width="(\S+)" height="(\S+)"', picture)[0]
        sizes[diagram.path.name] = [int(width), int(height)]
        yield diagram.path, picture
    lines = ",\n".join(f"  {json.dumps(name)}: {size}" for name, size in sorted(sizes.items()))
    yield SIZES, f"{{\n{lines}\n}}\n"
