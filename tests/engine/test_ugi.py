"""Conversations in the engine's protocol, in this process."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse.engine.table import TranspositionTable
from cyvasse.engine.ugi import serve, starting_position, time_share
from cyvasse.engine.weights import tuned_weights
from tests.documents import PROTOCOL, conversation, fixed, hold

POSITION = "nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/7K - w - 0"
WON = "nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/8 - w - 0"
RULES = cyvasse.rule_set("nine-tile")
IDS = [rules.id for rules in cyvasse.rule_sets()]


def talk(*lines: str) -> list[str]:
    """All replies to some lines; each ``go`` is given the time to answer."""
    replies: list[str] = []
    answered = threading.Condition()

    def write(text: str) -> None:
        with answered:
            replies.append(text)
            answered.notify_all()

    def wait_for_answers(count: int) -> None:
        with answered:
            assert answered.wait_for(
                lambda: sum(reply.startswith("bestmove") for reply in replies) == count, timeout=60
            )

    def send() -> Iterator[str]:
        asked = 0
        for line in lines:
            yield line
            asked += line.startswith("go")
            if line.startswith("go") and "infinite" not in line:
                wait_for_answers(asked)

    serve(send(), write)
    return replies


def infos(replies: list[str]) -> list[dict[str, str]]:
    """The searches' info lines, each value by its word."""
    found = []
    for words in (reply.split() for reply in replies if reply.startswith("info depth")):
        line = words.index("pv")
        pairs = itertools.pairwise(words[1:line])
        info = {word: value for word, value in pairs if word.isalpha()}
        found.append({**info, "pv": " ".join(words[line + 1 :])})
    return found


HANDSHAKE = [
    f"id name cyvasse {cyvasse.__version__}",
    "id author The Cyvasse authors",
    f"option name RuleSet type combo default {IDS[0]} var {' var '.join(IDS)}",
    "option name Setups type string default named",
    "option name Level type spin default 0 min 0 max 10",
    "option name Threads type spin default 1 min 1 max 64",
    "option name Hash type spin default 16 min 1 max 65536",
    "option name Repetition type check default true",
    "option name Quiet type check default true",
    "option name Minimal type check default false",
]


def test_handshake() -> None:
    assert talk("ugi", "isready") == [*HANDSHAKE, "ugiok", "readyok"]
    assert talk("uci") == [*HANDSHAKE, "uciok"]


def test_the_document_shows_the_handshake() -> None:
    assert "\n".join(["> ugi", *HANDSHAKE, "ugiok", ""]) in PROTOCOL.read_text(encoding="utf-8")


def test_unknown_words_are_ignored() -> None:
    assert talk("", "hello", "hello there isready", "debug on", "query", "query x") == ["readyok"]


def test_queries() -> None:
    questions = ("query p1turn", "query gameover", "query result")
    assert talk(*questions) == ["response true", "response false", "response none"]
    black = POSITION.replace(" w ", " b ")
    assert talk(f"position fen {black}", *questions)[0] == "response false"


def finished(rules: cyvasse.RuleSet, winner: cyvasse.Color) -> cyvasse.Game:
    """A random game that this player has won."""
    for seed in range(1000):
        game = cyvasse.Game.from_position(rules.random_position(seed))
        chance = random.Random(seed)
        while legal := game.legal_actions():
            game.play(chance.choice(legal))
        outcome = game.outcome()
        if outcome is not None and outcome.winner is winner:
            return game
    raise AssertionError("nobody wins")


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
@pytest.mark.parametrize(("winner", "told"), [(cyvasse.WHITE, "p1win"), (cyvasse.BLACK, "p2win")])
def test_a_finished_game(rules: cyvasse.RuleSet, winner: cyvasse.Color, told: str) -> None:
    game = finished(rules, winner)
    moves = " ".join(str(action) for action in game.actions)
    assert talk(
        f"position fen {game.start.text()} moves {moves}",
        "query gameover",
        "query result",
        "go depth 2",
    ) == [
        "response true",
        f"response {told}",
        f"info string the game is over: {game.outcome()}",
        "bestmove (none)",
    ]


