"""The rules of Mikelepage's Cyvasse once more, slow and plain.

Written from docs/rules/mikelepage.md alone (and docs/formats.md for the texts), to be read beside
that page: the functions stand in its order, and each names the rule or decision it comes from.
Nothing here is shared with the library, so that the two can be held against each other.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field

# --- What you need: the board ---------------------------------------------------------------------

Square = tuple[int, int]  # (column, row), both counted from 1: a is column 1

COLUMNS = "abcdefghijk"
WHITE, BLACK = "white", "black"
COLORS = (WHITE, BLACK)


def on_board(square: Square) -> bool:
    """A hexagon with six squares along each edge: f1 to k1, a6 to k6, a11 to f11."""
    column, row = square
    return 1 <= column <= 11 and 1 <= row <= 11 and 7 <= column + row <= 17


ROWS: dict[int, list[Square]] = {
    row: [(column, row) for column in range(1, 12) if on_board((column, row))]
    for row in range(1, 12)
}
SQUARES: list[Square] = [square for row in range(1, 12) for square in ROWS[row]]
NAME: dict[Square, str] = {(column, row): f"{COLUMNS[column - 1]}{row}" for column, row in SQUARES}
NAMED: dict[str, Square] = {name: square for square, name in NAME.items()}

CORNERS: list[Square] = [NAMED[name] for name in ("a11", "f11", "k6", "k1", "f1", "a6")]

# The rows of each player's half, the row farthest from White first.
HALF: dict[str, list[int]] = {WHITE: [5, 4, 3, 2, 1], BLACK: [11, 10, 9, 8, 7]}
WHOLE: list[int] = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]


def opponent(color: str) -> str:
    """The other player."""
    return BLACK if color == WHITE else WHITE


def distance(one: Square, other: Square) -> int:
    """How many straight steps one square is from another."""
    columns = other[0] - one[0]
    rows = other[1] - one[1]
    return max(abs(columns), abs(rows), abs(columns + rows))


# --- What you need: the pieces --------------------------------------------------------------------

RABBLE, KING, CROSSBOWS, SPEARS, LIGHT_HORSE = "R", "K", "X", "S", "L"
TREBUCHET, ELEPHANT, HEAVY_HORSE, DRAGON = "T", "E", "H", "D"

# Each type by its letter, in the order of the page's table.
TYPE_NAME = {
    RABBLE: "rabble",
    KING: "king",
    CROSSBOWS: "crossbows",
    SPEARS: "spears",
    LIGHT_HORSE: "light_horse",
    TREBUCHET: "trebuchet",
    ELEPHANT: "elephant",
    HEAVY_HORSE: "heavy_horse",
    DRAGON: "dragon",
}
TYPE_NAMED = {name: letter for letter, name in TYPE_NAME.items()}

NUMBER = {
    RABBLE: 6,
    KING: 1,
    CROSSBOWS: 2,
    SPEARS: 2,
    LIGHT_HORSE: 2,
    TREBUCHET: 2,
    ELEPHANT: 2,
    HEAVY_HORSE: 2,
    DRAGON: 1,
}
TIER = {
    RABBLE: 1,
    KING: 1,
    CROSSBOWS: 2,
    SPEARS: 2,
    LIGHT_HORSE: 2,
    TREBUCHET: 3,
    ELEPHANT: 3,
    HEAVY_HORSE: 3,
    DRAGON: 4,
}
HILL, FOREST, GRASSLAND = "h", "f", "g"
HOME_TERRAIN = {
    CROSSBOWS: HILL,
    SPEARS: FOREST,
    LIGHT_HORSE: GRASSLAND,
    TREBUCHET: HILL,
    ELEPHANT: FOREST,
    HEAVY_HORSE: GRASSLAND,
}
# What a piece becomes while the King is not missing; pieces of tier 3 become King if he is.
PROMOTED_TO = {
    RABBLE: [CROSSBOWS, SPEARS, LIGHT_HORSE],
    CROSSBOWS: [TREBUCHET],
    SPEARS: [ELEPHANT],
    LIGHT_HORSE: [HEAVY_HORSE],
}
# The terrain that a setup lays under each piece.
LAID_UNDER = {CROSSBOWS: HILL, SPEARS: FOREST, LIGHT_HORSE: GRASSLAND}

MOUNTAINS = 6
ANY_DISTANCE = 100  # more than any walk on this board is long


@dataclass
class Fortress:
    """A player's fortress, and the corner chosen after its ruin."""

    at: Square | None = None
    ruined: bool = False
    corner: Square | None = None


