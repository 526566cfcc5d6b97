"""Games as documents: plain dictionaries that JSON can hold, checked like game files.

A document has ``rule_set``, the setups and who is ``first`` (or a ``position`` to begin with),
``turns`` as lists of actions, and ``result`` and ``end``; docs/formats.md has every key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

from cyvasse.errors import CyvasseError, NotationError, StateError
from cyvasse.game import Game
from cyvasse.notation.documents import (
    Document,
    read_setup,
    read_state,
    setup_document,
    state_document,
)
from cyvasse.notation.gamelines import LONGEST_GAME, Lines, check_characters
from cyvasse.notation.gamereader import check_end, play_written, settle
from cyvasse.notation.gamewords import RESERVED, RESULTS, TAG_NAME, fits_on_a_line, note
from cyvasse.rules import rule_set
from cyvasse.rules.terms import Color

_KEYS = (
    "rule_set",
    "tags",
    "repetition",
    "quiet",
    "first",
    "setups",
    "position",
    "turns",
    "comments",
    "result",
    "end",
)


def game_document(game: Game) -> Document:
    """A game as plain data.

    >>> document = game_document(Game("croft", tags={"White": "Arianne"}))
    >>> document["rule_set"], document["tags"], document["turns"], document["result"]
    ('croft', {'White': 'Arianne'}, [], '*')
    """
    outcome = game.outcome()
    rules = game.rules
    document: Document = {
        "rule_set": rules.id,
        "tags": dict(game.tags),
        "repetition": game.repetition,
        "quiet": game.quiet,
    }
    if game.screen_lifted:
        start = game.start
        setups = {str(color): game.setup(color) for color in Color}
        if None in setups.values():
            document["position"] = state_document(rules, start.state())
        else:
            document["first"] = str(start.turn)
            document["setups"] = {
                name: setup_document(rules, setup) for name, setup in setups.items() if setup
            }
    document["turns"] = [
        [
            f"{action}{note(rules, effects)}"
            for action, effects in zip(turn.actions, turn.effects, strict=True)
        ]
        for turn in game.turns()
    ]
    document["comments"] = {str(at): said for at, said in sorted(game.comments.items()) if said}
    document["result"] = outcome.result if outcome else "*"
    document["end"] = str(outcome.end) if outcome else None
    return document


def read_game_document(document: Mapping[str, Any]) -> Game:
    """The game that a document describes, every action and the result checked."""
    document = _mapping(document, "a game")
    for key in document:
        if key not in _KEYS:
            raise StateError(f"no field {key!r:.40}; there may be {', '.join(_KEYS)}")
    game = _begin(document)
    turns = document.get("turns", [])
    for number, turn in enumerate(_list(turns, "turns"), 1):
        if not _list(turn, f"turn {number}"):
            raise StateError(f"turn {number} is empty")
        for place, text in enumerate(turn):
            try:
                play_written(game, _text(text, "an action"), begins=not place)
            except CyvasseError as error:
                raise NotationError(f"turn {number}, action {place + 1}: {error}") from None
    _comment(game, _mapping(document.get("comments", {}), "comments"))
    result, end = document.get("result", "*"), document.get("end")
    if result not in RESULTS:
        raise StateError(f"result is {result!r:.40}, not one of {', '.join(RESULTS)}")
    settle(game, result, None if end is None else _text(end, "end"))
    check_end(game, end)
    return game


def read_game_documents(
    source: str | TextIO | Lines, on_error: Callable[[NotationError], object] | None = None
) -> Iterator[Game]:
    """The games of a stream of JSON documents, one in memory at a time.

    A document is a line, or it begins with a line ``{`` and ends with a line ``}``, as JSON is
    written with indentation.  ``on_error`` is as in ``read_games``.
    """
    lines = source if isinstance(source, Lines) else Lines(source)
    while True:
        try:
            game = _next_game(lines)
        except NotationError as error:
            if on_error is None:
                raise
            on_error(error)
            if lines.broken:
                return
            continue
        if game is None:
            return
        yield game


def _next_game(lines: Lines) -> Game | None:
    while True:
        line = lines.next()
        if line is None:
            return None
        if line and not line.isspace():
            break
    first = lines.number
    if not line.startswith("{"):
        raise NotationError("a game begins with { at the beginning of a line", first, 1)
    parts = [line]
    size = len(line)
    while not parts[-1].rstrip().endswith("}") or (len(parts) > 1 and parts[-1].rstrip() != "}"):
        following = lines.next()
        if following is None:
            break
        size += len(following) + 1
        if size > LONGEST_GAME:
            lines.broken = True
            raise NotationError(
                f"this game is longer than {LONGEST_GAME:,} characters: the rest is not read",
                first,
                1,
            )
        if following.startswith("{"):
            lines.give_back([following])
            break
        parts.append(following)
    check_characters(first, parts)
    return _read_json("\n".join(parts), first)


def _read_json(text: str, first: int) -> Game:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(
            f"this is no JSON: {error.msg}", first + error.lineno - 1, error.colno
        ) from None
    except RecursionError:
        raise NotationError("this is nested too deeply", first, 1) from None
    except ValueError as error:  # a number with thousands of digits
        raise NotationError(f"this is no JSON: {error}", first, 1) from None
    try:
        return read_game_document(document)
    except RecursionError:
        raise NotationError("this is nested too deeply", first, 1) from None
    except CyvasseError as error:
        raise NotationError(str(error), first, 1) from None


def _begin(document: Mapping[str, Any]) -> Game:
    rules = rule_set(document.get("rule_set", ""))
    switches = {name: document.get(name, True) for name in ("repetition", "quiet")}
    for name, value in switches.items():
        if not isinstance(value, bool):
            raise StateError(f"{name} is {value!r:.40}, not true or false")
    tags = _tags(_mapping(document.get("tags", {}), "tags"))
    if "position" in document:
        if "setups" in document or "first" in document:
            raise StateError("position stands instead of setups and first")
        state = read_state(rules, document["position"])
        return Game.from_position(rules.position(state), tags=tags, **switches)
    game = Game(rules, tags=tags, **switches)
    if "setups" not in document and "first" not in document:
        return game
    setups = _mapping(document.get("setups"), "setups")
    if set(setups) != {"white", "black"}:
        raise StateError("setups has white and black")
    for color in Color:
        game.submit(color, read_setup(rules, setups[str(color)], color))
    game.lift_screen(Color.parse(document.get("first")))
    return game


def _tags(tags: Mapping[str, Any]) -> dict[str, str]:
    for name, value in tags.items():
        if name in RESERVED or not TAG_NAME.fullmatch(name):
            raise StateError(f"{name!r:.40} cannot be the name of a free tag")
        if not fits_on_a_line(_text(value, f"the tag {name}")):
            raise StateError(f"the tag {name} holds a control character")
    return dict(tags)


def _comment(game: Game, comments: Mapping[str, Any]) -> None:
    for at, said in comments.items():
        said = _text(said, "a comment")
        if not (at.isascii() and at.isdecimal()) or len(at) > 9 or int(at) > game.ply:
            raise StateError(f"the comment at {at!r:.20} fits nowhere: {game.ply} actions")
        if "{" in said or "}" in said or not fits_on_a_line(said):
            raise StateError(f"the comment {said!r:.40} has a character that cannot be written")
        game.comments[int(at)] = said


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise StateError(f"{what} is {value!r:.40}, not a set of named values")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise StateError(f"{what} is {value!r:.40}, not a list")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise StateError(f"{what} is {value!r:.40}, not a text")
    return value
