"""The rules of Nine-Tile Cyvasse once more, slow and plain.

Written from docs/rules/nine-tile.md alone, in the order of that page, to be read beside it. D1 to
D12 are the decisions at its end. All texts are those of docs/formats.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

__all__ = ["actions", "after", "result", "setup_is_legal", "start"]


# The board

LETTERS = "abcdefghijkl"

# The squares of each row from west to east, the row farthest from White first.
ROWS: dict[int, list[str]] = {
    9: [f"{letter}9" for letter in "abcdefgh"],
    8: [f"{letter}8" for letter in "abcdefghi"],
    7: [f"{letter}7" for letter in "abcdefghij"],
    6: [f"{letter}6" for letter in "abcdefghijk"],
    5: [f"{letter}5" for letter in "abcdefghijkl"],
    4: [f"{letter}4" for letter in "bcdefghijkl"],
    3: [f"{letter}3" for letter in "cdefghijkl"],
    2: [f"{letter}2" for letter in "defghijkl"],
    1: [f"{letter}1" for letter in "efghijkl"],
}
SQUARES: list[str] = [square for row in ROWS.values() for square in row]

# Whose half is which; the middle row belongs to nobody.
HALF_ROWS: dict[str, list[int]] = {"white": [4, 3, 2, 1], "black": [9, 8, 7, 6]}

# How many letters on and how many rows up the next square is.
DIRECTIONS: dict[str, tuple[int, int]] = {
    "east": (1, 0),
    "west": (-1, 0),
    "north-east": (0, 1),
    "south-west": (0, -1),
    "north-west": (-1, 1),
    "south-east": (1, -1),
}

OPPOSITE: dict[str, str] = {
    "east": "west",
    "west": "east",
    "north-east": "south-west",
    "south-west": "north-east",
    "north-west": "south-east",
    "south-east": "north-west",
}

# Each army looks at the other.
FORWARD: dict[str, list[str]] = {
    "white": ["north-west", "north-east"],
    "black": ["south-east", "south-west"],
}


def find_next_square(square: str, direction: str) -> str | None:
    """Give the neighbour in a direction, None beyond the edge of the board."""
    letters_on, rows_up = DIRECTIONS[direction]
    column = LETTERS.index(square[0]) + letters_on
    row = int(square[1]) + rows_up
    if not 0 <= column < len(LETTERS) or row not in ROWS:
        return None
    name = f"{LETTERS[column]}{row}"
    return name if name in ROWS[row] else None


# The same for all squares and directions, worked out once.
NEXT: dict[tuple[str, str], str | None] = {
    (square, direction): find_next_square(square, direction)
    for square in SQUARES
    for direction in DIRECTIONS
}


def neighbours(square: str) -> list[str]:
    """Give the up to six squares that a square touches."""
    around = [NEXT[square, direction] for direction in DIRECTIONS]
    return [neighbour for neighbour in around if neighbour is not None]


def turned(square: str) -> str:
    """Give the square's place on the board turned by 180° (b4 becomes k6)."""
    return f"{LETTERS[11 - LETTERS.index(square[0])]}{10 - int(square[1])}"


def other(colour: str) -> str:
    """Give the opposing colour."""
    return "black" if colour == "white" else "white"


# The pieces: letters are upper case for White and lower case for Black.


@dataclass(frozen=True)
class Kind:
    """One line of the table of pieces."""

    count: int
    engagers_needed: int  # by armour: none 0, light 1, heavy 2
    allowance: int
    capture_allowance: int
    engages_from: int
    engages_to: int


KINDS: dict[str, Kind] = {
    "R": Kind(6, 1, 1, 1, 1, 1),  # Rabble
    "S": Kind(3, 1, 1, 1, 1, 1),  # Spears, which engage and capture forward only
    "L": Kind(3, 1, 3, 3, 1, 1),  # Light Horse
    "H": Kind(2, 2, 2, 2, 1, 1),  # Heavy Horse
    "E": Kind(2, 2, 1, 2, 1, 2),  # Elephant, which captures farther than it moves
    "X": Kind(2, 0, 2, 0, 1, 3),  # Crossbows, which never capture
    "T": Kind(1, 0, 1, 0, 2, 4),  # Trebuchet, which captures in its own way
    "D": Kind(1, 2, 4, 4, 1, 2),  # Dragon
    "W": Kind(2, 2, 0, 0, 1, 1),  # Tower
    "K": Kind(1, 1, 1, 1, 1, 1),  # King
}


