"""Onlookers: people who ask a server for everything there is, and note every byte they get.

What is noted of two games can be compared: names, links, cookies and times have stand-ins, and
nothing else has.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Mapping
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from websockets.exceptions import ConnectionClosed

import cyvasse
from cyvasse.server import page
from cyvasse.server.names import guest_name
from tests.server.harness import PATIENCE, Person, Server, Socket, setup_of

TIMES = re.compile(r'"(now|at|created_at|updated_at|finished_at|deadline|setup_deadline)":\d{10,}')
WORKER = re.compile(r'"worker":"[^"]*"')
PRESENCE = re.compile(
    r'\{"type":"presence","game":"GAME","white":(true|false),"black":(true|false),'
    r'"spectators":\d+\}'
)
# For a route that is found in no schema; litestar adds the last two, which show the schema or 404.
UNLISTED = {
    *page.ADDRESSES,
    "/metrics",
    "/api/socket",
    "/api/openapi.json",
    "/api/openapi.json/openapi.json",
    "/api/openapi.json/{path:str}",
}
PAGE_FILES = {"/icon.svg", "/assets/{name:str}"}
"""There only where the page was built."""

PAGE = "/game/{game}"
"""It comes with what the API would answer."""

LISTS = ("/api/games", "/api/lobby", "/api/me/games", "/api/me/export")
PUBLIC = ("/api/games", "/api/lobby")
"""Lists with games of people who have nothing to do with ours."""

SEATS = ("white", "black")
HARMLESS = (
    {"do": "play", "action": "a1-a2", "ply": 0},
    {"do": "resign"},
    {"do": "offer_draw"},
    {"do": "accept_draw"},
    {"do": "decline_draw"},
    {"do": "ask_take_back"},
    {"do": "allow_take_back"},
    {"do": "refuse_take_back"},
    {"do": "claim_time"},
)
"""What changes nothing while the screen stands, whoever does it."""


class Ask(NamedTuple):
    """One request; ``place`` is what stands in its path besides the game."""

    query: Mapping[str, Any] = {}
    body: Any = None
    place: Mapping[str, str] = {}


class Case(NamedTuple):
    """What an onlooker asks about."""

    game: str
    rule_set: str
    hidden: str
    """The seat whose setup is hidden."""
    plays: tuple[str, ...] = ()
    """The seats of the onlooker."""
    joinable: bool = False
    over: bool = False


def asks(case: Case) -> dict[str, list[Ask]]:
    """Requests for every route of the schema; none of them changes how the game stands."""
    rules = cyvasse.rule_set(case.rule_set)
    own = next((seat for seat in case.plays if seat != case.hidden), None)
    legal = setup_of(rules, own or "white", 77)
    illegal = {**legal, "pieces": legal["pieces"][2:]}
    text = rules.random_position(seed=5).text()
    here, there = rules.board.squares[:2]
    seated = [Ask(place={"seat": seat}) for seat in SEATS]
    named = {"rule_set": case.rule_set, "name": "mine"}
    of_rules = {"rule_set": case.rule_set}
    return {
        "GET /api/me": [Ask()],
        "DELETE /api/me": [] if case.plays else [Ask()],
        "POST /api/me/account": [Ask(body={"name": "no spaces", "password": "long enough"})],
        "POST /api/session": [Ask(body={"name": "nobody"})],
        "DELETE /api/session": [Ask()],
        "DELETE /api/me/guesses": [Ask()],
        "PUT /api/me/password": [Ask(body={"old": "an old one", "new": "a new one"})],
        "GET /api/me/games": [Ask(), Ask({"finished": "true"}), Ask({"size": 1})],
        "PUT /api/me/setups/{rule_set}/{name}": [Ask(body={"setup": legal}, place=named)],
        "GET /api/me/setups/{rule_set}": [Ask(place=of_rules)],
        "DELETE /api/me/setups/{rule_set}/{name}": [Ask(place=named)],
        "GET /api/me/export": [Ask()],
        "POST /api/games": [Ask(body={"rule_set": "none", "opponent": {"kind": "friend"}})],
        "GET /api/games": [
            Ask({"size": 100}),
            Ask({"size": 100, "kind": "recent"}),
            Ask({"size": 100, "rule_set": case.rule_set}),
        ],
        "GET /api/lobby": [Ask()],
        "GET /api/about": [Ask()],
        "POST /api/imports": [Ask(body={"file": "THE GAME'S FILE"})],
        "GET /api/games/{game}": [Ask()],
        "POST /api/games/{game}/join": []
        if case.joinable
        else [Ask(body={}), Ask(body={"invitation": "wrong"})],
        "POST /api/games/{game}/commands": [Ask(body=each) for each in _commands(case, illegal)],
        "POST /api/games/{game}/hint": [Ask(body={}), Ask(body={"held": ["a1-a2"]})],
        "GET /api/games/{game}/drafts/{seat}": [*seated, Ask(place={"seat": "grey"})],
        "PUT /api/games/{game}/drafts/{seat}": [
            each._replace(body={"setup": setup}) for each in seated for setup in (illegal, {})
        ],
        "GET /api/games/{game}/chat": [Ask(), Ask({"after": 1})],
        "POST /api/games/{game}/chat": [Ask(body={"text": ""})],
        "GET /api/games/{game}/file": [Ask()],
        "GET /api/games/{game}/position": [Ask(), Ask({"ply": 0}), Ask({"ply": 1})],
        "GET /api/games/{game}/board.svg": [Ask(), Ask({"ply": 0, "bottom": "black"})],
        "GET /api/games/{game}/board": [Ask(), Ask({"ply": 0})],
        "GET /api/games/{game}/why": [Ask({"origin": here, "target": there})],
        "GET /api/games/{game}/layers": [Ask()],
        "GET /api/games/{game}/reach": [Ask(), Ask({"ply": 0})],
        "GET /api/games/{game}/told": [Ask()],
        "GET /api/board.svg": [Ask({"text": text})],
        "GET /api/rules/{rule_set}/board.svg": [Ask(place=of_rules)],
        "GET /api/rules/{rule_set}/setups/{name}/{seat}/board.svg": [
            Ask(place={**of_rules, "name": name, "seat": seat})
            for name in (next(iter(rules.named_setups())), "none")
            for seat in SEATS
        ],
        "GET /api/rules": [Ask()],
        "GET /api/rules/{rule_set}": [Ask(place=of_rules)],
        "GET /api/rules/{rule_set}/page": [Ask(place=of_rules)],
        "POST /api/rules/{rule_set}/check": [
            Ask(body={"setup": setup, "color": own or "white"}, place=of_rules)
            for setup in ({}, legal, illegal, "no setup")
        ],
        "POST /api/rules/{rule_set}/places": [
            Ask(body={"setup": {}, "thing": thing}, place=of_rules) for thing in ("king", "none")
        ],
        "POST /api/rules/{rule_set}/turned": [Ask(body={"setup": {}}, place=of_rules)],
        # Of a rule set that there is, the answer is drawn anew each time.
        "GET /api/rules/{rule_set}/setup": [Ask(place={"rule_set": "none"})],
        "GET /api/position": [Ask({"text": text})],
        "GET /api/explain": [Ask({"text": text, "origin": here, "target": there})],
        "GET /healthz": [Ask()],
    }


def _commands(case: Case, illegal: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    submit = {"do": "submit", "setup": illegal}
    own = [seat for seat in case.plays if seat != case.hidden]
    for seat in own:
        yield from ({**each, "seat": seat} for each in (*HARMLESS, submit))
    yield {**submit, "seat": case.hidden}
    yield {"do": "withdraw", "seat": case.hidden}
    if case.hidden not in case.plays:
        yield {"do": "abort", "seat": case.hidden}
        yield {"do": "rematch", "seat": case.hidden}
    if not case.plays:
        yield {"do": "abort"}


class Ear(Socket):
    """A websocket that notes every frame as it came."""

    def __init__(self, person: Person | None, server: Server | None = None) -> None:
        super().__init__(person, server)
        self.frames: list[str] = []

    def __enter__(self) -> Ear:
        return self

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        frame = self.connection.recv(timeout)
        self.frames.append(frame if isinstance(frame, str) else frame.decode())
        message: dict[str, Any] = json.loads(frame)
        self.heard.append(message)
        return message


class Onlooker:
    """Somebody who asks for everything: a person with a cookie, or a stranger without one."""

    def __init__(self, server: Server, person: Person | None) -> None:
        self.server = server
        self.person = person
        self.cookie = None if person is None else person.http.cookies.get("cyvasse")
        self.http = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self.words: dict[str, str] = {}
        """Stand-ins for what differs from game to game."""
        self.notes: list[str] = []
        """What was asked and what was answered."""
        self.ear: Ear | None = None

    def close(self) -> None:
        self.http.close()
        if self.ear is not None:
            self.ear.close()

    # --- asking -----------------------------------------------------------------------------------

    def look(self, case: Case, *, reading: bool = False) -> None:
        """Ask every route about a game, or only those that read, in one way each."""
        self.http.close()  # a connection that was idle for long may be gone
        for route, requests in asks(case).items():
            method, path = route.split()
            if not reading:
                chosen = requests
            elif "{seat}" in path:
                chosen = [ask for ask in requests if ask.place["seat"] == case.hidden]
            else:
                chosen = requests[:1]
            if not reading or (method == "GET" and ("{game}" in path or path in LISTS)):
                for ask in chosen:
                    self.ask(method, path, ask, case.game)
        self.ask("GET", PAGE, Ask(), case.game)
        if not reading:
            for method in ("HEAD", "OPTIONS", "PATCH"):
                self.ask(method, "/api/games/{game}", Ask(), case.game)

    def ask(self, method: str, path: str, ask: Ask, game: str) -> None:
        """Ask one thing and note the answer."""
        body = ask.body
        if path == "/api/imports":
            body = {"file": self._request("GET", f"/api/games/{game}/file")[1].decode()}
        query = f"?{urlencode(ask.query)}" if ask.query else ""
        response, content = self._request(
            method, quote(path.format(game=game, **ask.place)) + query, body
        )
        words = dict(self.words)
        for given in re.findall(r"cyvasse=([^;]+)", response.headers.get("Set-Cookie", "")):
            words |= {given: "COOKIE", guest_name(given.split(".")[0]): "GUEST"}
        text = content.decode()
        if path in PUBLIC and response.status == 200:
            text = _only(text, game)
        asked = f"{method} {path} {dict(ask.query)} {ask.body} {dict(ask.place)}"
        headers = _headers(response, None if method == "HEAD" else len(content))
        self.notes.append(f"{asked}\n{response.status}\n{plain(headers + text, words)}")

    def _request(self, method: str, path: str, body: Any = None) -> tuple[HTTPResponse, bytes]:
        headers = {} if self.cookie is None else {"Cookie": f"cyvasse={self.cookie}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        self.http.request(method, path, content, headers)
        response = self.http.getresponse()
        return response, response.read()

    # --- hearing ----------------------------------------------------------------------------------

    def listen(self, game: str) -> None:
        """Follow a game from now on."""
        self.followed = game
        self.ear = Ear(self.person, self.server)
        self.number = self.ear.watch(game)["number"]

    def hear_number(self, number: int) -> None:
        """Wait until the game has come so far; whoever has signed in must connect again."""
        assert self.ear is not None
        try:
            self.ear.hear_number(number)
        except ConnectionClosed:
            self.end()
            self.listen(self.followed)
            if self.number < number:
                self.ear.hear_number(number)

    def reconnect(self, case: Case, number: int) -> None:
        """Come back with every number that a client could have, and say what is wrong."""
        with Ear(self.person, self.server) as ear:
            for last in (None, *range(number + 3)):
                ear.ask("watch", game=case.game, last=last, chat=1)
            ear.ask("unwatch", game=case.game)
            ear.ask("watch", game="unknown")
            for command in HARMLESS:
                ear.ask("do", game=case.game, command={**command, "seat": case.hidden})
            ear.ask("nonsense", game=case.game)
            ear.ask("say", game=case.game, text="")
            self._note_frames(ear)

    def go_deaf(self) -> None:
        """Hear nothing more."""
        self.end()
        assert self.ear is not None
        self.ear.close()
        self.ear = None

    def end(self) -> None:
        """Note what was heard until now."""
        assert self.ear is not None
        with contextlib.suppress(ConnectionClosed):  # whoever has signed in must connect again
            self.ear.ask("ping")
        self._note_frames(self.ear)

    def _note_frames(self, ear: Ear) -> None:
        for frame in ear.frames:
            told = plain(frame, self.words)
            # How often and when somebody's coming is told depends on how busy the workers are.
            if '"type":"presence"' in told:
                assert PRESENCE.fullmatch(told), told
            else:
                self.notes.append(told)


def plain(text: str, words: Mapping[str, str]) -> str:
    """A text with stand-ins for words that differ from game to game, and without times."""
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, words[word])
    return WORKER.sub('"worker":"-"', TIMES.sub(r'"\1":0', text))


def _headers(response: HTTPResponse, length: int | None) -> str:
    """All headers, a line each; what may be done at an address is listed in any order."""
    kept = ""
    for name, value in response.getheaders():
        if name == "content-length" and length is not None:
            assert int(value) == length  # it differs as names do
        elif name == "allow":
            kept += f"{name}: {sorted(value.split(', '))}\n"
        elif name != "date":
            kept += f"{name}: {value}\n"
    return kept


def _only(text: str, game: str) -> str:
    """A list without the games that are not asked about."""
    found = json.loads(text)
    if isinstance(found, list):
        found = [each for each in found if each["game"] == game]
    else:
        found["games"] = [each for each in found["games"] if each["game"] == game]
        found.pop("next", None)
    return json.dumps(found, separators=(",", ":"))
