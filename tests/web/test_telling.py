"""What happened, what threatens and how it ended, on the page and in its live region."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import cyvasse
from tests.events import EVENTS
from tests.server.harness import Person, Server, game_at, to_move, until
from tests.tiers import one_of
from tests.web.visitor import Visitor, barriers

RULE_SETS = [rules.id for rules in cyvasse.rule_sets()]


@pytest.fixture
def sit(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """The browser of somebody who is known already."""
    visitors: list[Visitor] = []

    def open_as(person: Person, **device: bool) -> Visitor:
        visitor = Visitor(browser, server, **device)
        cookie = person.http.cookies.get("cyvasse")
        assert cookie is not None
        visitor.context.add_cookies([{"name": "cyvasse", "value": cookie, "url": server.url}])
        visitors.append(visitor)
        return visitor

    yield open_as
    for visitor in visitors:
        assert visitor.errors == []
        visitor.close()


def play(white: Person, black: Person, game: str, action: str) -> None:
    view = white.see(game)["view"]
    mover = white if to_move(view) == "white" else black
    mover.do(game, "play", action=action, ply=view["ply"])


@pytest.mark.parametrize("rule_set", one_of(RULE_SETS, "croft"))
def test_every_event_is_told(sit: Callable[..., Visitor], server: Server, rule_set: str) -> None:
    """To a player who looks on, in sentences of the server and in a region that is read out."""
    white, black = server.person(), server.person()
    me = sit(white)
    for event in (each for each in EVENTS if each["rule_set"] == rule_set):
        game = game_at(server, event["position"], white, black)
        me.go(f"/game/{game}")
        expect(me.page.locator(".game svg.board")).to_be_visible()
        for action in event["actions"]:
            play(white, black, game, action)
        outcome = event["outcome"]
        ends = [outcome] if outcome else []
        mine = [] if ends else [each for each in event["dangers"] if each["color"] == "white"]
        told = list(dict.fromkeys(each["white"] for each in [*event["told"], *ends]))
        fears = dict.fromkeys(each["white"] for each in mine if each["white"] not in told)
        expect(me.page.locator(".story[role=status] span")).to_have_text(told)
        expect(me.page.locator(".warning")).to_have_text(list(fears))
        below = me.page.locator(".below")
        for name, those in (("danger", mine), ("decided", ends)):
            marked = {square for each in those for square in each["squares"]}
            expect(below.locator(f".{name}")).to_have_count(len(marked))
        savers = {at for each in mine if each["kind"] == "king_missing" for at in each["by"]}
        expect(below.locator(".saviour")).to_have_count(len(savers))


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_what_gives_the_king_away_asks_first(
    sit: Callable[..., Visitor], server: Server, phone: bool
) -> None:
    event = risky("can be taken")
    me = at(sit, server, event, phone=phone)
    action = cyvasse.parse_position(event["position"]).parse_action(event["actions"][0])
    me.page.locator("svg.board").scroll_into_view_if_needed()
    scrolled = me.page.evaluate("scrollY")
    me.move(action, cyvasse.parse_position(event["position"]))
    expect(me.page.locator("[role=status] .warning")).to_have_text([own(event)])
    expect(me.page.locator(".story")).to_be_empty()
    back = me.button("Take back " + str(action))
    expect(back).to_be_focused()
    expect(back).to_have_attribute("aria-describedby", "warnings")
    assert me.page.evaluate("scrollY") == scrolled
    me.page.locator("svg.board").press("e")
    assert me.actions() == []
    assert barriers(me.page) == []
    me.button("Take back " + str(action)).click()
    expect(me.button("Play it all the same")).to_be_hidden()
    me.move(action, cyvasse.parse_position(event["position"]))
    me.button("Play it all the same").click()
    until(lambda: me.actions() == [str(action)], "it is played")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_an_own_piece_is_struck_after_a_question(
    sit: Callable[..., Visitor], server: Server, phone: bool
) -> None:
    event = risky("own")
    me = at(sit, server, event, phone=phone)
    position = cyvasse.parse_position(event["position"])
    action = position.parse_action(event["actions"][0])
    me.move(action, position)
    question = me.page.get_by_role("dialog")
    expect(question).to_contain_text("your own")
    expect(question.get_by_role("button").first).to_have_text("choose this piece instead")
    assert barriers(me.page) == []
    if phone:
        board, asked = me.page.locator("svg.board").bounding_box(), question.bounding_box()
        assert board is not None
        assert asked is not None
        assert asked["y"] >= board["y"] + board["height"]
        expect(question).to_be_in_viewport(ratio=0.99)
    question.get_by_role("button").first.click()
    assert me.actions() == []
    me.page.keyboard.press("Escape")
    me.move(action, position)
    me.page.locator(f'[data-action="{action}"]').click()
    until(lambda: me.actions() == [str(action)], "it is played")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_end_says_why(sit: Callable[..., Visitor], server: Server, phone: bool) -> None:
    event = next(each for each in EVENTS if decided(each))
    me = at(sit, server, event, phone=phone)
    position = cyvasse.parse_position(event["position"])
    mover = str(position.turn)
    parsed = position.parse_action(event["actions"][0])
    me.move(parsed, position)
    expect(me.page.locator(".story")).to_contain_text(event["outcome"][mover])
    expect(me.page.get_by_text("You have won.")).to_be_visible()
    expect(me.page.get_by_text("White has ")).to_contain_text(" left. Black has ")
    expect(me.button("Rematch")).to_be_visible()
    assert barriers(me.page) == []
    ended = me.page.locator(".below .decided")
    expect(ended).to_have_count(len(event["outcome"]["squares"]))
    row = me.page.locator("[data-row]")
    row.focus()
    expect(row).to_have_attribute("aria-label", re.compile(r"^Your .* from "))
    me.button("Look through it").click()
    expect(me.button("Back to the game")).to_be_visible()
    expect(me.page.get_by_text("You are looking at an earlier position.")).to_be_visible()
    expect(me.page.get_by_text("You have won.")).to_be_hidden()
    expect(me.page.locator(".story")).not_to_contain_text("won")
    expect(ended).to_have_count(0)


def test_a_seat_is_asked_for_and_given(sit: Callable[..., Visitor], server: Server) -> None:
    """By whoever has the game's address without the invitation."""
    host, guest = server.person(), server.person()
    game = host.create("croft")["game"]
    inviting, asking = sit(host), sit(guest, phone=True)
    inviting.go(f"/game/{game}")
    asking.go(f"/game/{game}")
    expect(asking.page.get_by_text("this is not the whole link")).to_be_visible()
    assert barriers(asking.page) == []
    asking.button("Ask for the seat").click()
    expect(asking.page.get_by_role("status").filter(has_text="You have asked")).to_be_visible()
    inviting.button("No", exact=True).click()
    expect(asking.page.get_by_text("keeps the seat for somebody else")).to_be_visible()
    other = server.person()
    asking = sit(other, phone=True)
    asking.go(f"/game/{game}")
    asking.button("Ask for the seat").click()
    expect(inviting.page.get_by_role("alert")).to_contain_text(other.name)
    assert barriers(inviting.page) == []
    inviting.button("Let them play").click()
    expect(asking.button("Ready")).to_be_visible()


