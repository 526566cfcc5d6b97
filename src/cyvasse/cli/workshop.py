"""The workshop of the engine: commands that find its setups and tune its weights."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

import cyvasse.engine
from cyvasse.engine import arena
from cyvasse.engine import tune as tuning
from cyvasse.engine.match import MatchResult, run_match
from cyvasse.engine.pools import SIZE, find_pool
from cyvasse.engine.regression import SPREAD, fit
from cyvasse.engine.selfplay import Workers
from cyvasse.engine.setups import Pool, write_pool
from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.wholefiles import write_whole

console = Console(highlight=False, soft_wrap=True)

DATA = Path(cyvasse.engine.__file__).parent / "data"
_INTERRUPTED = 130  # what shells expect after Ctrl-C
MINUTES = 8.0
GAMES = 2000

RuleSetId = Annotated[str, typer.Argument(metavar="RULE_SET", help="Such as nine-tile.")]
Seed = Annotated[int, typer.Option(help="Of everything that is drawn.")]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=64, help="How many processes play.", show_default="one a core"),
]
Kept = Annotated[
    Path | None,
    typer.Option(
        help="Where results are kept, to stop and go on, or to add more.  "
        "Without it they are not kept.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(help="The file to write; without it the one that the engine reads."),
]


def pool(
    rule_set_id: RuleSetId,
    minutes: Annotated[
        float | None, typer.Option(min=0, help=f"How long to search, {MINUTES:g} by default.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=0, help="How many games to play, instead of minutes.")
    ] = None,
    size: Annotated[int, typer.Option(min=2, max=200, help="Setups in the pool.")] = SIZE,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes an action in its games.")] = arena.NODES,
    seed: Seed = 1,
    jobs: Jobs = None,
    journal: Kept = None,
    out: Out = None,
) -> None:
    """Find the setups that the bot plays, by search and play.

    With a limit of games the same seed finds the same pool.  Started again with the same journal
    it goes on where it was stopped; the minutes are counted anew.
    """
    rules = rule_set(rule_set_id)
    if minutes is None and games is None:
        minutes = MINUTES
    elif minutes is not None and games is not None:
        raise CyvasseError("a pool is searched for by --minutes or by --games, not by both")
    with (
        _interruptible(journal),
        _progress() as progress,
        Workers(_jobs(jobs)) as workers,
    ):
        start = time.monotonic()
        bar = progress.add_task("pool", total=games if minutes is None else 60 * minutes)

        def advance() -> None:
            spent = ring.played if minutes is None else time.monotonic() - start
            progress.update(bar, completed=spent)

        def on_stage(stage: str) -> None:
            progress.update(bar, description=f"{rules.id}, {ring.played} games: {stage}")

        ring = arena.Arena(rules, workers, journal=journal, nodes=nodes, seed=seed, watch=advance)
        found = find_pool(ring, size=size, minutes=minutes, games=games, on_stage=on_stage)
    path = out or DATA / f"{rules.id}-setups.json"
    write_pool(path, found)
    _show_pool(found)
    print(f"written to {path}")


def _show_pool(found: Pool) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("setup")
    for heading in ("probability", "score"):
        table.add_column(heading, justify="right")
    for name, weight, row in zip(found.names, found.weights, found.results, strict=True):
        games = sum(result.games for result in row)
        points = sum(result.score * result.games for result in row)
        table.add_row(name, f"{weight:.1%}", f"{points / max(1, games):.1%}")
    console.print(table)
    about = found.about
    print(
        f"{about['games']} games, {about['generations']} generations, "
        f"{about['games_a_pairing']} games a pairing; "
        f"who knows the probabilities takes {0.5 + about['exploitability']:.1%} of the points"
    )


def tune(
    rule_set_id: RuleSetId,
    games: Annotated[int, typer.Option(min=5, help="Games to learn from, kept ones too.")] = GAMES,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes an action in its games.")] = tuning.NODES,
    seed: Seed = 1,
    jobs: Jobs = None,
    journal: Kept = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start from the features' own weights, not the tuned.")
    ] = False,
    spread: Annotated[
        float, typer.Option(min=0.01, help="How far weights may move, as a part of themselves.")
    ] = SPREAD,
    match: Annotated[
        int, typer.Option(min=0, help="Games that the new weights then play against the old.")
    ] = 0,
    match_nodes: Annotated[int, typer.Option(min=1, help="Nodes an action in that match.")] = 2000,
    out: Out = None,
) -> None:
    """Tune the weights of a rule set's evaluation on the engine's own games."""
    rules = rule_set(rule_set_id)
    with (
        _interruptible(journal),
        _progress() as progress,
        Workers(_jobs(jobs)) as workers,
    ):
        bar = progress.add_task(f"{rules.id}: games", total=games)
        played = []
        for game in tuning.note_games(
            rules, games, workers, journal=journal, nodes=nodes, seed=seed
        ):
            played.append(game)
            progress.advance(bar)
    start = tuning.start_weights(rules, {} if fresh else None)
    counted = tuning.samples(rules, played)
    with _progress() as progress:
        bar = progress.add_task("fit", total=None)
        found = fit(
            counted,
            list(start.values()),
            seed=seed,
            spread=spread,
            on_epoch=lambda epoch, loss: progress.update(
                bar, description=f"epoch {epoch}, loss {loss:.5f}"
            ),
        )
    weights = dict(zip(start, found.weights, strict=True))
    path = out or DATA / f"{rules.id}-weights.json"
    tuning.write_weights(path, weights)
    drawn = sum(game.result == 0.5 for game in played) / len(played)
    report = [
        f"{rules.id}: {len(played)} games of {nodes} nodes an action, {drawn:.0%} drawn",
        f"{sum(map(len, counted))} quiet positions, {found.epochs} epochs, scale {found.scale:.0f}",
        f"loss on the games held out {found.before:.5f} before, {found.after:.5f} after",
        *_changes(start, weights),
    ]
    print("\n".join(report))
    if match:
        played_out = _compare(rules, start, weights, match, match_nodes, jobs, seed)
        report.append(f"new weights (first) against old: {played_out}")
        print(report[-1])
    write_whole(path.with_suffix(".txt"), "\n".join(report) + "\n")
    print(f"written to {path}, with this report beside it")


def _changes(start: dict[str, int], weights: dict[str, int]) -> list[str]:
    width = max(map(len, start))
    return [f"{name:<{width}} {weight:>6} -> {weights[name]:>6}" for name, weight in start.items()]


def _compare(
    rules: RuleSet,
    old: dict[str, int],
    new: dict[str, int],
    games: int,
    nodes: int,
    jobs: int | None,
    seed: int,
) -> MatchResult:
    with tempfile.TemporaryDirectory() as folder:
        players = []
        for name, weights in (("new", new), ("old", old)):
            path = Path(folder) / f"{name}.json"
            tuning.write_weights(path, weights)
            players.append(f"nodes:{nodes}@{path}")
        return run_match(rules, *players, games=games, seed=seed, jobs=_jobs(jobs))


def _jobs(wanted: int | None) -> int:
    return wanted or os.cpu_count() or 1


@contextmanager
def _interruptible(journal: Path | None) -> Iterator[None]:
    """Ctrl-C ends the command in one line."""
    try:
        yield
    except KeyboardInterrupt:
        again = f"; the same command goes on with {journal}" if journal else ""
        print(f"cyvasse: interrupted{again}", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None


def _progress() -> Progress:
    """A bar for people who watch; nothing where the output is read by a program."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
