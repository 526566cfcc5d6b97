"""replay, check, convert and stats as a user types them."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

import pytest
from rich.console import Console

import cyvasse
from cyvasse.cli import main
from cyvasse.cli.gamefiles import MOST_PROBLEMS, find_files, plain
from cyvasse.cli.keys import name_of
from cyvasse.cli.replay import Steps, _follow, frame
from cyvasse.errors import CyvasseError

DATA = Path(__file__).parent.parent / "data"
CROFT = DATA / "croft-game.txt"
NINE_TILE = DATA / "nine-tile-game.txt"


class Command(Protocol):
    """A command in this process: a program of its own would take a second to start."""

    def __call__(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        raw = io.BufferedReader(io.BytesIO(stdin.encode()))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
        monkeypatch.setattr(sys, "argv", ["cyvasse", *words])
        with pytest.raises(SystemExit) as left:
            main()
        told = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return subprocess.CompletedProcess(words, left.value.code, told.out, told.err)

    return command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good and bad games in several forms."""
    shutil.copy(CROFT, tmp_path / "a.txt")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(NINE_TILE.read_bytes() * 3))
    (tmp_path / "notes.md").write_text("no game")
    return tmp_path


# --- check ----------------------------------------------------------------------------------------


def test_check(run: Command, folder: Path) -> None:
    told = run("check", str(folder))
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == [
        f"{folder}/a.txt: 1 game, all good",
        f"{folder}/b.txt.gz: 3 games, all good",
        "2 files, 4 games, 0 problems",
    ]
    assert told.stderr == ""


def test_check_goes_on_and_tells_where(run: Command, folder: Path) -> None:
    good = CROFT.read_text()
    bad = good.replace("\n1. ", "\n1. a1-a9,", 1)
    (folder / "c.txt").write_text(f"{good}\n{bad}\n{good}")
    told = run("check", f"{folder}/?.txt", str(folder / "b.txt.gz"))
    assert told.returncode == 1
    line = good.count("\n") + 1 + bad[: bad.index("\n1. ")].count("\n") + 2
    assert told.stdout.splitlines()[1].startswith(f"{folder}/c.txt:{line}:4: a1-a9 is not legal")
    assert told.stdout.splitlines()[2:] == [
        f"{folder}/c.txt: 3 games, 1 bad",
        f"{folder}/b.txt.gz: 3 games, all good",
        "3 files, 7 games, 1 problem",
    ]


