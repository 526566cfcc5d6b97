"""A command as somebody types it, but in this process: tests run many of them."""

from __future__ import annotations

import contextlib
import io

import pytest

from cyvasse.cli import main


def run(*words: str, text: str = "", code: int = 0) -> str:
    """What ``cyvasse`` prints, on stderr if it fails; it must end with ``code``."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr("sys.argv", ["cyvasse", *words])
        patch.setattr("sys.stdin", io.StringIO(text))
        with pytest.raises(SystemExit) as end:
            main()
    assert (end.value.code or 0) == code, (out.getvalue(), err.getvalue())
    return out.getvalue() if code == 0 else err.getvalue()
