"""Whatever goes wrong has a state of its own: in words, with what is safe, and with a way on."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

import cyvasse
from cyvasse.server.page import INDEX
from tests.server.harness import Person, Server, friends, serving, to_move, until
from tests.tiers import missing
from tests.web.visitor import Visitor

AWAY = "The server does not answer"
UPDATED = "The page has been updated."
HTML = "<html><h1>502 Bad Gateway</h1></html>"


@pytest.fixture(scope="module")
def building(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of this module may stop."""
    if not INDEX.is_file():
        missing("the page is not built (make page)")
    with serving(tmp_path_factory.mktemp("states") / "data") as running:
        yield running


@pytest.fixture
def own(building: Server) -> Server:
    """The same server, which runs again whatever the test before has done to it."""
    if building.process is None:
        building.start()
    return building


@pytest.fixture
def visit(browser: Browser, own: Server) -> Iterator[Any]:
    """Somebody's browser; in the end the page must have had no error of its own."""
    visitors: list[Visitor] = []

    def new(**more: Any) -> Visitor:
        visitors.append(Visitor(browser, own, **more))
        return visitors[-1]

    yield new
    for visitor in visitors:
        visitor.close()
    assert [error for visitor in visitors for error in visitor.own_errors] == []


def become(visitor: Visitor, person: Person) -> None:
    """Sit down at the browser as somebody who is known to the server already."""
    cookie = person.http.cookies.get("cyvasse")
    visitor.context.add_cookies(
        [{"name": "cyvasse", "value": cookie, "url": visitor.server.url}]  # type: ignore[typeddict-item]
    )


