"""Ctrl-C is for the parent process, which then ends its children."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


def ignore_interrupts() -> None:
    """For a child, once it runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def starting_children() -> Iterator[None]:
    """Children that are started here do not hear Ctrl-C even before they run; it comes afterwards.

    >>> with starting_children():
    ...     signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    True
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
