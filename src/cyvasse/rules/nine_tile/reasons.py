"""Why a piece of Nine-Tile Cyvasse may or may not act on a square, in sentences that cite the rule.

Written from the rules a second time, on names and plain data: the tests compare it with the legal
actions, so neither can be wrong alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from cyvasse.rules.base import Position
from cyvasse.rules.nine_tile.board import NINE_TILE
from cyvasse.rules.nine_tile.pieces import SPECS
from cyvasse.rules.terms import Color, Piece, Reason, in_words

_FORWARD = {Color.WHITE: ("NW", "NE"), Color.BLACK: ("SE", "SW")}
_CAPTURE_REACH = {"elephant": 2}  # where it is not the movement allowance
_HORSES = ("light_horse", "heavy_horse")


def reasons(position: Position, origin: str, target: str) -> list[Reason]:
    """See ``Position.reasons``."""
    field = Battlefield(position)
    found = list(_judgements(field, origin, target, position.state().fields["second_rabble"]))
    return sorted(found, key=lambda reason: not reason.legal)


class Battlefield:
    """A position by names: who stands where, on what ground, and who engages whom."""

    def __init__(self, position: Position) -> None:
        state = position.state()
        self.pieces = state.pieces
        self.terrain = state.terrain
        self.side = state.to_move
        self.zone = {
            self.beside(square, direction): square
            for square, piece in self.pieces.items()
            if piece.type == "spears" and piece.color != self.side
            for direction in _FORWARD[piece.color]
        }

    def beside(self, square: str, direction: str) -> str | None:
        there = NINE_TILE.neighbour(NINE_TILE.index(square), direction)
        return None if there is None else NINE_TILE.squares[there]

    def line(self, square: str, direction: str) -> list[str]:
        return [NINE_TILE.squares[i] for i in NINE_TILE.line(NINE_TILE.index(square), direction)]

    def is_mountain(self, square: str) -> bool:
        return self.terrain.get(square) == "mountain"

    def is_own(self, square: str) -> bool:
        return square in self.pieces and self.pieces[square].color == self.side

    def is_enemy(self, square: str) -> bool:
        return square in self.pieces and self.pieces[square].color != self.side

    def is_free(self, square: str) -> bool:
        return square not in self.pieces and not self.is_mountain(square)

    def title(self, square: str) -> str:
        """``Heavy Horse``."""
        return SPECS[self.pieces[square].type].type.title

    def name(self, square: str) -> str:
        """``Heavy Horse on f6``."""
        return f"{self.title(square)} on {square}"

    def stands(self, square: str) -> str:
        """``Heavy Horse on f6 is``."""
        return f"{self.name(square)} {SPECS[self.pieces[square].type].type.does('be')}"

    def towers_beside(self, square: str, color: Color) -> list[str]:
        """Towers of ``color`` next to a square."""
        around = [self.beside(square, direction) for direction in NINE_TILE.directions]
        tower = Piece(color, "tower")
        return [there for there in around if there and self.pieces.get(there) == tower]

    def engages(self, engager: str, victim: str) -> bool:
        """Whether the piece on one square engages the opposing piece on another."""
        piece = self.pieces[engager]
        straight = NINE_TILE.direction(engager, victim)
        if straight is None or self.terrain.get(engager) == "water":
            return False
        direction, distance = straight
        if distance > SPECS[piece.type].engagement:
            return False
        if piece.type == "trebuchet" and distance == 1:
            return False
        if piece.type == "spears" and direction not in _FORWARD[piece.color]:
            return False
        if self.towers_beside(engager, piece.color.other) and (
            distance > 1 or self.pieces[victim].type != "tower"
        ):
            return False
        between = self.line(engager, direction)[: distance - 1]
        return not any(
            self.is_mountain(square)
            or (square in self.pieces and self.pieces[square].color != piece.color)
            for square in between
        )

    def engagers(self, victim: str) -> list[str]:
        """The squares of the pieces that engage the piece on ``victim``."""
        color = self.pieces[victim].color
        return [
            square
            for square, piece in self.pieces.items()
            if piece.color != color and self.engages(square, victim)
        ]

    def engagement(self, victim: str) -> tuple[bool, str]:
        """Whether the piece may be captured as far as engagement goes, and the sentence."""
        needed = SPECS[self.pieces[victim].type].armour
        engagers = self.engagers(victim)
        if needed == 0:
            return True, f"{self.stands(victim)} unarmoured: no piece has to engage there"
        number = len(engagers)
        count = f"{number} piece{'' if number == 1 else 's'}" if number else "no piece"
        needs = SPECS[self.pieces[victim].type].type.does("need")
        verdict = f"{self.stands(victim)} engaged by {count} and {needs} {needed}"
        if engagers:
            verdict += f" ({in_words([self.name(square) for square in engagers])})"
        return number >= needed, verdict


def _judgements(
    field: Battlefield, origin: str, target: str, second: str | None
) -> Iterator[Reason]:
    piece = field.pieces[origin]
    title = SPECS[piece.type].type.title
    if second is not None:
        yield from _second_rabble(field, origin, target, second)
    elif piece.type == "tower":
        yield _no("Towers never move.", "Tower")
    elif field.is_own(target):
        yield _no(
            f"{title} cannot end on {target}: your own {field.title(target)} stands there.", "D1"
        )
    elif field.is_enemy(target):
        yield _capture(field, origin, target)
    else:
        if piece.type in _HORSES:
            yield from _landing_beyond(field, origin, target)
        yield _move(field, origin, target)
        if piece.type == "trebuchet":
            yield from _stepping_away(field, origin, target)


def _squares(number: int) -> str:
    return "1 square" if number == 1 else f"{number} squares"


def _no(sentence: str, rule: str) -> Reason:
    return Reason(
        False, sentence, f"nine-tile, {rule}" if rule[1:].isalpha() else f"nine-tile {rule}"
    )


def _yes(sentence: str, rule: str) -> Reason:
    return _no(sentence, rule)._replace(legal=True)


def _second_rabble(field: Battlefield, origin: str, target: str, second: str) -> Iterator[Reason]:
    if field.pieces[origin].type != "rabble":
        yield _no(
            f"A Rabble has moved to {second}: now only another Rabble may move, or the turn ends.",
            "D9",
        )
    elif origin == second:
        yield _no(f"The Rabble on {second} has moved already; the second must be another.", "D9")
    elif field.is_enemy(target):
        yield _no("The second Rabble of a turn may move but not capture.", "D9")
    elif field.is_own(target):
        yield _no(f"Your own {field.title(target)} stands on {target}.", "D1")
    else:
        yield _move(field, origin, target)


# --- normal moves ---------------------------------------------------------------------------------


def _move(field: Battlefield, origin: str, target: str) -> Reason:
    piece = field.pieces[origin]
    spec = SPECS[piece.type]
    title, allowance = spec.type.title, spec.allowance
    if field.is_mountain(target):
        return _no(f"{target} is a mountain: no piece can end there.", "D1")
    if piece.type == "king" and (vault := _vault(field, origin, target)):
        tower = vault
        if tower not in field.zone:
            return _yes(f"King may go over his own Tower on {tower} to {target}.", "D7")
        return _no(
            f"King cannot go over {tower}: it is in front of the {field.name(field.zone[tower])}.",
            "D7",
        )
    distance = NINE_TILE.distance(origin, target)
    if distance > allowance:
        return _no(
            f"{title} {spec.type.does('move')} at most {_squares(allowance)}; "
            f"{target} is {distance} away.",
            "D1",
        )
    steps = _steps(field, origin, target, zones=True)
    if steps is not None and steps <= allowance:
        return _yes(f"{title} may move to {target}, {steps} of {allowance} squares.", "D1")
    free = _steps(field, origin, target, zones=False)
    if free is not None and free <= allowance:
        stops = [square for square in _zones_near(field, origin, allowance) if square != target]
        spears = sorted({field.zone[square] for square in stops})
        return _no(
            f"{title} cannot reach {target}: the way ends at {in_words(stops, 'or')}, in front of "
            f"the Spears on {in_words(spears)}.",
            "D2",
        )
    barriers = "mountains and opposing pieces bar"
    return _no(
        f"{title} cannot reach {target} in {allowance} squares: {barriers} every path.", "D1"
    )


def _vault(field: Battlefield, origin: str, target: str) -> str | None:
    """The own Tower that a King would go over."""
    straight = NINE_TILE.direction(origin, target)
    if straight is None or straight[1] != 2:
        return None
    tower = field.line(origin, straight[0])[0]
    return tower if field.pieces.get(tower) == Piece(field.side, "tower") else None


def _steps(field: Battlefield, origin: str, target: str, zones: bool) -> int | None:
    """The length of the shortest path, or None; zones end a path unless they are left out."""
    flies = field.pieces[origin].type == "dragon"
    reached = {origin: 0}
    edge = [origin]
    while edge:
        here = edge.pop(0)
        if zones and here != origin and here in field.zone:
            continue
        for direction in NINE_TILE.directions:
            there = field.beside(here, direction)
            if there is None or there in reached:
                continue
            if flies or there == target or field.is_own(there) or field.is_free(there):
                reached[there] = reached[here] + 1
                edge.append(there)
    return reached.get(target)


def _zones_near(field: Battlefield, origin: str, allowance: int) -> list[str]:
    return sorted(
        square
        for square in field.zone
        if square is not None and 0 < NINE_TILE.distance(origin, square) < allowance
    )


# --- captures -------------------------------------------------------------------------------------


def _capture(field: Battlefield, origin: str, target: str) -> Reason:
    piece = field.pieces[origin]
    title = SPECS[piece.type].type.title
    if piece.type == "crossbows":
        return _no("Crossbows never capture; they engage for others.", "D8")
    if piece.type == "trebuchet":
        return _hurl(field, origin, target)
    straight = NINE_TILE.direction(origin, target)
    if straight is None:
        return _no(
            f"Captures go in a straight line; none of the six leads from {origin} to {target}.",
            "Captures",
        )
    direction, distance = straight
    reach = _CAPTURE_REACH.get(piece.type, SPECS[piece.type].allowance)
    tower = _vault(field, origin, target) if piece.type == "king" else None
    if tower and tower in field.zone:
        return _no(
            f"King cannot go over {tower}: it is in front of the {field.name(field.zone[tower])}.",
            "D7",
        )
    if distance > reach and not tower:
        return _no(
            f"{title} {SPECS[piece.type].type.does('capture')} at most {_squares(reach)} away; "
            f"{target} is {distance} away.",
            "Captures",
        )
    if piece.type == "spears" and direction not in _FORWARD[piece.color]:
        return _no("Spears capture only the two squares in front of them.", "D8")
    if not tower:
        obstacle = _obstacle(field, piece.type, field.line(origin, direction)[: distance - 1])
        if obstacle:
            return obstacle
    enough, verdict = field.engagement(target)
    if not enough:
        return _no(f"{verdict}.", "D8")
    over = f" over his Tower on {tower}" if tower else ""
    return _yes(f"{title} may capture{over}: {verdict}.", "D7" if tower else "D8")


def _obstacle(field: Battlefield, kind: str, between: list[str]) -> Reason | None:
    """What stops a piece on the squares before its victim."""
    title = SPECS[kind].type.title
    for square in between:
        if kind != "dragon" and field.is_mountain(square):
            return _no(f"The mountain on {square} is in the way.", "D1")
        if kind == "elephant" and square in field.pieces:
            return _no(f"Elephants go through no piece: {field.stands(square)} in the way.", "D4")
        if kind != "dragon" and field.is_enemy(square):
            return _no(f"{field.stands(square)} in the way.", "D1")
        if square in field.zone:
            return _no(
                f"{title} must stop on {square}, in front of the {field.name(field.zone[square])}.",
                "D2",
            )
    return None


def _landing_beyond(field: Battlefield, origin: str, target: str) -> Iterator[Reason]:
    """A horse's captures that would land on ``target``."""
    straight = NINE_TILE.direction(origin, target)
    if straight is None:
        return
    direction, distance = straight
    piece = field.pieces[origin]
    title = SPECS[piece.type].type.title
    path = field.line(origin, direction)[: distance - 1]
    victims = [square for square in path if field.is_enemy(square)]
    if not victims:
        return
    victim = victims[0]
    allowance = SPECS[piece.type].allowance
    verdict = _capture(field, origin, victim)
    if distance > allowance:
        yield _no(
            f"{title} has only {allowance} squares to ride; {target} is {distance} away.", "D3"
        )
    elif not verdict.legal:
        yield verdict
    elif victim in field.zone:
        yield _no(
            f"{title} cannot ride on: {victim} lies in front of the "
            f"{field.name(field.zone[victim])}.",
            "D3",
        )
    else:
        beyond = path[path.index(victim) + 1 :]
        obstacle = _obstacle(field, piece.type, beyond)
        if obstacle:
            yield _no(obstacle.sentence, "D3")
        elif field.is_mountain(target):
            yield _no(f"{target} is a mountain: no horse can land there.", "D3")
        else:
            yield _yes(f"{title} may capture {field.name(victim)} and land on {target}.", "D3")