def alert(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("alert")


def mark(page: Page) -> None:
    """So that a reload would be noticed."""
    page.evaluate("window.marked = true")


def assert_not_reloaded(page: Page) -> None:
    assert page.evaluate("window.marked") is True


def player(visitor: Visitor, rule_set: str = "gameofcyvasse", **more: Any) -> tuple[Person, str]:
    """Let the visitor play White, to act, against a friend; the friend, and the game."""
    white, black, game = friends(visitor.server, rule_set, first="white", **more)
    become(visitor, white)
    visitor.go(f"/game/{game}")
    expect(visitor.page.get_by_text("connected")).to_be_visible()
    return black, game


def moves_of(visitor: Visitor) -> list[tuple[str, str]]:
    """Actions of the visitor that need two taps."""
    actions: list[str] = visitor.view()["view"]["legal_actions"]
    found = [re.fullmatch(r"(\w+)-(\w+)", action) for action in actions]
    return [(each[1], each[2]) for each in found if each]


def move_of(visitor: Visitor) -> tuple[str, str]:
    return moves_of(visitor)[0]


def tap_move(visitor: Visitor, move: tuple[str, str]) -> None:
    for square in move:
        visitor.tap(square)


# --- an old tab after an update -------------------------------------------------------------------


@pytest.fixture
def update(tmp_path: Path, own: Server) -> Iterator[Any]:
    """Restarts the server with another build of the page, whose files have other names."""

    def restart() -> None:
        package = tmp_path / "newer" / "cyvasse"
        shutil.copytree(Path(cyvasse.__file__).parent, package)
        folder = package / "server" / "page"
        for packed in [*folder.rglob("*.br"), *folder.rglob("*.gz")]:
            packed.unlink()
        names = {
            file.name: re.sub(r"-[\w-]{8}\.", "-Newer000.", file.name)
            for file in (folder / "assets").iterdir()
        }
        for file in [folder / "index.html", folder / "manifest.json", *folder.glob("assets/*")]:
            text = file.read_text()
            for old, new in names.items():
                text = text.replace(old, new)
            file.with_name(names.get(file.name, file.name)).write_text(text)
            if file.name in names:
                file.unlink()
        own.stop()
        own.environment["PYTHONPATH"] = str(package.parent)
        own.start()

    yield restart
    own.environment.clear()
    if own.process is not None:
        own.stop()


@pytest.mark.slow
def test_update_during_a_game(visit: Any, update: Any) -> None:
    """The page says so and goes on; it never reloads by itself."""
    me = visit()
    player(me)
    mark(me.page)
    update()
    expect(me.page.get_by_text(UPDATED)).to_be_visible()
    before = me.view()["number"]
    tap_move(me, move_of(me))
    until(lambda: me.view()["number"] > before, "the old page can still play")
    assert_not_reloaded(me.page)
    me.button("Reload").click()
    expect(me.page.locator("svg.board")).to_be_visible()
    expect(me.page.get_by_text(UPDATED)).to_be_hidden()


@pytest.mark.slow
def test_update_takes_a_screen_away(visit: Any, update: Any) -> None:
    """The file of a screen that was not needed before is gone; the page says why."""
    me = visit(saving=True)
    me.go("/")
    expect(me.button(re.compile("Play now")).first).to_be_visible()
    update()
    me.page.get_by_role("link", name="Lobby").first.click()
    expect(me.page.get_by_role("heading", name=UPDATED)).to_be_visible()
    expect(me.page.get_by_text("Your games are kept")).to_be_visible()
    me.page.locator("main").get_by_role("button", name="Reload").click()
    expect(me.page.get_by_role("heading", name="Lobby")).to_be_visible()
    expect(me.page.get_by_text(UPDATED)).to_be_hidden()


@pytest.mark.slow
def test_update_is_noticed_by_any_answer(visit: Any, update: Any) -> None:
    """Without a websocket too; who does not want to reload now is left alone."""
    me = visit()
    me.go("/watch")
    expect(me.page.get_by_role("heading", name="Games to watch")).to_be_visible()
    update()
    me.page.get_by_label("Finished").check()
    expect(me.page.get_by_text(UPDATED)).to_be_visible()
    me.button("Later").click()
    expect(me.page.get_by_text(UPDATED)).to_be_hidden()


# --- the server is gone ---------------------------------------------------------------------------


@pytest.mark.slow
def test_gone_when_a_screen_is_opened(visit: Any, own: Server) -> None:
    me = visit(saving=True)
    me.go("/")
    expect(me.button(re.compile("Play now")).first).to_be_visible()
    mark(me.page)
    own.kill()
    me.page.get_by_role("link", name="My games").first.click()
    expect(me.page.get_by_role("heading", name=AWAY)).to_be_visible()
    expect(me.page.get_by_text("Nothing is lost")).to_be_visible()
    own.start()
    # Browsers remember that a file could not be had; a reload is the way then.
    there = me.page.get_by_role("heading", name="My games")
    reload = me.page.locator("main").get_by_role("button", name="Reload")
    expect(there.or_(reload)).to_be_visible()
    if reload.is_visible():
        reload.click()
    expect(there).to_be_visible()
    expect(me.page.get_by_text(AWAY)).to_be_hidden()


def test_gone_before_the_page_knows_who_i_am(visit: Any, own: Server) -> None:
    """A page without its first answers, as a server in need sends it, waits and goes on."""
    me = visit()

    def bare(route: Route) -> None:
        text = re.sub(r'<script type="application/json".*?</script>', "", route.fetch().text())
        route.fulfill(body=text, content_type="text/html")

    me.context.route(own.url + "/", bare)
    me.context.route("**/api/**", lambda route: route.abort("connectionrefused"))
    me.go("/")
    expect(me.page.get_by_role("heading", name=AWAY)).to_be_visible()
    me.context.unroute("**/api/**")
    expect(me.button(re.compile("Play now")).first).to_be_visible()
    expect(me.page.get_by_text(AWAY)).to_be_hidden()


def test_gone_when_the_rules_are_read(visit: Any) -> None:
    """Beside a game too they are fetched only then; they come when the server is back."""
    me = visit()
    player(me)
    mark(me.page)
    for gone in ("**/assets/*.json", "**/api/**"):
        me.context.route(gone, lambda route: route.abort("connectionrefused"))
    me.page.get_by_role("button", name="Rules", exact=True).click()
    text = me.page.locator(".rules-beside")
    expect(text.get_by_role("alert")).to_contain_text("Nothing is lost")
    expect(text.get_by_role("button", name="Try again")).to_be_visible()
    me.context.unroute("**/assets/*.json")
    me.context.unroute("**/api/**")
    expect(text.locator("article h2").first).to_be_visible()
    expect(text.get_by_role("alert")).to_be_hidden()
    assert_not_reloaded(me.page)


@pytest.mark.slow
def test_gone_in_the_middle_of_a_game(visit: Any, own: Server) -> None:
    me = visit()
    _, game = player(me)
    mark(me.page)
    move = move_of(me)
    own.kill()
    expect(me.page.get_by_text("Your games are kept")).to_be_visible()
    tap_move(me, move)
    expect(me.page.get_by_text("nothing was sent")).to_be_visible()
    me.page.keyboard.press("Home")  # looking back asks the server too
    own.start()
    expect(me.page.get_by_text("Your games are kept")).to_be_hidden()
    expect(me.page.get_by_text("nothing was sent")).to_be_hidden()
    before = me.view()["number"]
    tap_move(me, move)
    until(lambda: me.view()["number"] > before, "the game goes on")
    assert_not_reloaded(me.page)
    assert me.game == game


@pytest.mark.slow
def test_gone_while_an_action_is_sent(visit: Any, own: Server) -> None:
    """Whether it has counted nobody knows; the page says so, and then shows it."""
    me = visit()
    player(me)
    move = move_of(me)
    assert own.process is not None
    os.killpg(own.process.pid, signal.SIGSTOP)
    tap_move(me, move)
    until(lambda: me.page.evaluate("window.sockets.at(-1).bufferedAmount") == 0, "it is sent")
    own.kill()
    expect(me.page.get_by_text("The connection broke while this was sent")).to_be_visible()
    own.start()
    expect(me.page.get_by_text("The connection broke")).to_be_hidden()
    turns = len(me.view()["view"]["turns"])
    expect(me.page.locator("[data-row]")).to_have_count(turns)


@pytest.mark.thorough
def test_gone_without_a_word(visit: Any, own: Server) -> None:
    """A line that is dead but not cut: nobody says goodbye, and the page notices all the same."""
    me = visit()
    player(me)
    assert own.process is not None
    os.killpg(own.process.pid, signal.SIGSTOP)
    me.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(me.page.get_by_text("Your games are kept")).to_be_visible()
    os.killpg(own.process.pid, signal.SIGCONT)
    expect(me.page.get_by_text("Your games are kept")).to_be_hidden()
    before = me.view()["number"]
    tap_move(me, move_of(me))
    until(lambda: me.view()["number"] > before, "the game goes on")


@pytest.mark.slow
def test_gone_while_setting_up(visit: Any, own: Server) -> None:
    """What was changed meanwhile is not lost, and is saved when the server is back."""
    me = visit()
    white, _, game = friends(own, "croft", ready=False)
    become(me, white)
    me.go(f"/game/{game}")
    expect(me.page.get_by_text("This setup can be played.")).to_be_visible()
    until(lambda: white.get(f"games/{game}/drafts/white")["setup"], "the draft is saved")
    mark(me.page)
    own.kill()
    me.button("Clear the board").click()
    expect(me.page.get_by_text(AWAY).first).to_be_visible()
    own.start()
    expect(me.page.get_by_text(AWAY)).to_have_count(0)

    def saved() -> bool:
        draft = white.get(f"games/{game}/drafts/white")["setup"]
        return not draft["pieces"]

    until(saved, "the cleared board is saved")
    assert_not_reloaded(me.page)


@pytest.mark.slow
def test_gone_when_ready(visit: Any, own: Server) -> None:
    me = visit()
    white, _, game = friends(own, "croft", ready=False)
    become(me, white)
    me.go(f"/game/{game}")
    expect(me.page.get_by_text("This setup can be played.")).to_be_visible()
    own.kill()
    expect(me.page.get_by_text("Your games are kept")).to_be_visible()
    me.button("Ready").click()
    expect(me.page.get_by_text("nothing was sent")).to_be_visible()
    own.start()
    expect(me.page.get_by_text("nothing was sent")).to_be_hidden()
    me.button("Ready").click()
    expect(me.page.get_by_text("You are ready.")).to_be_visible()


@pytest.mark.thorough
def test_gone_in_the_lobby(visit: Any, own: Server) -> None:
    me = visit()
    me.go("/lobby")
    expect(me.page.get_by_role("heading", name="Lobby")).to_be_visible()
    mark(me.page)
    own.kill()
    expect(me.page.get_by_text("Your games are kept")).to_be_visible()
    own.start()
    expect(me.page.get_by_text("Your games are kept")).to_be_hidden()
    somebody = own.person()
    somebody.create("croft", {"kind": "anyone"})
    expect(me.page.get_by_text(somebody.name)).to_be_visible()
    assert_not_reloaded(me.page)


@pytest.mark.thorough
def test_gone_at_the_lists(visit: Any, own: Server) -> None:
    me = visit()
    me.go("/mine")
    expect(me.page.get_by_text("No game is going on")).to_be_visible()
    mark(me.page)
    own.kill()
    me.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(alert(me).filter(has_text="Nothing is lost")).to_be_visible()
    own.start()
    me.ask("me")
    expect(me.page.get_by_text(AWAY)).to_have_count(0)
    expect(me.page.get_by_text("No game is going on")).to_be_visible()
    assert_not_reloaded(me.page)


@pytest.mark.thorough
def test_gone_at_a_form(visit: Any, own: Server) -> None:
    """What was filled in stays."""
    me = visit()
    me.go("/account")
    me.page.get_by_label("Name").fill("Nymeria")
    me.page.get_by_label("Password").fill("ten thousand ships")
    own.kill()
    send = me.page.locator("form").get_by_role("button", name="Make an account")
    send.click()
    expect(alert(me).filter(has_text="Nothing is lost")).to_be_visible()
    own.start()
    expect(me.page.get_by_text(AWAY)).to_have_count(0)
    assert me.page.get_by_label("Name").input_value() == "Nymeria"
    send.click()
    expect(me.page.get_by_text("You are signed in as Nymeria")).to_be_visible()


@pytest.mark.thorough
def test_gone_at_an_import(visit: Any, own: Server) -> None:
    me = visit()
    _, _, game = friends(own, "croft")
    me.go("/mine")
    text = me.page.evaluate(f"fetch('/api/games/{game}/file').then(r => r.text())")
    me.page.get_by_text("Import a game file").click()
    me.page.get_by_label("Or paste its text").fill(text)
    own.kill()
    send = me.page.get_by_role("button", name="Import", exact=True)
    send.click()
    expect(alert(me).filter(has_text="Nothing is lost").first).to_be_visible()
    own.start()
    expect(me.page.get_by_text(AWAY)).to_have_count(0)
    assert me.page.get_by_label("Or paste its text").input_value().strip() == text.strip()
    send.click()
    me.page.wait_for_url("**/game/*")
    expect(me.page.locator("svg.board")).to_be_visible()


# --- something in between answers -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [
        (502, {}, "Nothing is lost"),
        (500, {}, "Nothing is lost"),
        (200, {}, "Nothing is lost"),  # the page of a hotel's network
        (429, {"Retry-After": "7"}, "Wait 7 s, then try again"),
        (429, {}, "Wait a little, then try again"),
        (413, {}, "more than the server takes at once"),
    ],
)
def test_a_page_instead_of_an_answer(
    visit: Any, status: int, headers: dict[str, str], words: str
) -> None:
    me = visit()
    me.go("/watch")
    expect(me.page.get_by_text("Nobody is playing").or_(me.page.locator("ul a.card")).first)
    me.context.route(
        "**/api/games?*",
        lambda route: route.fulfill(
            status=status, body=HTML, content_type="text/html", headers=headers
        ),
    )
    me.page.get_by_label("Finished").check()
    expect(alert(me).filter(has_text=words)).to_be_visible()
    me.context.unroute("**/api/games?*")
    again = me.button("Try again")
    # The page also tries by itself, and then there is nothing to press any more.
    again.evaluate_all("(buttons) => buttons.forEach((button) => button.click())")
    expect(alert(me)).to_have_count(0)


