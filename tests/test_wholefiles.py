"""Files are whole or as before, whatever fails and whoever else writes."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cyvasse.wholefiles import write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def failing(number: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_text_and_bytes(tmp_path: Path) -> None:
    write_whole(tmp_path / "text", "Füße\n")
    write_whole(tmp_path / "bytes", b"\r\n\xff")
    write_whole(tmp_path / "bytes", b"\r\n")
    assert (tmp_path / "text").read_bytes() == "Füße\n".encode()
    assert (tmp_path / "bytes").read_bytes() == b"\r\n"
    assert names(tmp_path) == ["bytes", "text"]


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes there")
def test_who_may_read(tmp_path: Path) -> None:
    def mode(path: Path) -> int:
        return path.stat().st_mode & 0o777

    file, private = tmp_path / "file", tmp_path / "private"
    before = os.umask(0o022)
    try:
        write_whole(file, "")
        write_whole(private, "", private=True)
        assert (mode(file), mode(private)) == (0o644, 0o600)
        for each in (file, private):
            each.chmod(0o640)
        write_whole(file, "")
        write_whole(private, "", private=True)
        assert (mode(file), mode(private)) == (0o640, 0o600)
    finally:
        os.umask(before)


def test_a_link_stays_one(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    for text in ("first", "second"):
        write_whole(link, text)
        assert link.is_symlink()
        assert (tmp_path / "file").read_text() == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    write_whole(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("step", ["os.open", "os.fsync", "pathlib.Path.replace"])
def test_what_fails_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    with monkeypatch.context() as full:
        full.setattr(step, failing(errno.ENOSPC))
        with pytest.raises(OSError, match="space"):
            write_whole(file, "after")
    assert file.read_text() == "before"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("step", ["os.fsync", "links and names"])
def test_a_fresh_file_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    file = tmp_path / "file"
    with monkeypatch.context() as full:
        if step == "os.fsync":
            full.setattr(step, failing(errno.ENOSPC))
        else:
            full.setattr(Path, "hardlink_to", failing(errno.EPERM))
            full.setattr(Path, "replace", failing(errno.ENOSPC))
        with pytest.raises(OSError, match="space"):
            write_whole(file, "after", fresh=True)
    assert names(tmp_path) == []


@pytest.mark.parametrize("links", [True, False], ids=["with links", "without"])
def test_of_many_fresh_files_one_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", failing(errno.EPERM))
    barrier = threading.Barrier(6)

    def write(file: Path, text: str) -> str | None:
        barrier.wait()
        try:
            write_whole(file, text, fresh=True)
        except FileExistsError:
            return None
        return text

    with ThreadPoolExecutor(6) as threads:
        for turn in range(10):
            file = tmp_path / str(turn)
            writing = [threads.submit(write, file, f"{number}") for number in range(6)]
            won = [each.result() for each in writing]
            assert [text for text in won if text is not None] == [file.read_text()]
    assert len(names(tmp_path)) == 10


def test_a_folder_that_cannot_be_kept_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every file system can; the file is safe all the same."""
    fsync = os.fsync
    calls = 0

    def only_files(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    write_whole(tmp_path / "file", "safe")
    assert calls == 2
    assert (tmp_path / "file").read_text() == "safe"
