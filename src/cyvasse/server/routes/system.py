"""For whoever runs the server, and about it."""

from __future__ import annotations

import msgspec
from litestar import Response, Router, get
from litestar.openapi.datastructures import ResponseSpec
from sqlalchemy import select

from cyvasse import __version__
from cyvasse.server import metrics
from cyvasse.server.database import tables as t
from cyvasse.server.problems import ProblemDocument, TooOften
from cyvasse.server.routes.common import PROBLEM, reading
from cyvasse.server.service import Service


class Health(msgspec.Struct, frozen=True):
    """Whether the server can do its work."""

    status: str
    version: str


@get(
    "/healthz",
    responses={
        503: ResponseSpec(Health, description="The database does not answer"),
        429: ResponseSpec(ProblemDocument, description=TooOften.title, media_type=PROBLEM),
    },
)
async def health(service: Service) -> Response[Health]:
    """Whether this worker and its database answer."""
    try:
        async with service.database.read() as connection:
            await connection.execute(select(t.pulse.c.at))
    except Exception:
        return Response(Health("the database does not answer", __version__), status_code=503)
    return Response(Health("ok", __version__))


class Imprint(msgspec.Struct, frozen=True):
    """What visitors may want to know of a server."""

    version: str
    contact: str
    """How to reach whoever runs it; empty where nobody has said."""


@reading("/api/about")
async def about(service: Service) -> Imprint:
    """Which version runs here, and whom to ask."""
    return Imprint(__version__, service.settings.contact)


@get("/metrics", include_in_schema=False)
async def metrics_page() -> Response[bytes]:
    """Numbers for Prometheus."""
    return Response(metrics.page(), media_type=metrics.TYPE)


router = Router("/", tags=["system"], route_handlers=[health, about, metrics_page])
