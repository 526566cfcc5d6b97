"""``cyvasse replay``: go through a game turn by turn."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import accumulate
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from cyvasse.cli.gamefiles import find_files, plain
from cyvasse.cli.keys import keyboard
from cyvasse.cli.paint import coloured
from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.rules.base import Position

_HELP = "\u2190 \u2192 turn   PgUp PgDn ten   Home End   q quit"
_STEPS = {
    "right": 1,
    "down": 1,
    "space": 1,
    "enter": 1,
    "n": 1,
    "left": -1,
    "up": -1,
    "p": -1,
    "page down": 10,
    "page up": -10,
}
_FARTHEST = 1 << 30
_JUMPS = {"home": -_FARTHEST, "end": _FARTHEST}
_QUIT = ("q", "escape", "end of input")


def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of games, gzipped or not, or -.")
    ],
    game: Annotated[int, typer.Option(min=1, help="Which game of the file.")] = 1,
    turn: Annotated[
        int | None, typer.Option(min=0, help="Show only the position after that turn.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Print all turns, one position after the other.")
    ] = False,
) -> None:
    """Go through a game turn by turn, with the arrow keys.

    Where input or output is no terminal all turns are printed as plain text.
    """
    files = find_files([file])
    if len(files) != 1:
        raise CyvasseError(f"{plain(file)} is {len(files)} files; say which one to replay")
    steps = Steps(files[0].one(game))
    if turn is not None:
        if turn > steps.last:
            raise CyvasseError(f"this game has {steps.last} turns; there is no turn {turn}")
        _print(steps, turn)
    elif everything or not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        _print_all(steps)
    else:
        _browse(steps)


class Steps:
    """A game as a row of positions, one after each turn."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turns = game.turns()
        self.last = len(self.turns)
        self._plies = [0, *accumulate(len(turn.actions) for turn in self.turns)]
        self._played = 0
        self._position = game.start if game.screen_lifted else None

    def position(self, turn: int) -> Position | None:
        """The position after that turn; None while the screen stands."""
        if self._position is None:
            return None
        while self._played < turn:
            for action in self.turns[self._played].actions:
                self._position.play(action)
            self._played += 1
        while self._played > turn:
            self._played -= 1
            for _ in self.turns[self._played].actions:
                self._position.undo()
        return self._position

    def heading(self) -> str:
        """Who plays whom, and what."""
        tags = self.game.tags
        players = f"{tags.get('White', 'White')} - {tags.get('Black', 'Black')}"
        return plain(f"{self.game.rules.title}: {players}")

    def line(self, turn: int) -> str:
        """A turn as the turn list shows it; 0 is the start."""
        if not turn:
            return self._with_remarks("Start", range(1))
        played = self.turns[turn - 1]
        said = f"{turn}. {played.color.title}: {played}"
        return self._with_remarks(said, range(self._plies[turn - 1] + 1, self._plies[turn] + 1))

    def _with_remarks(self, text: str, plies: range) -> str:
        remarks = [self.game.comments[ply] for ply in plies if ply in self.game.comments]
        return plain(" ".join([text, *(f"{{{remark}}}" for remark in remarks)]))

    def verdict(self) -> str:
        """How the game ended."""
        outcome = self.game.outcome()
        return f"{outcome.result} {outcome}." if outcome else "* The game goes on."


def _print_all(steps: Steps) -> None:
    print(steps.heading())
    for turn in range(steps.last + 1):
        print()
        _print(steps, turn)
    print()
    print(steps.verdict())


def _print(steps: Steps, turn: int) -> None:
    position = steps.position(turn)
    drawing = "The screen stands." if position is None else str(position)
    if sys.stdout.isatty():
        console = Console(highlight=False, soft_wrap=True)
        console.print(Text(steps.line(turn), "bold"))
        console.print(Text(drawing) if position is None else coloured(drawing))
    else:
        print(f"{steps.line(turn)}\n{drawing}")


def _browse(steps: Steps) -> None:
    console = Console(highlight=False)
    with keyboard() as key, console.screen(hide_cursor=True) as screen:
        _follow(steps, key, lambda turn: screen.update(frame(steps, turn, console.size)))


def _follow(steps: Steps, key: Callable[[], str], show: Callable[[int], None]) -> None:
    turn = 0
    show(turn)
    while (pressed := key()) not in _QUIT:
        step = _STEPS.get(pressed) or _JUMPS.get(pressed) or 0
        turn = min(max(turn + step, 0), steps.last)
        show(turn)


def frame(steps: Steps, turn: int, size: tuple[int, int]) -> RenderableType:
    """What fills the screen: the board, and beside or below it the turns around this one."""
    width, height = size
    position = steps.position(turn)
    board = Text("The screen stands.") if position is None else coloured(str(position))
    wide = max(len(line) for line in board.plain.splitlines())
    tall = len(board.plain.splitlines())
    beside = width - wide >= 24
    room = max(height - 3 if beside else height - tall - 3, 1)
    turns = _turn_list(steps, turn, room)
    grid = Table.grid(padding=(0, 2))
    if beside:
        grid.add_row(board, turns)
    else:
        grid.add_row(board)
        grid.add_row(turns)
    foot = steps.verdict() if turn == steps.last else f"turn {turn} of {steps.last}"
    return Group(
        Text(steps.heading(), "bold", no_wrap=True, overflow="ellipsis"),
        grid,
        Text(f"{foot}   {_HELP}", "dim", no_wrap=True, overflow="ellipsis"),
    )


def _turn_list(steps: Steps, turn: int, room: int) -> Text:
    first = max(0, min(turn - room // 2, steps.last + 1 - room))
    listed = Text(no_wrap=True, overflow="ellipsis")
    for number in range(first, min(first + room, steps.last + 1)):
        marker = "\u25b8 " if number == turn else "  "
        listed.append(marker + steps.line(number) + "\n", "bold" if number == turn else "")
    return listed
