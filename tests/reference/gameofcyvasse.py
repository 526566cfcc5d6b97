"""The rules of gameofcyvasse once more, slow and plain.

Written from docs/rules/gameofcyvasse.md alone, to be read beside that page: the functions stand in
the order of the page, and each names the rule or the decision (D3 and so on) that it comes from.
Texts are those of docs/formats.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["actions", "after", "result", "setup_is_legal", "start"]

RULE_SET = "gameofcyvasse"


# What you need: the board


FILES = "abcdefgh"
RANKS = "12345678"
HOMELAND = {"white": "1234", "black": "5678"}

# Files to the east and ranks to the north that one step goes in each direction.
DIRECTIONS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}


def shifted(square: str, east: int, north: int) -> str | None:
    """Give the square so far to the east and to the north, None if that is off the board."""
    file = FILES.index(square[0]) + east
    rank = RANKS.index(square[1]) + north
    if 0 <= file < 8 and 0 <= rank < 8:
        return FILES[file] + RANKS[rank]
    return None


def distance(origin: str, target: str) -> tuple[int, int]:
    """Tell how far the target lies to the east and to the north of the origin."""
    east = FILES.index(target[0]) - FILES.index(origin[0])
    north = RANKS.index(target[1]) - RANKS.index(origin[1])
    return east, north


def squares_beside(square: str) -> list[str]:
    """List the neighbours: "beside" means any of up to eight squares."""
    found = [shifted(square, east, north) for east, north in DIRECTIONS.values()]
    return [neighbour for neighbour in found if neighbour is not None]


def squares_along_edges(square: str) -> list[str]:
    """List the up to four squares that share an edge with this one (D1)."""
    found = [shifted(square, *DIRECTIONS[name]) for name in ("N", "E", "S", "W")]
    return [neighbour for neighbour in found if neighbour is not None]


ALL_SQUARES = [file + rank for file in FILES for rank in RANKS]
BESIDE = {square: squares_beside(square) for square in ALL_SQUARES}


# What you need: tiles and pieces


GRASS, MOUNTAIN, WATER, FOREST, FORTRESS = "", "m", "w", "f", "c"

# How many tiles of each kind a player has; the other 14 of the 32 squares are grass.
TILES = {MOUNTAIN: 6, WATER: 5, FOREST: 6, FORTRESS: 1}

# One piece of each kind: King, Rabble, Spearmen, Crossbowman, Light Horse, Heavy Horse, Elephant,
# Catapult, Trebuchet, Dragon.
KINDS = "KRSXLHECTD"


# Texts: grids, fields and positions


@dataclass
class Position:
    """Everything that decides what is legal, and the count of quiet turns."""

    pieces: dict[str, str] = field(default_factory=dict)  # square to letter, White in upper case
    terrain: dict[str, str] = field(default_factory=dict)  # square to letter, grass left out
    to_act: str = "white"
    ruined: set[str] = field(default_factory=set)  # fortresses
    waiting: set[str] = field(default_factory=set)  # pieces
    facing: dict[str, str] = field(default_factory=dict)  # Trebuchet's square to direction
    passed: bool = False  # the last action was a forced pass that counts
    drawn: bool = False  # it was the second in a row
    quiet_turns: int = 0


def read_grid(text: str, ranks: str, letters: str) -> dict[str, str]:
    """Read a grid of these ranks, the farthest from White first; only these letters may stand."""
    found: dict[str, str] = {}
    if text == "-":
        return found
    rows = text.split("/")
    if len(rows) != len(ranks):
        raise ValueError("wrong number of rows")
    for row, rank in zip(rows, reversed(ranks), strict=True):
        file = 0
        for character in row:
            if character in "12345678":
                file += int(character)
            elif character in letters and file < 8:
                found[FILES[file] + rank] = character
                file += 1
            else:
                raise ValueError("unknown letter or row too long")
        if file != 8:
            raise ValueError("wrong length of a row")
    return found


def write_grid(found: dict[str, str]) -> str:
    """Write a grid of the whole board, row 8 first."""
    if not found:
        return "-"
    rows = []
    for rank in reversed(RANKS):
        row = ""
        empty = 0
        for file in FILES:
            letter = found.get(file + rank, "")
            if letter:
                row += (str(empty) if empty else "") + letter
                empty = 0
            else:
                empty += 1
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def read_position(text: str) -> Position:
    """Read the six parts of a position."""
    _, pieces, terrain, to_act, fields, quiet_turns = text.split(" ")
    position = Position(
        pieces=read_grid(pieces, RANKS, KINDS + KINDS.lower()),
        terrain=read_grid(terrain, RANKS, "mwfc"),
        to_act={"w": "white", "b": "black"}[to_act],
        quiet_turns=int(quiet_turns),
    )
    for part in fields.split(";") if fields != "-" else []:
        name, value = part.split("=")
        if name == "ruined":
            position.ruined = set(value.split(","))
        elif name == "waiting":
            position.waiting = set(value.split(","))
        elif name == "facing":
            for pair in value.split(","):
                square, direction = pair.split(":")
                position.facing[square] = direction
        elif name == "passed":
            position.passed = value == "yes"
        elif name == "drawn":
            position.drawn = value == "yes"
        else:
            raise ValueError("unknown field")
    return position


def write_position(position: Position) -> str:
    """Write the six parts of a position; fields at their default are left out."""
    fields = []
    if position.ruined:
        fields.append("ruined=" + ",".join(sorted(position.ruined)))
    if position.waiting:
        fields.append("waiting=" + ",".join(sorted(position.waiting)))
    if position.facing:
        pairs = [f"{square}:{direction}" for square, direction in sorted(position.facing.items())]
        fields.append("facing=" + ",".join(pairs))
    if position.passed:
        fields.append("passed=yes")
    if position.drawn:
        fields.append("drawn=yes")
    parts = [
        RULE_SET,
        write_grid(position.pieces),
        write_grid(position.terrain),
        position.to_act[0],
        ";".join(fields) or "-",
        str(position.quiet_turns),
    ]
    return " ".join(parts)


# Setting up


@dataclass
class Setup:
    """What a player has laid and placed behind the screen."""

    owner: str
    pieces: dict[str, str]
    terrain: dict[str, str]


def read_setup(text: str) -> Setup:
    """Read the five parts of a setup; it may be unfinished or against the rules."""
    rule_set, owner, pieces, terrain, fields = text.split(" ")
    if rule_set != RULE_SET or owner not in HOMELAND or fields != "-":
        raise ValueError("no setup of this rule set")
    letters = KINDS if owner == "white" else KINDS.lower()
    return Setup(
        owner=owner,
        pieces=read_grid(pieces, HOMELAND[owner], letters),
        terrain=read_grid(terrain, HOMELAND[owner], "mwfc"),
    )


def all_tiles_are_laid(setup: Setup) -> bool:
    """Setting up: all 32 squares are covered with the player's tiles."""
    laid = list(setup.terrain.values())
    return all(laid.count(kind) == number for kind, number in TILES.items())


