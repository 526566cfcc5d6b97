"""The package in the browser's Python says and plays what it says and plays here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import BUILT, Node

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("transcript", "least"),
    [("positions", 60_000), ("games", 1_000), ("edges", 2_000), ("levels", 400)],
)
def test_it_agrees(
    transcript: str, least: int, node: Node, is_compiled: None, tmp_path: Path
) -> None:
    compiled, told = node.told(BUILT, transcript, 1, tmp_path / "answer")
    assert compiled
    assert len(told) >= least


def test_a_search_can_be_stopped_from_outside(node: Node, is_compiled: None) -> None:
    assert node.run("stopping.mjs", BUILT) == "stopped"
