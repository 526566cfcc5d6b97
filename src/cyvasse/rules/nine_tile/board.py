"""The board of Nine-Tile Cyvasse: rows of nine to twelve squares, drawn as bricks or hexagons."""

from cyvasse.boards import hexagon_board

NINE_TILE = hexagon_board("nine-tile", 12, 9, 4, 15, ["bricks", "hexagons"])
