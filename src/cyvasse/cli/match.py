"""``cyvasse match``: play players against each other and tell who is better, and how surely."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from cyvasse.engine.match import MatchResult, run_match
from cyvasse.engine.statistics import Sprt
from cyvasse.errors import CyvasseError

_INTERRUPTED = 130  # what shells expect after Ctrl-C


def match(
    rule_set_id: Annotated[str, typer.Argument(metavar="RULE_SET", help="Such as nine-tile.")],
    first: Annotated[
        str,
        typer.Argument(
            help="random, greedy, level:3, nodes:20000, depth:4 or seconds:0.1; "
            "@FILE behind it gives it other weights."
        ),
    ],
    second: Annotated[str, typer.Argument(help="Its opponent, in the same words.")],
    games: Annotated[int, typer.Option(help="How many games at most; they come in pairs.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same match.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(help="How many processes play.", show_default="one a core")
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="H0 H1",
            help="Stop as soon as one of two expected scores of FIRST is refuted, such as 0.55 "
            "0.65.  The exit code is 0 if H1 is accepted and 1 if not.",
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="The chance to accept H1 wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="The chance to accept H0 wrongly.")] = 0.05,
    out: Annotated[
        Path | None,
        typer.Option(help="Add the games to this file; a match that broke off goes on."),
    ] = None,
    setups: Annotated[str, typer.Option(help="Where setups come from: pool, named, random.")] = (
        "pool"
    ),
    weights: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Weights of FIRST as @FILE gives them; once more for SECOND."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Play a match: pairs of games on the same setups, with the players swapped."""
    first, second = _with_weights([first, second], weights or [])
    standing: list[MatchResult] = []
    code = 0
    with _progress(games) as show:

        def note(result: MatchResult) -> None:
            standing[:] = [result]
            show(result)

        try:
            result = run_match(
                rule_set_id,
                first,
                second,
                games=games,
                seed=seed,
                jobs=jobs or os.cpu_count() or 1,
                sprt=None if sprt is None else Sprt(*sprt, alpha, beta),
                out=out,
                setups=setups,
                on_pair=note,
            )
            code = 1 if sprt is not None and result.decision != "H1" else 0
        except KeyboardInterrupt:
            code = _INTERRUPTED
    if standing:
        print(json.dumps(standing[0].document()) if as_json else standing[0])
    if code == _INTERRUPTED:
        again = f"; the same command goes on with {out}" if out else ""
        print(f"cyvasse: interrupted{again}", file=sys.stderr)
    raise typer.Exit(code)


def _with_weights(players: list[str], files: list[str]) -> list[str]:
    if len(files) > len(players):
        raise CyvasseError(f"--weights is given {len(files)} times, but there are two players")
    for i, file in enumerate(files):
        if "@" in players[i]:
            raise CyvasseError(f"{players[i]!r} has weights already; leave out --weights {file}")
        players[i] += f"@{file}"
    return players


# --- the progress bar -----------------------------------------------------------------------------


class _Rate(ProgressColumn):
    """Games a minute in this run."""

    def render(self, task: Task) -> Text:
        return Text(f"{(task.speed or 0) * 60:.1f} games/min", style="progress.data.speed")


def _progress(games: int) -> AbstractContextManager[Callable[[MatchResult], None]]:
    """Something to tell how the match stands; it shows it only to people."""
    if not sys.stderr.isatty():
        return nullcontext(lambda result: None)
    return _Bar(games)


class _Bar(AbstractContextManager[Callable[[MatchResult], None]]):
    def __init__(self, games: int) -> None:
        self._bar = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=games)
        self._begun = False

    def __enter__(self) -> Callable[[MatchResult], None]:
        self._bar.start()
        return self._show

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _show(self, result: MatchResult) -> None:
        said = f"score {result.score.value:.1%}" if result.games else ""
        if result.llr is not None:
            said += f"  LLR {result.llr:+.2f}"
        if not self._begun:
            # What an earlier run has played says nothing about the speed of this one.
            self._bar.reset(self._task, completed=result.games, description=said)
            self._begun = True
        self._bar.update(self._task, completed=result.games, description=said)
