"""The text and the number of every kind of action."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse import Action, CyvasseError, NotationError, UnknownSquareError
from cyvasse.actions import (
    KIND,
    KINDS,
    LETTERS,
    SQUARE,
    _canonical,
    encode,
    from_square_to_square,
    squares_by_place,
)
from cyvasse.rules.croft.board import CROFT
from cyvasse.rules.nine_tile.board import NINE_TILE

EXAMPLES = {
    "move": "e4-f5",
    "capture": "e4xf6",
    "capture_landing": "e4xf6-g7",
    "capture_two": "e4xf5xh7",
    "shoot": "e4*f6",
    "siege": "e4-f5*g6",
    "swap": "e4~f5",
    "jump": "e4^f6",
    "drop": "r@e4",
    "bring_out": "out@e4",
    "promote": "e5=x",
    "corner": "corner@a10",
    "end": "end",
    "pass": "pass",
}


@pytest.mark.parametrize(("kind", "text"), list(EXAMPLES.items()))
def test_kinds(kind: str, text: str) -> None:
    action = Action.parse(text, CROFT)
    assert action.kind == kind
    assert str(action) == text
    assert repr(action) == f"<Action {text}>"
    assert Action(action.code, CROFT) == action
    assert hash(Action(action.code, CROFT)) == hash(action)
    assert pickle.loads(pickle.dumps(action)) == action
    assert action.turned().turned() == action


def test_the_parts_of_a_number_do_not_touch() -> None:
    """And there is room for as many kinds again."""
    parts = [encode(KIND), encode(0, SQUARE), encode(0, 0, SQUARE), encode(0, 0, 0, SQUARE)]
    parts.append(encode(0, piece=15))
    assert sum(parts) == (1 << 30) - 1
    assert [part.bit_count() for part in parts] == [5, 7, 7, 7, 4]
    assert 2 * len(KINDS) <= KIND
    assert len(LETTERS) <= 16


def test_every_kind_has_an_example() -> None:
    assert [name for name, _ in KINDS.values()] == list(EXAMPLES)


def test_parts() -> None:
    siege = Action.parse("e4-f5*g6", CROFT)
    assert (siege.origin, siege.target, siege.victim, siege.piece) == ("e4", "f5", "g6", None)
    capture = Action.parse("e4xf6", CROFT)
    assert (capture.origin, capture.target, capture.victim) == ("e4", "f6", "f6")
    drop = Action.parse("x@e4", CROFT)
    assert (drop.origin, drop.target, drop.victim, drop.piece) == (None, "e4", None, "X")
    end = Action.parse("end", CROFT)
    assert (end.origin, end.target, end.victim, end.piece) == (None, None, None, None)


def test_actions_of_different_boards_differ() -> None:
    assert Action.parse("e4-f5", CROFT) != Action.parse("e4-f5", NINE_TILE)
    assert Action.parse("e4-f5", CROFT) != "e4-f5"


@given(
    st.sampled_from(list(KINDS)),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, len(LETTERS) - 1),
)
def test_text_keeps_all_that_counts(
    kind: int, origin: int, target: int, victim: int, piece: int
) -> None:
    action = Action(_canonical(encode(kind, origin, target, victim, piece)), CROFT)
    text = str(action)
    again = Action.parse(text, CROFT)
    assert str(again) == text
    assert (again.kind, again.origin, again.target, again.victim, again.piece) == (
        action.kind,
        action.origin,
        action.target,
        action.victim,
        action.piece,
    )


@pytest.mark.parametrize(
    "text", ["", "e4", "e4-", "E4-f5", "e4 -f5", "e4--f5", "q@e4x", "e04-e5\n"]
)
def test_malformed(text: str) -> None:
    with pytest.raises(CyvasseError):
        Action.parse(text, CROFT)


def test_unknown_square_and_piece() -> None:
    with pytest.raises(UnknownSquareError, match="'z4'"):
        Action.parse("z4-f5", CROFT)
    with pytest.raises(NotationError, match="letter 'q'"):
        Action.parse("q@e4", CROFT)


@pytest.mark.parametrize(
    "code",
    [
        *(0, 15, -1, 1 << 40, encode(1, 100), encode(1, 0, 127), encode(9, 0, 0, 0, 15)),
        *(encode(1, 0, 1, 2), encode(13, 1), encode(2, 1, 2, 3), 3.5, "x", None, True),
    ],
)
def test_numbers_that_are_no_action(code: int) -> None:
    with pytest.raises(CyvasseError):
        Action(code, CROFT)


def test_actions_need_a_board() -> None:
    boards: list[Any] = [None, "croft"]
    for board in boards:
        with pytest.raises(CyvasseError):
            Action(1, board)
        with pytest.raises(CyvasseError):
            Action.parse("e4-e5", board)


@given(st.text(max_size=20))
def test_garbage(text: str) -> None:
    try:
        action = Action.parse(text, CROFT)
    except CyvasseError:
        return
    assert str(action) == text


@given(st.lists(st.sampled_from([*"abz019-x*~^@=,( ", "a1", "j10", "a01", "k1"])).map("".join))
def test_two_squares_and_a_sign(text: str) -> None:
    """Most texts are read without a pattern; they mean what the patterns say."""
    found = from_square_to_square(text, 0, len(text), squares_by_place(CROFT))
    match = re.match(r"([a-z][1-9][0-9]?)([-x*~^])([a-z][1-9][0-9]?)", text)
    if match is None or match[1] not in CROFT or match[3] not in CROFT:
        assert found == -1
    else:
        assert found >> 32 == match.end()
        assert str(Action(found & 0xFFFFFFFF, CROFT)) == match[0]


def test_a_text_may_be_of_a_kind_of_its_own() -> None:
    class Text(str):
        __slots__ = ()

    assert Action.parse(Text("a1-b2"), CROFT) == Action.parse("a1-b2", CROFT)
