"""``cyvasse mail``: a game by exchanging short codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyvasse.engine.setups import choose_setup
from cyvasse.errors import CyvasseError
from cyvasse.mail import Code, Correspondence, MailError, files
from cyvasse.mail.codes import LONGEST_MAIL, read_mail
from cyvasse.notation import diagram, parse_setup, write_game
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Setup

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
    rules: Annotated[
        str,
        typer.Argument(
            metavar="RULE_SET", help="Such as nine-tile; 'cyvasse rulesets' lists them all."
        ),
    ],
    color: Annotated[str, typer.Option(help="What you play: white or black.")] = "white",
) -> None:
    """Begin a game; its invitation is the first mail."""
    game = Correspondence.new(rule_set(rules), Color.parse(color))
    files.write(file, game, fresh=True)
    _print_codes(game, game.sent)


@mail.command()
def join(file: File, code: Codes = None) -> None:
    """Join the game of an invitation; what else is in the mail is taken too."""
    codes, broken = _read(code)
    invitations = [one for one in dict.fromkeys(codes) if one.kind == "invite"]
    if broken and not invitations:
        raise broken[0]
    if len(invitations) != 1:
        raise MailError(
            f"a game is joined with one invitation, [cyv1.invite.…]; here are {len(invitations)}"
        )
    game = Correspondence.join(invitations[0])
    more = [one for one in codes if one.kind != "invite"]
    known, refused = game.take_all(more) if more else ([], [])
    files.write(file, game, fresh=True)
    print(f"A game of {game.rules.title}; you play {game.me.title}.")
    _answer(game, known, broken + refused, game.sent)


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
    with files.held(file) as game:
        before = len(game.sent)
        game.choose(_chosen(game.rules, game.me, " ".join(choice)))
    _print_codes(game, game.sent[before:])


@mail.command()
def take(file: File, code: Codes = None) -> None:
    """Take what came by mail, one code or several."""
    files.read(file)  # it should be there before somebody pastes a mail
    codes, broken = _read(code)
    if not codes:
        raise broken[0]
    with files.held(file) as game:
        before = len(game.sent)
        known, refused = game.take_all(codes)
    _answer(game, known, broken + refused, game.sent[before:])


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
def show(
    file: File,
    every: Annotated[
        bool, typer.Option("--all", help="All the codes that you have mailed so far.")
    ] = False,
) -> None:
    """Show how the game stands, and the codes that the other may still need."""
    game = files.read(file)
    print(f"{game.rules.title}, game {game.game}; you play {game.me.title}.")
    if game.their_setup is not None:
        print(diagram(game.board().position))
        for sentence in game.told():
            print(sentence)
    _print_codes(game, game.sent if every else game.waiting(), "Mail this, if you have not yet:")


@mail.command()
def export(file: File) -> None:
    """Write the game as a game file to stdout."""
    print(write_game(files.read(file).board()), end="")


def _do(file: Path, deed: Callable[[Correspondence], Code]) -> None:
    with files.held(file) as game:
        code = deed(game)
    _print_codes(game, [code])


def _answer(
    game: Correspondence, known: list[str], refused: list[MailError], codes: list[str]
) -> None:
    """What a mail meant, and what follows; then what was wrong in it first, as an error."""
    for sentence in known:
        print(sentence)
    if known or not refused:
        _print_codes(game, codes)
    if refused:
        raise refused[0]


def _print_codes(
    game: Correspondence, codes: Sequence[Code | str], heading: str = "Mail this:"
) -> None:
    """What to mail, and what comes next."""
    if codes:
        print(heading)
        for code in codes:
            print(f"\n{code}")
        print()
    print(game.next_step())


def _read(words: list[str] | None) -> tuple[list[Code], list[MailError]]:
    if words:
        return read_mail(" ".join(words))
    if sys.stdin is None:
        raise MailError("nothing can be read: give the code after the file's name")
    if sys.stdin.isatty():
        print("Paste the mail; end it with Ctrl-D on a line of its own.", file=sys.stderr)
    try:
        return read_mail(sys.stdin.read(LONGEST_MAIL + 1))
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
    if os.path.isfile(choice):
        text = files.read_text(Path(choice), "setup", "give a setup's text or name")
        try:
            return parse_setup(text)
        except CyvasseError as error:
            raise MailError(f"{choice}: {error}") from None
    if " " not in choice:
        raise MailError(
            f"{choice!r} is no setup: give its text, a file's name, good, random, "
            f"or one of {', '.join(sorted(named))}"
        )
    return parse_setup(choice)
