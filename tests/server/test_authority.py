"""Who may do what: each test is somebody who tries what is not theirs to do."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import random
import socket as socketlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from websockets.exceptions import ConnectionClosed

import cyvasse
from cyvasse.server import people
from cyvasse.server.database import Database
from cyvasse.server.games import MOST_ACTIONS
from cyvasse.server.guard import Guard
from cyvasse.server.limits import MOST_BUCKETS, MOST_SOCKETS, TokenBuckets
from cyvasse.server.problems import Busy, TooOften
from tests.server.harness import (
    Person,
    Refused,
    Server,
    Socket,
    client,
    friends,
    get,
    post,
    serving,
    setup_of,
    to_move,
    until,
)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With the usual limits, and behind a proxy: each test may have an address of its own."""
    arguments = ("--proxies", "127.0.0.1", "--origins", "https://play.example/, https://b.example")
    with serving(tmp_path_factory.mktemp("proxied"), *arguments, limits="1") as server:
        yield server


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Server]:
    """With the usual limits, for one test; it logs everything that it would ever log."""
    with serving(tmp_path, "--log-level", "debug", limits="1") as server:
        yield server


COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"action": "e4-e5", "ply": 0},
    "grant_seat": {},
    "decline_seat": {},
    "submit": {"setup": {}},
    "withdraw": {},
    "resign": {},
    "offer_draw": {},
    "accept_draw": {},
    "decline_draw": {},
    "ask_take_back": {},
    "allow_take_back": {},
    "refuse_take_back": {},
    "abort": {},
    "claim_time": {},
    "rematch": {},
}
# What no database has a part in is tried on one.
one_database = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
pytestmark = pytest.mark.slow  # passwords are hashed again and again

ELSEWHERE = "https://evil.example"
PASSWORD = "correct horse battery"


def cookie_of(person: Person) -> str:
    cookie = person.http.cookies.get("cyvasse")
    assert cookie is not None
    return cookie


def with_cookie(server: Server, cookie: str) -> httpx.Client:
    return client(base_url=f"{server.url}/api/", headers={"Cookie": f"cyvasse={cookie}"})


def ended(socket: Socket) -> int:
    """With which code the server ended a connection."""
    try:
        while True:
            socket.hear()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


def account(server: Server, name: str) -> Person:
    person = server.person()
    person.post("me/account", {"name": name, "password": PASSWORD})
    person.name = name
    return person


_used = iter(range(10**6))


def new_name() -> str:
    return f"Arianne_{next(_used)}"


# --- seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ready", [False, True], ids=["behind the screen", "playing"])
def test_nobody_acts_for_another_seat(server: Server, ready: bool) -> None:
    white, black, game = friends(server, ready=ready)
    stranger = server.person()
    before = white.see(game)
    with stranger.socket() as watching, black.socket() as at_black, Socket(None, server) as nobody:
        watching.watch(game)
        nobody.watch(game)
        for do, more in COMMANDS.items():
            for seat in ({}, {"seat": "white"}, {"seat": "black"}):
                with pytest.raises(Refused) as error:
                    stranger.do(game, do, **more, **seat)
                assert error.value.status == 403, do
                for socket in (watching, nobody):
                    answer = socket.do(game, do, **more, **seat)
                    assert answer["type"] == "problem", do
                    assert answer["problem"]["status"] == 403, do
            with pytest.raises(Refused) as error:
                black.do(game, do, **more, seat="white")
            assert error.value.status == 403, do
            answer = at_black.do(game, do, **more, seat="white")
            assert answer["problem"]["status"] == 403, do
    after = white.see(game)
    assert after["number"] == before["number"]
    assert after["view"] == before["view"]


@one_database
def test_drafts_are_their_owners(server: Server) -> None:
    white, black, game = friends(server, ready=False)
    setup = setup_of(cyvasse.rule_set("nine-tile"), "white")
    white.put(f"games/{game}/drafts/white", {"setup": setup})
    for other in (black, server.person()):
        for method, body in (("GET", None), ("PUT", {"setup": setup})):
            answer = other.http.request(method, f"games/{game}/drafts/white", json=body)
            assert answer.status_code == 403
    assert white.get(f"games/{game}/drafts/white")["setup"]["pieces"] == setup["pieces"]


@one_database
def test_out_of_turn(server: Server) -> None:
    white, black, game = friends(server)
    view = white.see(game)["view"]
    waiting = black if to_move(view) == "white" else white
    with waiting.socket() as socket:
        for action in view["legal_actions"][:5]:
            answer = socket.do(game, "play", action=action, ply=view["ply"])
            assert answer["problem"]["status"] == 409
    assert white.see(game)["view"]["ply"] == 0


def test_after_the_end(server: Server) -> None:
    white, black, game = friends(server)
    first = white if to_move(white.see(game)["view"]) == "white" else black
    action = white.see(game)["view"]["legal_actions"][0]
    white.do(game, "resign")
    before = white.see(game)
    for person in (white, black, first):
        for do, more in COMMANDS.items():
            if do != "rematch":
                with pytest.raises(Refused):
                    person.do(game, do, **more)
        with pytest.raises(Refused):
            person.do(game, "play", action=action, ply=0)
        with pytest.raises(Refused):
            person.submit(game, "white")
    after = white.see(game)
    assert after["number"] == before["number"]
    assert after["standing"]["outcome"] == before["standing"]["outcome"]