@pytest.mark.slow
def test_too_many_requests(browser: Browser, tmp_path: Path) -> None:
    """The page comes all the same, says it in words, and goes on by itself."""
    with serving(tmp_path, limits="0.02") as server:
        me = Visitor(browser, server)
        for _ in range(4):
            me.page.goto("/settings")
        me.page.goto("/settings")
        expect(
            me.page.get_by_text("Too many requests")
            .or_(me.page.get_by_role("heading", name="Settings"))
            .first
        ).to_be_visible()
        expect(me.page.get_by_role("heading", name="Settings")).to_be_visible()
        assert me.own_errors == []
        me.close()


def test_too_large(visit: Any) -> None:
    me = visit()
    me.go("/mine")
    me.page.get_by_text("Import a game file").click()
    me.page.evaluate(
        """() => {
            const field = document.querySelector('textarea');
            field.value = 'x'.repeat(1_100_000);
            field.dispatchEvent(new Event('input', {bubbles: true}));
        }"""
    )
    me.page.get_by_role("button", name="Import", exact=True).click()
    expect(alert(me)).to_be_visible()
    assert "at most" in (alert(me).text_content() or "")


def test_our_own_mistake(visit: Any) -> None:
    me = visit()
    me.context.route(
        "**/api/games?*",
        lambda route: route.fulfill(
            status=500,
            json={"title": "Our mistake", "status": 500, "detail": "Something went wrong here."},
            content_type="application/problem+json",
        ),
    )
    me.go("/watch")
    expect(alert(me)).to_contain_text("Something went wrong here.")


