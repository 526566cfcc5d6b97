"""Whole pictures: a position or a setup as one SVG document."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from cyvasse.actions import Action
from cyvasse.draw import ground, marks, men, words
from cyvasse.draw.canvas import SMALL, Canvas
from cyvasse.draw.drawings import KEEP, SIDE, motif_of, symbols
from cyvasse.draw.geometry import checked_style, layout, number
from cyvasse.draw.marks import Arrows, Marks
from cyvasse.draw.palette import theme_named
from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.scenery import Scene, scene, setup_scene
from cyvasse.rules.terms import WHITE, Color, Setup

LARGEST = 10_000
_GAP = 10.0
_MARGIN = 1.0  # so that the smooth edge of the slab is not cut


def board_svg(
    position: Position,
    *,
    style: str | None = None,
    theme: str = "light",
    bottom: Color | str = WHITE,
    coordinates: bool = True,
    last: Action | str | None = None,
    marks: Marks = (),
    arrows: Arrows = (),
    size: int | None = None,
) -> str:
    """A position as an SVG document.

    ``style`` is one of ``position.board.styles`` (the first, if left out), ``theme`` is ``light``
    or ``dark``, ``bottom`` the player who sits at the lower edge.  ``last`` marks an action that
    has just been played.  ``marks`` are squares to be ringed or, as a mapping, squares with the
    kind of their mark: ``ring``, ``selected``, ``dot``, ``take`` or ``shot``; ``arrows`` are pairs
    of squares.  ``size`` is the width in pixels; without it the picture fills the room it is given.

    >>> import cyvasse
    >>> position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    >>> board_svg(position, theme="dark", size=640)[:61]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 826 634"'
    """
    if not isinstance(position, Position):
        raise CyvasseError(f"only a position can be drawn, not {position!r:.40}")
    canvas = _canvas(scene(position), style, theme, Color.parse(bottom), coordinates, size)
    title = words.position_title(position)
    return _document(
        canvas, title, Color.parse(bottom), size, *_layers(canvas, last, marks, arrows)
    )


def setup_svg(
    setup: Setup,
    *,
    style: str | None = None,
    theme: str = "light",
    bottom: Color | str | None = None,
    coordinates: bool = True,
    marks: Marks = (),
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
    seen = setup_scene(rule_set(setup.rule_set), setup)
    side = setup.color if bottom is None else Color.parse(bottom)
    canvas = _canvas(seen, style, theme, side, coordinates, size)
    title = words.setup_title(seen, setup.color)
    below, above = _layers(canvas, None, marks, ())
    return _document(
        canvas, title, side, size, below, ground.curtain(canvas, setup.color) + above, {"king"}
    )


def _canvas(
    seen: Scene,
    style: str | None,
    theme: str,
    bottom: Color,
    coordinates: bool,
    size: int | None,
) -> Canvas:
    if size is not None and (type(size) is not int or not 1 <= size <= LARGEST):
        raise CyvasseError(f"size is {size!r:.40}, not a whole number of pixels up to {LARGEST}")
    board = seen.rules.board
    lying = layout(board, checked_style(board, style), bottom)
    canvas = Canvas(seen, lying, theme_named(theme), coordinates=coordinates)
    if size is not None and size / _width(canvas) * SIDE < SMALL:
        canvas = Canvas(seen, lying, canvas.theme, small=True, coordinates=coordinates)
    return canvas


def _layers(
    canvas: Canvas,
    last: Action | str | None,
    marked: Marks,
    arrows: Arrows,
) -> tuple[str, str]:
    """Everything on the board: what a curtain may cover, and what lies on top."""
    kinds = marks.checked_marks(canvas, marked)
    action = "" if last is None else marks.last_action(canvas, marks.checked_action(canvas, last))
    below = (
        ground.frame(canvas)
        + ground.grounds(canvas)
        + ground.features(canvas)
        + men.halos(canvas)
        + action
        + marks.selection(canvas, kinds)
        + men.pieces(canvas)
        + men.badges(canvas)
    )
    pointing = "".join(
        marks.arrow(canvas, start, end) for start, end in marks.checked_arrows(canvas, arrows)
    )
    return below, marks.over(canvas, kinds) + pointing


def _width(canvas: Canvas) -> float:
    xs = [x for x, _ in canvas.layout.hull]
    return max(xs) - min(xs) + 2 * (canvas.rim + _MARGIN)


def _document(
    canvas: Canvas,
    title: str,
    bottom: Color,
    size: int | None,
    below: str,
    above: str,
    further: Iterable[str] = (),
) -> str:
    ys = [y for _, y in canvas.layout.hull]
    around = canvas.rim + _MARGIN
    left, top = min(x for x, _ in canvas.layout.hull) - around, min(ys) - around
    width, height = _width(canvas), max(ys) - min(ys) + 2 * around
    board_top, trays = 0.0, ""
    for color in (bottom.other, bottom):
        stores = [store for store in canvas.scene.stores if store.color is color]
        if not stores:
            continue
        if color is bottom:
            at = height + _GAP + men.TRAY_HEIGHT / 2
        else:
            at, board_top = men.TRAY_HEIGHT / 2, men.TRAY_HEIGHT + _GAP
        trays += men.tray(canvas, stores, (width / 2, at), room=width)
        height += men.TRAY_HEIGHT + _GAP
    pixels = "" if size is None else f' width="{size}" height="{number(size / width * height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
        f'{pixels} role="img">'
        f"<title>{escape(title)}</title><desc>{escape(words.description(canvas.scene))}</desc>"
        f"<defs>{_symbols(canvas, further)}</defs>"
        f'<g transform="translate({number(-left)} {number(board_top - top)})">{below}{above}</g>'
        f"{trays}</svg>\n"
    )


def _symbols(canvas: Canvas, further: Iterable[str]) -> str:
    """The definitions that a picture needs, and no others."""
    seen = canvas.scene
    types = {man.type for man in seen.pieces.values()}
    types |= {name for store in seen.stores for name in store.pieces}
    drawn = {canvas.drawing(name) for name in types} | set(further)
    if any(feature.kind == "keep" for feature in seen.features):
        drawn.add(KEEP)
    motifs = {motif_of(each, canvas.small) for each in seen.grounds.values()}
    return "".join(
        [
            ground.cell_symbol(canvas),
            *symbols("terrain", [motif for motif in motifs if motif is not None]),
            *symbols("pieces", drawn),
        ]
    )
