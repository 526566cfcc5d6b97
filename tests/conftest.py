"""What all tests share: seeds for positions, and hypothesis without a clock."""

from __future__ import annotations

import os
import signal

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
