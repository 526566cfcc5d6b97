"""Why a piece may or may not go somewhere, told from the public state and the board alone.

Written independently of the generator, so that each can be tested against the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cyvasse.boards import HEXAGON_DIAGONALS
from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.pieces import (
    BRING_OUT_RANGE,
    DIAGONAL,
    FLIGHT,
    SPECS,
    STRAIGHT,
    TieredType,
)
from cyvasse.rules.terms import Color, Piece, Reason, in_words


class Centre(NamedTuple):
    """What horses ride round."""

    at: str
    words: str


class View:
    """A position as the player to act sees it."""

    def __init__(self, position: Position) -> None:
        state = position.state()
        self.player = state.to_move
        self.pieces = state.pieces
        self.terrain = state.terrain
        self.mountains = frozenset(state.fields["mountains"])
        self.pending: str | None = state.fields["pending"]
        self.reserve: bool = state.fields["reserve"][str(self.player)]
        self.fortress = state.fields["fortress"]
        self.centres = [centre for color in Color for centre in self._centres(color)]

    def _centres(self, color: Color) -> list[Centre]:
        fortress = self.fortress[str(color)]
        if not fortress["ruined"]:
            return [Centre(fortress["at"], f"the fortress on {fortress['at']}")]
        corner = fortress["corner"]
        return [] if corner is None else [Centre(corner, f"the corner {corner}")]

    def owner(self, color: Color) -> str:
        return "your" if color is self.player else f"{color.title}'s"

    def named(self, square: str) -> str:
        """``your Rabble on e4`` or ``the mountain on e4``."""
        if square in self.mountains:
            return f"the mountain on {square}"
        piece = self.pieces[square]
        return f"{self.owner(piece.color)} {SPECS[piece.type].type.title} on {square}"

    def taken(self, square: str) -> bool:
        return square in self.pieces or square in self.mountains

    def defence(self, square: str) -> tuple[int, str]:
        """The defence tier of the piece there and, in brackets, what raises it."""
        piece = self.pieces[square]
        spec = SPECS[piece.type]
        fortress = self.fortress[str(piece.color)]
        if piece.type == "dragon":
            return spec.tier, ""
        if fortress["at"] == square and not fortress["ruined"]:
            return spec.tier + 1, " (fortress)"
        if spec.home is not None and self.terrain.get(square) == spec.home:
            return spec.tier + 1, f" ({spec.home})"
        return spec.tier, ""


def reasons(position: Position, origin: str, target: str) -> list[Reason]:
    """See ``Position.reasons``."""
    view = View(position)
    if view.pending == "corner":
        ruin = view.fortress[str(view.player.other)]["at"]
        return [
            _no(
                f"First choose the corner that replaces {view.owner(view.player.other)} ruined "
                f"fortress on {ruin}.",
                "step 1 of the turn",
            )
        ]
    if view.pending == "promotion":
        here = view.fortress[str(view.player)]["at"]
        return [_no(f"First choose what your Rabble on {here} becomes.", "step 2 of the turn")]
    if origin == "dragon":
        return _bring_out(view, target)
    spec = SPECS[view.pieces[origin].type]
    if blocked := _landing_problem(view, target):
        return [blocked]
    refused = _way_problems(view, origin, target)
    if refused:
        return refused
    if target in view.pieces:
        return [_capture(view, origin, target)]
    return [_yes(f"{spec.type.title} on {origin} can go to {target}.", spec.type.title)]


def _yes(sentence: str, section: str) -> Reason:
    return Reason(True, sentence, f"mikelepage, {section}")


def _no(sentence: str, section: str) -> Reason:
    return Reason(False, sentence, f"mikelepage, {section}")


def _squares(count: int) -> str:
    return "1 square" if count == 1 else f"{count} squares"


def _landing_problem(view: View, target: str) -> Reason | None:
    if target in view.mountains:
        return _no(f"{target} is a mountain; nothing can stand there.", "How pieces move")
    piece = view.pieces.get(target)
    if piece is not None and piece.color is view.player:
        kind = SPECS[piece.type].type
        return _no(f"Your own {kind.title} {kind.does('stand')} on {target}.", "How pieces move")
    return None


def _bring_out(view: View, target: str) -> list[Reason]:
    fortress = view.fortress[str(view.player)]
    here, near = fortress["at"], f"within {_squares(BRING_OUT_RANGE)} of your fortress"
    if not view.reserve:
        return [_no("Your Dragon is not in reserve.", "Bringing out the Dragon")]
    if fortress["ruined"]:
        return [
            Reason(
                False,
                f"Your fortress on {here} is ruined; the Dragon cannot be brought out any more.",
                "mikelepage D9",
            )
        ]
    if MIKELEPAGE.distance(here, target) > BRING_OUT_RANGE:
        return [
            _no(
                f"{target} is {_squares(MIKELEPAGE.distance(here, target))} from your fortress on "
                f"{here}; the Dragon can be brought out only {near}.",
                "Bringing out the Dragon",
            )
        ]
    if blocked := _landing_problem(view, target):
        return [blocked]
    what = f", taking {view.named(target)}" if target in view.pieces else ""
    return [
        _yes(f"The Dragon can be brought out on {target}, {near}{what}.", "Bringing out the Dragon")
    ]


# --- ways -----------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way that the board offers, whatever stands on it."""

    between: list[str]
    words: str


