"""The rules with their pictures: they follow the page's theme, come when needed, move nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

import cyvasse
from tests.server.harness import Server
from tests.web.visitor import Visitor

# How light the whole picture is, from 0 to 255.
LIGHTNESS = """image => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 20;
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 20, 20);
    const bytes = pen.getImageData(0, 0, 20, 20).data.filter((_, i) => i % 4 < 3);
    return bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length;
}"""


def lightness(page: Page) -> float:
    """How light the first picture of the text is, once it is there."""
    image = page.locator("article img").first
    image.scroll_into_view_if_needed()
    image.evaluate("image => image.decode()")
    return float(image.evaluate(LIGHTNESS))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pictures_follow_the_theme_of_the_page_and_not_the_system(
    browser: Browser, server: Server, dark: bool
) -> None:
    me = Visitor(browser, server, dark=dark)
    me.go("/rules/nine-tile")
    as_the_system = lightness(me.page)
    # The other theme, chosen by hand, without another visit to the page of rules.
    me.page.evaluate(
        "history.pushState(null, '', '/settings'); dispatchEvent(new Event('popstate'))"
    )
    me.page.get_by_label("Light" if dark else "Dark").check()
    me.page.go_back()
    chosen = lightness(me.page)
    by_day, by_night = (chosen, as_the_system) if dark else (as_the_system, chosen)
    assert by_day > by_night + 40
    assert me.errors == []
    me.close()


def test_pictures_turn_with_the_system_while_the_page_is_open(
    browser: Browser, server: Server
) -> None:
    me = Visitor(browser, server)
    me.go("/rules/croft")
    by_day = lightness(me.page)
    me.page.emulate_media(color_scheme="dark")
    me.page.wait_for_selector("article img[src$='#cyvasse-dark']")
    assert by_day > lightness(me.page) + 20
    me.close()


@pytest.mark.parametrize("rules", [rules.id for rules in cyvasse.rule_sets()])
def test_pictures_come_when_needed_and_move_nothing(
    browser: Browser, server: Server, rules: str
) -> None:
    me = Visitor(browser, server, phone=True)
    fetched: list[str] = []
    me.page.on("request", lambda request: fetched.append(request.url))
    me.go(f"/rules/{rules}")
    images = me.page.locator("article img")
    me.settle()
    images.first.scroll_into_view_if_needed()
    images.first.evaluate("image => image.decode()")
    height = me.page.evaluate("document.documentElement.scrollHeight")
    count = images.count()
    assert sum(f"/{rules}-" in url and url.endswith(".svg") for url in fetched) < count / 2
    for at in range(count):
        images.nth(at).scroll_into_view_if_needed()
        images.nth(at).evaluate("image => image.decode()")
    assert images.evaluate_all("all => all.every(image => image.naturalWidth > 0)")
    assert me.page.evaluate("document.documentElement.scrollHeight") == height
    assert me.errors == []
    me.close()


def test_a_rule_that_is_cited_opens_at_its_place(browser: Browser, server: Server) -> None:
    """By its address, and by the quiet links in the text."""
    me = Visitor(browser, server)
    me.go("/rules/nine-tile#d8")
    place = me.page.locator("li#d8")
    expect(place).to_be_in_viewport()
    expect(place).to_contain_text("D8 Engagement")
    me.page.locator("article a.rule", has_text="D6").first.click()
    expect(me.page.locator("li#d6")).to_be_in_viewport()
    expect(me.page.locator("li#d6")).to_be_focused()
    assert me.page.url.endswith("#d6")
    assert me.errors == []
    me.close()


def test_the_picture_of_an_invitation_follows_the_theme(browser: Browser, server: Server) -> None:
    host = server.person()
    created = host.create("mikelepage")
    me = Visitor(browser, server, dark=True)
    me.go(f"/game/{created['game']}#join={created['invitation']}")
    me.page.wait_for_selector("main img[src$='?theme=dark']")
    assert me.errors == []
    me.close()
