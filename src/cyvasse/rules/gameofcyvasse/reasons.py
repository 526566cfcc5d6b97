"""Why a piece of gameofcyvasse may or may not act on a square, in a sentence.

Written from the rules and the plain state of a position, not from the generator: ways are found by
walking every one of them, so that each of the two can be tested against the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cyvasse.rules.base import Position
from cyvasse.rules.gameofcyvasse.board import GAMEOFCYVASSE as BOARD
from cyvasse.rules.gameofcyvasse.pieces import CAVALRY, DRAGON, KING, PIECES, SHOOTERS, SPECS, takes
from cyvasse.rules.terms import Piece, Reason, State, in_words

_COMPASS: Mapping[str, str] = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}
_RANGES: Mapping[str, int] = {"crossbowman": 1, "catapult": 2, "trebuchet": 3}


def reasons(position: Position, origin: str, target: str) -> list[Reason]:
    """See ``Position.reasons``."""
    case = Case(position.state(), origin, target)
    if origin in case.state.fields["waiting"]:
        return [
            _no(
                f"{case.mover} on {origin} went into the water on its last turn and must wait; "
                f"it can act again on your next turn.",
                "D10",
            )
        ]
    if case.victim is None:
        return [_flight(case) if case.piece.type == DRAGON else _walk(case)]
    refusal = _spared(case)
    if refusal is not None:
        return [refusal]
    if case.piece.type == DRAGON:
        return [_flight(case)]
    if case.piece.type not in SHOOTERS:
        return [_walk(case)]
    if case.ground(origin) == "water":
        return [
            _no(
                f"{case.mover} on {origin} stands in water and cannot attack from there; "
                f"it must move out first.",
                "Water",
            )
        ]
    found = [_shot(case), _walk(case)]
    return sorted(found, key=lambda reason: not reason.legal)


class Case(NamedTuple):
    """One question: what about the piece on ``origin`` and the square ``target``?"""

    state: State
    origin: str
    target: str

    @property
    def piece(self) -> Piece:
        return self.state.pieces[self.origin]

    @property
    def victim(self) -> Piece | None:
        return self.state.pieces.get(self.target)

    @property
    def mover(self) -> str:
        return f"The {_title(self.piece)}"

    @property
    def distance(self) -> int:
        return BOARD.distance(self.origin, self.target)

    def ground(self, square: str) -> str:
        ground = self.state.terrain.get(square, "grass")
        return "grass" if square in self.state.fields["ruined"] else ground

    def called(self, square: str) -> str:
        """``your Rabble`` or ``the Rabble``, for the piece on a square."""
        piece = self.state.pieces[square]
        owner = "your" if piece.color is self.piece.color else "the enemy"
        return f"{owner} {_title(piece)}"


def _title(piece: Piece) -> str:
    return SPECS[piece.type].type.title


def _yes(sentence: str, rule: str) -> Reason:
    return Reason(True, sentence, _cite(rule))


def _no(sentence: str, rule: str) -> Reason:
    return Reason(False, sentence, _cite(rule))


def _cite(rule: str) -> str:
    return f"gameofcyvasse {rule}" if rule[1:].isdigit() else f"gameofcyvasse, {rule}"


# --- who can take whom ----------------------------------------------------------------------------


def _spared(case: Case) -> Reason | None:
    """Why the piece on the target cannot be attacked by this piece from anywhere, if so."""
    victim = case.victim
    assert victim is not None
    attacker, name = case.piece.type, case.called(case.target)
    if victim.type == KING and victim.color is case.piece.color:
        return _no("You may attack your own pieces, but never your own King.", "D5")
    if attacker == DRAGON and case.ground(case.target) == "forest":
        return _no(f"The Dragon cannot attack {name} on {case.target}, a forest.", "Dragon")
    if takes(attacker, victim.type):
        return None
    if attacker in CAVALRY and victim.type == "spearmen":
        return _no(f"{case.mover} cannot take {name}: horses never take Spearmen.", "Spearmen")
    return _no(
        f"{case.mover} cannot take {name}, which is too strong for it; "
        f"it takes {_prey(attacker)} and Kings.",
        "Who can take whom",
    )


def _prey(attacker: str) -> str:
    """The pieces that a type can take, by their order: ``Rabble, Crossbowman to Elephant``."""
    runs: list[list[str]] = [[]]
    for spec in PIECES:
        if spec.type.name != KING and takes(attacker, spec.type.name):
            runs[-1].append(spec.type.title)
        elif runs[-1]:
            runs.append([])
    return ", ".join(" to ".join(dict.fromkeys((run[0], run[-1]))) for run in runs if run)


def _blow(case: Case) -> tuple[str, str]:
    """What an attack does to the target, and the rule of it if it has one of its own."""
    name = case.called(case.target)
    if case.ground(case.target) == "fortress":
        saved = f"ruin the fortress on {case.target}, which saves {name} on it"
        return f"{saved}; the attacker does not enter", "The fortress"
    own = case.victim is not None and case.victim.color is case.piece.color
    return f"take {name} on {case.target}", "D5" if own else ""


# --- walking --------------------------------------------------------------------------------------


def _walk(case: Case) -> Reason:
    """Whether the piece can step to the target, over any way."""
    steps = SPECS[case.piece.type].steps
    if case.ground(case.target) == "mountain":
        if case.victim is None:
            return _no(f"{case.target} is a mountain; only a Dragon can land there.", "Mountain")
        return _no(
            f"{case.called(case.target)[0].upper()}{case.called(case.target)[1:]} on {case.target} "
            f"roosts on a mountain: only a Dragon or a shot can reach it there.",
            "Mountain",
        )
    if case.distance > steps:
        return _no(
            f"{case.mover} {SPECS[case.piece.type].type.does('move')} {_squares(steps)} a turn; "
            f"{case.target} is {case.distance} away.",
            _title(case.piece),
        )
    ways = sorted(_ways(case, case.origin, steps, ()), key=len)
    if not ways:
        return _barred(case, steps)
    by = f" by way of {in_words(ways[0])}" if ways[0] else ""
    if case.victim is not None:
        blow, rule = _blow(case)
        enters = case.ground(case.target) == "water"
        waits = "; in the water it will have to wait" if enters else ""
        return _yes(f"{case.mover} can attack{by} and {blow}{waits}.", rule or "Melee")
    if case.ground(case.target) == "water":
        return _yes(
            f"{case.mover} can move to {case.target}{by}; in the water it will have to wait.",
            "Water",
        )
    return _yes(f"{case.mover} can move to {case.target}{by}.", _title(case.piece))


def _ways(case: Case, here: str, left: int, passed: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The squares entered before the target, for every way that reaches it."""
    if left < 1:
        return
    for square in _around(here):
        if square == case.target:
            yield passed
        elif _is_open(case, square) and square not in passed:
            yield from _ways(case, square, _left(case, square, left), (*passed, square))


