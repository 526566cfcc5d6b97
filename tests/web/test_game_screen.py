"""The game's screen: turns that are held back, what is shown on demand, why not, chat, replay."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import cyvasse
from cyvasse import Action, Position
from tests.server.harness import Server, to_move, until
from tests.web.visitor import Visitor


@pytest.fixture
def me(browser: Browser, server: Server) -> Iterator[Visitor]:
    visitor = Visitor(browser, server)
    yield visitor
    assert visitor.errors == []
    visitor.close()


def begin(visitor: Visitor, rule_set: str, opponent: dict[str, object], **more: object) -> str:
    """A game in which White begins, with good setups on this visitor's side."""
    visitor.go("/")
    created = visitor.page.evaluate(
        """(body) => fetch('/api/games', {method: 'POST', body: JSON.stringify(body),
            headers: {'Content-Type': 'application/json'}}).then(r => r.json())""",
        {"rule_set": rule_set, "opponent": opponent, "color": "white", "first": "white", **more},
    )
    visitor.go(f"/game/{created['game']}")
    visitor.button("Ready").click()
    return str(created.get("invitation"))


def against_bot(visitor: Visitor, rule_set: str) -> None:
    begin(visitor, rule_set, {"kind": "bot", "level": 1})
    expect(visitor.page.locator(".game svg.board")).to_be_visible()


def kept(visitor: Visitor, name: str, value: object) -> None:
    """Wait until the browser keeps a setting."""
    found = "JSON.parse(localStorage.getItem('cyvasse-settings') ?? '{}')"
    until(lambda: visitor.page.evaluate(found).get(name) == value, f"{name} is kept")


def open_action(position: Position) -> Action:
    """An action after which the same player may act again."""
    for action in position.legal_actions():
        ahead = position.copy()
        ahead.play(action)
        if ahead.in_turn:
            return action
    raise AssertionError("every action ends the turn")


def piece_on(page: Page, square: str) -> int:
    return page.locator(f'[data-piece="{square}"]').count()


def test_the_first_action_of_a_turn_can_be_taken_back(me: Visitor) -> None:
    against_bot(me, "nine-tile")
    before = me.view()
    position = me.position()
    action = open_action(position)
    assert action.origin is not None
    assert action.target is not None
    me.play(action, position)
    assert me.held == [action]
    assert piece_on(me.page, action.target) == 1
    assert piece_on(me.page, action.origin) == 0
    assert me.view()["number"] == before["number"]  # nobody else has heard of it
    me.button(re.compile(r"^Take back ")).click()
    expect(me.page.locator(f'[data-piece="{action.origin}"]')).to_have_count(1)
    expect(me.page.locator("[data-held]")).to_have_count(0)
    me.held = []
    me.play(action, me.position())
    me.button("End turn").click()
    until(lambda: str(action) in me.actions(), "the turn is sent")
    assert me.actions()[:2] == [str(action), "end"]


def test_a_turn_is_confirmed_before_it_is_sent(me: Visitor) -> None:
    me.go("/settings")
    me.page.get_by_text("Confirm each turn before it is sent").click()
    kept(me, "confirm", True)
    against_bot(me, "croft")
    position = me.position()
    action = next(action for action in position.legal_actions() if action.kind == "move")
    me.play(action, position)
    assert me.actions() == []
    expect(me.page.get_by_text("Play it like this?")).to_be_visible()
    me.button("Send the turn").click()
    until(lambda: me.actions()[:1] == [str(action)], "it is sent")