def test_an_aborted_game_stays_aborted(server: Server) -> None:
    white, black, game = friends(server, ready=False)
    black.do(game, "abort")
    for person, color in ((white, "white"), (black, "black")):
        with pytest.raises(Refused):
            person.submit(game, color)
    with pytest.raises(Refused):
        server.person().post(f"games/{game}/join", {})


# --- cookies --------------------------------------------------------------------------------------


@one_database
def test_forged_cookies(server: Server) -> None:
    white, _, game = friends(server)
    id, session, signature = cookie_of(white).split(".")
    other = cookie_of(server.person()).split(".")
    raw = bytearray(base64.urlsafe_b64decode(signature))
    raw[0] ^= 1
    forged = [
        f"{id}.{session}.",
        f"{id}.{session}",
        id,
        f"{id}.{session}.{'A' * len(signature)}",
        f"{id}.{session}.{signature[:-1]}",
        f"{id}.{session}.{base64.urlsafe_b64encode(raw).decode()}",
        f"{id}.1.{signature}",
        f"{id}.00.{signature}x",
        f"{id}.{session}.{other[2]}",
        f"{other[0]}.{session}.{signature}",
        f"{id}.-0.{signature}",
        f"{id}. 0.{signature}",
        f"{id}.0.{signature}.x",
        f"{id} .0.{signature}",
        "",
        "..",
        "é.0.x",
    ]
    for cookie in forged:
        sent = f"cyvasse={cookie}".encode("latin-1")
        answer = post(
            f"{server.url}/api/games/{game}/commands",
            json={"do": "resign"},
            headers=[(b"cookie", sent)],
        )
        assert answer.status_code == 403, (cookie, answer.text)
        answer = get(f"{server.url}/api/games/{game}", headers=[(b"cookie", sent)])
        assert answer.json()["you"] == [], cookie
        assert "cyvasse=" in answer.headers["set-cookie"], "whoever it is gets an honest one"
    assert white.see(game)["standing"]["outcome"] is None


@one_database
def test_the_last_cookie_of_several_is_no_back_door(server: Server) -> None:
    white, _, game = friends(server)
    id = cookie_of(white).split(".")[0]
    both = f"cyvasse={cookie_of(server.person())}; cyvasse={id}.0.x"
    body = {"do": "resign"}
    url = f"{server.url}/api/games/{game}/commands"
    assert post(url, json=body, headers={"Cookie": both}).status_code == 403


@one_database
def test_cookie_flags(server: Server) -> None:
    set_cookie = get(f"{server.url}/api/me").headers["set-cookie"].lower()
    assert "httponly" in set_cookie
    assert "samesite=lax" in set_cookie
    assert "path=/" in set_cookie
    assert "domain=" not in set_cookie
    assert "secure" not in set_cookie  # it would not come back by HTTP


@one_database
def test_behind_https(proxied: Server, server: Server) -> None:
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    answer = get(f"{proxied.url}/api/me", headers=said)
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]
    for url, headers in ((proxied.url, {}), (server.url, said)):
        answer = get(f"{url}/api/me", headers=headers)
        assert "secure" not in answer.headers["set-cookie"].lower()
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize("flag", [True, False])
def test_the_flag_for_https(flag: bool) -> None:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["state"]["new_person"] = people.Person("id", "name")
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    guard = Guard(app, lambda state, secure: [f"{state['new_person'].name} {secure}"], flag, {}, {})
    scope: Any = {"type": "http", "scheme": "http", "method": "GET", "path": "/api", "state": {}}
    asyncio.run(guard(scope, None, send))  # type: ignore[arg-type]
    headers = dict(sent[0]["headers"])
    assert headers[b"set-cookie"] == f"name {flag}".encode()
    assert (b"strict-transport-security" in headers) is flag


