"""The rules of Croft's Cyvasse once more, slow and plain, written from docs/rules/croft.md alone.

It shares no code with any other implementation: if both agree on a position, that tells
something. The functions follow the order of the rules page; "D3" names a decision on that page,
"P4" a rule of the platform. The last section reads and writes the texts of docs/formats.md.

Five functions are meant for use: setup_is_legal, start, actions, after and result.
"""

import re
from dataclasses import dataclass, replace

Tile = tuple[int, int]  # column 1 to 10 (a to j), row 1 to 10

# --- What you need ---------------------------------------------------------------------------

SIZE = 10
COLUMNS = "abcdefghij"
BOARD = [(column, row) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)]

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
AROUND = STRAIGHT + DIAGONAL

ARMY = {"r": 3, "s": 3, "x": 3, "l": 3, "h": 2, "e": 2, "c": 1, "t": 1, "d": 1, "k": 1}
NAMES = {
    "r": "rabble",
    "s": "spearman",
    "x": "crossbowman",
    "l": "light_horse",
    "h": "heavy_horse",
    "e": "elephant",
    "c": "catapult",
    "t": "trebuchet",
    "d": "dragon",
    "k": "king",
}
COLORS = ["white", "black"]


@dataclass
class Setup:
    """What one player has put behind the screen."""

    owner: str
    pieces: dict[Tile, str]  # letters, upper case for White
    mountains: list[Tile]
    keep: Tile | None


@dataclass
class Position:
    """Everything that decides what is legal, and the count of quiet turns."""

    pieces: dict[Tile, str]  # letters, upper case for White
    to_act: str
    mountains: set[Tile]
    keeps: dict[str, Tile]  # by owner, while the keep stands
    homes: dict[str, set[Tile]]  # by owner
    reserves: dict[str, dict[str, int]]  # by owner: how many of each lower-case letter
    second_rabble: Tile | None  # the Rabble that has just moved, while another may follow
    passed: bool
    drawn: bool
    quiet: int


def opponent(color: str) -> str:
    """The other player."""
    return "black" if color == "white" else "white"


def color_of(letter: str) -> str:
    """Upper case is White's, lower case is Black's."""
    return "white" if letter.isupper() else "black"


def letter_for(kind: str, color: str) -> str:
    """A piece's letter on the board."""
    return kind.upper() if color == "white" else kind


def rows_of(color: str) -> range:
    """The rows of a player's half."""
    return range(1, 6) if color == "white" else range(6, 11)


def on_board(tile: Tile) -> bool:
    """Whether such a tile exists."""
    return 1 <= tile[0] <= SIZE and 1 <= tile[1] <= SIZE


def is_water(tile: Tile) -> bool:
    """D1: the eight water tiles."""
    return name(tile) in ("b2", "i2", "d4", "g4", "d7", "g7", "b9", "i9")


def is_forest(tile: Tile) -> bool:
    """D1: of the other tiles, the chequer colour that a1 does not have."""
    return (tile[0] + tile[1]) % 2 == 1 and not is_water(tile)


def around(tile: Tile) -> list[Tile]:
    """The up to 8 tiles beside a tile."""
    neighbours = [(tile[0] + step[0], tile[1] + step[1]) for step in AROUND]
    return [neighbour for neighbour in neighbours if on_board(neighbour)]


# --- Setup -----------------------------------------------------------------------------------


def setup_is_legal(setup: str) -> bool:
    """Whether a setup's text can be read and describes a finished, legal setup."""
    try:
        built = read_setup(setup)
    except ValueError:
        return False
    return (
        mountains_are_legal(built)
        and keep_is_legal(built)
        and home_tiles_are_filled(built)
        and army_is_enough(built)
    )


def mountains_are_legal(setup: Setup) -> bool:
    """Setup 1: three mountains on three tiles of the own half, on any ground."""
    in_half = all(tile[1] in rows_of(setup.owner) for tile in setup.mountains)
    return in_half and len(setup.mountains) == 3 and len(set(setup.mountains)) == 3