def test_check_of_files_that_are_not_there(run: Command, folder: Path) -> None:
    told = run("check", str(folder / "none.txt"), str(folder / "a.txt"))
    assert told.returncode == 2
    assert told.stderr == f"cyvasse: cannot read {folder}/none.txt: No such file or directory\n"
    assert "a.txt: 1 game, all good" in told.stdout
    assert run("check", f"{folder}/*.xyz").returncode == 2
    empty = folder / "empty"
    empty.mkdir()
    assert run("check", str(empty)).returncode == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"\x00" * 2_000_000,
        bytes(range(256)) * 20,
        "[Rules".encode("utf-16"),
        gzip.compress(b"a" * 50_000_000),
        gzip.compress(b"{\n" * 3_000_000),
        gzip.compress(CROFT.read_bytes())[:-9],
        b"\x1f\x8bnot really",
        CROFT.read_bytes()[:-100],
        b'{"rule_set": ' + b"[" * 100_000,
        b'{"rule_set": ' + b"9" * 100_000 + b"}",
        b'[Rules "croft"]\n\n{\x1b[31mred\x07} 1. \x1b]0;title\x07 *',
    ],
    ids=range(13),
)
def test_hostile_files(run: Command, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    told = run("check", str(path))
    assert told.returncode == 1
    assert "Traceback" not in told.stderr + told.stdout
    problem, *_ = told.stdout.splitlines()
    name, line, column, _ = problem.split(":", 3)
    assert name == str(path)
    assert int(line) >= 1
    assert int(column) >= 1
    assert "\x1b" not in told.stdout
    assert len(told.stdout.splitlines()) <= MOST_PROBLEMS + 3
    for command in (("stats",), ("convert", "--to", "json"), ("replay",)):
        other = run(command[0], str(path), *command[1:])
        assert other.returncode in ((1, 2) if content.strip() else (0, 2))
        assert "Traceback" not in other.stderr
        assert "\x1b" not in other.stderr


def test_stdin_and_names_once(run: Command, folder: Path) -> None:
    told = run("check", "-", stdin=CROFT.read_text())
    assert told.stdout == "stdin: 1 game, all good\n1 file, 1 game, 0 problems\n"
    assert len(find_files([f"{folder}/a.txt", f"{folder}/a.txt", str(folder)])) == 2


def test_broken_pipes_are_quiet() -> None:
    program = f"{sys.executable} -W ignore -m cyvasse"
    for command in (f"replay {CROFT} --all", f"check {CROFT}", f"convert {DATA}/corpus --to jsonl"):
        told = subprocess.run(
            ["sh", "-c", f"{program} {command} | head -c 20"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.stderr == "", command


# --- convert --------------------------------------------------------------------------------------


def test_convert_and_back(run: Command, tmp_path: Path) -> None:
    source = CROFT.read_text() + "\n" + NINE_TILE.read_text()
    for out in ("games.json", "games.jsonl", "games.jsonl.gz", "games.txt.gz"):
        told = run("convert", "-", "-o", str(tmp_path / out), stdin=source)
        assert told.returncode == 0, told.stderr
        back = run("convert", str(tmp_path / out), "--to", "game")
        assert back.stdout == source
    lines = gzip.decompress((tmp_path / "games.jsonl.gz").read_bytes()).decode().splitlines()
    assert [json.loads(line)["rule_set"] for line in lines] == ["croft", "nine-tile"]
    again = run("convert", "-", "-o", str(tmp_path / "again.txt.gz"), stdin=source)
    assert again.returncode == 0
    assert (tmp_path / "again.txt.gz").read_bytes() == (tmp_path / "games.txt.gz").read_bytes()


def test_convert_to_positions_and_back(run: Command) -> None:
    game = cyvasse.read_game(CROFT.read_text())
    last = run("convert", str(CROFT), "--to", "position")
    assert last.stdout == game.position.text() + "\n"
    third = run("convert", str(CROFT), "--to", "position", "--turn", "3")
    assert third.stdout == game.position_after(3).text() + "\n"
    start = run("convert", "-", "--to", "game", stdin=third.stdout)
    assert cyvasse.read_game(start.stdout).position == game.position_after(3)
    beyond = run("convert", str(CROFT), "--to", "position", "--turn", "9999")
    assert beyond.returncode == 1
    assert "there is no turn 9999" in beyond.stderr


def test_convert_leaves_bad_games_out(run: Command, tmp_path: Path) -> None:
    bad = CROFT.read_text().replace("\n1. ", "\n7. ")
    told = run("convert", "-", "--to", "game", stdin=bad + "\n" + CROFT.read_text())
    assert told.returncode == 1
    assert told.stdout == CROFT.read_text()
    assert "turn 1 should come here, not 7." in told.stderr
    assert run("convert", str(CROFT)).returncode == 2
    assert run("convert", str(CROFT), "--to", "game", "--turn", "3").returncode == 2
    missing = run("convert", "none.txt", "-o", str(tmp_path / "out.txt"))
    assert missing.returncode == 2


# --- stats ----------------------------------------------------------------------------------------


def test_stats(run: Command, folder: Path) -> None:
    told = run("stats", str(folder), "--json")
    assert told.returncode == 0, told.stderr
    document = json.loads(told.stdout)
    assert (document["files"], document["problems"]) == (2, 0)
    nine_tile = document["rule_sets"]["nine-tile"]
    game = cyvasse.read_game(NINE_TILE.read_text())
    outcome = game.outcome()
    assert outcome is not None
    assert nine_tile["games"] == 3
    assert nine_tile["ends"] == {str(outcome.end): 3}
    assert nine_tile["turns"]["median"] == len(game.turns())
    assert nine_tile["actions"]["most"] == game.ply
    position, choices = game.start, []
    for action in game.actions:
        choices.append((len(position.legal_actions()), not position.in_turn))
        position.play(action)
    firsts = [number for number, first in choices if first]
    mean = sum(number for number, _ in choices) / len(choices)
    assert nine_tile["choices_per_action"] == round(mean, 2)
    assert nine_tile["choices_per_turn"] == round(sum(firsts) / len(firsts), 2)
    table = run("stats", str(folder)).stdout
    assert "nine-tile" in table
    assert f"{outcome.end}" in table
    assert table.endswith("2 files, 4 games\n")


def test_stats_of_games_that_have_not_begun(run: Command) -> None:
    told = run("stats", "-", "--json", stdin='[Rules "croft"]\n\n*\n')
    croft = json.loads(told.stdout)["rule_sets"]["croft"]
    assert croft["results"]["unfinished"] == 1
    assert croft["choices_per_turn"] is None
    assert croft["won_by_first"] is None
    assert run("stats", "-", stdin='[Rules "croft"]\n\n*\n').returncode == 0


# --- replay ---------------------------------------------------------------------------------------


def test_replay_on_a_pipe(run: Command) -> None:
    game = cyvasse.read_game(CROFT.read_text())
    told = run("replay", str(CROFT))
    assert told.returncode == 0, told.stderr
    assert "\x1b" not in told.stdout
    assert told.stdout == run("replay", str(CROFT), "--all").stdout
    for turn in (0, 1, len(game.turns())):
        assert str(game.position_after(turn)) in told.stdout
    assert told.stdout.rstrip().endswith(f"{game.outcome()}.")
    third = run("replay", str(CROFT), "--turn", "3").stdout
    assert third.startswith(f"3. {game.turns()[2].color.title}: {game.turns()[2]}\n")
    assert str(game.position_after(3)) in third
    assert run("replay", str(CROFT), "--turn", "999").returncode == 2


def test_replay_of_one_game_among_many(run: Command) -> None:
    bad = CROFT.read_text().replace("\n1. ", "\n7. ")
    text = "\n".join([CROFT.read_text(), bad, NINE_TILE.read_text()])
    assert run("replay", "-", "--game", "3", stdin=text).stdout.startswith("Nine-Tile")
    told = run("replay", "-", "--game", "2", stdin=text)
    assert told.returncode == 2
    assert "turn 1 should come here" in told.stderr
    beyond = run("replay", "-", "--game", "4", stdin=text)
    assert beyond.stderr == "cyvasse: stdin has 3 games; there is no game 4\n"
    waiting = run("replay", "-", stdin='[Rules "croft"]\n\n*\n')
    assert "The game goes on." in waiting.stdout


def test_keys_move_through_a_game() -> None:
    steps = Steps(cyvasse.read_game(CROFT.read_text()))
    keys = iter(["right", "space", "left", "end", "right", "page up", "home", "left", "x", "q"])
    shown: list[int] = []
    _follow(steps, lambda: next(keys), shown.append)
    last = steps.last
    assert shown == [0, 1, 2, 1, last, last, last - 10, 0, 0, 0]
    for turn in (5, 0, last, 3):
        assert steps.position(turn) == steps.game.position_after(turn)


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12), (20, 5)])
def test_frames_fit(size: tuple[int, int]) -> None:
    game = cyvasse.read_game(CROFT.read_text())
    game.comments[0] = "a remark"
    steps = Steps(game)
    console = Console(width=size[0], height=size[1], color_system=None)
    for turn in (0, 7, steps.last):
        with console.capture() as captured:
            console.print(frame(steps, turn, size))
        drawn = captured.get()
        assert max(len(line) for line in drawn.splitlines()) <= size[0]
        if size[0] >= 80:
            assert f"\u25b8 {steps.line(turn)[:20]}" in drawn


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_replay_in_a_terminal() -> None:
    import pty

    ours, theirs = pty.openpty()
    program = [sys.executable, "-W", "ignore", "-m", "cyvasse", "replay", str(CROFT)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(
        program, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        seen = b""
        for key in (b"\x1b[C", b"\x1b[F", b"q"):
            before = len(seen)
            while b"quit" not in seen[before:]:
                seen += os.read(ours, 4096)
            time.sleep(0.05)
            os.write(ours, key)
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            seen += piece
        assert process.wait(30) == 0
    os.close(ours)
    assert b"turn 1 of" in seen
    assert b"White wins" in seen or b"Black wins" in seen or b"Draw" in seen
    assert seen.rstrip().endswith((b"\x1b[?25h", b"\x1b[?1049l"))


# --- small things ---------------------------------------------------------------------------------


def test_what_is_shown_is_plain() -> None:
    assert plain("a\x1b[31m\udcff\n") == "a\\x1b[31m\\udcff\\n"
    assert plain("Ürün \U0001f409") == "Ürün \U0001f409"


def test_names_of_keys() -> None:
    assert name_of(b"\x1b[D") == "left"
    assert name_of(b"Q") == "q"
    assert name_of(b"\xff") == "\ufffd"


def test_a_folder_without_games(tmp_path: Path) -> None:
    with pytest.raises(CyvasseError, match="files in the folder"):
        find_files([str(tmp_path)])
