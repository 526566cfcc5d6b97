"""What a game tells in sentences, and what it asks before something is given away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import cyvasse
from tests.events import EVENTS
from tests.server.harness import Refused, Server, friends, game_at

PLACES = ("text", "white", "black")
GIVEN = [event for event in EVENTS if event["event"] == "King given away"]


def words(sentences: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: each[name] for name in PLACES} for each in sentences]


@pytest.fixture
def sqlite(servers: Callable[[str], Server]) -> Server:
    return servers("sqlite")


@pytest.mark.parametrize("event", GIVEN, ids=lambda event: event["rule_set"])
def test_a_careful_turn_asks_first(sqlite: Server, event: dict[str, Any]) -> None:
    white, black = sqlite.person(), sqlite.person()
    game = game_at(sqlite, event["position"], white, black)
    turn = {"actions": event["actions"], "ply": 0}
    held = white.do(game, "play_turn", careful=True, **turn)
    assert (held["type"], held["whole"]) == ("preview", True)
    assert words(held["risks"]) == event["risks"]
    assert white.see(game)["view"]["ply"] == 0
    assert white.do(game, "play_turn", hold=True, **turn)["risks"] == []
    assert white.do(game, "play_turn", **turn)["type"] == "done"
    view = black.see(game)["view"]
    assert words(view["told"]) == event["told"]
    dangers = [{**each, **words([each["said"]])[0]} for each in view["dangers"]]
    assert [{name: each[name] for name in event["dangers"][0]} for each in dangers] == event[
        "dangers"
    ]
    reply = view["legal_actions"][0]
    assert black.do(game, "play_turn", actions=[reply], ply=1, careful=True)["type"] in (
        "done",
        "preview",
    )


def test_what_was_played_is_told_from_its_number_on(sqlite: Server) -> None:
    white, black, game = friends(sqlite, "croft", first="white")
    for player in (white, black, white):
        player.play(game)
    told = black.get(f"games/{game}/told")
    assert [sorted(each) for each in told] == [["letter", "told"]] * 3
    assert black.get(f"games/{game}/told", since=1) == told[1:]
    board = black.get(f"games/{game}/board", ply=2)
    assert board["told"][0] == told[1]["told"][0]
    assert board["legal_actions"] == []
    with pytest.raises(Refused):
        white.get(f"games/{white.create('croft')['game']}/told")


def test_what_the_other_player_could_do(sqlite: Server) -> None:
    white, _, game = friends(sqlite, "nine-tile", first="white")
    start = cyvasse.parse_position(white.http.get(f"games/{game}/position").text)
    given = start.given_away()
    assert given is not None
    theirs = sorted(given.action_texts())
    assert sorted(white.get(f"games/{game}/reach")["legal_actions"]) == theirs
    before = white.get(f"games/{game}/layers")
    white.play(game)
    assert white.get(f"games/{game}/layers", ply=0) == before
    assert sorted(white.get(f"games/{game}/reach", ply=0)["legal_actions"]) == theirs
    # A colour can be named: on an earlier board both players' pieces are looked at.
    assert sorted(white.get(f"games/{game}/reach", ply=0, color="black")["legal_actions"]) == theirs
    mine = sorted(start.action_texts())
    assert sorted(white.get(f"games/{game}/reach", ply=0, color="white")["legal_actions"]) == mine