def keep_is_legal(setup: Setup) -> bool:
    """Setup 2 and D2: on another tile, not beside the screen, with two home tiles or more."""
    if setup.keep is None or setup.keep in setup.mountains:
        return False
    rows = range(1, 5) if setup.owner == "white" else range(7, 11)
    return setup.keep[1] in rows and len(home_tiles(setup.keep, setup.mountains)) >= 2


def home_tiles(keep: Tile, mountains: list[Tile]) -> set[Tile]:
    """Setup 3: the tiles around the keep that hold no mountain."""
    return {tile for tile in around(keep) if tile not in mountains}


def home_tiles_are_filled(setup: Setup) -> bool:
    """Setup 3: one own piece on each home tile, and none elsewhere."""
    if setup.keep is None or set(setup.pieces) != home_tiles(setup.keep, setup.mountains):
        return False
    return all(color_of(letter) == setup.owner for letter in setup.pieces.values())


def army_is_enough(setup: Setup) -> bool:
    """No more pieces of a type than the table gives to each player."""
    return all(count >= 0 for count in reserve_of(setup).values())


def reserve_of(setup: Setup) -> dict[str, int]:
    """What is left over is the reserve and waits in the keep."""
    placed = [letter.lower() for letter in setup.pieces.values()]
    return {kind: number - placed.count(kind) for kind, number in ARMY.items()}


def start(white: str, black: str, first: str) -> str:
    """The first position of two legal setups; first is the player who begins."""
    position = Position({}, first, set(), {}, {}, {}, None, False, False, 0)
    for setup in (read_setup(white), read_setup(black)):
        assert setup.keep is not None
        position.pieces.update(setup.pieces)
        position.mountains.update(setup.mountains)
        position.keeps[setup.owner] = setup.keep
        position.homes[setup.owner] = home_tiles(setup.keep, setup.mountains)
        position.reserves[setup.owner] = reserve_of(setup)
    return write_position(position)


# --- A turn ----------------------------------------------------------------------------------


def actions(position: str) -> set[str]:
    """The texts of all legal actions; none if the game is over."""
    return legal_actions(read_position(position))


def legal_actions(position: Position) -> set[str]:
    """Move a piece or bring one out; or a second Rabble, or end; or a forced pass (P4)."""
    if outcome(position) is not None:
        return set()
    if position.second_rabble is not None:
        return second_rabble_moves(position) | {"end"}
    found = bring_out(position)
    for tile in own_tiles(position):
        found |= piece_actions(position, tile)
    return found or {"pass"}


def own_tiles(position: Position) -> list[Tile]:
    """The tiles on which the player to act has pieces."""
    return [tile for tile, letter in position.pieces.items() if color_of(letter) == position.to_act]


def bring_out(position: Position) -> set[str]:
    """From the reserve to an empty home tile, while the keep stands."""
    player = position.to_act
    if player not in position.keeps:
        return set()
    empty = [tile for tile in position.homes[player] if tile not in position.pieces]
    waiting = [kind for kind, number in position.reserves[player].items() if number > 0]
    return {f"{kind}@{name(tile)}" for kind in waiting for tile in empty}


def is_obstacle(position: Position, tile: Tile) -> bool:
    """Mountains and standing keeps: nobody goes through them or ends there."""
    return tile in position.mountains or tile in position.keeps.values()


def line(tile: Tile, step: tuple[int, int]) -> list[Tile]:
    """The tiles from here in one direction, up to the edge."""
    tiles = []
    following = (tile[0] + step[0], tile[1] + step[1])
    while on_board(following):
        tiles.append(following)
        following = (following[0] + step[0], following[1] + step[1])
    return tiles


def walk(position: Position, origin: Tile, tiles: list[Tile], over_own: bool = False) -> set[str]:
    """Where a piece can go along these tiles, by the rules for all pieces and for water."""
    found = set()
    for tile in tiles:
        if is_obstacle(position, tile):
            break
        if tile in position.pieces:
            if is_victim(position, origin, tile):
                found.add(f"{name(origin)}x{name(tile)}")
            if over_own and is_own(position, tile) and not is_water(tile):
                continue
            break
        found.add(f"{name(origin)}-{name(tile)}")
        if is_water(tile):
            break
    return found


def is_own(position: Position, tile: Tile) -> bool:
    """Whether a piece of the player to act stands there."""
    return tile in position.pieces and color_of(position.pieces[tile]) == position.to_act


