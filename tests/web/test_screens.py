"""Every screen: on a phone and a desktop, without errors, sideways scrolling or barriers."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

import cyvasse
from cyvasse.server.page import PLACES
from tests.server.harness import Server, friends
from tests.web.visitor import Visitor, barriers

RULES = [rules.id for rules in cyvasse.rule_sets()]
IDS = {"game": ["unknown"], "rules": RULES}


def examples(path: str, screen: str) -> list[str]:
    """The addresses at which a screen is looked at."""
    if "{id}" not in path:
        return [path]
    assert screen in IDS, f"the screen {screen!r} at {path} needs an example in IDS"
    return [path.replace("{id}", id) for id in IDS[screen]]


PATHS = [
    *(address for path, screen in PLACES.items() for address in examples(path, screen)),
    "/nowhere",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "theme"),
    [
        ("desktop", "light"),
        ("phone", "dark"),
        pytest.param("desktop", "dark", marks=pytest.mark.thorough),
        pytest.param("phone", "light", marks=pytest.mark.thorough),
    ],
)
def test_every_screen(browser: Browser, server: Server, device: str, theme: str) -> None:
    me = Visitor(browser, server, phone=device == "phone", dark=theme == "dark")
    _, _, game = friends(server, "mikelepage")
    _, _, setup = friends(server, "croft", ready=False)
    found: dict[str, Any] = {}
    for path in [*PATHS, f"/game/{game}", f"/game/{setup}"]:
        me.go(path)
        me.settle()
        wide = me.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{path} scrolls sideways by {wide}"
        bad = barriers(me.page)
        if bad:
            found[path] = bad
    assert found == {}
    expected = [error for error in me.errors if "404" not in error]
    assert expected == []
    me.close()


def test_every_screen_comes_with_its_files(browser: Browser, server: Server) -> None:
    """The server's list names the right one: nothing is found out about only when it is needed."""
    me = Visitor(browser, server, saving=True)
    fetched: list[str] = []
    me.page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    _, _, game = friends(server, RULES[0])
    for path in [*PATHS, f"/game/{game}"]:
        fetched.clear()
        answer = me.page.goto(path)
        assert answer is not None
        me.page.wait_for_selector("main", state="attached")
        me.page.wait_for_load_state("networkidle")
        scripts = {name for name in fetched if name.endswith(".js")}
        missing = {name for name in scripts if f"/assets/{name}" not in answer.text()}
        assert missing == set(), f"{path} needs these too: is its file in addresses.json right?"
    me.close()
