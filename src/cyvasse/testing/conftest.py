"""In which order the tests run, and how hypothesis looks for examples."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import cyvasse

HERE = Path(__file__).parent
ORDER = ("rule_set", "position", "reasons", "setups", "scene", "texts", "evaluation")
"""What others rely on first, so that the first failure is the most telling."""

# A deadline would make a busy machine fail; uncompiled, fewer examples say as much.
settings.register_profile(
    "cyvasse-contract",
    deadline=None,
    max_examples=60 if cyvasse.COMPILED else 10,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
# Unless whoever runs the tests has chosen otherwise.
if settings.get_current_profile_name() in ("default", "ci"):
    settings.load_profile("cyvasse-contract")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    ours = item.path.parent == HERE
    return ORDER.index(item.path.stem.removeprefix("test_")) if ours else -1