@pytest.mark.parametrize(
    ("rule_set", "layers"),
    [
        ("nine-tile", ["Engagement", "Who takes whom"]),
        ("mikelepage", ["Tiers and defence", "Flanking", "Who takes whom"]),
        ("gameofcyvasse", ["Who takes whom"]),
    ],
)
def test_what_is_shown_on_demand(me: Visitor, rule_set: str, layers: list[str]) -> None:
    position = cyvasse.rule_set(rule_set).random_position(seed=3, actions=40)
    me.go(f"/position?text={position.text()}")
    badges = me.page.locator("svg.board .badge rect")
    expect(me.page.locator(".layers button")).to_have_text(layers)
    for title, shown in zip(layers, position.layers(), strict=True):
        assert badges.count() == 0
        me.button(title).click()
        expect(badges).to_have_count(len(shown.values))
        for origin, target in shown.lines[:1]:
            me.page.mouse.move(*me.place(target))
            lines = [line for line in shown.lines if target in line]
            assert (origin, target) in lines
            expect(me.page.locator("svg.board .head")).to_have_count(len(lines))
        me.button(title).click()


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_why_not(me: Visitor, rules: cyvasse.RuleSet) -> None:
    """A tap on an illegal target gives the very sentence that the rules library has for it."""
    against_bot(me, rules.id)
    position = me.position()
    action = next(action for action in position.legal_actions() if action.kind == "move")
    assert action.origin is not None
    own = {at for at, piece in position.pieces().items() if piece.color is position.turn}
    reach = {
        at
        for each in position.legal_actions()
        if each.origin == action.origin
        for at in (each.target, *each.struck)
    }
    target = next(at for at in position.board.squares if at not in reach | own)
    me.tap(action.origin)
    title = rules.piece_type(position.pieces()[action.origin].type).title
    expect(me.page.locator(".piece-card h2")).to_have_text(title)
    me.tap(target)
    reason = cyvasse.explain(position, action.origin, target)[0]
    expect(me.page.locator(".why")).to_contain_text(reason.sentence)
    me.button(reason.rule).click()
    expect(me.page.locator(".rules-beside article")).to_be_visible()
    assert me.page.url.endswith(f"/game/{me.game}"), "the address is the game's"


def test_what_an_opponents_piece_can_do(me: Visitor) -> None:
    """Seen by a tap, now and on an earlier board, where one's own pieces can be looked at too."""
    against_bot(me, "gameofcyvasse")
    position = me.position()
    given = position.given_away()
    assert given is not None
    theirs = next(action.origin for action in given.legal_actions() if action.origin)
    marks = me.page.locator("svg.board :is(.dot, .brackets:not(.halo), circle.shot:not(.halo))")

    def seen(square: str, on: Position) -> bool:
        mine = [action for action in on.legal_actions() if action.origin == square]
        where = {at for action in mine for at in action.struck or [action.target]}
        return marks.count() == len(where)

    me.tap(theirs)
    until(lambda: seen(theirs, given), "what it can do")
    me.tap(theirs)
    expect(marks).to_have_count(0)
    action = next(a for a in position.legal_actions() if a.kind == "move")
    assert action.origin is not None
    me.play(action, position)
    until(lambda: to_move(me.view()["view"]) == "white", "it is my turn")
    until(me.caught_up, "the page knows it")
    me.button("To the start").click()
    expect(me.page.get_by_text("You are looking at an earlier position.")).to_be_visible()
    me.tap(action.origin)
    until(lambda: seen(action.origin or "", position), "what it could do then")
    me.tap(theirs)
    until(lambda: seen(theirs, given), "and the other")


def test_looking_back_and_turning_the_board(me: Visitor) -> None:
    against_bot(me, "gameofcyvasse")
    for _ in range(3):
        until(lambda: to_move(me.view()["view"]) == "white", "it is my turn")
        position = me.position()
        me.play(next(a for a in position.legal_actions() if a.kind == "move"), position)
    until(lambda: me.view()["view"]["ply"] == 6, "the bot has answered")
    until(me.caught_up, "the page knows it")
    first = me.actions()[0].split("-")
    me.button("To the start").click()
    expect(me.page.get_by_text("You are looking at an earlier position.")).to_be_visible()
    assert piece_on(me.page, first[0]) == 1
    me.page.keyboard.press("ArrowRight")
    expect(me.page.locator(f'[data-piece="{first[1]}"]')).to_have_count(1)
    me.page.keyboard.press("End")
    expect(me.page.get_by_text("You are looking at an earlier position.")).to_have_count(0)
    assert me.place("a1")[1] > me.place("a8")[1]
    me.button("Turn the board").click()
    until(lambda: me.place("a1")[1] < me.place("a8")[1], "Black sits below")
    assert me.place("h1")[0] < me.place("a1")[0]


