"""What stands before every request: same origin, rate limits, and safe answers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from cyvasse.server import metrics
from cyvasse.server.limits import neighbourhood
from cyvasse.server.problems import NotYours
from cyvasse.server.settings import Settings

log = logging.getLogger("cyvasse.server.http")

SAFE = ("GET", "HEAD", "OPTIONS")
YEAR = 365 * 24 * 60 * 60
# The page may load its own files and nothing else; nobody may frame it.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # a private game's link stays here
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


# Anyone may invent methods; each would be counted for ever.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
# Only when the browser came by HTTPS.
STRICT = {"Strict-Transport-Security": f"max-age={YEAR}"}


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where a request comes from, as it is counted."""
    return neighbourhood(connection.client.host) if connection.client else "unknown"


def same_origin(connection: ASGIConnection[Any, Any, Any, Any], settings: Settings) -> None:
    """Refuse what another site's page sends with our visitor's cookie.

    Browsers say where a request comes from.  Programs that are no browsers say nothing and have
    no cookies of others.
    """
    headers = connection.headers
    if headers.get("sec-fetch-site") in ("same-origin", "none"):
        return
    origin = headers.get("origin")
    if origin is None and headers.get("sec-fetch-site") is None:
        return
    allowed = [each.strip().rstrip("/") for each in settings.origins.split(",") if each.strip()]
    if origin is None or (not _is_host(origin, headers.get("host")) and origin not in allowed):
        raise NotYours("This request comes from another site's page.")


def _is_host(origin: str, host: str | None) -> bool:
    try:
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:
        return False


class Guard:
    """Around every request: its answer gets safe headers and cookies, and is logged by route."""

    def __init__(
        self,
        app: ASGIApp,
        cookies: Callable[[Mapping[str, Any], bool], Iterable[str]],
        secure: bool,
        methods: Mapping[str, str],
        page: Mapping[str, str],
    ) -> None:
        self._app = app
        self._cookies = cookies
        """Those that follow from a request's state."""
        self._secure = secure
        self._methods = methods
        self._page = page
        """The header that tells which page fits this server."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._complete(MutableScopeHeaders(message), scope)
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            _note(scope, status, time.perf_counter() - start)

    def _complete(self, headers: MutableScopeHeaders, scope: HTTPScope) -> None:
        secure = self._secure or scope["scheme"] == "https"
        for name, value in (HEADERS | STRICT if secure else HEADERS).items():
            headers.setdefault(name, value)
        if scope["method"] == "OPTIONS" and scope.get("path_template") in self._methods:
            # Litestar's own answer knows one handler of a path only.
            headers["Allow"] = self._methods[scope["path_template"]]
        # Only what says so may be kept: not even that there is nothing.
        headers.setdefault("Cache-Control", "no-store")
        if scope["path"].startswith("/api"):
            headers.update(self._page)
        for cookie in self._cookies(scope.get("state", {}), secure):
            headers.add("Set-Cookie", cookie)


def _note(scope: HTTPScope, status: int, seconds: float) -> None:
    """Count and log a request by its route: the path itself may be a private game's link."""
    route = str(scope.get("path_template") or "unknown")
    method = scope["method"] if scope["method"] in METHODS else "other"
    metrics.requests.labels(method, route, str(status)).inc()
    metrics.request_seconds.labels(route).observe(seconds)
    log.info(
        "request",
        extra={
            "method": method,
            "route": route,
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
        },
    )
