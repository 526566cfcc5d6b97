"""The lower layers of a picture: slab, coordinates, grounds, and what is built on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from cyvasse.draw.canvas import Canvas, drawing, group, stroke
from cyvasse.draw.drawings import KEEP, motif_of, reference
from cyvasse.draw.geometry import number, path
from cyvasse.draw.palette import GROUNDS, NOBODYS
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import SceneFeature
from cyvasse.rules.terms import Color

SHADE = 0.72
"""How much of what lies beyond the part that is shown the frame hides."""
# Browsers know the first and the last; what makes pixels knows only fonts by their names.
FONT = (
    "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', 'Liberation Sans', "
    "'DejaVu Sans', sans-serif"
)
FADED = 0.4
"""How much is seen of a motif below a piece."""


def frame(canvas: Canvas) -> str:
    """One slab of stone under all squares, with a thin inlaid line and the coordinates."""
    theme, rim = canvas.theme, canvas.rim
    outline = path(canvas.layout.hull)
    layers = [(theme["frame"], rim)]
    if canvas.coordinates:
        layers += [(theme["inlay"], rim - 4), (theme["frame"], rim - 5.4)]
    slab = "".join(stroke(outline, color, 2 * width, fill=color) for color, width in layers)
    return group(slab, stroke_linejoin="round") + _beyond(canvas) + _coordinates(canvas)


def _beyond(canvas: Canvas) -> str:
    """Where the board goes on, its squares shine through the frame."""
    beyond = canvas.layout.beyond
    if not beyond:
        return ""
    # So far that the corners of the shade stay inside the round corners of the slab.
    window = canvas.layout.outset(canvas.rim * 0.7)
    name = reference("beyond")
    shade = (
        f'<path d="{window}" fill="{canvas.theme["frame"]}" fill-opacity="{SHADE}" '
        f'clip-path="url(#{name})"/>'
    )
    return (
        f'<clipPath id="{name}"><path d="{window}"/></clipPath>'
        + group(_laid(canvas, beyond), clip_path=f"url(#{name})")
        + shade
    )


def _coordinates(canvas: Canvas) -> str:
    if not canvas.coordinates:
        return ""
    size = 24.0 if canvas.small else 15.0
    named = "".join(
        f'<text x="{number(x)}" y="{number(y + 0.36 * size)}">{name}</text>'
        for (x, y), name in canvas.layout.labels(canvas.rim / 2 - 3)
    )
    return group(
        named,
        fill=canvas.theme["text"],
        font_family=FONT,
        font_size=size,
        font_weight="600",
        text_anchor="middle",
    )


def grounds(canvas: Canvas) -> str:
    """Every square in the colour of its ground, with one motif."""
    by_look: dict[str, list[str]] = {}
    for square in canvas.layout.touched:
        by_look.setdefault(canvas.seen.look(square), []).append(square)
    return _laid(canvas, canvas.layout.touched) + "".join(
        _motifs(canvas, look, squares) for look, squares in sorted(by_look.items())
    )


def _laid(canvas: Canvas, squares: Iterable[str]) -> str:
    """Squares in the colours of their grounds."""
    by_color: dict[str, list[str]] = {}
    for square in squares:
        by_color.setdefault(ground_color(canvas, square), []).append(square)
    cells = "".join(
        f'<path d="{canvas.layout.cells(alike)}" fill="{canvas.theme[color]}"/>'
        for color, alike in sorted(by_color.items())
    )
    return group(cells, stroke=canvas.theme["grout"], stroke_width=2.0 if canvas.small else 1.5)


def ground_color(canvas: Canvas, square: str) -> str:
    """The name of the colour of a square's ground."""
    return color_of(canvas.seen.rules, square, canvas.seen.grounds[square])


def color_of(rules: RuleSet, square: str, ground: str) -> str:
    """The name of the colour of a ground where it lies on that square."""
    if rules.scene.look(ground) == "open" and square in _in_neither_half(rules):
        return NOBODYS
    x, y = rules.board.coordinates[rules.board.index(square)]
    colors = GROUNDS[rules.scene.look(ground)]
    return colors[(x - y) % len(colors)]


@cache
def _in_neither_half(rules: RuleSet) -> frozenset[str]:
    return frozenset(rules.board.squares).difference(*(rules.home(color) for color in Color))


def _motifs(canvas: Canvas, look: str, squares: list[str]) -> str:
    motif = motif_of(look, canvas.small)
    if motif is None:
        return ""
    values = {"color": canvas.theme[f"{look}-ink"]}
    if f"{look}-face" in canvas.theme:
        values["fill"] = canvas.theme[f"{look}-face"]
    # A hexagon is narrower than a square where the outer parts of a motif lie.
    size = 60.0 if canvas.layout.hexagonal else 64.0
    free = canvas.drawings(motif, [at for at in squares if at not in canvas.men], size)
    held = canvas.drawings(motif, [at for at in squares if at in canvas.men], size)
    return group(free + group(held, opacity=FADED), **values)


# --- what is built on the ground ------------------------------------------------------------------


def features(canvas: Canvas) -> str:
    """Walls, keeps, homes, rings and the joints between tiles, below the pieces."""
    return "".join(
        _PAINTERS[feature.kind](canvas, feature)
        for kind in _PAINTERS
        for feature in canvas.features
        if feature.kind == kind
    )


