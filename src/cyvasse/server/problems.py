"""Problems: what was wrong, where, and what would be right, as problem documents (RFC 9457)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from cyvasse.errors import RuleSetError
from cyvasse.rules.terms import Problem

log = logging.getLogger("cyvasse.server")


class Place(msgspec.Struct, frozen=True):
    """One of several things that are wrong, and the squares where it is."""

    text: str
    squares: tuple[str, ...] = ()
    thing: str = ""
    """What has to be laid or moved in a setup, if that is one thing: a piece type, or the field or
    ground of a tool."""


class ProblemDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem document, sent as application/problem+json."""

    title: Annotated[str, Meta(description="What kind of problem this is, in a few words.")]
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: Annotated[str, Meta(description="What was wrong here, and what would be right.")] = ""
    type: Annotated[str, Meta(description="A stable word for programs.")] = "about:blank"
    problems: Annotated[
        tuple[Place, ...], Meta(description="Everything that is wrong, where it is more.")
    ] = ()
    number: Annotated[
        int | None, Meta(description="Where the game stands, if the client was behind.")
    ] = None


class Refusal(Exception):
    """Something was asked that cannot be done; nothing has changed."""

    kind = "refused"
    status = 409
    title = "That cannot be done now"

    def __init__(
        self,
        detail: str,
        *,
        problems: Sequence[Problem] = (),
        number: int | None = None,
    ) -> None:
        super().__init__(detail)
        error = sys.exception()
        if isinstance(error, RuleSetError):  # which is not the fault of whoever asked
            log.error("a rule set has failed", exc_info=error)
        self.problem = ProblemDocument(
            self.title,
            self.status,
            detail,
            self.kind,
            tuple(Place(*problem) for problem in problems),
            number,
        )


class Malformed(Refusal):
    """The request cannot be read, or asks for what does not exist in any game."""

    kind = "malformed"
    status = 400
    title = "That cannot be read"


class NotYours(Refusal):
    """Somebody else's seat, game or data."""

    kind = "not-yours"
    status = 403
    title = "That is not yours to do"


class Unknown(Refusal):
    """There is no such thing, or not for this viewer: the answer is the same."""

    kind = "unknown"
    status = 404
    title = "Not found"


class Behind(Refusal):
    """The game has gone on since the client looked."""

    kind = "behind"
    title = "The game has gone on"


class Illegal(Refusal):
    """The rules of the game forbid it."""

    kind = "illegal"
    status = 422
    title = "The rules forbid that"


class Unfit(Refusal):
    """A name, a password or a remark that is none."""

    kind = "unfit"
    status = 422
    title = "That does not fit"


class TooMuch(Refusal):
    """Too large."""

    kind = "too-large"
    status = 413
    title = "That is too large"


class WrongKind(Refusal):
    """A body that is no JSON."""

    kind = "wrong-kind"
    status = 415
    title = "That is no JSON"


class TooOften(Refusal):
    """Too many requests in a short time."""

    kind = "too-often"
    status = 429
    title = "Too many requests"

    def __init__(self, detail: str, wait: int = 1) -> None:
        super().__init__(detail)
        self.wait = wait
        """For how many seconds."""


AWAY = "The server's database cannot do that at the moment; look what was done, then try again."


class Busy(Refusal):
    """The server cannot answer right now; nothing has changed."""

    kind = "busy"
    status = 503
    title = "The server is busy"


def _kinds(base: type[Refusal]) -> Iterator[str]:
    yield base.kind
    for kind in base.__subclasses__():
        yield from _kinds(kind)


KINDS = ("about:blank", "http", "internal", *_kinds(Refusal))
"""The words for programs that a problem can have."""
