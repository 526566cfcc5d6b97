"""Without a mouse and without touching anything: a setup, a whole game, and what comes after it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

import cyvasse
from cyvasse import Action, Position
from tests.server.harness import Server, to_move, until
from tests.tiers import one_of
from tests.web.visitor import Visitor, free_squares, standing

MOST_ACTIONS = 400
MOST_KEYS = 150
WHOLE = cyvasse.rule_set("mikelepage")
"""A game of this one is played to its end; of the others a few turns say as much."""
OTHERS = [rules for rules in cyvasse.rule_sets() if rules is not WHOLE]


class Typist(Visitor):
    """Somebody who has a keyboard and nothing else."""

    def type(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def board(self) -> Locator:
        return self.page.locator("svg.board")

    # --- going somewhere --------------------------------------------------------------------------

    def reach(self, element: Locator) -> None:
        """Tab to something, on or back; whoever gets there must see it."""
        element.wait_for()
        for _ in range(MOST_KEYS):
            key = element.evaluate(
                """(element) => {
                    const here = document.activeElement;
                    if (here === element) return null;
                    const behind = here.compareDocumentPosition(element) & 2;
                    return here !== document.body && behind ? 'Shift+Tab' : 'Tab';
                }"""
            )
            if key is None:
                break
            self.type(key)
        else:
            raise AssertionError(f"no key leads to {element}")
        assert self.ringed(), f"nothing shows that {element} has the focus"

    def ringed(self) -> bool:
        """Whether something is drawn around what has the focus, or around what stands for it."""
        ringed: bool = self.page.evaluate(
            """() => {
                const here = document.activeElement;
                const ring = (each) => getComputedStyle(each).outlineStyle !== 'none'
                    && parseFloat(getComputedStyle(each).outlineWidth) >= 2;
                return [here, here.closest('label')].some((each) => each && ring(each));
            }"""
        )
        return ringed

    def press(self, button: Locator) -> None:
        self.reach(button)
        self.type("Enter")

    def choose(self, group: str, option: str) -> None:
        """One of several round buttons: Tab goes to the chosen one, arrows choose another."""
        radios = self.page.get_by_role("group", name=group)
        wanted = radios.get_by_role("radio", name=option)
        self.reach(radios.locator("input:checked"))
        for _ in range(10):
            if wanted.is_checked():
                return
            self.type("ArrowRight")
        raise AssertionError(f"{group} never is {option}")

    def here(self) -> str:
        """The square that the keys are on, as it is heard."""
        heard = self.page.locator(".spoken").inner_text()
        return heard.split(",")[0].strip()

    def walk(self, square: str) -> None:
        """Arrow keys to a square; the board must have the focus already."""
        expect(self.board).to_be_focused()
        for _ in range(MOST_KEYS):
            key = self.page.evaluate(
                """(square) => {
                    const middle = (name) => {
                        const at = document.querySelector(`svg.board [data-square="${name}"]`);
                        const box = at.getBoundingClientRect();
                        return [box.x + box.width / 2, box.y + box.height / 2, box.height];
                    };
                    const here = document.querySelector('.spoken').textContent.split(',')[0];
                    if (here === square) return null;
                    const [x, y, size] = middle(here);
                    const [toX, toY] = middle(square);
                    if (Math.abs(toY - y) > size / 2) return toY > y ? 'ArrowDown' : 'ArrowUp';
                    return toX > x ? 'ArrowRight' : 'ArrowLeft';
                }""",
                square,
            )
            if key is None:
                expect(self.board.locator(".focus")).to_have_count(1)
                return
            self.type(key)
        raise AssertionError(f"no key leads to {square}")

    def tap(self, square: str) -> None:
        self.walk(square)
        self.type("Enter")

    def play(self, action: Action, position: Position) -> None:
        super().play(action, position)
        self.page.wait_for_function(
            """() => {
                const here = document.activeElement;
                return here.matches('svg.board') || here.closest('section.card button');
            }"""
        )


def begin(browser: Browser, server: Server, rules: cyvasse.RuleSet) -> Typist:
    """From the home page to a setup of one's own, against a beginner's bot."""
    me = Typist(browser, server)
    me.go("/")
    me.press(me.button(f"Choose… {rules.title}"))
    dialog = me.page.get_by_role("dialog")
    level = dialog.get_by_label("Level of the bot")
    me.reach(level)
    me.type("ArrowUp")
    expect(level).to_have_value("1")
    me.choose("You play", "White")
    me.choose("Your setup", "build my own")
    me.press(dialog.get_by_role("button", name="Start"))
    me.page.wait_for_url("**/game/*")
    return me


def arrange_pieces(me: Typist, page: Any, setup: Any) -> None:
    """Move a piece, take it off, take it from the tray again, and undo all of it."""
    free = free_squares(page, setup)
    start, kind = next(iter(standing(setup).items()))
    there, elsewhere = free[0], free[-1]
    me.tap(start)
    expect(me.page.locator(".spoken")).to_contain_text("selected")
    me.tap(there)
    me.drafted(lambda draft: standing(draft).get(there) == kind, "it has moved")
    me.type("Delete")
    me.drafted(lambda draft: there not in standing(draft), "it is off the board")
    title = next(each["title"] for each in page["pieces"] if each["name"] == kind)
    me.type("t")  # to the tray
    me.press(me.button(re.compile(f"^{title}, [1-9]")))
    me.tap(elsewhere)
    me.drafted(lambda draft: standing(draft).get(elsewhere) == kind, "it is on the board again")
    expect(me.board).to_be_focused()
    for _ in range(3):
        me.type("Control+z")
    me.drafted(lambda draft: standing(draft) == standing(setup), "all is as it was")


def arrange_more(me: Typist, tool: Any, setup: Any) -> None:
    """Use one of the rule set's own tools, and undo it."""
    if tool["kind"] == "marks":
        (square, *_) = [setup[tool["field"]]] if tool["single"] else setup[tool["field"]]
        me.walk(square)
        me.type("Delete")
        me.drafted(lambda draft: draft[tool["field"]] != setup[tool["field"]], "it is off")
        me.type("t")
        me.press(me.button(re.compile(f"^{tool['title']}, [1-9]")))
        me.tap(square)
    elif tool["kind"] == "brush":
        ground = tool["ground"]
        square = next(at for at, other in setup["terrain"].items() if other != ground)
        me.press(me.button("Ground"))
        me.press(me.button(re.compile(f"^{tool['title']}, ")))
        me.tap(square)
        me.drafted(lambda draft: draft["terrain"].get(square, "grass") == ground, "it is laid")
        me.press(me.button("Undo"))
        me.press(me.button("Pieces"))
    elif tool["kind"] == "slots":
        layout = tool["layouts"][setup[tool["choice"]]]
        slot, tile = next(iter(setup[tool["field"]].items()))
        me.press(me.button(tool["title"], exact=True))
        me.reach(me.board)
        me.tap(layout["slots"][slot]["squares"][0])
        me.type("Enter")
        me.drafted(
            lambda draft: (
                draft[tool["field"]][slot] != tile
                and draft[tool["field"]][slot].rstrip("t") == tile.rstrip("t")
            ),
            "the tile is turned",
        )
        me.press(me.button("Turn tile"))
        me.press(me.button("Pieces"))
    else:
        return
    me.drafted(lambda draft: draft == setup, f"{tool['kind']} is as it was")


