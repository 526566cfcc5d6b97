"""The versions of the development environment: requirements-dev.txt against pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements-dev.txt").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(r"^(\S+)==(\S+)(.*(?:\n .*)*)", re.MULTILINE)  # with what is indented below it
STALE = "requirements-dev.txt is stale: make lock writes it anew"


def asked(requirements: list[str]) -> Iterator[Requirement]:
    """What is asked for, with the package's own extras followed."""
    for text in requirements:
        requirement = Requirement(text)
        if requirement.name != PROJECT["name"]:
            yield requirement
        for extra in sorted(requirement.extras):
            yield from asked(PROJECT["optional-dependencies"].get(extra, []))


DIRECT = list(asked([*PROJECT["dependencies"], f"{PROJECT['name']}[dev]"]))


def test_something_is_asked_for() -> None:
    assert {"typer", "litestar", "textual", "pytest", "ruff"} <= {each.name for each in DIRECT}


@pytest.mark.parametrize("requirement", DIRECT, ids=str)
def test_what_is_asked_for_is_locked(requirement: Requirement) -> None:
    name = canonicalize_name(requirement.name)
    versions = [version for pinned, version, _ in PIN.findall(LOCK) if pinned == name]
    assert versions, STALE
    assert all(requirement.specifier.contains(version) for version in versions), STALE


def test_nothing_else_is_locked() -> None:
    """uv notes for each pin who has asked for it."""
    ours = {name for name, _, rest in PIN.findall(LOCK) if "cyvasse (pyproject.toml)" in rest}
    assert ours == {canonicalize_name(requirement.name) for requirement in DIRECT}, STALE


def test_every_pin_has_hashes_and_none_an_address() -> None:
    pins = PIN.findall(LOCK)
    assert len(pins) == LOCK.count("==") - LOCK.count("'=="), "a pin was not read"
    assert [name for name, _, rest in pins if "--hash=sha256:" not in rest] == []
    assert "://" not in LOCK
    assert re.findall(r"^-.*", LOCK, re.MULTILINE) == []
