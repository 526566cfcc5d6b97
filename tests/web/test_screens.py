"""Every screen: on a phone and a desktop, without errors, sideways scrolling or barriers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.server.harness import Server, friends
from tests.web.visitor import Visitor

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = [
    "/",
    "/lobby",
    "/mine",
    "/watch",
    "/rules",
    "/rules/nine-tile",
    "/rules/mikelepage",
    "/rules/croft",
    "/rules/gameofcyvasse",
    "/settings",
    "/account",
    "/nowhere",
    "/game/unknown",
]


@pytest.mark.slow
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_screen(browser: Browser, server: Server, phone: bool, dark: bool) -> None:
    me = Visitor(browser, server, phone=phone, dark=dark)
    _, _, game = friends(server, "mikelepage")
    _, _, setup = friends(server, "croft", ready=False)
    found: dict[str, Any] = {}
    for path in [*SCREENS, f"/game/{game}", f"/game/{setup}"]:
        me.go(path)
        me.page.wait_for_selector("main", state="attached")
        me.page.wait_for_load_state("networkidle")
        wide = me.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{path} scrolls sideways by {wide}"
        me.page.evaluate(AXE.read_text())  # the page itself would not let it in
        bad = me.page.evaluate(
            """() => axe.run(document, {resultTypes: ['violations']}).then(result =>
                result.violations.filter(v => ['serious', 'critical'].includes(v.impact))
                    .map(v => [v.id, v.nodes.slice(0, 3).map(n => n.target.join(' '))]))"""
        )
        if bad:
            found[path] = bad
    assert found == {}
    expected = [error for error in me.errors if "404" not in error]
    assert expected == []
    me.close()
