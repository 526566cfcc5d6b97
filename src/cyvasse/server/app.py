"""The application of one worker: routes, errors, cookies, and the service behind them."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from typing import Any

from litestar import Litestar, Request, Response, Router, WebSocket, websocket
from litestar.config.compression import CompressionConfig
from litestar.datastructures import Cookie
from litestar.di import Provide
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.routes import HTTPRoute
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE

from cyvasse.server import logs, openapi, page
from cyvasse.server.bodies import StrictRequest, only_json
from cyvasse.server.connection import Connection
from cyvasse.server.database import is_away
from cyvasse.server.guard import SAFE, YEAR, Guard, address_of, same_origin
from cyvasse.server.problems import AWAY, Busy, Place, ProblemDocument, Refusal, TooOften
from cyvasse.server.routes import boards, games, people, pictures, rules, system
from cyvasse.server.routes.common import COOKIE, KNOWN, PROBLEM, person_of, service_of
from cyvasse.server.service import Service
from cyvasse.server.settings import Settings

LARGEST_BODY = 65_536
SMALLEST_PACKED = 1_000
REFUSED = 4003

log = logging.getLogger("cyvasse.server")


def create_app(settings: Settings | None = None) -> Litestar:
    """The application; its settings come from the environment unless they are given."""
    settings = Settings.from_environment() if settings is None else settings
    logs.set_up(settings.log_level)
    service = Service(settings)

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        app.state.service = service
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    async def before(request: Request[Any, Any, Any]) -> None:
        if request.method not in SAFE:
            same_origin(request, settings)
            only_json(request)
        # A page without one of its files would be broken, and they cost nothing.
        if not request.url.path.startswith("/assets/"):
            service.limits.spend("request", address_of(request))

    app = Litestar(
        [
            Router(
                "/api",
                route_handlers=[
                    people.router,
                    games.router,
                    rules.router,
                    pictures.router,
                    boards.router,
                    socket,
                ],
            ),
            system.router,
            *page.routers(),
        ],
        lifespan=[life],
        before_request=before,
        request_class=StrictRequest,
        dependencies={
            "service": Provide(service_of, sync_to_thread=False),
            "person": Provide(person_of),
        },
        exception_handlers={
            Refusal: refused,
            HTTPException: failed,
            Exception: broke,
        },
        request_max_body_size=LARGEST_BODY,
        # Files of the page are compressed already, better than there is time for here.
        compression_config=CompressionConfig(
            "gzip", minimum_size=SMALLEST_PACKED, gzip_compress_level=6, exclude="^/assets/"
        ),
        openapi_config=openapi.config(COOKIE),
        logging_config=None,
    )
    # Litestar's own middleware would not see what has no route.
    app.asgi_handler = Guard(
        app.asgi_handler,
        partial(_cookies, service),
        settings.secure,
        _methods(app),
        page.fingerprint(),
    )
    return app


def _methods(app: Litestar) -> dict[str, str]:
    """Which methods each path has."""
    return {
        route.path_format: ", ".join(sorted(route.methods))
        for route in app.routes
        if isinstance(route, HTTPRoute)
    }


@websocket("/socket")
async def socket(socket: WebSocket[Any, Any, Any]) -> None:
    """The conversation of one client."""
    service: Service = socket.app.state.service
    address = address_of(socket)
    with ExitStack() as stack:
        try:
            same_origin(socket, service.settings)
            service.limits.spend("socket", address)
            stack.enter_context(service.limits.connected(address))
        except Refusal as refusal:
            await socket.accept()
            await socket.close(REFUSED, refusal.problem.detail)
            return
        person = await service.people.identify(socket.cookies.get(COOKIE))
        await socket.accept()
        connection = Connection(service, socket, person)
        service.connections.add(connection)
        await connection.run()


def refused(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Any]:
    """Something that cannot be done, in words; a browser gets the page, which finds them."""
    wait = {"Retry-After": str(refusal.wait)} if isinstance(refusal, TooOften) else {}
    if page.is_wanted(request):
        return page.answer(refusal.status, headers=wait)
    return _problem(refusal.problem, wait)


def failed(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """What Litestar refuses by itself, in the same form; a lost browser gets the page."""
    if isinstance(error, NotFoundException) and page.is_wanted(request):
        return page.answer(404)
    places: tuple[Place, ...] = ()
    detail = error.detail
    status = error.status_code
    if isinstance(error, ValidationException):
        found = error.extra if isinstance(error.extra, list) else []
        places = tuple(
            Place(f"{each['key']}: {each['message']}" if "key" in each else str(each["message"]))
            for each in found
            if isinstance(each, dict) and "message" in each
        )
        detail = " ".join(place.text for place in places) or "The request cannot be read."
    elif isinstance(error, NotFoundException):
        detail = "There is nothing at this address."
    elif status == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
        detail = (
            f"A request has at most {LARGEST_BODY} bytes, one with a game file "
            f"{games.LARGEST_FILE}."
        )
    title = {400: "That cannot be read", 404: "Not found", 405: "Not possible here"}
    return _problem(
        ProblemDocument(title.get(status, "Not done"), status, detail, "http", places),
        error.headers,
    )


def broke(request: Request[Any, Any, Any], error: Exception) -> Response[ProblemDocument]:
    """A mistake of ours, or the database's: logged for us, without details for others."""
    log.error(
        "a request failed", exc_info=error, extra={"route": request.scope.get("path_template")}
    )
    if is_away(error):
        return _problem(Busy(AWAY).problem)
    return _problem(ProblemDocument("Our mistake", 500, "Something went wrong here.", "internal"))


def _problem(
    problem: ProblemDocument, headers: dict[str, str] | None = None
) -> Response[ProblemDocument]:
    return Response(
        problem,
        status_code=problem.status,
        media_type=PROBLEM,
        headers=headers,
    )


def _cookies(service: Service, state: Mapping[str, Any], secure: bool) -> Iterator[str]:
    """Who somebody is now, and who knows the browser."""
    if (person := state.get("new_person")) is not None:
        yield _cookie(COOKIE, service.people.cookie(person), secure)
    if (known := state.get("known")) is not None:
        yield _cookie(KNOWN, known, secure)


def _cookie(name: str, value: str, secure: bool) -> str:
    return Cookie(
        name,
        value=value,
        max_age=YEAR if value else 0,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    ).to_header(header="")
