"""Clocks of the real server: they run with nobody connected, and over restarts."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest

import cyvasse
from tests.server.harness import (
    Person,
    Refused,
    Server,
    deadline,
    friends,
    setup_of,
    to_move,
    until,
)

LATE = 10.5


def fischer(seconds: int = 10, increment: int = 0) -> dict[str, Any]:
    return {"kind": "fischer", "seconds": seconds, "increment": increment}


def seats(white: Person, black: Person, game: str) -> tuple[Person, Person]:
    """Who is to act, and who is not."""
    turn = to_move(white.see(game)["view"])
    return (white, black) if turn == "white" else (black, white)


def draft(person: Person, game: str, color: str, *, legal: bool = True) -> None:
    rules = cyvasse.rule_set(person.see(game)["agreement"]["rule_set"])
    setup = setup_of(rules, color, seed=9)
    if not legal:
        setup["pieces"] = setup["pieces"][1:]
    person.put(f"games/{game}/drafts/{color}", {"setup": setup})


def test_time_runs_out(server: Server) -> None:
    """All at once, so that the waiting is done once."""
    begun = time.monotonic()
    forgotten = friends(server, clock=fischer())
    watched = friends(server, clock=fischer())
    claimed = friends(server, clock=fischer())
    rich = friends(server, clock=fischer(60))
    limit: dict[str, Any] = {"setup_seconds": 10, "clock": fischer(60), "ready": False}
    drafted = friends(server, "croft", **limit)
    half = friends(server, "mikelepage", **limit)
    nothing = friends(server, **limit)
    broken = friends(server, "gameofcyvasse", **limit)
    submitted = friends(server, **limit)

    for (white, black, game), drafts in (
        (drafted, {"white": True, "black": True}),
        (half, {"white": True}),
        (broken, {"white": True, "black": False}),
        (submitted, {"black": True}),
    ):
        for color, legal in drafts.items():
            draft(white if color == "white" else black, game, color, legal=legal)
    submitted[0].submit(submitted[2], "white", seed=4)

    mover, other = seats(*claimed)
    with pytest.raises(Refused, match="still has"):
        other.do(claimed[2], "claim_time")
    with pytest.raises(Refused, match="your turn"):
        mover.do(claimed[2], "claim_time")

    with (
        watched[0].socket() as at_white,
        watched[1].socket() as at_black,
        half[0].socket() as half_white,
        half[1].socket() as half_black,
    ):
        for socket in (at_white, at_black):
            socket.watch(watched[2])
        for socket in (half_white, half_black):
            socket.watch(half[2])
        time.sleep(max(0.0, LATE - (time.monotonic() - begun)))
        for socket in (at_white, at_black):
            end = socket.wait_for("update", lambda message: bool(message["standing"]["outcome"]))
            assert end["standing"]["outcome"]["end"] == "out of time"
            assert end["events"][-1]["event"]["kind"] == "flagged"
        for socket in (half_white, half_black):
            end = socket.wait_for("update", lambda m: bool(m["standing"]["status"] == "aborted"))
            assert "Black was not ready" in end["standing"]["aborted"]

    for white, _, game in (forgotten, watched):
        until(lambda it=white, at=game: it.see(at)["standing"]["outcome"], "the flag falls")  # type: ignore[misc]
        seen = white.see(game)
        loser = to_move(seen["view"])
        outcome = seen["standing"]["outcome"]
        assert outcome["result"] == ("0-1" if loser == "white" else "1-0")
        assert outcome["end"] == "out of time"
        assert outcome["said"][loser].endswith("won: your time ran out.")
        assert seen["standing"]["clocks"][loser] == 0
        assert seen["standing"]["clocks"]["running"] is None

    other.do(claimed[2], "claim_time")
    assert other.see(claimed[2])["standing"]["outcome"]["end"] == "out of time"
    with pytest.raises(Refused, match="over"):
        mover.do(claimed[2], "claim_time")

    for (white, _, game), why in (
        (half, "Black was not ready"),
        (nothing, "White and Black were not ready"),
        (broken, "Black was not ready"),
    ):
        standing = until(
            lambda it=white, at=game: _if(it.see(at)["standing"], "aborted"),  # type: ignore[misc]
            "the game is aborted",
        )
        assert why in standing["aborted"]
        assert standing["outcome"] is None

    for white, _, game in (drafted, submitted):
        until(lambda it=white, at=game: it.see(at)["view"]["screen_lifted"], "it is lifted")  # type: ignore[misc]
        seen = white.see(game)
        assert seen["standing"]["status"] == "playing"
        assert seen["standing"]["clocks"]["running"] == to_move(seen["view"])
        assert 40_000 < seen["standing"]["clocks"][to_move(seen["view"])] <= 60_000
    rules = cyvasse.rule_set("nine-tile")
    assert submitted[0].see(submitted[2])["view"]["setups"]["white"] == setup_of(rules, "white", 4)
    assert submitted[0].see(submitted[2])["view"]["setups"]["black"] == setup_of(rules, "black", 9)

    assert rich[0].see(rich[2])["standing"]["status"] == "playing"


def _if(standing: Any, key: str) -> Any:
    return standing if standing[key] else None


def test_a_turn_of_several_actions(server: Server) -> None:
    white, black, game = friends(server, "nine-tile", clock=fischer(3600, 600))
    with white.socket() as socket:
        board = socket.watch(game)
        for _ in range(60):
            view = white.see(game)
            text = white.http.get(f"games/{game}/position").text
            turn = to_move(view["view"])
            mover = white if turn == "white" else black
            position = cyvasse.parse_position(text)
            action, goes_on = _long_turn(position)
            before = deadline(view["standing"])
            done = mover.do(game, "play", action=action, ply=view["view"]["ply"])
            board = socket.hear_number(done["number"])
            if goes_on:
                break
            # Each turn earns more than it can have taken.
            assert board["standing"]["clocks"][turn] > view["standing"]["clocks"][turn]
        assert board["board"]["in_turn"]
        assert board["standing"]["clocks"]["running"] == turn
        assert deadline(board["standing"]) == before


def _long_turn(position: cyvasse.Position) -> tuple[str, bool]:
    """An action that does not end the turn, or any."""
    legal = position.legal_actions()
    for action in legal:
        position.play(action)
        goes_on = position.in_turn
        position.undo()
        if goes_on:
            return str(action), True
    return str(legal[0]), False


def test_by_correspondence(server: Server) -> None:
    white, black, game = friends(server, clock={"kind": "days", "days": 2}, ready=False)

    def waits(person: Person) -> bool:
        (listed,) = person.get("me/games")["games"]
        assert listed["game"] == game
        return bool(listed["your_turn"])

    assert waits(white)
    assert waits(black)
    standing = white.see(game)["standing"]
    assert standing["setup_deadline"] - standing["clocks"]["now"] > 86_400_000
    white.submit(game, "white")
    assert not waits(white)
    assert waits(black)
    black.submit(game, "black")
    mover, other = seats(white, black, game)
    assert waits(mover)
    assert not waits(other)
    before = deadline(mover.see(game)["standing"])
    while to_move(mover.see(game)["view"]) == ("white" if mover is white else "black"):
        mover.play(game)
    assert waits(other)
    assert not waits(mover)
    after = deadline(mover.see(game)["standing"])
    assert before is not None
    assert after is not None
    assert after > before


# --- restarts -------------------------------------------------------------------------------------


def _my_turn(me: Person, game: str) -> bool:
    return to_move(me.see(game)["view"]) == "white"


def test_after_a_restart(own_server: Server) -> None:
    server = own_server
    away = 1.0
    white, black, game = friends(server, clock=fischer(60))
    setting_up = friends(server, clock=fischer(60), setup_seconds=30, ready=False)
    letters = friends(server, clock={"kind": "days", "days": 1})
    free = friends(server)
    me = server.person()
    against_bot = me.create("croft", {"kind": "bot", "level": 4}, first="white")["game"]
    me.submit(against_bot, "white")
    in_time = me.create("croft", {"kind": "bot", "level": 4}, first="white", clock=fischer(600))
    me.submit(in_time["game"], "white")

    for kill in (True,) if "--database" in server.arguments else (False, True):
        before = white.see(game)
        setup_before = setting_up[0].see(setting_up[2])["standing"]["setup_deadline"]
        letters_before = deadline(letters[0].see(letters[2])["standing"])
        plies = {}
        for bot_game in (against_bot, in_time["game"]):
            until(partial(_my_turn, me, bot_game), "my turn")
            plies[bot_game] = me.see(bot_game)["view"]["ply"]
            me.play(bot_game)
        gone = time.time()
        if kill:
            server.kill()
        else:
            assert server.stop() == 0
        time.sleep(away)
        server.start()
        back = time.time()

        after = white.see(game)
        were, are = deadline(before["standing"]), deadline(after["standing"])
        assert were is not None
        assert are is not None
        moved = are - were
        assert (back - gone) * 1000 + 3_000 > moved > away * 1000 - 100
        assert after["standing"]["status"] == "playing"
        setup_after = setting_up[0].see(setting_up[2])["standing"]
        assert setup_after["status"] == "setup"
        assert setup_after["setup_deadline"] - setup_before > away * 1000 - 100
        assert deadline(letters[0].see(letters[2])["standing"]) == letters_before
        assert deadline(free[0].see(free[2])["standing"]) is None

        # What was missed is told to whoever comes back.
        with white.socket() as socket:
            answer = socket.watch(game, last=before["number"])
            assert answer["type"] == "update"
            assert [logged["event"]["kind"] for logged in answer["events"]] == ["outage"]
            assert socket.watch(game, last=answer["number"])["type"] == "current"
            assert socket.watch(game, last=10_000)["type"] == "snapshot"
        for players in ((white, black, game), free):
            mover, _ = seats(*players)
            mover.play(players[2])
        # Bots move, whether they have a clock or not.
        for bot_game, ply in plies.items():

            def bot_moved(it: str = bot_game, own: int = ply + 1) -> bool:
                view = me.see(it)["view"]
                return bool(view["ply"] > own and to_move(view) == "white")

            until(bot_moved, "the bot moves")
    assert '"trace"' not in server.log.read_text()
    assert "Traceback" not in server.log.read_text()