# --- addresses that lead nowhere ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/game/unknown", "There is no such game"),
        ("/game/%E0%A4%A", "There is no such game"),
        ("/game/" + "x" * 300, "There is no such game"),
        ("/nowhere", "There is nothing at this address"),
        ("/%E0%A4%A", "There is nothing at this address"),
        ("/game", "There is nothing at this address"),
        ("/rules/x", "There is no such rule set"),
        ("/rules/nine-tile#%E0%A4%A", "Nine-Tile Cyvasse"),
        ("/position?text=nonsense", "This is no position"),
        ("/position?text=nine-tile%20x", "This is no position"),
        ("/position?text=five-tile%20K/k%20w", "This is no position"),
        ("/position?text=" + "x" * 5000, "This is no position"),
        ("/position", "Which position?"),
        ("/watch?rules=x", "Games to watch"),
        ("/watch?kind=x&rules=%00", "Games to watch"),
    ],
)
def test_addresses(visit: Any, path: str, words: str) -> None:
    me = visit()
    me.go(path)
    expect(me.page.get_by_role("heading", name=words, exact=True)).to_be_visible()
    me.page.locator('a[href="/"]').first.click()
    expect(me.button(re.compile("Play now")).first).to_be_visible()


def test_position_too_long_is_said(visit: Any) -> None:
    me = visit()
    me.go("/position?text=" + "x" * 5000)
    expect(me.page.get_by_text("at most 4000 characters")).to_be_visible()
    me.page.get_by_label("As text").fill("nonsense")
    me.button("Show it").click()
    expect(me.page.get_by_text("at most 4000 characters")).to_be_hidden()


