"""A phone in the hand: taps and drags on every screen; and the same drags with a mouse."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

import cyvasse
from tests.server.harness import Server, to_move, until
from tests.tiers import one_of
from tests.web.visitor import Visitor, free_squares, standing

Point = tuple[float, float]

# Whatever is tapped is at least 44 pixels large; only links in running text need not be.
SMALL = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [role=button]')].flatMap((each) => {
        const box = (each.closest('label') ?? each).getBoundingClientRect();
        const seen = box.width && box.height && box.right > 0 && box.bottom > 0;
        const around = each.closest('p, li, td, dd');
        const inText = each.matches('a') && around
            && around.textContent.trim() !== each.textContent.trim();
        if (!seen || each.disabled || (inText && !each.matches('.button, .card'))) return [];
        const name = each.getAttribute('aria-label') ?? each.textContent.trim();
        return box.width < 44 || box.height < 44
            ? [`${each.tagName} ${name}: ${box.width} x ${box.height}`] : [];
    })"""


class Dragger(Visitor):
    """Somebody who drags pieces to where they go."""

    drags = False

    def drag(self, start: Point, end: Point, midway: Callable[[], None] | None = None) -> None:
        raise NotImplementedError

    def seen(self, square: str) -> Point:
        """Where a square is, with the board moved into sight."""
        self.page.locator("svg.board").scroll_into_view_if_needed()
        return self.place(square)

    def move(self, action: cyvasse.Action, position: cyvasse.Position) -> None:
        if self.drags:
            assert action.origin is not None
            assert action.target is not None
            self._carry(action.origin, action.target)
        else:
            super().move(action, position)

    def _carry(self, origin: str, target: str) -> None:
        """On the way a piece is seen, and so is where it can go, and nothing else moves."""
        start, end = self.seen(origin), self.seen(target)
        before = self.page.evaluate("scrollY")

        def midway() -> None:
            board = self.page.locator("svg.board")
            expect(board.locator(".lifted")).to_have_count(1)
            expect(board.locator(".aim")).to_have_count(1)
            expect(board.locator(".dot, .brackets, .shot").first).to_be_visible()
            assert self.page.evaluate("scrollY") == before, "the page has moved under the finger"

        self.drag(start, end, midway)


class Finger(Dragger):
    """Somebody with a phone."""

    def __init__(self, browser: Browser, server: Server) -> None:
        super().__init__(browser, server, phone=True)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.glass = self.context.new_cdp_session(self.page)

    def press(self, button: Locator) -> None:
        button.tap()

    def tap(self, square: str) -> None:
        self.page.touchscreen.tap(*self.seen(square))

    def drag(self, start: Point, end: Point, midway: Callable[[], None] | None = None) -> None:
        """A finger goes down, moves in steps, and is lifted."""
        steps = 8
        self._touch("touchStart", start)
        for step in range(1, steps + 1):
            share = step / steps
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self._touch("touchMove", (x, y))
        if midway:
            midway()
        self._touch("touchEnd")

    def _touch(self, kind: str, *points: Point) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    @property
    def scrolled(self) -> float:
        scrolled: float = self.page.evaluate("scrollY")
        return scrolled

    def check(self) -> None:
        """The screen as it is: nothing too small for a finger, nothing too wide for a phone."""
        assert self.page.evaluate(SMALL) == []
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"scrolls sideways by {wide}"


class Mouse(Dragger):
    """Somebody with a mouse."""

    def drag(self, start: Point, end: Point, midway: Callable[[], None] | None = None) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=8)
        if midway:
            midway()
        mouse.up()


def middle(element: Locator) -> Point:
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def begin(me: Visitor, rules: cyvasse.RuleSet, *, setup: str = "build my own") -> Any:
    """From the home page to a game with White against a beginner's bot."""
    me.go("/")
    me.press(me.button(f"Choose… {rules.title}"))
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_label("Level of the bot").select_option("1")
    me.press(dialog.get_by_role("radio", name="White").first)
    me.press(dialog.get_by_role("radio", name=setup))
    if isinstance(me, Finger):
        me.press(dialog.get_by_text("More", exact=True))
        me.check()
    me.press(dialog.get_by_role("button", name="Start"))
    me.page.wait_for_url("**/game/*")
    return me.ask(f"rules/{rules.id}")


# --- the setup editor -----------------------------------------------------------------------------