def all_pieces_are_placed(setup: Setup) -> bool:
    """Setting up: the ten pieces, one of each kind, stand on different squares."""
    placed = [letter.upper() for letter in setup.pieces.values()]
    return sorted(placed) == sorted(KINDS)


def mountain_group(setup: Setup, square: str) -> set[str]:
    """D1: the mountains that hang together with this one along their edges, in one homeland."""
    group = {square}
    to_visit = [square]
    while to_visit:
        for neighbour in squares_along_edges(to_visit.pop()):
            if setup.terrain.get(neighbour) == MOUNTAIN and neighbour not in group:
                group.add(neighbour)
                to_visit.append(neighbour)
    return group


def mountains_are_apart(setup: Setup) -> bool:
    """Setting up, D1: not more than two mountains hang together."""
    mountains = [square for square, kind in setup.terrain.items() if kind == MOUNTAIN]
    return all(len(mountain_group(setup, square)) <= 2 for square in mountains)


def only_dragon_on_mountain(setup: Setup) -> bool:
    """Setting up, D2: a mountain takes a Dragon only, all other ground takes any piece."""
    for square, letter in setup.pieces.items():
        if setup.terrain.get(square) == MOUNTAIN and letter.upper() != "D":
            return False
    return True


def setup_is_legal(setup: str) -> bool:
    """Tell whether a setup is finished and keeps all the rules of setting up."""
    try:
        read = read_setup(setup)
    except ValueError:
        return False
    return (
        all_tiles_are_laid(read)
        and all_pieces_are_placed(read)
        and mountains_are_apart(read)
        and only_dragon_on_mountain(read)
    )


def start(white: str, black: str, first: str) -> str:
    """Lift the screen: give the first position; the lot has decided who begins (D11)."""
    south, north = read_setup(white), read_setup(black)
    # D7: no Trebuchet points anywhere yet. D10: a piece set up on water may act at once.
    position = Position(
        pieces=south.pieces | north.pieces,
        terrain=south.terrain | north.terrain,
        to_act=first,
    )
    return write_position(position)


