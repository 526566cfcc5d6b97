"""Two people in two browsers, and a third who watches."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

import cyvasse
from cyvasse.notation import parse_setup
from tests.server.harness import Server, until
from tests.tiers import one_of
from tests.web.visitor import Visitor


def secrets_of(visitor: Visitor, rules: cyvasse.RuleSet) -> tuple[str, set[str]]:
    """What only the owner of a setup may know: its text, and all its pieces on their squares."""
    view = visitor.view()
    (seat,) = view["you"]
    document = view["view"]["setups"][seat]
    setup = cyvasse.notation.documents.read_setup(rules, document)
    text = cyvasse.write_setup(setup)
    assert parse_setup(text) == setup
    pieces = {f'"type":"{item["type"]}","at":"{item["at"]}"' for item in document["pieces"]}
    return text.split()[2], pieces


@pytest.mark.slow
@pytest.mark.parametrize("rule_set", one_of(["gameofcyvasse", "nine-tile"], "gameofcyvasse"))
def test_behind_the_curtain_and_on(browser: Browser, server: Server, rule_set: str) -> None:
    rules = cyvasse.rule_set(rule_set)
    host, guest, third = (Visitor(browser, server) for _ in range(3))
    host.go("/")
    created = host.page.evaluate(
        """(rule_set) => fetch('/api/games', {method: 'POST',
            headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({rule_set, opponent: {kind: 'friend'}, color: 'white',
                clock: {kind: 'fischer', seconds: 300, increment: 5}, first: 'white'})
        }).then(r => r.json())""",
        rule_set,
    )
    path = f"/game/{created['game']}"
    host.go(path)
    guest.go(f"{path}#join={created['invitation']}")
    guest.button("Take the seat").click()
    third.go(path)

    host.button("Ready").click()
    until(lambda: host.view()["standing"]["ready"]["white"], "the host is ready")
    text, pieces = secrets_of(host, rules)
    assert any(all(piece in told for piece in pieces) for told in host.heard)  # it can be seen
    expect(guest.page.locator("svg.board")).to_be_visible()
    name = host.ask("me")["name"]
    for visitor in (guest, third):
        expect(visitor.page.get_by_text(f"{name} is ready").first).to_be_visible()
        for told in (visitor.page.content(), *visitor.heard):
            assert text not in told
            # Single pieces stand there in a preset too; all of them only in this setup.
            assert not all(piece in told for piece in pieces)

    guest.button("Ready").click()
    for visitor in (host, guest, third):
        expect(visitor.page.get_by_label("White 5:", exact=False).first).to_be_visible()
    engine = cyvasse.Engine(level=3, seed=1)
    for number in range(8):
        mover = host if host.position().turn is cyvasse.Color.WHITE else guest
        position = mover.position()
        if number == 3:  # the connection breaks while the other plays, and comes back
            other = guest if mover is host else host
            other.lose_connection()
        mover.play(engine.choose(position), position)
        if host.view()["standing"]["outcome"]:
            break
    played = len(host.actions())
    for visitor in (host, guest, third):
        rows = visitor.page.locator("[data-row]")
        expect(rows).to_have_count(len(host.view()["view"]["turns"]))
    assert played >= 1
    for visitor in (host, third):
        assert visitor.errors == []
        visitor.close()
    guest.close()
