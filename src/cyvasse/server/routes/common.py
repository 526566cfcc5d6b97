"""What the routes share: who asks, and how they say what can go wrong."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from litestar import Request, delete, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from cyvasse.server.people import Person
from cyvasse.server.problems import (
    Behind,
    Busy,
    Illegal,
    Malformed,
    NotYours,
    Problem,
    TooMuch,
    TooOften,
    Unknown,
)
from cyvasse.server.service import Service

PROBLEM = "application/problem+json"
COOKIE = "cyvasse"

AnyRequest = Request[Person, None, State]

# Every route may answer so; the documents have the same form everywhere.
RESPONSES = {
    kind.status: ResponseSpec(Problem, description=kind.title, media_type=PROBLEM)
    for kind in (Malformed, NotYours, Unknown, Behind, TooMuch, Illegal, TooOften, Busy)
}

reading = partial(get, responses=RESPONSES)
making = partial(post, responses=RESPONSES)
putting = partial(put, responses=RESPONSES)
removing = partial(delete, responses=RESPONSES)

GameId = Annotated[str, Parameter(description="The game's id, as in its link.", max_length=40)]
Size = Annotated[int, Parameter(ge=1, le=100, description="How many at most.")]
After = Annotated[
    str | None, Parameter(max_length=80, description="The 'next' of the page before.")
]
RuleSetId = Annotated[str, Parameter(max_length=40, description="Such as nine-tile.")]


def service_of(request: Request[Any, Any, Any]) -> Service:
    """The service of this worker."""
    service: Service = request.app.state.service
    return service


async def person_of(request: Request[Any, Any, Any]) -> Person:
    """Who asks: the cookie's owner, or a new guest, who gets a cookie with the answer."""
    service = service_of(request)
    person = await service.people.identify(request.cookies.get(COOKIE))
    if person is None:
        person = service.people.new_guest()
        request.state.new_person = person
    return person