def is_victim(position: Position, captor: Tile, tile: Tile) -> bool:
    """Whether an enemy piece stands there that this captor may capture if it gets there."""
    if tile not in position.pieces or is_own(position, tile):
        return False
    if position.pieces[tile].lower() == "e":
        return another_is_beside(position, captor, tile)
    return True


# --- The pieces ------------------------------------------------------------------------------


def piece_actions(position: Position, tile: Tile) -> set[str]:
    """All that the piece on this tile can do."""
    kind = position.pieces[tile].lower()
    if kind == "r":
        return rabble(position, tile)
    if kind == "s":
        return spearman(position, tile)
    if kind == "x":
        return crossbowman(position, tile)
    if kind == "l":
        return light_horse(position, tile)
    if kind == "h":
        return heavy_horse(position, tile)
    if kind == "e":
        return elephant(position, tile)
    if kind == "c":
        return catapult(position, tile)
    if kind == "t":
        return trebuchet(position, tile)
    if kind == "d":
        return dragon(position, tile)
    return king(position, tile)


def steps(position: Position, tile: Tile, directions: list[tuple[int, int]]) -> set[str]:
    """One tile in any of these directions."""
    found = set()
    for step in directions:
        found |= walk(position, tile, line(tile, step)[:1])
    return found


def slides(position: Position, tile: Tile, directions: list[tuple[int, int]]) -> set[str]:
    """Any distance in any of these directions."""
    found = set()
    for step in directions:
        found |= walk(position, tile, line(tile, step))
    return found


def rabble(position: Position, tile: Tile) -> set[str]:
    """1 tile straight."""
    return steps(position, tile, STRAIGHT)


def second_rabble_moves(position: Position) -> set[str]:
    """D5: after one Rabble, what a different Rabble can do."""
    found = set()
    for tile in own_tiles(position):
        if position.pieces[tile].lower() == "r" and tile != position.second_rabble:
            found |= rabble(position, tile)
    return found


def spearman(position: Position, tile: Tile) -> set[str]:
    """1 tile straight, or a swap with an own piece beside it that is no Spearman (D6)."""
    found = steps(position, tile, STRAIGHT)
    for other in around(tile):
        if is_own(position, other) and position.pieces[other].lower() != "s":
            found.add(f"{name(tile)}~{name(other)}")
    return found


def crossbowman(position: Position, tile: Tile) -> set[str]:
    """1 tile diagonally, or directly to unoccupied forest (D7) that no step reaches (D14)."""
    found = steps(position, tile, DIAGONAL)
    for forest in BOARD:
        is_step = f"{name(tile)}-{name(forest)}" in found
        if is_forest(forest) and is_unoccupied(position, forest) and not is_step:
            found.add(f"{name(tile)}^{name(forest)}")
    return found


def is_unoccupied(position: Position, tile: Tile) -> bool:
    """D7: no piece, no mountain and no keep."""
    return tile not in position.pieces and not is_obstacle(position, tile)


def light_horse(position: Position, tile: Tile) -> set[str]:
    """Any distance straight, over the edge too, but never past its own tile (D8)."""
    found = set()
    for step in STRAIGHT:
        found |= walk(position, tile, line_round_the_board(tile, step))
    return found


def line_round_the_board(tile: Tile, step: tuple[int, int]) -> list[Tile]:
    """D8: the line goes on from the opposite edge and ends before the tile where it began."""
    back = (-step[0], -step[1])
    beyond_the_edge = line(tile, back)
    beyond_the_edge.reverse()
    return line(tile, step) + beyond_the_edge


def heavy_horse(position: Position, tile: Tile) -> set[str]:
    """Any distance straight, over own pieces that do not stand on water."""
    found = set()
    for step in STRAIGHT:
        found |= walk(position, tile, line(tile, step), over_own=True)
    return found


def elephant(position: Position, tile: Tile) -> set[str]:
    """Any distance straight."""
    return slides(position, tile, STRAIGHT)


def another_is_beside(position: Position, captor: Tile, victim: Tile) -> bool:
    """D9: whether a piece of the captor's side, but not the captor, is beside the Elephant."""
    return any(is_own(position, tile) and tile != captor for tile in around(victim))


