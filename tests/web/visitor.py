"""Somebody in front of a browser: looks, taps, types, and notices every error of the page."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page

from cyvasse import Action, Position
from cyvasse.notation import parse_position
from tests.server.harness import PATIENCE, Server, actions_in, until

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
NETWORK = re.compile(r"net::ERR_|WebSocket connection to|responded with a status of [45]")
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def _first_answers(page: str) -> list[str]:
    """What came with a page, but for the rule sets with their presets."""
    found = re.search(r'<script type="application/json" id="first">(.*?)</script>', page)
    answers = json.loads(found[1])["answers"] if found else {}
    return [
        json.dumps(answer, separators=(",", ":"))
        for path, answer in answers.items()
        if not path.startswith("rules/")
    ]


class Visitor:
    """One browser window with a cookie of its own."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        *,
        phone: bool = False,
        dark: bool = False,
        saving: bool = False,
        javascript: bool = True,
    ) -> None:
        self.server = server
        self.context: BrowserContext = browser.new_context(
            base_url=server.url,
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            java_script_enabled=javascript,
        )
        if saving:  # whoever saves data gets a screen only when it is wanted
            self.context.add_init_script(
                "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
            )
        # So that a test can break the connection; Chromium itself keeps websockets when offline.
        self.context.add_init_script(
            """window.sockets = [];
            window.WebSocket = class extends WebSocket {
                constructor(...words) { super(...words); window.sockets.push(this); }
            };"""
        )
        self.held: list[Action] = []
        self.errors: list[str] = []
        self.heard: list[str] = []
        self.page: Page = self.new_tab()

    def new_tab(self) -> Page:
        """Another tab of the same browser; its errors count too."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("response", self._response)
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        return page

    @property
    def own_errors(self) -> list[str]:
        """Errors of the page itself: not what Chromium says about a server that is away."""
        return [error for error in self.errors if not NETWORK.search(error)]

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _response(self, response: Any) -> None:
        # Presets are the same for everyone, and a setup may be one of them.
        with contextlib.suppress(Exception):  # a body that is gone with its page
            if "/api/" in response.url and "/api/rules/" not in response.url:
                self.heard.append(response.text())
            elif response.request.resource_type == "document":
                self.heard += _first_answers(response.text())

    def _frame(self, payload: str | bytes) -> None:
        self.heard.append(payload if isinstance(payload, str) else payload.decode())

    def close(self) -> None:
        self.context.close()

    def go(self, path: str) -> None:
        self.page.goto(path)

    def settle(self) -> None:
        """Wait until the screen is there and shows all that it has asked for."""
        self.page.wait_for_function(
            """() => document.querySelector('main')
                && !document.querySelector('[aria-busy=true]')"""
        )

    def button(self, name: str | re.Pattern[str], *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    @property
    def game(self) -> str:
        """The id of the game that is shown."""
        return self.page.url.split("/game/")[1].split("#")[0].split("?")[0]

    def lose_connection(self) -> None:
        """The websocket breaks, as it does in a tunnel; the page must come back by itself."""
        self.page.evaluate("window.sockets.forEach((socket) => socket.close())")

    # --- the setup --------------------------------------------------------------------------------

    def draft(self, seat: str = "white") -> Any:
        return self.ask(f"games/{self.game}/drafts/{seat}")["setup"]

    def drafted(self, check: Callable[[Any], Any], what: str) -> Any:
        """The draft once it is as it should be; the page keeps it a moment later."""

        def found() -> Any:
            draft = self.draft()
            return draft if draft and check(draft) else None

        return until(found, what)

    # --- the board --------------------------------------------------------------------------------

    def ask(self, path: str) -> Any:
        return self.page.evaluate("(path) => fetch('/api/' + path).then(r => r.json())", path)

    def view(self) -> Any:
        return self.ask(f"games/{self.game}")

    def actions(self) -> list[str]:
        """Everything that was played."""
        return actions_in(self.view()["view"])

    def place(self, square: str) -> tuple[float, float]:
        """Where a square is on the screen."""
        board = self.page.locator("svg.board")
        board.wait_for()
        x, y = self.page.evaluate(
            """([square]) => {
                const at = document.querySelector(`svg.board [data-square="${square}"]`);
                const box = at.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }""",
            [square],
        )
        return x, y

    def press(self, button: Locator) -> None:
        """Use a button or a link.  Whoever has no mouse does it in another way."""
        button.click()

    def tap(self, square: str) -> None:
        self.page.locator("svg.board").scroll_into_view_if_needed()
        x, y = self.place(square)
        self.page.mouse.click(x, y)

    def play(self, action: Action, position: Position) -> None:
        """Do an action as a person would, with taps and buttons."""
        until(self.caught_up, "the page shows how the game stands")
        before = self.view()["number"]
        held = " ".join(map(str, [*self.held, action]))
        seen = self.page.locator(f'[data-held="{held}"]')

        def done() -> bool:
            return bool(seen.count()) or self.view()["number"] > before

        if action.kind in ("end", "pass"):
            name = "End turn" if action.kind == "end" else "Pass"
            self.press(self.button(name))
        elif action.kind == "corner":
            assert action.target is not None
            self.tap(action.target)
        elif action.kind == "promote":
            title = next(k.title for k in position.rules.piece_types if k.letter == action.piece)
            self.press(self.button(re.compile(f"Becomes {title}.*{action.target}")))
        else:
            self.move(action, position)
            menu = self.page.locator(f'[data-action="{action}"]')
            until(lambda: menu.count() or done(), f"{action} is understood")
            if menu.count():
                self.press(menu)
        until(done, f"{action} is done")
        # The first actions of a turn stay in the page until the turn is whole.
        self.held = [*self.held, action] if seen.count() else []

    def caught_up(self) -> bool:
        """Whether the page is connected and has heard of every turn."""
        connected = self.page.locator(".link:not(.away)").count() == 1
        turns = len(self.view()["view"]["turns"])
        return connected and self.page.locator("[data-row]").count() == turns

    def move(self, action: Action, position: Position) -> None:
        """Show a piece and a square; which of several actions that means is asked afterwards."""
        if action.kind in ("drop", "bring_out"):
            letter = action.piece or "D"
            title = next(k.title for k in position.rules.piece_types if k.letter == letter)
            self.press(self.button(re.compile(f"^{title} \u00d7")).first)
        else:
            assert action.origin is not None
            self.tap(action.origin)
        struck = action.victim if action.kind != "capture_two" else action.target
        target = struck or action.target
        assert target is not None
        self.tap(target)

    def position(self) -> Position:
        """The position as this page shows it, actions that nobody else has seen included."""
        text = self.page.evaluate(
            "(game) => fetch(`/api/games/${game}/position`).then(r => r.text())", self.game
        )
        position = parse_position(text)
        for action in self.held:
            position.play(action)
        return position


def barriers(page: Page) -> list[Any]:
    """What keeps people out of the screen as it is, as axe-core finds it, and where."""
    page.evaluate(AXE.read_text())  # the page itself would not let it in
    found: list[Any] = page.evaluate(
        """() => axe.run(document, {resultTypes: ['violations']}).then(result =>
            result.violations.filter(v => ['serious', 'critical'].includes(v.impact))
                .map(v => [v.id, v.nodes.slice(0, 3).map(n => n.target.join(' '))]))"""
    )
    return found


def standing(setup: Any) -> dict[str, str]:
    """The pieces of a setup by their squares."""
    return {piece["at"]: piece["type"] for piece in setup["pieces"]}


def free_squares(page: Any, setup: Any) -> list[str]:
    """The squares of White's half that nothing stands on; `page` is what /api/rules tells."""
    taken = {*standing(setup), *setup.get("mountains", []), setup.get("keep")}
    squares = page["styles"][0]["squares"]
    return [at["name"] for at in squares if at["home"] == "white" and at["name"] not in taken]
