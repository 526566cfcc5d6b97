"""The values of a rule set's own fields as text, following their shapes.

A value is a word, or a list of words, or a list of ``name:value`` pairs.  Lists are separated by
commas and stand in parentheses inside another list: ``white:(at:d2,home:(c1,c2)),black:(at:b9)``.
Parts at their default are left out; an empty list or no value is ``-``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cyvasse.boards import Board
from cyvasse.errors import NotationError, StateError
from cyvasse.rules.terms import (
    Counts,
    Fields,
    Flag,
    PerSquare,
    Record,
    Shape,
    Square,
    Squares,
    Word,
    check_fields,
    filled_fields,
)

NOTHING = "-"
_NAMED = (Counts, PerSquare, Record)
_FLAGS = {"yes": True, "no": False}
_DEEPEST = 6
_TOKEN = re.compile(r"[A-Za-z0-9_]+|[-,:()]")

# What a text says before its shape is known: a word, or a list of items with or without a name.
Tree = str | list[tuple[str | None, "Tree"]]


def write_fields(fields: Fields, values: Mapping[str, Any]) -> str:
    """``name=value`` for every field that is not at its default, or ``-``."""
    parts = [
        f"{field.name}={_write(field.shape, values[field.name])}"
        for field in fields
        if values[field.name] != field.shape.default()
    ]
    return ";".join(parts) or NOTHING


def read_fields(fields: Fields, text: str, board: Board, what: str) -> dict[str, Any]:
    """All fields, those that the text leaves out at their default."""
    shapes = {field.name: field.shape for field in fields}
    values: dict[str, Any] = {}
    canonical = True
    for part in [] if text == NOTHING else text.split(";"):
        name, equals, word = part.partition("=")
        if not equals or name not in shapes:
            allowed = ", ".join(shapes) or "none at all"
            raise NotationError(f"{part[:40]!r} is no field of {what}; it may have {allowed}")
        if name in values:
            raise NotationError(f"the field {name} is given twice")
        value = _plain(shapes[name], word, board)
        if value is None:
            canonical = False
            value = _read(shapes[name], _Parser(word, name).tree(), name)
        values[name] = value
    if canonical:
        return filled_fields(fields, values)
    try:
        return check_fields(fields, values, board, what)
    except StateError as error:
        raise NotationError(str(error)) from None


def _plain(shape: Shape, text: str, board: Board) -> Any:
    """The value of a text that needs no parser, in canonical form; None if it is unusual."""
    if isinstance(shape, Squares):
        words = text.split(",")
        squares = set(words)
        is_plain = len(squares) == len(words) and squares <= board.numbers.keys()
        return sorted(words) if is_plain else None
    if isinstance(shape, Flag):
        return _FLAGS.get(text)
    if isinstance(shape, Word):
        return text if text in shape.choices else None
    if isinstance(shape, Square):
        return text if text in board.numbers else None
    return _plain_record(shape, text, board) if isinstance(shape, Record) else None


def _plain_record(shape: Record, text: str, board: Board) -> dict[str, Any] | None:
    values = {name: part.default() for name, part in shape.parts.items()}
    given = set()
    for item in text.split(","):
        name, _, word = item.partition(":")
        value = _plain(shape.parts[name], word, board) if name in values else None
        if value is None or name in given:
            return None
        given.add(name)
        values[name] = value
    return values


def _write(shape: Shape, value: Any, nested: bool = False) -> str:
    if value is None:
        return NOTHING
    if isinstance(shape, Flag):
        return "yes" if value else "no"
    if isinstance(shape, Squares):
        items = list(value)
    elif isinstance(shape, Counts):
        items = [f"{word}:{number}" for word, number in value.items()]
    elif isinstance(shape, PerSquare):
        items = [f"{at}:{_write(shape.inner, item, True)}" for at, item in value.items()]
    elif isinstance(shape, Record):
        items = [
            f"{name}:{_write(part, value[name], True)}"
            for name, part in shape.parts.items()
            if value[name] != part.default()
        ]
    else:
        return str(value)
    if not items:
        return NOTHING
    return f"({','.join(items)})" if nested else ",".join(items)


def _read(shape: Shape, tree: Tree, path: str) -> Any:
    if isinstance(shape, Squares):
        return [word for name, word in _items(tree, path) if _unnamed(name, path)]
    if isinstance(shape, _NAMED):
        return _read_named(shape, tree, path)
    if not isinstance(tree, str):
        raise NotationError(f"{path} is a single word, not a list")
    if isinstance(shape, Flag):
        if tree not in _FLAGS:
            raise NotationError(f"{path} is {tree!r}, not yes or no")
        return _FLAGS[tree]
    return None if tree == NOTHING else tree


def _read_named(shape: Shape, tree: Tree, path: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, item in _items(tree, path):
        if name is None:
            raise NotationError(f"{path} is a list of name:value pairs; {item!r:.40} has no name")
        if name in values:
            raise NotationError(f"{path} gives {name} twice")
        if isinstance(shape, Counts):
            if not isinstance(item, str) or not item.isdecimal() or len(item) > 2:
                raise NotationError(f"{path}.{name} is not a number from 0 to 99")
            values[name] = int(item)
        elif isinstance(shape, PerSquare):
            values[name] = _read(shape.inner, item, f"{path}.{name}")
        elif isinstance(shape, Record):
            if name not in shape.parts:
                raise NotationError(f"{path} has {', '.join(shape.parts)}, but no {name!r}")
            values[name] = _read(shape.parts[name], item, f"{path}.{name}")
    return values


def _unnamed(name: str | None, path: str) -> bool:
    if name is not None:
        raise NotationError(f"{path} is a plain list; {name!r} cannot have a value")
    return True


def _items(tree: Tree, path: str) -> list[tuple[str | None, Tree]]:
    if tree == NOTHING:
        return []
    return [(None, tree)] if isinstance(tree, str) else tree


class _Parser:
    """Words, commas, colons and parentheses to a tree."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.tokens = _TOKEN.findall(text)
        if "".join(self.tokens) != text:
            raise NotationError(f"{path} has a character that means nothing: {text[:40]!r}")
        self.at = 0

    def tree(self) -> Tree:
        tree = self._list(0)
        if self._peek():
            raise self._error()
        return tree

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.at += 1
        return token

    def _error(self) -> NotationError:
        found = repr(self._peek()) if self._peek() else "the end"
        return NotationError(f"{self.path}: {found} comes unexpectedly")

    def _list(self, depth: int) -> Tree:
        items = [self._item(depth)]
        while self._peek() == ",":
            self._next()
            items.append(self._item(depth))
        name, value = items[0]
        if len(items) == 1 and name is None:
            return value
        return items

    def _item(self, depth: int) -> tuple[str | None, Tree]:
        if self._peek() == "(":
            return None, self._value(depth)
        word = self._word()
        if self._peek() == ":":
            self._next()
            return word, self._value(depth)
        return None, word

    def _value(self, depth: int) -> Tree:
        if self._peek() != "(":
            return self._word()
        if depth >= _DEEPEST:
            raise NotationError(f"{self.path} is nested too deeply")
        self._next()
        inner = self._list(depth + 1)
        if self._next() != ")":
            self.at -= 1
            raise self._error()
        return inner

    def _word(self) -> str:
        if self._peek() in ("", ",", ":", "(", ")"):
            raise self._error()
        return self._next()
