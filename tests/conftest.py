"""What all tests share: seeds for positions, and hypothesis without a clock."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

import cyvasse

# Started in the background tests would be deaf to Ctrl-C, and so would the programs they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Deadlines would make a busy machine fail; uncompiled, fewer examples say as much.
settings.register_profile(
    "cyvasse",
    deadline=None,
    max_examples=60 if cyvasse.COMPILED else 10,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cyvasse")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that several cores come to an end together."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
