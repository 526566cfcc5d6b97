"""The API keeps what its description promises, whatever schemathesis thinks of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from tests.server.harness import Server, get
from tests.tiers import lasting

# All its checks are on, with two words about them:
# - 422 is no failure of positive data: a schema cannot say which setups, positions, files and names
#   are legal.  400 is one: whether something can be read must follow from the schema.
# - Whoever sends no cookie is a guest, so no route can ignore its authentication.
CONFIG = """
seed = 1
hooks = "tests.server.schemathesis_hooks"

[generation]
database = "none"

[checks.positive_data_acceptance]
expected-statuses = [200, 201, 204, 403, 404, 409, 422]

[checks.ignored_auth]
enabled = false
"""
# The document is the same with every database.
one_database = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
ROOT = Path(__file__).parents[2]


def apart(database: str) -> pytest.MarkDecorator:
    """With a server of its own: thousands of games are begun, in the way of other tests."""
    return pytest.mark.parametrize("own_server", [database], indirect=True)


def finds_nothing(server: Server, folder: Path, examples: int) -> None:
    """Run it as its users do: its plugin for pytest knows neither stateful tests nor pytest 9."""
    (folder / "schemathesis.toml").write_text(CONFIG)
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"--max-examples={examples}"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*command, "--checks=all", f"{server.url}/api/openapi.json"],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for phase in ("Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in done.stdout


@apart("sqlite")
def test_it_finds_nothing(own_server: Server, tmp_path: Path) -> None:
    finds_nothing(own_server, tmp_path, 5)


@pytest.mark.thorough
@apart("postgresql")
def test_it_finds_nothing_in_more_time(own_server: Server, tmp_path: Path) -> None:
    finds_nothing(own_server, tmp_path, lasting(20, 200))


# --- the document itself --------------------------------------------------------------------------


@one_database
def test_the_document_is_pleasant(server: Server) -> None:
    document = get(f"{server.url}/api/openapi.json").json()
    tags = {tag["name"] for tag in document["tags"]}
    names = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            told = f"{method} {path}"
            names.append(operation["operationId"])
            assert operation["operationId"].isidentifier(), told
            assert operation["summary"][:1].isupper(), f"{told} has no sentence as its docstring"
            assert set(operation["tags"]) <= tags, told
            for parameter in operation.get("parameters", ()):
                assert parameter["schema"], told
            refused = [each for each in operation["responses"].items() if each[0] >= "4"]
            assert refused, told
            for status, response in refused:
                kinds = {"application/json"} if path == "/healthz" else set()
                assert response["content"].keys() <= {"application/problem+json"} | kinds, status
                assert response["description"]
    assert len(names) == len(set(names))
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description"), f"{name} has no docstring"


@one_database
def test_it_is_found_where_it_is_said_to_be(server: Server) -> None:
    answer = get(f"{server.url}/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["openapi"].startswith("3.1")


@one_database
@pytest.mark.parametrize("path", ["/api/games", "/api/me", "/api/session", "/api/lobby"])
def test_options_name_every_method(server: Server, path: str) -> None:
    document = get(f"{server.url}/api/openapi.json").json()
    expected = {method.upper() for method in document["paths"][path]} | {"OPTIONS"}
    for method in ("OPTIONS", "PATCH"):
        answer = requests.request(method, server.url + path, timeout=30)
        assert set(answer.headers["allow"].split(", ")) == expected
