"""The engine's commands as a user types them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

import cyvasse
from cyvasse.engine.bench import bench_positions

POSITION = "nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/7K - w - 0"
OVER = "nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/8 - w - 0"
RULE_SETS = (
    "option name RuleSet type combo default nine-tile "
    "var nine-tile var mikelepage var croft var gameofcyvasse"
)
SIX_PARTS = (
    "info string error: a position has six parts (rule set, pieces, terrain, w or b, fields, "
    "quiet turns), not 1; the last position stays"
)
PROGRAM = [sys.executable, "-W", "ignore", "-m", "cyvasse"]


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words], input=stdin, capture_output=True, text=True, check=False
    )


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_best_prints_a_legal_action_only(rules: cyvasse.RuleSet) -> None:
    position = rules.random_position(3)
    told = run("best", rules.id, "--seed", "3", "--nodes", "500")
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    assert told.stdout.endswith("\n")
    assert position.is_legal(told.stdout.removesuffix("\n"))


@pytest.mark.parametrize("limits", [("--level", "1"), ("--depth", "2"), ("--seconds", "0.05")])
def test_best_keeps_to_limits(limits: tuple[str, str]) -> None:
    told = run("best", "-", *limits, stdin=POSITION)
    assert cyvasse.parse_position(POSITION).is_legal(told.stdout.strip()), told.stderr


def test_best_repeats() -> None:
    first = run("best", POSITION, "--nodes", "3000").stdout
    assert run("best", POSITION, "--nodes", "3000").stdout == first


def test_analyse() -> None:
    told = run("analyse", POSITION, "--depth", "3", "--lines", "2")
    assert told.returncode == 0, told.stderr
    heading, *rows = told.stdout.splitlines()
    assert heading.split() == ["depth", "seconds", "nodes", "score", "line"]
    assert len(rows) == 6
    assert [row.split()[0] for row in rows[::2]] == ["1", "2", "3"]
    for row in rows:
        action = next(word for word in row.split() if word[0].isalpha())
        assert cyvasse.parse_position(POSITION).is_legal(action)


def test_analyse_as_json() -> None:
    told = run("analyse", POSITION, "--nodes", "4000", "--threads", "2", "--json")
    depths = []
    for line in told.stdout.splitlines():
        analysis = json.loads(line)
        depths.append(analysis["depth"])
        assert set(analysis) == {"depth", "nodes", "seconds", "lines"}
        assert len(analysis["lines"]) == 3
        scores = [found["score"] for found in analysis["lines"]]
        assert scores == sorted(scores, reverse=True)
        for found in analysis["lines"]:
            position = cyvasse.parse_position(POSITION)
            for action in found["actions"]:
                position.play(action)
    assert depths == list(range(1, len(depths) + 1))
    assert len(depths) > 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_interrupted_analysis_ends_well() -> None:
    program = start("analyse", "nine-tile", "--json")
    assert program.stdout is not None
    assert json.loads(program.stdout.readline())["depth"] == 1
    program.send_signal(signal.SIGINT)
    try:
        told, errors = program.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        program.kill()
        raise
    assert program.returncode == 0
    assert errors == ""
    for line in told.splitlines():
        assert json.loads(line)["lines"]


def test_bench_as_json_is_one_line() -> None:
    told = run("bench", "--json", "--nodes", "300")
    assert told.returncode == 0, told.stderr
    (line,) = told.stdout.splitlines()
    results = json.loads(line)
    assert list(results) == [rules.id for rules in cyvasse.rule_sets()]
    for result in results.values():
        assert set(result) == {"nps", "nodes", "signature"}
        assert result["nodes"] > 0
        assert result["nps"] > 0
        assert result["signature"].startswith(f"{result['nodes']}-")


def test_bench_repeats_and_tells_differences() -> None:
    def signature(nodes: str) -> str:
        told = json.loads(run("bench", "nine-tile", "--json", "--nodes", nodes).stdout)
        assert list(told) == ["nine-tile"]
        return str(told["nine-tile"]["signature"])

    first = signature("400")
    assert signature("400") == first
    assert signature("500") != first
    assert first in run("bench", "nine-tile", "--nodes", "400").stdout


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_bench_positions_are_games_that_go_on(rules: cyvasse.RuleSet) -> None:
    positions = bench_positions(rules)
    assert all(position.outcome() is None for position in positions)
    texts = [position.text() for position in positions]
    assert len(set(texts)) == len(texts)
    assert texts == [position.text() for position in bench_positions(rules)]


def test_ugi_conversation() -> None:
    told = run(
        "ugi",
        stdin="\n".join(
            [
                "ugi",
                "isready",
                f"position fen {POSITION} moves e5-e6",
                "query p1turn",
                "query gameover",
                "query result",
                "position fen nonsense",
                "quit",
                "isready",
            ]
        ),
    )
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    assert told.stdout.splitlines() == [
        f"id name cyvasse {cyvasse.__version__}",
        "id author The Cyvasse authors",
        RULE_SETS,
        "option name Setups type string default named",
        "option name Level type spin default 0 min 0 max 10",
        "option name Threads type spin default 1 min 1 max 64",
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Repetition type check default true",
        "option name Quiet type check default true",
        "option name Minimal type check default false",
        "ugiok",
        "readyok",
        "response false",
        "response false",
        "response none",
        SIX_PARTS,
    ]


def test_ugi_reads_while_it_searches() -> None:
    program = start("ugi")
    assert program.stdin is not None
    assert program.stdout is not None

    def send(line: str) -> None:
        assert program.stdin is not None
        program.stdin.write(f"{line}\n")
        program.stdin.flush()

    def wait_for(word: str) -> list[str]:
        assert program.stdout is not None
        seen = []
        for line in program.stdout:
            seen.append(line)
            if line.startswith(word):
                return seen
        raise AssertionError(f"no {word} after {seen}")

    send("go infinite")
    wait_for("info depth 2")
    send("isready")
    assert not any(line.startswith("bestmove") for line in wait_for("readyok"))
    send("stop")
    wait_for("bestmove")
    send("go infinite")
    send("quit")
    assert any(line.startswith("bestmove") for line in program.stdout)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == 0
    assert errors == ""


def test_ugi_ends_with_its_input() -> None:
    told = run("ugi", stdin="go infinite")
    assert told.returncode == 0
    assert told.stdout.splitlines()[-1].startswith("bestmove ")


def test_ugi_bears_any_bytes() -> None:
    told = subprocess.run(
        [*PROGRAM, "ugi"],
        input=b"\xff\xfe\n\x00 setoption name \xff value \xe2\x82\xac\nposition fen \xff\nisready",
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii:strict"},
    )
    assert told.returncode == 0
    assert told.stderr == b""
    assert told.stdout.splitlines()[-1] == b"readyok"


def test_ugi_ends_quietly_when_nobody_listens() -> None:
    program = start("ugi")
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    program.stdin.write("go depth 3\nugi\n")
    program.stdin.close()
    assert program.wait(timeout=60) == 1
    assert program.stderr.read() == ""
    program.stderr.close()


@pytest.mark.parametrize("command", ["best", "analyse", "bench", "ugi"])
def test_help(command: str) -> None:
    told = run(command, "--help")
    assert told.returncode == 0
    assert f"cyvasse {command}" in told.stdout
    assert command in run("--help").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("best", "chess"),
        ("best", "nine-tile", "8/8", "-", "w", "-", "0"),
        ("best", OVER),
        ("analyse", OVER),
        ("analyse", "chess"),
        ("analyse", POSITION, "--seed", "3"),
        ("bench", "chess"),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...]) -> None:
    told = run(*words)
    assert told.returncode == 2
    assert told.stderr.startswith("cyvasse: ")
    assert len(told.stderr.strip().splitlines()) == 1
    assert told.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ("best",),
        ("best", POSITION, "--level", "11"),
        ("best", POSITION, "--nodes", "0"),
        ("analyse", POSITION, "--lines", "0"),
        ("analyse", POSITION, "--threads", "65"),
        ("bench", "--nodes", "none"),
        ("ugi", "now"),
    ],
)
def test_wrong_usage(words: tuple[str, ...]) -> None:
    told = run(*words)
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
