"""What never changes: the board with its river, and the pieces."""

from cyvasse.rules import BLACK, WHITE, PieceType, square_board

BOARD = square_board("ford", 5, 7)
WATER = frozenset({"b4", "d4"})  # the river is row 4; its other squares are fords

# The letter also chooses the drawing; docs/formats.md lists them.
PIECES = (
    PieceType("king", "King", "K", 1, "Moves 1 square. Lose him and the game is lost."),
    PieceType(
        "rabble", "Rabble", "R", 3, "Moves 1 square ahead, straight or aslant.", plural="Rabble"
    ),
    PieceType(
        "crossbowman",
        "Crossbowman",
        "X",
        1,
        "Moves 1 square, or shoots exactly 2 squares away.",
        plural="Crossbowmen",
    ),
    PieceType("light_horse", "Light Horse", "L", 1, "Moves up to 3 squares in a straight line."),
)
STEPS = {"king": 1, "rabble": 1, "crossbowman": 1, "light_horse": 3}
AHEAD = {WHITE: ("NW", "N", "NE"), BLACK: ("SE", "S", "SW")}
FAR_ROW = {WHITE: 7, BLACK: 1}  # whoever arrives there wins
