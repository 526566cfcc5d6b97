"""``cyvasse mail`` as two players use it."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from tests.cli import command

CODE = re.compile(r"\[cyv1\.[^\]]+\]")


def run(*words: str, text: str = "", code: int = 0) -> str:
    return command.run("mail", *words, text=text, code=code)


def test_a_game_begins(tmp_path: Path) -> None:
    white, black = str(tmp_path / "white.mail"), str(tmp_path / "black.mail")
    invitation = run("new", white, "gameofcyvasse")
    assert stat.S_IMODE(Path(white).stat().st_mode) == 0o600
    assert "you play Black" in run("join", black, text=f"Come and play!\n{invitation}")
    first = run("setup", white, "good")
    assert len(CODE.findall(first)) == 1
    assert "is fixed" in run("take", black, text=first)
    second = run("setup", black, "random")  # commitment and opening in one mail
    assert len(CODE.findall(second)) == 2
    third = run("take", white, text=second)
    assert "is open" in third
    run("take", black, text=third)
    shown = {name: run("show", name) for name in (white, black)}
    (mover,) = [name for name, told in shown.items() if "It is your turn" in told]
    other = black if mover == white else white
    assert "exists already" in run("new", white, "croft", code=2)
    refused = run("play", mover, "a1-a1", code=2)
    assert refused.startswith("cyvasse: ")
    hint = run("play", other, "a1-a2", code=2)
    assert "take the mail with it first" in hint
    assert "resigned" in run("take", other, text=run("resign", mover))
    files = {run("export", name) for name in (white, black)}
    assert len(files) == 1


def test_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "game.mail"
    assert "there is no" in run("show", str(file), code=2)
    assert "chess" in run("new", str(file), "chess", code=2)
    assert not file.exists()
    file.write_bytes(b"\xff\xfe\0")
    assert "no game by mail" in run("show", str(file), code=2)
    file.write_text("[" * 100_000)
    assert "no game by mail" in run("show", str(file), code=2)
    file.unlink()
    run("new", str(file), "croft")
    assert "no code" in run("take", str(file), "hello", code=2)
    assert "is no setup" in run("setup", str(file), "winterfell-2", code=2)
    assert "choose your setup" in run("export", str(file), code=2).lower()
