"""The commands, and how they take their input and show their errors."""

from __future__ import annotations

import random
import sys
import time
import warnings
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from cyvasse import __version__
from cyvasse.cli import engine
from cyvasse.cli.check import check
from cyvasse.cli.convert import convert
from cyvasse.cli.inputs import TAKES_POSITION, Seed, Words, read_position
from cyvasse.cli.mail import mail
from cyvasse.cli.match import match
from cyvasse.cli.paint import coloured
from cyvasse.cli.play import play
from cyvasse.cli.prove import verdict
from cyvasse.cli.render import render
from cyvasse.cli.replay import replay
from cyvasse.cli.serve import serve
from cyvasse.cli.stats import stats
from cyvasse.cli.verify import verify_file
from cyvasse.cli.workshop import pool, tune
from cyvasse.engine.prove import LONGEST_WIN, forced_win
from cyvasse.errors import CyvasseError, LeftOutWarning
from cyvasse.explain import why
from cyvasse.game import Game
from cyvasse.notation import write_game
from cyvasse.rules import left_out, rule_set, rule_sets
from cyvasse.rules.perft import DEEPEST
from cyvasse.rules.perft import perft as count
from cyvasse.rules.terms import Color

app = typer.Typer(
    help="Cyvasse, the board game of A Song of Ice and Fire.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# The groups of ``--help``.
PLAY, FILES, ENGINE, HOST = "Play", "Files and pictures", "The engine", "Host"
# Not wider than the text: output is read by programs too, and must not be cut or coloured there.
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Run the command; errors about input become one line on stderr and exit code 2."""
    warnings.simplefilter("ignore", LeftOutWarning)  # `rulesets` tells, and whoever wants one
    try:
        try:
            app(prog_name="cyvasse")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where a reader that has gone can be told from an error
    except CyvasseError as error:
        print(f"cyvasse: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        print(f"cyvasse: {error}", file=sys.stderr)
        sys.exit(1)


def _version(wanted: bool) -> None:
    if wanted:
        console.print(f"cyvasse {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command(rich_help_panel=PLAY)
def rulesets() -> None:
    """List the rule sets."""
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "rule set", "author", "board"):
        table.add_column(heading, no_wrap=True)
    for rules in rule_sets():
        table.add_row(rules.id, rules.title, rules.author, f"{len(rules.board)} squares")
    console.print(table)
    for sentence in left_out().values():
        print(f"cyvasse: {sentence}", file=sys.stderr)


@app.command(context_settings=TAKES_POSITION, rich_help_panel=PLAY)
def show(
    position: Words,
    seed: Seed = None,
    actions: Annotated[bool, typer.Option(help="List the legal actions too.")] = False,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="FROM TO", help="Say why the piece on FROM may go to TO, or not."),
    ] = None,
) -> None:
    """Draw a position."""
    here = read_position(position, seed)
    console.print(coloured(str(here)))
    print(here.text())
    if actions:
        legal = here.legal_actions()
        print(f"{len(legal)} legal actions: {' '.join(str(action) for action in legal)}")
    if explain:
        print(why(here, *explain))


@app.command(rich_help_panel=FILES)
def random_game(
    rule_set_id: Annotated[str, typer.Argument(metavar="RULE_SET", help="Such as nine-tile.")],
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same game.")] = None,
) -> None:
    """Play a game at random, setups included, and print its file."""
    rules = rule_set(rule_set_id)
    chance = random.Random(seed)
    game = Game(
        rules, tags={"Event": "random game"} | ({} if seed is None else {"Seed": str(seed)})
    )
    for color in Color:
        game.submit(color, rules.random_setup(color, chance))
    game.lift_screen(rules.first_player or chance.choice(list(Color)))
    while legal := game.legal_actions():
        game.play(chance.choice(legal))
    print(write_game(game), end="")


@app.command(rich_help_panel=FILES)
def verify(
    file: Annotated[Path, typer.Argument(help="JSON lines, gzipped or not.")],
    rules: Annotated[
        str | None, typer.Option(help="The rule set, where the file's name does not contain it.")
    ] = None,
) -> None:
    """Compare this library with a file of positions and their known answers.

    Each line of the file is a position with its legal actions, the number of action sequences
    (perft) and what else the rule set can tell.  docs/formats.md has the format.
    """
    compared = differ = 0
    for differences in verify_file(file, rules):
        compared += 1
        differ += bool(differences)
        for difference in differences:
            print(difference)
    print(f"{compared} positions, {differ} differ")
    raise typer.Exit(1 if differ else 0)


@app.command(context_settings=TAKES_POSITION, rich_help_panel=ENGINE)
def perft(
    position: Words,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=1, max=DEEPEST, help="The length of the sequences.")
    ] = 3,
    seed: Seed = None,
    divide: Annotated[bool, typer.Option(help="Count for each first action by itself.")] = False,
) -> None:
    """Count the sequences of actions from a position, to compare and to time."""
    here = read_position(position, seed)
    if divide:
        for action in here.legal_actions():
            here.play(action)
            print(f"{action} {count(here, depth - 1)}")
            here.undo()
    for length in range(1, depth + 1):
        start = time.perf_counter()
        number = count(here, length)
        seconds = time.perf_counter() - start
        print(f"perft {length}: {number} ({number / max(seconds, 1e-9):,.0f} a second)")


@app.command(context_settings=TAKES_POSITION, rich_help_panel=ENGINE)
def prove(
    position: Words,
    turns: Annotated[
        int,
        typer.Option("--turns", "-t", min=1, max=LONGEST_WIN, help="Own turns to win in, at most."),
    ] = 2,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Give up after trying so many actions.")
    ] = None,
    seed: Seed = None,
) -> None:
    """Tell whether the player to act can force a win, and with which actions."""
    here = read_position(position, seed)
    print(verdict(here, forced_win(here, turns, nodes)))


app.command(rich_help_panel=PLAY)(play)
app.add_typer(mail, name="mail", rich_help_panel=PLAY)
app.command(context_settings=TAKES_POSITION, rich_help_panel=FILES)(render)
app.command(rich_help_panel=FILES)(check)
app.command(rich_help_panel=FILES)(replay)
app.command(rich_help_panel=FILES)(convert)
app.command(rich_help_panel=FILES)(stats)
app.command(context_settings=TAKES_POSITION, rich_help_panel=ENGINE)(engine.best)
app.command(context_settings=TAKES_POSITION, rich_help_panel=ENGINE)(engine.analyse)
app.command(rich_help_panel=ENGINE)(engine.bench)
app.command(rich_help_panel=ENGINE)(engine.ugi)
app.command(rich_help_panel=ENGINE)(match)
app.command(rich_help_panel=ENGINE)(pool)
app.command(rich_help_panel=ENGINE)(tune)
app.command(rich_help_panel=HOST)(serve)
