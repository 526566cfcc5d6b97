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

# Where much depends on the database, which is tried with both each time.
DEPENDENT = {"test_clock_server", "test_drafts", "test_nothing_lost", "test_play"}


@pytest.hookimpl(tryfirst=True)  # before somebody selects by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Elsewhere PostgreSQL behind the shared server is a case for thorough tests."""
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            elsewhere = item.path.stem not in DEPENDENT
            if item.callspec.params.get("server") == "postgresql" and elsewhere:
                item.add_marker("thorough")


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
            server = running.enter_context(serving(folder, *arguments(database, request)))
            running.callback(server.stop)  # politely: what it ran counts for the coverage
            return server

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


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'test.sqlite'}"
    running: Cluster = request.getfixturevalue("postgres")
    return running.database(f"test_{os.urandom(6).hex()}")