def drag_pieces(me: Dragger, page: Any, setup: Any) -> None:
    """From square to square, off the board, and from the tray to the board; then undo it all."""
    free = free_squares(page, setup)
    start, kind = next(iter(standing(setup).items()))
    me.drag(me.seen(start), me.seen(free[0]))
    me.drafted(lambda draft: standing(draft).get(free[0]) == kind, "it was dragged")
    me.drag(me.seen(free[0]), middle(me.page.locator(".tray .head")))
    me.drafted(lambda draft: free[0] not in standing(draft), "it was dragged off the board")
    item = me.button(re.compile(f"^{title_of(page, kind)}, [1-9]"))
    me.drag(middle(item), me.seen(free[-1]))
    me.drafted(lambda draft: standing(draft).get(free[-1]) == kind, "it was dragged from the tray")
    undo(me, 3, setup)


def tap_pieces(me: Finger, page: Any, setup: Any) -> None:
    free = free_squares(page, setup)
    start, kind = next(iter(standing(setup).items()))
    me.tap(start)
    me.tap(free[0])
    me.drafted(lambda draft: standing(draft).get(free[0]) == kind, "it was moved")
    me.tap(free[0])
    me.check()
    me.press(me.button("Take off"))
    me.drafted(lambda draft: free[0] not in standing(draft), "it was taken off")
    me.press(me.button(re.compile(f"^{title_of(page, kind)}, [1-9]")))
    me.tap(free[-1])
    me.drafted(lambda draft: standing(draft).get(free[-1]) == kind, "it was put from the tray")
    undo(me, 3, setup)


def title_of(page: Any, kind: str) -> str:
    title: str = next(each["title"] for each in page["pieces"] if each["name"] == kind)
    return title


def undo(me: Visitor, times: int, setup: Any) -> None:
    for _ in range(times):
        me.press(me.button("Undo"))
    me.drafted(lambda draft: draft == setup, "all is as it was")


def use_tool(me: Dragger, page: Any, tool: Any, setup: Any) -> None:
    """One of the rule set's own tools, by taps and by drags."""
    if tool["kind"] == "marks":
        field, free = tool["field"], free_squares(page, setup)[0]
        square = setup[field] if tool["single"] else setup[field][0]
        me.tap(square)
        me.tap(free)
        me.drafted(lambda draft: free in draft[field], "the mark was moved")
        me.drag(me.seen(free), me.seen(square))
    elif tool["kind"] == "brush" and tool["ground"] == "water":
        me.press(me.button("Ground"))
        if isinstance(me, Finger):
            me.check()
        row = [at["name"] for at in page["styles"][0]["squares"] if at["name"][1:] == "2"]
        me.press(me.button(re.compile(f"^{tool['title']}, ")))
        me.tap(row[0])
        me.drafted(lambda draft: draft["terrain"].get(row[0]) == "water", "one square is laid")
        me.drag(me.seen(row[0]), me.seen(row[-1]))
        me.drafted(
            lambda draft: all(draft["terrain"].get(at) == "water" for at in row), "a row is laid"
        )
        expect(me.button(re.compile(f"^{tool['title']}, .* too many"))).to_be_visible()
        me.press(me.button("Undo"))  # the whole stroke
        if setup["terrain"].get(row[0]) != "water":
            me.press(me.button("Undo"))
        me.press(me.button("Pieces"))
    elif tool["kind"] == "slots":
        field = tool["field"]
        slots = tool["layouts"][setup[tool["choice"]]]["slots"]
        (one, here), (other, there) = [(name, slots[name]["squares"][0]) for name in slots][:2]
        me.press(me.button(tool["title"], exact=True))
        if isinstance(me, Finger):
            me.check()
        me.tap(here)
        me.tap(here)
        me.drafted(lambda draft: draft[field][one] != setup[field][one], "the tile is turned")
        me.press(me.button("Turn tile"))
        me.drafted(lambda draft: draft == setup, "it is turned back")
        me.tap(there)
        me.drafted(lambda draft: draft[field][one] == setup[field][other], "tiles are exchanged")
        me.drag(me.seen(here), me.seen(there))
        me.drafted(lambda draft: draft == setup, "they were dragged back")
        layout = next(name for name in tool["layouts"] if name != setup[tool["choice"]])
        me.press(me.button(tool["layouts"][layout]["title"], exact=True))
        me.drafted(lambda draft: draft[tool["choice"]] == layout, "another layout is chosen")
        me.press(me.button("Undo"))
        me.press(me.button("Pieces"))
    me.drafted(lambda draft: draft == setup, f"{tool['kind']} is as it was")


def fill(me: Finger, page: Any, setup: Any) -> None:
    """Presets, random, mirror, and a good setup: each comes at once and can be undone."""
    name, preset = next(iter(page["setups"].items()))
    me.press(me.button("Presets"))
    me.check()
    me.press(me.button(name.replace("-", " ").title()))
    me.drafted(lambda draft: standing(draft) == standing(preset), "the preset is there")
    undo(me, 1, setup)
    for button in ["Random", "Mirror", "Fill for me"]:
        me.press(me.button(button))
        me.drafted(lambda draft: draft != setup, f"{button} has done something")
        undo(me, 1, setup)