def test_a_repetition_is_a_draw() -> None:
    moves = "h5-h6 k5-k4 h6-h5 k4-k5 h5-h6 k5-k4 h6-h5 k4-k5"
    game = cyvasse.Game.from_position(cyvasse.parse_position(POSITION))
    for action in moves.split():
        game.play(action)
    assert game.outcome() is not None
    told = talk(f"position fen {POSITION} moves {moves}", "query gameover", "query result")
    assert told == ["response true", "response draw"]
    free = talk(
        "setoption name Repetition value false",
        f"position fen {POSITION} moves {moves}",
        "query gameover",
        "go depth 1",
    )
    assert free[0] == "response false"
    assert free[-1] != "bestmove (none)"


def test_quiet_turns_are_a_draw() -> None:
    position = f"position fen {POSITION[:-1]}99 moves h5-h6"
    assert talk(position, "query result") == ["response draw"]
    off = "setoption name Quiet value false"
    assert talk(off, position, "query result") == ["response none"]
    assert talk(off, "setoption name Quiet value true", position, "query result") == [
        "response draw"
    ]


def test_position_takes_one_action_a_word() -> None:
    position = cyvasse.parse_position(POSITION)
    chance = random.Random(1)
    moves = []
    for _ in range(6):
        moves.append(str(chance.choice(position.legal_actions())))
        position.play(moves[-1])
    told = talk(f"position fen {POSITION} moves {' '.join(moves)}", "query p1turn", "go nodes 50")
    assert told[0] == f"response {'true' if position.turn is cyvasse.WHITE else 'false'}"
    assert position.is_legal(told[-1].removeprefix("bestmove "))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("position", "a position is given by"),
        ("position startpos e4-f5", "a position is given by"),
        ("position fen", "a position has six parts"),
        ("position fen chess 8/8 - w - 0", "no rule set 'chess'"),
        (f"position fen {POSITION} moves e5-e6 e5-e6", "move 2: "),
        (f"position fen {POSITION} moves nonsense", "move 1: "),
        (f"position fen {POSITION} moves e5-e6 nonsense", "move 2: "),
        (f"position fen {POSITION} moves e5-e5 nonsense", "move 1: "),
        (f"position fen {WON} moves e5-e6", "move 1: "),
        (f"position fen {POSITION} moves", None),
        ("setoption", "an option is set by"),
        ("setoption name Hash", "Hash is ''"),
        ("setoption name Hash value 0", "Hash is 0, not a number from 1 to 65536"),
        ("setoption name Threads value many", "Threads is 'many'"),
        ("setoption name Level value 11", "Level is 11, not a number from -8 to 10"),
        ("setoption name Repetition value no", "Repetition is 'no', neither true nor false"),
        ("setoption name Quiet", "Quiet is '', neither true nor false"),
        ("setoption name Minimal value 1", "Minimal is '1', neither true nor false"),
        ("setoption name Ponder value true", "no option 'Ponder'; there are RuleSet, Setups, "),
        ("setoption name RuleSet value chess", "no rule set 'chess'"),
        ("setoption name Setups value nonsense", "nine-tile has no setup 'nonsense'; there are "),
        ("setoption name Setups value a/b/c", "more than two setups"),
        ("setoption name Setups value dice:7", "random:SEED or pool:SEED"),
        ("setoption name Setups value random:x", "the seed of the setups is 'x'"),
        ("setoption name Level value none", None),
        ("setoption name level value 0", None),
        ("setoption name minimal value True", None),
    ],
)
def test_errors_are_told_and_change_nothing(line: str, error: str | None) -> None:
    before = f"position fen {POSITION} moves e5-e6"
    replies = talk(before, line, "query p1turn", "isready")
    if error is None:
        assert replies[1:] == ["readyok"]
        return
    assert replies[0].startswith("info string error: ")
    assert error in replies[0]
    assert ("the last position stays" in replies[0]) == line.startswith("position")
    assert replies[1:] == talk(before, "query p1turn", "isready")


def test_a_search_tells_what_it_finds() -> None:
    replies = talk(f"position fen {POSITION}", "go depth 3")
    found = infos(replies)
    assert [info["depth"] for info in found] == ["1", "2", "3"]
    for info in found:
        assert set(info) == {"depth", "score", "cp", "nodes", "nps", "time", "pv"}
        position = cyvasse.parse_position(POSITION)
        for action in info["pv"].split():
            position.play(action)
    assert replies[-1] == f"bestmove {found[-1]['pv'].split()[0]}"
    assert talk(f"position fen {POSITION}", "go depth 3")[-1] == replies[-1]


