"""A newcomer's path: open the page, play now, finish a game against a beginner's bot."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

import cyvasse
from tests.server.harness import Server, to_move, until
from tests.tiers import one_of
from tests.web.visitor import Visitor

MOST_ACTIONS = 400


@pytest.mark.slow
@pytest.mark.parametrize("rules", one_of(cyvasse.rule_sets(), "gameofcyvasse"))
def test_play_now(browser: Browser, server: Server, rules: cyvasse.RuleSet) -> None:
    me = Visitor(browser, server)
    me.go("/")
    me.button(f"Play now: {rules.title}").click()
    me.page.wait_for_url("**/game/*")
    engine = cyvasse.Engine(level=7, seed=1)
    (seat,) = me.view()["you"]
    for _ in range(MOST_ACTIONS):
        state = until(lambda: _mine_or_over(me, seat), "it is my turn, or over")
        if state["standing"]["outcome"]:
            break
        position = me.position()
        me.play(engine.choose(position), position)
    outcome = me.view()["standing"]["outcome"]
    assert outcome is not None, "the game goes on and on"
    expect(
        me.page.get_by_text("You have won")
        .or_(me.page.get_by_text("You have lost"))
        .or_(me.page.get_by_text("Drawn"))
    ).to_be_visible()
    expect(me.button("Rematch")).to_be_visible()
    assert me.errors == []
    me.close()


def _mine_or_over(me: Visitor, seat: str) -> dict[str, object] | None:
    state: dict[str, object] = me.view()
    standing, view = state["standing"], state["view"]
    assert isinstance(standing, dict)
    assert isinstance(view, dict)
    mine = standing["status"] == "playing" and to_move(view) == seat
    return state if mine or standing["outcome"] else None