def catapult(position: Position, tile: Tile) -> set[str]:
    """Any distance diagonally, capturing one piece or two."""
    found = slides(position, tile, DIAGONAL)
    for step in DIAGONAL:
        found |= capture_of_two(position, tile, line(tile, step))
    return found


def capture_of_two(position: Position, origin: Tile, tiles: list[Tile]) -> set[str]:
    """D10: over empty tiles to the first victim and on over empty tiles to the second."""
    first = None
    for tile in tiles:
        if is_unoccupied(position, tile):
            if is_water(tile):
                return set()
            continue
        if is_obstacle(position, tile) or not is_victim(position, origin, tile):
            return set()
        if first is not None:
            return {f"{name(origin)}x{name(first)}x{name(tile)}"}
        if is_water(tile):
            return set()
        first = tile
    return set()


def trebuchet(position: Position, tile: Tile) -> set[str]:
    """Any distance diagonally, over any pieces on the way to a capture."""
    found = slides(position, tile, DIAGONAL)
    for step in DIAGONAL:
        found |= captures_over_pieces(position, tile, line(tile, step))
    return found


def captures_over_pieces(position: Position, origin: Tile, tiles: list[Tile]) -> set[str]:
    """D11: any victim up to the first mountain, keep or water, what stands on it included."""
    found = set()
    for tile in tiles:
        if is_obstacle(position, tile):
            break
        if is_victim(position, origin, tile):
            found.add(f"{name(origin)}x{name(tile)}")
        if is_water(tile):
            break
    return found


def dragon(position: Position, tile: Tile) -> set[str]:
    """Any distance in all directions."""
    found = set()
    for step in AROUND:
        found |= flight(position, tile, line(tile, step))
    return found


def flight(position: Position, origin: Tile, tiles: list[Tile]) -> set[str]:
    """D12: over mountains, without ending there; pieces and keeps stop it, water does not."""
    found = set()
    for tile in tiles:
        if tile in position.mountains:
            continue
        if is_obstacle(position, tile):
            break
        if tile in position.pieces:
            if is_victim(position, origin, tile):
                found.add(f"{name(origin)}x{name(tile)}")
            break
        found.add(f"{name(origin)}-{name(tile)}")
    return found


def king(position: Position, tile: Tile) -> set[str]:
    """1 tile in any direction."""
    return steps(position, tile, AROUND)


# --- What an action brings about -------------------------------------------------------------


def after(position: str, action: str) -> str:
    """The position's text after a legal action."""
    changed = read_position(position)
    was_passed = changed.passed
    first_rabble = None if changed.second_rabble else rabble_that_moves(changed, action)
    progress = carry_out(changed, action)
    changed.passed = action == "pass"
    changed.drawn = action == "pass" and was_passed  # P4: the second forced pass in a row
    if not king_is_lost(changed, opponent(changed.to_act)):  # D15: the game is over first
        progress = storm(changed) or progress
    if progress:
        changed.quiet = -1
    if first_rabble is not None and second_rabble_may_follow(changed, first_rabble):
        changed.second_rabble = first_rabble
    else:
        end_turn(changed)
    return write_position(changed)


def rabble_that_moves(position: Position, action: str) -> Tile | None:
    """D5, D6: where a Rabble arrives that moves; bringing out and swapping is no Rabble move."""
    if action in ("end", "pass") or "@" in action or "~" in action:
        return None
    tiles = tiles_in(action)
    return tiles[-1] if position.pieces[tiles[0]].lower() == "r" else None


def carry_out(position: Position, action: str) -> bool:
    """Change the board and the reserve; tell whether that was a capture or a bringing out."""
    if action in ("end", "pass"):
        return False
    tiles = tiles_in(action)
    if "@" in action:
        kind = action[0]
        position.reserves[position.to_act][kind] -= 1
        position.pieces[tiles[0]] = letter_for(kind, position.to_act)
        return True
    origin, target = tiles[0], tiles[-1]
    piece = position.pieces.pop(origin)
    if "~" in action:
        position.pieces[origin] = position.pieces[target]
        position.pieces[target] = piece
        return False
    victims = [tile for tile in tiles[1:] if tile in position.pieces]
    for tile in victims:
        del position.pieces[tile]
    position.pieces[target] = piece
    return len(victims) > 0