def test_a_sure_win_is_a_mate_in_actions() -> None:
    taken = "nine-tile 8/6k2/6L3/11/12/11/10/9/7K - w - 0"
    position = cyvasse.parse_position(taken)
    won = []
    for action in position.legal_actions():
        position.play(action)
        won += [str(action)] if position.outcome() else []
        position.undo()
    replies = talk(f"position fen {taken}", "go depth 3")
    assert infos(replies)[-1]["mate"] == "1"
    assert replies[-1].removeprefix("bestmove ") in won


@pytest.mark.parametrize(
    "limits",
    [
        "nodes 100",
        "depth 1",
        "depth 0",
        "nodes 0",
        "movetime 0",
        "movetime 30",
        "p1time 500 p2time 100 p1inc 0 p2inc 0",
        "wtime 500 btime 100 winc 10 binc 10 movestogo 5",
        "p1time -50 p2time 0",
        "depth 2 nodes " + "9" * 5000,
        "depth 2 movetime " + "9" * 5000,
        "searchmoves e5-e6 nodes 40",
        "",
    ],
)
def test_every_limit_ends_a_search(limits: str) -> None:
    replies = talk(f"position fen {POSITION}", f"go {limits}")
    assert not any("error" in reply for reply in replies)
    assert cyvasse.parse_position(POSITION).is_legal(replies[-1].removeprefix("bestmove "))


def test_limits_that_are_no_numbers_are_told() -> None:
    replies = talk(f"position fen {POSITION}", "go depth much nodes 20")
    assert replies[0] == "info string error: depth is 'much', which is no whole number"
    assert replies[-1].startswith("bestmove ")
    assert talk(f"position fen {POSITION}", "go nodes 20 depth")[0].startswith("info string error")


def test_infinite_answers_only_when_stopped() -> None:
    replies: list[str] = []
    before: list[bool] = []

    def lines() -> Iterator[str]:
        yield f"position fen {WON.replace('8 - w', '7K - w')}"
        yield "go infinite"
        yield "isready"
        time.sleep(0.05)
        before.append(any(reply.startswith("bestmove") for reply in replies))
        yield "stop"
        before.append(any(reply.startswith("bestmove") for reply in replies))

    serve(lines(), replies.append)
    assert before == [False, True]
    assert "readyok" in replies
    assert sum(reply.startswith("bestmove") for reply in replies) == 1


@pytest.mark.parametrize("last", ["stop", "quit", "go depth 1", "uginewgame", "isready"])
def test_every_search_is_answered_once(last: str) -> None:
    replies = talk("go infinite", "go infinite", last)
    answers = sum(reply.startswith("bestmove ") for reply in replies)
    assert answers == (3 if last == "go depth 1" else 2)


def test_stop_at_once_and_without_a_search() -> None:
    assert talk("stop", "stop") == []
    for _ in range(20):
        assert talk("go infinite", "stop")[-1].startswith("bestmove ")


@pytest.mark.parametrize("level", [-8, -3, 0, 1, 2, 4, 6, 8, 10])
def test_levels(level: int) -> None:
    replies = talk(f"setoption name Level value {level}", "go nodes 300")
    assert starting_position(RULES).is_legal(replies[-1].removeprefix("bestmove "))
    assert infos(replies)


def test_minimal_tells_nothing_but_the_answer() -> None:
    minimal = "setoption name Minimal value true"
    for level in (0, 1):
        (answer,) = talk(minimal, f"setoption name Level value {level}", "go nodes 300")
        assert starting_position(RULES).is_legal(answer.removeprefix("bestmove "))
    assert infos(talk(minimal, "setoption name Minimal value false", "go nodes 300"))


def test_the_mistakes_of_a_new_game_are_new() -> None:
    ask = f"position fen {POSITION}", "go"
    level = "setoption name Level value 1", "setoption name Minimal value true"
    assert len(set(talk(*level, *(ask * 12)))) == 1
    assert len(set(talk(*level, *(("uginewgame", *ask) * 12)))) > 1


def test_being_ready_means_that_no_search_waits_for_a_file() -> None:
    tuned_weights.cache_clear()
    talk("isready")
    assert tuned_weights.cache_info().currsize == len(IDS)


def test_threads_and_hash() -> None:
    replies = talk(
        "setoption name Threads value 2", "setoption name Hash value 1", "isready", "go nodes 3000"
    )
    assert replies[0] == "readyok"
    assert starting_position(RULES).is_legal(replies[-1].removeprefix("bestmove "))