def colour_of(piece: str) -> str:
    """Tell whose a piece is."""
    return "white" if piece.isupper() else "black"


def kind_of(piece: str) -> str:
    """Give the letter of a piece's type, in upper case for both players."""
    return piece.upper()


def piece_of(colour: str, kind: str) -> str:
    """Give the letter of a player's piece of a type."""
    return kind if colour == "white" else kind.lower()


# Positions and their texts (formats.md)


@dataclass(frozen=True)
class Position:
    """Everything that decides what is legal, and the count of quiet turns."""

    pieces: dict[str, str]
    mountains: frozenset[str]
    water: frozenset[str]
    to_act: str
    second_rabble: str | None  # where the Rabble stands that has just moved, while another may move
    quiet: int


def read_grid(text: str, rows: list[int], letters: str) -> dict[str, str]:
    """Read a grid over some rows: what stands on which square."""
    if text == "-":
        return {}
    row_texts = text.split("/")
    if len(row_texts) != len(rows):
        raise ValueError(f"not {len(rows)} rows: {text}")
    found: dict[str, str] = {}
    for row, row_text in zip(rows, row_texts, strict=True):
        column = 0
        for part in re.findall(r"[0-9]+|[^0-9]", row_text):
            if part.isdigit():
                if part.startswith("0"):
                    raise ValueError(f"no number of squares: {part}")
                column += int(part)
                continue
            if part not in letters:
                raise ValueError(f"unknown letter: {part}")
            if column >= len(ROWS[row]):
                raise ValueError(f"row {row} is too long: {row_text}")
            found[ROWS[row][column]] = part
            column += 1
        if column != len(ROWS[row]):
            raise ValueError(f"row {row} has not the right length: {row_text}")
    return found


def write_grid(things: dict[str, str]) -> str:
    """Write a grid over the whole board."""
    if not things:
        return "-"
    return "/".join(write_row(row, things) for row in ROWS.values())


def write_row(row: list[str], things: dict[str, str]) -> str:
    """Write one row of a grid."""
    text = ""
    nothing = 0
    for square in row:
        if square not in things:
            nothing += 1
            continue
        if nothing:
            text += str(nothing)
        text += things[square]
        nothing = 0
    if nothing:
        text += str(nothing)
    return text


def read_fields(text: str) -> dict[str, str]:
    """Read fields: name=value, several of them separated by semicolons."""
    fields: dict[str, str] = {}
    if text == "-":
        return fields
    for field in text.split(";"):
        name, equals, value = field.partition("=")
        if not equals or name in fields:
            raise ValueError(f"not a field, or there twice: {field}")
        fields[name] = value
    return fields


@lru_cache(maxsize=100)
def read_position(text: str) -> Position:
    """Read a position's text; the last hundred are kept, since nothing ever changes one."""
    _, pieces, terrain, to_act, fields, quiet = text.split(" ")
    ground = read_grid(terrain, list(ROWS), "mw")
    return Position(
        pieces=read_grid(pieces, list(ROWS), "".join(KINDS) + "".join(KINDS).lower()),
        mountains=frozenset(square for square, letter in ground.items() if letter == "m"),
        water=frozenset(square for square, letter in ground.items() if letter == "w"),
        to_act={"w": "white", "b": "black"}[to_act],
        second_rabble=read_fields(fields).get("second_rabble"),
        quiet=int(quiet),
    )


def write_position(position: Position) -> str:
    """Write a position's text."""
    ground = dict.fromkeys(position.mountains, "m") | dict.fromkeys(position.water, "w")
    pieces = write_grid(position.pieces)
    second = position.second_rabble
    fields = "-" if second is None else f"second_rabble={second}"
    to_act = position.to_act[0]
    return f"nine-tile {pieces} {write_grid(ground)} {to_act} {fields} {position.quiet}"


# Setting up

# The tip of the triangle, with the circle; the rest of it is open too.
CIRCLES: dict[str, str] = {"left": "f2", "middle": "h2", "right": "j2"}