# --- invitations ----------------------------------------------------------------------------------


def test_invitation_used(visit: Any, own: Server) -> None:
    me = visit()
    host, guest = own.person(), own.person()
    created = host.create("croft")
    link = f"/game/{created['game']}#join={created['invitation']}"
    me.go(link)
    expect(me.button("Take the seat")).to_be_visible()
    guest.post(f"games/{created['game']}/join", {"invitation": created["invitation"]})
    expect(me.page.get_by_text("somebody has taken the seat")).to_be_visible()
    late = visit()
    late.go(link)
    expect(late.page.get_by_text("somebody has taken the seat")).to_be_visible()
    expect(late.button("Take the seat")).to_be_hidden()
    guest.do(created["game"], "abort")
    expect(late.page.get_by_text("out of date: the game was called off")).to_be_visible()
    expect(late.page.get_by_text("Black left before the first turn.")).to_be_visible()
    expect(late.button("Rematch")).to_be_hidden()


def test_invitation_of_a_game_that_is_over(visit: Any, own: Server) -> None:
    me = visit()
    white, _, game = friends(own, "croft", first="white")
    white.play(game)
    white.do(game, "resign")
    me.go(f"/game/{game}#join=whatever")
    expect(me.page.get_by_text("the game is over")).to_be_visible()
    expect(me.page.locator("svg.board")).to_be_visible()


