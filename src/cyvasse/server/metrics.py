"""What is counted for Prometheus, added up over all workers of this machine."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from cyvasse.wholefiles import write_whole

TYPE = CONTENT_TYPE_LATEST
# Where workers leave their numbers for whichever of them is asked.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# Their files, and how much room is taken for each: more than there are routes to count.
KINDS = ("counter", "histogram", "gauge_livesum")
ROOM = 524_288

log = logging.getLogger("cyvasse.server.metrics")


def _take_room() -> None:
    """Take the room for this worker's numbers before it counts.

    The files are written as memory, and where the disk is full the first number that finds no place
    would end the process.  A worker without room counts for itself.
    """
    shared = os.environ.get(SHARED_FOLDER)
    if not shared:
        return
    files = [Path(shared, f"{kind}_{os.getpid()}.db") for kind in KINDS]
    try:
        for file in files:
            if not file.exists():
                write_whole(file, bytes(ROOM))
    except OSError as error:
        log.warning("no room for metrics; they are of one worker", extra={"error": error.strerror})
        for file in files:
            file.unlink(missing_ok=True)
        del os.environ[SHARED_FOLDER]
        values.ValueClass = values.MutexValue


_take_room()

requests = Counter("cyvasse_requests", "HTTP requests.", ["method", "route", "status"])
request_seconds = Histogram("cyvasse_request_seconds", "How long they took.", ["route"])
commands = Counter("cyvasse_commands", "What players did in games.", ["outcome"])
commands_done = commands.labels("done")
commit_seconds = Histogram("cyvasse_commit_seconds", "From a command to its commit.")
bot_seconds = Histogram("cyvasse_bot_seconds", "From a bot's turn to its action.")
sockets = Gauge("cyvasse_sockets", "Open websockets.", multiprocess_mode="livesum")
rooms = Gauge("cyvasse_rooms", "Games held in memory.", multiprocess_mode="livesum")
bots_waiting = Gauge("cyvasse_bots_waiting", "Bots to act.", multiprocess_mode="livesum")


def forget_the_dead() -> None:
    """Workers that were killed have nothing open any more."""
    shared = os.environ.get(SHARED_FOLDER)
    for file in Path(shared).glob("gauge_live*_*.db") if shared else ():
        worker = file.stem.rpartition("_")[2]
        if worker.isdecimal() and not _is_alive(int(worker)):
            mark_process_dead(worker, shared)  # type: ignore[no-untyped-call]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def page() -> bytes:
    """Everything that was counted."""
    if not os.environ.get(SHARED_FOLDER):
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