# The slots that the triangle leaves.
SLOTS_LEFT: dict[str, list[str]] = {
    "left": ["L0", "L3", "R0", "R1", "R2", "R3", "R4", "R5"],
    "middle": ["L0", "L1", "L3", "L4", "R1", "R2", "R4", "R5"],
    "right": ["L0", "L1", "L2", "L3", "L4", "L5", "R2", "R5"],
}

# A slot is two squares above two others.
SLOT_SQUARES: dict[str, list[str]] = {
    "L0": ["b4", "c4", "c3", "d3"],
    "L1": ["d4", "e4", "e3", "f3"],
    "L2": ["f4", "g4", "g3", "h3"],
    "L3": ["d2", "e2", "e1", "f1"],
    "L4": ["f2", "g2", "g1", "h1"],
    "L5": ["h2", "i2", "i1", "j1"],
    "R0": ["g4", "h4", "g3", "h3"],
    "R1": ["i4", "j4", "i3", "j3"],
    "R2": ["k4", "l4", "k3", "l3"],
    "R3": ["g2", "h2", "g1", "h1"],
    "R4": ["i2", "j2", "i1", "j1"],
    "R5": ["k2", "l2", "k1", "l1"],
}

# Upper pair, then lower pair, not turned.
LEFT_FACES: dict[str, str] = {
    "1": "M..M",
    "2": "WW..",
    "3": "M...",
    "4": ".W..",
    "5": "M...",
    "6": ".W..",
    "7": "....",
    "8": "....",
}
RIGHT_FACES: dict[str, str] = {
    "1": ".M..",
    "2": "W...",
    "3": "W...",
    "4": ".M..",
    "5": "....",
    "6": "....",
    "7": "....",
    "8": "....",
}


@dataclass(frozen=True)
class Setup:
    """One player's half, finished or not."""

    colour: str
    pieces: dict[str, str]
    triangle: str | None
    tiles: dict[str, str]  # the tile in each slot, followed by t if it is turned


def read_setup(text: str) -> Setup:
    """Read a setup's text."""
    rules, colour, pieces, terrain, fields_text = text.split(" ")
    if rules != "nine-tile" or colour not in HALF_ROWS:
        raise ValueError(f"not a setup of Nine-Tile Cyvasse: {text}")
    if terrain != "-":
        raise ValueError("the tiles give the ground")
    fields = read_fields(fields_text)
    if not set(fields) <= {"triangle", "tiles"}:
        raise ValueError(f"unknown field: {fields_text}")
    letters = "".join(piece_of(colour, kind) for kind in KINDS)
    return Setup(
        colour=colour,
        pieces=read_grid(pieces, HALF_ROWS[colour], letters),
        triangle=fields.get("triangle"),
        tiles=read_tiles(fields.get("tiles", "-")),
    )


def read_tiles(text: str) -> dict[str, str]:
    """Read which tile lies in which slot."""
    tiles: dict[str, str] = {}
    if text == "-":
        return tiles
    for part in text.split(","):
        slot, colon, tile = part.partition(":")
        if not colon or slot in tiles:
            raise ValueError(f"not a tile in a slot, or a slot filled twice: {part}")
        tiles[slot] = tile
    return tiles


def setup_is_legal(setup: str) -> bool:
    """Tell whether a setup is complete and keeps to the four steps of setting up."""
    try:
        half = read_setup(setup)
    except ValueError:
        return False
    return ground_is_laid(half) and army_is_placed(half)


def ground_is_laid(setup: Setup) -> bool:
    """Steps 1 and 2: the triangle, and each of the eight other tiles in a slot of its own."""
    if setup.triangle not in SLOTS_LEFT:
        return False
    if set(setup.tiles) != set(SLOTS_LEFT[setup.triangle]):
        return False
    numbers = [tile.removesuffix("t") for tile in setup.tiles.values()]
    return sorted(numbers) == sorted(LEFT_FACES)


def army_is_placed(setup: Setup) -> bool:
    """Steps 3 and 4: the King on the circle, all pieces in the half but not on mountains."""
    assert setup.triangle is not None
    circle = own_square(CIRCLES[setup.triangle], setup.colour)
    if setup.pieces.get(circle) != piece_of(setup.colour, "K"):
        return False
    ground = ground_of(setup)
    if any(ground.get(square) == "m" for square in setup.pieces):
        return False
    standing = [kind_of(piece) for piece in setup.pieces.values()]
    return all(standing.count(letter) == kind.count for letter, kind in KINDS.items())


