"""The description of the API (OpenAPI): routes from Litestar, types as msgspec checks them.

It also has the messages of the websocket, so that everything that goes over the wire stands in one
document.  The page's types are made from it (`make wire`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

import msgspec
from litestar import Litestar, MediaType, Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.routes import HTTPRoute

from cyvasse import __version__
from cyvasse.notation import forms
from cyvasse.rules import tools
from cyvasse.server.clocks import Rate
from cyvasse.server.events import AnyEvent, Seat
from cyvasse.server.messages import AnyCommand, AnyMessage, AnyRequest, Room
from cyvasse.server.problems import KINDS, ProblemDocument

ADDRESS = "/api/openapi.json"
REFERENCE = "#/components/schemas/{name}"
ABOUT = """\
Everything that can be done at a Cyvasse server, except following games as they are played: that
goes over the websocket at `/api/socket`, where a client sends an `AnyRequest` and is sent an
`AnyMessage` each time.

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


# A tool is sent as plain data; msgspec knows no unions of such classes.
TOOLS = get_args(tools.Tool)
Tool = Annotated[
    dict[str, Any],
    msgspec.Meta(
        extra_json_schema={"anyOf": [{"$ref": REFERENCE.format(name=t.__name__)} for t in TOOLS]}
    ),
]
# Types that are no classes, with their names and what they are.
NAMED: dict[str, tuple[Any, str]] = {
    "AnyRequest": (AnyRequest, "What a client says over the websocket."),
    "AnyMessage": (AnyMessage, "What the server says over the websocket."),
    "AnyCommand": (AnyCommand, "What a player may do."),
    "AnyEvent": (AnyEvent, "What can happen in a game."),
    "Rate": (Rate, "How much time players have."),
    "Seat": (Seat, "A player."),
    "Tool": (Tool, "Something that a setup is arranged with beyond pieces."),
    "Room": (Room, "Among whom something is said; each room counts its own remarks."),
}
BESIDE = [ProblemDocument, *TOOLS]
"""What no route names."""

Place = tuple[dict[str, Any], Any]
"""A part of the document that gets a schema, and the type that it describes."""


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
    bodies: list[Place] = []
    answers: list[Place] = []
    for handler in _handlers(app):
        operation = operations.get(handler.handler_name)
        if operation is not None:
            _summarize(operation)
            bodies += _bodies(operation, handler)
            answers += _answers(operation, handler)
    document["components"]["schemas"] = _describe(bodies, answers)
    _link(operations)


def _describe(bodies: list[Place], answers: list[Place]) -> dict[str, Any]:
    """Write schemas where they belong; all types by their names."""
    places = [*bodies, *answers]
    named = [kind for kind, _ in NAMED.values()]
    schemas, components = _schemas([*named, *BESIDE, *(kind for _, kind in places)])
    names = dict(zip(NAMED, schemas, strict=False))
    components["ProblemDocument"]["properties"]["type"]["enum"] = list(KINDS)
    for form in forms.OPEN:
        components[form.__name__]["additionalProperties"] = True
    _, read = _schemas([*(kind for _, kind in bodies), AnyRequest])
    lean = {kind.__name__ for kind in _structs() if kind.__struct_config__.omit_defaults}
    for name in components.keys() - read.keys() - lean:
        _always_sent(components[name])
    for (place, _), schema in zip(places, schemas[-len(places) :], strict=True):
        place["schema"] = _with_names(schema, names)
    components = {name: _with_names(schema, names) for name, schema in components.items()}
    for name, (_, about) in NAMED.items():
        components[name] = {"title": name, "description": about, **names[name]}
    return components


def _schemas(types: list[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    return msgspec.json.schema_components(types, ref_template=REFERENCE)


def _with_names(schema: Any, names: dict[str, Any]) -> Any:
    """The same schema with a name in place of what has one."""
    if isinstance(schema, list):
        return [_with_names(each, names) for each in schema]
    if not isinstance(schema, dict):
        return schema
    for name, same in names.items():
        if schema == same:
            return {"$ref": REFERENCE.format(name=name)}
    if schema == {"type": "object"}:
        return {"type": "object", "additionalProperties": True}  # else it would seem to be empty
    return {key: _with_names(value, names) for key, value in schema.items()}


def _structs(base: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _structs(kind)


def _always_sent(schema: dict[str, Any]) -> None:
    """What the server says is there even where it is at its default, unless its type says not."""
    for name, about in schema.get("properties", {}).items():
        if about.pop("default", schema) is not schema:
            schema["required"] = sorted({*schema.get("required", ()), name})


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


def _summarize(operation: dict[str, Any]) -> None:
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


def _bodies(operation: dict[str, Any], handler: HTTPRouteHandler) -> list[Place]:
    """Where the body of a request is described, and its type."""
    if handler.parsed_data_field is None:
        return []
    kind = handler.parsed_data_field.annotation
    return [(content, kind) for content in operation["requestBody"]["content"].values()]


def _answers(operation: dict[str, Any], handler: HTTPRouteHandler) -> list[Place]:
    """Where the answer is described, and its type."""
    answer = handler.parsed_return_field.annotation
    if get_origin(answer) is Response:
        (answer,) = get_args(answer)
    return [
        (content, answer)
        for status, response in operation["responses"].items()
        for kind, content in response.get("content", {}).items()
        if status.startswith("2") and kind == "application/json"
    ]
