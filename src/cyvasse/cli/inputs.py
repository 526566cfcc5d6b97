"""What several commands take: a position, by its text or by a rule set's id."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cyvasse.errors import CyvasseError
from cyvasse.notation import parse_position
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.terms import WHITE, Color

# A position may end with -1, which is no option.
TAKES_POSITION = {"ignore_unknown_options": True}

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="POSITION",
        help="A position's text, a rule set's id for a position to start from, or - for stdin.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(help="With a rule set's id: draw both setups at random from this seed."),
]


def read_position(words: list[str], seed: int | None) -> Position:
    """What the words of a command line describe."""
    if words == ["-"]:
        words = _stdin().split()
    if len(words) == 1 and " " not in words[0]:
        rules = rule_set(words[0])
        if seed is not None:
            return rules.random_position(seed)
        white, black = (next(iter(rules.named_setups(color).values())) for color in Color)
        return rules.start(white, black, rules.first_player or WHITE)
    if seed is not None:
        raise CyvasseError("--seed goes with a rule set's id, not with a whole position")
    return parse_position(" ".join(words))


def _stdin() -> str:
    try:
        return sys.stdin.read()
    except (AttributeError, UnicodeDecodeError, OSError) as error:
        raise CyvasseError(f"cannot read from stdin: {error}") from None
