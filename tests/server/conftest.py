"""The servers that the tests talk to: SQLite with one worker, PostgreSQL with two."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.server.harness import Server, serving
from tests.server.postgres import Cluster, cluster


def arguments(database: str, request: pytest.FixtureRequest) -> list[str]:
    """How to start a server with a new database."""
    if database == "sqlite":
        return []
    running: Cluster = request.getfixturevalue("postgres")
    unused = f"cyvasse_{os.urandom(6).hex()}"
    return ["--database", running.database(unused), "--workers", "2"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL of our own, thrown away afterwards."""
    with cluster() as running:
        yield running


@pytest.fixture(scope="session")
def servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Server]]:
    """The shared servers by their databases, each started when it is first asked for."""
    with ExitStack() as running:

        @cache
        def serve(database: str) -> Server:
            folder = tmp_path_factory.mktemp(f"server-{database}")
            return running.enter_context(serving(folder, *arguments(database, request)))

        yield serve


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, servers: Callable[[str], Server]) -> Server:
    """A server that all tests share; rate limits are off."""
    return servers(request.param)


@pytest.fixture(params=["sqlite", "postgresql"])
def own_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop, kill and start again."""
    with serving(tmp_path / "data", *arguments(request.param, request)) as running:
        yield running