def test_a_table_without_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def scarce(megabytes: int) -> TranspositionTable:
        if megabytes > 8:
            raise MemoryError
        return TranspositionTable(megabytes)

    monkeypatch.setattr("cyvasse.engine.player.TranspositionTable", scarce)
    assert talk("isready", "isready") == [
        "info string error: no memory for 16 MB; Hash is 1 again",
        "readyok",
        "readyok",
    ]


def test_a_failing_search_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(cyvasse.Engine, "choose", fail)
    error, answer = talk("go depth 1")
    assert error == "info string error: the search has failed: RuntimeError('broken')"
    assert starting_position(RULES).is_legal(answer.removeprefix("bestmove "))


def test_a_bug_in_a_rule_set_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr("cyvasse.engine.ugi.parse_position", fail)
    error, ready = talk(f"position fen {POSITION}", "isready")
    assert error == "info string error: position has failed: KeyError('broken')"
    assert ready == "readyok"


def test_errors_may_be_told_in_other_words() -> None:
    replies: list[str] = []
    serve(["position fen nonsense"], replies.append, lambda error: type(error).__name__)
    assert replies == ["info string error: CyvasseError"]


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_every_rule_set_plays(rules: cyvasse.RuleSet) -> None:
    names = list(rules.named_setups())
    for setups in ("named", names[-1], f"{names[0]}/{names[-1]}", "random:3", "pool:3"):
        position = starting_position(rules, setups)
        assert position.turn is (rules.first_player or cyvasse.WHITE)
        replies = talk(
            f"setoption name RuleSet value {rules.id}",
            f"setoption name Setups value {setups}",
            "position startpos",
            "go nodes 200",
        )
        assert not any("error" in reply for reply in replies)
        assert position.is_legal(replies[-1].removeprefix("bestmove "))


def test_setups() -> None:
    names = list(RULES.named_setups())
    white, black = RULES.named_setups("white"), RULES.named_setups("black")
    assert starting_position(RULES) == RULES.start(white[names[0]], black[names[0]], "white")
    both = f"{names[0]}/{names[1]}"
    assert starting_position(RULES, both) == RULES.start(white[names[0]], black[names[1]], "white")
    assert starting_position(RULES, "random:1") == starting_position(RULES, "random:1")
    assert starting_position(RULES, "random:1") != starting_position(RULES, "random:2")


def test_setups_that_another_rule_set_lacks_are_forgotten() -> None:
    name = list(RULES.named_setups())[-1]
    (error,) = talk(
        f"setoption name Setups value {name}",
        "setoption name RuleSet value croft",
        "position startpos",
    )
    assert f"croft has no setup {name!r}" in error
    assert error.endswith("Setups is named again")


def test_time_share_never_loses_on_time() -> None:
    for left in (0.0, 0.001, 0.05, 1.0, 60.0):
        for increment in (0.0, 1.0):
            for moves_to_go in (None, 0, 1, 40):
                share = time_share(left, increment, moves_to_go)
                assert 0 <= share < max(left, 1e-9)
    assert time_share(60, 1) > time_share(60, 0) > time_share(30, 0)


WORDS = st.sampled_from(
    [
        *("ugi", "uci", "isready", "setoption", "name", "value", "uginewgame", "position", "fen"),
        *("startpos", "moves", "go", "movetime", "nodes", "depth", "p1time", "stop", "query"),
        *("gameover", "p1turn", "result", "infinite", "RuleSet", "Level", "Threads", "Setups"),
        *("Repetition", "Quiet", "Minimal", "true", "false"),
        *("croft", "random:1", "pool:", "1", "-1", "0", "99", "e5-e6", "end", "pass", "e5", "-"),
        *POSITION.split(),
    ]
)
LINES = st.lists(st.lists(WORDS | st.text(max_size=6), max_size=8).map(" ".join), max_size=12)


@given(LINES)
def test_nothing_breaks_it(lines: list[str]) -> None:
    replies: list[str] = []
    serve(["setoption name Hash value 1", *lines, "stop", "isready"], replies.append)
    assert replies[-1] == "readyok"
    assert not any("the search has failed" in reply for reply in replies)
    for reply in replies:
        assert len(reply.splitlines()) == 1
        assert reply.split()[0] in {
            *("id", "option", "ugiok", "uciok", "readyok", "info", "bestmove", "response")
        }


def test_the_documented_conversation() -> None:
    shown = conversation(PROTOCOL.read_text(encoding="utf-8"))
    held = hold(shown)
    assert fixed(held) == fixed(shown)
    assert sum(line.startswith("bestmove ") for line in held) == 2
