"""Matches: fair pairs, the same result however they are played, and files that resume."""

from __future__ import annotations

import functools
import gc
import io
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

import cyvasse
from cyvasse.engine import match as matches
from cyvasse.engine.match import MatchResult, play_pair, run_match
from cyvasse.engine.opponents import player_of
from cyvasse.engine.starts import SETUP_SOURCES, Starts, draw_start
from cyvasse.engine.statistics import Sprt
from cyvasse.errors import CyvasseError

RULES = cyvasse.rule_set("nine-tile")


def small(**changes: object) -> matches.Match:
    fields = {"rules_id": "nine-tile", "seed": 3, "setups": "pool", "fingerprints": "a b"}
    players = {"first": player_of("greedy"), "second": player_of("random")}
    return matches.Match(**{**fields, **players, **changes})  # type: ignore[arg-type]


def games_of(path: Path) -> list[cyvasse.Game]:
    return list(cyvasse.read_games(path.read_text()))


def test_a_pair_is_fair() -> None:
    """Same setups, same beginner, the players swapped."""
    beginners = set()
    for number in range(1, 7):
        pair = play_pair(small(), number)
        one, two = (cyvasse.read_game(text) for text in pair.texts)
        assert one.start == two.start
        assert one.setup("white") == two.setup("white")
        assert (one.tags["White"], one.tags["Black"]) == ("greedy", "random")
        assert (two.tags["White"], two.tags["Black"]) == ("random", "greedy")
        assert one.actions != two.actions
        for game, points, own in zip((one, two), pair.points, cyvasse.Color, strict=True):
            outcome = game.outcome()
            assert outcome is not None
            assert points == (0.5 if outcome.winner is None else outcome.winner is own)
        beginners.add(one.start.turn)
    assert beginners == set(cyvasse.Color)


def test_pairs_follow_from_seed_and_number_alone() -> None:
    assert play_pair(small(), 4) == play_pair(small(), 4)
    starts = [small().start(number).setups for number in range(1, 9)]
    assert any(one != starts[0] for one in starts)
    assert small(seed=4).number(1) != small(seed=3).number(1) != small(seed=3).number(2)


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("source", SETUP_SOURCES)
def test_starts(rules: cyvasse.RuleSet, source: str) -> None:
    start = draw_start(rules, source, 5)
    assert start == draw_start(rules, source, 5)
    for color in cyvasse.Color:
        assert not rules.check_setup(start.setups[color])
        assert start.setups[color].color is color
        if source == "named":
            assert rules.named_setups(color)[start.names[color]] == start.setups[color]
    assert any(draw_start(rules, source, seed) != start for seed in range(6, 12))
    if rules.first_player is not None:
        assert start.first is rules.first_player


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_no_two_pairs_begin_alike(rules: cyvasse.RuleSet) -> None:
    """Of few setups too, and players who would repeat themselves play different games."""
    starts = Starts(rules.id, "named", 1)
    assert len({starts.text(number) for number in range(1, 61)}) == 60
    assert Starts(rules.id, "named", 1).of(60) == starts.of(60)
    for number in range(1, 61):
        for color in cyvasse.Color:
            assert not rules.check_setup(starts.of(number).setups[color])
    drawn = run_match(rules, "depth:1", "nodes:20", games=20, setups="named")
    assert drawn.distinct == 20


def test_a_repeated_game_is_counted_once() -> None:
    """The same player twice, on the same setups, plays the same game twice."""
    result = run_match("nine-tile", "depth:1", "depth:1", games=4)
    assert (result.games, result.distinct) == (4, 2)


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_every_rule_set_plays(rules: cyvasse.RuleSet) -> None:
    result = run_match(rules, "random", "random", games=2, setups="named")
    assert result.games == 2


