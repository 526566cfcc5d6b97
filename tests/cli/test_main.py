"""The commands as a user types them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import cyvasse
from cyvasse.cli.main import app

ROOT = Path(__file__).parents[2]
POSITION = "nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/7K - w - 0"


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "cyvasse", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_show() -> None:
    told = run("show", POSITION, "--actions")
    assert told.returncode == 0, told.stderr
    position = cyvasse.parse_position(POSITION)
    assert str(position) in told.stdout
    assert POSITION in told.stdout
    assert f"{len(position.legal_actions())} legal actions: " in told.stdout


def test_show_takes_words_stdin_and_rule_sets() -> None:
    whole = run("show", POSITION).stdout
    assert run("show", *POSITION.split()).stdout == whole
    assert run("show", "-", stdin=POSITION + "\n").stdout == whole
    assert "White to act." in run("show", "nine-tile").stdout
    assert (
        run("show", "nine-tile", "--seed", "4").stdout
        == run("show", "nine-tile", "--seed", "4").stdout
    )


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_every_rule_set(rules: cyvasse.RuleSet) -> None:
    shown = run("show", rules.id, "--seed", "3")
    position = rules.random_position(3)
    assert str(position) in shown.stdout
    text = position.text()
    assert text in shown.stdout
    assert run("show", text).stdout == shown.stdout
    assert f"perft 1: {cyvasse.perft(position, 1)} (" in run("perft", text, "-d", "1").stdout
    assert "to act." in run("show", rules.id).stdout
    game = cyvasse.read_game(run("random-game", rules.id, "--seed", "5").stdout)
    assert game.rules is rules
    assert game.outcome() is not None


def test_show_explains() -> None:
    told = run("show", POSITION, "--explain", "e5", "e7")
    assert "Rabble moves at most 1 square; e7 is 2 away." in told.stdout


def test_perft() -> None:
    told = run("perft", POSITION, "--depth", "2")
    position = cyvasse.parse_position(POSITION)
    for depth in (1, 2):
        assert f"perft {depth}: {cyvasse.perft(position, depth)} (" in told.stdout
    divided = run("perft", POSITION, "--depth", "2", "--divide").stdout.splitlines()
    counts = [int(line.split()[1]) for line in divided if not line.startswith("perft")]
    assert sum(counts) == cyvasse.perft(position, 2)


def test_random_game_is_a_game_file_and_repeats() -> None:
    told = run("random-game", "nine-tile", "--seed", "7")
    assert told.returncode == 0
    game = cyvasse.read_game(told.stdout)
    assert game.outcome() is not None
    assert run("random-game", "nine-tile", "--seed", "7").stdout == told.stdout
    assert run("random-game", "nine-tile", "--seed", "8").stdout != told.stdout


def test_rulesets_and_version() -> None:
    told = run("rulesets").stdout
    for rules in cyvasse.rule_sets():
        assert rules.id in told
        assert rules.title in told
    assert run("--version").stdout == f"cyvasse {cyvasse.__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("show", "chess"),
        ("show", "nine-tile", "8/8", "-", "w", "-", "0"),
        ("show", POSITION, "--seed", "3"),
        ("show", POSITION, "--explain", "z9", "e5"),
        ("random-game", "chess"),
        ("verify", "no/such/nine-tile.jsonl"),
        ("verify", "nothing.jsonl"),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...]) -> None:
    told = run(*words)
    assert told.returncode == 2
    assert told.stderr.startswith("cyvasse: ")
    assert len(told.stderr.strip().splitlines()) == 1
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize("words", [("perft", POSITION, "--depth", "99"), ("show",), ("nonsense",)])
def test_wrong_usage(words: tuple[str, ...]) -> None:
    told = run(*words)
    assert told.returncode == 2
    assert "Traceback" not in told.stderr


def test_a_position_may_end_with_minus_one() -> None:
    position = "croft 10/10/10/10/10/10/10/4R1R3/10/K8k - w second_rabble=e3 -1"
    assert run("show", *position.split()).stdout == run("show", position).stdout
    assert "White to act (same turn)." in run("show", *position.split()).stdout


def test_unreadable_input_is_one_line() -> None:
    program = [sys.executable, "-W", "ignore", "-m", "cyvasse", "show", "-"]
    told = subprocess.run(
        program,
        input=b"\xff",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert told.returncode == 2
    assert told.stderr.startswith(b"cyvasse: cannot read from stdin")


def test_help_names_the_commands() -> None:
    told = run("--help").stdout
    for command in ("show", "perft", "random-game", "verify", "rulesets", "pool", "tune"):
        assert command in told


def test_help_groups_the_commands() -> None:
    told = run("--help").stdout
    places = [told.index(f"─ {group} ─") for group in ("Play", "Files and pictures", "The engine")]
    places.append(told.index("─ Host ─"))
    assert places == sorted(places)
    for number, command in enumerate(("mail", "stats", "ugi", "serve")):
        assert told.index(f" {command} ") > places[number]
        assert [*places, len(told)][number + 1] > told.index(f"│ {command} ")
    assert "─ Commands ─" not in told


def commands() -> dict[str, str | None]:
    """The help of every command, by what one types."""
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    found = {}
    for name, each in group.commands.items():
        found[name] = each.help
        if isinstance(each, typer.core.TyperGroup):
            found |= {f"{name} {word}": below.help for word, below in each.commands.items()}
    assert len(found) > 15
    return found


def test_every_command_is_in_the_documents() -> None:
    """As one types it."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text() for page in pages)
    unnamed = [name for name in commands() if not re.search(rf"\bcyvasse {name}\b", text)]
    assert unnamed == [], "no document has these commands as one types them"


def test_every_command_has_a_help() -> None:
    without = [name for name, told in commands().items() if not told]
    assert without == [], "the functions of these commands have no docstring"


def test_console_script() -> None:
    script = Path(sys.executable).parent / "cyvasse"
    told = subprocess.run([script, "--version"], capture_output=True, text=True, check=False)
    assert told.stdout.startswith("cyvasse ")


def test_prove() -> None:
    text = "nine-tile 6k1/6L2/10/11/12/11/10/9/7K - w - 0"
    told = run("prove", text, "--turns", "2")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("White wins in 1 turn: g8xg9 (")
    nothing = run("prove", *text.replace(" w ", " b ").split(), "-t", "2")
    assert nothing.stdout.startswith("Black has no forced win in 2 turns (")
    short = run("prove", "nine-tile", "--nodes", "5000")
    assert short.stdout == ("not decided within 5,000 nodes: White has no forced win in 1 turn\n")
    assert run("prove", text, "--nodes", "1").stdout == "not decided within 1 node\n"
    assert run("prove", text, "--turns", "16").returncode == 2
