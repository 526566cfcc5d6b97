"""The page in the browser: its files, built from web/, and the addresses at which it begins.

The page comes with the first answers that it will ask for, so that the first view needs no further
journey, and with its fingerprint.  Every answer of the API tells the fingerprint of now: a page
that hears another one was loaded before the server was updated.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from litestar import Request, Response, Router, get

from cyvasse.server.problems import Unknown
from cyvasse.server.routes.common import person_of, service_of
from cyvasse.server.routes.people import become
from cyvasse.server.routes.rules import rule_set_lines, rule_set_page
from cyvasse.server.service import Service

FOLDER = Path(__file__).with_name("page")
INDEX = FOLDER / "index.html"
YEAR = 365 * 24 * 60 * 60
FINGERPRINT = "Cyvasse-Page"
"""The header in which the API tells which page fits it."""


class Screen(msgspec.Struct, frozen=True):
    """A screen of the page."""

    paths: list[str]
    file: str
    """Which file of the build (web/vite.config.ts) holds it: it is fetched beside the main one."""


# Which screens there are; the page reads the same list.
SCREENS = msgspec.json.decode(
    Path(__file__).with_name("addresses.json").read_bytes(), type=dict[str, Screen]
)
PLACES = {path: name for name, screen in SCREENS.items() for path in screen.paths}
ADDRESSES = [path.replace("}", ":str}") for path in PLACES]
MISSING = """<!doctype html><html lang=en><meta charset=utf-8><title>Cyvasse</title>
<h1>Cyvasse</h1><p>The server runs, but its page was not built: <code>make page</code> builds it,
with Node or without.<p>The API is described at <a href=/api/openapi.json>/api/openapi.json</a>.
"""
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
# As the build leaves them beside each file; the smaller first.
ENCODINGS = {"br": ".br", "gzip": ".gz"}

log = logging.getLogger("cyvasse.server.page")
encode = msgspec.json.Encoder().encode


class PageFile(NamedTuple):
    """A file of the page, with its compressed forms by encoding."""

    type: str
    plain: bytes
    packed: Mapping[str, bytes]

    def answer(self, accepted: str, caching: str) -> Response[bytes]:
        """The file in the smallest form that the browser takes."""
        headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
        offered = {part.partition(";")[0].strip() for part in accepted.split(",")}
        content = self.plain
        for encoding, packed in self.packed.items():
            if encoding in offered:
                content = packed
                headers["Content-Encoding"] = encoding
                break
        return Response(content, media_type=self.type, headers=headers)


class BuiltPage:
    """The built page, read once: while a new version is installed the old one stays whole."""

    def __init__(self, folder: Path) -> None:
        self.index = (folder / "index.html").read_text(encoding="utf-8")
        # It names the main files, which name all others, and every name follows from a content.
        self.fingerprint = hashlib.sha256(self.index.encode()).hexdigest()[:16]
        self.files = {
            str(file.relative_to(folder)): _read(file)
            for file in sorted([*folder.glob("*.svg"), *folder.glob("assets/*")])
            if file.suffix in TYPES
        }
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        self._hints = {
            chunk["name"]: _hints(manifest, name)
            for name, chunk in manifest.items()
            if chunk.get("name") in {screen.file for screen in SCREENS.values()}
        }

    def text(self, file: str, answers: Mapping[str, bytes]) -> str:
        """The page with what it needs first: a screen's file, and answers of the API by path."""
        known = ",".join(
            f"{json.dumps(path)}:{answer.decode()}" for path, answer in answers.items()
        )
        first = f'{{"page":"{self.fingerprint}","answers":{{{known}}}}}'
        # Inside a script only this sign could end it; in JSON it stands in texts alone.
        first = first.replace("<", "\\u003c")
        first = f'<script type="application/json" id="first">{first}</script>'
        text = self.index.replace("</head>", f"{self._hints.get(file, '')}</head>", 1)
        return text.replace("</body>", f"{first}</body>", 1)


def _read(file: Path) -> PageFile:
    packed = {
        encoding: file.with_name(file.name + ending).read_bytes()
        for encoding, ending in ENCODINGS.items()
        if file.with_name(file.name + ending).is_file()
    }
    return PageFile(TYPES[file.suffix], file.read_bytes(), packed)