# A turn: whose pieces, and on which ground


def color_of(letter: str) -> str:
    """Tell whose piece it is: letters of White are upper case."""
    return "white" if letter.isupper() else "black"


def other(color: str) -> str:
    """Give the opponent."""
    return "black" if color == "white" else "white"


def ground_of(position: Position, square: str) -> str:
    """Give the ground of a square; a ruined fortress is grass (The fortress, D12)."""
    if square in position.ruined:
        return GRASS
    return position.terrain.get(square, GRASS)


# Moving


STEPS = {"R": 1, "S": 1, "X": 1, "L": 3, "H": 2, "E": 1, "C": 1, "T": 1, "K": 1}


def steps_left_after(position: Position, square: str, steps: int) -> int:
    """Moving: tell how many steps are left when the ground of this square has been entered."""
    ground = ground_of(position, square)
    if ground == WATER:
        return 0  # ends the movement
    if ground == FOREST:
        return max(steps - 2, 0)  # takes one more, if there is one
    return steps - 1


def walk(position: Position, origin: str) -> dict[str, int]:
    """Moving: give the squares a walking piece can stand on and the most steps left there.

    The square where it began is among them, with all its steps. The piece itself still stands there
    on the board, so it does not come back: it would only have fewer steps left than before.
    """
    left = {origin: STEPS[position.pieces[origin].upper()]}
    to_visit = [origin]
    while to_visit:
        square = to_visit.pop()
        if left[square] == 0:
            continue
        for target in BESIDE[square]:
            if target in position.pieces or ground_of(position, target) == MOUNTAIN:
                continue
            steps = steps_left_after(position, target, left[square])
            if target not in left or steps > left[target]:
                left[target] = steps
                to_visit.append(target)
    return left


def walking_moves(position: Position, origin: str) -> Iterator[str]:
    """Moving: a move may not end where it began."""
    for target in walk(position, origin):
        if target != origin:
            yield f"{origin}-{target}"


# Melee


def walking_melee(position: Position, origin: str) -> Iterator[str]:
    """Melee: with a step left, step onto a square, no mountain, with a piece that can be taken.

    D9: who attacks a standing fortress ends where it made the last step from; if several such
    squares are possible they are different actions.
    """
    if is_shooter_on_water(position, origin):
        return
    for square, steps in walk(position, origin).items():
        if steps == 0:
            continue
        for victim in BESIDE[square]:
            if ground_of(position, victim) == MOUNTAIN:
                continue  # The Dragon: only the enemy Dragon reaches it there
            if not may_attack(position, origin, victim):
                continue
            if ground_of(position, victim) == FORTRESS:
                yield f"{origin}-{square}*{victim}"
            else:
                yield f"{origin}x{victim}"


# Shooting


SHOOTERS = "XCT"


def is_shooter_on_water(position: Position, origin: str) -> bool:
    """Shooting: pieces that shoot cannot attack at all while they stand on water."""
    return position.pieces[origin].upper() in SHOOTERS and ground_of(position, origin) == WATER


def shots_of_crossbowman(origin: str) -> list[str]:
    """The pieces: it shoots at one of the 8 squares beside it."""
    return BESIDE[origin]


def shots_of_catapult(position: Position, origin: str) -> list[str]:
    """The pieces, D12: it shoots at the 5x5 squares around it, never through a mountain (D8)."""
    found = []
    for east in (-2, -1, 0, 1, 2):
        for north in (-2, -1, 0, 1, 2):
            target = shifted(origin, east, north)
            if target is None or target == origin:
                continue
            if not catapult_is_blocked(position, origin, east, north):
                found.append(target)
    return found


