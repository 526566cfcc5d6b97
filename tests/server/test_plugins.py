"""A server with rule sets of other packages: it plays what works and says what does not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.plugins import HOP, install
from tests.server.harness import Refused, Server, to_move, until

# The same game, in which no King can be moved.
TRAP = f"""{HOP}
from dataclasses import replace

class Trapped(HopPosition):
    def act(self, action):
        if action.origin and self.men[action.origin].type == KING:
            raise LookupError("trapped")
        super().act(action)

TRAP = replace(HOP, id="trap", board=square_board("trap", 5, 5), position_type=Trapped)
"""


@pytest.fixture(scope="module")
def with_plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("plugins")
    install(folder, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    install(folder, "cyvasse_trap", TRAP, {"trap": "cyvasse_trap:TRAP"})
    install(folder, "broken", "RULES = 42", {"own": "broken:RULES"})
    server = Server(tmp_path_factory.mktemp("data"))
    server.environment = {"PYTHONPATH": str(folder)}
    try:
        server.start()
        yield server
    finally:
        server.close()


def log_lines(server: Server) -> list[dict[str, object]]:
    lines = server.log.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def test_what_is_left_out_is_logged_at_the_start(with_plugins: Server) -> None:
    (line,) = [line for line in log_lines(with_plugins) if "left out" in str(line["message"])]
    assert line["level"] == "warning"
    assert line["message"] == (
        "the rule set own of broken 1.0 is left out: broken:RULES is 42, not a RuleSet"
    )


def test_a_bot_plays_it(with_plugins: Server) -> None:
    somebody = with_plugins.person()
    assert [rules["id"] for rules in somebody.get("rules")][-2:] == ["hop", "trap"]
    page = somebody.get("rules/hop")
    assert page["looks"] == {"meadow": "grass", "marsh": "water"}
    game = somebody.create("hop", {"kind": "bot", "level": 2}, first="black")["game"]
    somebody.do(game, "submit", setup=somebody.get("rules/hop/setup", color="white"))

    def my_turn() -> bool:
        seen = somebody.see(game)
        over = seen["standing"]["outcome"] is not None
        return over or bool(seen["view"]["ply"] > 0 and to_move(seen["view"]) == "white")

    until(my_turn, "the bot has begun")
    for _ in range(3):
        if somebody.see(game)["standing"]["outcome"] is None:
            somebody.play(game)
            until(my_turn, "the bot has answered")
    assert somebody.see(game)["view"]["ply"] >= 2
    warnings = [line["message"] for line in log_lines(with_plugins) if line["level"] != "info"]
    assert not [words for words in warnings if "worker" in str(words)]


def test_what_fails_is_told_and_logged_and_changes_nothing(with_plugins: Server) -> None:
    somebody = with_plugins.person()
    game = somebody.create("trap", {"kind": "same_screen"})["game"]
    for color in ("white", "black"):
        setup = somebody.get("rules/trap/setup", color=color)
        somebody.do(game, "submit", setup=setup, seat=color)
    before = somebody.see(game)["view"]
    king = "c1" if to_move(before) == "white" else "c5"
    action = next(action for action in before["legal_actions"] if action.startswith(king))
    with pytest.raises(Refused) as refused:
        somebody.do(game, "play", action=action, ply=0)
    assert refused.value.status == 500
    assert somebody.see(game)["view"] == before
    (logged,) = [line for line in log_lines(with_plugins) if line.get("error") == "RuleSetError"]
    assert logged["cause"] == "LookupError"
    assert "cyvasse_trap.py" in str(logged["cause_trace"])
    assert "trapped" not in with_plugins.log.read_text()  # messages may tell of a board
    somebody.play(game, before["legal_actions"].index("c2-c3" if king == "c1" else "c4-c3"))