def second_rabble_may_follow(position: Position, first: Tile) -> bool:
    """D5: not after the King's capture, nor if no other Rabble can move."""
    if outcome(position) is not None:
        return False
    return len(second_rabble_moves(replace(position, second_rabble=first))) > 0


def end_turn(position: Position) -> None:
    """The other player is to act; the turn was quiet unless it made progress (P3)."""
    position.second_rabble = None
    position.to_act = opponent(position.to_act)
    position.quiet += 1


# --- Storming a keep -------------------------------------------------------------------------


def storm(position: Position) -> bool:
    """Destroy the enemy keep if two pieces of the player who acted are on its home tiles (D13)."""
    enemy = opponent(position.to_act)
    if enemy not in position.keeps:
        return False
    if len([tile for tile in position.homes[enemy] if is_own(position, tile)]) < 2:
        return False
    del position.keeps[enemy]
    position.reserves[enemy] = {}
    return True


# --- The end ---------------------------------------------------------------------------------


def result(position: str) -> str | None:
    """How the rules have ended the game, or None if it goes on."""
    return outcome(read_position(position))


def outcome(position: Position) -> str | None:
    """A King captured wins; the second forced pass in a row draws (P4)."""
    if king_is_lost(position, "black"):
        return "1-0"
    if king_is_lost(position, "white"):
        return "0-1"
    if position.drawn:
        return "1/2-1/2"
    return None


def king_is_lost(position: Position, color: str) -> bool:
    """Whether the King is neither on the board nor in the reserve."""
    on_tiles = letter_for("k", color) in position.pieces.values()
    return not on_tiles and position.reserves.get(color, {}).get("k", 0) == 0


# --- Texts -----------------------------------------------------------------------------------


def name(tile: Tile) -> str:
    """A tile's text."""
    return f"{COLUMNS[tile[0] - 1]}{tile[1]}"


def read_tile(text: str) -> Tile:
    """The tile of a text."""
    if re.fullmatch("[a-j]([1-9]|10)", text) is None:
        raise ValueError(f"{text!r} is no tile")
    return COLUMNS.index(text[0]) + 1, int(text[1:])


def tiles_in(action: str) -> list[Tile]:
    """The tiles that an action names, in their order."""
    return [read_tile(text) for text in re.findall("[a-j][0-9]+", action)]


def read_grid(text: str, rows: range) -> dict[Tile, str]:
    """What stands on the tiles of these rows, the row farthest from White written first."""
    pieces: dict[Tile, str] = {}
    if text == "-":
        return pieces
    parts = text.split("/")
    if len(parts) != len(rows):
        raise ValueError("wrong number of rows")
    for row, part in zip(reversed(rows), parts, strict=True):
        column = 1
        for word in re.findall("[0-9]+|.", part):
            if word.isdigit():
                column += int(word)
            elif word.lower() in ARMY:
                pieces[column, row] = word
                column += 1
            else:
                raise ValueError(f"{word!r} is no piece")
        if column != SIZE + 1:
            raise ValueError(f"row {row} is not {SIZE} tiles long")
    return pieces


def write_grid(pieces: dict[Tile, str]) -> str:
    """The board as a grid."""
    if not pieces:
        return "-"
    lines = []
    for row in range(SIZE, 0, -1):
        tiles = [pieces.get((column, row), ".") for column in range(1, SIZE + 1)]
        lines.append(re.sub(r"\.+", lambda gap: str(len(gap.group())), "".join(tiles)))
    return "/".join(lines)


def split_outside(text: str, separator: str) -> list[str]:
    """Split at a separator, but not inside parentheses."""
    parts = [""]
    depth = 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def read_list(text: str) -> list[str]:
    """The parts of a list, with or without its parentheses; "-" is no value."""
    inner = text.removeprefix("(").removesuffix(")") if text.startswith("(") else text
    return [] if inner in ("", "-") else split_outside(inner, ",")


