"""The page: where it begins, what comes with it, and how its files are kept and sent."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

import cyvasse
from cyvasse.server.page import FINGERPRINT, FOLDER, INDEX, PLACES, SCREENS, BuiltPage
from tests.server.harness import Person, Server, client, friends, get, serving

HTML = {"Accept": "text/html"}
HOSTILE = "</script><script>alert(1)</script><!--"


@pytest.fixture(autouse=True)
def built() -> None:
    """The page must be there; where everything must be, its absence is a failure."""
    if not INDEX.is_file():
        stop = pytest.fail if os.environ.get("CYVASSE_REQUIRE_ALL") else pytest.skip
        stop("the page is not built (make page)")


LARGEST = 126_000
"""Bytes of all scripts and styles together, gzipped."""
LARGEST_TEXT = 13_000
"""The same of the rules page that is the longest; a reader fetches only this one."""

# Names of formats, and where Svelte explains its errors; nobody fetches anything there.
HARMLESS = ("http://www.w3.org/", "https://svelte.dev/e/")


def texts() -> dict[str, str]:
    """All files of the built page that a browser reads as text."""
    kinds = (".html", ".js", ".css", ".svg", ".json")
    files = [file for file in FOLDER.rglob("*") if file.suffix in kinds]
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def first(text: str) -> dict[str, Any]:
    """What comes with the page."""
    found = re.search(r'<script type="application/json" id="first">(.*?)</script>', text)
    assert found is not None, text[-500:]
    told: dict[str, Any] = json.loads(found[1])
    return told


def look(person: Person, path: str) -> httpx.Response:
    return person.http.get(f"{person.server.url}{path}", headers=HTML)


def test_comes_with_the_first_answers(server: Server) -> None:
    """The same as the API answers, so that nothing of it has to be asked."""
    me = server.person()
    me.create("croft")
    told = first(look(me, "/").text)["answers"]
    assert set(told) == {"me", "rules", "me/games?size=20", "lobby"}
    for path, answer in told.items():
        assert answer == me.http.get(path).json() or path == "lobby"  # others come and go there
    assert len(told["me/games?size=20"]["games"]) == 1


def test_comes_with_the_game_as_its_viewer_may_see_it(server: Server) -> None:
    white, black, game = friends(server, "mikelepage", ready=False)
    white.submit(game, "white")
    for person in (white, black, server.person()):
        told = first(look(person, f"/game/{game}").text)["answers"]
        assert set(told) == {"me", f"games/{game}", "rules/mikelepage"}
        seen = {**told[f"games/{game}"], "standing": None}
        assert seen == {**person.see(game), "standing": None}
        assert told["rules/mikelepage"] == person.get("rules/mikelepage")
    assert set(first(look(white, "/game/unknown").text)["answers"]) == {"me"}


def test_whoever_comes_first_is_a_guest_from_then_on(server: Server) -> None:
    with client(base_url=server.url) as browser:
        name = first(browser.get("/", headers=HTML).text)["answers"]["me"]["name"]
        assert browser.get("/api/me").json()["name"] == name


def test_nothing_inside_ends_the_script(server: Server) -> None:
    """An imported game's players are called whatever its file says."""
    me = server.person()
    file = me.http.get(f"games/{friends(server)[2]}/file").text
    name = HOSTILE.replace('"', "")
    file = re.sub(r"\[White .*\]", f'[White "{name}"]', file)
    imported = me.post("imports", {"file": file})["game"]
    text = look(me, f"/game/{imported}").text
    assert "<script>alert" not in text
    told = first(text)["answers"][f"games/{imported}"]
    assert told["standing"]["white"]["name"] == name[:40]


def test_fingerprint(server: Server) -> None:
    """The page knows its own, and every answer of the API tells that of now, refusals too."""
    me = server.person()
    own = first(look(me, "/").text)["page"]
    assert len(own) == 16
    for path in ("me", "games/unknown", "nowhere"):
        assert me.http.get(path).headers[FINGERPRINT] == own


def test_another_build_has_another_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html>one</html>")
    (tmp_path / "manifest.json").write_text("{}")
    before = BuiltPage(tmp_path).fingerprint
    assert BuiltPage(tmp_path).fingerprint == before
    (tmp_path / "index.html").write_text("<html>two</html>")
    assert BuiltPage(tmp_path).fingerprint != before


