"""A newcomer's path: play now, always do as the hint says, and win the first game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

import cyvasse
from cyvasse import Action, Position
from tests.server.harness import Server, to_move, until
from tests.tiers import one_of
from tests.web.test_touch import SMALL
from tests.web.visitor import Visitor, barriers

MOST_ACTIONS = 400


@pytest.mark.slow
@pytest.mark.parametrize("rules", one_of(cyvasse.rule_sets(), "gameofcyvasse"))
def test_whoever_plays_the_hints_wins(
    browser: Browser, server: Server, rules: cyvasse.RuleSet
) -> None:
    me = Visitor(browser, server, phone=True)
    me.go("/")
    me.button(f"Play now: {rules.title}").click()
    me.page.wait_for_url("**/game/*")
    state = until(lambda: _mine_or_over(me, "white"), "White begins")
    assert state["you"] == ["white"]
    assert state["standing"]["black"]["bot"] == 1
    until(me.caught_up, "the page shows the game")
    expect(me.page.locator(".coach")).to_contain_text(rules.coach["begin"][0])
    expect(me.page.locator('.layers [aria-pressed="true"]')).to_have_count(1)
    _look_around(me)
    for _ in range(MOST_ACTIONS):
        state = until(lambda: _mine_or_over(me, "white"), "it is my turn, or over")
        if state["standing"]["outcome"]:
            break
        position = me.position()
        me.play(_hinted(me, position), position)
        if (sure := me.button("Play it all the same")).count():  # the page asks about a sacrifice
            me.press(sure)
            me.held = []
    assert state["standing"]["outcome"]["result"] == "1-0"
    expect(me.page.get_by_text("You have won")).to_be_visible()
    expect(me.button("Rematch")).to_be_visible()
    expect(me.button("Hint")).to_have_count(0)
    # The next game is no newcomer's any more.
    kept = me.page.evaluate("JSON.parse(localStorage.getItem('cyvasse-fortune'))")[rules.id]
    assert (kept["over"], kept["run"], kept["suits"]) == (me.game, 1, 1)
    assert me.errors == []
    me.close()


def test_what_is_pressed_stays_in_sight(browser: Browser, server: Server) -> None:
    """On a phone too, with a coach above it and a turn that is told, and at the end of the page."""
    me = Visitor(browser, server, phone=True)
    me.go("/")
    me.button("Play now: The Rules of Cyvasse").click()
    me.page.wait_for_url("**/game/*")
    until(lambda: _mine_or_over(me, "white"), "White begins")
    position = me.position()
    me.play(next(each for each in position.legal_actions() if each.kind == "move"), position)
    until(lambda: len(me.actions()) > 1 and _mine_or_over(me, "white"), "it is answered")
    until(me.caught_up, "the page shows the answer")
    expect(me.page.locator(".coach .line")).to_be_visible()
    for end in (0, 10_000):
        me.page.evaluate("(end) => scrollTo(0, end)", end)
        for name in ("Take back", "Draw", "Resign", "Hint"):
            expect(me.button(name)).to_be_in_viewport(ratio=1)
    row = me.page.locator(".deeds").bounding_box()
    last = me.page.locator(".turns").bounding_box()
    assert row is not None
    assert last is not None
    assert last["y"] + last["height"] <= row["y"]  # nothing is left beneath it
    assert me.errors == []
    me.close()


def _hinted(me: Visitor, position: Position) -> Action:
    """What the page says should be done: first with which piece, then what."""
    until(me.caught_up, "the page shows how the game stands")
    me.press(me.button("Hint"))
    shown = me.page.locator("[data-hint]")
    more = me.button("Show how")
    until(lambda: shown.count() or more.count(), "a hint")
    if more.count():
        expect(me.page.locator(".coach .told")).to_contain_text("Look at your")
        me.press(more)
    text = shown.get_attribute("data-hint")
    return next(action for action in position.legal_actions() if str(action) == text)


def _look_around(me: Visitor) -> None:
    """The card of an opponent's piece and the rules about it: no barriers, nothing too small."""
    position = me.position().given_away()
    assert position is not None
    theirs = next(action.origin for action in position.legal_actions() if action.origin)
    me.tap(theirs)
    expect(me.page.locator(".piece-card")).to_be_visible()
    me.button("In the rules").click()
    expect(me.page.locator(".rules-beside article")).to_be_visible()
    assert barriers(me.page) == []
    assert me.page.evaluate(SMALL) == []
    me.page.keyboard.press("Escape")
    expect(me.page.locator(".rules-beside")).to_have_count(0)
    me.tap(theirs)
    expect(me.page.locator(".piece-card")).to_have_count(0)


def _mine_or_over(me: Visitor, seat: str) -> dict[str, object] | None:
    state: dict[str, object] = me.view()
    standing, view = state["standing"], state["view"]
    assert isinstance(standing, dict)
    assert isinstance(view, dict)
    mine = standing["status"] == "playing" and to_move(view) == seat
    return state if mine or standing["outcome"] else None