def _way_problems(view: View, origin: str, target: str) -> list[Reason]:
    """Why the piece does not reach the target; empty if it does."""
    spec = SPECS[view.pieces[origin].type]
    title = spec.type.title
    if spec.movement == FLIGHT:
        return _flight_problems(view, spec, origin, target)
    ways, misfits = _ways(view, spec, origin, target)
    if not ways:
        return [_no(sentence, title) for sentence in misfits]
    obstacles = [next((at for at in way.between if view.taken(at)), None) for way in ways]
    if None in obstacles:
        return []
    return [
        _no(f"{title} on {origin} cannot pass {view.named(at)}{way.words}.", title)
        for way, at in zip(ways, obstacles, strict=True)
        if at is not None
    ]


def _ways(view: View, spec: TieredType, origin: str, target: str) -> tuple[list[Way], list[str]]:
    """The ways from ``origin`` to ``target``, and what is said if there is none."""
    if spec.movement in (STRAIGHT, DIAGONAL):
        return _line(spec, origin, target)
    ways, misfits = [], []
    for centre in view.centres:
        found, misfit = _arcs(spec, centre, origin, target)
        ways += found
        misfits.append(misfit)
    if not view.centres:
        misfits.append(f"There is no centre that the {spec.type.title} could ride round.")
    return ways, misfits


def _line(spec: TieredType, origin: str, target: str) -> tuple[list[Way], list[str]]:
    goes = f"{spec.type.title} {spec.type.does('go')}"
    start, goal = MIKELEPAGE.index(origin), MIKELEPAGE.index(target)
    if spec.reach == 1 and (distance := MIKELEPAGE.distance(origin, target)) > 1:
        return [], [f"{goes} 1 square; {target} is {distance} away."]
    if spec.movement == STRAIGHT:
        lines = [MIKELEPAGE.line(start, direction) for direction in MIKELEPAGE.directions]
        manner, other = "straight", f"{target} and {origin} are not in a straight line"
    else:
        lines = [MIKELEPAGE.diagonal(start, direction) for direction in HEXAGON_DIAGONALS]
        manner, other = "diagonally", f"{target} and {origin} are on no diagonal"
    line = next((line for line in lines if goal in line), None)
    if line is None:
        return [], [f"{goes} {manner}; {other}."]
    steps = line.index(goal) + 1
    if spec.reach is not None and steps > spec.reach:
        return [], [f"{goes} {manner} up to {spec.reach} steps; {target} is {steps} away."]
    return [Way([MIKELEPAGE.squares[i] for i in line[: steps - 1]], "")], []


def _arcs(spec: TieredType, centre: Centre, origin: str, target: str) -> tuple[list[Way], str]:
    title = spec.type.title
    radius, other = MIKELEPAGE.distance(centre.at, origin), MIKELEPAGE.distance(centre.at, target)
    if radius == 0:
        return [], f"{title} cannot ride round {centre.words} while standing on it."
    if radius != other:
        be, keep = spec.type.does("be"), spec.type.does("keep")
        return [], (
            f"{title} on {origin} {be} {_squares(radius)} from {centre.words} and {keep} that "
            f"distance; {target} is {other} away."
        )
    ring = MIKELEPAGE.ring(MIKELEPAGE.index(centre.at), radius)
    start, goal = ring.index(MIKELEPAGE.index(origin)), ring.index(MIKELEPAGE.index(target))
    ways, nearest = [], len(ring)
    for way in (1, -1):
        count = (goal - start) * way % len(ring)
        passed = [ring[(start + way * i) % len(ring)] for i in range(1, count)]
        between = [MIKELEPAGE.squares[i] for i in passed if i is not None]
        if len(between) < len(passed):
            continue  # over the edge; the other way then stays on the board
        nearest = min(count, nearest)
        if spec.reach is None or count <= spec.reach:
            ways.append(Way(between, f" on the ring round {centre.words}"))
    return ways, (
        f"Round {centre.words} {target} is {_squares(nearest)} away; {title} "
        f"{spec.type.does('go')} up to {spec.reach}."
    )


