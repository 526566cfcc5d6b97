"""Read the tags and the turns of a game that is written as it should be, in one go.

Whatever is unusual is left to a slower reader, which finds out what is wrong and where.
"""

from __future__ import annotations

from typing import NamedTuple

from cyvasse.actions import (
    Action,
    from_square_to_square,
    known_action,
    make_action,
    squares_by_place,
)
from cyvasse.boards import Board
from cyvasse.notation.gamewords import RESULTS

_NO_NUMBER = 1_000_000  # a turn's number beyond this is unusual


def scan_tags(lines: list[str], first: int) -> dict[str, tuple[str, int]] | None:
    """The tags up to an empty line, each with the number of its line; the first line's is given.

    None if anything is unusual, also what a reader may well take: names that are not ASCII.

    >>> scan_tags(['[Rules "croft"]', '[Event "corpus"]', "", "*"], 1)
    {'Rules': ('croft', 1), 'Event': ('corpus', 2)}
    """
    tags: dict[str, tuple[str, int]] = {}
    number = first
    for line in lines:
        size = len(line)
        if size == 0:
            return tags
        at = 1
        while at < size and _is_in_name(line[at], at > 1):
            at += 1
        start = at + 2
        end = size - 2
        if at == 1 or end < start or line[0] != "[" or line[end + 1] != "]":
            return None
        if line[at] != " " or line[at + 1] != '"' or line[end] != '"':
            return None
        name = line[1:at]
        if name in tags:
            return None
        for at in range(start, end):
            here = line[at]
            if here < " " or here > "~" or here == '"' or here == "\\":
                return None
        tags[name] = line[start:end], number
        number += 1
    return None


def _is_in_name(here: str, inside: bool) -> bool:
    """Whether a character can stand in the name of a tag, as the first one or inside."""
    if "a" <= here <= "z" or "A" <= here <= "Z":
        return True
    return inside and ("0" <= here <= "9" or here == "_")


class Turns(NamedTuple):
    """What stands behind the tags of a game; plies are counted from 1."""

    actions: list[Action]
    ends: list[int]
    """The last ply of each turn."""
    notes: list[tuple[int, str]]
    """What was noted in parentheses behind a ply."""
    remarks: list[tuple[int, str]]
    """Comments in their braces, behind a ply."""
    result: str
    at: int
    """Where the result stands."""


def scan_turns(text: str, board: Board) -> Turns | None:
    """The turns and the result; None, or a NotationError, if anything is unusual.

    >>> import cyvasse
    >>> board = cyvasse.rule_set("croft").board
    >>> turns = scan_turns("1. a8-a7 2. l@i3,end {so far} *", board)
    >>> turns.actions, turns.ends, turns.remarks
    ([<Action a8-a7>, <Action l@i3>, <Action end>], [1, 3], [(3, '{so far}')])
    """
    squares = squares_by_place(board)
    actions: list[Action] = []
    ends: list[int] = []
    notes: list[tuple[int, str]] = []
    remarks: list[tuple[int, str]] = []
    size = len(text)
    at = number = 0
    while True:
        while at < size and (text[at] == " " or text[at] == "\n"):
            at += 1
        if at == size:
            return None
        start = at
        if text[at] == "{":
            at = text.find("}", start)
            if at < 0 or text.find("{", start + 1, at) >= 0:
                return None
            at += 1
            remarks.append((len(actions), text[start:at]))
            continue
        expected = 0
        while at < size and "0" <= text[at] <= "9" and expected < _NO_NUMBER:
            expected = 10 * expected + ord(text[at]) - 48
            at += 1
        if at == size or text[at] != ".":
            result = text[start:].rstrip()
            if result not in RESULTS:
                return None
            return Turns(actions, ends, notes, remarks, result, start)
        number += 1
        at += 1
        if expected != number or text[start] == "0" or at == size:
            return None
        if text[at] != " " and text[at] != "\n":
            return None
        while at < size and (text[at] == " " or text[at] == "\n"):
            at += 1
        while True:
            start = at
            found = from_square_to_square(text, at, size, squares)
            at = found >> 32
            if found >= 0 and _ends(text, at, size):
                actions.append(make_action(found & 0xFFFFFFFF, board))
            else:
                at = start
                while not _ends(text, at, size):
                    at += 1
                actions.append(known_action(text[start:at], board))
            if at < size and text[at] == "(":
                start = at
                at += 1
                while not _ends(text, at, size):
                    at += 1
                notes.append((len(actions), text[start:at]))
            if at == size or text[at] != ",":
                break
            at += 1
        ends.append(len(actions))


def _ends(text: str, at: int, size: int) -> bool:
    """Whether an action, or what is told of it, ends here."""
    if at == size:
        return True
    here = text[at]
    return here == " " or here == "," or here == "\n" or here == "(" or here == "{"
