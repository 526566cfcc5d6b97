"""Pictures of positions and setups as SVG text: our own drawings, no dependency.

Everything drawn follows from ``cyvasse.rules.scene``, which tells in words what there is to see.

>>> import cyvasse
>>> from cyvasse.draw import board_svg
>>> svg = board_svg(cyvasse.rule_set("mikelepage").random_position(seed=1))
>>> svg.startswith("<svg") and "Mikelepage's Cyvasse, White to act" in svg
True
"""

from cyvasse.draw.picture import bare_svg, board_svg, setup_svg

__all__ = ["bare_svg", "board_svg", "setup_svg"]
