"""Structured logs: one JSON object a line.  They name routes, never links, cookies or contents."""

from __future__ import annotations

import json
import logging
import logging.config
import time
from typing import Any

# What the standard library puts into every record; the rest was given as ``extra``.
_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            # Further lines are asyncio's, with what a failed task was about.
            "message": record.getMessage().partition("\n")[0],
        }
        line |= {key: value for key, value in vars(record).items() if key not in _USUAL}
        if record.exc_info and record.exc_info[0] is not None:
            # The message of an exception may hold what somebody sent: its kind and place suffice.
            line["error"] = record.exc_info[0].__name__
            line["trace"] = _trace(record.exc_info[2])
            cause = record.exc_info[1] and record.exc_info[1].__cause__
            if cause is not None:  # what failed in a rule set of somebody else
                line["cause"] = type(cause).__name__
                line["cause_trace"] = _trace(cause.__traceback__)
        return json.dumps(line, default=str)


class NoAddresses(logging.Filter):
    """Leaves out what uvicorn says about each websocket: its address may be a private game's."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "WebSocket %s" not in str(record.msg)


def _trace(traceback: Any) -> list[str]:
    places = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        places.append(f"{code.co_filename}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return places


def config(level: str) -> dict[str, Any]:
    """For ``logging.config.dictConfig``, and for uvicorn."""
    level = level.upper()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "cyvasse.server.logs.JsonLines"}},
        "filters": {"addresses": {"()": "cyvasse.server.logs.NoAddresses"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "filters": ["addresses"],
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "cyvasse": {"level": level},
            # When debugging it writes down what goes over websockets: cookies, links and setups.
            "uvicorn": {"level": "INFO" if level == "DEBUG" else level},
            # The access log has the addresses of private games; ours has routes instead.
            "uvicorn.access": {"level": "CRITICAL", "propagate": False},
        },
    }


def set_up(level: str) -> None:
    """Log as the settings say."""
    logging.config.dictConfig(config(level))