def _is_open(case: Case, square: str) -> bool:
    taken = square in case.state.pieces and square != case.origin
    return not taken and case.ground(square) != "mountain"


def _left(case: Case, square: str, left: int) -> int:
    """The steps left after entering a square."""
    ground = case.ground(square)
    if ground == "water":
        return 0
    return left - 2 if ground == "forest" else left - 1


def _around(square: str) -> list[str]:
    there = (BOARD.neighbour(BOARD.index(square), direction) for direction in BOARD.directions)
    return [BOARD.squares[index] for index in there if index is not None]


def _barred(case: Case, steps: int) -> Reason:
    """What lies on the ways that would be short enough."""
    between = [
        square
        for square in BOARD.squares
        if square not in (case.origin, case.target)
        and BOARD.distance(case.origin, square) + BOARD.distance(square, case.target) <= steps
    ]
    pieces = [square for square in between if square in case.state.pieces]
    empty = [square for square in between if square not in case.state.pieces]
    mountains, water, forest = (
        [square for square in empty if case.ground(square) == ground]
        for ground in ("mountain", "water", "forest")
    )
    walls = [_on(squares, what) for what, squares in (("piece", pieces), ("mountain", mountains))]
    hindrances = []
    if any(walls):
        verb = "blocks" if len(pieces) + len(mountains) == 1 else "block"
        hindrances.append(f"{in_words([wall for wall in walls if wall])} {verb} it")
    if water:
        hindrances.append(f"water on {in_words(water)} would stop it")
    if forest:
        hindrances.append(f"forest on {in_words(forest)} takes a step more")
    return _no(
        f"{case.mover} finds no way of {steps} steps to {case.target}: {', '.join(hindrances)}.",
        "Moving",
    )