def decided(event: dict[str, Any]) -> bool:
    """Whether the only action wins, somewhere on the board."""
    mover = cyvasse.parse_position(event["position"]).turn
    wins = event["outcome"] and event["outcome"][str(mover)].startswith("You won")
    return bool(wins and event["outcome"]["squares"] and len(event["actions"]) == 1)


def risky(words: str) -> dict[str, Any]:
    """An event of one action before which it is asked in such words."""
    return next(
        each
        for each in EVENTS
        if len(each["actions"]) == 1 and any(words in risk["text"] for risk in each["risks"])
    )


def own(event: dict[str, Any]) -> str:
    """The risk as the player reads it who acts."""
    mover = str(cyvasse.parse_position(event["position"]).turn)
    said: str = event["risks"][0][mover]
    return said


def at(
    sit: Callable[..., Visitor], server: Server, event: dict[str, Any], **device: bool
) -> Visitor:
    """Whoever is to act in front of the board before an event."""
    mover, other = server.person(), server.person()
    turn = cyvasse.parse_position(event["position"]).turn
    white, black = (mover, other) if turn is cyvasse.WHITE else (other, mover)
    game = game_at(server, event["position"], white, black)
    me = sit(mover, **device)
    me.go(f"/game/{game}")
    expect(me.page.locator(".game svg.board")).to_be_visible()
    return me
