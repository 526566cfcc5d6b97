"""What a square shows in a terminal: letters and marks first, colours only besides.

White's pieces are upper-case letters, Black's lower-case ones; grounds have the marks of
``notation/diagrams.py``.  Everything that a colour tells a character tells too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from cyvasse.draw.ground import color_of
from cyvasse.draw.palette import Theme
from cyvasse.notation.diagrams import MARKS
from cyvasse.notation.positions import piece_letter
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import SceneFeature, Seen, Store
from cyvasse.rules.terms import Color, in_words
from cyvasse.terminal.grid import SIZES, Grid, Size

_KEEP = "#"
_INKS = {"mountain": "mountain-face", "crag": "crag-face"}
_FEATURES = {"ruin": "%", "circle": "o", "centre": "o"}
_ARROWS = {
    "N": "↑",
    "NE": "↗",
    "E": "→",
    "SE": "↘",
    "S": "↓",
    "SW": "↙",
    "W": "←",
    "NW": "↖",
}
_OPPOSITE = dict(
    zip(_ARROWS.values(), [*_ARROWS.values()][4:] + [*_ARROWS.values()][:4], strict=True)
)
_WAITING = "z"
_TEXT = SIZES[1]
_MARGIN = 9

# What a square is besides what lies on it, the most telling first: the characters around its
# letter, and the colours (ink, ground) of these characters.
SIGNS: Mapping[str, tuple[str, str, str]] = {
    "cursor": ("[]", "mark", "gold"),
    "chosen": ("{}", "mark", "gold"),
    "take": ("()", "halo", "take"),
    "shot": ("<>", "halo", "take"),
    "move": ("  ", "mark", ""),
    "hint": ("??", "halo", "curtain"),
    "alarm": ("!!", "halo", "take"),
    "wrong": ("!!", "halo", "take"),
    "last": ("||", "mark", ""),
}


class SquareLook(NamedTuple):
    """What lies on a square."""

    letter: str
    """The piece, or nothing."""
    color: Color | None
    mark: str
    """The ground, or what is built there; nothing on open ground."""
    ground: str
    """The name of the ground's colour."""
    ink: str
    """The name of the colour of marks on it."""


class Span(NamedTuple):
    """Some characters of one style."""

    text: str
    ink: str
    ground: str
    bold: bool = False


def looks(seen: Seen, bottom: Color = Color.WHITE) -> dict[str, SquareLook]:
    """How every square of a board looks."""
    marks = {at: MARKS.get(seen.look(at), "") for at in seen.grounds}
    for feature in seen.features:
        sign = _FEATURES.get(feature.kind)
        if feature.kind == "waiting":
            sign = _WAITING
        elif feature.kind == "facing" and feature.direction is not None:
            arrow = _ARROWS.get(feature.direction, "")
            sign = arrow if bottom is Color.WHITE else _OPPOSITE.get(arrow, "")
        for square in feature.squares if sign else ():
            marks[square] = sign or ""
    return {
        square: SquareLook(
            *_standing(seen, square),
            marks[square],
            color_of(seen.rules, square, ground),
            _INKS.get(seen.look(square), f"{seen.look(square)}-ink"),
        )
        for square, ground in seen.grounds.items()
    }


def _standing(seen: Seen, square: str) -> tuple[str, Color | None]:
    """The letter and the owner of what stands on a square; a keep is like a piece."""
    piece = seen.pieces.get(square)
    if piece is not None:
        return piece_letter(seen.rules, piece.color, piece.type), piece.color
    for feature in seen.features:
        if feature.kind == "keep" and square in feature.squares:
            return _KEEP, feature.color
    return "", None


