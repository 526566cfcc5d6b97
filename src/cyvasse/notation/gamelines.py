# cython: boundscheck=True, wraparound=True
"""Cut a stream of text into games, in constant memory, whatever the stream holds.

A game begins with tags; a tag after anything else begins the next one.  After something that cannot
be a game the next tag is looked for, so that one bad game does not spoil those behind it.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TextIO

from cyvasse.errors import NotationError

# What is longer is no game.  Without a limit one endless line would fill the memory.  Where no game
# begins for as long again, none will: a few bytes of gzip can hold gigabytes.
LONGEST_GAME = 1 << 20

_BRACE = re.compile("[{}]")
_NO_UTF_8 = re.compile("[\ud800-\udfff]")


class GameLines(NamedTuple):
    """The lines of one game, without line ends."""

    first: int
    """The number of the first line in the file."""
    lines: list[str]
    problem: NotationError | None = None
    """Why this cannot be a game, if that is plain already."""


class Lines:
    """The numbered lines of a stream, without their ends; lines may be given back."""

    number: int
    """Of the line that was read last."""
    continued: bool
    """Whether it was not the beginning of a line."""
    broken: bool
    """Whether nothing more can be read."""
    _source: TextIO
    _returned: list[str]
    _cut: bool

    def __init__(self, source: str | TextIO) -> None:
        if isinstance(source, str):
            source = io.StringIO(source)
        elif not hasattr(source, "readline"):
            raise NotationError(f"a game file is a text, not {source!r:.40}")
        self._source = source
        self._returned = []
        self._cut = self.continued = self.broken = False
        self.number = 0

    def next(self) -> str | None:
        """The next line, or None after the last; one that is too long comes in several parts."""
        if self._returned:
            self.continued = False
            self.number += 1
            return self._returned.pop()
        try:
            line = self._source.readline(LONGEST_GAME)
        except UnicodeDecodeError as error:
            raise self._unreadable(f"this is no UTF-8: {error.reason}") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._unreadable(f"the compressed file is damaged: {error}") from None
        if not isinstance(line, str):
            raise NotationError("a game file is opened as text, not as bytes")
        if not line:
            return None
        self.continued = self._cut
        if not self.continued:
            self.number += 1
        length = len(line)
        line = line.rstrip("\r\n")
        self._cut = length >= LONGEST_GAME and len(line) == length
        return line if self.number > 1 else line.removeprefix("\ufeff")

    def give_back(self, lines: list[str]) -> None:
        """Read these lines, the last ones that were read, once more."""
        self._returned.extend(reversed(lines))
        self.number -= len(lines)

    def _unreadable(self, message: str) -> NotationError:
        self.broken = True
        return NotationError(message, self.number + 1, 1)


def check_characters(first: int, lines: Iterable[str]) -> None:
    """Bytes that were no UTF-8 have become halves of characters: tell where."""
    for number, line in enumerate(lines, first):
        if not line.isascii() and (match := _NO_UTF_8.search(line)):
            raise NotationError("this is no UTF-8", number, match.start() + 1)


def split_games(source: str | TextIO | Lines) -> Iterator[GameLines]:
    """The games of a text or an open file, uncut and unread.

    >>> text = '[Rules "croft"]\\n\\n*\\n\\n[Rules "croft"]\\n\\n*'
    >>> [game_lines.first for game_lines in split_games(text)]
    [1, 5]
    """
    lines = source if isinstance(source, Lines) else Lines(source)
    while True:
        try:
            game_lines = _Cutter(lines).next_game()
        except NotationError as error:
            yield GameLines(error.line or 1, [], error)
            return
        if game_lines is None:
            return
        yield game_lines


class _Cutter:
    """Collects the lines of one game."""

    _lines: Lines
    _collected: list[str]
    _first: int
    _in_tags: bool
    _in_comment: bool
    _resume: int
    """Where in an open comment something like a tag stands, should the comment never end."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._collected = []
        self._first = lines.number + 1
        self._in_tags = True
        self._in_comment = False
        self._resume = 0

    def next_game(self) -> GameLines | None:
        size = 0
        while (line := self._lines.next()) is not None:
            size += len(line) + 1
            if size > LONGEST_GAME:
                return self._too_long(line)
            if line.startswith("["):
                if self._in_comment:
                    self._resume = self._resume or len(self._collected)
                elif not self._in_tags:
                    self._lines.give_back([line])
                    return self._cut()
            elif line and not line.isspace():
                self._in_tags = False
            elif not self._collected:
                self._first += 1
                continue
            self._collected.append(line)
            if not self._in_tags and ("{" in line or "}" in line) and self._braces(line):
                return self._cut_open()
        if not self._collected:
            return None
        return self._cut_open() if self._in_comment and self._resume else self._cut()

    def _cut(self) -> GameLines:
        return GameLines(self._first, self._collected)

    def _cut_open(self) -> GameLines:
        """The comment that stands open was never closed: go on with the first tag within it."""
        self._lines.give_back(self._collected[self._resume :])
        del self._collected[self._resume :]
        return self._cut()

    def _braces(self, line: str) -> bool:
        """Follow the comments of a line; True if one was open and cannot end any more."""
        for brace in _BRACE.findall(line):
            if brace == "}":
                self._in_comment = False
                self._resume = 0
            elif self._in_comment and self._resume:
                return True
            else:
                self._in_comment = True
        return False

    def _too_long(self, line: str) -> GameLines:
        """Look for the next game behind something that is too long to be one."""
        if self._in_comment and self._resume:
            self._lines.give_back([line])
            return self._cut_open()
        problem = f"this game is longer than {LONGEST_GAME:,} characters"
        skipped = -len(line)
        following: str | None = line
        while following is not None:
            is_tag = following.startswith("[") and not self._lines.continued
            if is_tag and not self._in_tags:
                self._lines.give_back([following])
                break
            if not is_tag and following and not following.isspace():
                self._in_tags = False
            skipped += len(following) + 1
            if skipped > LONGEST_GAME:
                raise NotationError(
                    f"{problem}, and no other begins behind it: the rest is not read",
                    self._first,
                    1,
                )
            following = self._lines.next()
        return GameLines(self._first, [], NotationError(problem, self._first, 1))