@dataclass
class Game:
    """All that a position's text tells. A piece is its letter, upper case for White."""

    pieces: dict[Square, str]
    terrain: dict[Square, str]
    to_act: str
    mountains: set[Square]
    fortress: dict[str, Fortress]
    reserve: set[str] = field(default_factory=set)  # whose Dragon is in reserve
    king_taken: set[str] = field(default_factory=set)  # whose King is missing
    lost: dict[str, dict[str, int]] = field(default_factory=lambda: {WHITE: {}, BLACK: {}})
    pending: str | None = None  # "corner" or "promotion", if that must be chosen first
    in_turn: bool = False  # the player to act has already chosen something
    over: str | None = None  # "won" or "lost", as the player to move sees it
    passed: bool = False
    drawn: bool = False
    quiet: int = 0


def color_of(piece: str) -> str:
    """Whose a piece is: upper case for White, lower case for Black."""
    return WHITE if piece.isupper() else BLACK


def piece_of(color: str, kind: str) -> str:
    """A player's piece of a type."""
    return kind if color == WHITE else kind.lower()


def kind_on(game: Game, square: Square) -> str:
    """The type of the piece on an occupied square."""
    return game.pieces[square].upper()


def is_own(game: Game, color: str, square: Square) -> bool:
    """Whether a piece of this player is on a square."""
    return square in game.pieces and color_of(game.pieces[square]) == color


def is_opposing(game: Game, color: str, square: Square) -> bool:
    """Whether a piece of this player's opponent is on a square."""
    return is_own(game, opponent(color), square)


def standing_fortress(game: Game, color: str) -> Square | None:
    """The square of a player's fortress, if it is not ruined."""
    fortress = game.fortress[color]
    return None if fortress.ruined else fortress.at


# --- Setup ----------------------------------------------------------------------------------------


@dataclass
class Setup:
    """One player's half behind the screen."""

    color: str
    pieces: dict[Square, str]
    mountains: list[Square]
    dragon_in_reserve: bool


def check_setup(setup: Setup) -> bool:
    """Six mountains and 19 pieces on 25 squares of the own half; the Dragon on another or kept."""
    if any(color_of(piece) != setup.color for piece in setup.pieces.values()):
        return False
    kinds = [piece.upper() for piece in setup.pieces.values()]
    for kind, number in NUMBER.items():
        kept = 1 if kind == DRAGON and setup.dragon_in_reserve else 0
        if kinds.count(kind) + kept != number:
            return False
    if len(setup.mountains) != MOUNTAINS or len(set(setup.mountains)) != MOUNTAINS:
        return False
    if any(square in setup.pieces for square in setup.mountains):
        return False
    return all(row in HALF[setup.color] for _, row in [*setup.pieces, *setup.mountains])


def lift_the_screen(white: Setup, black: Setup, first: str) -> Game:
    """Fortress and terrain follow from the pieces; from now on they belong to nobody."""
    game = Game(
        pieces={**white.pieces, **black.pieces},
        terrain={},
        to_act=first,
        mountains={*white.mountains, *black.mountains},
        fortress={WHITE: Fortress(), BLACK: Fortress()},
    )
    for square, piece in game.pieces.items():
        kind = piece.upper()
        if kind == KING:
            game.fortress[color_of(piece)].at = square
        if kind in LAID_UNDER:
            game.terrain[square] = LAID_UNDER[kind]
    for setup in (white, black):
        if setup.dragon_in_reserve:
            game.reserve.add(setup.color)
    return game


# --- How pieces move ------------------------------------------------------------------------------

STRAIGHT = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
# Between two neighbouring straight directions, to the square behind the edge they share.
DIAGONAL = [
    (one[0] + other[0], one[1] + other[1])
    for one, other in zip(STRAIGHT, [*STRAIGHT[1:], STRAIGHT[0]], strict=True)
]


