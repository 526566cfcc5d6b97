"""``cyvasse play`` as lines of text, from pipes and files."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cyvasse
from cyvasse.terminal.keeping import Keeper, kept_games, open_file
from cyvasse.terminal.orders import Order
from cyvasse.terminal.plain import PlainGame
from cyvasse.terminal.table import Table
from tests.events import EVENTS, NAMES

IDS = [rules.id for rules in cyvasse.rule_sets()]


def run(
    games: Path, *words: str, stdin: str | bytes = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "cyvasse", "play", *words],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, "CYVASSE_GAMES": str(games), **variables},
    )
    return subprocess.CompletedProcess(
        told.args, told.returncode, told.stdout.decode(), told.stderr.decode()
    )


@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled bots think for minutes")
@pytest.mark.parametrize("rules", IDS)
def test_whole_games(tmp_path: Path, rules: str) -> None:
    """A stronger bot types against the weakest one until the game is over."""
    order = Order(cyvasse.rule_set(rules), level=1, color=cyvasse.WHITE, setup="good", seed=4)
    table = order.table()
    said: list[str] = []
    mind = cyvasse.Engine(4, seed=1)

    def lines() -> object:
        for number in range(400):
            if number % 9 == 8:
                yield random.Random(number).choice(["help", "legal", "turns", "board", "flip"])
            yield f"{mind.choose(table.game)}\n"  # the same again says that it is meant

    PlainGame(table, Keeper(tmp_path), lines(), said.append, "good").run()  # type: ignore[arg-type]
    outcome = table.game.outcome()
    assert outcome is not None
    assert said[-1] == table.ending()
    assert kept_games(tmp_path) == []
    (file,) = tmp_path.iterdir()
    assert cyvasse.read_game(file.read_text()).outcome() == outcome


def test_a_game_from_a_pipe(tmp_path: Path) -> None:
    commands = "help\nboard\nready\nlegal\nwhy e4 e5\nfoo\npiece e4\npiece\nwhy\nlegal z9\nundo\n"
    told = run(
        *(tmp_path, "nine-tile", "--plain", "--level", "1", "--seed", "1"),
        *("--color", "white", "--first", "white"),
        stdin=commands,
    )
    assert told.returncode == 0
    assert told.stderr == ""
    assert "\x1b" not in told.stdout
    for text in (
        "take a named setup",
        "White is ready.",
        "legal: ",
        "'foo' is not an action",
        "why needs two squares",
        "no square 'z9'",
        "You have not played anything yet",
        "The game is kept; --resume takes it up again.",
    ):
        assert text in told.stdout
    again = run(tmp_path, "--resume", stdin="turns\nquit\n")
    assert again.returncode == 0
    assert "No turn has been played yet." in again.stdout


def test_save_undo_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.cyvasse"
    words = ("gameofcyvasse", "--level", "1", "--color", "white", "--first", "white")
    table = Order(cyvasse.rule_set("gameofcyvasse")).table()
    setup = table.rules.named_setups("white")["braavos"]
    start = run(tmp_path / "g", *words, "--setup", "braavos", stdin="legal\n").stdout
    action = next(line for line in start.splitlines() if "legal: " in line).split()[2]
    told = run(
        *(tmp_path / "g", *words, "--setup", "braavos"),
        stdin=f"{action}\nsave {file}\nundo\nturns\nsave {tmp_path}\nsave\n",
    )
    assert told.returncode == 0
    assert f"Saved in {file}." in told.stdout
    assert "taken back" in told.stdout
    assert "cannot write" in told.stdout
    game = open_file(file).table.game
    assert game.setup("white") == setup
    assert str(game.actions[0]) == action
    again = run(tmp_path / "g", str(file), stdin="turns\n")
    assert f"1. White {action}" in again.stdout


def test_two_at_one_keyboard_see_nothing_of_each_other(tmp_path: Path) -> None:
    told = run(tmp_path, "croft", "--friend", "--plain", stdin="random\nready\n\nready\nresign\n")
    before = told.stdout.partition("Hand over to Black")[0]
    (file,) = tmp_path.iterdir()
    game = cyvasse.read_game(file.read_text())
    setup = game.setup("white")
    assert setup is not None
    assert not any(f" {at}" in before for at in setup.pieces)
    assert str(game.outcome().end) == "resignation"  # type: ignore[union-attr]
    assert "resigned." in told.stdout.splitlines()[-1]


@pytest.mark.parametrize("rules", IDS)
def test_setups_by_commands(tmp_path: Path, rules: str) -> None:
    chance = random.Random(5)
    here = cyvasse.rule_set(rules)
    squares = here.board.squares
    names = [*(kind.name for kind in here.piece_types), "keep", "mountains", "water", "3", "x"]
    words = ["help", "presets", "things", "random", "good", "mirror", "clear", "undo", "board"]
    lines = []
    for _ in range(120):
        at, to = chance.choice(squares), chance.choice(squares)
        lines.append(
            chance.choice(
                [
                    chance.choice(words),
                    f"put {chance.choice(names)} {at}",
                    f"move {at} {to}",
                    f"off {at}",
                    f"turn {at}",
                    f"choose {chance.choice(['left', 'right', 'up'])}",
                    "ready now",
                    "put",
                    "setup nonsense",
                    "open nowhere",
                    "[b]\x1b",
                ]
            )
        )
    setup = cyvasse.write_setup(here.named_setups("white")["sunspear"])
    lines += ["clear", "ready", "check", setup, "ready", "quit"]
    told = run(tmp_path, rules, "--plain", "--color", "white", stdin="\n".join(lines))
    assert told.returncode == 0, told.stderr
    assert "White is ready." in told.stdout
    (kept,) = kept_games(tmp_path)
    assert kept.table.game.setup("white") == cyvasse.parse_setup(setup)


@pytest.mark.parametrize(
    "words",
    [
        ("chess",),
        ("nine-tile", "--level", "99"),
        ("nine-tile", "--level", "x"),
        ("nine-tile", "--color", "green"),
        ("nine-tile", "--first", "green"),
        ("nine-tile", "--setup", "nonsense"),
        ("nine-tile", "--setup", "."),
        ("nine-tile", "--theme", "pink"),
        ("nine-tile", "--friend", "--level", "1"),
        ("nine-tile", "--friend", "--color", "white"),
        ("no/such/file",),
        (".",),
        ("--resume",),
        ("nine-tile", "--resume"),
    ],
)
def test_bad_input(tmp_path: Path, words: tuple[str, ...]) -> None:
    told = run(tmp_path / "none", *words, "--plain")
    assert told.returncode == 2
    assert told.stderr.strip()
    assert "Traceback" not in told.stderr + told.stdout


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"[Rules", b'[Rules "croft"]\n\n1. a1', b"x" * 5_000_000]
)
def test_bad_files(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "game.cyvasse"
    file.write_bytes(content)
    for words in ((str(file),), ("croft", "--setup", str(file))):
        told = run(tmp_path / "none", *words)
        assert told.returncode == 2
        assert told.stderr.startswith(f"cyvasse: {file}")
        assert len(told.stderr.strip().splitlines()) == 1


def test_input_that_is_no_text(tmp_path: Path) -> None:
    told = run(tmp_path, "croft", "--setup", "good", stdin=b"\xff\xfe\n\0\n" + b"a" * 100_000)
    assert told.returncode == 0
    assert "Traceback" not in told.stderr


def test_no_colour_and_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = run(
        tmp_path / "file" / "games", "croft", "--setup", "good", stdin="board\n", NO_COLOR="1"
    )
    assert told.returncode == 0
    assert told.stdout.count("The game is not being kept: cannot write") == 1
    assert "\x1b" not in told.stdout


def test_without_textual_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from cyvasse.cli import play

    monkeypatch.setattr(play, "_is_capable", lambda: True)
    monkeypatch.setitem(sys.modules, "cyvasse.terminal.screens.app", None)
    with pytest.raises(cyvasse.CyvasseError, match=r"pip install 'cyvasse\[terminal\]'.*--plain"):
        play.play("croft")


def at_a_table(
    folder: Path, event: dict[str, Any], *answers: str, bots: bool = False, **more: Any
) -> tuple[Table, list[str]]:
    """What is said as somebody plays an event line by line, all actions of a turn in one."""
    game = cyvasse.Game.from_position(cyvasse.parse_position(event["position"]))
    table = Table(game, {game.turn.other: 1} if bots else {})
    turns: list[list[str]] = []
    replay = cyvasse.Game.from_position(game.position)
    for action in event["actions"]:
        turns = turns if replay.in_turn else [*turns, []]
        turns[-1].append(action)
        replay.play(action)
    lines = [",".join(turn) for turn in turns]
    said: list[str] = []
    PlainGame(table, Keeper(folder), [*lines, *answers], said.append, **more).run()
    return table, said


@pytest.mark.parametrize("event", EVENTS, ids=NAMES)
def test_every_event_is_said(tmp_path: Path, event: dict[str, Any]) -> None:
    table, said = at_a_table(tmp_path, event, questions=False)
    for sentence in event["told"]:
        assert said.count(sentence["text"]) == 1, said
    turn = str(table.game.turn)
    for danger in event["dangers"]:
        if danger["color"] == turn:  # one who waits is told of it when it is new
            assert danger["text"] in said
    if event["outcome"]:
        assert said[-1] == event["outcome"]["text"]


RISKY = [event for event in EVENTS if event["risks"] and len(event["actions"]) == 1]


@pytest.mark.parametrize("event", RISKY, ids=lambda event: f"{event['rule_set']}: {event['event']}")
def test_what_gives_something_away_is_asked_about(tmp_path: Path, event: dict[str, Any]) -> None:
    asked = " ".join(risk["text"] for risk in event["risks"]) + " Play it all the same (yes)? "
    (action,) = event["actions"]
    table, said = at_a_table(tmp_path, event, "no")
    assert asked in said
    assert (table.game.ply, said[-3]) == (0, "It is not played.")
    for answer in ("yes", action):
        table, said = at_a_table(tmp_path, event, answer)
        assert asked in said
        assert str(table.game.actions[0]) == action
    table, said = at_a_table(tmp_path, event, "board", questions=False)
    assert asked not in said
    assert table.game.ply == 1


def test_the_person_at_the_table_is_addressed(tmp_path: Path) -> None:
    event = next(each for each in EVENTS if each["event"] == "own piece captured")
    asked = f"{event['risks'][0]['white']} Play it all the same (yes)? "
    table, said = at_a_table(tmp_path, event, "yes", "quit", bots=True)
    assert asked in said
    assert event["told"][0]["white"] in said
    assert table.game.ply == 2
    assert any(sentence.startswith("Black's ") for sentence in said)
