"""Game files: tags, setups, numbered turns, comments and a result, one or many games in a text.

    [Rules "nine-tile"]
    [First "white"]
    [WhiteSetup "nine-tile white …"]
    [BlackSetup "nine-tile black …"]
    [Result "1-0"]
    [End "king captured"]

    1. e4-e5,end 2. f6-f5,end {a quiet start} 3. d3xd5 1-0

Every turn has its own number; the actions of a turn are joined by commas.  What an action brought
about by itself follows it in parentheses: ``d9xf8(promoted_at_end:f8=king)``.  docs/formats.md
has the whole grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TextIO

from cyvasse.errors import NotationError
from cyvasse.game import Game
from cyvasse.notation.gamelines import Lines, split_games
from cyvasse.notation.gamereader import GameReader
from cyvasse.notation.gamewords import RESERVED, TAG_NAME, fits_on_a_line, note
from cyvasse.notation.setups import write_setup
from cyvasse.rules.terms import Color

_WIDTH = 100


def write_game(game: Game) -> str:
    """The file of a game: everything that it takes to read it back."""
    if not isinstance(game, Game):
        raise NotationError(f"{game!r:.40} is not a game")
    for name in game.tags:
        if name in RESERVED:
            raise NotationError(f"the tag {name} is the game's own and cannot be given by hand")
    outcome = game.outcome()
    result = outcome.result if outcome else "*"
    tags = {"Rules": game.rules.id, **game.tags}
    if game.screen_lifted:
        tags |= _beginning(game)
    tags |= {"Repetition": "off"} if not game.repetition else {}
    tags |= {"Quiet": "off"} if not game.quiet else {}
    tags["Result"] = result
    if outcome:
        tags["End"] = str(outcome.end)
    lines = [_write_tag(name, value) for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped([*_write_turns(game), result]), ""])


def read_game(source: str | TextIO) -> Game:
    """The one game in a text or an open file; errors tell line and column of what is wrong."""
    found = list(islice(split_games(source), 2))
    if not found:
        raise NotationError("there is no game in this text", 1, 1)
    if len(found) > 1:
        raise found[1].problem or NotationError(
            "a second game begins here; read_games reads them all", found[1].first, 1
        )
    return GameReader(found[0]).game()


def read_games(
    source: str | TextIO | Lines, on_error: Callable[[NotationError], object] | None = None
) -> Iterator[Game]:
    """The games of a text or an open file, one after another, each checked action by action.

    One game is held in memory at a time.  With ``on_error`` a game that cannot be read is told to
    it, and reading goes on with the next game.

    >>> import cyvasse
    >>> problems: list[cyvasse.NotationError] = []
    >>> text = '[Rules "croft"]\\n\\n1. e4 *\\n\\n[Rules "croft"]\\n\\n*\\n'
    >>> len(list(read_games(text, problems.append)))
    1
    >>> print(*problems)
    line 3, column 4: the screen stands: play begins when both setups are ready
    """
    for game_lines in split_games(source):
        try:
            game = GameReader(game_lines).game()
        except NotationError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield game


# --- writing --------------------------------------------------------------------------------------


def _beginning(game: Game) -> dict[str, str]:
    setups = {color: game.setup(color) for color in Color}
    if None in setups.values():
        return {"Position": game.start.text()}
    written = {
        f"{color.title}Setup": write_setup(setup) for color, setup in setups.items() if setup
    }
    return {"First": str(game.start.turn), **written}


def _write_tag(name: str, value: str) -> str:
    if not isinstance(name, str) or not TAG_NAME.fullmatch(name):
        raise NotationError(
            f"{name!r:.40} cannot be the name of a tag: a letter, then letters, digits and _"
        )
    if not isinstance(value, str) or not fits_on_a_line(value):
        raise NotationError(f"the tag {name} holds something that does not fit on a line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _write_turns(game: Game) -> Iterator[str]:
    for at, remark in game.comments.items():
        if not isinstance(remark, str) or at not in range(game.ply + 1):
            raise NotationError(f"the comment {remark!r:.40} at {at!r:.20} fits nowhere")
    yield from _comment(game, range(1))
    played = 0
    for number, turn in enumerate(game.turns(), 1):
        actions = [
            f"{action}{note(game.rules, effects)}"
            for action, effects in zip(turn.actions, turn.effects, strict=True)
        ]
        yield f"{number}. {','.join(actions)}"
        # A comment inside a turn would tear it apart: it follows the turn instead.
        yield from _comment(game, range(played + 1, played + len(turn.actions) + 1))
        played += len(turn.actions)


def _wrapped(units: Iterable[str]) -> Iterator[str]:
    """Lines of at most _WIDTH characters; a turn stays beside its number."""
    line = ""
    for unit in units:
        if line and len(line) + 1 + len(unit) > _WIDTH:
            yield line
            line = unit
        else:
            line = f"{line} {unit}" if line else unit
    yield line


def _comment(game: Game, after: range) -> Iterator[str]:
    """The remarks that follow any of these numbers of actions, as one comment."""
    remark = " ".join(" ".join(game.comments.get(at, "") for at in after).split())
    if "{" in remark or "}" in remark:
        raise NotationError("a comment cannot contain { or }")
    if not fits_on_a_line(remark):
        raise NotationError(f"the comment {remark!r:.40} has a character that cannot be written")
    if remark:
        yield "{" + remark + "}"