def _hints(manifest: Mapping[str, Any], name: str) -> str:
    """Links that let the browser fetch a chunk, and all that it imports, at once."""
    scripts: dict[str, None] = {}
    styles: dict[str, None] = {}

    def gather(name: str) -> None:
        chunk = manifest[name]
        if chunk["name"] == "main":
            return  # the page names it itself
        scripts[chunk["file"]] = None
        styles.update(dict.fromkeys(chunk.get("css", ())))
        for imported in chunk.get("imports", ()):
            gather(imported)

    gather(name)
    return "".join(
        [f'<link rel="stylesheet" crossorigin href="/{style}">' for style in styles]
        + [f'<link rel="modulepreload" crossorigin href="/{script}">' for script in scripts]
    )


@cache
def built() -> BuiltPage | None:
    """The page, if it was built."""
    return BuiltPage(FOLDER) if INDEX.is_file() else None


@get(ADDRESSES, include_in_schema=False)
async def front(request: Request[Any, Any, Any]) -> Response[str]:
    """The page with its first answers, or how to build it."""
    screen = PLACES[request.scope["path_template"]]
    try:
        answers = await _first_answers(request, screen)
    except Exception:
        # The database, most likely.  The page asks again and says what is wrong.
        log.exception("the page goes without its first answers")
        answers = {}
    return answer(file=SCREENS[screen].file, answers=answers)


async def _first_answers(request: Request[Any, Any, Any], screen: str) -> dict[str, bytes]:
    """What the page will ask first, as the API would answer it."""
    service = service_of(request)
    person = await person_of(request)
    answers = {"me": encode(become(request, person))}  # as /api/me does: cookies are renewed
    if screen == "home":
        mine = await service.lists.mine(person.id, finished=False, after=None, size=20)
        answers["rules"] = encode(rule_set_lines())
        answers["me/games?size=20"] = encode(mine)
        answers["lobby"] = encode(await service.lists.lobby())
    elif screen == "game":
        answers |= await _game(service, request.path_params["id"], person.id)
    return answers


async def _game(service: Service, game: str, person: str) -> dict[str, bytes]:
    try:
        snapshot = await service.rooms.snapshot(game, person)
    except Unknown:
        return {}
    rules = snapshot.agreement.rule_set
    return {f"games/{game}": encode(snapshot), f"rules/{rules}": encode(rule_set_page(rules))}


def answer(
    status: int = 200,
    *,
    file: str = "",
    answers: Mapping[str, bytes] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[str]:
    """The page as an answer."""
    page = built()
    text = MISSING if page is None else page.text(file, answers or {})
    # The files it names change with every version, and the answers are for one person at one
    # moment: it must be asked for again, and it stays with whoever asked.
    caching = {"Cache-Control": "no-cache, no-store"}
    return Response(
        text, media_type="text/html", status_code=status, headers={**caching, **(headers or {})}
    )


def fingerprint() -> dict[str, str]:
    """The header that tells which page fits this server, if one was built."""
    page = built()
    return {} if page is None else {FINGERPRINT: page.fingerprint}


def is_wanted(request: Request[Any, Any, Any]) -> bool:
    """Whether somebody looks for a page, at whatever address."""
    html = "text/html" in request.headers.get("accept", "")
    ours = request.url.path.startswith(("/api/", "/assets/"))
    return request.method == "GET" and html and not ours


@get("/icon.svg", include_in_schema=False)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The King."""
    return _file(request, "icon.svg", "no-cache")


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    """A file of the page; its name follows from its content, so it never changes."""
    return _file(request, f"assets/{name}", f"public, max-age={YEAR}, immutable")


def _file(request: Request[Any, Any, Any], name: str, caching: str) -> Response[bytes]:
    page = built()
    if page is None or name not in page.files:
        # Of the kind that was wanted, or browsers complain about that instead.
        kind = TYPES.get(Path(name).suffix, "text/plain")
        return Response(b"", status_code=404, media_type=kind)
    return page.files[name].answer(request.headers.get("accept-encoding", ""), caching)


def routers() -> list[Router]:
    """The files of the page, as far as it was built."""
    files = [] if built() is None else [icon, asset]
    return [Router("/", route_handlers=[front, *files])]
