"""Bodies of requests: JSON of exactly the expected types, or a problem in words."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection

from cyvasse.server.problems import Malformed, WrongKind

JSON = "application/json"


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is read as what its route expects: the text "7" is no number."""

    async def json(self) -> Any:
        """The body."""
        field = self.route_handler.parsed_data_field
        body = await self.body()
        return read(body, object if field is None else field.annotation, "request")


def read(body: bytes, expected: Any, what: str) -> Any:
    """What a text in JSON says; Malformed in words if it is not as expected.

    >>> read(b'[1, 2]', list[int], "list")
    [1, 2]
    >>> read(b"true", int, "number")
    Traceback (most recent call last):
    cyvasse.server.problems.Malformed: This number cannot be read: expected `int`, got `bool`.
    """
    try:
        return _decoder(expected).decode(body)
    except msgspec.DecodeError as error:
        why = str(error)
        why = why[0].lower() + why[1:]
    except UnicodeDecodeError:
        why = "it is no UTF-8"
    except RecursionError:
        why = "it is nested too deeply"
    raise Malformed(f"This {what} cannot be read: {why}.")


@cache
def _decoder(expected: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(expected)


def only_json(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuse what a form of any page could send, even where the browser says nothing of it."""
    headers = connection.headers
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
    if body and kind != JSON:
        raise WrongKind(f"The body must be {JSON}, and its Content-Type must say so.")
