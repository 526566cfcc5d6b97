"""The pieces of Croft's Cyvasse: how many there are and what each of them does."""

from cyvasse.rules.terms import PieceType

PIECES = (
    PieceType(
        "rabble",
        "Rabble",
        "R",
        3,
        "Moves 1 tile straight. After it a second, different Rabble may move at once.",
        plural="Rabble",
    ),
    PieceType(
        "spearman",
        "Spearman",
        "S",
        3,
        "Moves 1 tile straight, or swaps places with an own piece of another kind on one of the "
        "8 tiles around it.",
        plural="Spearmen",
    ),
    PieceType(
        "crossbowman",
        "Crossbowman",
        "X",
        3,
        "Moves 1 tile diagonally, or goes directly to any unoccupied forest tile of the board.",
        plural="Crossbowmen",
    ),
    PieceType(
        "light_horse",
        "Light Horse",
        "L",
        3,
        "Moves any distance straight. It may leave the board at an edge and go on from the "
        "opposite edge.",
    ),
    PieceType(
        "heavy_horse",
        "Heavy Horse",
        "H",
        2,
        "Moves any distance straight and may pass over own pieces.",
    ),
    PieceType(
        "elephant",
        "Elephant",
        "E",
        2,
        "Moves any distance straight. It can only be captured while another piece of the "
        "capturing side is beside it.",
    ),
    PieceType(
        "catapult",
        "Catapult",
        "C",
        1,
        "Moves any distance diagonally and may capture two pieces on one diagonal in one move.",
    ),
    PieceType(
        "trebuchet",
        "Trebuchet",
        "T",
        1,
        "Moves any distance diagonally and may pass over any pieces on the way to a capture.",
    ),
    PieceType(
        "dragon",
        "Dragon",
        "D",
        1,
        "Moves any distance straight or diagonally, over mountains, and water does not stop it.",
    ),
    PieceType(
        "king",
        "King",
        "K",
        1,
        "Moves 1 tile straight or diagonally. Lose him, on the board or in the keep, and the "
        "game is lost.",
    ),
)

TITLES = {kind.name: kind.title for kind in PIECES}
