"""Names, neighbours, lines and turning of the boards."""

from __future__ import annotations

import pickle

import pytest

from cyvasse import UnknownSquareError
from cyvasse.boards import Board
from cyvasse.rules.croft.board import CROFT
from cyvasse.rules.gameofcyvasse.board import GAMEOFCYVASSE
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.nine_tile.board import NINE_TILE

BOARDS = [NINE_TILE, MIKELEPAGE, CROFT, GAMEOFCYVASSE]
every_board = pytest.mark.parametrize("board", BOARDS, ids=[board.name for board in BOARDS])


@pytest.mark.parametrize(("board", "size"), list(zip(BOARDS, (88, 91, 100, 64), strict=True)))
def test_size(board: Board, size: int) -> None:
    assert len(board) == size


def test_nine_tile_rows() -> None:
    assert [(row[0], row[-1], len(row)) for row in NINE_TILE.rows()] == [
        ("a9", "h9", 8),
        ("a8", "i8", 9),
        ("a7", "j7", 10),
        ("a6", "k6", 11),
        ("a5", "l5", 12),
        ("b4", "l4", 11),
        ("c3", "l3", 10),
        ("d2", "l2", 9),
        ("e1", "l1", 8),
    ]


def test_nine_tile_neighbours() -> None:
    around = {
        direction: NINE_TILE.squares[there]
        for direction in NINE_TILE.directions
        if (there := NINE_TILE.neighbour(NINE_TILE.index("f4"), direction)) is not None
    }
    assert around == {"E": "g4", "W": "e4", "NE": "f5", "SW": "f3", "NW": "e5", "SE": "g3"}


def test_mikelepage_corners() -> None:
    for corner in ("a11", "f11", "k6", "k1", "f1", "a6"):
        at = MIKELEPAGE.index(corner)
        assert sum(MIKELEPAGE.neighbour(at, d) is not None for d in MIKELEPAGE.directions) == 3


@every_board
def test_turning_twice_changes_nothing(board: Board) -> None:
    for square in board.squares:
        assert board.turned(board.turned(square)) == square
    for direction in board.directions:
        assert board.turned_direction(board.turned_direction(direction)) == direction


@every_board
def test_turning_keeps_neighbours(board: Board) -> None:
    for i, square in enumerate(board.squares):
        for direction in board.directions:
            there = board.neighbour(i, direction)
            turned = board.neighbour(
                board.index(board.turned(square)), board.turned_direction(direction)
            )
            expected = None if there is None else board.index(board.turned(board.squares[there]))
            assert turned == expected


@every_board
def test_distance_is_the_number_of_steps(board: Board) -> None:
    start = len(board) // 3
    reached = {start: 0}
    edge = [start]
    for here in edge:
        for direction in board.directions:
            there = board.neighbour(here, direction)
            if there is not None and there not in reached:
                reached[there] = reached[here] + 1
                edge.append(there)
    for there, steps in reached.items():
        assert board.distance(board.squares[start], board.squares[there]) == steps
    assert len(reached) == len(board)


@every_board
def test_neighbours_are_drawn_side_by_side(board: Board) -> None:
    for style in board.styles:
        assert len(board.outline(style)) in (4, 6)
        for i, square in enumerate(board.squares):
            x, y = board.centre(square, style)
            for direction in board.directions:
                there = board.neighbour(i, direction)
                if there is not None:
                    x2, y2 = board.centre(board.squares[there], style)
                    assert (x2 - x) ** 2 + (y2 - y) ** 2 <= 2.0001


def test_lines_and_directions() -> None:
    assert NINE_TILE.direction("e5", "h5") == ("E", 3)
    assert NINE_TILE.direction("e5", "f6") is None
    assert [NINE_TILE.squares[i] for i in NINE_TILE.line(NINE_TILE.index("c6"), "NW")] == [
        "b7",
        "a8",
    ]


@pytest.mark.parametrize("square", ["", "z1", "a1", "e10", "E4", None, 4])
def test_unknown_squares(square: str) -> None:
    with pytest.raises(UnknownSquareError, match="no square"):
        NINE_TILE.index(square)
    assert square not in NINE_TILE


@every_board
def test_pickle_gives_the_same_board(board: Board) -> None:
    assert pickle.loads(pickle.dumps(board)) is board
