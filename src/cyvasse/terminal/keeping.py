"""Games in files: saving, resuming, and keeping every game while it is played.

A file is an ordinary game file.  The tags ``WhiteBot`` and ``BlackBot`` hold a bot's level, such as
``3/10``; a number alone is a level of the eight that there were before.  While
the screen stands a setup is no part of a game file; here it goes into the tags ``WhiteSealed`` and
``BlackSealed`` (``…Draft`` while it is still arranged) as in an envelope: whoever looks at the file
sees nothing, though whoever wants to open it can.  Once the screen is lifted the tags are gone.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import secrets
import zlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from cyvasse.engine.levels import FORMER, LEVELS, level_name
from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation import parse_setup, read_game, write_game, write_setup
from cyvasse.rules.terms import Color, Setup
from cyvasse.terminal.table import Table
from cyvasse.wholefiles import write_whole

SUFFIX = ".cyvasse"
_KEY = 8
_CHECK = 4
_LONGEST = 4_000
_LARGEST_FILE = 4_000_000


# --- envelopes ------------------------------------------------------------------------------------


def seal(text: str) -> str:
    """The text in an envelope: a different one each time.

    >>> unseal(seal("nine-tile white"))
    'nine-tile white'
    """
    key = secrets.token_bytes(_KEY)
    data = zlib.compress(text.encode())
    check = hashlib.sha256(key + data).digest()[:_CHECK]
    return base64.urlsafe_b64encode(key + check + _veiled(key, data)).decode()


def unseal(envelope: str) -> str:
    """What is in an envelope; NotationError if it was damaged."""
    try:
        raw = base64.b64decode(envelope, altchars=b"-_", validate=True)
        key, check, data = raw[:_KEY], raw[_KEY : _KEY + _CHECK], raw[_KEY + _CHECK :]
        data = _veiled(key, data)
        if hashlib.sha256(key + data).digest()[:_CHECK] != check:
            raise ValueError
        return zlib.decompressobj().decompress(data, _LONGEST).decode()
    except (ValueError, binascii.Error, zlib.error):
        raise NotationError("a sealed setup is damaged and cannot be opened") from None


def _veiled(key: bytes, data: bytes) -> bytes:
    stream = hashlib.shake_256(key).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream, strict=True))


# --- tables as texts ------------------------------------------------------------------------------


def write_table(table: Table, submitted: Mapping[Color, Setup]) -> str:
    """The game file of a table; ``submitted`` are the setups that no game tells yet."""
    game = table.game
    before = dict(game.tags)
    try:
        game.tags.update(_own_tags(table, submitted))
        return write_game(game)
    finally:
        game.tags = before


def read_table(text: str) -> tuple[Table, dict[Color, Setup]]:
    """The table of a game file, and the setups that are submitted while the screen stands."""
    game = read_game(text)
    bots = {color: _level(game, color) for color in Color if f"{color.title}Bot" in game.tags}
    envelopes = {
        (color, kind): game.tags.pop(f"{color.title}{kind}", None)
        for color in Color
        for kind in ("Sealed", "Draft")
    }
    first = game.tags.pop("Begins", None)
    for color in bots:
        del game.tags[f"{color.title}Bot"]
    table = Table(game, bots, first=None if first is None else Color.parse(first))
    submitted: dict[Color, Setup] = {}
    if game.screen_lifted:
        return table, submitted
    for (color, kind), envelope in envelopes.items():
        if envelope is None or color in bots:
            continue
        setup = parse_setup(unseal(envelope))
        if setup.rule_set != game.rules.id or setup.color is not color:
            raise NotationError(f"the sealed setup of {color.title} is none for this game")
        if kind == "Draft":
            table.drafts[color] = setup
        else:
            submitted[color] = setup
            game.submit(color, setup)
    if table.to_set_up() is None:
        table.lift()
        submitted.clear()
    return table, submitted


def _own_tags(table: Table, submitted: Mapping[Color, Setup]) -> dict[str, str]:
    tags = {f"{color.title}Bot": _level_text(level) for color, level in table.bots.items()}
    if not table.game.screen_lifted:
        if table.first is not None:
            tags["Begins"] = str(table.first)
        for color, setup in submitted.items():
            tags[f"{color.title}Sealed"] = seal(write_setup(setup))
        for color, setup in table.drafts.items():
            tags[f"{color.title}Draft"] = seal(write_setup(setup))
    return tags


def _level(game: Game, color: Color) -> int:
    text = game.tags[f"{color.title}Bot"]
    known = {_level_text(level): level for level in (*LEVELS, *FORMER)}
    if text not in known:
        raise NotationError(
            f"the tag {color.title}Bot is {text!r:.20}, not a level such as {_level_text(3)}"
        )
    return known[text]


def _level_text(level: int) -> str:
    return f"{level}/{max(LEVELS)}" if level > 0 else str(-level)


# --- files ----------------------------------------------------------------------------------------


def named_path(name: str) -> Path:
    """The file that somebody has named; ``~`` is the home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise CyvasseError(f"cannot find {name!r:.60}: {error}") from None


