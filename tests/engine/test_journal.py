"""Files of results that are stopped and taken up again."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyvasse import CyvasseError
from cyvasse.engine.journal import Journal

HEADING = {"journal": "test", "seed": 1}


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "journal.jsonl"
    journal = Journal(path, HEADING)
    assert journal.entries == []
    journal.add([1, "zwei"])
    journal.add({"three": 4.5})
    assert Journal(path, HEADING).entries == [[1, "zwei"], {"three": 4.5}]


@pytest.mark.parametrize("torn", ["[2, 3", "[2, 3]"])
def test_a_line_that_was_not_finished_is_dropped(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, HEADING).add([1])
    with path.open("a") as file:
        file.write(torn)
    journal = Journal(path, HEADING)
    assert journal.entries == [[1]]
    journal.add([4])
    assert Journal(path, HEADING).entries == [[1], [4]]


def test_dropping_a_line_loses_no_other_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "journal.jsonl"
    Journal(path, HEADING).add([1])
    with path.open("a") as file:
        file.write("[2, 3")
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            Journal(path, HEADING)
    assert Journal(path, HEADING).entries == [[1]]


def test_a_heading_that_was_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text('{"journal"')
    Journal(path, HEADING).add([1])
    assert Journal(path, HEADING).entries == [[1]]


def test_another_heading_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    Journal(path, HEADING)
    with pytest.raises(CyvasseError, match="was begun with"):
        Journal(path, {**HEADING, "seed": 2})


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ned,\nwinter is")
    with pytest.raises(CyvasseError, match="no journal"):
        Journal(path, HEADING)
    assert path.read_text() == "Dear Ned,\nwinter is"


def test_without_a_file_nothing_is_kept() -> None:
    journal = Journal(None, HEADING)
    journal.add([1])
    assert journal.entries == []
