"""Pictures as pixels: PNG, and games as animated GIF.  Needs the extra ``pictures``."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cyvasse.errors import CyvasseError

if TYPE_CHECKING:
    from PIL.Image import Dither, Image

NARROWEST, WIDEST = 32, 4096


def png(svg: str, width: int = 640) -> bytes:
    """A picture as PNG, so many pixels wide.

    >>> import cyvasse
    >>> from cyvasse.draw import board_svg
    >>> png(board_svg(cyvasse.rule_set("croft").random_position(seed=1)), width=200)[1:4]
    b'PNG'
    """
    resvg = _brought("resvg_py", "resvg-py")
    if not NARROWEST <= width <= WIDEST:
        raise CyvasseError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=width))  # type: ignore[attr-defined]


def gif(svgs: Iterable[str], width: int = 480, seconds: float = 0.9) -> bytes:
    """Pictures one after the other; the last one stays longer, then all begins again."""
    frames = [_frame(svg, width) for svg in svgs]
    if not frames:
        raise CyvasseError("an animation needs at least one picture")
    if not 0.02 <= seconds <= 60:
        raise CyvasseError(f"a picture stays 0.02 to 60 seconds, not {seconds:g}")
    # One palette for all, or the colours would flicker.
    palette = frames[-1].quantize(255)
    pictures = [frame.quantize(palette=palette, dither=_flat()) for frame in frames]
    pause = round(seconds * 1000)
    out = io.BytesIO()
    pictures[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=[pause] * (len(pictures) - 1) + [max(pause, 3000)],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def _flat() -> Dither:
    """Nearest colours, no speckles: stones are flat."""
    from PIL.Image import Dither

    return Dither.NONE


def _frame(svg: str, width: int) -> Image:
    image = _brought("PIL.Image", "pillow")
    drawn = image.open(io.BytesIO(png(svg, width)))  # type: ignore[attr-defined]
    paper = image.new("RGB", drawn.size, "white")  # type: ignore[attr-defined]
    paper.paste(drawn, mask=drawn.getchannel("A"))
    return paper  # type: ignore[no-any-return]


def _brought(module: str, package: str) -> object:
    """A module of the extra; in words if it is not installed."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise CyvasseError(
            f"PNG and GIF need {package}, which is not installed: pip install 'cyvasse[pictures]'. "
            "SVG needs nothing."
        ) from None