def take_preset(me: Typist, page: Any) -> None:
    """A dialog takes the focus and gives it back."""
    name, setup = next(iter(page["setups"].items()))
    presets = me.button("Presets")
    me.press(presets)
    dialog = me.page.get_by_role("dialog")
    me.type("Escape")
    expect(dialog).to_have_count(0)
    expect(presets).to_be_focused()
    me.type("Enter")
    me.press(dialog.get_by_role("button", name=name.replace("-", " ").title()))
    expect(dialog).to_have_count(0)
    expect(presets).to_be_focused()
    me.drafted(lambda draft: standing(draft) == standing(setup), "the preset is there")


def arrange(me: Typist, page: Any) -> None:
    """Change a setup with everything there is, then be ready with a preset."""
    setup = me.drafted(lambda draft: draft is not None, "there is a setup")
    expect(me.board).to_be_focused()  # nothing to look for: it can be changed at once
    arrange_pieces(me, page, setup)
    for tool in page["tools"]["white"]:
        arrange_more(me, tool, setup)
    take_preset(me, page)
    me.press(me.button("Ready"))
    expect(me.page.get_by_label("Turns")).to_be_visible()
    expect(me.board).to_be_focused()


def play_on(me: Typist, most: int = MOST_ACTIONS) -> bool:
    """Play some actions; whether the game is over then."""
    engine = cyvasse.Engine(level=7, seed=1)
    for _ in range(most):
        state = until(lambda: mine_or_over(me), "it is my turn, or over")
        if state["standing"]["outcome"]:
            return True
        position = me.position()
        me.play(engine.choose(position), position)
    return False