def catapult_is_blocked(position: Position, origin: str, east: int, north: int) -> bool:
    """D8: a mountain strictly between blocks a line, a knight's jump only if both are mountains."""
    if abs(east) < 2 and abs(north) < 2:
        return False  # a square beside it: nothing lies between
    if abs(east) == 2 and abs(north) == 1:
        passed = [(east // 2, 0), (east // 2, north)]
    elif abs(east) == 1 and abs(north) == 2:
        passed = [(0, north // 2), (east, north // 2)]
    else:
        passed = [(east // 2, north // 2)]
    return all(is_mountain(position, shifted(origin, *way)) for way in passed)


def is_mountain(position: Position, square: str | None) -> bool:
    """Tell whether a square of the board is a mountain."""
    return square is not None and ground_of(position, square) == MOUNTAIN


def shots_of_trebuchet(position: Position, origin: str) -> list[str]:
    """The pieces: it shoots at the next 3 squares in the direction of its last step (D7, D8)."""
    if origin not in position.facing:
        return []  # D7: it has not moved and points nowhere
    east, north = DIRECTIONS[position.facing[origin]]
    found = []
    for far in (1, 2, 3):
        target = shifted(origin, far * east, far * north)
        if target is None:
            break
        found.append(target)
        if is_mountain(position, target):
            break  # a Dragon on it can be hit, what lies behind cannot
    return found


def shots(position: Position, origin: str) -> Iterator[str]:
    """Shooting: remove a piece in range that can be taken, and stay; shots pass over pieces."""
    kind = position.pieces[origin].upper()
    targets: list[str] = []
    if is_shooter_on_water(position, origin):
        return
    if kind == "X":
        targets = shots_of_crossbowman(origin)
    elif kind == "C":
        targets = shots_of_catapult(position, origin)
    elif kind == "T":
        targets = shots_of_trebuchet(position, origin)
    for target in targets:
        if may_attack(position, origin, target):
            yield f"{origin}*{target}"


# Your own pieces


def may_attack(position: Position, origin: str, victim: str) -> bool:
    """Your own pieces, D5: attack whatever can be taken, of either colour, never the own King."""
    if victim not in position.pieces or victim == origin:
        return False  # nothing to attack: an empty square, or where the attacker set out from
    attacker, target = position.pieces[origin], position.pieces[victim]
    if target.upper() == "K" and color_of(attacker) == color_of(target):
        return False
    if attacker.upper() == "D" and ground_of(position, victim) == FOREST:
        return False  # The Dragon: it attacks nothing that stands on forest, not even a King (D12)
    return can_take(attacker.upper(), target.upper())


# The pieces


# D3: the order of strength.
STRENGTH = {"R": 1, "S": 2, "X": 3, "L": 4, "H": 5, "E": 6, "C": 7, "T": 8, "D": 9}


def can_take(attacker: str, victim: str) -> bool:
    """Who can take whom: the own rank or lower, the rank just above, and Kings."""
    if attacker == "K" or victim == "K":
        return True
    if attacker in SHOOTERS and victim == "D":
        return True
    if attacker in "LH" and victim == "S":
        return False  # D4: cavalry is Light Horse and Heavy Horse
    return STRENGTH[victim] <= STRENGTH[attacker] + 1


def dragon_flights(position: Position, origin: str) -> Iterator[str]:
    """The Dragon: it flies in the eight straight lines."""
    for direction in DIRECTIONS:
        yield from dragon_line(position, origin, direction)


def dragon_line(position: Position, origin: str, direction: str) -> Iterator[str]:
    """The Dragon: over everything but the enemy Dragon, to an empty square or a piece to take.

    D9: before a fortress it ends on the last empty square of the line, or stays where it was.
    """
    east, north = DIRECTIONS[direction]
    last_empty = origin
    square = shifted(origin, east, north)
    while square is not None:
        if square not in position.pieces:
            yield f"{origin}-{square}"
            last_empty = square
        else:
            if may_attack(position, origin, square):
                if ground_of(position, square) == FORTRESS:
                    yield f"{origin}-{last_empty}*{square}"
                else:
                    yield f"{origin}x{square}"
            if is_enemy_dragon(position, origin, square):
                break
        square = shifted(square, east, north)


def is_enemy_dragon(position: Position, origin: str, square: str) -> bool:
    """The Dragon: tell whether the piece on the square is a Dragon of the other colour."""
    piece = position.pieces[square]
    return piece.upper() == "D" and color_of(piece) != color_of(position.pieces[origin])


# A turn: everything that can be done


def actions_of_piece(position: Position, origin: str) -> set[str]:
    """A turn: one piece moves, attacks in melee or shoots (D6), whether it waits or not."""
    if position.pieces[origin].upper() == "D":
        return set(dragon_flights(position, origin))
    found = set(walking_moves(position, origin))
    found.update(walking_melee(position, origin))
    found.update(shots(position, origin))
    return found


def own_squares(position: Position) -> list[str]:
    """List where the pieces of the player to act stand."""
    return [
        square for square, letter in position.pieces.items() if color_of(letter) == position.to_act
    ]


def all_actions(position: Position) -> set[str]:
    """A turn: everything the player to act can do; a piece that waits cannot act (D10)."""
    if outcome(position) is not None:
        return set()  # D12: a finished game has no actions, not even a pass
    found: set[str] = set()
    for square in own_squares(position):
        if square not in position.waiting:
            found.update(actions_of_piece(position, square))
    return found or {"pass"}  # P4: a player who can do nothing must pass


def actions(position: str) -> set[str]:
    """Give the texts of the legal actions; there are none if the game is over."""
    return all_actions(read_position(position))


# A turn: what an action brings about


def direction_of_step(origin: str, target: str) -> str:
    """D7: the direction in which a Trebuchet's one step points it."""
    for name, step in DIRECTIONS.items():
        if step == distance(origin, target):
            return name
    raise ValueError("not one step")


def remove_piece(position: Position, square: str) -> None:
    """Take a piece from the board, and with it whether it waits and where it points."""
    del position.pieces[square]
    position.waiting.discard(square)
    position.facing.pop(square, None)


def put_piece(position: Position, origin: str, target: str) -> None:
    """Bring a piece to the empty square where its movement ends."""
    letter = position.pieces[origin]
    remove_piece(position, origin)
    position.pieces[target] = letter
    if letter.upper() == "T":
        position.facing[target] = direction_of_step(origin, target)  # D7
    if letter.upper() != "D" and ground_of(position, target) == WATER:
        position.waiting.add(target)  # Moving, D10: it has entered water


def do_move(position: Position, origin: str, target: str) -> None:
    """Moving: the piece goes to an empty square; nothing is taken, so the turn is quiet (P3)."""
    put_piece(position, origin, target)
    position.quiet_turns += 1


def do_melee(position: Position, origin: str, victim: str) -> None:
    """Melee: the victim is removed, the attacker stands in its place."""
    remove_piece(position, victim)
    put_piece(position, origin, victim)
    position.quiet_turns = 0


def do_siege(position: Position, origin: str, end: str, victim: str) -> None:
    """The fortress, D9: the piece in it stays, the fortress is ruined, the attacker ends before it.

    D13: an attacker that stays in water has not entered it anew and does not wait.
    """
    if end != origin:
        put_piece(position, origin, end)
    if position.pieces[end].upper() == "T":
        position.facing[end] = direction_of_step(end, victim)  # D7: a stopped attack points it too
    position.ruined.add(victim)
    position.quiet_turns = 0


def do_shot(position: Position, victim: str) -> None:
    """Shooting: the victim is removed, or its fortress ruined; who shoots stays."""
    if ground_of(position, victim) == FORTRESS:
        position.ruined.add(victim)
    else:
        remove_piece(position, victim)
    position.quiet_turns = 0


def pass_is_excused(position: Position) -> bool:
    """D14: the pass is forced only because pieces wait; one could act if it did not wait."""
    for square in own_squares(position):
        if square in position.waiting and actions_of_piece(position, square):
            return True
    return False


def do_pass(position: Position, passed_before: bool, excused: bool) -> None:
    """P4: the second forced pass in a row ends the game drawn; an excused one does not count."""
    if not excused:
        position.passed = True
        position.drawn = passed_before
    position.quiet_turns += 1


def after(position: str, action: str) -> str:
    """Give the position after a legal action."""
    now = read_position(position)
    passed_before = now.passed
    excused = action == "pass" and pass_is_excused(now)
    now.passed = False
    # D10: whoever waited in this turn, a forced pass too, can act in the next.
    now.waiting -= set(own_squares(now))
    if action == "pass":
        do_pass(now, passed_before, excused)
    elif "-" in action and "*" in action:
        origin, rest = action.split("-")
        end, victim = rest.split("*")
        do_siege(now, origin, end, victim)
    elif "-" in action:
        origin, target = action.split("-")
        do_move(now, origin, target)
    elif "x" in action:
        origin, victim = action.split("x")
        do_melee(now, origin, victim)
    else:
        origin, victim = action.split("*")
        do_shot(now, victim)
    now.to_act = other(now.to_act)
    return write_position(now)


# The end


def outcome(position: Position) -> str | None:
    """The end: you win by taking the enemy King. P4: two forced passes in a row are a draw."""
    letters = position.pieces.values()
    if "k" not in letters:
        return "1-0"
    if "K" not in letters:
        return "0-1"
    if position.drawn:
        return "1/2-1/2"
    return None


def result(position: str) -> str | None:
    """Tell the result if the rules have ended the game, None while it goes on."""
    return outcome(read_position(position))