def cell(look: SquareLook, signs: frozenset[str], size: Size, name: str) -> list[list[Span]]:
    """The lines of a square's characters.

    >>> look = SquareLook("k", Color.BLACK, "~", "water", "water-ink")
    >>> lines = cell(look, frozenset(["take"]), Size(4, 1), "e4")
    >>> ["".join(span.text for span in line) for line in lines]
    ['(k)~']
    """
    if size.width < 4:
        return [_narrow(look, signs)]
    around = (size.width - 4) // 2
    blank = [Span(" " * size.width, look.ink, look.ground)]
    middle = (size.height - 1) // 2
    lines = [blank] * size.height
    lines[middle] = [
        Span(" " * around, look.ink, look.ground),
        *_core(look, signs),
        Span(" " * around, look.ink, look.ground),
    ]
    if size.height > 2:
        lines[-1] = [Span(name.rjust(size.width - 1) + " ", look.ink, look.ground)]
    return lines


def _core(look: SquareLook, signs: frozenset[str]) -> list[Span]:
    """Four characters: the letter between two signs, and the mark of the ground."""
    sign = next((name for name in SIGNS if name in signs), None)
    pair, ink, ground = SIGNS[sign] if sign else ("  ", look.ink, "")
    ground = ground or (look.ground if look.color is None else str(look.color))
    if look.color is not None and not (sign and SIGNS[sign][2]):
        ink = f"{look.color}-line"
    left, right = (Span(character, ink, ground, bold=True) for character in pair)
    mark = look.mark if look.letter else ""
    return [left, _letter(look, signs), right, Span(mark.ljust(1), look.ink, look.ground)]


def _narrow(look: SquareLook, signs: frozenset[str]) -> list[Span]:
    """Two characters: the letter, and a sign or the mark of the ground."""
    sign = next((name for name in SIGNS if name in signs and SIGNS[name][0].strip()), None)
    if sign is None:
        mark = look.mark if look.letter else ""
        return [_letter(look, signs), Span(mark.ljust(1), look.ink, look.ground)]
    pair, ink, ground = SIGNS[sign]
    return [_letter(look, signs), Span(pair[1], ink, ground or look.ground, bold=True)]


def _letter(look: SquareLook, signs: frozenset[str]) -> Span:
    if look.color is not None:
        return Span(look.letter, f"{look.color}-line", str(look.color), bold=True)
    if signs & {"move", "take", "shot"}:
        if "cursor" in signs:
            return Span("•", "mark", "gold", bold=True)
        return Span("•", look.ink, look.ground, bold=True)
    return Span(look.mark or ".", look.ink, look.ground)


def shade(theme: Theme, name: str) -> str:
    """The colour of that name; inks that the theme does not know are those of marks."""
    return theme.get(name, theme["mark"])


def text_board(seen: Seen, squares: Collection[str], bottom: Color) -> str:
    """The board as lines of letters and marks, for plain text.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("gameofcyvasse").random_position(seed=1)
    >>> print(text_board(position.scene(), position.rules.home(Color.BLACK), Color.BLACK))
     h5-a5   t   ^   .   c   .   .   l~  ^
     h6-a6   .   d*  #   ^   x   .   ~   .
     h7-a7   .   e*  ^   *   ~   s*  h*  ~
     h8-a8   r   ^   .   ^   k~  .   *   .
    """
    grid = Grid(seen.rules.board, squares, _TEXT, bottom)
    shown = looks(seen, bottom)
    lines = []
    for row in grid.rows:
        line = f"{row[0]:>3}-{row[-1]:<3}"
        for square in row:
            look = shown[square]
            line = line.ljust(_MARGIN + grid.place(square)[0] - grid.margin)
            line += (look.letter + look.mark) or "."
        lines.append(line)
    return "\n".join(lines)


def feature_words(feature: SceneFeature) -> str:
    """Something on a square beyond its piece and ground, in words."""
    owner = "" if feature.color is None else f"{feature.color.title}'s "
    pointing = "" if feature.direction is None else f" {feature.direction}"
    return f"{owner}{feature.kind}{pointing}"


def store_words(rules: RuleSet, store: Store) -> str:
    """Pieces beside the board, in words."""
    counted = [rules.piece_type(name).counted(number) for name, number in store.pieces.items()]
    where = "in reserve" if store.kind == "reserve" else "lost, may come back"
    return f"{store.color.title} {where}: {in_words(counted)}."