def own_square(square: str, colour: str) -> str:
    """What is said for White holds for Black with the board turned by 180°."""
    return square if colour == "white" else turned(square)


def ground_of(setup: Setup) -> dict[str, str]:
    """Give the mountains (m) and the water (w) that the tiles make."""
    ground: dict[str, str] = {}
    for slot, tile in setup.tiles.items():
        faces = LEFT_FACES if slot.startswith("L") else RIGHT_FACES
        face = faces[tile.removesuffix("t")]
        if tile.endswith("t"):
            face = face[::-1]  # turned, the four grounds are read backwards
        for square, letter in zip(SLOT_SQUARES[slot], face, strict=True):
            if letter != ".":
                ground[own_square(square, setup.colour)] = letter.lower()
    return ground


def start(white: str, black: str, first: str) -> str:
    """Give the position when the screen is lifted; who begins is decided elsewhere (D12)."""
    white_half, black_half = read_setup(white), read_setup(black)
    ground = ground_of(white_half) | ground_of(black_half)
    position = Position(
        pieces=white_half.pieces | black_half.pieces,
        mountains=frozenset(square for square, letter in ground.items() if letter == "m"),
        water=frozenset(square for square, letter in ground.items() if letter == "w"),
        to_act=first,
        second_rabble=None,
        quiet=0,
    )
    return write_position(position)


# A turn


def actions(position: str) -> set[str]:
    """Give all legal actions; a piece acts by a normal move or a capture, and nobody may pass."""
    return legal_actions(read_position(position))


def legal_actions(position: Position) -> set[str]:
    """Give all legal actions, none once a King has been captured (D11)."""
    if king_is_gone(position, "white") or king_is_gone(position, "black"):
        return set()
    if position.second_rabble is not None:
        return second_rabble_moves(position) | {"end"}
    found: set[str] = set()
    for square in own_squares(position, position.to_act):
        found |= normal_moves(position, square)
        found |= captures(position, square)
    return found


def own_squares(position: Position, colour: str) -> list[str]:
    """Give the squares of a player's pieces."""
    return [square for square, piece in position.pieces.items() if colour_of(piece) == colour]


def holds(position: Position, square: str, colour: str) -> bool:
    """Tell whether a piece of this colour stands on the square."""
    return square in position.pieces and colour_of(position.pieces[square]) == colour


def may_end_on(position: Position, square: str) -> bool:
    """A move ends on an empty square that is no mountain."""
    return square not in position.pieces and square not in position.mountains


# Normal moves


def normal_moves(position: Position, origin: str) -> set[str]:
    """Give the texts of all normal moves of the piece on a square."""
    targets = squares_walked_to(position, origin)
    if kind_of(position.pieces[origin]) == "K":
        targets |= {target for target in vaults(position, origin) if may_end_on(position, target)}
    return {f"{origin}-{target}" for target in targets}


def squares_walked_to(position: Position, origin: str) -> set[str]:
    """Go from square to neighbouring square within the allowance, turning at will (D1)."""
    piece = position.pieces[origin]
    zone = zone_against(position, colour_of(piece))
    entered: set[str] = set()
    goes_on_from = {origin}
    for _ in range(KINDS[kind_of(piece)].allowance):
        reached = {near for square in goes_on_from for near in neighbours(square)}
        new = reached - entered - {origin}
        entered |= new
        goes_on_from = {square for square in new if may_pass(position, piece, square, zone)}
    return {square for square in entered if may_end_on(position, square)}


def may_pass(position: Position, piece: str, square: str, zone: set[str]) -> bool:
    """Tell whether a piece that has entered a square may go on from there (D1, D2)."""
    if square in zone:
        return False
    if kind_of(piece) == "D":
        return True
    if square in position.mountains:
        return False
    return not holds(position, square, other(colour_of(piece)))


# Captures


