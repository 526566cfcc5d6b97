"""Where things lie: outlines, frames, coordinates."""

from __future__ import annotations

import math
import re

import pytest

import cyvasse
from cyvasse import BLACK, WHITE
from cyvasse.boards import Board
from cyvasse.draw.geometry import Layout, layout
from cyvasse.rules.croft.board import CROFT
from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.nine_tile.board import NINE_TILE

LAYOUTS = [(rules.board, style) for rules in cyvasse.rule_sets() for style in rules.board.styles]
every_layout = pytest.mark.parametrize(
    ("board", "style"), LAYOUTS, ids=[f"{board.name}-{style}" for board, style in LAYOUTS]
)


def area(outline: str) -> float:
    """The area inside some closed outlines, holes left out."""
    total = 0.0
    for loop in outline.split("Z")[:-1]:
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", loop)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True):
            total += (x2 * y1 - x1 * y2) / 2
    return total


def cell_area(lying: Layout) -> float:
    return 64 * 64 * (math.sqrt(3) / 2 if lying.hexagonal else 1)


@every_layout
def test_a_border_encloses_its_squares_and_no_others(board: Board, style: str) -> None:
    lying = layout(board, style, WHITE)
    for squares in (board.squares, board.squares[:1], board.squares[::7], board.squares[:20]):
        enclosed = area(lying.border(squares))
        assert math.isclose(enclosed, len(squares) * cell_area(lying), rel_tol=1e-3)


def test_a_border_goes_round_a_hole() -> None:
    lying = layout(CROFT, "squares", WHITE)
    around = ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"]
    outline = lying.border(around)
    assert outline.count("Z") == 2
    assert area(outline) == 8 * 64 * 64
    # Moved inwards both outlines come closer to each other.
    assert area(lying.border(around, inset=4)) == (192 - 8) ** 2 - (64 + 8) ** 2


def test_a_border_round_bricks_has_few_corners() -> None:
    lying = layout(NINE_TILE, "bricks", WHITE)
    assert lying.border(["b4", "c4", "c3", "d3"]).count("L") == 7
    assert lying.border(["i4", "j4"]).count("L") == 3


@every_layout
@pytest.mark.parametrize("bottom", [WHITE, BLACK])
def test_labels_lie_in_the_frame(board: Board, style: str, bottom: cyvasse.Color) -> None:
    lying = layout(board, style, bottom)
    labels = lying.labels(12.0)
    names = [name for _, name in labels]
    assert len(names) == len(set(names)) == board.width + board.height
    for (x, y), _ in labels:
        beyond = [
            ((x - ax) * (by - ay) + (y - ay) * (ax - bx)) / math.hypot(bx - ax, by - ay)
            for (ax, ay), (bx, by) in zip(lying.hull, lying.hull[1:] + lying.hull[:1], strict=True)
        ]
        assert math.isclose(max(beyond), 12.0, abs_tol=1e-6)
    for one, name in labels:
        for other, another in labels:
            assert name == another or math.dist(one, other) > 20


@every_layout
def test_directions_point_at_the_neighbour(board: Board, style: str) -> None:
    for bottom in (WHITE, BLACK):
        lying = layout(board, style, bottom)
        for square in board.squares:
            for direction in board.directions:
                there = board.neighbour(board.index(square), direction)
                if there is None:
                    continue
                (x, y), (tx, ty) = lying.centres[square], lying.centres[board.squares[there]]
                right, down = lying.towards(direction)
                length = math.hypot(tx - x, ty - y)
                assert math.isclose((tx - x) / length, right, abs_tol=1e-9)
                assert math.isclose((ty - y) / length, down, abs_tol=1e-9)


def test_the_player_at_the_bottom_sits_at_the_bottom() -> None:
    for bottom, below, above in ((WHITE, "f1", "f11"), (BLACK, "f11", "f1")):
        centres = layout(MIKELEPAGE, "hexagons", bottom).centres
        assert centres[below][1] > centres[above][1]