def test_invitation_wrong_or_cut(visit: Any, own: Server) -> None:
    me = visit()
    game = own.person().create("croft")["game"]
    me.go(f"/game/{game}#join=wrong")
    me.button("Take the seat").click()
    expect(alert(me)).to_contain_text("kept for whoever has the invitation")
    expect(me.button("Take the seat")).to_be_enabled()
    me.go("/")
    me.go(f"/game/{game}")
    expect(me.page.get_by_text("this is not the whole link")).to_be_visible()


@pytest.mark.thorough
def test_invitation_while_the_server_is_away(visit: Any, own: Server) -> None:
    me = visit()
    created = own.person().create("croft")
    me.go(f"/game/{created['game']}#join={created['invitation']}")
    expect(me.button("Take the seat")).to_be_visible()
    own.kill()
    me.button("Take the seat").click()
    expect(alert(me).filter(has_text="Nothing is lost")).to_be_visible()
    own.start()
    expect(me.page.get_by_text(AWAY)).to_have_count(0)
    me.button("Take the seat").click()
    expect(me.button("Ready")).to_be_visible()


def test_called_off(visit: Any, own: Server) -> None:
    """A player is told why, in the middle of setting up."""
    me = visit()
    white, black, game = friends(own, "croft", ready=False)
    become(me, white)
    me.go(f"/game/{game}")
    expect(me.button("Ready")).to_be_visible()
    black.do(game, "abort")
    expect(me.page.get_by_role("heading", name="The game was called off")).to_be_visible()
    expect(me.page.get_by_text("Black left before the first turn.")).to_be_visible()
    expect(me.button("Ready")).to_be_hidden()
    me.button("Rematch").click()
    expect(me.page.get_by_text("You have asked for a rematch.")).to_be_visible()
    black.do(game, "rematch")
    expect(me.button("Ready")).to_be_visible()


def test_replay_of_an_import(visit: Any, own: Server) -> None:
    me = visit()
    white, black, game = friends(own, "croft", first="white")
    for person in (white, black, white, black):
        if to_move(white.see(game)["view"]) == ("white" if person is white else "black"):
            person.play(game)
    file = white.http.get(f"games/{game}/file").text
    imported = own.person().post("imports", {"file": file})["game"]
    me.go(f"/game/{imported}")
    rows = me.page.locator("[data-row]")
    expect(rows).to_have_count(len(white.see(game)["view"]["turns"]))
    me.button("To the start").click()
    me.button("To the last action").click()
    expect(me.button("Resign")).to_be_hidden()
    expect(me.button("Rematch")).to_be_hidden()


# --- who I am -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_cookie_that_nobody_knows(visit: Any, own: Server) -> None:
    """The server's key was lost: in the middle of a game I am somebody else, and told so."""
    me = visit()
    player(me)
    mark(me.page)
    own.stop()
    (own.folder / "secret.key").unlink()
    own.start()
    expect(me.page.get_by_text("now, a guest.")).to_be_visible()
    expect(me.page.get_by_text("You have no seat in this game")).to_be_visible()
    expect(me.button("Resign")).to_be_hidden()
    assert_not_reloaded(me.page)


@pytest.mark.slow
def test_a_game_that_nobody_knows(visit: Any, own: Server) -> None:
    """The database was lost: the game is gone, and that is said."""
    me = visit()
    player(me)
    own.stop()
    for file in own.folder.glob("cyvasse.sqlite*"):
        file.unlink()
    own.start()
    expect(me.page.get_by_role("heading", name="This game is gone")).to_be_visible()
    me.page.locator("main").get_by_role("link", name="Home").click()
    expect(me.button(re.compile("Play now")).first).to_be_visible()


def test_signed_out_in_another_tab(visit: Any, own: Server) -> None:
    me = visit()
    white, black, game = friends(own, "gameofcyvasse", first="white")
    white.post("me/account", {"name": "Arianne", "password": "fire and blood"})
    become(me, white)
    me.go(f"/game/{game}")
    expect(me.button("Call off")).to_be_visible()
    other = me.new_tab()
    other.goto("/account")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_text("You are signed out")).to_be_visible()
    expect(me.page.get_by_text("now, a guest.")).to_be_visible()
    expect(me.page.get_by_text("You have no seat in this game")).to_be_visible()
    expect(me.button("Call off")).to_be_hidden()
    # And in again: the seat is back without a reload.
    other.get_by_label("I have an account").check()
    other.get_by_label("Name").fill("Arianne")
    other.get_by_label("Password").fill("fire and blood")
    other.locator("form").get_by_role("button", name="Sign in").click()
    expect(me.button("Call off")).to_be_visible()
    expect(me.page.get_by_text("You have no seat")).to_be_hidden()
    assert black.see(game)["standing"]["aborted"] is None