@one_database
def test_security_headers(server: Server) -> None:
    for path in ("/", "/api/me", "/api/games/nothing", "/api/openapi.json", "/nothing"):
        headers = get(server.url + path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers
    assert get(f"{server.url}/api/me").headers["cache-control"] == "no-store"
    white, _, game = friends(server)
    picture = white.http.get(f"games/{game}/board.svg")
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "default-src 'self'" in picture.headers["content-security-policy"]


# --- other sites ----------------------------------------------------------------------------------


def operations(server: Server) -> list[tuple[str, str]]:
    paths = get(f"{server.url}/api/openapi.json").json()["paths"]
    return [(method.upper(), path) for path, item in paths.items() for method in item]


@one_database
def test_other_sites_change_nothing(server: Server) -> None:
    white, _, game = friends(server)
    unsafe = [each for each in operations(server) if each[0] not in ("GET", "HEAD")]
    assert len(unsafe) > 10
    host = server.url.removeprefix("http://")
    foreign = [
        {"Origin": ELSEWHERE},
        {"Origin": "null"},
        {"Origin": f"https://{host}.evil.example"},
        {"Origin": "http://[broken"},
        {"Origin": f"http://127.0.0.1:{server.port + 1}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": ELSEWHERE},
        {"Sec-Fetch-Site": "cross-site", "Origin": ELSEWHERE},
    ]
    number = white.see(game)["number"]
    for method, path in unsafe:
        url = path.replace("{game}", game).replace("{seat}", "white").replace("{name}", "x")
        url = server.url + url.replace("{rule_set}", "nine-tile")
        for headers in foreign:
            answer = white.http.request(method, url, json={"do": "resign"}, headers=headers)
            assert answer.status_code == 403, (method, path, headers, answer.text)
            assert "another site" in answer.json()["detail"]
    assert white.get("me")["name"] == white.name
    assert white.see(game)["number"] == number


@one_database
def test_forms_of_other_sites_change_nothing(server: Server) -> None:
    """What a page can send without asking, from a browser that does not say where it comes from."""
    white, _, game = friends(server)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = white.http.post(
            f"games/{game}/commands", content=b'{"do":"resign"}', headers={"Content-Type": kind}
        )
        assert answer.status_code == 415
    assert white.see(game)["standing"]["outcome"] is None


@one_database
def test_our_own_page_may(server: Server) -> None:
    white, _, game = friends(server)
    for headers in (
        {"Origin": server.url},
        {"Origin": server.url, "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {},
    ):
        said = white.http.post(f"games/{game}/chat", json={"text": "hello"}, headers=headers)
        assert said.status_code == 201


@one_database
def test_sockets_of_other_sites(server: Server) -> None:
    white, _, game = friends(server)
    foreign: list[dict[str, Any]] = [
        {"Origin": ELSEWHERE},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ]
    for headers in foreign:
        with Socket(white, **headers) as socket:
            with contextlib.suppress(ConnectionClosed):
                socket.send({"type": "do", "game": game, "command": {"do": "resign"}})
            assert ended(socket) == 4003
    assert white.see(game)["standing"]["outcome"] is None
    with Socket(white, Origin=server.url) as socket:
        assert socket.ask("ping")["type"] == "pong"


def test_further_origins(proxied: Server) -> None:
    me = proxied.person()
    for origin, status in (
        ("https://play.example", 201),
        ("https://b.example", 201),
        ("http://play.example", 403),
        ("https://play.example.evil.example", 403),
    ):
        body = {"rule_set": "croft", "opponent": {"kind": "friend"}}
        answer = me.http.post("games", json=body, headers={"Origin": origin})
        assert answer.status_code == status, origin


# --- private games --------------------------------------------------------------------------------


def listed(server: Server) -> str:
    """Everything that a stranger can find without a link."""
    stranger = server.person()
    found = []
    for path, query in (
        ("lobby", {}),
        ("games", {"kind": "live"}),
        ("games", {"kind": "recent"}),
        ("me/games", {}),
        ("me/export", {}),
    ):
        page = stranger.get(path, **query)
        found.append(json.dumps(page))
        while isinstance(page, dict) and page.get("next"):
            page = stranger.get(path, **query, after=page["next"])
            found.append(json.dumps(page))
    found.append(get(f"{server.url}/metrics").text)
    found.append(get(f"{server.url}/healthz").text)
    found.append(get(f"{server.url}/api/openapi.json").text)
    with stranger.socket() as socket:
        socket.ask("lobby")
        socket.drain(0.1)
        found.append(json.dumps(socket.heard))
    return "".join(found)


def test_a_private_game_is_found_nowhere(server: Server) -> None:
    owner = server.person()
    games, words = [], []
    for opponent in ("friend", "anyone", "same_screen", "bot"):
        created = owner.create("nine-tile", {"kind": opponent}, public=False)
        games.append(created["game"])
        words.append(created["invitation"])
    white, black, played = friends(server, public=False)
    games.append(played)
    (white if to_move(white.see(played)["view"]) == "white" else black).play(played)
    games.append(
        owner.post("imports", {"file": white.http.get(f"games/{played}/file").text})["game"]
    )
    found = listed(server)
    white.do(played, "resign")
    white.do(played, "rematch")
    black.do(played, "rematch")
    games.append(white.see(played)["standing"]["rematch"])
    found += listed(server)
    # Try every route and a socket, so that a log had something to tell.
    stranger = server.person()
    for game in games:
        for below in ("", "/file", "/position?ply=9", "/board.svg", "/chat", "/drafts/white", "/x"):
            stranger.http.get(f"games/{game}{below}")
        stranger.http.post(f"games/{game}/join", json={"invitation": "wrong"})
        stranger.http.post(f"games/{game}/commands", json={"do": "resign"})
    with stranger.socket() as socket:
        socket.do(games[0], "resign")
        socket.watch(games[0])
    for game in games:
        with pytest.raises(Exception, match="40"), Socket(None, server, path=f"/api/games/{game}"):
            pass
    found += listed(server)
    log = server.log.read_text()
    for secret in [*games, *(word for word in words if word)]:
        assert secret not in found
        assert secret not in log
    for person in (owner, white, black, stranger):
        assert cookie_of(person).split(".")[2] not in log


def test_a_private_seat_is_for_who_has_the_word(server: Server) -> None:
    white = server.person()
    created = white.create("croft", public=False)
    game, word = created["game"], created["invitation"]
    stranger, friend = server.person(), server.person()
    assert stranger.see(game)["invitation"] is None
    assert white.see(game)["invitation"] == word
    for wrong in (None, "", "wrong", word[:-1], word + "x", word.swapcase(), game):
        with pytest.raises(Refused) as error:
            stranger.post(f"games/{game}/join", {"invitation": wrong})
        assert error.value.status in (400, 403)
    friend.post(f"games/{game}/join", {"invitation": word})
    assert white.see(game)["invitation"] is None
    for person in (stranger, friend, white):
        with pytest.raises(Refused) as error:
            person.post(f"games/{game}/join", {"invitation": word})
        assert error.value.status == 409
    assert friend.see(game)["you"] == ["black"]


def test_an_invitation_is_never_an_open_seat(server: Server) -> None:
    """Not even of a public game, which everyone may watch."""
    white, stranger, friend = (server.person() for _ in range(3))
    created = white.create("croft", public=True)
    game = created["game"]
    with white.socket(), stranger.socket() as socket:
        socket.ask("lobby")
        assert game not in json.dumps(stranger.get("lobby"))
        assert game not in json.dumps(socket.heard)
        with pytest.raises(Refused) as error:
            stranger.post(f"games/{game}/join", {})
        assert error.value.status == 403
        friend.post(f"games/{game}/join", {"invitation": created["invitation"]})
        assert game in json.dumps(stranger.get("games"))
        friend.delete("me")
        socket.drain(0.2)
        for _ in range(2):
            with pytest.raises(Refused):
                stranger.post(f"games/{game}/join", {})
        assert game not in json.dumps(stranger.get("lobby"))
        assert game not in json.dumps([m for m in socket.heard if m["type"] == "lobby"])


def test_an_open_seat_is_for_anyone_once(server: Server) -> None:
    white = server.person()
    game = white.create("croft", {"kind": "anyone"}, public=True)["game"]
    assert game in json.dumps(server.person().get("lobby"))
    rivals = [server.person() for _ in range(6)]
    results: list[int] = []

    def take(person: Person) -> None:
        results.append(person.http.post(f"games/{game}/join", json={}).status_code)

    threads = [threading.Thread(target=take, args=(person,)) for person in rivals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [200] + [409] * 5
    assert sum(person.see(game)["you"] == ["black"] for person in rivals) == 1
    assert game not in json.dumps(server.person().get("lobby"))


@one_database
def test_nobody_fills_the_lobby(server: Server) -> None:
    me = server.person()
    for _ in range(20):
        me.create("croft", {"kind": "anyone"})
    with pytest.raises(Refused) as error:
        me.create("croft", {"kind": "anyone"})
    assert error.value.status == 409
    me.create("croft")
    me.delete("me")


# --- plain text -----------------------------------------------------------------------------------

HTML = "<img src=x onerror=alert(1)> & \"quoted\" 'text' {{7*7}} ${x}"


@one_database
def test_chat_is_plain_text(server: Server) -> None:
    white, black, game = friends(server)
    for said, kept in (
        (HTML, HTML),
        ("  one\n two\t\r three ", "one two three"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("\u2066a\u2069\u200b\ufeffb", "a b"),
        ("a\x1b[31mred\x07", "a [31mred"),
        ("family: \U0001f468\u200d\U0001f469", "family: \U0001f468\u200d\U0001f469"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 3),
        ("שלום", "שלום"),
    ):
        answer = white.post(f"games/{game}/chat", {"text": said})
        assert answer["remarks"][0]["text"] == kept
        assert black.get(f"games/{game}/chat")["remarks"][-1]["text"] == kept
    answer = black.http.get(f"games/{game}/chat")
    assert answer.headers["content-type"] == "application/json"
    for nothing in ("\u200b", "\u202e\u202c", "\n", "\u2028"):
        with pytest.raises(Refused):
            white.post(f"games/{game}/chat", {"text": nothing})


@one_database
@pytest.mark.parametrize(
    "name",
    [
        "a",
        "x" * 21,
        "two words",
        "<b>bold</b>",
        "new\nline",
        "a\0b",
        "abc\u202e",
        "zero\u200bwidth",
        "join\u200der",
        "Ari\u0430nne",  # a Cyrillic a
        "\u3164\u3164\u3164",  # letters that show nothing
        "\u0301\u0301\u0301",
        "admin",
        "\uff21\uff24\uff2d\uff29\uff2e",
        "Someone",
        "name@example",
        "\U0001f600\U0001f600",
        "١٢٣",
    ],
)
def test_names_that_deceive(server: Server, name: str) -> None:
    me = server.person()
    answer = me.http.post("me/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 422
    assert "name has" in answer.json()["detail"]
    assert me.get("me") == {"name": me.name, "account": False, "guesses": None}


@one_database
def test_names_of_many_scripts(server: Server) -> None:
    number = next(_used)
    for name in (f"Ärger{number}", f"Арианна{number}", f"אריאן{number}", f"さくら花{number}"):
        assert server.person().post("me/account", {"name": name, "password": PASSWORD}) == {
            "name": name,
            "account": True,
            "guesses": None,
        }


def test_names_are_one_persons(server: Server) -> None:
    name = new_name()
    account(server, name)
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in name)
    for same in (name, name.upper(), name.lower(), wide):
        with pytest.raises(Refused) as error:
            server.person().post("me/account", {"name": same, "password": PASSWORD})
        assert error.value.status == 409
        assert server.person().post("session", {"name": same, "password": PASSWORD})["name"] == name


# --- accounts -------------------------------------------------------------------------------------


def test_a_guest_becomes_an_account(server: Server) -> None:
    white, black, game = friends(server)
    guest = white.name
    with white.socket() as before:
        before.watch(game)
        name = new_name()
        assert white.post("me/account", {"name": name, "password": PASSWORD})["account"] is True
        assert ended(before) == 4001  # what it says would still be the guest's
    assert white.get("me") == {"name": name, "account": True, "guesses": None}
    assert white.see(game)["you"] == ["white"]
    assert black.see(game)["standing"]["white"]["name"] == name
    assert guest not in black.http.get(f"games/{game}/file").text
    white.do(game, "offer_draw")
    with pytest.raises(Refused):
        white.post("me/account", {"name": new_name(), "password": PASSWORD})


def test_signing_in_takes_over_the_guests_games(server: Server) -> None:
    first = account(server, new_name())
    guest, friend, running = friends(server)
    finished = guest.create("croft")
    friend.post(f"games/{finished['game']}/join", {"invitation": finished["invitation"]})
    guest.do(finished["game"], "abort")
    invited = guest.create("croft")
    old = cookie_of(guest)
    with guest.socket() as socket:
        socket.watch(running)
        guest.post("session", {"name": first.name, "password": PASSWORD})
        assert ended(socket) == 4001
    for person in (guest, first):
        assert person.get("me")["name"] == first.name
        for game in (running, finished["game"], invited["game"]):
            assert person.see(game)["you"] == ["white"], game
        assert person.see(invited["game"])["invitation"] == invited["invitation"]
    assert friend.see(running)["standing"]["white"]["name"] == first.name
    with first.socket() as socket:
        assert socket.do(running, "offer_draw")["type"] == "done"
    with with_cookie(server, old) as no_longer:
        assert no_longer.get(f"games/{running}").json()["you"] == []
        answer = no_longer.post(f"games/{running}/commands", json={"do": "resign"})
        assert answer.status_code == 403
    assert first.see(running)["standing"]["outcome"] is None


@one_database
def test_signing_out(server: Server) -> None:
    me = account(server, new_name())
    game = me.create("croft", public=False)["game"]
    assert me.delete("session")["account"] is False
    assert me.get("me")["name"] != me.name
    assert me.see(game)["you"] == []
    assert me.see(game)["invitation"] is None
    assert me.get("me/games")["games"] == []


def test_a_new_password_ends_other_sessions(server: Server) -> None:
    me = account(server, new_name())
    game = me.create("croft")["game"]
    thief = server.person()
    thief.post("session", {"name": me.name, "password": PASSWORD})
    stolen = cookie_of(thief)
    with thief.socket() as socket:
        socket.watch(game)
        with pytest.raises(Refused) as error:
            me.put("me/password", {"old": "wrong password", "new": "another password"})
        assert error.value.status == 403
        me.put("me/password", {"old": PASSWORD, "new": "another password"})
        assert ended(socket) == 4001
    with with_cookie(server, stolen) as old:
        assert old.get("me").json()["account"] is False
        assert old.post(f"games/{game}/commands", json={"do": "abort"}).status_code == 403
    with Socket(thief) as socket:
        assert socket.do(game, "abort")["type"] == "problem"
    assert me.get("me")["account"] is True
    with me.socket() as socket:
        assert socket.watch(game)["you"] == ["white"]
    with pytest.raises(Refused):
        server.person().post("session", {"name": me.name, "password": PASSWORD})
    server.person().post("session", {"name": me.name, "password": "another password"})


def test_an_unknown_name_is_looked_for_as_long_as_any() -> None:
    """It is compared with a hash of the usual costs that no password has."""
    hasher = PasswordHasher()
    nobody, somebody = people._no_password(hasher), hasher.hash("the tower and the dragon")
    assert extract_parameters(nobody) == extract_parameters(somebody)
    with pytest.raises(VerifyMismatchError):
        hasher.verify(nobody, "the tower and the dragon")
    assert people._no_password(hasher) != nobody


@one_database
def test_the_same_answer_for_unknown_names_and_wrong_passwords(server: Server) -> None:
    me = account(server, new_name())
    answers = [
        server.person().http.post("session", json={"name": name, "password": "wrong password"})
        for name in (me.name, "Nobody_at_all", "no name at all", "\0")
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert len({answer.text for answer in answers}) == 1


@one_database
@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_weak_passwords(server: Server, password: str) -> None:
    body = {"name": new_name(), "password": password}
    assert server.person().http.post("me/account", json=body).status_code in (400, 422)


def test_export(server: Server) -> None:
    white, black, game = friends(server)
    white.post(f"games/{game}/chat", {"text": "mine to keep"})
    black.post(f"games/{game}/chat", {"text": "not mine"})
    setup = setup_of(cyvasse.rule_set("croft"), "white")
    white.put("me/setups/croft/favourite", {"setup": setup})
    second = white.create("croft")["game"]
    white.put(f"games/{second}/drafts/white", {"setup": setup})
    export = white.get("me/export")
    assert export["name"] == white.name
    assert {each["game"] for each in export["games"]} == {game, second}
    assert [each["text"] for each in export["remarks"]] == ["mine to keep"]
    assert export["setups"]["croft"][0]["setup"] == setup
    assert "not mine" not in json.dumps(export)
    assert "argon2" not in json.dumps(export)
    assert server.person().get("me/export")["games"] == []


def test_deleting_me(server: Server) -> None:
    me = account(server, new_name())
    friend = server.person()

    def with_friend(**more: Any) -> str:
        created = me.create("nine-tile", **more)
        friend.post(f"games/{created['game']}/join", {"invitation": created["invitation"]})
        game: str = created["game"]
        return game

    running, setting_up, finished = with_friend(), with_friend(public=False), with_friend()
    for game in (running, finished):
        me.submit(game, "white")
        friend.submit(game, "black")
        mover = me if to_move(me.see(game)["view"]) == "white" else friend
        mover.play(game)
    friend.do(finished, "resign")
    invited = me.create("croft")["game"]
    offered = me.create("croft", {"kind": "anyone"})["game"]
    shared = me.create("croft", {"kind": "same_screen"})["game"]
    setup = setup_of(cyvasse.rule_set("nine-tile"), "white")
    me.put(f"games/{setting_up}/drafts/white", {"setup": setup})
    me.put("me/setups/nine-tile/mine", {"setup": setup})
    me.post(f"games/{running}/chat", {"text": "a word of mine"})
    imported = me.post("imports", {"file": me.http.get(f"games/{finished}/file").text})["game"]
    old = cookie_of(me)
    with me.socket() as socket, friend.socket() as at_friend:
        at_friend.watch(running)
        socket.watch(running)
        assert me.delete("me")["account"] is False
        assert ended(socket) == 4001
        at_friend.wait_for("update", lambda update: update["standing"]["outcome"] is not None)
    outcome = friend.see(running)["standing"]["outcome"]
    assert (outcome["result"], outcome["end"]) == ("0-1", "resignation")
    for game in (setting_up, invited, offered, shared):
        assert friend.see(game)["standing"]["status"] == "aborted", game
    for game in (running, setting_up, finished, invited, offered, shared):
        assert friend.see(game)["standing"]["white"]["name"] == "Someone"
        assert me.name not in json.dumps(friend.see(game))
        assert me.name not in friend.http.get(f"games/{game}/file").text
    assert friend.get(f"games/{running}/chat")["remarks"] == []
    assert friend.http.get(f"games/{imported}").status_code == 404
    for person in (friend, server.person()):
        assert me.name not in json.dumps(person.get("games", kind="recent"))
        assert me.name not in json.dumps(person.get("me/games", finished=True))
        for path in ("games", "lobby"):
            assert me.name not in json.dumps(person.get(path))
    with with_cookie(server, old) as ghost:
        assert ghost.get("me").json()["account"] is False
        export = ghost.get("me/export").json()
        assert (export["games"], export["setups"], export["remarks"]) == ([], {}, [])
        assert ghost.post(f"games/{shared}/commands", json={"do": "rematch"}).status_code == 403
    with pytest.raises(Refused):
        server.person().post("session", {"name": me.name, "password": PASSWORD})
    account(server, me.name)  # the name is free again


# --- limits ---------------------------------------------------------------------------------------


def test_guessing_passwords(limited: Server) -> None:
    """However the name is written and whatever the client says about its address."""
    me = account(limited, "Arianne")
    writings = ("Arianne", "ARIANNE", "\uff21rianne", "arianne")
    answers = []
    for i in range(14):
        body = {"name": writings[i % 4], "password": "guessed password"}
        said = {"X-Forwarded-For": f"192.0.2.{i}", "X-Real-IP": f"192.0.2.{i}"}
        answers.append(post(f"{limited.url}/api/session", json=body, headers=said))
    assert [answer.status_code for answer in answers[:5]] == [403] * 5
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert int(refused.headers["retry-after"]) > 0
    assert "wait" in refused.json()["detail"]
    body = {"old": "wrong password", "new": "another password"}
    soon_too_often(lambda: me.http.put("me/password", json=body))
    again = {"name": "Arianne", "password": PASSWORD}
    soon_too_often(lambda: post(f"{limited.url}/api/me/account", json=again))
    assert me.get("me")["account"] is True
    broken = b'{"name":"Arianne","password":"broken password"'
    me.http.post("session", content=broken, headers={"Content-Type": "application/json"})
    passwords_are_kept_as_hashes_only(limited)


def soon_too_often(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """What is asked for again and again is refused in the end, however slow this machine is."""
    answers: list[httpx.Response] = []

    def refused() -> bool:
        answers.append(ask())
        return answers[-1].status_code == 429

    until(refused, "too often", pause=0)
    return answers[-1]


def passwords_are_kept_as_hashes_only(server: Server) -> None:
    server.stop()
    with contextlib.closing(sqlite3.connect(server.folder / "cyvasse.sqlite")) as database:
        rows = database.execute("SELECT password FROM people WHERE password IS NOT NULL")
        (kept,) = [row[0] for row in rows]
    assert kept.startswith("$argon2id$")
    everything = b"".join(file.read_bytes() for file in server.folder.iterdir() if file.is_file())
    for word in (PASSWORD, "another password", "guessed password", "broken password"):
        assert word.encode() not in everything
    secret = server.folder / "secret.key"
    assert secret.read_bytes() not in server.log.read_bytes()
    assert secret.stat().st_mode & 0o077 == 0


def test_guessing_from_many_addresses(proxied: Server) -> None:
    statuses = []
    for i in range(24):
        # What the client itself says stands before what the proxy says.
        said = {"X-Forwarded-For": f"203.0.113.9, 192.0.2.{i}"}
        body = {"name": "\uff21rianne" if i % 2 else "arianne", "password": "wrong password"}
        answer = post(f"{proxied.url}/api/session", json=body, headers=said)
        statuses.append(answer.status_code)
    assert statuses[:20] == [403] * 20
    assert 429 in statuses
    statuses = []
    for i in range(14):
        # One network of IPv6 is one address.
        said = {"X-Forwarded-For": f"198.51.100.{i}, 2001:db8::{i}"}
        body = {"name": f"name_{i}", "password": "wrong password"}
        answer = post(f"{proxied.url}/api/session", json=body, headers=said)
        statuses.append(answer.status_code)
    assert statuses[:10] == [403] * 10
    assert 429 in statuses


def test_too_many_requests(proxied: Server) -> None:
    said = {"X-Forwarded-For": "192.0.2.100"}
    with client(base_url=proxied.url, headers=said) as somebody:
        assert {somebody.get("/api/rules").status_code for _ in range(190)} == {200}
        answer = soon_too_often(lambda: somebody.get("/api/rules"))
        assert answer.headers["content-type"] == "application/problem+json"
        assert get(f"{proxied.url}/api/lobby").status_code == 200, "somebody else"
        until(lambda: somebody.get("/api/me").status_code == 200, "the limit passes")


def test_too_much_chat(proxied: Server) -> None:
    """By one person, and by one who is a new person each time."""
    white, _, game = friends(proxied)
    with white.socket() as socket:
        answers = [socket.ask("say", game=game, text=f"{i}") for i in range(12)]
    assert [answer["type"] for answer in answers[:8]] == ["done"] * 8
    assert answers[-1]["problem"]["status"] == 429
    with pytest.raises(Refused) as error:
        white.post(f"games/{game}/chat", {"text": "by another way"})
    assert error.value.status == 429
    with client(base_url=proxied.url) as nobody:
        statuses = []
        for _ in range(60):
            nobody.cookies.clear()
            answer = nobody.post(f"/api/games/{game}/chat", json={"text": "spam"})
            statuses.append(answer.status_code)
    assert statuses.count(429) > 5
    assert len(white.get(f"games/{game}/chat")["remarks"]) == 8


def test_too_many_games_by_people_without_cookies(proxied: Server) -> None:
    said = {"X-Forwarded-For": "192.0.2.101"}
    with client(base_url=proxied.url, headers=said) as somebody:
        statuses = []
        for _ in range(26):
            somebody.cookies.clear()
            answer = somebody.post("/api/imports", json={"file": "no file"})
            statuses.append(answer.status_code)
        assert set(statuses) == {422}
        somebody.get("/api/me")
        statuses = [
            somebody.post("/api/imports", json={"file": "no file"}).status_code for _ in range(26)
        ]
        assert statuses[0] == 422
        assert statuses[-1] == 429
        for _ in range(80):
            somebody.cookies.clear()
            answer = somebody.post("/api/imports", json={"file": "no file"})
        assert answer.status_code == 429


def test_too_many_messages(proxied: Server) -> None:
    me = proxied.person()
    with me.socket() as socket:
        for i in range(200):
            socket.send({"type": "ping", "id": i} if i % 2 else "x" * 20_000)
        problems = (m["problem"] for m in iter(socket.hear, None) if m["type"] == "problem")
        refused = next(problem for problem in problems if problem["status"] == 429)
        assert "wait" in refused["detail"]
    with me.socket() as socket:
        until(lambda: socket.ask("ping")["type"] == "pong", "the limit passes")


def test_too_many_sockets(proxied: Server) -> None:
    said: Any = {"X-Forwarded-For": "192.0.2.102"}
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(Socket(None, proxied, **said)) for _ in range(90)]
        refused = [socket for socket in sockets if not _is_open(socket)]
        assert 1 <= len(refused) <= 30
        assert ended(refused[-1]) == 4003


def _is_open(socket: Socket) -> bool:
    try:
        return bool(socket.ask("ping")["type"] == "pong")
    except ConnectionClosed:
        return False


def test_no_more_sockets_than_an_address_may_have() -> None:
    limits = TokenBuckets()
    here = [limits.connected("192.0.2.1") for _ in range(MOST_SOCKETS)]
    for each in here:
        each.__enter__()
    with pytest.raises(TooOften), limits.connected("192.0.2.1"):
        pass
    with limits.connected("192.0.2.2"):
        pass
    here[0].__exit__(None, None, None)
    with limits.connected("192.0.2.1"):
        pass


def test_limits_take_no_memory_for_ever() -> None:
    limits = TokenBuckets()
    for i in range(MOST_BUCKETS + 1_000):
        limits.spend("request", str(i), now=0)
    assert len(limits._buckets["request"]) == MOST_BUCKETS


def test_a_small_factor_still_lets_one_through() -> None:
    TokenBuckets(0.001).spend("say", "somebody", now=0)


def test_not_everyone_hashes_at_once(tmp_path: Path) -> None:
    """A hash takes 64 MiB: whoever would wait too long is told so instead."""

    def slowly(*_: object) -> str:
        time.sleep(0.01)
        return "hash"

    async def many() -> list[BaseException | str]:
        known = people.People(Database(f"sqlite:///{tmp_path}/x"), b"secret")
        with patch.object(PasswordHasher, "hash", slowly):
            return await asyncio.gather(
                *(known._hash(PASSWORD) for _ in range(people.MOST_HASHING + 5)),
                return_exceptions=True,
            )

    results = asyncio.run(many())
    assert results.count("hash") == people.MOST_HASHING
    assert sum(isinstance(result, Busy) for result in results) == 5


@one_database
def test_endless_games_are_not_kept(server: Server) -> None:
    rules = cyvasse.rule_set("croft")
    game = cyvasse.Game(rules, repetition=False, quiet=False)
    for color in ("white", "black"):
        game.submit(color, rules.random_setup(color, seed=1))
    game.lift_screen("white")
    chance = random.Random(1)
    while game.ply <= MOST_ACTIONS:
        harmless = [action for action in game.legal_actions() if "x" not in str(action)]
        game.play(chance.choice(harmless))
    me = server.person()
    answer = me.http.post("imports", json={"file": cyvasse.write_game(game)})
    assert answer.status_code == 413
    assert str(MOST_ACTIONS) in answer.json()["detail"]
    while game.ply > MOST_ACTIONS:
        game.undo()
    game.resign("white")
    kept = me.post("imports", {"file": cyvasse.write_game(game)})["game"]
    assert me.see(kept)["view"]["ply"] == MOST_ACTIONS


@one_database
def test_long_messages_are_answered(server: Server) -> None:
    white, _, game = friends(server)
    with white.socket() as socket:
        fits = json.dumps({"type": "ping", "id": 5})
        socket.send(fits + " " * (16_384 - len(fits)))
        assert socket.hear()["type"] == "pong"
        socket.send(fits + " " * (16_385 - len(fits)))
        answer = socket.hear()
        assert answer["problem"]["status"] == 413
        assert "16384" in answer["problem"]["detail"]
        assert socket.ask("ping")["type"] == "pong"
        # More than the server reads at all: it may be gone before everything is sent, and then what
        # it said last is lost.
        with contextlib.suppress(ConnectionClosed):
            socket.send("x" * 1_100_000)
        assert ended(socket) in (1009, 0)
    with white.socket() as socket:
        assert socket.watch(game)["you"] == ["white"]


@one_database
def test_who_does_not_listen_is_cut_off(server: Server) -> None:
    """The server does not keep for ever what a client does not read."""
    white, black, game = friends(server)
    small = socketlib.socket()
    small.setsockopt(socketlib.SOL_SOCKET, socketlib.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", server.port))
    with Socket(black, sock=small) as deaf, white.socket() as other:
        for _ in range(100):
            other.ask("say", game=game, text="x" * 500)  # so that there is much to hear
        other.watch(game)
        for _ in range(1_000):
            deaf.send({"type": "watch", "game": game})
        other.wait_for("presence", lambda presence: bool(presence["black"]))
        other.wait_for("presence", lambda presence: not presence["black"])


@one_database
def test_who_follows_too_many_games(server: Server) -> None:
    me = server.person()
    games = [me.create("croft")["game"] for _ in range(51)]
    with me.socket() as socket:
        for game in games[:50]:
            assert socket.watch(game)["type"] == "snapshot"
        assert socket.watch(games[50])["problem"]["status"] == 413
        socket.ask("unwatch", game=games[0])
        assert socket.watch(games[50])["type"] == "snapshot"