def _on(squares: list[str], what: str) -> str:
    """``the piece on e4``, ``the mountains on e4 and f4``, or nothing."""
    return f"the {what}{'s' if len(squares) > 1 else ''} on {in_words(squares)}" if squares else ""


def _squares(count: int) -> str:
    return f"{count} square{'' if count == 1 else 's'}"


# --- flying ---------------------------------------------------------------------------------------


def _flight(case: Case) -> Reason:
    """Whether the Dragon can fly to the target."""
    line = BOARD.direction(case.origin, case.target)
    if line is None:
        return _no(
            f"The Dragon flies in straight lines; none leads from {case.origin} to {case.target}.",
            "Dragon",
        )
    for square in _ahead(case.origin, *line)[:-1]:
        piece = case.state.pieces.get(square)
        if piece is not None and piece.type == DRAGON:
            return _no(
                f"The enemy Dragon on {square} is in the way, the one piece that a Dragon "
                f"cannot fly over.",
                "Dragon",
            )
    if case.victim is None:
        return _yes(f"The Dragon can fly to {case.target}.", "Dragon")
    blow, rule = _blow(case)
    return _yes(f"The Dragon can {blow}.", rule or "Dragon")


def _ahead(square: str, direction: str, count: int) -> list[str]:
    """The next squares in a direction, as far as the board goes."""
    return [BOARD.squares[i] for i in BOARD.line(BOARD.index(square), direction)[:count]]


# --- shooting -------------------------------------------------------------------------------------


def _shot(case: Case) -> Reason:
    """Whether the target can be shot at from where the shooter stands."""
    reach = _RANGES[case.piece.type]
    if case.piece.type == "trebuchet":
        refusal = _aside(case, reach)
        if refusal is not None:
            return refusal
    if case.distance > reach:
        return _no(
            f"{case.mover} shoots {_squares(reach)} far; {case.target} is {case.distance} away.",
            _title(case.piece),
        )
    cover = _cover(case)
    if cover:
        verb = "shields" if len(cover) == 1 else "shield"
        wall = _on(cover, "mountain").replace("the", "The")
        return _no(f"{wall} {verb} {case.target} from the shot.", "D8")
    blow, rule = _blow(case)
    return _yes(f"{case.mover} can shoot and {blow}.", rule or _title(case.piece))


def _aside(case: Case, reach: int) -> Reason | None:
    """Why a Trebuchet does not point at the target, if so."""
    facing = case.state.fields["facing"].get(case.origin)
    if facing is None:
        return _no(
            "The Trebuchet has not moved yet and points nowhere; its first step will aim it.",
            "D7",
        )
    squares = _ahead(case.origin, facing, reach)
    if case.target in squares:
        return None
    # At the edge nothing may be left to shoot at.
    only = f"shoots only at {in_words(squares, 'or')}" if squares else "has nothing ahead of it"
    return _no(
        f"The Trebuchet points {_COMPASS[facing]} and {only}; a step elsewhere turns it.",
        "D7",
    )


def _cover(case: Case) -> list[str]:
    """The mountains that shield the target from a shot, if they do (D8)."""
    if case.distance < 2:
        return []
    line = BOARD.direction(case.origin, case.target)
    if line is not None:
        between = _ahead(case.origin, *line)[:-1]
        return [square for square in between if case.ground(square) == "mountain"]
    # A knight's jump: the squares beside both ends are the two between.
    between = sorted(set(_around(case.origin)) & set(_around(case.target)))
    mountains = [square for square in between if case.ground(square) == "mountain"]
    return mountains if len(mountains) == len(between) else []