def test_wrong_passwords_of_strangers_are_told(visit: Any, own: Server) -> None:
    me = visit(phone=True)
    owner, stranger = own.person(), own.person()
    owner.post("me/account", {"name": "Nymeria", "password": "fire and blood"})
    for _ in range(3):
        stranger.http.post("session", json={"name": "Nymeria", "password": "a wrong one"})
    told = me.page.get_by_text("Somebody tried 3 wrong passwords for your name")
    until(lambda: (owner.get("me")["guesses"] or {}).get("count") == 3, "they are noted")
    me.go("/account")
    expect(me.page.get_by_label("Name")).to_be_visible()
    expect(told).to_be_hidden()
    me.page.get_by_label("I have an account").check()
    me.page.get_by_label("Name").fill("Nymeria")
    me.page.get_by_label("Password").fill("fire and blood")
    me.page.locator("form").get_by_role("button", name="Sign in").click()
    expect(told).to_be_visible()
    me.page.reload()
    expect(told).to_be_visible()
    me.button("All right").click()
    expect(told).to_be_hidden()
    me.page.reload()
    expect(me.button("Sign out")).to_be_visible()
    expect(told).to_be_hidden()
    assert owner.get("me")["guesses"] is None


def test_two_tabs(visit: Any, own: Server) -> None:
    """What is done in one tab is seen in the other; what comes too late is said in words."""
    me = visit()
    _, game = player(me)
    other = me.new_tab()
    other.goto(f"/game/{game}")
    expect(other.get_by_text("connected")).to_be_visible()
    # A tab that does not hear of it for a while, as on a bad line.
    other.evaluate(
        """() => {
            const socket = window.sockets.at(-1), listen = socket.onmessage;
            window.missed = [];
            socket.onmessage = (event) => {
                if (JSON.parse(event.data).type === 'update') window.missed.push(event);
                else listen.call(socket, event);
            };
            window.hearAgain = () => {
                socket.onmessage = listen;
                for (const event of window.missed) listen.call(socket, event);
            };
        }"""
    )
    move, *_, another = moves_of(me)
    tap_move(me, move)
    expect(me.page.locator("[data-row]")).to_have_count(1)
    first, me.page = me.page, other
    tap_move(me, another)
    expect(other.get_by_text("You have seen 0 actions, but 1 have been played")).to_be_visible()
    other.evaluate("window.hearAgain()")
    expect(other.locator("[data-row]")).to_have_count(1)
    me.page = first