def test_only_files_are_kept(server: Server) -> None:
    page = get(server.url, headers=HTML)
    assert "no-cache" in page.headers["cache-control"]
    names = re.findall(r'"/(assets/[^"]+)"', page.text)
    assert names
    for name in names:
        answer = get(f"{server.url}/{name}")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        kind = {"js": "text/javascript", "css": "text/css"}[name.rpartition(".")[2]]
        assert answer.headers["content-type"].partition(";")[0] == kind
    gone = get(f"{server.url}/assets/main-gone.js")
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    assert get(f"{server.url}/icon.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip;q=1.0", "gzip"), ("identity", None), ("", None)],
)
def test_files_are_sent_compressed(server: Server, accepted: str, encoding: str | None) -> None:
    (name,) = (path.name for path in FOLDER.glob("assets/main-*.js"))
    headers = {"Accept-Encoding": accepted}
    with httpx.stream("GET", f"{server.url}/assets/{name}", headers=headers) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(raw)
    plain = (FOLDER / "assets" / name).read_bytes()
    if encoding == "gzip":
        assert gzip.decompress(raw) == plain
    assert raw == plain if encoding is None else len(raw) < len(plain) / 2


def test_answers_are_sent_compressed(server: Server) -> None:
    for path in ("/", "/api/rules/croft", "/api/rules/croft/board.svg"):
        answer = get(server.url + path, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in get(f"{server.url}/api/me").headers


def test_no_way_out_of_the_folder(server: Server) -> None:
    for path in ("..%2fpage.py", "..%2findex.html", "%2e%2e/page.py", "manifest.json", "."):
        assert get(f"{server.url}/assets/{path}").status_code == 404


@pytest.mark.slow
def test_too_many_requests_get_the_page_too(tmp_path: Path) -> None:
    """Which then says so in words, and goes on by itself; its files are never refused."""
    with serving(tmp_path, limits="0.01") as server, client(base_url=server.url) as browser:
        answers = [browser.get("/", headers=HTML) for _ in range(8)]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert int(answers[-1].headers["retry-after"]) >= 1
        names = re.findall(r'"/(assets/[^"]+)"', answers[-1].text)
        assert all(browser.get(f"/{name}").status_code == 200 for name in names * 5)
        refused = browser.get("/api/me")
        assert refused.headers["content-type"] == "application/problem+json"


def test_every_screen_names_its_file(server: Server) -> None:
    """The file with the screen is fetched beside the main one, not after it."""
    for path, screen in PLACES.items():
        answer = get(server.url + path.replace("{id}", "x"), headers=HTML)
        assert answer.status_code == 200
        file = SCREENS[screen].file
        assert list(FOLDER.glob(f"assets/{file}-*.js")), f"{screen}: there is no file {file!r}"
        for kind in ("modulepreload", "stylesheet"):
            named = f'<link rel="{kind}" crossorigin href="/assets/{file}-'
            # The page itself names the main one.
            assert (named in answer.text) is (file != "main" or kind == "stylesheet"), path
    assert "modulepreload" not in get(server.url, headers=HTML).text


# --- what was built -------------------------------------------------------------------------------


def sizes(*kinds: str) -> dict[str, int]:
    """Bytes of each file of some kinds, gzipped."""
    return {
        name: len(gzip.compress(text.encode(), mtime=0))
        for name, text in texts().items()
        if name.endswith(kinds)
    }


def test_is_small() -> None:
    scripts = sizes(".js", ".css")
    assert sum(scripts.values()) < LARGEST, scripts


def test_each_rules_page_is_a_file() -> None:
    """Each page is a file of its own, that only its readers fetch."""
    pages = sizes(".json")
    del pages["manifest.json"]
    ids = {rules.id for rules in cyvasse.rule_sets()}
    assert {name.rpartition("-")[0] for name in pages} == ids
    assert max(pages.values()) < LARGEST_TEXT, pages


def test_rules_are_kept_and_sent_compressed(server: Server) -> None:
    for file in FOLDER.glob("assets/*.json"):
        answer = get(f"{server.url}/assets/{file.name}", headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.json() == json.loads(file.read_text(encoding="utf-8"))


def test_names_no_other_host() -> None:
    """Nothing is fetched from anywhere else; only texts for readers may name their sources."""
    rules_texts = tuple(rules.id for rules in cyvasse.rule_sets())
    found = {
        (name, address)
        for name, text in texts().items()
        for address in re.findall(r"""(?:https?:|wss?:|["'`(])//[\w-]+[.\w-]*[^\s"'`)]*""", text)
        if not address.startswith(HARMLESS) and not name.startswith(rules_texts)
    }
    assert found == set()


def test_is_whole() -> None:
    """Every file that is named is there, in all its forms."""
    everything = "".join(texts().values())
    names = set(re.findall(r"(?:assets|\.)/([\w-]+-[\w-]{8}\.(?:json|js|css|svg))", everything))
    files = {file.name for file in (FOLDER / "assets").iterdir()}
    assert names
    assert files == {name + ending for name in names for ending in ("", ".br", ".gz")}
