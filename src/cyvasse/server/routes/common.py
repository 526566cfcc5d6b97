"""What the routes share: who asks, and how they say what can go wrong."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from litestar import Request, delete, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from cyvasse.rules import rule_sets
from cyvasse.server.guard import address_of
from cyvasse.server.lists import PLACE
from cyvasse.server.people import Person
from cyvasse.server.problems import (
    Busy,
    Illegal,
    Malformed,
    NotYours,
    ProblemDocument,
    Refusal,
    TooMuch,
    TooOften,
    Unknown,
    WrongKind,
)
from cyvasse.server.service import Service

PROBLEM = "application/problem+json"
COOKIE = "cyvasse"
KNOWN = "cyvasse_known"
"""The cookie of a browser in which somebody has signed in before."""

AnyRequest = Request[Person, None, State]


def _problems(*kinds: type[Refusal]) -> dict[int, ResponseSpec]:
    return {
        kind.status: ResponseSpec(ProblemDocument, description=kind.title, media_type=PROBLEM)
        for kind in kinds
    }


# How each route may refuse; the documents have the same form everywhere.
READING = _problems(Malformed, NotYours, Unknown, Refusal, Illegal, TooOften, Busy)
CHANGING = READING | _problems(TooMuch, WrongKind)

reading = partial(get, responses=READING)
making = partial(post, responses=CHANGING)
putting = partial(put, responses=CHANGING)
removing = partial(delete, responses=CHANGING)

GameId = Annotated[str, Parameter(max_length=40, description="The game's id, as in its link.")]
Size = Annotated[int, Parameter(ge=1, le=100, description="How many at most.")]
After = Annotated[
    str | None,
    Parameter(max_length=40, pattern=f"^{PLACE}$", description="The 'next' of the page before."),
]
RULE_SETS = [rules.id for rules in rule_sets()]
RuleSetId = Annotated[
    str,
    Parameter(max_length=40, description="A rule set's id.", schema_extra={"enum": RULE_SETS}),
]


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


def spend(request: Request[Any, Any, Any], what: str, person: Person) -> None:
    """Count what somebody does; TooOften if it is too much."""
    service_of(request).limits.spend(what, person.id, crowd=address_of(request))
