"""``cyvasse mail`` as two players use it."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from cyvasse.mail import Code
from cyvasse.notation import write_setup
from cyvasse.rules import rule_set
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


def begun(folder: Path) -> tuple[str, str]:
    """The files of two players who know each other's setups: who is to act, and the other."""
    white, black = str(folder / "white.mail"), str(folder / "black.mail")
    run("join", black, text=run("new", white, "gameofcyvasse"))
    run("take", black, text=run("setup", white, "good"))
    run("take", black, text=run("take", white, text=run("setup", black, "good")))
    return (white, black) if "It is your turn" in run("show", white) else (black, white)


def quoted(mail: str) -> str:
    return "".join(f"> {line}\n" for line in mail.splitlines())


def test_everything_in_one_mail(tmp_path: Path) -> None:
    """The friend was slow: invitation and commitment come together, quoted and in any order."""
    white, black = str(tmp_path / "white.mail"), str(tmp_path / "black.mail")
    run("new", white, "croft")
    run("setup", white, "sunspear")
    invitation, commitment = CODE.findall(run("show", white))
    told = run("join", black, text=f"{commitment}\n{quoted(invitation)}")
    assert "you play Black" in told
    assert "White's setup is fixed" in told
    answer = run("setup", black, "pyke")
    first, second = CODE.findall(answer)
    mail = f"{second}\n\n{first}\nYou wrote:\n{quoted(invitation + commitment)}"
    told = run("take", white, text=mail)
    assert "is open, and is the one" in told
    assert len(CODE.findall(told)) == 1
    assert "is open, and is the one" in run("take", black, text=mail + quoted(told))
    again = run("take", white, text=mail)
    assert "already" in again
    assert not CODE.findall(again)


def test_the_own_mail(tmp_path: Path) -> None:
    mover, _ = begun(tmp_path)
    before = Path(mover).read_bytes()
    own = run("show", mover)
    assert "mailed yourself" in run("take", mover, text=own, code=2)
    assert Path(mover).read_bytes() == before


def test_what_is_good_in_a_mail_is_taken(tmp_path: Path) -> None:
    mover, other = begun(tmp_path)
    foreign = run("new", str(tmp_path / "third.mail"), "croft")
    offer = run("draw", other)
    assert "join it with a new file" in run("take", mover, text=foreign + offer, code=2)
    assert "offers a draw" in run("show", mover)
    resigned = run("resign", other)
    cut = quoted(offer.split("]")[0])  # the end of what was quoted is lost
    assert "line 8, column 3: here begins a code" in run("take", mover, text=resigned + cut, code=2)
    assert "The game is over" in run("show", mover)


def test_all_codes_can_be_mailed_again(tmp_path: Path) -> None:
    mover, _ = begun(tmp_path)
    kinds = [code.split(".")[1] for code in CODE.findall(run("show", mover, "--all"))]
    assert kinds[-2:] == ["commit", "open"]


def test_a_turn_that_cannot_be(tmp_path: Path) -> None:
    mover, other = begun(tmp_path)
    name = run("show", mover).split("game ")[1][:8]
    before = Path(other).read_bytes()
    for actions in ("a1-a99", "a1~a2", "pass,pass", ",".join(["pass"] * 10_000)):
        lie = str(Code("turn", name, ("0", actions, "aaaaaaaa")))
        told = run("take", other, text=lie, code=2)
        assert "turn cannot be played" in told
        assert len(told) < 500
    assert Path(other).read_bytes() == before


def test_setups_from_files(tmp_path: Path) -> None:
    file = str(tmp_path / "game.mail")
    run("new", file, "croft")
    setup = tmp_path / "my setup.txt"
    setup.write_text("croft white 1")
    assert "my setup.txt: a setup has five parts" in run("setup", file, str(setup), code=2)
    setup.write_bytes(b"croft\n\xff")
    assert "my setup.txt, line 2, column 1" in run("setup", file, str(setup), code=2)
    text = write_setup(rule_set("croft").named_setups("white")["pyke"])
    setup.write_text(f"\ufeff\n{text}\n")
    assert ".commit." in run("setup", file, str(setup))


def test_endless_input_ends(tmp_path: Path) -> None:
    file = str(tmp_path / "game.mail")
    run("new", file, "croft")
    assert "too long" in run("take", file, text="x" * 1_000_002, code=2)
    assert "is no file" in run("show", "/dev/null", code=2)
