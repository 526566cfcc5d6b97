"""A bot's mind in a process of its own: the engine, which speaks UGI on stdin and stdout.

docs/ugi.md describes the protocol.  What makes a worker of it is how it behaves: it leaves the
processor and Ctrl-C to the server, tells nothing of a board when something goes wrong, and ends
when its stdin does, in the middle of a thought too, so that it never outlives the server.

``python -m cyvasse.server.botworker`` is that process.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
from pathlib import Path
from queue import SimpleQueue

from cyvasse.engine.interrupts import ignore_interrupts
from cyvasse.engine.ugi import serve

NICENESS = 10


def main() -> None:
    """Obey until stdin ends."""
    ignore_interrupts()
    _step_back()
    lines: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    with contextlib.suppress(OSError):  # nobody hears it any more
        serve(iter(lines.get, None), _say, place)
    os._exit(0)  # the listening thread is not to be waited for


def place(error: Exception) -> str:
    """Where an error happened, but not what it says: that could tell of the board.

    >>> try:
    ...     serve(5, print)
    ... except TypeError as error:
    ...     place(error).rpartition(" ")[0]
    'TypeError in serve, line'
    """
    while isinstance(error.__cause__, Exception):
        error = error.__cause__
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, line {last.lineno}"


def _step_back() -> None:
    """Leave the processor to the server when both want it."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Where Linux schedules by sessions niceness counts only within one, and this has its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def _listen(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin.buffer:
        lines.put(line.decode(errors="replace"))
    os._exit(0)


def _say(text: str) -> None:
    os.write(sys.stdout.fileno(), f"{text}\n".encode())


if __name__ == "__main__":
    main()
