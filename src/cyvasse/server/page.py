"""The page in the browser: its files, built from web/, and the addresses at which it begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar import Request, Response, Router, get
from litestar.response import File
from litestar.static_files import create_static_files_router

FOLDER = Path(__file__).with_name("page")
INDEX = FOLDER / "index.html"
YEAR = 365 * 24 * 60 * 60

# The page finds out by itself what to show at each of them.
ADDRESSES = [
    "/",
    "/game/{id:str}",
    "/lobby",
    "/mine",
    "/watch",
    "/rules",
    "/rules/{id:str}",
    "/settings",
    "/account",
    "/position",
]
MISSING = """<!doctype html><html lang=en><meta charset=utf-8><title>Cyvasse</title>
<h1>Cyvasse</h1><p>The server runs, but its page was not built: <code>make page</code> builds it,
with Node or without.<p>The API is described at <a href=/api/openapi.json>/api/openapi.json</a>.
"""


@get(ADDRESSES, include_in_schema=False)
async def front() -> Response[str]:
    """The page, or how to build it."""
    return answer()


def answer(status: int = 200) -> Response[str]:
    """The page as an answer."""
    text = INDEX.read_text(encoding="utf-8") if INDEX.is_file() else MISSING
    # The files it names change with every version; it must be asked for again.
    headers = {"Cache-Control": "no-cache"}
    return Response(text, media_type="text/html", status_code=status, headers=headers)


def is_wanted(request: Request[Any, Any, Any]) -> bool:
    """Whether somebody looks for a page at an address that has none."""
    html = "text/html" in request.headers.get("accept", "")
    ours = request.url.path.startswith(("/api/", "/assets/"))
    return request.method == "GET" and html and not ours


@get("/icon.svg", include_in_schema=False, media_type="image/svg+xml")
async def icon() -> File:
    """The King."""
    return File(FOLDER / "icon.svg", media_type="image/svg+xml", content_disposition_type="inline")


def routers() -> list[Router]:
    """The files of the page, as far as it was built."""
    found = [Router("/", route_handlers=[front])]
    if INDEX.is_file():
        found.append(Router("/", route_handlers=[icon]))
        found.append(
            create_static_files_router(
                "/assets",
                directories=[FOLDER / "assets"],
                include_in_schema=False,
                # Their names carry what they contain.
                cache_control=None,
            )
        )
    return found
