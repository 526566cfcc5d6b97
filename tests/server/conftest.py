"""The servers that the tests talk to: SQLite with one worker, PostgreSQL with two."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.harness import Server, serving
from tests.server.postgres import Cluster, cluster


def unused() -> str:
    """A name that no database has."""
    return f"cyvasse_{os.urandom(6).hex()}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL of our own, thrown away afterwards."""
    with cluster() as running:
        yield running


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server that all tests share; rate limits are off."""
    folder: Path = tmp_path_factory.mktemp(f"server-{request.param}")
    arguments: list[str] = []
    if request.param == "postgresql":
        running: Cluster = request.getfixturevalue("postgres")
        arguments = ["--database", running.database(unused()), "--workers", "2"]
    with serving(folder, *arguments) as running_server:
        yield running_server


@pytest.fixture(params=["sqlite", "postgresql"])
def own_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop, kill and start again."""
    arguments: list[str] = []
    if request.param == "postgresql":
        running: Cluster = request.getfixturevalue("postgres")
        arguments = ["--database", running.database(unused()), "--workers", "2"]
    with serving(tmp_path / "data", *arguments) as running_server:
        yield running_server