def _stepping_away(field: Battlefield, origin: str, target: str) -> Iterator[Reason]:
    """A Trebuchet's captures that would step to ``target``."""
    straight = NINE_TILE.direction(origin, target)
    if straight is None or straight[1] != 1:
        return
    ahead = field.line(origin, NINE_TILE.turned_direction(straight[0]))
    victims = [square for square in ahead if field.is_enemy(square)]
    if victims:
        yield _hurl(field, origin, victims[0])


def _hurl(field: Battlefield, origin: str, target: str) -> Reason:
    towers = field.towers_beside(origin, field.side.other)
    if not field.engages(origin, target):
        if field.terrain.get(origin) == "water":
            why = f"it stands in water on {origin}"
        elif towers:
            why = f"the Tower on {in_words(towers)} is beside it"
        else:
            why = "it engages in a straight line, 2 to 4 squares away, past its own pieces only"
        return _no(f"Trebuchet does not engage {field.name(target)}: {why}.", "D5")
    straight = NINE_TILE.direction(origin, target)
    assert straight is not None  # what it engages lies straight ahead
    back = field.beside(origin, NINE_TILE.turned_direction(straight[0]))
    if back is None:
        return _no("Trebuchet must step back to capture, and the board ends behind it.", "D5")
    if not field.is_free(back):
        holder = field.name(back) if back in field.pieces else f"a mountain on {back}"
        return _no(f"Trebuchet must step back to capture, and {holder} is behind it.", "D5")
    enough, verdict = field.engagement(target)
    if not enough:
        return _no(f"{verdict}.", "D8")
    return _yes(f"Trebuchet may capture {field.name(target)}, stepping back to {back}.", "D5")
