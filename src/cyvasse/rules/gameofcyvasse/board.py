"""The board of the Rules of Cyvasse: eight by eight squares."""

from cyvasse.boards import square_board

GAMEOFCYVASSE = square_board("gameofcyvasse", 8, 8)
