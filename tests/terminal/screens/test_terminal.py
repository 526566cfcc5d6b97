"""The command in a real terminal: it starts, and ends at once."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cyvasse.terminal.keeping import kept_games

pty = pytest.importorskip("pty")
LONGEST = 60.0


def until(screen: int, text: bytes) -> bytes:
    seen = b""
    end = time.monotonic() + LONGEST
    while text not in seen and time.monotonic() < end:
        if select.select([screen], [], [], 0.2)[0]:
            try:
                seen += os.read(screen, 65536)
            except OSError:  # Linux says so when the program is gone
                break
    return seen


@pytest.mark.parametrize("key", [b"q", b"\x03", b"\x11"], ids=["q", "ctrl-c", "ctrl-q"])
def test_quitting_while_the_bot_thinks(tmp_path: Path, key: bytes) -> None:
    words = ["play", "nine-tile", "--level", "8", "--color", "black", "--first", "white"]
    screen, far_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "cyvasse", *words, "--setup", "good"],
        stdin=far_end,
        stdout=far_end,
        stderr=far_end,
        start_new_session=True,
        env={
            **os.environ,
            "CYVASSE_GAMES": str(tmp_path),
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
        },
    )
    os.close(far_end)
    try:
        assert b"to act" in until(screen, b"to act")
        os.write(screen, key)
        until(screen, b"no such text: read until the program is gone")
        assert process.wait(LONGEST) == 0
    finally:
        process.kill()
        process.wait()
        os.close(screen)
    assert len(kept_games(tmp_path)) == 1