def captures(position: Position, origin: str) -> set[str]:
    """Give the texts of all captures by the piece on a square."""
    kind = kind_of(position.pieces[origin])
    if kind == "T":
        return trebuchet_captures(position, origin)
    found = straight_captures(position, origin)
    if kind == "K":
        found |= vault_captures(position, origin)
    return found


def straight_captures(position: Position, origin: str) -> set[str]:
    """Move in one straight line onto a sufficiently engaged opponent."""
    piece = position.pieces[origin]
    allowance = KINDS[kind_of(piece)].capture_allowance
    zone = zone_against(position, colour_of(piece))
    found: set[str] = set()
    for direction in working_directions(piece):
        square = NEXT[origin, direction]
        distance = 1
        while square is not None and distance <= allowance:
            if can_be_captured(position, square, colour_of(piece)):
                found.add(f"{origin}x{square}")
                rest = allowance - distance
                for landing in landings_beyond(position, origin, square, direction, rest):
                    found.add(f"{origin}x{square}-{landing}")
            if not may_pass_to_capture(position, piece, square, zone):
                break
            square = NEXT[square, direction]
            distance += 1
    return found


def may_pass_to_capture(position: Position, piece: str, square: str, zone: set[str]) -> bool:
    """The way to a victim follows the rules of normal moves, but Elephants pass no piece (D4)."""
    if kind_of(piece) == "E" and square in position.pieces:
        return False
    return may_pass(position, piece, square, zone)


def can_be_captured(position: Position, square: str, by: str) -> bool:
    """Tell whether an opponent stands on the square who is sufficiently engaged."""
    return holds(position, square, other(by)) and is_sufficiently_engaged(position, square)


# Engagement and armour


def is_sufficiently_engaged(position: Position, victim: str) -> bool:
    """No armour needs no engager, light armour one, heavy armour two (D8)."""
    piece = position.pieces[victim]
    enemies = own_squares(position, other(colour_of(piece)))
    engagers = [enemy for enemy in enemies if engages(position, enemy, victim)]
    return len(engagers) >= KINDS[kind_of(piece)].engagers_needed


def engages(position: Position, engager: str, victim: str) -> bool:
    """Tell whether the piece on one square engages the opponent on another."""
    if engager in position.water:
        return False
    towers = opposing_towers_beside(position, engager)
    if towers and victim not in towers:
        return False
    return has_line_to(position, engager, victim)


def opposing_towers_beside(position: Position, square: str) -> list[str]:
    """Give the Towers beside a piece that are all it may engage, in water or not (D6)."""
    tower = piece_of(other(colour_of(position.pieces[square])), "W")
    return [near for near in neighbours(square) if position.pieces.get(near) == tower]


def has_line_to(position: Position, engager: str, victim: str) -> bool:
    """Look for a straight line within the range, free of mountains and the victim's side (D8)."""
    piece = position.pieces[engager]
    kind = KINDS[kind_of(piece)]
    for direction in working_directions(piece):
        square = NEXT[engager, direction]
        distance = 1
        while square is not None and distance <= kind.engages_to:
            if square == victim:
                return distance >= kind.engages_from
            if square in position.mountains or holds(position, square, other(colour_of(piece))):
                break
            square = NEXT[square, direction]
            distance += 1
    return False


def working_directions(piece: str) -> list[str]:
    """Spears engage and capture only forward, all others in all six directions (D8)."""
    if kind_of(piece) == "S":
        return FORWARD[colour_of(piece)]
    return list(DIRECTIONS)


# The pieces: what is special about them


def second_rabble_moves(position: Position) -> set[str]:
    """Rabble: after a normal move of one, another may make a normal move (D9)."""
    rabble = piece_of(position.to_act, "R")
    found: set[str] = set()
    for square, piece in position.pieces.items():
        if piece == rabble and square != position.second_rabble:
            found |= normal_moves(position, square)
    return found


def landings_beyond(
    position: Position, origin: str, victim: str, direction: str, rest: int
) -> list[str]:
    """Light Horse and Heavy Horse: ride on in the same line with the steps that are left (D3)."""
    piece = position.pieces[origin]
    zone = zone_against(position, colour_of(piece))
    found: list[str] = []
    if kind_of(piece) not in "LH" or victim in zone:
        return found
    square = NEXT[victim, direction]
    while square is not None and rest > 0:
        if may_end_on(position, square):
            found.append(square)
        if not may_pass(position, piece, square, zone):
            break
        square = NEXT[square, direction]
        rest -= 1
    return found


