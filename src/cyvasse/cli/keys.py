"""Single keys from a terminal, by name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# What terminals send for the keys that have no character.
_SEQUENCES = {
    b"\x1b[C": "right",
    b"\x1bOC": "right",
    b"\x1b[D": "left",
    b"\x1bOD": "left",
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"\x1b[H": "home",
    b"\x1bOH": "home",
    b"\x1b[1~": "home",
    b"\x1b[F": "end",
    b"\x1bOF": "end",
    b"\x1b[4~": "end",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    b"\x1b": "escape",
    b" ": "space",
    b"\r": "enter",
    b"\n": "enter",
    b"": "end of input",
    b"\x03": "escape",
    b"\x04": "escape",
}
_WINDOWS = {"M": "right", "K": "left", "H": "up", "P": "down", "G": "home", "O": "end"}


@contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """A function that waits for a key and returns its name: ``right``, ``q`` …"""
    if sys.platform == "win32":
        yield _windows_key
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        # A key's bytes come in one piece.
        yield lambda: name_of(os.read(terminal, 8))
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def name_of(sequence: bytes) -> str:
    """The name of a key that sends these bytes.

    >>> name_of(b"\\x1b[C"), name_of(b"q")
    ('right', 'q')
    """
    return _SEQUENCES.get(sequence) or sequence.decode("utf-8", "replace").lower()


def _windows_key() -> str:
    import msvcrt

    key: str = msvcrt.getwch()  # type: ignore[attr-defined]
    if key in ("\x00", "\xe0"):
        return _WINDOWS.get(msvcrt.getwch(), "")  # type: ignore[attr-defined]
    return name_of(key.encode())
