"""The home page and the setup editor as a newcomer sees them: what fits, what leads where."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import cyvasse
from tests.server.harness import Server, until
from tests.web.visitor import Visitor, barriers, standing

DOTS = """() => [...document.querySelectorAll('svg.board .dot')].map((dot) => {
    const box = dot.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [...document.querySelectorAll('svg.board [data-square]')].find((square) => {
        const at = square.getBoundingClientRect();
        return Math.hypot(at.x + at.width / 2 - x, at.y + at.height / 2 - y) < 3;
    })?.dataset.square;
}).sort()"""
"""The squares that are marked with a dot."""

PICTURES = """() => [...document.querySelectorAll('dialog img')]
    .filter((each) => each.naturalWidth > 1).length"""
LINES = """() => [...document.querySelectorAll('.summary')].map((each) => {
    const text = document.createRange();
    text.selectNodeContents(each);
    return text.getClientRects().length;
})"""
"""How many lines each summary has."""
LONG = "Tiles 1, 2, 3, 4, 5, 6, 7 and 8 are still in the tray."


def in_sight(me: Visitor, selector: str) -> int:
    """How many of them are wholly on the screen before anything is scrolled."""
    number: int = me.page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
        }).length""",
        selector,
    )
    return number


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_home_shows_what_there_is(browser: Browser, server: Server, phone: bool) -> None:
    me = Visitor(browser, server, phone=phone)
    me.go("/")
    me.settle()
    cards = me.page.locator(".cards > li")
    easiest = min(cyvasse.rule_sets(), key=lambda rules: rules.difficulty)
    expect(cards.filter(has_text="Start here")).to_have_count(1)
    for words in (easiest.title, "Start here", "easy to learn", "min (estimate)"):
        expect(cards.first).to_contain_text(words)
    lines = me.page.evaluate(LINES)
    assert lines == [1] * len(cyvasse.rule_sets()), "a summary is longer than a line"
    if phone:
        assert in_sight(me, ".cards > li") >= 3
    else:
        assert in_sight(me, ".cards > li") == len(cyvasse.rule_sets())
        assert in_sight(me, ".ways > *") == 4
    assert me.errors == []
    me.close()


def arrange(me: Visitor, rule_set: str) -> Any:
    """A game against a bot whose setup waits, and one of our own that can be played."""
    me.go("/")
    game = me.page.evaluate(
        """(rule_set) => fetch('/api/games', {
            method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({rule_set, opponent: {kind: 'bot', level: 1}, color: 'white'}),
        }).then((answer) => answer.json()).then(({game}) => game)""",
        rule_set,
    )
    me.go(f"/game/{game}")
    expect(me.page.get_by_text("This setup can be played.")).to_be_visible()
    me.drafted(lambda draft: draft["pieces"], "it is kept")
    return me.ask(f"rules/{rule_set}")


def test_a_setup_from_an_empty_board(browser: Browser, server: Server) -> None:
    """Nine-Tile: from a problem to the tiles, and the King to his circle."""
    me = Visitor(browser, server)
    page = arrange(me, "nine-tile")
    me.button("Clear the board").click()
    me.button(LONG).click()
    expect(me.button("Left", exact=True)).to_be_focused()  # tiles can be laid once there are slots
    me.button("Middle", exact=True).click()
    me.button(LONG).click()
    expect(me.page.get_by_text("Tile 1 in hand")).to_be_visible()

    me.button("1 King is still in the tray.").click()
    expect(me.page.get_by_text("King in hand")).to_be_visible()
    expect(me.page.locator(".piece-card")).to_contain_text("Lose him and the game is lost.")
    circle = page["tools"]["white"][0]["layouts"]["middle"]["circle"]
    until(lambda: me.page.evaluate(DOTS) == [circle], "only the circle is marked")
    assert barriers(me.page) == []

    list_, bar = me.page.locator(".scroll").bounding_box(), me.page.locator(".go").bounding_box()
    assert list_
    assert bar
    assert list_["y"] + list_["height"] <= bar["y"] + 1, "something passes below the bar"
    me.tap(circle)
    me.drafted(lambda draft: standing(draft) == {circle: "king"}, "the King stands there")
    assert me.errors == []
    me.close()


def test_presets_and_places_on_a_phone(browser: Browser, server: Server) -> None:
    """Croft: setups with their pictures and characters; pieces belong beside the keep."""
    me = Visitor(browser, server, phone=True, dark=True)
    page = arrange(me, "croft")
    setup = page["setups"]["pyke"]
    me.button("Presets").click()
    presets = me.page.get_by_role("dialog").get_by_role("button")
    for sentence in page["characters"].values():
        expect(presets.filter(has_text=sentence)).to_have_count(1)
    until(lambda: me.page.evaluate(PICTURES) == len(page["setups"]), "all are drawn")
    assert barriers(me.page) == []
    presets.filter(has_text=page["characters"]["pyke"]).click()
    me.drafted(lambda draft: standing(draft) == standing(setup), "the preset is there")

    king = next(at for at, name in standing(setup).items() if name == "king")
    me.page.touchscreen.tap(*me.place(king))
    me.button("Take off").click()
    me.button("King, 1 ").click()
    until(lambda: me.page.evaluate(DOTS) == [king], "his square is the only free one")
    bar = me.page.locator(".go")
    for x in (2, 388):
        below = "(bar, x) => bar.contains(document.elementFromPoint(x, innerHeight - 2))"
        assert bar.evaluate(below, x), f"something shows beside the bar, {x} from the left"
    assert me.errors == []
    me.close()