def _flight_problems(view: View, spec: TieredType, origin: str, target: str) -> list[Reason]:
    reach = spec.reach or 0
    distance = MIKELEPAGE.distance(origin, target)
    if distance > reach:
        return [
            _no(f"{target} is {_squares(distance)} away; the Dragon flies up to {reach}.", "Dragon")
        ]
    if target in _flown(view, origin, reach):
        return []
    barring = [
        view.named(at)
        for at in view.pieces
        if at not in (origin, target)
        and MIKELEPAGE.distance(origin, at) + MIKELEPAGE.distance(at, target) <= reach
    ]
    return [
        _no(
            f"Every path of {reach} squares from {origin} to {target} is barred by "
            f"{in_words(barring)}; the Dragon flies over mountains, not over pieces.",
            "Dragon",
        )
    ]


def _flown(view: View, origin: str, reach: int) -> set[str]:
    """Where a dragon's paths lead, squares with pieces included as their ends."""
    found, edge = {origin}, {origin}
    for _ in range(reach):
        steps = {
            MIKELEPAGE.squares[there]
            for at in edge
            for direction in MIKELEPAGE.directions
            if (there := MIKELEPAGE.neighbour(MIKELEPAGE.index(at), direction)) is not None
        }
        edge = {at for at in steps - found if at not in view.pieces}
        found |= steps
    return found


# --- captures -------------------------------------------------------------------------------------


def _capture(view: View, origin: str, target: str) -> Reason:
    piece, victim = view.pieces[origin], view.pieces[target]
    spec, hit = SPECS[piece.type], SPECS[victim.type].type
    defence, because = view.defence(target)
    stand = f"{hit.title} on {target} {hit.does('defend')} at tier {defence}{because}"
    if spec.tier >= defence:
        return _yes(
            f"{stand}; your {spec.type.title} {origin} {spec.type.does('be')} of tier {spec.tier}.",
            "Who can take whom",
        )
    lower = flankers(view, target, defence)
    group = group_of(view, lower, origin)
    total = combined([view.pieces[at] for at in group])
    listed = ", ".join(f"{SPECS[view.pieces[at].type].type.title} {at}" for at in group)
    if len(group) == 1:
        stand += f"; your {listed} alone {spec.type.does('count')} as {spec.tier}"
    else:
        stand += f"; your {listed} add up to {total}"
    if total >= defence:
        return _yes(f"{stand}.", "By flanking")
    return _no(f"{stand}.{_help(view, lower, group, target, defence)}", "By flanking")


def flankers(view: View, target: str, defence: int) -> list[str]:
    """The player's pieces that may take part: they reach the target and are lower (D2)."""
    return [
        at
        for at, piece in view.pieces.items()
        if piece.color is view.player
        and piece.type != "dragon"
        and SPECS[piece.type].tier < defence
        and not _way_problems(view, at, target)
    ]


def group_of(view: View, lower: Sequence[str], leader: str) -> list[str]:
    """The largest group that the leader may lead: nobody in it is higher."""
    if view.pieces[leader].type == "king":
        return list(lower)
    tier = SPECS[view.pieces[leader].type].tier
    return [at for at in lower if SPECS[view.pieces[at].type].tier <= tier]


def combined(group: Sequence[Piece]) -> int:
    """What pieces that flank together add up to.

    Two pieces of a tier count as one piece of the next, three as two, and so on; a king counts as
    the best of the others.

    >>> rabble, spears = Piece(Color.WHITE, "rabble"), Piece(Color.WHITE, "spears")
    >>> combined([rabble, rabble]), combined([rabble, rabble, spears]), combined([rabble, spears])
    (2, 3, 2)
    """
    tiers = sorted(SPECS[piece.type].tier for piece in group if piece.type != "king")
    top = tiers[-1] if tiers else 1
    tiers += [top for piece in group if piece.type == "king"]
    raised = 0
    for tier in range(1, top):
        raised = max(0, tiers.count(tier) + raised - 1)
    return top + tiers.count(top) + raised - 1


def _help(view: View, lower: Sequence[str], group: Sequence[str], target: str, defence: int) -> str:
    """What would make the capture possible."""
    higher = [at for at in lower if at not in group]
    if higher and combined([view.pieces[at] for at in lower]) >= defence:
        names = [
            f"{SPECS[view.pieces[at].type].type.title} {at}"
            for at in lower
            if combined([view.pieces[one] for one in group_of(view, lower, at)]) >= defence
        ]
        return f" Of the flankers {in_words(names, 'or')} may take."
    pieces = [view.pieces[at] for at in group]
    top = max(SPECS[piece.type].tier for piece in pieces)
    for tier, name in ((1, "rabble"), (2, "spears"), (3, "elephant")):
        if tier <= top and combined([*pieces, Piece(view.player, name)]) >= defence:
            return f" One more piece of tier {tier} that reaches {target} would be enough."
    return f" It takes {defence} together: more pieces must reach {target}."
