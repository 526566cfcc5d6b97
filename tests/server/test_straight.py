"""The way of an action is straight: nothing is found out twice, nothing is told twice."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import cyvasse
from cyvasse.notation.documents import setup_document
from cyvasse.rules.terms import BLACK, WHITE
from cyvasse.server import views
from cyvasse.server.contest import Agreement, Contest, Occupant
from cyvasse.server.events import Joined, LoggedEvent, restored, stored
from tests.server.harness import Server, friends

RULE_SETS = [rules.id for rules in cyvasse.rule_sets()]
PACKAGE = Path(cyvasse.__file__).parent

# Compiled, nobody can count the calls: so this runs as plain Python.  For each turn of some games:
# how many actions it had, and how often what was found out on their way from a command to what all
# are told.
COUNT = """
import json, sys, warnings
warnings.simplefilter("ignore")
import cyvasse
from cyvasse import Color
from cyvasse.actions import known_action
from cyvasse.server import views
from cyvasse.server.contest import Agreement, Ahead, Contest, Occupant
from cyvasse.server.events import LoggedEvent

calls, depth = {}, 0

def counted(kind, name):
    inner = getattr(kind, name)
    def outer(self, *words):
        global depth
        calls[name] = calls.get(name, 0) + (depth == 0)
        depth += 1
        try:
            return inner(self, *words)
        finally:
            depth -= 1
    setattr(kind, name, outer)

rules = cyvasse.rule_set(sys.argv[1])
kind = type(rules.random_position(seed=1))
for name in ("generate", "generate_like", "generate_captures", "finishing"):
    counted(kind, name)
people = {color: Occupant(color.title, color.title) for color in Color}
contest = Contest("game", Agreement(rules.id, first="white"), people, 0)

def tell(events):
    news = [LoggedEvent(contest.number + i, 0, event) for i, event in enumerate(events, 1)]
    contest.apply_all(news)
    views.update(contest, news, 0)
    views.update(contest, news, 0)  # who comes late is told the same

for color in Color:
    tell(contest.ready(color, rules.random_setup(color, seed=2)))
turns = []
while not contest.over and len(turns) < 40:
    mover, ply, game = contest.game.turn, contest.game.ply, contest.game
    calls.clear()
    parsed = known_action.cache_info().misses
    actions, previews = [], 0
    board = game.board_view()
    calls.clear()
    while True:
        legal = board["legal_actions"]
        actions.append(legal[len(turns) * 7 % len(legal)])
        decided = contest.play_turn(mover, actions, ply)
        if not isinstance(decided, Ahead):
            break
        board, previews = decided.board, previews + 1
    tell(decided)
    parsed = known_action.cache_info().misses - parsed
    turns.append({"actions": len(actions), "previews": previews, "parsed": parsed, **calls})
print(json.dumps(turns))
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same source files with nothing compiled."""
    folder = tmp_path_factory.mktemp("plain")
    left_out = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "page")
    shutil.copytree(PACKAGE, folder / "cyvasse", ignore=left_out)
    return folder


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_what_is_legal_is_found_once_a_board_and_each_text_is_read_once(
    plain: Path, rule_set: str
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", COUNT, rule_set],
        env={**os.environ, "PYTHONPATH": str(plain)},
        cwd=plain,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    turns = json.loads(ran.stdout)
    assert len(turns) > 20
    for turn in turns:
        boards = turn["actions"] + turn["previews"]  # that were come to
        assert turn["parsed"] <= turn["actions"], turn
        assert turn["generate"] <= boards, turn
        # What each player could lose is looked for whenever a board is shown: here twice when the
        # turn is over, and once for each preview.
        assert turn.get("finishing", 0) <= 2 * (2 + turn["previews"]), turn
        # What follows in a turn is checked on the way to it, action by action.
        later = sum(range(1, turn["actions"]))
        assert turn.get("generate_like", 0) <= later, turn


# --- nothing twice --------------------------------------------------------------------------------


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_message_tells_nothing_twice(server: Server, rule_set: str) -> None:
    white, _, game = friends(server, rule_set, first="white")
    seen = white.see(game)
    with white.socket() as socket:
        socket.watch(game)
        white.play(game)
        update = socket.hear_number(seen["number"] + 1)
    seen = white.see(game)
    for message, board in ((seen, seen["view"]), (update, update["board"])):
        agreement = message.get("agreement", {})
        agreement.pop("position", None)  # with which an imported game began
        for other in (message["standing"], agreement, message):
            assert not board.keys() & other.keys()
        text = json.dumps(message)
        for name in ("clocks", "legal_actions", "told", "outcome", "ready", "to_move"):
            assert text.count(f'"{name}"') == 1, name
        assert "turn" not in board  # the position tells whose it is
        assert message["standing"]["setup_deadline"] is None  # in play the clocks tell
    assert "actions" not in seen["view"]
    assert [turn["color"] for turn in seen["view"]["turns"]] == ["white"]


# --- who took a seat ------------------------------------------------------------------------------


def test_who_joined_is_in_the_event() -> None:
    wyl, bors = Occupant("Wyl", "w"), Occupant("Bors", "b")
    contest = Contest("game", Agreement("croft"), {WHITE: wyl, BLACK: None}, 0)
    event = Joined("black", "Bors", "b")
    assert restored(stored(event)) == event
    contest.apply(LoggedEvent(1, 5, event))
    assert contest.players == {WHITE: wyl, BLACK: bors}
    assert contest.seats_of("b") == [BLACK]
    assert contest.log == [LoggedEvent(1, 5, Joined("black"))]
    assert stored(contest.log[0].event) == '{"kind":"joined","seat":"black"}'


def test_a_seat_that_was_taken_before_events_said_by_whom() -> None:
    """Events of before; the game's row knows who sits there."""
    event = restored('{"kind":"joined","seat":"black"}')
    assert event == Joined("black")
    wyl, bors = Occupant("Wyl", "w"), Occupant("Bors", "b")
    contest = Contest("game", Agreement("croft"), {WHITE: wyl, BLACK: bors}, 0)
    contest.apply(LoggedEvent(1, 5, event))
    assert contest.players[BLACK] == bors
    assert str(contest.status) == "setup"


