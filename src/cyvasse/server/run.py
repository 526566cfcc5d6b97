"""Start and end the server's processes."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import shutil
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import uvicorn

from cyvasse.errors import CyvasseError
from cyvasse.rules import left_out
from cyvasse.server import logs
from cyvasse.server.database import DatabaseError
from cyvasse.server.hints import backend
from cyvasse.server.metrics import SHARED_FOLDER
from cyvasse.server.service import prepare
from cyvasse.server.settings import Settings, secret

log = logging.getLogger("cyvasse.server")

SHUTDOWN_SECONDS = 10
# Larger than what is understood, so that a client is told what is wrong instead of cut off.
LARGEST_FRAME = 1_048_576


def run(settings: Settings, *, open_page: bool = False) -> None:
    """Serve until told to stop."""
    logs.set_up(settings.log_level)
    for sentence in left_out().values():
        log.warning("%s", sentence)
    # uvicorn ends politely on SIGTERM, and then lets the signal do what it did before.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with _only_one(settings):
        secret(settings.folder)
        backend(settings)
        _check_address(settings)
        try:
            asyncio.run(prepare(settings))
        except DatabaseError as error:
            raise CyvasseError(str(error)) from None
        if settings.workers > 1:
            _share_metrics(settings.folder)
        address = f"http://{settings.host}:{settings.port}/"
        print(f"Cyvasse is served at {address}", flush=True)
        if open_page:
            threading.Thread(target=_open, args=[settings, address], daemon=True).start()
        uvicorn.run(
            "cyvasse.server.app:create_app",
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers if settings.workers > 1 else None,
            log_config=logs.config(settings.log_level),
            access_log=False,
            ws="websockets-sansio",
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies or None,
            server_header=False,
        )


def _open(settings: Settings, address: str) -> None:
    """Show the page as soon as the server answers; where there is no browser nothing happens."""
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection((settings.host, settings.port)):
            webbrowser.open(address)
            return
        time.sleep(0.1)


def _only_one(settings: Settings) -> IO[str]:
    """Make and hold the folder: two servers on one SQLite would not hear of each other."""
    with _in_words(settings.folder):
        settings.folder.mkdir(parents=True, exist_ok=True)
        lock = open(settings.folder / "server.lock", "w")  # noqa: SIM115
    if not settings.database:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise CyvasseError(
                f"another server already uses {settings.folder.absolute()}; stop it, "
                "or give another folder with --data"
            ) from None
    return lock


@contextlib.contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    """Say why a folder cannot be used."""
    try:
        yield
    except OSError as error:
        raise CyvasseError(
            f"cannot use the folder {folder.absolute()}: {error.strerror}; see that there is room "
            "and that the server may write there, or give another folder with --data"
        ) from None


def _check_address(settings: Settings) -> None:
    """Find out before anything is said or changed whether one can listen there."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        raise CyvasseError(
            f"cannot listen at {settings.host} port {settings.port}: {error.strerror}; "
            "choose others with --host and --port"
        ) from None


def _share_metrics(folder: Path) -> None:
    shared = folder / "metrics"
    shutil.rmtree(shared, ignore_errors=True)
    with _in_words(shared):
        shared.mkdir()
    os.environ[SHARED_FOLDER] = str(shared.absolute())
