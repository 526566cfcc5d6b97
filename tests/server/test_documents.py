"""docs/server.md names the numbers that the server keeps to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cyvasse.server import catchup, company, connection, games, limits, service
from cyvasse.server.app import LARGEST_BODY, REFUSED
from cyvasse.server.browsers import MOST_ACCOUNTS
from cyvasse.server.limits import LIMITS
from cyvasse.server.settings import SHORTEST_KEY
from tests.server.harness import Server

DOCUMENT = " ".join((Path(__file__).parents[2] / "docs" / "server.md").read_text().split())
WORDS = {3: "three", 5: "five"}


def times(what: str, seconds: int) -> str:
    """A limit in words: so often, and then so often in so many seconds."""
    burst, rate = LIMITS[what]
    often = round(rate * seconds)
    return f"{burst} times and then {'once' if often == 1 else often}"


@pytest.mark.parametrize(
    "sentence",
    [
        f"`CYVASSE_SECRET` ({SHORTEST_KEY} characters or more)",
        f"looks every {WORDS[service.LOOK_SECONDS]} seconds for games that have gone on",
        f"written down every {service.GUESS_SECONDS} seconds",
        f"Where more than {company.FEW} follow a game",
        f"{WORDS[limits.CROWD]} times as much for each address",
        f"An address has {limits.MOST_SOCKETS} websockets at most",
        f"A request has {LARGEST_BODY // 1024} KiB at most",
        f"a message {connection.LONGEST_MESSAGE // 1024} KiB",
        f"a game file {games.LONGEST_FILE:,} characters and {games.MOST_ACTIONS:,} actions",
        f"is counted apart, {times('look', 1)} a second",
        f"{times('sign in', 60)} a minute from an address",
        f"{times('name and address', 120)} in 2 minutes for one name from one address",
        f"{times('name', 60)} a minute for one name from everywhere",
        f"a signed word for each of up to {MOST_ACCOUNTS} accounts",
        f"all but up to {catchup.MOST_EVENTS} events",
        f"Close code {connection.TOO_SLOW} means that you read too slowly",
        f"{connection.SOMEBODY_ELSE} that you are somebody else now",
        f"{REFUSED} means that the page is another site's",
    ],
)
def test_numbers(sentence: str) -> None:
    assert sentence in DOCUMENT


@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
def test_every_route_is_named(server: Server) -> None:
    """By its words: several that belong together share a row."""
    table = DOCUMENT.partition("## REST")[2].partition("## ")[0]
    named = set(re.findall(r"[\w.]+", " ".join(re.findall(r"`[^`]*`", table))))
    paths = server.person().get("openapi.json")["paths"]
    assert len(paths) > 20
    unnamed = {path for path in paths if path.startswith("/api/") and not words_of(path) <= named}
    assert unnamed == set(), "the table REST of docs/server.md does not name these"


def words_of(path: str) -> set[str]:
    """What a path says besides its parameters."""
    return {word for word in path.split("/") if word and not word.startswith("{")}