def mine_or_over(me: Typist) -> Any:
    state = me.view()
    mine = state["standing"]["status"] == "playing" and to_move(state["view"]) == "white"
    return state if mine or state["standing"]["outcome"] else None


def look_back(me: Typist) -> None:
    """Through the turns, from the board and from their list."""
    rows = me.page.locator("[data-row]")
    last = rows.count() - 1
    current = me.page.locator("[data-row][aria-current]")
    expect(me.board).to_be_focused()
    me.type("Home")
    expect(current).to_have_count(0)
    me.type("PageDown")
    expect(current).to_have_attribute("data-row", "0")
    me.type("Escape")
    expect(current).to_have_attribute("data-row", str(last))
    me.reach(current)
    me.type("ArrowLeft")
    expect(me.button("Back to the game")).to_be_visible()
    me.type("Home", "ArrowRight")
    expect(current).to_have_attribute("data-row", "0")
    me.type("End")
    expect(current).to_have_attribute("data-row", str(last))
    expect(current).to_be_focused()


def talk(me: Typist) -> None:
    """The chat opens with its field, and closes to where one was."""
    chat = me.button("Chat")
    me.press(chat)
    expect(me.page.get_by_label("Say something")).to_be_focused()
    me.page.keyboard.type("Well played?")
    me.type("Enter")
    expect(me.page.get_by_role("listitem").filter(has_text="Well played?")).to_be_visible()
    me.type("Escape")
    expect(chat).to_be_focused()


def test_keys_are_listed(browser: Browser, server: Server) -> None:
    me = begin(browser, server, cyvasse.rule_set("croft"))
    expect(me.board).to_be_focused()
    me.type("?")
    dialog = me.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Control Z")
    me.type("Escape")
    expect(dialog).to_be_hidden()
    expect(me.board).to_be_focused()
    assert me.errors == []
    me.close()


def test_questions_take_the_focus_and_give_it_back(browser: Browser, server: Server) -> None:
    rules = cyvasse.rule_set("gameofcyvasse")
    me = Typist(browser, server)
    me.go("/settings")
    me.reach(me.page.get_by_role("switch", name="Confirm each turn"))
    me.type("Space")
    me.go("/")
    me.press(me.button(f"Play now: {rules.title}"))
    me.page.wait_for_url("**/game/*")
    expect(me.board).to_be_focused()
    until(lambda: to_move(me.view()["view"]) in me.view()["you"], "it is my turn")
    position = me.position()
    me.play(next(each for each in position.legal_actions() if each.kind == "move"), position)
    expect(me.button("Send the turn")).to_be_focused()
    me.type("Enter")
    expect(me.board).to_be_focused()
    until(lambda: me.actions(), "it is sent")

    resign = me.button("Resign")
    me.press(resign)
    expect(me.button("Not yet")).to_be_focused()
    me.type("Enter")
    expect(resign).to_be_focused()
    me.type("Enter", "Tab", "Enter")
    expect(me.page.get_by_text("You have lost")).to_be_visible()
    expect(me.button("Rematch")).to_be_focused()
    assert me.errors == []
    me.close()


@pytest.mark.parametrize("rules", one_of(OTHERS, "croft"))
def test_begin_a_game(browser: Browser, server: Server, rules: cyvasse.RuleSet) -> None:
    me = begin(browser, server, rules)
    arrange(me, me.ask(f"rules/{rules.id}"))
    play_on(me, 3)
    assert me.errors == []
    me.close()


@pytest.mark.slow
def test_a_whole_game(browser: Browser, server: Server) -> None:
    me = begin(browser, server, WHOLE)
    arrange(me, me.ask(f"rules/{WHOLE.id}"))
    assert play_on(me), "the game goes on and on"
    look_back(me)
    talk(me)
    before = me.page.url
    me.press(me.button("Rematch"))
    expect(me.page).not_to_have_url(before)
    expect(me.board).to_be_focused()
    assert me.errors == []
    me.close()