def read_text(path: Path) -> str:
    """What is in a file that somebody has named; CyvasseError in words if it cannot be read."""
    try:
        if not path.is_file():
            raise CyvasseError(f"cannot read {path}: there is no such file")
        if path.stat().st_size > _LARGEST_FILE:
            raise CyvasseError(f"{path} is too large for a game or a setup")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CyvasseError(f"{path} is no text in UTF-8") from None
    except (OSError, ValueError) as error:
        if isinstance(error, CyvasseError):
            raise
        raise CyvasseError(f"cannot read {path}: {_reason(error)}") from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, readable for its owner alone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text, private=True)
    except (OSError, ValueError) as error:
        raise CyvasseError(f"cannot write {path}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def games_folder() -> Path:
    """Where games are kept while they are played: ``CYVASSE_GAMES``, or the usual place."""
    named = os.environ.get("CYVASSE_GAMES")
    if named:
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "cyvasse" / "games"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "cyvasse" / "games"


class Keeper:
    """Keeps one game in a file of its own after every change, so that none is ever lost."""

    def __init__(self, folder: Path, path: Path | None = None) -> None:
        self.folder = folder
        self.path = path
        self.submitted: dict[Color, Setup] = {}
        """The setups that the game does not tell before the screen is lifted."""

    def submit(self, table: Table, color: Color, setup: Setup) -> None:
        """Declare a setup finished, and keep it sealed until the screen is lifted."""
        table.submit(color, setup)
        self.submitted[color] = setup
        if table.game.screen_lifted:
            self.submitted.clear()

    def keep(self, table: Table) -> None:
        """Write the game down, once there is anything; CyvasseError if that cannot be."""
        if not (table.game.screen_lifted or table.drafts or self.submitted or self.path):
            return
        if self.path is None:
            self.path = _free_name(self.folder, table.rules.id)
        write_text(self.path, write_table(table, self.submitted))

    def save(self, table: Table, path: Path) -> None:
        """Write the game to a file that the player has named."""
        write_text(path, write_table(table, self.submitted))


def _free_name(folder: Path, name: str) -> Path:
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        extra = f"-{number}" if number else ""
        path = folder / f"{moment}-{name}{extra}{SUFFIX}"
        if not path.exists():
            return path
        number += 1


class Kept(NamedTuple):
    """A game that was kept and is not over."""

    path: Path
    table: Table
    submitted: dict[Color, Setup]

    def keeper(self, folder: Path) -> Keeper:
        """Goes on keeping it in the same file; a player's own file outside is left as it is."""
        inside = self.path.parent.resolve() == folder.resolve()
        keeper = Keeper(folder, self.path if inside else None)
        keeper.submitted.update(self.submitted)
        return keeper

    def __str__(self) -> str:
        game, table = self.table.game, self.table
        stage = f"turn {len(game.turns())}" if game.screen_lifted else "setting up"
        bot = next(iter(table.bots.values()), None)
        company = "two players" if bot is None else f"bot {level_name(bot)}"
        return f"{game.rules.title}, {company}, {stage}"


def open_file(path: Path) -> Kept:
    """The table of a game file; errors name the file."""
    text = read_text(path)
    try:
        return Kept(path, *read_table(text))
    except CyvasseError as error:
        raise CyvasseError(f"{path}: {error}") from None


def kept_games(folder: Path, most: int = 9) -> list[Kept]:
    """The games that are not over, the latest first; files that cannot be read are left out."""
    try:
        paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.name, reverse=True)
    except OSError:
        return []
    games: list[Kept] = []
    for path in paths:
        if len(games) == most:
            break
        try:
            if '[Result "*"]' not in read_text(path):
                continue
            kept = open_file(path)
        except CyvasseError:
            continue
        if kept.table.game.outcome() is None:
            games.append(kept)
    return games