def _tile(canvas: Canvas, feature: SceneFeature) -> str:
    joint = canvas.layout.border(feature.squares)
    return stroke(joint, canvas.theme["frame"], 4.0, stroke_linejoin="round")


def _home(canvas: Canvas, feature: SceneFeature) -> str:
    stone = canvas.stone(_owner(feature))
    keeps = [
        at
        for each in canvas.seen.features
        if each.kind == "keep" and each.color is feature.color
        for at in each.squares
    ]
    border = canvas.layout.border([*feature.squares, *keeps], inset=3.5)
    return group(
        stroke(border, stone["color"], 4.6)
        + stroke(border, stone["fill"], 2.6, stroke_dasharray="8 4"),
        stroke_linejoin="round",
    )


def _keep(canvas: Canvas, feature: SceneFeature) -> str:
    stone = canvas.stone(_owner(feature))
    size = canvas.piece_size * 1.06
    return group(canvas.drawings(KEEP, feature.squares, size), **stone, stroke_width=canvas.outline)


def _fortress(canvas: Canvas, feature: SceneFeature) -> str:
    """A wall with battlements, as many on each side, one on each corner."""
    stone = canvas.stone(_owner(feature))
    line, body = stone["color"], stone["fill"]
    corners = canvas.layout.corners
    side = math.dist(corners[0], corners[1])
    scale = 0.86
    period = side * scale / (3 if canvas.layout.hexagonal else 6)
    merlon = period * 0.58
    outer, inner = canvas.layout.cell(scale), canvas.layout.cell(scale - 0.08)

    def dashes(width: float) -> dict[str, str]:
        long = merlon + width
        return {
            "stroke_dasharray": f"{number(long)} {number(period - long)}",
            "stroke_dashoffset": number(long / 2),
        }

    wall = (
        stroke(outer, line, 8.0, **dashes(1.4))
        + stroke(inner, line, 5.6)
        + stroke(outer, body, 5.2, **dashes(-1.0))
        + stroke(inner, body, 2.8)
    )
    return _on_each(canvas, feature, wall)


def _ruin(canvas: Canvas, feature: SceneFeature) -> str:
    """The same wall in unequal pieces; it is nobody's any more."""
    wall = canvas.layout.cell(0.84)
    ink = canvas.theme["fortress-ink"]
    return _on_each(canvas, feature, stroke(wall, ink, 5.0, stroke_dasharray="4 9 10 14 3 8"))


def _circle(canvas: Canvas, feature: SceneFeature) -> str:
    ink = canvas.theme["fortress-ink"]
    ring = f'<circle r="27" fill="none" stroke="{ink}" stroke-width="2.5"/>'
    return _on_each(canvas, feature, ring)


def _centre(canvas: Canvas, feature: SceneFeature) -> str:
    """Two rings in the colours of the player whose fortress is replaced."""
    stone = canvas.stone(_owner(feature))
    # The rings of both players may be round one square.
    radius = 25 if feature.color is Color.WHITE else 16
    rings = "".join(
        f'<circle r="{radius}" fill="none" stroke="{color}" stroke-width="{width}"/>'
        for color, width in ((stone["color"], 8), (stone["fill"], 5))
    )
    return _on_each(canvas, feature, rings)


def _on_each(canvas: Canvas, feature: SceneFeature, drawn: str) -> str:
    places = [canvas.layout.centres[square] for square in feature.squares]
    return "".join(
        f'<g transform="translate({number(x)} {number(y)})">{drawn}</g>' for x, y in places
    )


def _owner(feature: SceneFeature) -> Color:
    assert feature.color is not None, feature
    return feature.color


# In the order in which they are painted.  Mountains are grounds; what concerns single pieces is
# painted with them.
_PAINTERS: Mapping[str, Callable[[Canvas, SceneFeature], str]] = {
    "tile": _tile,
    "circle": _circle,
    "ruin": _ruin,
    "fortress": _fortress,
    "home": _home,
    "centre": _centre,
    "keep": _keep,
}


def curtain(canvas: Canvas, owner: Color) -> str:
    """The cloth over the half that the owner of a setup may not see."""
    theme, layout = canvas.theme, canvas.layout
    hidden = canvas.seen.rules.home(owner.other)
    cloth = layout.border(hidden)
    xs = [layout.centres[square][0] for square in hidden]
    ys = [layout.centres[square][1] for square in hidden]
    left, right, top, bottom = min(xs) - 40, max(xs) + 40, min(ys) - 40, max(ys) + 40
    folds = "".join(
        f"M{number(left + step * 32)} {number(top)}V{number(bottom)}"
        for step in range(round((right - left) / 32) + 1)
    )
    clip = reference("curtain")
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    crown = group(
        drawing("king", middle, 96.0),
        fill=theme["curtain"],
        stroke=theme["curtain"],
        color=theme["inlay"],
        stroke_width=2.4,
    )
    return (
        f'<clipPath id="{clip}"><path d="{cloth}"/></clipPath>'
        f'<path d="{cloth}" fill="{theme["curtain"]}"/>'
        + stroke(folds, theme["curtain-fold"], 11.0, clip_path=f"url(#{clip})")
        + stroke(layout.border(hidden, 5.0), theme["inlay"], 2.0, stroke_linejoin="round")
        + crown
    )