def walk(game: Game, color: str, path: list[Square]) -> list[Square]:
    """A walk stops before a mountain and before an own piece; it may end on an opposing piece."""
    reached = []
    for square in path:
        if square in game.mountains or is_own(game, color, square):
            break
        reached.append(square)
        if is_opposing(game, color, square):
            break
    return reached


def line(origin: Square, direction: tuple[int, int], longest: int) -> list[Square]:
    """The squares from an origin in one direction, until the board ends."""
    path: list[Square] = []
    square = (origin[0] + direction[0], origin[1] + direction[1])
    while on_board(square) and len(path) < longest:
        path.append(square)
        square = (square[0] + direction[0], square[1] + direction[1])
    return path


def walk_lines(
    game: Game, origin: Square, directions: list[tuple[int, int]], longest: int
) -> set[Square]:
    """Straight or diagonally, up to a number of squares."""
    color = color_of(game.pieces[origin])
    reached: set[Square] = set()
    for direction in directions:
        reached.update(walk(game, color, line(origin, direction, longest)))
    return reached


def neighbours(square: Square) -> list[Square]:
    """The squares one straight step away."""
    around = [(square[0] + columns, square[1] + rows) for columns, rows in STRAIGHT]
    return [other for other in around if on_board(other)]


def centres(game: Game) -> list[Square]:
    """The two fortresses, whosever they are; for a ruined one the corner that was chosen."""
    found = []
    for color in COLORS:
        fortress = game.fortress[color]
        centre = fortress.corner if fortress.ruined else fortress.at
        if centre is not None:
            found.append(centre)
    return found


def ride_on(centre: Square, before: Square, square: Square) -> Square | None:
    """The next square of the ring when coming from the one before, if the board goes on there."""
    for other in neighbours(square):
        if other != before and distance(centre, other) == distance(centre, square):
            return other
    return None


def ride(game: Game, origin: Square, longest: int) -> set[Square]:
    """Horses ride along the squares at the same distance from a centre, either way."""
    color = color_of(game.pieces[origin])
    reached: set[Square] = set()
    for centre in centres(game):
        if centre == origin:  # it cannot use a centre on which it stands itself
            continue
        for first in neighbours(origin):
            if distance(centre, first) != distance(centre, origin):
                continue
            path: list[Square] = []
            before, square = origin, first
            while square != origin and len(path) < longest:
                path.append(square)
                following = ride_on(centre, before, square)
                if following is None:
                    break
                before, square = square, following
            reached.update(walk(game, color, path))
    return reached


def fly(game: Game, origin: Square) -> set[Square]:
    """The Dragon: up to four straight steps, over mountains but not over pieces."""
    color = color_of(game.pieces[origin])
    over = {origin}  # where it has been or may be in the air
    edge = [origin]
    for _ in range(4):
        steps = {other for square in edge for other in neighbours(square)} - over
        over |= steps
        edge = [square for square in steps if square not in game.pieces]
    return {
        square
        for square in over
        if square != origin and square not in game.mountains and not is_own(game, color, square)
    }


def reach(game: Game, origin: Square) -> set[Square]:
    """All squares that the piece on a square reaches: free ones, and those of opponents."""
    kind = kind_on(game, origin)
    if kind in (RABBLE, KING):
        return walk_lines(game, origin, STRAIGHT, 1)
    if kind == CROSSBOWS:
        return walk_lines(game, origin, STRAIGHT, 3)
    if kind == TREBUCHET:
        return walk_lines(game, origin, STRAIGHT, ANY_DISTANCE)
    if kind == SPEARS:
        return walk_lines(game, origin, DIAGONAL, 2)
    if kind == ELEPHANT:
        return walk_lines(game, origin, DIAGONAL, ANY_DISTANCE)
    if kind == LIGHT_HORSE:
        return ride(game, origin, 3)
    if kind == HEAVY_HORSE:
        return ride(game, origin, ANY_DISTANCE)
    return fly(game, origin)


def bring_out_squares(game: Game, color: str) -> set[Square]:
    """Bringing out the Dragon: up to four squares from the standing fortress, or onto it (D9)."""
    fortress = standing_fortress(game, color)
    if color not in game.reserve or fortress is None:
        return set()
    return {
        square
        for square in SQUARES
        if distance(fortress, square) <= 4
        and square not in game.mountains
        and not is_own(game, color, square)
    }


# --- Who can take whom ----------------------------------------------------------------------------


