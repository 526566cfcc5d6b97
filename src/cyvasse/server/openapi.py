"""The description of the API (OpenAPI): routes from Litestar, types as msgspec checks them."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import msgspec
from litestar import Litestar, MediaType, Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.routes import HTTPRoute

from cyvasse import __version__
from cyvasse.server.problems import Problem

ADDRESS = "/api/openapi.json"
REFERENCE = "#/components/schemas/{name}"
ABOUT = """\
Everything that can be done at a Cyvasse server, except following games as they are played: that
goes over the websocket at `/api/socket`.

Nobody has to sign up. The first answer sets a cookie that says who you are; send it back. Whatever
is refused is answered with a problem document (RFC 9457) that says why in words. Times are
milliseconds since 1970.
"""
TAGS = {
    "games": "Begin, find, join, play and keep games.",
    "people": "Who you are, your account, your games and setups, and all that is kept about you.",
    "rules": "The rule sets: boards, pieces, setups, and why something is legal or not.",
    "pictures": "Boards as SVG pictures.",
    "system": "For whoever runs the server.",
}


class Description(JsonRenderPlugin):
    """Renders the description once and for all."""

    def __init__(self) -> None:
        super().__init__(path="/", media_type=MediaType.JSON)
        self._rendered: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The document in JSON."""
        if self._rendered is None:
            complete(openapi_schema, request.app)
            self._rendered = self.render_json(request, openapi_schema)
        return self._rendered


def config(cookie: str) -> OpenAPIConfig:
    """What Litestar needs to know for the description."""
    scheme = SecurityScheme(
        type="apiKey",
        name=cookie,
        security_scheme_in="cookie",
        description="Who you are. Whoever sends none is a new guest and is given one.",
    )
    return OpenAPIConfig(
        title="Cyvasse",
        version=__version__,
        description=ABOUT,
        path=ADDRESS,
        tags=[Tag(name, description) for name, description in TAGS.items()],
        components=Components(security_schemes={"cookie": scheme}),
        security=[{}, {"cookie": []}],
        use_handler_docstrings=True,
        operation_id_creator=lambda handler, *_: handler.handler_name,
        render_plugins=[Description()],
    )


def complete(document: dict[str, Any], app: Litestar) -> None:
    """Put into a document what Litestar says less exactly, or not at all."""
    operations = {
        operation["operationId"]: operation
        for item in document["paths"].values()
        for operation in item.values()
    }
    places: list[tuple[dict[str, Any], Any]] = []
    for handler in _handlers(app):
        operation = operations.get(handler.handler_name)
        if operation is not None:
            _tell(operation)
            places += _places(operation, handler)
    schemas, components = msgspec.json.schema_components(
        [type for _, type in places] + [Problem], ref_template=REFERENCE
    )
    for (place, _), schema in zip(places, schemas[:-1], strict=True):
        place["schema"] = schema
    document["components"]["schemas"] = components
    _link(operations)


def _link(operations: dict[str, dict[str, Any]]) -> None:
    """Say where to go on from what was made."""
    for maker in ("create_game", "import_file"):
        operations[maker]["responses"]["201"]["links"] = {
            name: {"operationId": name, "parameters": {"game": "$response.body#/game"}}
            for name, operation in operations.items()
            if any(parameter["name"] == "game" for parameter in operation.get("parameters", ()))
        }
    saved = {each: f"$request.path.{each}" for each in ("rule_set", "name")}
    operations["save_setup"]["responses"]["200"]["links"] = {
        "delete_setup": {"operationId": "delete_setup", "parameters": saved}
    }


def _handlers(app: Litestar) -> list[HTTPRouteHandler]:
    return [
        handler
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
    ]


def _tell(operation: dict[str, Any]) -> None:
    """The first sentence of a docstring is what an operation does; the rest describes it."""
    text = " ".join(operation.get("description", "").split())
    summary, _, rest = text.partition(". ")
    operation["summary"] = summary.rstrip(".")
    operation.pop("description", None)
    if rest:
        operation["description"] = rest
    for parameter in operation.get("parameters", ()):
        _leave_out(parameter["schema"])


def _leave_out(schema: dict[str, Any]) -> None:
    """A parameter is left out, it is never null."""
    kinds = [kind for kind in schema.get("oneOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        del schema["oneOf"]
        schema |= kinds[0]


def _places(
    operation: dict[str, Any], handler: HTTPRouteHandler
) -> list[tuple[dict[str, Any], Any]]:
    """Where a type of ours is described in an operation."""
    found: list[tuple[dict[str, Any], Any]] = []
    if handler.parsed_data_field is not None:
        for content in operation["requestBody"]["content"].values():
            found.append((content, handler.parsed_data_field.annotation))
    answer = handler.parsed_return_field.annotation
    if get_origin(answer) is Response:
        (answer,) = get_args(answer)
    for status, response in operation["responses"].items():
        for kind, content in response.get("content", {}).items():
            if status.startswith("2") and kind == "application/json":
                found.append((content, answer))
    return found
