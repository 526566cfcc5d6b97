"""Problems that setups of several rule sets have, in the same words everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, PieceType, Problem, Setup, in_words

MOST_LISTED = 6
"""More squares than these are told by their number: nobody reads them one by one."""


def listed(squares: Sequence[str]) -> str:
    """Squares in a sentence.

    >>> listed(["a1", "b1"]), listed(["a1"] * 7)
    ('a1 and b1', '7 squares')
    """
    return in_words(squares) if len(squares) <= MOST_LISTED else f"{len(squares)} squares"


def miscounted(
    name: str,
    squares: Sequence[str],
    wanted: int,
    plural: str = "",
    many: bool = False,
    thing: str = "",
) -> list[Problem]:
    """Too few or too many of one thing; ``many`` as ``PieceType`` has it.

    >>> [problem.text for problem in miscounted("Tower", [], 2)]
    ['2 Towers are still in the tray.']
    """
    number = len(squares)
    several = plural or f"{name}s"
    if number < wanted:
        missing = wanted - number
        if missing > 1:
            what = f"{missing} {several} are"
        elif not many:
            what = f"1 {name} is"
        else:  # nobody would say "1 Spearmen"
            what = f"The {name} are" if wanted == 1 else f"1 of {wanted} {several} is"
        return [Problem(f"{what} still in the tray.", (), thing)]
    if number > wanted:
        only = "there is only 1" if wanted == 1 else f"there are only {wanted}"
        where = f", on {in_words(squares)}" if number <= MOST_LISTED else ""
        return [Problem(f"{number} {several} are placed{where}; {only}.", tuple(squares), thing)]
    return []


def miscounted_pieces(
    types: Iterable[PieceType], pieces: Mapping[str, str], all_needed: bool = True
) -> list[Problem]:
    """Piece types of which too few or too many are placed."""
    placed: dict[str, int] = {}
    for name in pieces.values():  # faster than a Counter
        placed[name] = placed.get(name, 0) + 1
    problems = []
    for kind in types:
        number = placed.get(kind.name, 0)
        if number > kind.count or (all_needed and number < kind.count):
            squares = [square for square, name in pieces.items() if name == kind.name]
            problems += miscounted(
                kind.title, squares, kind.count, kind.plural, kind.many, kind.name
            )
    return problems


def strays(
    rules: RuleSet, color: Color, squares: Iterable[str], what: str, thing: str = ""
) -> list[Problem]:
    """Where something of that name lies outside a player's half."""
    home, half = _half(rules, color)
    return [
        Problem(f"The {what} on {square} is outside {half}.", (square,), thing)
        for square in squares
        if square not in home
    ]


def stray_pieces(rules: RuleSet, setup: Setup) -> list[Problem]:
    """Which pieces stand outside their player's half."""
    home, half = _half(rules, setup.color)
    if home.issuperset(setup.pieces):  # as nearly always
        return []
    return [
        Problem(f"{rules.setups.stands(name, square)} outside {half}.", (square,), name)
        for square, name in setup.pieces.items()
        if square not in home
    ]


@cache
def _half(rules: RuleSet, color: Color) -> tuple[frozenset[str], str]:
    """The squares of a player's half, and how to call it."""
    home = rules.home(color)
    rows = sorted({rules.board.row(square) for square in home})
    return frozenset(home), f"{color.title}'s half, rows {rows[0]} to {rows[-1]}"