def defence_tier(game: Game, square: Square) -> int:
    """The tier, plus 1 on home terrain or on the own standing fortress; nothing helps a Dragon."""
    kind = kind_on(game, square)
    if kind == DRAGON:
        return TIER[DRAGON]
    at_home = kind in HOME_TERRAIN and game.terrain.get(square) == HOME_TERRAIN[kind]
    in_fortress = standing_fortress(game, color_of(game.pieces[square])) == square
    return TIER[kind] + (1 if at_home or in_fortress else 0)


def adds_up_to(tiers: list[int]) -> int:
    """What a group is worth: two of a tier are one of the next, three are two, up to the top."""
    highest = max(tiers)
    pieces = 0
    for tier in range(1, highest):
        pieces += tiers.count(tier)
        pieces = max(pieces - 1, 0)  # so many pieces of the next tier
    pieces += tiers.count(highest)
    return highest + pieces - 1  # each piece beyond the first adds 1


def group_adds_up_to(kinds: list[str]) -> int:
    """The same for types: a King counts as much as the best of the others."""
    tiers = [TIER[kind] for kind in kinds if kind != KING]
    if KING in kinds:
        tiers.append(max(tiers, default=TIER[KING]))
    return adds_up_to(tiers)


def takes_directly(game: Game, attacker: Square, victim: Square) -> bool:
    """Directly, if the attacker's plain tier is at least the defence tier."""
    return TIER[kind_on(game, attacker)] >= defence_tier(game, victim)


def takes_by_flanking(game: Game, attacker: Square, victim: Square, reaching: list[Square]) -> bool:
    """By flanking (D2): several lower pieces that reach the square add up to its defence tier.

    One of the highest of the group makes the capture, or the King. A group never gets weaker by
    one more piece, so it is enough to look at the largest that this attacker may lead.
    """
    needed = defence_tier(game, victim)
    leader = kind_on(game, attacker)
    kinds = [kind_on(game, square) for square in reaching]
    lower = [kind for kind in kinds if kind != DRAGON and TIER[kind] < needed]
    if leader not in lower:
        return False
    if leader != KING:
        lower = [kind for kind in lower if TIER[kind] <= TIER[leader]]
    return len(lower) > 1 and group_adds_up_to(lower) >= needed


# --- A turn ---------------------------------------------------------------------------------------


def promotion_types(game: Game, color: str) -> list[str]:
    """What the own piece on the own standing fortress becomes when the turn begins (D5, D6, D8)."""
    fortress = standing_fortress(game, color)
    if fortress is None or not is_own(game, color, fortress):
        return []
    kind = kind_on(game, fortress)
    if color in game.king_taken and TIER[kind] == 3:
        return [KING]
    return [new for new in PROMOTED_TO.get(kind, []) if game.lost[color].get(new, 0) > 0]


def promote(game: Game, color: str, square: Square, kind: str) -> None:
    """A promotion uses up one lost piece of the new type (D5), or replaces the missing King."""
    game.pieces[square] = piece_of(color, kind)
    if kind == KING:
        game.king_taken.discard(color)
    else:
        game.lost[color][kind] -= 1
    progress(game)


def progress(game: Game) -> None:
    """P3: the turn that is going on is no quiet one (the text writes -1 until it ends)."""
    game.quiet = -1


def begin_turn(game: Game) -> None:
    """Steps 1 and 2: the corner, then the promotion at the beginning."""
    fortress = game.fortress[opponent(game.to_act)]
    if fortress.ruined and fortress.corner is None:
        game.pending = "corner"
    else:
        begin_promotion(game)


def begin_promotion(game: Game) -> None:
    """Step 2: what leaves no choice happens by itself (D8)."""
    types = promotion_types(game, game.to_act)
    fortress = standing_fortress(game, game.to_act)
    if len(types) > 1:
        game.pending = "promotion"
    elif len(types) == 1 and fortress is not None:
        promote(game, game.to_act, fortress, types[0])


