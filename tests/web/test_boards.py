"""The boards with which the page's own tests are made are those that the server tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.server.harness import Server, get

BOARDS = Path(__file__).parents[2] / "web" / "tests" / "wire" / "boards.json"


@pytest.mark.slow
def test_boards_are_real(server: Server) -> None:
    for name, board in json.loads(BOARDS.read_text()).items():
        page = get(f"{server.url}/api/rules/{board['rules']}").json()
        assert board["style"] in page["styles"]
        assert board["style"]["name"] == name
        assert board["kinds"] == page["pieces"]
        assert board["pieces"] == page["setups"][board["setup"]]["pieces"]
