"""What is counted for Prometheus, added up over all workers of this machine."""

from __future__ import annotations

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
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

TYPE = CONTENT_TYPE_LATEST
# Where workers leave their numbers for whichever of them is asked.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

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