# --- odd browsers ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_flag_falls_in_the_background(visit: Any, own: Server) -> None:
    """The server ends the game; whoever looks again sees how, even if the line broke meanwhile."""
    me = visit()
    _, game = player(me, clock={"kind": "fischer", "seconds": 10, "increment": 0})
    hide = """(hidden) => {
        Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    me.page.evaluate(hide, True)
    me.lose_connection()
    until(lambda: own.person().see(game)["standing"]["outcome"], "the flag has fallen")
    me.page.evaluate(hide, False)
    expect(me.page.get_by_text("You have lost")).to_be_visible()


@pytest.mark.parametrize(
    "script",
    [
        "localStorage.setItem('cyvasse-settings', '{garbage')",
        "localStorage.setItem('cyvasse-settings', 'null')",
        """localStorage.setItem('cyvasse-settings', JSON.stringify({theme: 'purple', volume: 'x',
            muted: 5, blocked: [1], sound: 'yes', style: {}, confirm: null, more: 1}))""",
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }",
        """Object.defineProperty(window, 'localStorage', {
            get: () => { throw new DOMException('forbidden', 'SecurityError') }})""",
    ],
    ids=["garbage", "null", "wrong", "full", "forbidden"],
)
def test_storage(visit: Any, own: Server, script: str) -> None:
    me = visit()
    me.context.add_init_script(script)
    player(me)
    me.button("Chat").click()
    me.page.get_by_label("Say something").fill("hello")
    me.button("Send").click()
    expect(me.page.get_by_text("hello")).to_be_visible()
    me.button("Sound").click()
    me.go("/settings")
    me.page.get_by_label("dark", exact=True).check()
    expect(me.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_screen_that_breaks(browser: Browser, own: Server) -> None:
    """A mistake of ours in one screen: said in words, and every other screen still works."""
    me = Visitor(browser, own)
    me.context.route(
        "**/api/rules/croft",
        lambda route: route.fulfill(json={"id": "croft", "title": "Croft", "pieces": [None]}),
    )
    me.go("/rules/croft")
    expect(me.page.get_by_role("heading", name="Something broke on this page")).to_be_visible()
    expect(me.page.get_by_text("Your games are kept")).to_be_visible()
    me.page.get_by_role("link", name="Home").click()
    expect(me.button(re.compile("Play now")).first).to_be_visible()
    me.page.go_back()
    me.context.unroute("**/api/rules/croft")
    expect(me.page.get_by_role("heading", name="Something broke on this page")).to_be_visible()
    me.page.locator("main").get_by_role("button", name="Reload").click()
    expect(me.page.get_by_role("heading", name="Croft's Cyvasse")).to_be_visible()
    me.close()


def test_an_error_that_nothing_shows(browser: Browser, own: Server) -> None:
    me = Visitor(browser, own)
    me.go("/")
    me.page.evaluate("setTimeout(() => { throw new Error('a mistake') })")
    expect(alert(me)).to_contain_text("Something broke on this page")
    me.button("Later").click()
    expect(alert(me)).to_have_count(0)
    assert me.own_errors == ["a mistake"]
    me.close()


def test_without_javascript(visit: Any) -> None:
    me = visit(javascript=False)
    me.go("/")
    told = me.page.locator("noscript")
    expect(told).to_be_in_viewport()
    assert "Cyvasse is played with JavaScript" in told.inner_text()


def test_the_script_does_not_come(visit: Any) -> None:
    """There is a sentence, and a link to try again, even if nothing of ours can run."""
    me = visit()
    me.context.route("**/assets/main-*.js", lambda route: route.abort("connectionreset"))
    me.go("/")
    me.page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    expect(me.page.get_by_text("The page takes longer than it should")).to_be_visible()
    me.context.unroute("**/assets/main-*.js")
    me.page.get_by_role("link", name="Reload").click()
    expect(me.button(re.compile("Play now")).first).to_be_visible()


@pytest.mark.parametrize(
    "garbage",
    ["{garbage", "", "null", "7", '{"type":"update"}', '{"type":"nonsense","id":1}', "GAME"],
)
def test_garbage_by_websocket(visit: Any, own: Server, garbage: str) -> None:
    """What makes no sense is not shown; the page asks again and goes on."""
    me = visit()
    _, game = player(me)
    if garbage == "GAME":  # of the right kind for this game, and nonsense all the same
        garbage = f'{{"type":"snapshot","game":"{game}","number":9}}'
    before = me.view()["number"]
    me.page.evaluate(
        """(data) => window.sockets.at(-1).dispatchEvent(new MessageEvent('message', {data}))""",
        garbage,
    )
    expect(me.page.get_by_text("connected")).to_be_visible()
    until(lambda: me.page.evaluate("window.sockets.at(-1).readyState") == 1, "it is connected")
    tap_move(me, move_of(me))
    until(lambda: me.view()["number"] > before, "the game goes on")
    expect(me.page.locator("[data-row]")).to_have_count(1)


def test_a_connection_that_is_refused(visit: Any, own: Server) -> None:
    """Why the server wants no connection is said in its words."""
    me = visit()
    me.context.add_init_script(
        """const Plain = window.WebSocket;
        window.WebSocket = class extends Plain {
            set onclose(listener) {
                super.onclose = () => listener({code: 4003, reason: 'Too many connections.'});
                setTimeout(() => this.close());
            }
        };"""
    )
    me.go("/lobby")
    expect(alert(me)).to_contain_text("Too many connections.")