def board_actions(game: Game) -> set[str]:
    """Step 3: all moves, captures and ways to bring out the Dragon."""
    color = game.to_act
    found: set[str] = set()
    reaching: dict[Square, list[Square]] = {}  # for each opposing piece who reaches it
    for origin in game.pieces:
        if not is_own(game, color, origin):
            continue
        for target in reach(game, origin):
            if target in game.pieces:
                reaching.setdefault(target, []).append(origin)
            else:
                found.add(f"{NAME[origin]}-{NAME[target]}")
    for victim, attackers in reaching.items():
        for attacker in attackers:
            if takes_directly(game, attacker, victim) or takes_by_flanking(
                game, attacker, victim, attackers
            ):
                found.add(f"{NAME[attacker]}x{NAME[victim]}")
    for square in bring_out_squares(game, color):
        found.add(f"out@{NAME[square]}")
    return found


def game_actions(game: Game) -> set[str]:
    """The legal actions: a choice that must be made first (D8), or the one action of the turn."""
    if game.over is not None or game.drawn:
        return set()
    if game.pending == "corner":
        return {f"corner@{NAME[corner]}" for corner in CORNERS}
    if game.pending == "promotion":
        fortress = standing_fortress(game, game.to_act)
        if fortress is None:
            raise ValueError("a promotion needs a standing fortress")
        types = promotion_types(game, game.to_act)
        return {f"{NAME[fortress]}={kind.lower()}" for kind in types}
    return board_actions(game) or {"pass"}


def capture(game: Game, square: Square) -> None:
    """An opposing piece is taken off the board; its player has lost it, or his King is missing."""
    piece = game.pieces.pop(square)
    owner, kind = color_of(piece), piece.upper()
    if kind == KING:
        game.king_taken.add(owner)
    else:
        game.lost[owner][kind] = game.lost[owner].get(kind, 0) + 1
    progress(game)


def go(game: Game, origin: Square, target: Square) -> None:
    """A piece moves, and captures what is on the target."""
    if target in game.pieces:
        capture(game, target)
    game.pieces[target] = game.pieces.pop(origin)


def bring_out(game: Game, square: Square) -> None:
    """The Dragon comes from the reserve, and captures what is on the square."""
    if square in game.pieces:
        capture(game, square)
    game.pieces[square] = piece_of(game.to_act, DRAGON)
    game.reserve.discard(game.to_act)
    progress(game)


def choose(game: Game, action: str) -> None:
    """Steps 1 and 2: a corner or a promotion is chosen; an action of its own (D8, D10, D11)."""
    game.pending = None
    game.in_turn = True
    game.passed = False
    if action.startswith("corner@"):
        game.fortress[opponent(game.to_act)].corner = NAMED[action.removeprefix("corner@")]
        begin_promotion(game)
    else:
        square, _, letter = action.partition("=")
        promote(game, game.to_act, NAMED[square], letter.upper())


def play(game: Game, action: str) -> None:
    """One legal action, and all that follows from it."""
    if game.pending is not None:
        choose(game, action)
        return
    second_pass = action == "pass" and game.passed
    if action.startswith("out@"):
        bring_out(game, NAMED[action.removeprefix("out@")])
    elif action != "pass":
        origin, target = action.replace("x", "-").split("-")
        go(game, NAMED[origin], NAMED[target])
    game.passed = action == "pass"
    end_turn(game)
    if game.over is None and second_pass:  # P4, D10
        game.drawn = True
    if game.over is None and not game.drawn:
        begin_turn(game)


def end_turn(game: Game) -> None:
    """Step 4, in this order; then it is the opponent's turn."""
    color, other = game.to_act, opponent(game.to_act)
    fortress = standing_fortress(game, color)
    if fortress is not None:
        if (
            color in game.king_taken
            and is_own(game, color, fortress)
            and TIER[kind_on(game, fortress)] == 3
        ):
            promote(game, color, fortress, KING)  # D6
        if is_opposing(game, color, fortress):
            game.fortress[color].ruined = True  # D4
            progress(game)
    if color in game.king_taken:
        game.over = "won"  # as the opponent sees it (D7)
    elif other in game.king_taken and game.fortress[other].ruined:
        game.over = "lost"
    game.quiet += 1
    game.in_turn = False
    game.to_act = other


# --- Texts: grids and fields ----------------------------------------------------------------------


