"""The way of an action in a real browser: what the page asks for, and what it shows at once."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, ElementHandle, Page, Request, WebSocket, expect

import cyvasse
from cyvasse import Action, Position
from cyvasse.notation import parse_position
from tests.server.harness import Person, Server, to_move, until
from tests.web.visitor import Visitor

# Keeps back what the page hears, says, or both, until it is let go.
HOLD = """([heard, said]) => {
    const socket = window.sockets.at(-1);
    const hear = socket.onmessage, say = socket.send.bind(socket);
    window.kept = { heard: [], said: [] };
    if (heard) socket.onmessage = (event) => window.kept.heard.push(event);
    if (said) socket.send = (text) => window.kept.said.push(JSON.parse(text));
    window.letGo = () => {
        socket.onmessage = hear;
        socket.send = say;
        window.kept.heard.splice(0).forEach((event) => hear(event));
        window.kept.said.splice(0).forEach((message) => say(JSON.stringify(message)));
    };
    window.answer = (message) => {
        socket.onmessage = hear;
        socket.send = say;
        hear(new MessageEvent("message", { data: JSON.stringify(message) }));
    };
}"""


class Log:
    """What a page asks the server for, by kind."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        page.on("request", self._request)
        page.on("websocket", self._socket)

    def _request(self, request: Request) -> None:
        path = re.sub(r"^\w+://[^/]+|[?#].*", "", request.url)
        # Files that a browser keeps, and pictures.
        if not re.search(r"^/assets/|\.svg$|\.woff2$", path):
            path = re.sub(r"(?<=/games/|./game/)[\w-]{16}|(?<=/game/)[\w-]{16}", "{game}", path)
            path = re.sub(r"(?<=/rules/)[\w-]+", "{}", path)
            self.asked.append(f"{request.method} {path}")

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framesent", self._said)

    def _said(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        command = message.get("command", {})
        self.asked.append(f"do {command['do']}" if command else message["type"])

    @property
    def layers(self) -> int:
        """How often it has asked what layers show."""
        self.page.evaluate("0")  # Playwright tells of requests only while it is asked something
        return sum(each.endswith("/layers") for each in self.asked)


class Match:
    """A game in which White is somebody with a browser, and Black somebody with the API."""

    def __init__(self, browser: Browser, server: Server, rule_set: str) -> None:
        self.me = Visitor(browser, server)
        self.me.go("/")
        self.log = Log(self.me.page)
        self.other: Person = server.person()
        created = self.me.page.evaluate(
            """(rule_set) => fetch('/api/games', {method: 'POST',
                headers: {'Content-Type': 'application/json'}, body: JSON.stringify({rule_set,
                    opponent: {kind: 'friend'}, color: 'white', first: 'white'})
            }).then(r => r.json())""",
            rule_set,
        )
        self.game: str = created["game"]
        self.other.post(f"games/{self.game}/join", {"invitation": created["invitation"]})
        self.other.submit(self.game, "black", seed=3)
        self.me.go(f"/game/{self.game}")
        self.me.button("Ready").click()
        expect(self.me.page.locator(".game svg.board")).to_be_visible()
        until(self.me.caught_up, "the page shows the game")

    def hold(self, *, heard: bool = True, said: bool = False) -> None:
        """Keep back what comes and goes over the websocket."""
        self.me.page.evaluate(HOLD, [heard, said])

    def let_go(self) -> None:
        self.me.page.evaluate("window.letGo()")

    def kept(self, way: str) -> list[Any]:
        data = "kept.heard.map((event) => JSON.parse(event.data))"
        found: list[Any] = self.me.page.evaluate(data if way == "heard" else "kept.said")
        return found

    def move(self) -> Action:
        """A plain move that may be made now, onto a free square, and that ends the turn."""
        position = self.me.position()
        legal = position.legal_actions()
        moves = (action for action in legal if action.kind == "move" and alone(action, legal))
        return next(action for action in moves if ends(action, position))

    def tap(self, action: Action) -> None:
        self.me.move(action, self.me.position())

    def do(self, command: dict[str, Any]) -> None:
        """Do something as this person would in another tab."""
        self.me.page.evaluate(
            """([game, command]) => fetch(`/api/games/${game}/commands`, {method: 'POST',
                headers: {'Content-Type': 'application/json'},
                body: JSON.stringify(command)})""",
            [self.game, command],
        )

    def answer(self) -> None:
        """Let the opponent do something quiet, to the end of the turn."""
        while to_move(view := self.other.see(self.game)["view"]) == "black":
            legal: list[str] = view["legal_actions"]
            quiet = [action for action in legal if "x" not in action and "*" not in action]
            action = "end" if "end" in legal else (quiet or legal)[0]
            self.other.do(self.game, "play", action=action, ply=view["ply"])

    def close(self) -> None:
        assert self.me.errors == []
        self.me.close()


def at(action: Action) -> set[str | None]:
    """The squares of an action."""
    return {action.origin, action.target, *action.struck}


def alone(action: Action, legal: list[Action]) -> bool:
    """Whether tapping these two squares can mean nothing else."""
    same = [each for each in legal if each.origin == action.origin and action.target in at(each)]
    return same == [action] and all(each.origin != action.target for each in legal)


def ends(action: Action, position: Position) -> bool:
    """Whether the turn is over after it."""
    ahead = position.copy()
    ahead.play(action)
    return not ahead.in_turn


@pytest.fixture
def match(browser: Browser, server: Server) -> Iterator[Match]:
    playing = Match(browser, server, "croft")
    yield playing
    playing.close()


def figure(page: Page, square: str) -> ElementHandle:
    found = page.query_selector(f'[data-piece="{square}"]')
    assert found is not None, f"nothing stands on {square}"
    return found


def shows(match: Match, action: Action) -> None:
    """The piece is where the action brings it."""
    page = match.me.page
    expect(page.locator(f'[data-piece="{action.target}"]')).to_have_count(1)
    expect(page.locator(f'[data-piece="{action.origin}"]')).to_have_count(0)


def shows_not(match: Match, action: Action) -> None:
    page = match.me.page
    expect(page.locator(f'[data-piece="{action.origin}"]')).to_have_count(1)
    expect(page.locator(f'[data-piece="{action.target}"]')).to_have_count(0)


# --- what is shown at once ------------------------------------------------------------------------


def test_a_piece_moves_before_the_server_answers(match: Match) -> None:
    action = match.move()
    match.hold()
    match.tap(action)
    shows(match, action)
    until(lambda: match.kept("heard"), "the server has answered, and the page has not heard it")
    expect(match.me.page.locator("[data-row]")).to_have_count(0)
    before = figure(match.me.page, str(action.target))
    match.let_go()
    expect(match.me.page.locator("[data-row]")).to_have_count(1)
    shows(match, action)
    # The same figure: nothing was put there anew when the game itself came.
    assert figure(match.me.page, str(action.target)).evaluate("(a, b) => a === b", before)
    match.answer()
    expect(match.me.page.get_by_text("Your turn", exact=True)).to_be_visible()
    assert match.me.actions()[0] == str(action)


def test_a_piece_goes_back_when_the_server_refuses(match: Match) -> None:
    action = match.move()
    match.hold(said=True)
    match.tap(action)
    shows(match, action)
    (sent,) = [each for each in match.kept("said") if each["type"] == "do"]
    problem = {"title": "No", "status": 409, "type": "refused", "detail": "Not today."}
    match.me.page.evaluate(
        "(message) => window.answer(message)",
        {"type": "problem", "id": sent["id"], "problem": problem},
    )
    shows_not(match, action)
    expect(match.me.page.get_by_text("Not today.")).to_be_visible()
    assert match.me.actions() == []
    match.me.play(action, match.me.position())  # and all is as it was
    shows(match, action)


def test_the_game_has_gone_on_elsewhere(match: Match) -> None:
    """Another tab was faster: what it did is shown, and why this was not done."""
    first = match.move()
    position = match.me.position()
    legal = position.legal_actions()
    other = next(
        action
        for action in legal
        if action.kind == "move" and {action.origin, action.target}.isdisjoint(at(first))
    )
    match.hold()
    match.do({"do": "play", "action": str(other), "ply": 0})
    until(lambda: match.me.actions() == [str(other)], "the other tab has played")
    match.tap(first)
    shows(match, first)
    heard = lambda: any(each["type"] == "problem" for each in match.kept("heard"))  # noqa: E731
    until(heard, "the server has refused")
    match.let_go()
    shows_not(match, first)
    shows(match, other)
    expect(match.me.page.get_by_text("1 have been played")).to_be_visible()


def test_nothing_else_can_be_done_meanwhile(match: Match) -> None:
    action = match.move()
    match.hold(said=True)
    match.tap(action)
    shows(match, action)
    legal = [each for each in match.me.position().legal_actions() if each.kind == "move"]
    for each in legal[:3]:
        match.tap(each)
    match.me.page.keyboard.press("e")
    assert len([each for each in match.kept("said") if each["type"] == "do"]) == 1
    shows(match, action)
    match.let_go()
    expect(match.me.page.locator("[data-row]")).to_have_count(1)
    assert match.me.actions() == [str(action)]


def test_the_connection_breaks_in_between(match: Match) -> None:
    action = match.move()
    match.hold()
    match.tap(action)
    shows(match, action)
    until(lambda: match.me.actions() == [str(action)], "it is played")
    match.me.lose_connection()  # with the answer; the new connection catches up
    expect(match.me.page.locator("[data-row]")).to_have_count(1)
    shows(match, action)
    assert match.me.actions() == [str(action)]


def test_a_turn_that_goes_on(browser: Browser, server: Server) -> None:
    match = Match(browser, server, "nine-tile")
    position = match.me.position()
    action = next(each for each in position.legal_actions() if goes_on(position, each))
    match.hold()
    match.tap(action)
    shows(match, action)
    expect(match.me.page.locator("[data-held]")).to_have_count(0)
    until(lambda: match.kept("heard"), "the preview has come")
    match.let_go()
    expect(match.me.page.locator("[data-held]")).to_have_count(1)
    shows(match, action)
    match.me.held = [action]
    match.hold()
    match.me.button("End turn").click()
    expect(match.me.button("End turn")).to_be_disabled()
    shows(match, action)
    until(lambda: len(match.me.actions()) == 2, "the turn is played")
    match.let_go()
    expect(match.me.page.locator("[data-row]")).to_have_count(1)
    shows(match, action)
    match.close()


def goes_on(position: Position, action: Action) -> bool:
    ahead = position.copy()
    ahead.play(action)
    return action.kind == "move" and ahead.in_turn and alone(action, position.legal_actions())


def test_keys_and_ears(match: Match) -> None:
    """Who plays by keys hears at once where the piece is, and stays on the board."""
    page, action = match.me.page, match.move()
    board = page.get_by_role("application")
    spoken = page.locator("main [aria-live]").filter(has_text=re.compile(r"^[a-z]\d"))
    match.tap(action)
    expect(page.locator("[data-row]")).to_have_count(1)
    match.answer()
    expect(page.get_by_text("Your turn", exact=True)).to_be_visible()
    action = match.move()
    board.focus()
    for square in (action.origin, action.target):
        walk(page, str(square))
        if square == action.target:
            match.hold()
        page.keyboard.press("Enter")
    shows(match, action)
    expect(spoken.first).to_have_text(re.compile(rf"^{action.target}, White "))
    expect(board).to_be_focused()
    match.let_go()
    expect(page.locator("[data-row]")).to_have_count(3)
    expect(spoken.first).to_have_text(re.compile(rf"^{action.target}, White "))
    expect(board).to_be_focused()


def walk(page: Page, square: str) -> None:
    """Go to a square with `n`, which leads from one possibility to the next."""
    spoken = page.locator("main [aria-live]").filter(has_text=re.compile(r"^[a-z]\d"))
    for _ in range(80):
        if (spoken.first.text_content() or "").split(",")[0] == square:
            return
        before = spoken.first.text_content()
        page.keyboard.press("n")
        until(lambda: spoken.first.text_content() != before, "the keys go on")  # noqa: B023
    raise AssertionError(f"no way to {square}")


# --- what is asked for ----------------------------------------------------------------------------


def test_no_board_is_followed_by_a_request(browser: Browser, server: Server) -> None:
    match = Match(browser, server, "nine-tile")
    watching = Visitor(browser, server)
    beside = Log(watching.page)
    watching.go(f"/game/{match.game}")
    expect(watching.page.locator(".game svg.board")).to_be_visible()
    until(watching.caught_up, "the page shows the game")
    # Time stands still: nobody looks at a piece for longer than it takes to move it.
    match.me.page.clock.install()
    match.me.page.clock.pause_at(match.me.page.evaluate("Date.now() / 1000 + 1"))
    begun = len(match.log.asked), len(beside.asked)
    turns = 0
    for _ in range(3):
        action = next(
            each for each in match.me.position().legal_actions() if each.kind in ("move", "end")
        )
        match.me.play(action, match.me.position())
        if match.me.held:
            match.me.play(Action.parse("end", match.me.position().board), match.me.position())
        match.answer()
        turns += 2
        until(match.me.caught_up, "the page has heard of it")
        until(watching.caught_up, "whoever watches has, too")
    expected = {"do play_turn"}
    own = {"GET /api/games/{game}", "GET /api/games/{game}/position"}  # of this test
    assert set(match.log.asked[begun[0] :]) - own == expected
    assert set(beside.asked[begun[1] :]) - own == set()
    assert match.log.layers == beside.layers == 0
    # Whoever looks at a piece for longer asks for what there is to know of it, once a board.
    me = match.me
    for _ in range(2):
        me.tap(str(me.position().legal_actions()[0].origin))
        expect(me.page.locator(".piece-card")).to_be_visible()
        me.page.clock.run_for(2000)
        until(lambda: match.log.layers, "it is asked for")
        me.page.keyboard.press("Escape")
    assert match.log.layers == 1
    watching.close()
    match.close()


def test_a_layer_is_asked_for_once_a_board(match: Match) -> None:
    page = match.me.page
    button = match.me.button("Who takes whom")
    expect(button).to_be_visible()
    assert match.log.layers == 0  # the switch is there without having asked
    button.click()
    until(lambda: match.log.layers == 1, "the layer is asked for")
    action = match.move()
    match.tap(action)
    until(lambda: match.log.layers == 2, "and for the next board")
    match.answer()
    until(lambda: match.log.layers >= 3, "and for the next")
    until(match.me.caught_up, "the page has heard of it")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    before = match.log.layers
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # nobody looks at a piece for long
    match.me.play(match.move(), match.me.position())
    expect(page.locator("[data-row]")).to_have_count(3)
    assert match.log.layers == before


def test_a_king_in_danger_is_shown_without_asking(browser: Browser, server: Server) -> None:
    match = Match(browser, server, "gameofcyvasse")
    page = match.me.page
    king = threaten(match)
    expect(page.locator("svg.board path.danger").first).to_be_visible()
    page.get_by_role("application").focus()
    where = match.me.position().pieces()[king]
    assert where.color is cyvasse.WHITE
    assert match.log.layers == 0
    match.close()


def threaten(match: Match) -> str:
    """Play until White's King could be struck; his square."""
    me, other = match.me, match.other
    for _ in range(300):
        position = parse_position(other.http.get(f"games/{match.game}/position").text)
        pieces = position.pieces()
        mine = [at for at in position.threats() if pieces[at].type == "king"]
        if position.turn is cyvasse.WHITE and mine:
            return mine[0]
        legal = position.legal_actions()
        best = max(legal, key=lambda action: worth(position, action))
        command = {"do": "play", "action": str(best), "ply": me.view()["view"]["ply"]}
        if position.turn is cyvasse.WHITE:
            match.do(command)
        else:
            other.post(f"games/{match.game}/commands", command)
    raise AssertionError("nobody threatens the King")


def worth(position: Position, action: Action) -> float:
    """White walks about; Black comes nearer to White's King, and best of all threatens him."""
    ahead = position.copy()
    ahead.play(action)
    pieces = ahead.pieces()
    kings = [
        at for at, piece in pieces.items() if piece.type == "king" and piece.color is cyvasse.WHITE
    ]
    if not kings or ahead.outcome():
        return -1e9
    if position.turn is cyvasse.WHITE:
        return -len(action.struck)
    if kings[0] in ahead.threats():
        return 1e9
    x, y = ahead.board.centre(kings[0])
    return -sum(
        abs(ahead.board.centre(at)[0] - x) + abs(ahead.board.centre(at)[1] - y)
        for at, piece in pieces.items()
        if piece.color is cyvasse.BLACK
    ) - 100 * len(action.struck)


# --- what is measured -----------------------------------------------------------------------------


def benchmark() -> ModuleType:
    """benchmarks/server.py, which is no package."""
    path = Path(__file__).parents[2] / "benchmarks" / "server.py"
    spec = importlib.util.spec_from_file_location("benchmark_of_the_server", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_benchmark_asks_what_a_page_asks(browser: Browser, server: Server) -> None:
    """From the first page to some turns, by kind and in number: both players of one game."""
    measured = benchmark()

    async def play() -> list[list[str]]:
        bench = measured.Bench(server.port, ["croft"])
        await bench.begin(1)
        bench.noting = True
        (game,) = bench.games
        for _ in range(4):
            game.act()
            while not bench.free or game.waiting != -1:
                await asyncio.sleep(0.01)
        await bench.close()
        return [game.seats[color].asked for color in ("white", "black")]

    host, guest = (Visitor(browser, server) for _ in range(2))
    logs = [Log(visitor.page) for visitor in (host, guest)]
    host.go("/")
    created = host.page.evaluate(
        """() => fetch('/api/games', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({rule_set: 'croft', opponent: {kind: 'friend'}, color: 'white',
                first: 'white'})}).then(r => r.json())"""
    )
    path = f"/game/{created['game']}"
    host.go(path)
    guest.go(f"{path}#join={created['invitation']}")
    guest.button("Take the seat").click()
    for visitor in (host, guest):
        visitor.button("Ready").click()
    for visitor in (host, guest):
        expect(visitor.page.locator(".game svg.board")).to_be_visible()
    for number in range(4):
        mover = (host, guest)[number % 2]
        position = mover.position()
        mover.play(next(a for a in position.legal_actions() if a.kind == "move"), position)
    left_out = (
        "GET /api/games/{game}",  # these two are of the test
        "GET /api/games/{game}/position",
        "GET /api/games/{game}/layers",  # if it took its time between two taps
    )
    pages = [sorted(each for each in log.asked if each not in left_out) for log in logs]
    with ThreadPoolExecutor() as elsewhere:  # Playwright's loop runs here
        with_bench = elsewhere.submit(lambda: asyncio.run(play())).result()
    assert [sorted(asked) for asked in with_bench] == pages
    for visitor in (host, guest):
        visitor.close()
