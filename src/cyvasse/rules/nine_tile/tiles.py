"""The nine tiles of each player: where they may lie and what ground they give.

Everything is told for White's half; Black's is White's turned by 180°, slot names included.
"""

from __future__ import annotations

from collections.abc import Mapping

from cyvasse.rules.terms import Problem, by_name, in_words

# The triangle, tile 9, is all open; its tip bears the circle on which the King is set up.
TRIANGLES: Mapping[str, tuple[str, ...]] = {
    "left": ("d4", "e4", "f4", "e3", "f3", "f2"),
    "middle": ("f4", "g4", "h4", "g3", "h3", "h2"),
    "right": ("h4", "i4", "j4", "i3", "j3", "j2"),
}
SLOTS_BESIDE: Mapping[str, tuple[str, ...]] = {
    "left": ("L0", "L3", "R0", "R1", "R2", "R3", "R4", "R5"),
    "middle": ("L0", "L1", "L3", "L4", "R1", "R2", "R4", "R5"),
    "right": ("L0", "L1", "L2", "L3", "L4", "L5", "R2", "R5"),
}
# Squares in the order upper left, upper right, lower left, lower right.
SLOTS: Mapping[str, tuple[str, str, str, str]] = {
    "L0": ("b4", "c4", "c3", "d3"),
    "L1": ("d4", "e4", "e3", "f3"),
    "L2": ("f4", "g4", "g3", "h3"),
    "L3": ("d2", "e2", "e1", "f1"),
    "L4": ("f2", "g2", "g1", "h1"),
    "L5": ("h2", "i2", "i1", "j1"),
    "R0": ("g4", "h4", "g3", "h3"),
    "R1": ("i4", "j4", "i3", "j3"),
    "R2": ("k4", "l4", "k3", "l3"),
    "R3": ("g2", "h2", "g1", "h1"),
    "R4": ("i2", "j2", "i1", "j1"),
    "R5": ("k2", "l2", "k1", "l1"),
}
# Left face (up in L slots) and right face (up in R slots): M mountain, W water, . open.
FACES: Mapping[str, Mapping[str, str]] = {
    "1": {"L": "M..M", "R": ".M.."},
    "2": {"L": "WW..", "R": "W..."},
    "3": {"L": "M...", "R": "W..."},
    "4": {"L": ".W..", "R": ".M.."},
    "5": {"L": "M...", "R": "...."},
    "6": {"L": ".W..", "R": "...."},
    "7": {"L": "....", "R": "...."},
    "8": {"L": "....", "R": "...."},
}
GROUNDS: Mapping[str, str] = {"M": "mountain", "W": "water"}
FIELD = "tiles"
"""The field of a setup that says what lies where."""
TURNED = "t"
"""Follows the number of a tile that is turned by 180° in its slot."""
TILES = tuple(FACES) + tuple(tile + TURNED for tile in FACES)


def circle(triangle: str) -> str:
    """The square that bears the circle."""
    return TRIANGLES[triangle][-1]


def ground_of(slot: str, tile: str) -> str:
    """The four grounds that a tile gives the squares of a slot."""
    face = FACES[tile.removesuffix(TURNED)][slot[0]]
    return face[::-1] if tile.endswith(TURNED) else face


def other_way_round(tile: str) -> str:
    """The same tile turned by 180°.

    >>> other_way_round("4"), other_way_round("4t")
    ('4t', '4')
    """
    return tile.removesuffix(TURNED) if tile.endswith(TURNED) else tile + TURNED


# Water and mountains that each tile gives to the squares of each slot.
_LAID = {
    (slot, tile): {
        square: GROUNDS[letter]
        for square, letter in zip(squares, ground_of(slot, tile), strict=True)
        if letter in GROUNDS
    }
    for slot, squares in SLOTS.items()
    for tile in TILES
}


def half_board(tiles: Mapping[str, str | None], triangle: str | None) -> dict[str, str]:
    """Water and mountains that the tiles give to White's half.

    Tiles in slots that do not exist beside the triangle give nothing.

    >>> half_board({"L0": "6", "R1": "1t"}, "middle")
    {'c4': 'water', 'i3': 'mountain'}
    """
    terrain: dict[str, str] = {}
    for slot, tile in tiles.items():
        if tile is not None and (triangle is None or slot in SLOTS_BESIDE[triangle]):
            terrain |= _LAID[slot, tile]
    return by_name(terrain)


def arrangement_problems(triangle: str | None, tiles: Mapping[str, str | None]) -> list[Problem]:
    """What is wrong with the way the tiles are laid."""
    problems = []
    laid = {slot: tile for slot, tile in tiles.items() if tile is not None}
    numbers = [tile.removesuffix(TURNED) for tile in laid.values()]
    if triangle is None:
        problems.append("The triangular tile is not placed; it goes left, in the middle or right.")
    else:
        problems += [
            f"Slot {slot} does not exist with the triangle at the {triangle}; "
            f"the slots there are {in_words(SLOTS_BESIDE[triangle])}."
            for slot in laid
            if slot not in SLOTS_BESIDE[triangle]
        ]
    for tile in FACES:
        if numbers.count(tile) > 1:
            slots = [slot for slot in laid if laid[slot].removesuffix(TURNED) == tile]
            problems.append(f"Tile {tile} lies in {in_words(slots)}; there is only one.")
    missing = [tile for tile in FACES if tile not in numbers]
    if missing:
        what = f"Tile {missing[0]} is" if len(missing) == 1 else f"Tiles {in_words(missing)} are"
        problems.append(f"{what} still in the tray.")
    return [*_empty_slots(triangle, laid), *(Problem(text, (), FIELD) for text in problems)]


def _empty_slots(triangle: str | None, laid: Mapping[str, str]) -> list[Problem]:
    """Where a tile is missing; with their names only as long as somebody would count them."""
    empty = [slot for slot in SLOTS_BESIDE.get(triangle or "", ()) if slot not in laid]
    if len(empty) > 2:
        squares = tuple(at for slot in empty for at in SLOTS[slot])
        return [Problem(f"{len(empty)} slots have no tile.", squares, FIELD)]
    return [Problem(f"Slot {slot} has no tile.", SLOTS[slot], FIELD) for slot in empty]