def read_grid(text: str, rows: list[int], letters: str) -> dict[Square, str]:
    """A grid: letters for what is on squares, numbers for squares with nothing on them."""
    if text == "-":
        return {}
    found: dict[Square, str] = {}
    parts = text.split("/")
    if len(parts) != len(rows):
        raise ValueError("wrong number of rows")
    for part, row in zip(parts, rows, strict=True):
        place = 0
        digits = ""
        for sign in part + "/":  # the slash ends a number at the end of the row
            if sign in string.digits:
                digits += sign
                continue
            place += int(digits or "0")
            digits = ""
            if sign == "/":
                break
            if sign not in letters or place >= len(ROWS[row]):
                raise ValueError("not a grid of this board")
            found[ROWS[row][place]] = sign
            place += 1
        if place != len(ROWS[row]):
            raise ValueError("wrong length of a row")
    return found


def write_grid(things: dict[Square, str], rows: list[int]) -> str:
    """The grid of what is on squares."""
    if not things:
        return "-"
    parts = []
    for row in rows:
        part = ""
        empty = 0
        for square in ROWS[row]:
            if square not in things:
                empty += 1
                continue
            part += (str(empty) if empty else "") + things[square]
            empty = 0
        parts.append(part + (str(empty) if empty else ""))
    return "/".join(parts)


def split_outside(text: str, separator: str) -> list[str]:
    """Parts between separators that do not stand in parentheses."""
    parts = [""]
    depth = 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def read_pairs(text: str, between: str, within: str) -> dict[str, str]:
    """Pairs of a name and a value, such as name=value;name=value; a lone - is none."""
    if text == "-":
        return {}
    pairs: dict[str, str] = {}
    for part in split_outside(text, between):
        name, sign, value = part.partition(within)
        if not sign or name in pairs:
            raise ValueError(f"not a name and a value: {part}")
        pairs[name] = value
    return pairs


def read_inner(text: str) -> dict[str, str]:
    """A list of name:value inside a list, in parentheses."""
    return read_pairs(text.removeprefix("(").removesuffix(")"), ",", ":")


def read_yes(text: str) -> bool:
    """Yes or no."""
    if text not in ("yes", "no"):
        raise ValueError(f"neither yes nor no: {text}")
    return text == "yes"


def read_square(text: str) -> Square:
    """A square by its name."""
    if text not in NAMED:
        raise ValueError(f"no square of this board: {text}")
    return NAMED[text]


def read_squares(text: str) -> list[Square]:
    """A list of squares."""
    return [] if text == "-" else [read_square(name) for name in text.split(",")]


def write_squares(squares: set[Square]) -> str:
    """A list of squares, sorted by name."""
    return ",".join(sorted(NAME[square] for square in squares))


# --- Texts: positions -----------------------------------------------------------------------------

PIECE_LETTERS = "".join(TYPE_NAME) + "".join(TYPE_NAME).lower()


def read_fortress(text: str) -> Fortress:
    """A player's fortress: at, ruined and corner."""
    parts = read_inner(text)
    return Fortress(
        at=read_square(parts["at"]) if "at" in parts else None,
        ruined=read_yes(parts.get("ruined", "no")),
        corner=read_square(parts["corner"]) if "corner" in parts else None,
    )


def write_fortress(fortress: Fortress) -> str:
    """The parts of a fortress that are not at their default."""
    parts = []
    if fortress.at is not None:
        parts.append(f"at:{NAME[fortress.at]}")
    if fortress.ruined:
        parts.append("ruined:yes")
    if fortress.corner is not None:
        parts.append(f"corner:{NAME[fortress.corner]}")
    return f"({','.join(parts)})" if parts else ""


def read_lost(text: str) -> dict[str, int]:
    """How many pieces of each type a player has lost."""
    return {TYPE_NAMED[name]: int(number) for name, number in read_inner(text).items()}


def write_lost(lost: dict[str, int]) -> str:
    """The lost pieces, in the order of the page's table."""
    parts = [f"{name}:{lost[kind]}" for kind, name in TYPE_NAME.items() if lost.get(kind, 0) > 0]
    return f"({','.join(parts)})" if parts else ""


def read_colors(text: str) -> set[str]:
    """The players for whom something is so, such as white:yes."""
    return {color for color, value in read_pairs(text, ",", ":").items() if read_yes(value)}


def by_color(values: dict[str, str]) -> str:
    """A list of player:value, White first, without empty values."""
    return ",".join(f"{color}:{values[color]}" for color in COLORS if values.get(color))


