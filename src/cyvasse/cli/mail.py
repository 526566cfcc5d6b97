"""``cyvasse mail``: a game by exchanging short codes."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyvasse.engine.setups import choose_setup
from cyvasse.errors import CyvasseError
from cyvasse.mail import Code, Correspondence, MailError, read_codes
from cyvasse.notation import diagram, parse_setup, write_game
from cyvasse.rules import rule_set
from cyvasse.rules.base import RuleSet
from cyvasse.rules.terms import Color, Setup

LARGEST_FILE = 10_000_000
mail = typer.Typer(
    help="Play by mail: no server, only short codes that both players send each other.",
    no_args_is_help=True,
)

File = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="Where this side of the game is kept; keep it secret."),
]
Codes = Annotated[
    list[str] | None,
    typer.Argument(metavar="[CODE]…", help="What came by mail; without it, all of stdin."),
]


@mail.command()
def new(
    file: File,
    rules: Annotated[str, typer.Argument(metavar="RULE_SET", help="The rule set's id.")],
    color: Annotated[str, typer.Option(help="What you play: white or black.")] = "white",
) -> None:
    """Begin a game; its invitation is the first mail."""
    game = Correspondence.new(rule_set(rules), Color.parse(color))
    _keep(file, game, fresh=True)
    _tell(game, game.waiting())


@mail.command()
def join(file: File, code: Codes = None) -> None:
    """Join the game of an invitation."""
    (invitation, *more) = _read(code)
    if more:
        raise MailError(f"an invitation is one code; here are {1 + len(more)}")
    game = Correspondence.join(invitation)
    _keep(file, game, fresh=True)
    print(f"A game of {game.rules.title}; you play {game.me.title}.")
    _tell(game, [])


@mail.command()
def setup(
    file: File,
    choice: Annotated[
        list[str],
        typer.Argument(
            metavar="SETUP",
            help="A setup's text, its name, 'good' for one that suits, 'random', or a file's name.",
        ),
    ],
) -> None:
    """Fix your setup; mail its commitment."""
    game = _kept(file)
    before = len(game.sent)
    game.choose(_chosen(game.rules, game.me, " ".join(choice)))
    _keep(file, game)
    _tell(game, game.sent[before:])


@mail.command()
def take(file: File, code: Codes = None) -> None:
    """Take what came by mail, one code or several, in order."""
    game = _kept(file)
    before = len(game.sent)
    for one in _read(code):
        print(game.take(one))
        _keep(file, game)
    _tell(game, game.sent[before:])


@mail.command()
def play(
    file: File,
    actions: Annotated[list[str], typer.Argument(metavar="ACTION…", help="A whole turn.")],
) -> None:
    """Play a turn; mail its code."""
    _do(file, lambda game: game.play(actions))


@mail.command()
def resign(file: File) -> None:
    """Give up."""
    _do(file, Correspondence.resign)


@mail.command()
def draw(file: File) -> None:
    """Offer a draw, or agree to the one that is offered."""
    _do(file, lambda it: it.agree() if it.may_agree else it.offer())


@mail.command()
def show(file: File) -> None:
    """Show how the game stands, and the codes that the other may still need."""
    game = _kept(file)
    print(f"{game.rules.title}, game {game.game}; you play {game.me.title}.")
    if game.their_setup is not None:
        print(diagram(game.board().position))
    _tell(game, game.waiting())


@mail.command()
def export(file: File) -> None:
    """Write the game as a game file to stdout."""
    print(write_game(_kept(file).board()), end="")


def _do(file: Path, deed: Callable[[Correspondence], Code]) -> None:
    game = _kept(file)
    code = deed(game)
    _keep(file, game)
    _tell(game, [code])


def _tell(game: Correspondence, codes: Sequence[Code | str]) -> None:
    """What to mail, and what comes next."""
    if codes:
        print("Mail this:")
        for code in codes:
            print(f"\n{code}")
        print()
    print(game.next_step())


def _read(words: list[str] | None) -> list[Code]:
    if words:
        return read_codes(" ".join(words))
    try:
        return read_codes(sys.stdin.read())
    except UnicodeDecodeError as error:
        raise MailError(f"what came on stdin is no text: {error}") from None


def _chosen(rules: RuleSet, color: Color, choice: str) -> Setup:
    named = rules.named_setups(color)
    if choice in named:
        return named[choice]
    if choice == "random":
        return rules.random_setup(color)
    if choice == "good":
        return choose_setup(rules, color)
    if " " not in choice:
        path = Path(choice)
        if not path.is_file():
            raise MailError(
                f"{choice!r} is no setup: give its text, a file's name, good, random, "
                f"or one of {', '.join(sorted(named))}"
            )
        if path.stat().st_size > LARGEST_FILE:
            raise MailError(f"{path} is too large for a setup")
        try:
            choice = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise MailError(f"{path} is no text") from None
    return parse_setup(choice.strip())


def _kept(file: Path) -> Correspondence:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise MailError(f"{file} is too large for a game by mail")
        document = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MailError(f"there is no {file}; 'new' begins a game, 'join' takes one up") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, CyvasseError):
            raise
        raise MailError(f"{file} is no game by mail: {error}") from None
    return Correspondence.from_document(document)


def _keep(file: Path, game: Correspondence, *, fresh: bool = False) -> None:
    """Write all or nothing, readable for its owner only: it holds the setup."""
    if fresh and file.exists():
        raise MailError(f"{file} exists already; choose another name")
    text = json.dumps(game.document(), indent=1) + "\n"
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