def update_for(contest: Contest, person: str | None, after: int) -> Any:
    news = contest.log[after:]
    return msgspec.to_builtins(views.update(contest, news, 0, person))


def test_whoever_is_concerned_is_told_more() -> None:
    contest = Contest("game", Agreement("croft"), {WHITE: Occupant("Wyl", "w"), BLACK: None}, 0)
    rules = contest.game.rules
    setups = {color: rules.random_setup(color, seed=1) for color in (WHITE, BLACK)}

    def happen(*events: Any) -> int:
        before = contest.number
        for event in events:
            contest.apply(LoggedEvent(contest.number + 1, 0, event))
        return before

    joined = happen(Joined("black", "Bors", "b"))
    assert update_for(contest, "b", joined)["you"] == ["black"]
    for other in ("w", "s", None):
        assert "you" not in update_for(contest, other, joined)
    ready = happen(*contest.ready(BLACK, setups[BLACK]))
    assert update_for(contest, "b", ready)["setups"] == {
        "black": setup_document(rules, setups[BLACK])
    }
    assert "you" not in update_for(contest, "b", ready)
    for other in ("w", "s", None):
        assert "setups" not in update_for(contest, other, ready)
    withdrew = happen(*contest.withdraw(BLACK))
    assert update_for(contest, "b", withdrew)["setups"] == {}
    lifted = happen(*contest.ready(WHITE, setups[WHITE]), *contest.ready(BLACK, setups[BLACK]))
    happen(*contest.setup_over({}))
    for everybody in ("b", "w", "s", None):
        assert update_for(contest, everybody, lifted)["setups"].keys() == {"white", "black"}


def test_the_one_who_sits_down_is_told_so(server: Server) -> None:
    white, black, spectator = server.person(), server.person(), server.person()
    created = white.create("croft")
    game = created["game"]
    with black.socket() as mine, white.socket() as theirs, spectator.socket() as beside:
        for socket in (mine, theirs, beside):
            socket.watch(game)
        black.post(f"games/{game}/join", {"invitation": created["invitation"]})
        told = [socket.hear_number(1) for socket in (mine, theirs, beside)]
        assert [each.get("you") for each in told] == [["black"], None, None]
        for each in told:
            assert each["events"][0]["event"] == {"kind": "joined", "seat": "black"}
            assert each["standing"]["black"]["name"] == black.name
            assert json.dumps(each).count(black.name) == 1
        black.submit(game, "black")
        told = [socket.hear_number(2) for socket in (mine, theirs, beside)]
        assert [list(each.get("setups", {})) for each in told] == [["black"], [], []]


def test_who_is_forgotten_never_joined(server: Server) -> None:
    white, black = server.person(), server.person()
    created = white.create("croft")
    game = created["game"]
    white.submit(game, "white")
    black.post(f"games/{game}/join", {"invitation": created["invitation"]})
    black.delete("me")
    with white.socket() as socket:
        answer = socket.ask("watch", game=game, last=1)
        assert answer["type"] == "done"
        (update,) = [each for each in socket.heard if each["type"] == "update"]
    assert update["events"][0]["event"] == {"kind": "joined", "seat": "black"}
    assert update["standing"]["black"]["name"] == "Someone"
    assert black.name not in json.dumps(update)


# --- what would be --------------------------------------------------------------------------------


def test_a_preview_is_an_answer(server: Server) -> None:
    white, black, game = friends(server, "croft", first="white")
    before = white.see(game)
    board = before["view"]
    action = next(each for each in board["legal_actions"] if "-" in each)
    command = {"actions": [action], "ply": board["ply"], "hold": True}
    shown = white.do(game, "play_turn", **command)
    assert (shown["type"], shown["whole"]) == ("preview", True)
    assert shown["board"]["ply"] == board["ply"] + 1
    assert black.see(game)["number"] == before["number"]
    with white.socket() as socket:
        socket.watch(game)
        assert socket.do(game, "play_turn", **command) == shown | {"id": 2}
        white.do(game, "play_turn", **command | {"hold": False})
        # What comes is what was shown, with the opponent's clock running.
        assert socket.hear_number(before["number"] + 1)["board"] == shown["board"]
