"""The file in which a side is kept: damaged, edited, foreign, shared, and in use twice at once."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cyvasse
from cyvasse.mail import Correspondence, MailError, files
from cyvasse.notation import write_setup
from cyvasse.rules.terms import WHITE
from tests.mail.test_crossing import at_table, some_turn


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a game in which something has been played."""
    mover, other = at_table()
    other.take(some_turn(mover))
    white = mover if mover.me is WHITE else other
    path = tmp_path / "game.mail"
    files.write(path, white, fresh=True)
    assert files.read(path) == white
    return path


def edit(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document, indent=1))


OTHER = write_setup(cyvasse.rule_set("gameofcyvasse").random_setup(WHITE, seed=99))


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        ({"format": "cyvasse mail 2"}, 1, "another version; this one reads 'cyvasse mail 1'"),
        ({"rule_set": "chess"}, 3, "no rule set 'chess'"),
        ({"game": "\ud800\x1bcdefgh"}, 4, "no game's name"),
        ({"seat": "green"}, 5, "green"),
        ({"setup": OTHER}, 6, "not what your commitment was made of"),
        ({"setup": 3}, 6, "'setup' is not a text"),
        ({"setup": None}, 6, "go together"),
        ({"salt": "x"}, 7, "salt"),
        ({"theirs": "é"}, 8, "commitment"),
        ({"their_salt": None}, 10, "go together"),
        ({"actions": ["a1-a1"]}, 12, "a1"),
        ({"actions": "e4"}, 11, "'actions' is not a list"),
        ({"offered": "green"}, 14, "green"),
        ({"ended": "both"}, 15, "both"),
        ({"sent": ["x"]}, 17, "no code"),
        ({"more": 1}, -1, "no 'more'"),
    ],
)
def test_an_edited_file_names_the_line(
    file: Path, change: dict[str, object], line: int, words: str
) -> None:
    edit(file, lambda document: document.update(change))
    with pytest.raises(MailError, match=words) as refused:
        files.read(file)
    if line < 0:
        line += len(file.read_text().splitlines())
    assert re.search(rf"game\.mail, line {line}, column \d+: ", str(refused.value))
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "line 1, column 1: .*empty"),
        (b"{\n \xff", "line 2, column 2: .*nor any text"),
        (b'{"format": "cyvasse mail 1",\n "rule_set": "cro', "line 2, column 14: "),
        (b"[Event]", "line 1, column 2: "),
        (b"[]", "no game by mail"),
        (b'{"format": "cyvasse mail 1"}', "'actions' is missing"),
        (b"[" * 100_000, "no game by mail"),
        (b"{" + b"9" * 5000, "no game by mail"),
    ],
)
def test_a_file_that_is_no_game(tmp_path: Path, text: bytes, words: str) -> None:
    file = tmp_path / "game.mail"
    file.write_bytes(text)
    with pytest.raises(MailError, match=words):
        files.read(file)


def test_every_truncated_file_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(0, len(whole) - 2, 7):
        file.write_bytes(whole[:length])
        with pytest.raises(MailError, match=r"line \d+, column \d+"):
            files.read(file)


def test_what_editors_add_does_no_harm(file: Path) -> None:
    game = files.read(file)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert files.read(file) == game


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(MailError, match="'new' begins a game"):
        files.read(tmp_path / "none")
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(MailError, match="no file"):
            files.read(path)
    game = Correspondence.new(cyvasse.rule_set("croft"), WHITE)
    with pytest.raises(MailError, match="there is no folder"):
        files.write(tmp_path / "none" / "game.mail", game, fresh=True)


def test_a_game_is_not_written_over(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(MailError, match="exists already"):
        files.write(file, Correspondence.new(cyvasse.rule_set("croft"), WHITE), fresh=True)
    assert file.read_bytes() == before


def test_the_file_is_for_its_owner_alone(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    files.write(file, files.read(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["game.mail"]


def test_a_link_stays_one(file: Path) -> None:
    link = file.with_name("link.mail")
    link.symlink_to(file)
    game = files.read(link)
    game.resign()
    files.write(link, game)
    assert link.is_symlink()
    assert files.read(file) == game


def test_nothing_is_lost_when_the_disk_is_full(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = file.read_bytes()
    game = files.read(file)
    game.resign()
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(MailError, match=r"cannot write .*game\.mail: No space left"):
        files.write(file, game)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["game.mail"]
    with pytest.raises(MailError, match="No space left"):
        files.write(file.with_name("new.mail"), game, fresh=True)
    assert [path.name for path in file.parent.iterdir()] == ["game.mail"]


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be locked there")
def test_two_at_once_work_one_after_the_other(tmp_path: Path) -> None:
    """Each reads, waits, adds an offer and writes; without a lock most of them would be lost."""
    mover, _ = at_table()
    file = tmp_path / "game.mail"
    files.write(file, mover, fresh=True)
    script = (
        "import sys, time, pathlib; from cyvasse.mail import files\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "for _ in range(5):\n"
        "    with files.held(file) as game:\n"
        "        time.sleep(0.01)\n"
        "        game.offer()\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", script, str(file)]) for _ in range(2)]
    assert [run.wait() for run in runs] == [0, 0]
    assert sum(".offer." in text for text in files.read(file).sent) == 10


def test_what_fails_is_not_kept(file: Path) -> None:
    before = file.read_bytes()

    def resign_twice(game: Correspondence) -> None:
        game.resign()
        game.resign()

    with pytest.raises(MailError, match="over"), files.held(file) as game:
        resign_twice(game)
    assert file.read_bytes() == before