def keep(me: Finger, setup: Any) -> None:
    """Save, clear, load; copy as text, clear, paste."""
    more = me.button("Save and share")
    dialog = me.page.get_by_role("dialog")
    me.press(more)
    me.check()
    me.press(dialog.get_by_label("Name for this setup"))
    me.page.keyboard.insert_text("By touch")
    me.press(dialog.get_by_role("button", name="Save", exact=True))
    expect(dialog).to_contain_text("Saved as By touch.")
    me.press(dialog.get_by_role("button", name="Close"))
    me.press(me.button("Clear the board"))
    me.drafted(lambda draft: draft["pieces"] == [], "the board is clear")
    me.check()  # a tray that is full, and every problem
    leaf_through_the_tray(me)
    me.press(me.button("Presets"))
    me.press(dialog.get_by_role("button", name="By touch", exact=True))
    me.drafted(lambda draft: draft == setup, "it is loaded")

    me.press(more)
    copy = dialog.get_by_role("button", name="Copy as text")
    expect(copy).to_be_enabled()
    me.press(copy)
    expect(dialog).to_contain_text("Copied.")
    text = me.page.evaluate("navigator.clipboard.readText()")
    me.press(dialog.get_by_role("button", name="Close"))
    me.press(me.button("Clear the board"))
    me.drafted(lambda draft: draft["pieces"] == [], "the board is clear")
    me.press(more)
    me.press(dialog.get_by_label("A setup as text or JSON"))
    me.page.keyboard.insert_text(text)
    me.press(dialog.get_by_role("button", name="Use it"))
    me.drafted(lambda draft: draft == setup, "it is pasted")


def leaf_through_the_tray(me: Finger) -> None:
    """A finger that goes sideways moves the tray and lifts nothing."""
    items = me.page.locator(".tray .items")
    _, y = middle(items)
    # It glides on when the finger is gone, and a tap meanwhile would only stop it.
    items.evaluate("(each) => each.addEventListener('scrollend', () => { window.rests = true })")
    me.drag((320, y), (80, y + 4))
    until(lambda: me.page.evaluate("window.rests"), "the tray follows the finger")
    assert items.evaluate("(each) => each.scrollLeft") > 50
    assert me.page.locator(".flying").count() == 0
    assert me.draft()["pieces"] == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", one_of(cyvasse.rule_sets(), "nine-tile"))
def test_set_up_by_touch(browser: Browser, server: Server, rules: cyvasse.RuleSet) -> None:
    me = Finger(browser, server)
    page = begin(me, rules)
    setup = me.drafted(lambda draft: draft, "there is a setup")
    me.check()
    before = me.scrolled
    tap_pieces(me, page, setup)
    drag_pieces(me, page, setup)
    assert me.scrolled == before, "the page has moved under the finger"
    for tool in page["tools"]["white"]:
        use_tool(me, page, tool, setup)
    fill(me, page, setup)
    keep(me, setup)
    me.press(me.button("Ready"))
    expect(me.page.get_by_label("Turns")).to_be_visible()
    assert me.errors == []
    me.close()


@pytest.mark.parametrize("rules", one_of(cyvasse.rule_sets(), "croft"))
def test_set_up_by_mouse(browser: Browser, server: Server, rules: cyvasse.RuleSet) -> None:
    me = Mouse(browser, server)
    page = begin(me, rules)
    setup = me.drafted(lambda draft: draft, "there is a setup")
    drag_pieces(me, page, setup)
    for tool in page["tools"]["white"]:
        use_tool(me, page, tool, setup)
    assert me.page.evaluate("getSelection().toString()") == ""
    assert me.errors == []
    me.close()


# --- a game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Finger, Mouse], ids=["touch", "mouse"])
@pytest.mark.parametrize("rules", one_of(cyvasse.rule_sets(), "mikelepage"))
def test_play(
    browser: Browser, server: Server, kind: type[Dragger], rules: cyvasse.RuleSet
) -> None:
    me = kind(browser, server)
    begin(me, rules, setup="a good one, at once")
    for number in range(4):
        state = until(lambda: _mine_or_over(me), "it is my turn, or over")
        if state["standing"]["outcome"]:
            break
        position = me.position()
        me.drags = number % 2 == 0
        me.play(_some(position, plain=me.drags), position)
    if isinstance(me, Finger):
        me.check()
    assert me.errors == []
    me.close()


def _mine_or_over(me: Visitor) -> Any:
    state = me.view()
    mine = to_move(state["view"]) == "white" and me.caught_up()
    return state if mine or state["standing"]["outcome"] else None