def test_processes_change_nothing(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    alone = run_match("nine-tile", "greedy", "random", games=12, seed=2, out=one)
    together = run_match("nine-tile", "greedy", "random", games=12, seed=2, jobs=2, out=two)
    assert alone == together
    assert one.read_bytes() == two.read_bytes()
    games = games_of(one)
    assert [(game.tags["Pair"], game.tags["Game"]) for game in games] == [
        (str(pair), str(game)) for pair in range(1, 7) for game in (1, 2)
    ]
    assert alone.wins > alone.losses


def test_the_test_ends_a_match_at_the_same_pair(tmp_path: Path) -> None:
    file = tmp_path / "games"
    told: list[MatchResult] = []
    play = functools.partial(run_match, "nine-tile", "greedy", "random", sprt=(0.3, 0.5))
    result = play(games=60, jobs=2, out=file, on_pair=told.append)
    assert result.decision == "H1"
    assert result.games < 60
    assert told[0].games == 0
    assert all(before.decision is None for before in told[:-1])
    assert told[-1] == result
    assert len(games_of(file)) == result.games
    assert play(games=60) == result
    # Decided already: nothing is played, whatever the maximum.
    before = file.read_bytes()
    assert play(games=90, out=file) == result
    assert file.read_bytes() == before


def test_resume(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    result = run_match("nine-tile", "greedy", "random", games=8, out=whole)
    run_match("nine-tile", "greedy", "random", games=4, out=part)
    told: list[MatchResult] = []
    assert (
        run_match("nine-tile", "greedy", "random", games=8, out=part, on_pair=told.append) == result
    )
    assert [standing.games for standing in told] == [4, 6, 8]
    assert part.read_bytes() == whole.read_bytes()
    # A smaller match is the beginning of a larger one.
    assert run_match("nine-tile", "greedy", "random", games=4, out=part).games == 4
    assert part.read_bytes() == whole.read_bytes()


def test_resume_after_a_break_anywhere(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    run_match("nine-tile", "greedy", "random", games=4, out=whole)
    data = whole.read_bytes()
    places = [0, 5, 12, 30, 200, len(data) // 3, len(data) - 1, len(data) - 2, len(data) - 4]
    places += [data.index(b'[Rules "', len(data) // 2), data.index(b"\n\n") + 2]
    for place in places:
        part.write_bytes(data[:place])
        run_match("nine-tile", "greedy", "random", games=4, out=part)
        assert part.read_bytes() == data, place


def test_other_files_are_refused_and_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "games"
    run_match("nine-tile", "greedy", "random", games=2, out=file)
    played = file.read_bytes()

    def refused(told: str, *players: str, rules: str = "nine-tile", **options: object) -> None:
        before = file.read_bytes()
        with pytest.raises(CyvasseError, match=told) as error:
            run_match(rules, *(players or ("greedy", "random")), games=4, out=file, **options)  # type: ignore[arg-type]
        assert str(file) in str(error.value)
        assert "a file of its own" in str(error.value)
        assert file.read_bytes() == before

    refused("Seed is '1' there in game 1, and '2' here", seed=2)
    refused("White is 'greedy'", "random", "greedy")
    refused("Black is 'random'", "greedy", "greedy")
    refused("Setups is 'pool'", setups="random")
    refused("Rules is 'nine-tile'", "random", "random", rules="croft")
    file.write_bytes(played.replace(b'[Fingerprints "', b'[Fingerprints "x'))
    refused("other weights or levels")
    file.write_bytes(played.replace(b'[Pair "1"]', b'[Pair "7"]'))
    refused("Pair is '7'")
    for content in (b"my notes\n", b"my notes\n" + played):
        file.write_bytes(content)
        refused("does not begin with a game")
    file.write_bytes(b'[Rules "croft"]\n')
    refused("has an error in its game 1")
    second = played.index(b'[Rules "', 10)
    file.write_bytes(played[: second - 30] + b"\n\n" + played[second:])
    refused("has an error in its game 1")
    game = cyvasse.read_game(played[:second].decode())
    unfinished = cyvasse.Game.from_position(game.start, tags=game.tags)
    file.write_text(f"{unfinished}\n")
    refused("holds an unfinished game")


def test_interrupted_it_keeps_what_is_finished(tmp_path: Path) -> None:
    file = tmp_path / "games"
    program = subprocess.Popen(
        [
            *(sys.executable, "-W", "ignore", "-m", "cyvasse", "match", "nine-tile"),
            *("greedy", "greedy", "--games", "100000", "--jobs", "2", "--out", str(file)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not (file.exists() and file.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(program.pid, signal.SIGINT)  # as a terminal does: the children get it too
    try:
        out, err = program.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)
        raise
    assert program.returncode == 130
    assert "Traceback" not in err
    assert f"the same command goes on with {file}" in err
    games = games_of(file)
    assert games
    # The signal may come after a pair is written and before it is counted.
    assert f"{len(games)} games: " in out or f"{len(games) - 2} games: " in out


def test_a_dead_worker_is_told() -> None:
    with pytest.raises(CyvasseError, match="has died"):
        list(matches._in_parallel(small(first=Deadly()), range(1, 3), 2))


class Deadly:
    """Unpickled, that is in a worker, it ends the process."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return signal.raise_signal, (signal.SIGKILL,)


def test_endless_games_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LONGEST_GAME", 4)
    pair = play_pair(small(first=player_of("random")), 1)
    assert pair.points == (0.5, 0.5)
    for text in pair.texts:
        game = cyvasse.read_game(text)
        assert game.comments == {4: "stopped after 4 actions"}
        assert game.ply == 4
        assert str(game) == text


def test_swapped_players_swap_the_result() -> None:
    result = run_match("nine-tile", "greedy", "random", games=6)
    other = run_match("nine-tile", "random", "greedy", games=6)
    assert result.score.value > 0.5 > other.score.value


def test_equals_without_chance_play_the_same_game_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LONGEST_GAME", 20)
    engine = player_of("depth:1")
    pair = play_pair(small(first=engine, second=engine), 1)
    one, two = (cyvasse.read_game(text) for text in pair.texts)
    assert one.actions == two.actions
    assert one.ply == 20


def test_result_in_words_and_as_data() -> None:
    result = MatchResult(small(), Sprt(0.55, 0.65))
    assert result.document()["score"] == {"low": 0.0, "value": 0.5, "high": 1.0}
    for points in [(1.0, 1.0)] * 30 + [(1.0, 0.5), (0.0, 1.0), (0.0, 0.0)]:
        result = result.plus(points, ("one", "two"))
    assert (result.wins, result.draws, result.losses) == (62, 1, 3)
    assert result.pairs == (1, 0, 1, 1, 30)
    assert str(result).splitlines()[:4] == [
        "nine-tile: greedy against random, seed 3, setups: pool",
        "66 games: 62 won, 1 drawn, 3 lost",
        "different games: 2",
        "pairs by points: 1 with 0, 0 with ½, 1 with 1, 1 with 1½, 30 with 2",
    ]
    assert "score 94.7% (95 %: " in str(result)
    assert "Elo +501 (95 %: +" in str(result)
    assert "SPRT, H0 55% against H1 65%: H1 accepted, LLR " in str(result)
    document = json.loads(json.dumps(result.document(), allow_nan=False))
    assert document["sprt"]["decision"] == "H1"
    assert document["sprt"]["llr"] == pytest.approx(result.llr)
    assert document["pairs"] == [1, 0, 1, 1, 30]
    unbeaten = MatchResult(small()).plus((1.0, 1.0), ("one", "one")).document()
    assert unbeaten["distinct_games"] == 1
    assert (unbeaten["elo"]["value"], unbeaten["elo"]["high"]) == (None, None)
    assert "sprt" not in unbeaten


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"games": 3}, "even number"),
        ({"games": 0}, "even number"),
        ({"jobs": 0}, "number of processes"),
        ({"seed": "1"}, "whole number"),
        ({"setups": "mine"}, "pool, named or random"),
        ({"sprt": (0.6, 0.5)}, "the lower one first"),
    ],
)
def test_errors_in_words(options: dict[str, object], told: str) -> None:
    with pytest.raises(CyvasseError, match=told):
        run_match("nine-tile", "random", "random", **options)  # type: ignore[arg-type]


@pytest.mark.skipif(not cyvasse.COMPILED, reason="thirty games take long uncompiled")
def test_games_leave_nothing_behind() -> None:
    match = small()
    for number in range(1, 13):  # starts are kept, since no two may be alike, and texts of actions
        play_pair(match, number)
    gc.collect()
    tracemalloc.start()
    try:
        play_pair(match, 2)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for number in range(3, 13):
            play_pair(match, number)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 100_000  # the twenty games, kept, would take four times as much


def test_files_can_be_read_as_games() -> None:
    texts = play_pair(small(), 1).texts
    games = list(cyvasse.read_games(io.StringIO("\n".join(texts))))
    assert [str(game) for game in games] == list(texts)
