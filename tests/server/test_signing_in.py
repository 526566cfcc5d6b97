"""Signing in: nobody is locked out by the guesses of others, and nobody guesses quickly."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import event, insert, select

from cyvasse.server.browsers import LONGEST, MOST_ACCOUNTS, Browsers
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.guesses import GuessBook, Guesses, guesses_in
from cyvasse.server.limits import LIMITS
from cyvasse.server.people import People
from tests.server.conftest import arguments
from tests.server.harness import Person, Refused, Server, client, get, post, serving, until

pytestmark = pytest.mark.slow  # passwords are hashed again and again

PASSWORD = "correct horse battery"
WRONG = "guessed password"
NUL = "\0"
# Half of the usual limits: each attempt takes a while by design, and this makes fewer of them.
SCALE = 0.5

_names = (f"Nymeria_{number}" for number in itertools.count())
_addresses = (f"198.{18 + i // 65536}.{i // 256 % 256}.{i % 256}" for i in itertools.count())


@pytest.fixture(scope="module")
def guarded_servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Server]]:
    """Servers with limits, behind a proxy: everyone has an address of their own."""
    with ExitStack() as running:

        @cache
        def serve(database: str) -> Server:
            folder = tmp_path_factory.mktemp(f"guarded-{database}")
            more = [*arguments(database, request), "--proxies", "127.0.0.1"]
            return running.enter_context(serving(folder, *more, limits=str(SCALE)))

        yield serve


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def guarded(request: pytest.FixtureRequest, guarded_servers: Callable[[str], Server]) -> Server:
    return guarded_servers(request.param)


one_worker = pytest.mark.parametrize("guarded", ["sqlite"], indirect=True)
# Without limits; what no database has a part in is tried on one.
one_database = pytest.mark.parametrize("server", ["sqlite"], indirect=True)


class Browser:
    """A browser at some address."""

    def __init__(self, server: Server, address: str | None = None) -> None:
        self.server = server
        self.http = client(base_url=f"{server.url}/api/", timeout=30)
        self.move(address or next(_addresses))

    def move(self, address: str) -> None:
        self.address = address
        self.http.headers["X-Forwarded-For"] = address

    def sign_up(self) -> str:
        name = next(_names)
        answer = self.http.post("me/account", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return name

    def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        return self.http.post("session", json={"name": name, "password": password})

    def sign_out(self) -> None:
        assert self.http.delete("session").status_code == 200

    @property
    def known(self) -> str | None:
        return self.http.cookies.get("cyvasse_known")


@pytest.fixture
def browsers(guarded: Server) -> Iterator[Callable[..., Browser]]:
    opened: list[Browser] = []

    def open_browser(address: str | None = None) -> Browser:
        opened.append(Browser(guarded, address))
        return opened[-1]

    yield open_browser
    for each in opened:
        each.http.close()


def guess(
    server: Server, name: str, address: str | None = None, known: str | None = None
) -> httpx.Response:
    """A wrong password, from an address that nobody else has unless one is given."""
    headers = {"X-Forwarded-For": address or next(_addresses)}
    if known is not None:
        headers["Cookie"] = f"cyvasse_known={known}"
    body = {"name": name, "password": WRONG}
    return post(f"{server.url}/api/session", json=body, headers=headers, timeout=30)


def most(server: Server, what: str, seconds: float) -> float:
    """How many are let through in so many seconds: as many as the limit says, by each worker."""
    workers = 2 if "--workers" in server.arguments else 1
    burst, rate = LIMITS[what]
    return workers * (burst * SCALE + rate * SCALE * seconds + 1)


def use_up(server: Server, name: str) -> int:
    """Guess from many addresses until no worker lets anybody try; how many were let through."""
    tried = refused = 0
    while refused < 12:  # a worker that has been asked for nothing is unlikely by then
        status = guess(server, name).status_code
        assert status in (403, 429)
        tried += status == 403
        assert tried < 60, "nobody is ever refused"
        refused = refused + 1 if status == 429 else 0
    return tried


# --- others guess ---------------------------------------------------------------------------------


class Siege(NamedTuple):
    """An account that many strangers guess at."""

    name: str
    own: Browser
    second: Browser
    tried: int
    seconds: float


@pytest.fixture(scope="module")
def siege(guarded: Server) -> Iterator[Siege]:
    own, second = Browser(guarded), Browser(guarded)
    name = own.sign_up()
    assert second.sign_in(name).status_code == 201
    begin = time.monotonic()
    tried = use_up(guarded, name)
    yield Siege(name, own, second, tried, time.monotonic() - begin)
    for each in (own, second):
        each.http.close()


def test_guessing_from_many_addresses_stays_slow(guarded: Server, siege: Siege) -> None:
    begin = time.monotonic()
    statuses = [guess(guarded, siege.name).status_code for _ in range(30)]
    tried = siege.tried + statuses.count(403)
    seconds = siege.seconds + time.monotonic() - begin
    assert 5 <= tried <= most(guarded, "name", seconds)


def test_only_what_was_tried_is_a_guess(siege: Siege) -> None:
    """The owner is not told of attempts that were refused: no password was looked at."""

    def count() -> int:
        guesses = siege.own.http.get("me").json()["guesses"]
        return guesses["count"] if guesses else 0

    found = until(lambda: (n := count()) >= siege.tried and n, "all are told")
    assert found < siege.tried + 10  # a few more by now, but far from all of them


def test_an_owner_with_a_known_browser_signs_in_while_others_guess(
    guarded: Server, siege: Siege
) -> None:
    name = siege.name
    for own in (siege.own, siege.second):
        own.sign_out()
        use_up(guarded, name)
        assert own.sign_in(name, "my old password").status_code == 403  # a slip of one's own
        assert own.sign_in(name.upper()).json()["name"] == name
        assert 429 in [guess(guarded, name).status_code for _ in range(5)]
    siege.own.sign_out()
    siege.own.move(next(_addresses))  # elsewhere, with the same browser
    assert siege.own.sign_in(name).status_code == 201


def test_a_new_browser_is_told_what_to_do(
    guarded: Server, siege: Siege, browsers: Callable[..., Browser]
) -> None:
    use_up(guarded, siege.name)
    answers = [browsers().sign_in(siege.name) for _ in range(3)]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert 1 <= int(refused.headers["retry-after"]) <= 1 / LIMITS["name"].rate / SCALE
    assert "A browser in which you have signed in before need not wait." in refused.text
    assert "cyvasse_known" not in refused.headers.get("set-cookie", "")


def guess_until_refused(server: Server, name: str, address: str) -> None:
    """Guess until no worker listens any more; which of them takes a guess is left to chance."""
    statuses: list[int] = []
    while statuses[-8:] != [429] * 8:
        assert len(statuses) < 100, statuses
        statuses.append(guess(server, name, address).status_code)


def test_guesses_from_the_own_address_lock_nobody_out(
    guarded: Server, browsers: Callable[..., Browser]
) -> None:
    own = browsers()
    name = own.sign_up()
    own.sign_out()
    guess_until_refused(guarded, name, own.address)
    assert own.sign_in(name).status_code == 201


def test_two_addresses_lock_nobody_out(guarded: Server, browsers: Callable[..., Browser]) -> None:
    """Not even whoever comes with a new browser."""
    name = browsers().sign_up()
    for _ in range(2):
        guess_until_refused(guarded, name, next(_addresses))
    assert browsers().sign_in(name).status_code == 201


@one_worker
def test_names_that_there_are_and_names_that_there_are_not(
    guarded: Server, browsers: Callable[..., Browser]
) -> None:
    """What strangers are answered is the same, in words and in number."""
    other = browsers()
    other.sign_up()
    there, not_there = browsers().sign_up(), next(_names)
    told: dict[str, list[Any]] = {}
    for name in (there, not_there):
        answers = [guess(guarded, name, known=other.known) for _ in range(16)]
        told[name] = [
            (each.status_code, re.sub(r"\d+ seconds?", "", each.json()["detail"]))
            for each in answers
        ]
        assert all(each.headers.keys() == answers[0].headers.keys() for each in answers[:5])
    assert told[there][:10] == told[not_there][:10]
    assert {status for status, _ in told[there][:10]} == {403}
    assert {status for status, _ in told[there]} == {403, 429}
    assert set(told[there]) == set(told[not_there])


# --- the cookie -----------------------------------------------------------------------------------


def test_forged_and_foreign_cookies_are_worth_nothing(
    guarded: Server, siege: Siege, browsers: Callable[..., Browser]
) -> None:
    own, stranger, name = siege.own, browsers(), siege.name
    stranger.sign_up()
    true, foreign = str(own.known), str(stranger.known)
    person, session, mark, signature = true.split(".")
    use_up(guarded, name)
    flipped = ("B" if signature[0] == "A" else "A") + signature[1:]
    forged = [
        true[:-1],
        true[1:],
        f"{true}x",
        f"{true}.",
        f"{person}.{session}.{mark}",
        f"{person}.{session}.{mark}.",
        f"{person}.{session}.{mark}.{flipped}",
        f"{person}.{session}.{mark}.{foreign.split('.')[3]}",
        f"{person}.{int(session) + 1}.{mark}.{signature}",
        f"{person}.0{session}.{mark[1:]}.{signature}",
        f"{person}.{session}.{foreign.split('.')[2]}.{signature}",
        f"{foreign.split('.')[0]}.{session}.{mark}.{signature}",
        foreign,
        str(own.http.cookies.get("cyvasse")),
        "x" * 4_000,
        ":".join([foreign] * 40 + [true]),
        ":" * 3_000 + true,
        "",
        ":",
        "...",
        f"{person}.٣.{mark}.{signature}",
        f"{person}.{session}.{mark}.{'é' * 32}",
        f"%00{true}",
        f"{person}.-1.{mark}.{signature}",
        f"{person}.9999999999999999999999.{mark}.{signature}",
    ]
    for cookie in forged:
        headers = [
            (b"cookie", f"cyvasse_known={cookie}".encode()),
            (b"x-forwarded-for", next(_addresses).encode()),
        ]
        body = {"name": name, "password": PASSWORD}
        answer = post(f"{guarded.url}/api/session", json=body, headers=headers)
        if answer.status_code != 429:  # some time has passed
            use_up(guarded, name)
            answer = post(f"{guarded.url}/api/session", json=body, headers=headers)
        assert answer.status_code == 429, cookie
    assert guess(guarded, name, known=f"{foreign}:{true}").status_code == 403
    assert own.sign_in(name).status_code == 201


@one_database
def test_neither_cookie_is_the_other(server: Server) -> None:
    me = server.person()
    me.post("me/account", {"name": next(_names), "password": PASSWORD})
    known = me.http.cookies["cyvasse_known"]
    person, session, mark, signature = known.split(".")
    for cookie in (known, f"{person}.{session}.{signature}", f"{person}.{mark}.{signature}"):
        answer = get(f"{server.url}/api/me", headers={"Cookie": f"cyvasse={cookie}"})
        assert answer.json()["account"] is False
    # And it opens nothing.
    headers = {"Cookie": f"cyvasse_known={known}"}
    assert get(f"{server.url}/api/me", headers=headers).json()["account"] is False
    body = {"name": me.get("me")["name"], "password": WRONG}
    assert post(f"{server.url}/api/session", json=body, headers=headers).status_code == 403


def test_a_copied_cookie_guesses_no_faster(
    guarded: Server, browsers: Callable[..., Browser]
) -> None:
    """Whoever has one has the allowance of one browser, from however many addresses."""
    own, other = browsers(), browsers()
    name = own.sign_up()
    assert other.sign_in(name).status_code == 201
    copied = str(own.known)
    begin = time.monotonic()
    statuses = [guess(guarded, name, known=copied).status_code for _ in range(30)]
    seconds = time.monotonic() - begin
    assert 5 <= statuses.count(403) <= most(guarded, "sign in", seconds)
    # The other browser has nothing to do with it, and neither have strangers.
    assert other.sign_in(name).status_code == 201
    assert browsers().sign_in(name).status_code == 201


def test_who_knows_a_browser_for_how_long(url: str) -> None:
    """Until there is a new password, or the account is gone."""

    async def work() -> None:
        database = Database(url)
        try:
            await database.upgrade()
            people = People(database, b"secret")
            me = await people.sign_up(people.new_guest(), "Arianne", PASSWORD)
            cookie = people.browsers.with_account(None, me.id, me.session)
            known = await people.recognise(cookie, "ARIANNE")
            assert known is not None
            assert known.person == me.id
            for cookie_of, name in ((None, "Arianne"), (cookie, "Nobody"), (cookie, NUL)):
                assert await people.recognise(cookie_of, name) is None
            changed = await people.change_password(me, PASSWORD, "another one", known=True)
            assert await people.recognise(cookie, "Arianne") is None
            cookie = people.browsers.with_account(cookie, changed.id, changed.session)
            assert await people.recognise(cookie, "Arianne") is not None
            await people.forget(changed)
            assert await people.recognise(cookie, "Arianne") is None
            await people.sign_up(people.new_guest(), "Arianne", PASSWORD)
            assert await people.recognise(cookie, "Arianne") is None
        finally:
            await database.close()

    asyncio.run(work())


@one_database
def test_a_browser_of_several_people(server: Server) -> None:
    browser = server.person()
    names = []
    for _ in range(MOST_ACCOUNTS + 2):
        names.append(next(_names))
        browser.post("me/account", {"name": names[-1], "password": PASSWORD})
        browser.delete("session")
    known = browser.http.cookies["cyvasse_known"]
    assert len(known) <= LONGEST
    assert len(known.split(":")) == MOST_ACCOUNTS
    assert not any(name in known for name in names)
    browser.post("session", {"name": names[4], "password": PASSWORD})
    again = browser.http.cookies["cyvasse_known"].split(":")
    assert len(again) == MOST_ACCOUNTS
    assert len({each.split(".")[0] for each in again}) == MOST_ACCOUNTS
    browser.delete("me")
    assert len(browser.http.cookies["cyvasse_known"].split(":")) == MOST_ACCOUNTS - 1


@one_database
def test_flags_and_when_it_is_given(server: Server) -> None:
    me = server.person()
    assert "cyvasse_known" not in me.http.cookies  # guests have no password
    name = next(_names)
    body = {"name": name, "password": PASSWORD}
    given = [
        me.http.post("me/account", json=body),
        me.http.get("me"),
        me.http.get(server.url, headers={"Accept": "text/html"}),
        me.http.delete("session"),
        me.http.post("session", json=body),
    ]
    for answer in given:
        (cookie,) = [
            each.lower()
            for each in answer.headers.get_list("set-cookie")
            if each.startswith("cyvasse_known=")
        ]
        for word in ("httponly", "samesite=lax", "path=/", "max-age=31536000"):
            assert word in cookie
        assert "domain=" not in cookie
        assert "secure" not in cookie
    # Whoever has only got hold of a session is given none: each would be a new allowance.
    stolen = {"Cookie": f"cyvasse={me.http.cookies['cyvasse']}"}
    for path in ("/api/me", "/"):
        answer = get(server.url + path, headers=stolen)
        assert "cyvasse=" in answer.headers["set-cookie"]
        assert "cyvasse_known" not in answer.headers["set-cookie"]
    assert "cyvasse_known" not in me.http.post("session", json=body | {"password": WRONG}).headers


def test_flags_behind_https(guarded: Server, browsers: Callable[..., Browser]) -> None:
    own = browsers()
    own.http.headers["X-Forwarded-Proto"] = "https"
    body = {"name": next(_names), "password": PASSWORD}
    answer = own.http.post("me/account", json=body)
    cookies = answer.headers.get_list("set-cookie")
    assert len(cookies) == 2
    assert all("secure" in each.lower() for each in cookies)


def test_odd_names_in_a_known_browser(server: Server) -> None:
    """There the name is looked for before anything is counted."""
    me = server.person()
    name = next(_names)
    me.post("me/account", {"name": name, "password": PASSWORD})
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in name)
    odd = [NUL, f"{name}{NUL}", f"{NUL}{name}", f"{name}\u200b", f"{name}\u202e", "\ufdfa" * 40]
    odd += ["\u0130" * 20, "\u0390" * 20, "a\u0301" * 20, f"{name} ", "' OR 1=1 --", "\U0001f600"]
    for each in odd:
        answer = me.http.post("session", json={"name": each, "password": PASSWORD})
        assert answer.status_code == 403, each
    assert me.post("session", {"name": wide, "password": PASSWORD})["name"] == name
    for broken in (b'{"name": "\\ud800", "password": "x"}', b'{"name": "\xff", "password": "x"}'):
        kind = {"Content-Type": "application/json"}
        assert me.http.post("session", content=broken, headers=kind).status_code in (400, 403)
    assert me.get("me")["guesses"] is None


def test_what_a_cookie_is_made_of() -> None:
    ours, others = Browsers(b"one secret"), Browsers(b"another secret")
    cookie = ours.with_account(None, "a", 0)
    assert [each.person for each in ours.read(cookie)] == ["a"]
    assert others.read(cookie) == []
    assert ours.again(f"nonsense:{cookie}:") == cookie
    both = ours.with_account(cookie, "b", 3)
    assert [(each.person, each.session) for each in ours.read(both)] == [("b", 3), ("a", 0)]
    assert ours.known(both, "b", 3) is not None
    assert ours.known(both, "b", 2) is None
    assert ours.known(both, "c", 0) is None
    assert ours.without_account(both, "b") == cookie
    assert ours.without_account(cookie, "a") == ""
    renewed = ours.with_account(both, "b", 3)
    assert len(ours.read(renewed)) == 2
    assert renewed != both  # a copy of the old one has an allowance of its own
    assert ours.read("") == ours.read(None) == []


# --- the password of a session --------------------------------------------------------------------


def test_a_stolen_session_guesses_the_password_slowly(
    guarded: Server, browsers: Callable[..., Browser]
) -> None:
    own = browsers()
    own.sign_up()
    stolen = {"Cookie": f"cyvasse={own.http.cookies['cyvasse']}"}
    body = {"old": WRONG, "new": "another password"}
    begin = time.monotonic()
    statuses = []
    for _ in range(30):
        headers = stolen | {"X-Forwarded-For": next(_addresses)}
        answer = httpx.put(
            f"{guarded.url}/api/me/password", json=body, headers=headers, verify=False
        )
        statuses.append(answer.status_code)
    seconds = time.monotonic() - begin
    assert 5 <= statuses.count(403) <= most(guarded, "sign in", seconds)
    # The owner can end it meanwhile.
    body = {"old": PASSWORD, "new": "another password"}
    assert own.http.put("me/password", json=body).status_code == 200


# --- telling the owner ----------------------------------------------------------------------------


def told(person: Person, count: int) -> Any:
    """What the owner is told, once so many were noted."""

    def noted() -> Any:
        guesses = person.get("me")["guesses"]
        return guesses if guesses and guesses["count"] >= count else None

    return until(noted, "the owner is told")


def test_the_owner_is_told(server: Server) -> None:
    me, other, thief = server.person(), server.person(), server.person()
    name = next(_names)
    begin = time.time() * 1000
    signed_up = me.post("me/account", {"name": name, "password": PASSWORD})
    assert signed_up == {"name": name, "account": True, "guesses": None}
    other.post("me/account", {"name": next(_names), "password": PASSWORD})
    for _ in range(3):
        with pytest.raises(Refused):
            thief.post("session", {"name": name, "password": WRONG})
    first = told(me, 3)
    assert first["count"] == 3
    assert begin <= first["since"] <= first["last"] <= time.time() * 1000
    with pytest.raises(Refused):  # the owner's own slips are no news
        me.post("session", {"name": name, "password": WRONG})
    with pytest.raises(Refused):
        me.put("me/password", {"old": WRONG, "new": "another password"})
    with pytest.raises(Refused):  # another one's browser is a stranger's
        other.post("session", {"name": name, "password": WRONG})
    second = told(me, 4)
    assert second["count"] == 4
    assert (second["since"], second["last"] > first["last"]) == (first["since"], True)
    me.delete("session")
    assert me.get("me")["guesses"] is None
    signed_in = me.post("session", {"name": name, "password": PASSWORD})
    assert signed_in["guesses"] == second
    changed = me.put("me/password", {"old": PASSWORD, "new": "another password"})
    assert changed["guesses"] == second
    assert me.get("me/export")["guesses"] == second
    for person in (other, thief):
        assert person.delete("me/guesses")["guesses"] is None
        assert person.get("me/export")["guesses"] is None
    assert me.get("me")["guesses"] == second
    assert me.delete("me/guesses") == {"name": name, "account": True, "guesses": None}
    assert me.get("me")["guesses"] is None
    with pytest.raises(Refused):
        thief.post("session", {"name": name, "password": WRONG})
    assert told(me, 1)["count"] == 1


def test_a_stolen_session_that_guesses_is_told_of(server: Server) -> None:
    me = server.person()
    me.post("me/account", {"name": next(_names), "password": PASSWORD})
    stolen = {"Cookie": f"cyvasse={me.http.cookies['cyvasse']}"}
    body = {"old": WRONG, "new": "another password"}
    url = f"{server.url}/api/me/password"
    assert httpx.put(url, json=body, headers=stolen, verify=False).status_code == 403
    assert told(me, 1)["count"] == 1


def test_what_was_noted_outlives_a_restart(own_server: Server) -> None:
    me = own_server.person()
    name = next(_names)
    me.post("me/account", {"name": name, "password": PASSWORD})
    for _ in range(4):
        assert guess(own_server, name).status_code == 403
    own_server.stop()
    own_server.start()
    assert me.get("me")["guesses"]["count"] == 4


def test_a_flood_of_guesses_is_no_flood_of_writes(tmp_path: Path) -> None:
    async def work() -> None:
        database = Database(f"sqlite:///{tmp_path / 'test.sqlite'}")
        try:
            await database.upgrade()
            row = {"name": "a", "session": 0, "created_at": 1, "seen_at": 1}
            async with database.write() as connection:
                for id in ("a", "b"):
                    await connection.execute(insert(t.people).values(id=id, **row))
            begun: list[Any] = []
            event.listen(database._writer.sync_engine, "begin", begun.append)
            book = GuessBook(database)
            for _ in range(1000):
                book.note("a")
                book.note("b")
                book.note("gone")
            assert begun == []
            await book.write_down()
            await book.write_down()
            assert len(begun) == 1
            book.note("a")
            await book.write_down()
            assert {id: found and found.count for id, found in (await kept(database)).items()} == {
                "a": 1001,
                "b": 1000,
            }
            await book.forget("a")
            assert (await kept(database))["a"] is None
        finally:
            await database.close()

    asyncio.run(work())


def test_what_cannot_be_written_down_is_kept_for_later(tmp_path: Path) -> None:
    async def work() -> None:
        database = Database(f"sqlite:///{tmp_path / 'test.sqlite'}")
        try:
            book = GuessBook(database)
            book.note("a")
            with pytest.raises(Exception, match="no such table"):
                await book.write_down()
            book.note("a")
            await database.upgrade()
            async with database.write() as connection:
                row = {"id": "a", "name": "a", "session": 0, "created_at": 1, "seen_at": 1}
                await connection.execute(insert(t.people).values(row))
            await book.write_down()
            found = (await kept(database))["a"]
            assert found is not None
            assert found.count == 2
        finally:
            await database.close()

    asyncio.run(work())


async def kept(database: Database) -> dict[str, Guesses | None]:
    async with database.read() as connection:
        rows = (await connection.execute(select(t.people))).all()
    return {row.id: guesses_in(row) for row in rows}
