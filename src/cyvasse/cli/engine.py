"""The engine's commands: choose, analyse, measure, and speak its protocol."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Annotated

import typer

from cyvasse.cli.inputs import Seed, Words, read_position
from cyvasse.engine import LEVELS, Analysis, Engine
from cyvasse.engine import analyse as analyses
from cyvasse.engine.bench import NODES
from cyvasse.engine.bench import bench as measure
from cyvasse.engine.player import MOST_THREADS
from cyvasse.engine.ugi import serve
from cyvasse.errors import CyvasseError
from cyvasse.rules import rule_set, rule_sets

Nodes = Annotated[int | None, typer.Option(min=1, help="Stop after so many positions.")]
Depth = Annotated[int | None, typer.Option(min=1, help="Look so many actions ahead.")]
Seconds = Annotated[float | None, typer.Option(min=0, help="Stop after so many seconds.")]

_ROW = "{:>5}{:>9}{:>12}{:>12}  {}"


def best(
    position: Words,
    seed: Seed = None,
    level: Annotated[
        int | None,
        typer.Option(min=1, max=max(LEVELS), help="Play like that level, not at full strength."),
    ] = None,
    nodes: Nodes = None,
    depth: Depth = None,
    seconds: Seconds = None,
) -> None:
    """Print the action that the engine would play.

    Full strength thinks for a second if no limit is given; a level has its own.
    """
    here = read_position(position, seed)
    print(Engine(level).choose(here, nodes=nodes, depth=depth, seconds=seconds))


def analyse(
    position: Words,
    seed: Seed = None,
    lines: Annotated[int, typer.Option(min=1, help="How many of the best lines to show.")] = 3,
    nodes: Nodes = None,
    depth: Depth = None,
    seconds: Seconds = None,
    threads: Annotated[
        int, typer.Option(min=1, max=MOST_THREADS, help="How many threads search together.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show the best lines of play, deeper and deeper; Ctrl-C ends it.

    Scores are in Rabbles, for the player to act.
    """
    here = read_position(position, seed)
    found = analyses(here, nodes=nodes, depth=depth, seconds=seconds, lines=lines, threads=threads)
    if not as_json:
        print(_ROW.format("depth", "seconds", "nodes", "score", "line"), flush=True)
    try:
        for analysis in found:
            print(_document(analysis) if as_json else "\n".join(_rows(analysis)), flush=True)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None  # the way to end an analysis without limits


def bench(
    rule_set_id: Annotated[
        str | None,
        typer.Argument(metavar="[RULE_SET]", help="Such as nine-tile; all if left out."),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="For each position.")] = NODES,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Search some fixed positions and tell how fast it went and what came out.

    The signature stays the same as long as the search does exactly the same.
    """
    chosen = rule_sets() if rule_set_id is None else (rule_set(rule_set_id),)
    results = {rules.id: measure(rules, nodes) for rules in chosen}
    if as_json:
        figures = {
            name: {"nps": found.speed, "nodes": found.nodes, "signature": found.signature}
            for name, found in results.items()
        }
        print(json.dumps(figures))
        return
    print(f"{'':16}{'nodes':>10}{'seconds':>9}{'nodes/s':>12}{'depth':>7}  signature")
    for name, found in results.items():
        print(
            f"{name:16}{found.nodes:>10}{found.seconds:>9.2f}{found.speed:>12,}"
            f"{found.depth:>7.1f}  {found.signature}"
        )


def ugi() -> None:
    """Speak the Universal Game Interface on stdin and stdout; docs/ugi.md describes it."""
    if sys.stdin is None:
        raise CyvasseError("cannot read from stdin: it is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        serve(sys.stdin, lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _rows(analysis: Analysis) -> Iterator[str]:
    """A row for each line; what is the same for all stands in the first."""
    head = str(analysis.depth), f"{analysis.seconds:.2f}", f"{analysis.nodes:,}"
    for line in analysis.lines:
        yield _ROW.format(*head, line.verdict, " ".join(str(action) for action in line.actions))
        head = "", "", ""


def _document(analysis: Analysis) -> str:
    return json.dumps(
        {
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "seconds": round(analysis.seconds, 3),
            "lines": [
                {
                    "score": line.score,
                    "wins_in": line.wins_in,
                    "actions": [str(action) for action in line.actions],
                }
                for line in analysis.lines
            ],
        }
    )