def trebuchet_captures(position: Position, origin: str) -> set[str]:
    """Trebuchet: take what it engages itself by a step directly away, zone or not (D5)."""
    colour = colour_of(position.pieces[origin])
    found: set[str] = set()
    for direction in DIRECTIONS:
        away = NEXT[origin, OPPOSITE[direction]]
        if away is None or not may_end_on(position, away):
            continue
        square = NEXT[origin, direction]
        while square is not None:
            if can_be_captured(position, square, colour) and engages(position, origin, square):
                found.add(f"{origin}x{square}-{away}")
            square = NEXT[square, direction]
    return found


def vaults(position: Position, origin: str) -> set[str]:
    """King: give the squares right behind own Towers beside him that he may vault over (D7)."""
    colour = colour_of(position.pieces[origin])
    zone = zone_against(position, colour)
    found: set[str] = set()
    for direction in DIRECTIONS:
        beside = NEXT[origin, direction]
        if beside is None or position.pieces.get(beside) != piece_of(colour, "W"):
            continue
        behind = NEXT[beside, direction]
        if behind is not None and beside not in zone:
            found.add(behind)
    return found


def vault_captures(position: Position, origin: str) -> set[str]:
    """King: vault onto a sufficiently engaged opponent (D7)."""
    colour = colour_of(position.pieces[origin])
    return {
        f"{origin}x{target}"
        for target in vaults(position, origin)
        if can_be_captured(position, target, colour)
    }


# The Spears' zone


def zone_against(position: Position, colour: str) -> set[str]:
    """Give the squares in front of all Spears that oppose a colour, wherever these stand (D2)."""
    spears = piece_of(other(colour), "S")
    found: set[str] = set()
    for square, piece in position.pieces.items():
        if piece == spears:
            for direction in FORWARD[other(colour)]:
                in_front = NEXT[square, direction]
                if in_front is not None:
                    found.add(in_front)
    return found


# What an action does


def after(position: str, action: str) -> str:
    """Give the position after a legal action."""
    return write_position(position_after(read_position(position), action))


def position_after(position: Position, action: str) -> Position:
    """Carry a legal action out."""
    if action == "end":
        return turn_ended(position)
    if "x" in action:
        return position_after_capture(position, action)
    origin, target = action.split("-")
    moved = replace(position, pieces=moved_pieces(position, origin, target))
    if position.second_rabble is None and kind_of(position.pieces[origin]) == "R":
        with_second = replace(moved, second_rabble=target)
        if second_rabble_moves(with_second):
            return with_second  # if no other Rabble can move, the turn ends by itself (D9)
    return turn_ended(moved)


def position_after_capture(position: Position, action: str) -> Position:
    """A capture ends the turn, by a Rabble too (D9); the count of quiet turns starts anew (P3)."""
    origin, where = action.split("x")
    victim, _, landing = where.partition("-")
    pieces = moved_pieces(position, origin, landing or victim)
    if landing:
        del pieces[victim]
    return replace(turn_ended(position), pieces=pieces, quiet=0)


def moved_pieces(position: Position, origin: str, target: str) -> dict[str, str]:
    """Give the pieces after one of them has gone from one square to another."""
    pieces = dict(position.pieces)
    pieces[target] = pieces.pop(origin)
    return pieces


def turn_ended(position: Position) -> Position:
    """Give the turn to the other player, one quiet turn more having passed (P3)."""
    return replace(
        position,
        to_act=other(position.to_act),
        second_rabble=None,
        quiet=position.quiet + 1,
    )


# End of the game


def king_is_gone(position: Position, colour: str) -> bool:
    """Tell whether a player's King has been captured."""
    return piece_of(colour, "K") not in position.pieces.values()


def result(position: str) -> str | None:
    """A player whose King is captured, or who is to move and cannot, has lost (D11)."""
    state = read_position(position)
    if king_is_gone(state, "white"):
        return "0-1"
    if king_is_gone(state, "black"):
        return "1-0"
    if legal_actions(state):
        return None
    return "0-1" if state.to_act == "white" else "1-0"
