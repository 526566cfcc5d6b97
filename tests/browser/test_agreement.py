"""The package in the browser's Python says and plays what it says and plays here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import BUILT, Node
from tests.tiers import missing

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("transcript", "least"),
    [("positions", 60_000), ("games", 1_000), ("edges", 2_000), ("levels", 400)],
)
def test_it_agrees(
    transcript: str, least: int, node: Node, manifest: dict[str, Any], tmp_path: Path
) -> None:
    if not manifest["compiled"]:
        missing(f"the package for the browser is not compiled, since {manifest['why']}")
    compiled, told = node.told(BUILT, transcript, 1, tmp_path / "answer")
    assert compiled
    assert len(told) >= least
