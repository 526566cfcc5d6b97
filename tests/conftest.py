"""What all tests share: tiers, one seed for what is left to chance, no clock for hypothesis."""

from __future__ import annotations

import os
import secrets
import signal
from importlib.metadata import entry_points

import pytest
from hypothesis import HealthCheck, settings

import cyvasse
from cyvasse.rules.installed import GROUP
from tests import tiers

# Started in the background tests would be deaf to Ctrl-C, and so would the programs they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# One for the whole run: xdist's workers inherit it, and must choose the same cases.
SEED = int(os.environ.setdefault("CYVASSE_SEED", str(secrets.randbits(32))))

# Deadlines would make a busy machine fail; uncompiled, fewer examples say as much.
for profile, examples in (("quick", 15), ("test", 60), ("thorough", 300)):
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples if cyvasse.COMPILED else max(examples // 6, 5),
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("test")


def pytest_configure(config: pytest.Config) -> None:
    """These tests know the house's rule sets by heart; another one would fail in dozens of them."""
    others = sorted({entry.dist.name for entry in entry_points(group=GROUP) if entry.dist})
    if others and not config.option.pyargs:  # which asks for the tests of the contract
        raise pytest.UsageError(
            f"rule sets of other packages are installed: pip uninstall {' '.join(others)}, "
            "or test those alone: pytest --pyargs cyvasse.testing"
        )


def pytest_report_header() -> str:
    return f"thorough tests: {tiers.THOROUGH}; CYVASSE_SEED={SEED} makes the same choices again"


# What takes seconds to start, so that a test that asks for it is slow.
STARTED = {"browser", "disk", "limited", "own_server", "postgres"}


def starts_something(item: pytest.Item) -> bool:
    """Whether a test wants more than the server that all share."""
    if not isinstance(item, pytest.Function):
        return False
    chosen = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return bool(STARTED & {*item.fixturenames}) or "postgresql" in chosen


@pytest.hookimpl(tryfirst=True)  # before somebody selects by markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that several cores come to an end together."""
    for item in filter(starts_something, items):
        item.add_marker("slow")
    if os.environ.get("CYVASSE_THOROUGH") == "sample":
        items[:], left_out = tiers.sample(items, SEED)
        config.hook.pytest_deselected(items=left_out)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
