"""Whole pictures: a position, a setup or a bare board as one SVG document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from cyvasse.actions import Action
from cyvasse.draw import ground, men, notes
from cyvasse.draw import marks as _marks
from cyvasse.draw import words as _words
from cyvasse.draw.canvas import SMALL, Canvas, group, rim
from cyvasse.draw.drawings import KEEP, SIDE, motif_of, reference, symbols
from cyvasse.draw.geometry import checked_crop, checked_style, layout, number, path
from cyvasse.draw.marks import Arrows, Marks
from cyvasse.draw.notes import Areas, Texts
from cyvasse.draw.palette import BOTH, both_themes, theme_named
from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import Seen
from cyvasse.rules.terms import WHITE, Color, Setup

LARGEST = 10_000
_GAP = 10.0
_MARGIN = 6.0  # so that the slab does not touch the edge of the picture


@dataclass(frozen=True)
class Look:
    """How a picture is to look, whatever it shows."""

    style: str | None
    theme: str
    bottom: Color
    coordinates: bool
    crop: Iterable[str] | None
    size: int | None


@dataclass(frozen=True)
class Talk:
    """What a picture is to explain, as the caller wished it."""

    last: Action | str | None = None
    marks: Marks = ()
    arrows: Arrows = ()
    lines: Arrows = ()
    areas: Areas = ()
    numbers: Texts | None = None
    words: Texts | None = None


def board_svg(
    position: Position,
    *,
    style: str | None = None,
    theme: str = "light",
    bottom: Color | str = WHITE,
    coordinates: bool = True,
    crop: Iterable[str] | None = None,
    last: Action | str | None = None,
    marks: Marks = (),
    arrows: Arrows = (),
    lines: Arrows = (),
    areas: Areas = (),
    numbers: Texts | None = None,
    words: Texts | None = None,
    size: int | None = None,
) -> str:
    """A position as an SVG document.

    ``style`` is one of ``position.board.styles`` (the first, if left out), ``theme`` is ``light``,
    ``dark`` or ``both``, ``bottom`` the player who sits at the lower edge, ``crop`` the squares
    that must be in the picture if it is not to show the whole board.  ``size`` is the width in
    pixels; without it the picture fills the room it is given.

    ``last`` marks an action that has just been played.  ``marks`` are squares to be ringed or, as a
    mapping, squares with the kinds of their marks: ``ring``, ``selected``, ``able``, ``dot``,
    ``landing``, ``take``, ``shot``, ``refused``.  ``arrows`` and ``lines`` are pairs of squares,
    ``areas`` groups of squares.  ``numbers`` stand at the corner of a square, ``words`` in the
    middle of a square or of several (``"e4 f4"``) together.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    >>> board_svg(position, theme="dark", size=640)[:61]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 836 644"'
    """
    if not isinstance(position, Position):
        raise CyvasseError(f"only a position can be drawn, not {position!r:.40}")
    look = Look(style, theme, Color.parse(bottom), coordinates, crop, size)
    canvas = _canvas(position.scene(), look)
    talk = Talk(last, marks, arrows, lines, areas, numbers, words)
    return _document(canvas, _words.position_title(position), look, _layers(canvas, talk))


def setup_svg(
    setup: Setup,
    *,
    style: str | None = None,
    theme: str = "light",
    bottom: Color | str | None = None,
    coordinates: bool = True,
    crop: Iterable[str] | None = None,
    marks: Marks = (),
    areas: Areas = (),
    numbers: Texts | None = None,
    words: Texts | None = None,
    size: int | None = None,
) -> str:
    """One player's setup as an SVG document, a curtain over the other half.

    The setup may be incomplete or illegal: ``marks`` can show where.  The other words mean what
    they mean for ``board_svg``; the owner sits at the bottom unless told otherwise.

    >>> import cyvasse
    >>> setup = cyvasse.rule_set("croft").random_setup("black", seed=1)
    >>> "<title>Croft's Cyvasse, Black's setup</title>" in setup_svg(setup)
    True
    """
    if not isinstance(setup, Setup):
        raise CyvasseError(f"only a setup can be drawn, not {setup!r:.40}")
    seen = rule_set(setup.rule_set).scene.of_setup(setup)
    side = setup.color if bottom is None else Color.parse(bottom)
    look = Look(style, theme, side, coordinates, crop, size)
    canvas = _canvas(seen, look)
    layers = _layers(canvas, Talk(marks=marks, areas=areas, numbers=numbers, words=words))
    hidden = set(canvas.seen.rules.home(setup.color.other))
    further = set()
    if not hidden.isdisjoint(canvas.layout.touched):
        curtain = _in_window(canvas, ground.curtain(canvas, setup.color))
        layers = replace(layers, below=layers.below + curtain)
        further.add("king")
    title = _words.setup_title(seen, setup.color)
    return _document(canvas, title, look, layers, further)


def bare_svg(
    rules: RuleSet,
    *,
    style: str | None = None,
    theme: str = "light",
    bottom: Color | str = WHITE,
    coordinates: bool = True,
    crop: Iterable[str] | None = None,
    marks: Marks = (),
    arrows: Arrows = (),
    size: int | None = None,
) -> str:
    """The bare board of a rule set as an SVG document, on which nobody has laid anything.

    The words mean what they mean for ``board_svg``.

    >>> import cyvasse
    >>> "<title>Croft's Cyvasse, the bare board</title>" in bare_svg(cyvasse.rule_set("croft"))
    True
    """
    if not isinstance(rules, RuleSet):
        raise CyvasseError(f"only a rule set has a board, not {rules!r:.40}")
    look = Look(style, theme, Color.parse(bottom), coordinates, crop, size)
    canvas = _canvas(Seen(rules, {}, rules.scene.usual, (), ()), look)
    layers = _layers(canvas, Talk(marks=marks, arrows=arrows))
    return _document(canvas, _words.bare_title(rules), look, layers)


def _canvas(seen: Seen, look: Look) -> Canvas:
    size = look.size
    if size is not None and (type(size) is not int or not 1 <= size <= LARGEST):
        raise CyvasseError(f"size is {size!r:.40}, not a whole number of pixels up to {LARGEST}")
    board = seen.rules.board
    whole = layout(board, checked_style(board, look.style), look.bottom)
    theme = theme_named(look.theme)

    def canvas(small: bool) -> Canvas:
        reach = rim(small, look.coordinates)
        lying = whole
        if look.crop is not None:
            lying = whole.cropped(checked_crop(board, look.crop), reach)
        return Canvas(seen, lying, theme, reach, small, look.coordinates)

    drawn = canvas(small=False)
    if size is not None and size / _width(drawn) * SIDE < SMALL:
        drawn = canvas(small=True)
    return drawn


@dataclass(frozen=True)
class Layers:
    """Everything on the board."""

    definitions: str
    below: str
    """What a curtain may cover."""
    above: str


def _layers(canvas: Canvas, talk: Talk) -> Layers:
    kinds = _marks.checked_marks(canvas, talk.marks)
    action = ""
    if talk.last is not None:
        action = _marks.last_action(canvas, _marks.checked_action(canvas, talk.last))
    below = (
        ground.frame(canvas)
        + _in_window(canvas, ground.grounds(canvas) + ground.features(canvas))
        + notes.areas(canvas, talk.areas)
        + men.halos(canvas)
        + action
        + _marks.below(canvas, kinds)
        + men.pieces(canvas)
        + men.badges(canvas)
    )
    above = (
        _marks.above(canvas, kinds)
        + notes.lines(canvas, talk.lines)
        + "".join(_marks.arrow(canvas, *pair) for pair in _marks.checked_pairs(canvas, talk.arrows))
        + notes.words(canvas, talk.words or {})
        + notes.numbers(canvas, talk.numbers or {})
    )
    return Layers(_window(canvas) + _marks.definitions(canvas, kinds), below, above)


def _in_window(canvas: Canvas, drawn: str) -> str:
    """Cut off what reaches beyond the part that is shown."""
    if not canvas.layout.beyond:
        return drawn
    return group(drawn, clip_path=f"url(#{reference('window')})")


def _window(canvas: Canvas) -> str:
    """The outline of the part that is shown, if it is not the whole board."""
    if not canvas.layout.beyond:
        return ""
    outline = path(canvas.layout.hull)
    return f'<clipPath id="{reference("window")}"><path d="{outline}"/></clipPath>'


def _width(canvas: Canvas) -> float:
    xs = [x for x, _ in canvas.layout.hull]
    return max(xs) - min(xs) + 2 * (canvas.rim + _MARGIN)


def _document(
    canvas: Canvas,
    title: str,
    look: Look,
    layers: Layers,
    further: Iterable[str] = (),
) -> str:
    ys = [y for _, y in canvas.layout.hull]
    around = canvas.rim + _MARGIN
    left, top = min(x for x, _ in canvas.layout.hull) - around, min(ys) - around
    width, height = _width(canvas), max(ys) - min(ys) + 2 * around
    board_top, trays = 0.0, ""
    for color in (look.bottom.other, look.bottom):
        stores = [store for store in canvas.seen.stores if store.color is color]
        if not stores:
            continue
        if color is look.bottom:
            at = height - _MARGIN + _GAP + men.TRAY_HEIGHT / 2
        else:
            at, board_top = _MARGIN + men.TRAY_HEIGHT / 2, men.TRAY_HEIGHT + _GAP
        trays += men.tray(canvas, stores, (width / 2, at), room=width)
        height += men.TRAY_HEIGHT + _GAP
    pixels = ""
    if look.size is not None:
        pixels = f' width="{look.size}" height="{round(look.size / width * height)}"'
    drawn = (
        f"<defs>{_symbols(canvas, further)}{layers.definitions}</defs>"
        f'<g transform="translate({number(-left)} {number(board_top - top)})">'
        f"{layers.below}{layers.above}</g>"
        f"{trays}"
    )
    if look.theme == BOTH:
        drawn = both_themes(drawn)
    description = _words.description(canvas.seen, canvas.layout.shown)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
        f'{pixels} role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{drawn}</svg>\n"
    )


def _symbols(canvas: Canvas, further: Iterable[str]) -> str:
    """The definitions that a picture needs, and no others."""
    seen = canvas.seen
    types = {man.type for man in canvas.men.values()}
    types |= {name for store in seen.stores for name in store.pieces}
    drawn = {canvas.drawing(name) for name in types} | set(further)
    if any(feature.kind == "keep" for feature in canvas.features):
        drawn.add(KEEP)
    motifs = {motif_of(seen.look(at), canvas.small) for at in canvas.layout.touched}
    return "".join(
        [
            *symbols("terrain", [motif for motif in motifs if motif is not None]),
            *symbols("pieces", drawn),
        ]
    )