def read_named(text: str) -> dict[str, str]:
    """A list of name:value."""
    pairs = [part.partition(":") for part in read_list(text)]
    return {key: value for key, _, value in pairs}


def read_fields(text: str, known: list[str]) -> dict[str, str]:
    """The fields by name."""
    fields: dict[str, str] = {}
    for part in [] if text == "-" else text.split(";"):
        key, _, value = part.partition("=")
        if key not in known or key in fields:
            raise ValueError(f"the field {part!r} does not belong here")
        fields[key] = value
    return fields


def read_setup(text: str) -> Setup:
    """The setup of a text, legal or not."""
    rules, owner, grid, terrain, written = text.split(" ")
    if rules != "croft" or owner not in COLORS or terrain != "-":
        raise ValueError("no setup of Croft's Cyvasse")
    fields = read_fields(written, ["mountains", "keep"])
    mountains = [read_tile(part) for part in read_list(fields.get("mountains", "-"))]
    keep = fields.get("keep", "-")
    return Setup(
        owner,
        read_grid(grid, rows_of(owner)),
        mountains,
        None if keep == "-" else read_tile(keep),
    )


def read_position(text: str) -> Position:
    """The position of a text."""
    _, grid, _, to_act, written, quiet = text.split(" ")
    known = ["mountains", "keeps", "reserves", "second_rabble", "passed", "drawn"]
    fields = read_fields(written, known)
    position = Position(
        read_grid(grid, range(1, SIZE + 1)),
        "white" if to_act == "w" else "black",
        {read_tile(part) for part in read_list(fields.get("mountains", "-"))},
        {},
        {},
        {},
        read_tile(fields["second_rabble"]) if "second_rabble" in fields else None,
        fields.get("passed") == "yes",
        fields.get("drawn") == "yes",
        int(quiet),
    )
    keeps = read_named(fields.get("keeps", "-"))
    reserves = read_named(fields.get("reserves", "-"))
    for color in COLORS:
        parts = read_named(keeps.get(color, "-"))
        if "at" in parts:
            position.keeps[color] = read_tile(parts["at"])
        position.homes[color] = {read_tile(part) for part in read_list(parts.get("home", "-"))}
        counts = read_named(reserves.get(color, "-"))
        position.reserves[color] = {kind: int(counts.get(NAMES[kind], "0")) for kind in ARMY}
    return position


def write_position(position: Position) -> str:
    """The text of a position."""
    to_act = position.to_act[0]
    grid = write_grid(position.pieces)
    return f"croft {grid} - {to_act} {write_fields(position)} {position.quiet}"


def write_fields(position: Position) -> str:
    """The fields that are not at their default."""
    fields = []
    if position.mountains:
        fields.append(f"mountains={write_tiles(position.mountains)}")
    keeps = write_by_color({color: write_keep(position, color) for color in COLORS})
    if keeps:
        fields.append(f"keeps={keeps}")
    reserves = write_by_color({color: write_reserve(position, color) for color in COLORS})
    if reserves:
        fields.append(f"reserves={reserves}")
    if position.second_rabble is not None:
        fields.append(f"second_rabble={name(position.second_rabble)}")
    if position.passed:
        fields.append("passed=yes")
    if position.drawn:
        fields.append("drawn=yes")
    return ";".join(fields) or "-"


def write_tiles(tiles: set[Tile]) -> str:
    """A list of tiles, sorted by name."""
    return ",".join(sorted(name(tile) for tile in tiles))


def write_by_color(parts: dict[str, str]) -> str:
    """What belongs to the two players; what is empty is left out."""
    return ",".join(f"{color}:({part})" for color, part in parts.items() if part)


def write_keep(position: Position, color: str) -> str:
    """Where a keep is, while it stands, and its home tiles."""
    parts = []
    if color in position.keeps:
        parts.append(f"at:{name(position.keeps[color])}")
    if position.homes[color]:
        parts.append(f"home:({write_tiles(position.homes[color])})")
    return ",".join(parts)


def write_reserve(position: Position, color: str) -> str:
    """How many pieces of each type wait in the keep."""
    reserve = position.reserves[color]
    return ",".join(f"{NAMES[kind]}:{reserve[kind]}" for kind in ARMY if reserve.get(kind, 0) > 0)