def _some(position: cyvasse.Position, *, plain: bool) -> cyvasse.Action:
    """Any action, of pieces on the board if it shall be dragged."""
    kinds = ("move", "capture") if plain else ("move", "capture", "drop", "shoot", "swap")
    return next(action for action in position.legal_actions() if action.kind in kinds)


def test_the_page_scrolls_beside_the_board(browser: Browser, server: Server) -> None:
    me = Finger(browser, server)
    begin(me, cyvasse.rule_set("croft"), setup="a good one, at once")
    expect(me.page.get_by_label("Turns")).to_be_visible()
    before = me.scrolled
    me.drag((200, 700), (200, 450))
    until(lambda: me.scrolled > before, "the page follows the finger")
    me.close()


def test_one_screen_for_two(browser: Browser, server: Server) -> None:
    me = Finger(browser, server)
    me.go("/")
    me.press(me.button("Same screen"))
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_label("Rule set").select_option("gameofcyvasse")
    me.press(dialog.get_by_role("button", name="Start"))
    expect(me.page.get_by_role("heading", name="White's setup")).to_be_visible()
    me.press(me.button("Ready"))
    expect(me.page.get_by_role("heading", name="Hand over to Black")).to_be_visible()
    me.check()
    assert me.page.locator(".piece.white").count() == 0
    me.press(me.button("I am Black"))
    expect(me.page.locator("svg.board .piece.black").first).to_be_visible()
    assert me.page.locator("svg.board .piece.white").count() == 0
    me.press(me.button("Ready"))
    expect(me.page.get_by_label("Turns")).to_be_visible()
    engine = cyvasse.Engine(level=1, seed=1)
    for _ in range(4):
        until(me.caught_up, "the page shows how the game stands")
        position = me.position()
        me.play(engine.choose(position), position)
    me.check()
    assert me.errors == []
    me.close()


# --- the other screens ----------------------------------------------------------------------------


def test_menu_lobby_and_lists(browser: Browser, server: Server) -> None:
    me, other = Finger(browser, server), Finger(browser, server)
    me.go("/")
    me.press(me.button("Menu"))
    me.check()
    me.press(me.page.get_by_role("link", name="Lobby", exact=True).last)
    me.press(me.button("Open a seat"))
    me.press(me.page.get_by_role("dialog").get_by_role("button", name="Start"))
    me.page.wait_for_url("**/game/*")
    game = me.game
    me.check()

    other.go("/lobby")
    name = me.ask("me")["name"]
    seat = other.button(re.compile(f"against {name}$"))
    seat.wait_for()
    other.check()
    other.press(seat)
    other.page.wait_for_url("**/game/*")
    assert other.game == game

    me.press(me.button("Menu"))
    me.press(me.page.get_by_role("link", name="My games"))
    mine = me.page.locator(f'a[href="/game/{game}"]')
    mine.wait_for()
    me.check()
    me.press(mine)
    expect(me.button("Ready")).to_be_visible()
    me.press(me.button("Call off"))
    me.check()
    me.press(me.button("Yes, call it off"))
    for visitor in (me, other):
        expect(visitor.page.get_by_text("called off").first).to_be_visible()
        visitor.check()
        assert visitor.errors == []
        visitor.close()


def test_settings_and_account(browser: Browser, server: Server) -> None:
    me = Finger(browser, server)
    me.go("/settings")
    me.press(me.page.get_by_role("radio", name="dark"))
    expect(me.page.locator("html")).to_have_attribute("data-theme", "dark")
    coordinates = me.page.get_by_role("switch", name="Coordinates")
    expect(coordinates).to_be_checked()
    me.press(coordinates)
    expect(coordinates).not_to_be_checked()
    me.check()

    me.go("/account")
    me.press(me.page.get_by_label("Name", exact=True))
    me.page.keyboard.insert_text("fingertip")
    me.press(me.page.get_by_label("Password", exact=True))
    me.page.keyboard.insert_text("a long enough password")
    me.check()
    me.press(me.page.get_by_role("button", name="Make an account"))
    expect(me.page.get_by_text("You are signed in as fingertip.")).to_be_visible()
    me.check()
    me.press(me.button("Delete my data"))
    me.check()
    me.press(me.page.get_by_role("dialog").get_by_role("button", name="Cancel"))
    me.press(me.button("Sign out"))
    expect(me.page.get_by_text("a guest")).to_be_visible()
    assert me.errors == []
    me.close()


@pytest.mark.parametrize("path", ["/", "/watch", "/rules", "/rules/nine-tile", "/position"])
def test_nothing_is_too_small_or_too_wide(browser: Browser, server: Server, path: str) -> None:
    me = Finger(browser, server)
    me.go(path)
    me.settle()
    me.check()
    me.close()
