"""``cyvasse play``: a game in the terminal, against the bot or a friend at the same keyboard."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from cyvasse.engine import LEVELS
from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.terms import Color
from cyvasse.terminal.keeping import Keeper, Kept, games_folder, kept_games, open_file
from cyvasse.terminal.orders import USUAL_LEVEL, Order, wanted_setup
from cyvasse.terminal.plain import PlainGame


def play(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULE_SET|FILE]",
            help="Such as nine-tile, or a game file to go on with.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(min=1, max=max(LEVELS), help="Play against the bot of that level."),
    ] = None,
    friend: Annotated[
        bool, typer.Option("--friend", help="Play against somebody at the same keyboard.")
    ] = False,
    color: Annotated[
        str | None,
        typer.Option(help="Your side against the bot: white, black or lot.", show_default="lot"),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(help="Who begins: white or black; if left out as the rules say, or by lot."),
    ] = None,
    setup: Annotated[
        str | None,
        typer.Option(metavar="NAME|random|good|FILE", help="Begin with this setup at once."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Makes the lot, random setups and the bot repeatable."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last game that is not over.")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Plain text, line by line: for screen readers, pipes and simple terminals.",
        ),
    ] = False,
    theme: Annotated[
        str | None,
        typer.Option(help="dark or light; if left out as the terminal seems to be."),
    ] = None,
    questions: Annotated[
        bool,
        typer.Option(
            "--questions/--no-questions",
            help="Ask before an action that gives the King away or strikes an own piece.",
        ),
    ] = True,
) -> None:
    """Play in the terminal, against the bot or a friend at the same keyboard.

    Every game is kept while it is played; CYVASSE_GAMES names the folder.
    """
    if theme not in (None, "dark", "light"):
        raise CyvasseError(f"theme is {theme!r:.40}; it may be dark or light")
    kept = _kept(what, resume, level is not None or friend or setup is not None)
    order = None if kept else _order(what, level, friend, color, first, setup, seed)
    if plain or not _is_capable():
        _play_plainly(kept, order, questions)
        return
    try:
        from cyvasse.terminal.screens.app import PlayApp
    except ImportError as error:
        raise CyvasseError(
            f"the terminal's packages are missing ({error.name}): pip install 'cyvasse[terminal]', "
            "or play in plain text: cyvasse play --plain"
        ) from None
    at_once = order is not None and what is not None and (level is not None or friend)
    PlayApp(kept=kept, order=order, at_once=at_once, theme_name=theme, questions=questions).run()


def _kept(what: str | None, resume: bool, chosen: bool) -> Kept | None:
    """The game to go on with, if one is meant."""
    if resume:
        if what is not None or chosen:
            raise CyvasseError("--resume goes on with the last game; nothing else can be said")
        games = kept_games(games_folder(), most=1)
        if not games:
            raise CyvasseError(f"no game to go on with in {games_folder()}")
        return games[0]
    if what is None or what in [rules.id for rules in rule_sets()]:
        return None
    if not Path(what).exists():
        ids = ", ".join(rules.id for rules in rule_sets())
        raise CyvasseError(f"{what!r:.60} is neither a rule set ({ids}) nor a file")
    if chosen:
        raise CyvasseError("a game file tells who plays; --level, --friend and --setup do not fit")
    return open_file(Path(what))


def _order(
    what: str | None,
    level: int | None,
    friend: bool,
    color: str | None,
    first: str | None,
    setup: str | None,
    seed: int | None,
) -> Order:
    if friend and level is not None:
        raise CyvasseError("--friend and --level do not go together")
    if friend and color is not None:
        raise CyvasseError("--color is your side against the bot; with --friend you play both")
    if color not in (None, "white", "black", "lot"):
        raise CyvasseError(f"color is {color!r:.40}; it may be white, black or lot")
    rules = rule_sets()[0] if what is None else rule_set(what)
    order = Order(
        rules,
        None if friend else level or USUAL_LEVEL,
        None if color in (None, "lot") else Color.parse(color),
        None if first is None else Color.parse(first),
        setup,
        seed,
    )
    if setup is not None:
        wanted_setup(order.table(), Color.WHITE, setup)  # errors belong before the first screen
    return order


def _is_capable() -> bool:
    """Whether the terminal can show more than lines."""
    with contextlib.suppress(AttributeError, ValueError):
        if sys.stdin.isatty() and sys.stdout.isatty():
            return os.environ.get("TERM") not in ("dumb", "unknown")
    return False


def _play_plainly(kept: Kept | None, order: Order | None, questions: bool) -> None:
    if sys.stdin is None:
        raise CyvasseError("cannot read from stdin: it is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if kept is not None:
        table, wish = kept.table, None
        keeper = kept.keeper(games_folder())
    else:
        assert order is not None
        table, wish = order.table(), order.setup
        keeper = Keeper(games_folder())
    try:
        PlainGame(table, keeper, sys.stdin, _say, wish, questions=questions).run()
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _say(text: str) -> None:
    """A line; a prompt ends with a blank and stays open where somebody types behind it."""
    is_open = text.endswith(" ") and sys.stdin.isatty()
    print(text if is_open else text.rstrip(" "), end="" if is_open else "\n", flush=True)
