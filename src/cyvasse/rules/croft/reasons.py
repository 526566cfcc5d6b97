"""Why a piece of Croft's Cyvasse may or may not go to a tile, in sentences.

Written from what everyone at the table sees, and independently of how positions find their actions:
the tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cyvasse.rules.base import Position
from cyvasse.rules.croft.board import CROFT, FOREST, WATER, around, ground
from cyvasse.rules.croft.pieces import TITLES
from cyvasse.rules.terms import Piece, Reason, in_words

STRAIGHT = ("E", "N", "W", "S")
DIAGONAL = ("NE", "NW", "SW", "SE")


class Situation:
    """What lies on the board, seen by the player to act."""

    def __init__(self, position: Position) -> None:
        state = position.state()
        self.player = state.to_move
        self.pieces = state.pieces
        self.mountains = frozenset(state.fields["mountains"])
        self.keeps = {
            keep["at"]: owner.capitalize()
            for owner, keep in state.fields["keeps"].items()
            if keep["at"]
        }
        self.own_keep = state.fields["keeps"][str(self.player)]
        self.reserve = state.fields["reserves"][str(self.player)]
        self.second = state.fields["second_rabble"]

    def own(self, at: str) -> bool:
        piece = self.pieces.get(at)
        return piece is not None and piece.color is self.player

    def enemy(self, at: str) -> bool:
        piece = self.pieces.get(at)
        return piece is not None and piece.color is not self.player

    def empty(self, at: str) -> bool:
        return at not in self.pieces and at not in self.mountains and at not in self.keeps

    def name(self, at: str) -> str:
        """The piece on a tile, with its owner where that is the opponent."""
        piece = self.pieces[at]
        owner = "" if self.own(at) else f"{piece.color.title}'s "
        return f"{owner or 'the '}{TITLES[piece.type]} on {at}"

    def safe_elephant(self, at: str, captor: str) -> bool:
        """Whether an opposing Elephant stands there that ``captor`` may not take (D9)."""
        if not self.enemy(at) or self.pieces[at].type != "elephant":
            return False
        return not any(self.own(beside) and beside != captor for beside in around(at))


Way = Callable[[Situation, str, str], list[Reason]]


def reasons(position: Position, origin: str, target: str) -> list[Reason]:
    """Why the piece on ``origin``, or one of that type in reserve, may or may not go there."""
    now = Situation(position)
    if origin in TITLES:
        return [_drop(now, origin, target)]
    piece = now.pieces[origin]
    if now.second is not None and (piece.type != "rabble" or origin == now.second):
        return [_not_second(now, piece, origin)]
    found = WAYS[piece.type](now, origin, target)
    legal = [reason for reason in found if reason.legal]
    return legal or found


def _reason(legal: bool, sentence: str, rule: str) -> Reason:
    """``rule`` is the number of a decision, ``D9``, or the name of a piece or a section."""
    comma = "" if rule[1:].isdigit() else ","
    return Reason(legal, sentence[0].upper() + sentence[1:], f"croft{comma} {rule}")


def _no(sentence: str, rule: str) -> Reason:
    return _reason(False, sentence, rule)


def _yes(sentence: str, rule: str) -> Reason:
    return _reason(True, sentence, rule)


def _not_second(now: Situation, piece: Piece, origin: str) -> Reason:
    if origin == now.second:
        return _no(
            f"the Rabble on {origin} has just moved; only another Rabble may move now, "
            "or the turn ends.",
            "Rabble",
        )
    return _no(
        f"a Rabble has just moved, so only another Rabble may follow; the {TITLES[piece.type]} "
        f"on {origin} waits for the next turn.",
        "Rabble",
    )


def _drop(now: Situation, name: str, target: str) -> Reason:
    title, rule = TITLES[name], "Turns"
    keep, home = now.own_keep["at"], now.own_keep["home"]
    if now.second is not None:
        return _no(
            f"a Rabble has just moved, so only another Rabble may follow; the {title} stays in "
            "reserve.",
            "Rabble",
        )
    if keep is None:
        return _no("your keep is destroyed; nothing more can be brought out.", "Storming a keep")
    if not now.reserve.get(name):
        return _no(f"no {title} waits in your reserve.", rule)
    if target not in home:
        return _no(
            f"the {title} comes out on a home tile, {in_words(home, 'or')}, and {target} is none.",
            rule,
        )
    if now.own(target):
        return _no(f"{now.name(target)} is in the way; move it off the home tile first.", rule)
    if now.enemy(target):
        return _no(
            f"{now.name(target)} stands there, and a piece from the reserve never captures; "
            "drive it off first.",
            rule,
        )
    return _yes(f"the {title} may come out of the keep to {target}.", rule)


# --- where a move may end -------------------------------------------------------------------------


def _landing(now: Situation, origin: str, target: str) -> Reason | None:
    """What is wrong with ending on a tile, whatever the way there."""
    if target in now.mountains:
        return _no(
            f"a mountain covers {target}; no piece, not even the Dragon, can stop there.", "D12"
        )
    if target in now.keeps:
        return _no(f"{now.keeps[target]}'s keep covers {target}; no piece can go there.", "Turns")
    if now.own(target):
        return _no(f"{now.name(target)} is your own; move it away first.", "Turns")
    if now.safe_elephant(target, origin):
        return _no(
            f"{now.name(target)} can only be captured while another of your pieces is beside it; "
            f"bring one next to {target} first.",
            "D9",
        )
    return None


def _arrival(now: Situation, origin: str, target: str, rule: str) -> Reason:
    what = f"the {TITLES[now.pieces[origin].type]} on {origin}"
    if now.enemy(target):
        return _yes(f"{what} may capture {now.name(target)}.", rule)
    return _yes(f"{what} may move to {target}.", rule)


def _step(directions: Sequence[str], how: str) -> Way:
    """One tile in some directions."""

    def way(now: Situation, origin: str, target: str) -> list[Reason]:
        title = TITLES[now.pieces[origin].type]
        start = CROFT.index(origin)
        if CROFT.index(target) not in [CROFT.neighbour(start, d) for d in directions]:
            return [
                _no(f"the {title} moves 1 tile {how}; {target} is not 1 such step away.", title)
            ]
        bad = _landing(now, origin, target)
        return [bad or _arrival(now, origin, target, title)]

    return way


# --- lines ----------------------------------------------------------------------------------------


def _line(directions: Sequence[str], how: str, obstacle: Callable[..., Reason | None]) -> Way:
    """Any distance in some directions; ``obstacle`` looks at each tile on the way."""

    def way(now: Situation, origin: str, target: str) -> list[Reason]:
        title = TITLES[now.pieces[origin].type]
        found = CROFT.direction(origin, target)
        if found is None or found[0] not in directions:
            return [_no(f"the {title} moves {how}; {target} is not on such a line.", title)]
        direction, distance = found
        line = [CROFT.squares[at] for at in CROFT.line(CROFT.index(origin), direction)]
        bad = _landing(now, origin, target) or _first_obstacle(
            now, origin, line[: distance - 1], target, obstacle
        )
        return [bad or _arrival(now, origin, target, title)]

    return way


def _first_obstacle(
    now: Situation,
    origin: str,
    path: Sequence[str],
    target: str,
    obstacle: Callable[..., Reason | None],
) -> Reason | None:
    for at in path:
        bad = obstacle(now, origin, at, target)
        if bad:
            return bad
    return None


def _blocked(now: Situation, origin: str, at: str, target: str) -> Reason | None:
    """What ends the line of a piece without any power."""
    title = TITLES[now.pieces[origin].type]
    if at in now.mountains:
        return _no(f"the mountain on {at} is in the way; only the Dragon passes over it.", "Turns")
    if at in now.keeps:
        return _no(f"{now.keeps[at]}'s keep on {at} is in the way.", "Turns")
    if at in now.pieces:
        return _no(f"{now.name(at)} is in the way; the {title} cannot pass it.", "Turns")
    if at in WATER:
        return _no(f"the {title} has to stop on the water tile {at}, short of {target}.", "Water")
    return None


def _blocked_on_water(now: Situation, at: str) -> Reason:
    return _no(
        f"{now.name(at)} stands on water, and nobody passes over an occupied water tile.", "Water"
    )


def _blocks_heavy_horse(now: Situation, origin: str, at: str, target: str) -> Reason | None:
    if now.own(at):
        return _blocked_on_water(now, at) if at in WATER else None
    return _blocked(now, origin, at, target)


def _blocks_trebuchet(now: Situation, origin: str, at: str, target: str) -> Reason | None:
    if at not in now.pieces:
        return _blocked(now, origin, at, target)
    if not now.enemy(target):
        return _no(
            f"the Trebuchet passes over {now.name(at)} only to capture, and {target} is empty.",
            "D11",
        )
    return _blocked_on_water(now, at) if at in WATER else None


def _blocks_dragon(now: Situation, origin: str, at: str, target: str) -> Reason | None:
    if at in now.mountains or now.empty(at):
        return None
    return _blocked(now, origin, at, target)


def _blocks_catapult(now: Situation, origin: str, at: str, target: str) -> Reason | None:
    """The first victim may lie on the way if it can be taken and ``target`` is the next one."""
    if not now.enemy(at):
        return _blocked(now, origin, at, target)
    if not now.enemy(target):
        return _no(
            f"{now.name(at)} is in the way; after a capture the Catapult stops or goes on to a "
            f"second victim, and {target} is empty.",
            "D10",
        )
    if now.safe_elephant(at, origin):
        return _no(
            f"{now.name(at)} is in the way and cannot be captured; bring another piece beside it "
            "first.",
            "D9",
        )
    if at in WATER:
        return _no(f"with {now.name(at)} captured the Catapult has to stop there, on water.", "D10")
    if any(now.enemy(between) for between in _between(at, target)):
        return _no(
            f"more than one piece stands between {origin} and {target}; the Catapult captures two "
            "at most.",
            "D10",
        )
    return None


def _between(start: str, end: str) -> list[str]:
    found = CROFT.direction(start, end)
    if found is None:
        return []
    line = CROFT.line(CROFT.index(start), found[0])
    return [CROFT.squares[at] for at in line[: found[1] - 1]]


# --- the powers -----------------------------------------------------------------------------------


def _light_horse(now: Situation, origin: str, target: str) -> list[Reason]:
    """Straight, by either way round the board (D8)."""
    ways = {
        direction: path
        for direction in STRAIGHT
        if (path := _way_round(origin, target, direction)) is not None
    }
    if not ways:
        return [
            _no(
                "the Light Horse moves along its row or column, over the edges too; "
                f"{target} is on neither.",
                "Light Horse",
            )
        ]
    bad = _landing(now, origin, target)
    if bad:
        return [bad]
    straight = CROFT.direction(origin, target)
    refused = []
    for direction, path in ways.items():
        reason = _first_obstacle(now, origin, path, target, _blocked)
        if reason is None:
            return [_arrival(now, origin, target, "Light Horse")]
        if straight is None or direction != straight[0]:
            reason = reason._replace(sentence=f"Over the edge: {_in_passing(reason.sentence)}")
            refused.append(reason)
        else:
            refused.insert(0, reason)
    return refused


def _in_passing(sentence: str) -> str:
    """A sentence as the second half of another; names keep their capitals."""
    return sentence[0].lower() + sentence[1:] if sentence.startswith("The ") else sentence


def _way_round(origin: str, target: str, direction: str) -> list[str] | None:
    """The tiles before ``target`` in a direction that goes on at the opposite edge."""
    (x, y), (dx, dy) = CROFT.coordinates[CROFT.index(origin)], CROFT.steps[direction]
    path: list[str] = []
    while True:
        x, y = (x + dx) % CROFT.width, (y + dy) % CROFT.height
        at = CROFT.squares[y * CROFT.width + x]
        if at == origin:
            return None
        if at == target:
            return path
        path.append(at)


def _spearman(now: Situation, origin: str, target: str) -> list[Reason]:
    if not now.own(target):
        return _step(STRAIGHT, "straight")(now, origin, target)
    if target not in around(origin):
        return [
            _no(
                f"the Spearman swaps only with a piece on one of the 8 tiles around {origin}.",
                "Spearman",
            )
        ]
    if now.pieces[target].type == "spearman":
        return [_no("two Spearmen do not swap: nothing would change.", "D6")]
    return [_yes(f"the Spearman may swap places with {now.name(target)}.", "Spearman")]


def _crossbowman(now: Situation, origin: str, target: str) -> list[Reason]:
    step = _step(DIAGONAL, "diagonally")(now, origin, target)
    if target not in FOREST:
        jump = _no(
            f"the Crossbowman goes directly only to forest; {target} is {ground(target)}.",
            "Crossbowman",
        )
    elif not now.empty(target):
        jump = _no(
            f"the Crossbowman goes directly only to unoccupied forest, and {target} is taken.", "D7"
        )
    elif step[0].legal:
        return step  # D14: one tile, one action
    else:
        jump = _yes(f"the Crossbowman may go directly to the forest tile {target}.", "Crossbowman")
    beside = CROFT.distance(origin, target) == 1
    return [*step, jump] if beside else [jump, *step]


_ALONG_LINES = "straight along rows and columns"
WAYS: dict[str, Way] = {
    "rabble": _step(STRAIGHT, "straight"),
    "spearman": _spearman,
    "crossbowman": _crossbowman,
    "light_horse": _light_horse,
    "heavy_horse": _line(STRAIGHT, _ALONG_LINES, _blocks_heavy_horse),
    "elephant": _line(STRAIGHT, _ALONG_LINES, _blocked),
    "catapult": _line(DIAGONAL, "along diagonals", _blocks_catapult),
    "trebuchet": _line(DIAGONAL, "along diagonals", _blocks_trebuchet),
    "dragon": _line(STRAIGHT + DIAGONAL, "along rows, columns and diagonals", _blocks_dragon),
    "king": _step(STRAIGHT + DIAGONAL, "in any direction"),
}
