"""The rules page that a rule set from another package brings along."""

from __future__ import annotations

import dataclasses

import pytest
from litestar.testing import create_test_client

import cyvasse
from cyvasse import rules
from cyvasse.server.routes.rules import one_rules_page
from tests.server.harness import Server

TEXT = """# Hop

## The board

It has *nine* squares. <script>alert(1)</script>
"""


def test_is_answered_as_html(monkeypatch: pytest.MonkeyPatch) -> None:
    hop = dataclasses.replace(cyvasse.rule_sets()[0], id="hop", page=TEXT)
    monkeypatch.setitem(rules._RULE_SETS, "hop", hop)
    with create_test_client([one_rules_page]) as client:
        assert client.get("/rules/hop/page").json() == {
            "html": '<h2 id="the-board">The board</h2>\n<p>It has <em>nine</em> squares. '
            "&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
            "chapters": [{"id": "the-board", "text": "The board"}],
        }


def test_our_own_come_with_the_web_page(server: Server) -> None:
    answer = server.person().http.get("rules/croft/page")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "Croft's Cyvasse brings no rules page along."