def read_position(text: str) -> Game:
    """A position's text: six parts."""
    rule_set, pieces, terrain, to_act, field_text, quiet = text.split(" ")
    if rule_set != "mikelepage" or to_act not in ("w", "b"):
        raise ValueError("not a position of this game")
    fields = read_pairs(field_text, ";", "=")
    fortresses = read_pairs(fields.get("fortress", "-"), ",", ":")
    lost = read_pairs(fields.get("lost", "-"), ",", ":")
    return Game(
        pieces=read_grid(pieces, WHOLE, PIECE_LETTERS),
        terrain=read_grid(terrain, WHOLE, HILL + FOREST + GRASSLAND),
        to_act=WHITE if to_act == "w" else BLACK,
        mountains=set(read_squares(fields.get("mountains", "-"))),
        fortress={color: read_fortress(fortresses.get(color, "-")) for color in COLORS},
        reserve=read_colors(fields.get("reserve", "-")),
        king_taken=read_colors(fields.get("king_taken", "-")),
        lost={color: read_lost(lost.get(color, "-")) for color in COLORS},
        pending=fields.get("pending"),
        in_turn=read_yes(fields.get("in_turn", "no")),
        over=fields.get("over"),
        passed=read_yes(fields.get("passed", "no")),
        drawn=read_yes(fields.get("drawn", "no")),
        quiet=int(quiet),
    )


def write_position(game: Game) -> str:
    """The position's text; fields at their default are left out."""
    fields = {
        "mountains": write_squares(game.mountains),
        "fortress": by_color({color: write_fortress(game.fortress[color]) for color in COLORS}),
        "reserve": by_color(dict.fromkeys(game.reserve, "yes")),
        "king_taken": by_color(dict.fromkeys(game.king_taken, "yes")),
        "lost": by_color({color: write_lost(game.lost[color]) for color in COLORS}),
        "pending": game.pending or "",
        "in_turn": "yes" if game.in_turn else "",
        "over": game.over or "",
        "passed": "yes" if game.passed else "",
        "drawn": "yes" if game.drawn else "",
    }
    parts = [
        "mikelepage",
        write_grid(game.pieces, WHOLE),
        write_grid(game.terrain, WHOLE),
        "w" if game.to_act == WHITE else "b",
        ";".join(f"{name}={value}" for name, value in fields.items() if value) or "-",
        str(game.quiet),
    ]
    return " ".join(parts)


# --- Texts: setups --------------------------------------------------------------------------------


def read_setup(text: str) -> Setup:
    """A setup's text: five parts. Fortress and terrain follow from the pieces."""
    rule_set, color, pieces, terrain, field_text = text.split(" ")
    if rule_set != "mikelepage" or color not in COLORS or terrain != "-":
        raise ValueError("not a setup of this game")
    fields = read_pairs(field_text, ";", "=")
    if not set(fields) <= {"mountains", "dragon_in_reserve"}:
        raise ValueError("unknown field")
    return Setup(
        color=color,
        pieces=read_grid(pieces, HALF[color], PIECE_LETTERS),
        mountains=read_squares(fields.get("mountains", "-")),
        dragon_in_reserve=read_yes(fields.get("dragon_in_reserve", "no")),
    )


# --- What this module offers ----------------------------------------------------------------------


def setup_is_legal(setup: str) -> bool:
    """Whether a setup's text is that of a finished and legal setup."""
    try:
        return check_setup(read_setup(setup))
    except ValueError:
        return False


def start(white: str, black: str, first: str) -> str:
    """The first position of two legal setups. By D1 White begins, unless a game says otherwise."""
    return write_position(lift_the_screen(read_setup(white), read_setup(black), first))


def actions(position: str) -> set[str]:
    """The texts of the legal actions; none if the game is over."""
    return game_actions(read_position(position))


def after(position: str, action: str) -> str:
    """The position after a legal action."""
    game = read_position(position)
    play(game, action)
    return write_position(game)


def result(position: str) -> str | None:
    """The result if the rules have ended the game."""
    game = read_position(position)
    if game.drawn:
        return "1/2-1/2"
    if game.over is None:
        return None
    winner = game.to_act if game.over == "won" else opponent(game.to_act)
    return "1-0" if winner == WHITE else "0-1"
