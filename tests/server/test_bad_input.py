"""What cannot be understood: a problem in words, the connection is kept, nothing changes."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

import cyvasse
from tests.server.harness import Person, Refused, Server, Socket, friends, get, setup_of, to_move
from tests.server.onlookers import Ask, Case, asks

# What no database has a part in is tried on one.
one_database = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
JSON = {"Content-Type": "application/json"}
NUL = "\0"
LONG = "x" * 5_000
DEEP = "[" * 5_000 + "]" * 5_000
HUGE = 10**400
ODD_IDS = [
    "nothing",
    "%00",
    "a%00b",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e",
    "%ff%fe",
    "%F0%9F%90%89",
    "'%20OR%201=1--",
    "a%0d%0aSet-Cookie:%20x=1",
    "x" * 40,
    "x" * 3_000,
    "%25s%25n",
    "None",
    "-1",
    "%E2%80%AE",
]
# Every route, in the first way in which onlookers ask for it.
ASKED = [
    (method, path.removeprefix("/api/").format(game="{game}", **ask.place), ask)
    for route, (ask, *_) in asks(Case("game", "nine-tile", "white")).items()
    for method, path in [route.split()]
]


def problem(response: httpx.Response, *statuses: int) -> dict[str, Any]:
    """The problem document that an answer must be."""
    told = f"{response.request.method} {response.request.url}: {response.status_code}"
    assert 400 <= response.status_code < 500, f"{told} {response.text[:500]}"
    assert response.headers["content-type"] == "application/problem+json", told
    document: dict[str, Any] = response.json()
    in_words(document)
    assert document["status"] == response.status_code
    if statuses:
        assert response.status_code in statuses, f"{told} {document}"
    return document


def in_words(document: dict[str, Any]) -> None:
    """A problem has a title, a status and a sentence that is not too long to be read."""
    assert document["title"]
    assert 400 <= document["status"] < 500, document
    assert " " in document["detail"], document
    assert len(document["detail"]) < 1_000, document
    for word in ("Traceback", "sqlalchemy", "asyncpg", "msgspec", "0x"):
        assert word not in document["detail"]


@pytest.fixture
def me(server: Server) -> Person:
    return server.person()


# --- over HTTP ------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ODD_IDS, ids=lambda id: id[:30])
def test_odd_ids_of_games(me: Person, id: str) -> None:
    saying = ("POST", "games/{game}/chat", Ask(body={"text": "hello"}))
    for method, path, ask in [*ASKED, saying]:
        if "{game}" in path:
            address = path.replace("{game}", id)
            answer = me.http.request(method, address, params=ask.query or None, json=ask.body)
            problem(answer, 404, 400)


@pytest.mark.parametrize("id", ODD_IDS, ids=lambda id: id[:30])
def test_odd_rule_sets(me: Person, id: str) -> None:
    asked: list[tuple[str, str, Any]] = [
        ("GET", f"rules/{id}", None),
        ("GET", f"rules/{id}/page", None),
        ("GET", f"rules/{id}/setup", None),
        ("POST", f"rules/{id}/check", {"setup": {}}),
        ("POST", f"rules/{id}/turned", {"setup": {}}),
        ("GET", f"me/setups/{id}", None),
        ("PUT", f"me/setups/{id}/mine", {"setup": {}}),
        ("DELETE", f"me/setups/{id}/mine", None),
        ("GET", f"games?rule_set={id}", None),
    ]
    for method, path, body in asked:
        problem(me.http.request(method, path, json=body), 404, 400)
    with pytest.raises(Refused):
        me.create(id)


QUERIES = [
    "games?size=0",
    "games?size=101",
    "games?size=-1",
    "games?size=many",
    "games?size=1e3",
    f"games?size={HUGE}",
    "games?size=",
    "games?kind=secret",
    "games?after=garbage",
    "games?after=%00",
    "games?after=1.%00",
    "games?after=99999999999999999999.x",
    "games?after=-1.x",
    "games?after=%D9%A1.x",
    "games?rule_set=%00",
    "games?rule_set=chess",
    f"games?rule_set={LONG}",
    "me/games?after=garbage",
    "me/games?finished=perhaps",
    "me/games?size=0",
    "position",
    "position?text=",
    "position?text=%00",
    "position?text=%FF%FE",
    "position?text=nine-tile",
    f"position?text={LONG}",
    "board.svg?text=nonsense",
    "explain?text=nonsense&origin=e4&target=e5",
    "explain",
    "rules/nine-tile/setup?color=green",
    "rules/nine-tile/setup?kind=best",
]


def test_queries(me: Person) -> None:
    for query in QUERIES:
        problem(me.http.get(query), 400, 404, 422)


def test_places_in_a_game(server: Server) -> None:
    white, _, game = friends(server)
    for query in ("position?ply=-1", "position?ply=1", "position?ply=x", f"position?ply={HUGE}"):
        problem(white.http.get(f"games/{game}/{query}"), 400, 404)
    for query in ("ply=-1", "ply=5", "style=%00", "style=oil", "width=1", "theme=x", "bottom=up"):
        problem(white.http.get(f"games/{game}/board.svg?{query}"), 400, 404, 422)
    for query in ("after=-1", "after=x", f"after={2**31}", f"after={HUGE}"):
        problem(white.http.get(f"games/{game}/chat?{query}"), 400)
    for seat in ("green", "%00", "WHITE"):
        problem(white.http.get(f"games/{game}/drafts/{seat}"), 400, 404)


BODIES = {
    "nothing": b"",
    "no JSON": b"hello",
    "half": b'{"rule_set": "nine-tile", "opp',
    "null": b"null",
    "a number": b"1",
    "a list": b"[]",
    "a text": b'"x"',
    "NaN": b'{"rule_set": NaN}',
    "no UTF-8": b'{"rule_set": "\xff\xfe"}',
    "half a surrogate": b'{"rule_set": "\\ud800"}',
    "UTF-16": '{"rule_set": "nine-tile"}'.encode("utf-16"),
    "deep": DEEP.encode(),
    "deep inside": b'{"rule_set": ' + DEEP.encode() + b"}",
    "null bytes": b"\0" * 100,
    "twice": b'{"rule_set": 1, "rule_set": 2}',
    "unknown": b'{"something": "else"}',
    "a huge number": f'{{"rule_set": {HUGE}}}'.encode(),
    "no number": b'{"rule_set": 1e999}',
}
UNSAFE = [(method, path) for method, path, ask in ASKED if ask.body is not None]


@one_database
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_bodies(server: Server, body: bytes) -> None:
    white, _, game = friends(server, ready=False)
    before = white.see(game)["number"]
    for method, path in UNSAFE:
        address = path.format(game=game)
        problem(white.http.request(method, address, content=body, headers=JSON), 400)
    assert white.see(game)["number"] == before
    assert white.get("me")["account"] is False


@one_database
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x/y"]
)
def test_other_kinds_of_bodies(me: Person, kind: str) -> None:
    """What a form of another site could send is never understood."""
    body = b'{"rule_set":"nine-tile","opponent":{"kind":"friend"}}'
    answer = me.http.post("games", content=body, headers={"Content-Type": kind})
    problem(answer, 400, 415)
    assert me.get("me/games")["games"] == []


@one_database
def test_oversized_bodies(me: Person) -> None:
    small = b'{"setup": {"pieces": "' + b"x" * 100_000 + b'"}}'
    for method, path in (("PUT", "me/setups/nine-tile/a"), ("POST", "rules/nine-tile/check")):
        problem(me.http.request(method, path, content=small, headers=JSON), 413)
    large = json.dumps({"file": "x" * 3_000_000}).encode()
    problem(me.http.post("imports", content=large, headers=JSON), 413)

    def pieces() -> Any:
        for _ in range(30):
            yield b"x" * 100_000

    problem(
        me.http.post("imports", content=pieces(), headers=JSON), 413
    )  # without saying how long it is
    problem(me.http.post("imports", json={"file": "x" * 250_001}), 400)


NEW_GAMES: dict[str, Any] = {
    "no rule set": {"opponent": {"kind": "friend"}},
    "no opponent": {"rule_set": "croft"},
    "another opponent": {"rule_set": "croft", "opponent": {"kind": "dragon"}},
    "no kind": {"rule_set": "croft", "opponent": {}},
    "level 0": {"rule_set": "croft", "opponent": {"kind": "bot", "level": 0}},
    "level 100": {"rule_set": "croft", "opponent": {"kind": "bot", "level": 100}},
    "level half": {"rule_set": "croft", "opponent": {"kind": "bot", "level": 1.5}},
    "level huge": {"rule_set": "croft", "opponent": {"kind": "bot", "level": HUGE}},
    "colour": {"rule_set": "croft", "opponent": {"kind": "friend"}, "color": "green"},
    "clock": {"rule_set": "croft", "opponent": {"kind": "friend"}, "clock": {"kind": "sand"}},
    "no time": {
        "rule_set": "croft",
        "opponent": {"kind": "friend"},
        "clock": {"kind": "fischer", "seconds": 0},
    },
    "negative": {
        "rule_set": "croft",
        "opponent": {"kind": "friend"},
        "clock": {"kind": "fischer", "seconds": 60, "increment": -5},
    },
    "forever": {
        "rule_set": "croft",
        "opponent": {"kind": "friend"},
        "clock": {"kind": "days", "days": 2**63},
    },
    "truth": {"rule_set": "croft", "opponent": {"kind": "friend"}, "public": "yes"},
    "more": {"rule_set": "croft", "opponent": {"kind": "friend"}, "imported": True},
    "setup time": {"rule_set": "croft", "opponent": {"kind": "friend"}, "setup_seconds": -1},
}


@one_database
@pytest.mark.parametrize("new", NEW_GAMES.values(), ids=NEW_GAMES.keys())
def test_new_games(me: Person, new: Any) -> None:
    problem(me.http.post("games", json=new), 400)
    assert me.get("me/games")["games"] == []


def test_null_bytes_reach_no_database(server: Server) -> None:
    """PostgreSQL refuses them in texts, so each must be met before."""
    white, _, game = friends(server)
    for text in (NUL, f"a{NUL}b", "a\U0001f600 b"):
        for answer in (
            white.http.post("session", json={"name": text, "password": "12345678"}),
            white.http.post("me/account", json={"name": text, "password": "12345678"}),
            white.http.post(f"games/{game}/join", json={"invitation": text}),
            white.http.put("me/password", json={"old": text, "new": text * 8}),
            white.http.post("imports", json={"file": text}),
        ):
            problem(answer)
    said = white.post(f"games/{game}/chat", {"text": f"a{NUL}b"})
    assert said["remarks"][0]["text"] == "a b"
    problem(white.http.post(f"games/{game}/chat", json={"text": NUL}), 422)
    setup = setup_of(cyvasse.rule_set("nine-tile"), "white")
    kept = white.http.put("me/setups/nine-tile/a%00b", json={"setup": setup})
    assert kept.json()["name"] == "a b"
    assert [each["name"] for each in white.get("me/setups/nine-tile")] == ["a b"]
    problem(white.http.put("me/setups/nine-tile/%00", json={"setup": setup}), 422, 400)
    problem(white.http.delete("me/setups/nine-tile/%00"), 404, 400)
    setup["pieces"][0][NUL] = NUL
    problem(white.http.put("me/setups/nine-tile/c", json={"setup": setup}), 422)
    nobody = "%00.0.x"
    answer = get(f"{server.url}/api/me", headers={"Cookie": f"cyvasse={nobody}"})
    assert answer.status_code == 200


def test_null_bytes_in_files(server: Server) -> None:
    white, _, game = friends(server)
    text = white.http.get(f"games/{game}/file").text
    lines = text.splitlines()
    lines.insert(1, f'[Event "a{NUL}b\u202ec"]')
    answer = white.http.post("imports", json={"file": "\n".join(lines)})
    assert answer.status_code in (201, 422), answer.text
    if answer.status_code == 201:
        assert NUL not in json.dumps(white.see(answer.json()["game"]))


@one_database
@pytest.mark.parametrize("rule_set", [rules.id for rules in cyvasse.rule_sets()])
def test_files(me: Person, rule_set: str) -> None:
    start = f'[RuleSet "{rule_set}"]\n'
    for text in (
        "hello",
        start,
        start + "\n1. e4-e5",
        "[" * 10_000,
        '[A "' * 1_000,
        "1. " * 10_000,
    ):
        problem(me.http.post("imports", json={"file": text}), 422)
    assert me.get("me/games", finished=True)["games"] == []


SETUPS: dict[str, Any] = {
    "no pieces": {"rule_set": "nine-tile", "color": "white"},
    "pieces are a number": {"rule_set": "nine-tile", "color": "white", "pieces": 7},
    "pieces are numbers": {"rule_set": "nine-tile", "color": "white", "pieces": [1, 2]},
    "lists": {"rule_set": "nine-tile", "color": "white", "pieces": [[[[]]]]},
    "nulls": {"rule_set": "nine-tile", "color": "white", "pieces": [{"piece": None, "at": None}]},
    "squares": {
        "rule_set": "nine-tile",
        "color": "white",
        "pieces": [{"piece": "king", "at": "z99"}],
    },
    "huge": {"rule_set": "nine-tile", "color": HUGE, "pieces": HUGE},
    "no rule set": {"rule_set": "chess"},
    "a list for a rule set": {"rule_set": ["nine-tile"]},
    "an object for a colour": {"rule_set": "nine-tile", "color": {"white": True}},
}


@one_database
@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS.keys())
def test_setups(server: Server, setup: Any) -> None:
    white, _, game = friends(server, ready=False)
    before = white.see(game)["number"]
    for method, path, body in [
        ("POST", f"games/{game}/commands", {"do": "submit", "setup": setup}),
        ("PUT", f"games/{game}/drafts/white", {"setup": setup}),
        ("PUT", "me/setups/nine-tile/mine", {"setup": setup}),
        ("POST", "rules/nine-tile/check", {"setup": setup}),
        ("POST", "rules/nine-tile/turned", {"setup": setup}),
    ]:
        answer = white.http.request(method, path, json=body)
        # A setup that is only unfinished may be kept and looked at.
        assert answer.status_code in (200, 400, 422), (path, answer.text)
        if answer.is_error:
            problem(answer)
        else:
            assert not path.endswith("commands")
    assert white.see(game)["number"] == before


@one_database
@pytest.mark.parametrize("other", [r.id for r in cyvasse.rule_sets() if r.id != "nine-tile"])
def test_setups_of_other_rule_sets(server: Server, other: str) -> None:
    white, _, game = friends(server, ready=False)
    setup = setup_of(cyvasse.rule_set(other), "white")
    for method, path, body in [
        ("POST", f"games/{game}/commands", {"do": "submit", "setup": setup}),
        ("PUT", f"games/{game}/drafts/white", {"setup": setup}),
        ("PUT", "me/setups/nine-tile/mine", {"setup": setup}),
    ]:
        problem(white.http.request(method, path, json=body), 422)
    assert white.see(game)["standing"]["ready"]["white"] is False
    assert white.get(f"games/{game}/drafts/white") == {"setup": None, "problems": []}


@one_database
def test_setups_of_the_other_colour(server: Server) -> None:
    white, _, game = friends(server, ready=False)
    setup = setup_of(cyvasse.rule_set("nine-tile"), "black")
    body = {"do": "submit", "setup": setup}
    problem(white.http.post(f"games/{game}/commands", json=body), 422)
    problem(white.http.put(f"games/{game}/drafts/white", json={"setup": setup}), 422)
    assert white.see(game)["standing"]["ready"]["white"] is False


@one_database
def test_addresses_and_methods(server: Server, me: Person) -> None:
    for path in ("", "/nothing", "/api/nothing", "/api/games/a/b/c/d", "/%00", "/api/me/"):
        answer = get(f"{server.url}{path}")
        if answer.is_error:
            problem(answer, 404)
    answer = me.http.request("DELETE", "lobby")
    problem(answer, 405)
    assert "GET" in answer.headers["allow"]
    for method in ("PATCH", "TRACE"):
        problem(me.http.request(method, "me"), 405)


# --- out of order ---------------------------------------------------------------------------------


@one_database
def test_out_of_order(server: Server) -> None:
    white, black, game = friends(server, ready=False)
    for do in ("resign", "offer_draw", "accept_draw", "ask_take_back", "claim_time", "rematch"):
        with pytest.raises(Refused):
            white.do(game, do)
    with pytest.raises(Refused) as error:
        white.do(game, "play", action="e4-e5", ply=0)
    assert "screen" in str(error.value)
    with pytest.raises(Refused):
        white.do(game, "withdraw")
    white.submit(game, "white")
    black.submit(game, "black")
    before = white.see(game)["number"]
    with pytest.raises(Refused) as error:
        white.submit(game, "white", seed=2)
    assert "lifted" in str(error.value)
    for do in ("withdraw", "accept_draw", "decline_draw", "allow_take_back", "refuse_take_back"):
        with pytest.raises(Refused):
            white.do(game, do)
    setup = setup_of(cyvasse.rule_set("nine-tile"), "white")
    problem(white.http.put(f"games/{game}/drafts/white", json={"setup": setup}), 409)
    assert white.see(game)["number"] == before


@one_database
def test_plies_of_the_past_and_the_future(server: Server) -> None:
    white, black, game = friends(server)
    first, second = (
        (white, black) if to_move(white.see(game)["view"]) == "white" else (black, white)
    )
    while to_move(first.see(game)["view"]) == ("white" if first is white else "black"):
        first.play(game)
    view = second.see(game)["view"]
    number, action = second.see(game)["number"], view["legal_actions"][0]
    for ply in (0, view["ply"] + 1, 1_000_000):
        with pytest.raises(Refused) as error:
            second.do(game, "play", action=action, ply=ply)
        assert error.value.kind == "behind"
        assert error.value.problem["number"] == number
    for odd in (-1, 2**70, 0.5, "0", None, True):
        with pytest.raises(Refused) as error:
            second.do(game, "play", action=action, ply=odd)
        assert error.value.status == 400
    for nonsense in ("", " ", "e4", NUL, "e4-e5\n", "x" * 41, "é4-é5", "-", "e4--e5", "xxxx"):
        with pytest.raises(Refused):
            second.do(game, "play", action=nonsense, ply=view["ply"])
    assert second.see(game)["number"] == number


# --- over the websocket ---------------------------------------------------------------------------

MESSAGES: dict[str, Any] = {
    "nothing": "",
    "no JSON": "hello",
    "half": '{"type": "pi',
    "null": "null",
    "a list": "[]",
    "a number": "7",
    "no type": "{}",
    "another type": {"type": "dance"},
    "a number for a type": {"type": 7},
    "no game": {"type": "watch"},
    "a number for a game": {"type": "watch", "game": 7},
    "an unknown game": {"type": "watch", "game": "nothing"},
    "a null byte": {"type": "watch", "game": NUL},
    "null bytes": {"type": "say", "game": f"a{NUL}", "text": "x"},
    "a long id": {"type": "watch", "game": LONG},
    "the past": {"type": "watch", "game": "{game}", "last": -1},
    "huge": {"type": "watch", "game": "{game}", "last": HUGE},
    "large": {"type": "watch", "game": "{game}", "chat": 2**40},
    "larger": {"type": "watch", "game": "{game}", "chat": 2**80},
    "no command": {"type": "do", "game": "{game}"},
    "an unknown command": {"type": "do", "game": "{game}", "command": {"do": "cheat"}},
    "a list for a command": {"type": "do", "game": "{game}", "command": ["resign"]},
    "no action": {"type": "do", "game": "{game}", "command": {"do": "play"}},
    "a huge ply": {"type": "do", "game": "{game}", "command": {"do": "play", "ply": HUGE}},
    "a command for nothing": {"type": "do", "game": "nothing", "command": {"do": "resign"}},
    "a seat": {"type": "do", "game": "{game}", "command": {"do": "resign", "seat": "green"}},
    "a setup": {"type": "do", "game": "{game}", "command": {"do": "submit", "setup": {"a": 1}}},
    "silence": {"type": "say", "game": "{game}", "text": ""},
    "nothing to read": {"type": "say", "game": "{game}", "text": f"{NUL}\u202e"},
    "too much to say": {"type": "say", "game": "{game}", "text": LONG},
    "no text": {"type": "say", "game": "{game}", "text": None},
    "half a surrogate": '{"type": "say", "game": "{game}", "text": "\\ud800"}',
    "follow": {"type": "lobby", "follow": "perhaps"},
    "a huge id": {"type": "ping", "id": HUGE},
    "NaN": '{"type": "ping", "id": NaN}',
    "no number": '{"type": "ping", "id": 1e999}',
    "deep": DEEP,
    "deep inside": '{"type": "do", "game": "{game}", "command": ' + DEEP + "}",
    "deep in a setup": '{"type":"do","game":"{game}","command":{"do":"submit","setup":{"a":'
    + "[" * 900
    + "]" * 900
    + "}}}",
    "too long": "x" * 16_385,
    "far too long": "x" * 500_000,
    "binary": b"\xff\xfe\x00\x01",
    "binary, no UTF-8": b'{"type": "watch", "game": "\xff\xfe"}',
    "binary, nothing": b"",
}


def test_messages(server: Server) -> None:
    white, black, game = friends(server)
    before = white.see(game)["number"]
    with white.socket() as at_white, Socket(None, server) as stranger, black.socket() as at_black:
        at_black.watch(game)
        for name, message in MESSAGES.items():
            raw = message if isinstance(message, bytes) else None
            text = message if isinstance(message, str) else json.dumps(message, default=str)
            for board in (at_white, stranger):
                board.send(raw if raw is not None else text.replace("{game}", game))
                answer = board.hear()
                assert answer["type"] == "problem", (name, answer)
                in_words(answer["problem"])
                assert board.ask("ping")["type"] == "pong"
        assert at_black.ask("ping")["type"] == "pong"
    assert white.see(game)["number"] == before


@one_database
def test_a_problem_names_its_request(server: Server) -> None:
    me = server.person()
    with me.socket() as socket:
        for message in ({"type": "dance", "id": 12}, {"type": "watch", "game": 5, "id": 13}):
            socket.send(message)
            assert socket.hear()["id"] == message["id"]


@one_database
def test_text_that_is_no_text_ends_the_connection_only(server: Server) -> None:
    """RFC 6455 leaves no choice here; everyone else's goes on."""
    me = server.person()
    with me.socket() as broken, me.socket() as other:
        broken.connection.send(b"\xff\xff", text=True)
        with pytest.raises(Exception, match="1007"):
            broken.hear()
        assert other.ask("ping")["type"] == "pong"
