"""The example of a rule set, installed beside the published package: everything works with it.

Nothing in src/ or web/ knows it.  What it consists of is tested in tests/test_example.py.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.once import once
from tests.server.harness import Server, actions_in, to_move, until
from tests.test_example import EXAMPLE
from tests.web.visitor import Visitor
from tests.wheels import built_wheel, furnished_environment, run

pytestmark = pytest.mark.thorough

# White's setup of that name: Rabble on b2, c2 and d2, the King on b1, the Crossbowman on c1.
SETUP = "wall"
ACTION = "b2-b3"
BACK = ("b2", "b1")  # Rabble never goes back, and the King stands there
DEEP_WATER = "b4"  # where nobody goes
REFUSED = "Your own King stands on b1."


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and the example."""
    wheel = built_wheel(tmp_path_factory)

    def make(folder: Path) -> None:
        # A copy, since pip leaves things behind where it builds.
        left = shutil.ignore_patterns("build", "*.egg-info")
        source = shutil.copytree(EXAMPLE, folder / "source", ignore=left)
        furnished_environment(folder / "environment", wheel, source)

    return once(tmp_path_factory, "beside", make) / "environment" / "bin" / "python"


@pytest.fixture(scope="module")
def server(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("served"))
    running.python = str(python)
    try:
        running.start()
        yield running
    finally:
        running.close()


GAME = """
import sys
import cyvasse
assert cyvasse.COMPILED and cyvasse.__file__.startswith(sys.prefix), cyvasse.__file__
assert "ford" in [rules.id for rules in cyvasse.rule_sets()], cyvasse.left_out()
rules = cyvasse.rule_set("ford")
assert rules.position_type.__module__ == "cyvasse_ford.position"
game = cyvasse.Game("ford")
for color in cyvasse.Color:
    setup = rules.random_setup(color, seed=7)
    text = cyvasse.write_setup(setup)
    assert "rock=" in text
    assert cyvasse.parse_setup(text) == setup
    game.submit(color, setup)
game.lift_screen(first="white")
bots = [cyvasse.Engine(level=4, seed=1), cyvasse.Engine(level=2, seed=2)]
while game.outcome() is None:
    position = game.position
    assert cyvasse.parse_position(position.text()) == position
    for action in game.legal_actions():
        assert position.parse_action(str(action)) == action
    game.play(bots[position.turn].choose(game))
text = cyvasse.write_game(game)
assert cyvasse.write_game(cyvasse.read_game(text)) == text
assert cyvasse.read_game(text).outcome() == game.outcome()
print(text)
"""


def test_a_game_of_two_bots_and_every_text(python: Path, tmp_path: Path) -> None:
    told = run(python, "-W", "error", "-c", GAME, cwd=tmp_path)
    assert '[Rules "ford"]' in told
    file = tmp_path / "game.cyvasse"
    file.write_text(told)
    assert "1 game" in run(python.parent / "cyvasse", "check", file, cwd=tmp_path)


def test_commands(python: Path, tmp_path: Path) -> None:
    command = python.parent / "cyvasse"
    assert "The Ford" in run(command, "rulesets", cwd=tmp_path)
    assert "White to act." in run(command, "show", "ford", "--seed", "1", cwd=tmp_path)
    assert run(command, "perft", "ford", "--depth", "2", "--seed", "1", cwd=tmp_path)
    for kind, beginning in ((".svg", b"<svg"), (".png", b"\x89PNG")):
        file = tmp_path / f"board{kind}"
        run(command, "render", "ford", "--seed", "1", "--out", file, cwd=tmp_path)
        assert file.read_bytes().startswith(beginning)
    assert "Rabble" in (tmp_path / "board.svg").read_text()


def test_the_terminal_line_by_line(python: Path, tmp_path: Path) -> None:
    told = subprocess.run(
        [
            *(str(python.parent / "cyvasse"), "play", "ford", "--plain", "--level", "1"),
            *("--color", "white", "--first", "white", "--setup", SETUP),
        ],
        input=f"board\nwhy {' '.join(BACK)}\n{ACTION}\nturns\nresign\n",
        env={"CYVASSE_GAMES": str(tmp_path), "PATH": "", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stderr == ""
    assert REFUSED in told.stdout
    assert f"1. White {ACTION}" in told.stdout
    assert "2. Black " in told.stdout
    assert "Black won: you resigned." in told.stdout


def test_the_server_tells_of_it_and_plays_it(server: Server) -> None:
    me = server.person()
    assert "ford" in [line["id"] for line in me.get("rules")]
    page = me.get("rules/ford")
    assert len(page["styles"][0]["squares"]) == 35
    assert [tool["field"] for tool in page["tools"]["white"]] == ["rock"]
    assert SETUP in page["setups"]
    assert "<svg" in me.http.get("rules/ford/board.svg").text
    game = me.create("ford", {"kind": "bot", "level": 1}, first="white")["game"]
    me.do(game, "submit", setup=page["setups"][SETUP])
    me.do(game, "play", action=ACTION, ply=0)
    until(lambda: len(actions_in(me.see(game)["view"])) == 2, "the bot has answered")
    origin, target = "c2", "c1"
    (reason,) = me.get(f"games/{game}/why", origin=origin, target=target)
    assert reason["sentence"] == "Your own Crossbowman stands on c1."
    rules = me.get("rules/ford/page")["html"]
    assert "deep water" in rules
    assert "<table>" in rules


def test_the_page_plays_it(browser: Browser, server: Server) -> None:
    me = Visitor(browser, server)
    one_click_to_a_game(me)
    setup_and_turn(me)
    rules(me)
    assert me.errors == []
    me.close()


def one_click_to_a_game(me: Visitor) -> None:
    me.go("/")
    me.button("Play now: The Ford").click()
    me.page.wait_for_url("**/game/*")
    expect(me.page.locator(".game svg.board")).to_be_visible()


def setup_and_turn(me: Visitor) -> None:
    """The editor shows a legal setup; a turn is played and answered; what is illegal is told."""
    me.go("/")
    me.button("Choose… The Ford").click()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_label("Level of the bot").select_option("1")
    dialog.get_by_role("radio", name="White").first.click()
    dialog.get_by_role("radio", name="build my own").click()
    dialog.get_by_role("button", name="Start").click()
    me.page.wait_for_url("**/game/*")
    expect(me.page.get_by_text("This setup can be played.")).to_be_visible()
    assert me.page.locator("svg.board [data-piece]").count() == 6
    me.button("Ready").click()
    until(lambda: to_move(me.view()["view"]) == "white", "White may act")
    until(me.caught_up, "the page shows how the game stands")
    view = me.view()["view"]
    step = next(text for text in view["legal_actions"] if re.fullmatch(r"\w\d-\w\d", text))
    origin, target = step.split("-")
    me.tap(origin)
    me.tap(DEEP_WATER)
    expect(me.page.locator(".why")).to_be_visible()
    why = f"games/{me.game}/why?origin={origin}&target={DEEP_WATER}"
    expect(me.page.locator(".why")).to_contain_text(me.ask(why)[0]["sentence"])
    me.tap(target)
    before = len(actions_in(view))
    until(lambda: len(me.actions()) >= before + 2, "the bot has answered")
    until(me.caught_up, "the page shows the answer")


def rules(me: Visitor) -> None:
    me.go("/rules/ford")
    expect(me.page.get_by_role("heading", name="The Ford", level=1)).to_be_visible()
    expect(me.page.locator("article")).to_contain_text("deep water")
