"""A position as a drawing of characters, White at the bottom."""

from __future__ import annotations

from cyvasse.notation.positions import piece_letter
from cyvasse.rules.base import Position

MARKS = {
    "mountain": "^",
    "crag": "^",
    "water": "~",
    "forest": "*",
    "hill": "n",
    "grassland": '"',
    "fortress": "#",
    "ruin": "%",
    "keep": "#",
}
_CELL = 4


def diagram(position: Position) -> str:
    """The board row by row: upper-case letters are White's pieces, lower-case ones Black's.

    A mark after a letter tells the ground it stands on; ``.`` is an empty square.
    """
    board, rules = position.board, position.rules
    seen = position.scene()
    left = min(board.centre(row[0], board.styles[0])[0] for row in board.rows())
    lines = []
    for row in board.rows():
        indent = round((board.centre(row[0], board.styles[0])[0] - left) * _CELL)
        cells = []
        for square in row:
            what = seen.on(square)
            if what == seen.grounds[square]:
                what = seen.look(square)
            mark = MARKS.get(what, "")
            piece = seen.pieces.get(square)
            if piece:
                cells.append(piece_letter(rules, piece.color, piece.type) + mark)
            else:
                cells.append(mark or ".")
        name = f"{row[0]:>3}-{row[-1]:<3}"
        drawn = "".join(cell.ljust(_CELL) for cell in cells).rstrip()
        lines.append(f"{name}  {' ' * indent}{drawn}")
    outcome = position.outcome()
    if outcome:
        lines.append(f"{outcome}.")
    else:
        again = " (same turn)" if position.in_turn else ""
        lines.append(f"{position.turn.title} to act{again}.")
    return "\n".join(lines)
