"""What all tests share: seeds for positions, and hypothesis without a clock."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

import cyvasse

# Deadlines would make a busy machine fail; uncompiled, fewer examples say as much.
settings.register_profile(
    "cyvasse",
    deadline=None,
    max_examples=60 if cyvasse.COMPILED else 10,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cyvasse")