def test_turns_with_figures(me: Visitor) -> None:
    me.go("/settings")
    me.page.get_by_label("figures").check()
    kept(me, "notation", "figures")
    against_bot(me, "mikelepage")
    position = me.position()
    me.play(next(a for a in position.legal_actions() if a.kind == "move"), position)
    expect(me.page.locator("[data-row] svg").first).to_be_visible()


def test_chat_mute_and_block(browser: Browser, server: Server) -> None:
    host, guest = Visitor(browser, server), Visitor(browser, server)
    word = begin(host, "croft", {"kind": "friend"})
    guest.go(f"/game/{host.game}#join={word}")
    guest.button("Take the seat").click()
    guest.button("Ready").click()
    host.button("Chat").click()
    for number in range(5):
        host.page.get_by_label("Say something").fill(f"{number} {'hear me ' * 10}")
        host.page.keyboard.press("Enter")
        expect(host.page.locator(".chat li")).to_have_count(number + 1)
    expect(host.page.locator(".chat li").last).to_be_in_viewport()
    expect(host.page.locator(".deeds button").last).to_be_in_viewport(ratio=1)
    guest.button("Chat, 5 new").click()
    expect(guest.button("Chat", exact=True)).to_be_visible()
    for visitor in (host, guest):
        expect(visitor.button("Hint")).to_have_count(0)  # between people everyone thinks alone
    name = host.ask("me")["name"]

    def say(text: str) -> None:
        host.page.get_by_label("Say something").fill(text)
        host.page.keyboard.press("Enter")

    def heard(text: str) -> bool:
        return guest.page.locator(".chat li", has_text=text).count() > 0

    say("well met")
    until(lambda: heard("well met"), "the guest reads it")
    guest.page.get_by_text("Hide or block somebody").click()
    guest.button(f"Hide what {name} says").click()
    assert not heard("well met")
    guest.button(f"Show what {name} says").click()
    assert heard("well met")
    guest.button(f"Block {name}").click()
    say("can you hear me")
    until(lambda: guest.page.locator(".chat li i").count() == 7, "it came, and is hidden")
    guest.go("/settings")
    guest.button(f"Unblock {name}").click()
    guest.go(f"/game/{host.game}")
    guest.button("Chat").click()
    until(lambda: heard("can you hear me"), "it is shown again")
    for visitor in (host, guest):
        assert visitor.errors == []
        visitor.close()


def test_the_title_and_a_notification_call(browser: Browser, server: Server) -> None:
    host, guest = Visitor(browser, server), Visitor(browser, server)
    host.context.grant_permissions(["notifications"])
    host.context.add_init_script(
        """window.told = [];
        window.Notification = class {
            static permission = 'granted';
            static requestPermission() { return Promise.resolve('granted'); }
            constructor(title) { window.told.push(title); }
        };
        Object.defineProperty(document, 'hidden', {get: () => window.away ?? false});"""
    )
    host.go("/settings")
    host.page.get_by_text("Tell me when it is my turn").click()
    kept(host, "notify", True)
    word = begin(host, "gameofcyvasse", {"kind": "friend"})
    guest.go(f"/game/{host.game}#join={word}")
    guest.button("Take the seat").click()
    guest.button("Ready").click()
    expect(host.page).to_have_title(re.compile("^● Your turn"))
    position = host.position()
    host.play(position.legal_actions()[0], position)
    expect(host.page).not_to_have_title(re.compile("●"))
    host.page.evaluate("window.away = true")
    position = guest.position()
    guest.play(position.legal_actions()[0], position)
    expect(host.page).to_have_title(re.compile("^● Your turn"))
    assert host.page.evaluate("window.told") == ["Your turn"]
    for visitor in (host, guest):
        assert visitor.errors == []
        visitor.close()
