"""The board of Mikelepage's Cyvasse: a hexagon of 91 hexagons."""

from cyvasse.boards import hexagon_board

MIKELEPAGE = hexagon_board("mikelepage", 11, 11, 5, 15, ["hexagons"])
