"""Nothing stands twice: what is said again follows from one place, or is held to it here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cyvasse
from cyvasse.rules.terms import QUIET_TURNS, REPETITIONS, End
from tests.tables import TABLES, written

ROOT = Path(__file__).parent.parent
KINDS = ("*.md", "*.py", "*.toml", "*.yml", "*.cff", "*.json", "*.html", "*.ts", "*.svelte")
PLACES = ("src", "web/src", "docs", "tests", "benchmarks")
SOURCES = [
    *(path for kind in KINDS for path in ROOT.glob(kind)),
    *(path for kind in KINDS for path in (ROOT / "web").glob(kind) if "lock" not in path.name),
    *(path for place in PLACES for kind in KINDS for path in (ROOT / place).rglob(kind)),
]
BUILT = ROOT / "src" / "cyvasse" / "server" / "page"


def standing(text: str) -> set[str]:
    """The files in which a text stands by itself."""
    found = re.compile(rf"(?<![\w.]){re.escape(text)}(?![\w.])")
    return {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if BUILT not in path.parents and found.search(path.read_text(encoding="utf-8"))
    }


def test_the_version() -> None:
    """Others that show it are held to it by tests of their own."""
    kept = {"src/cyvasse/__init__.py", "CITATION.cff", "docs/ugi.md"}
    assert standing(cyvasse.__version__) - {"CHANGELOG.md"} == kept


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_the_documents(name: str) -> None:
    path, text, anew = written(name)
    assert text == anew, f"{path.name} is stale: python -m tests.goldens documents writes it anew"


def test_the_platform_rules() -> None:
    """P2 and P3: code derives them, and every text that tells them tells what the code does."""
    told = f"{QUIET_TURNS} turns"
    assert not [path for path in standing(told) if path.startswith(("src/", "web/src/"))]
    assert f"{told} without progress" == End.QUIET
    assert (REPETITIONS, End.REPETITION) == (3, "third repetition")
    text = " ".join((ROOT / "docs" / "platform-rules.md").read_text().split())
    assert f"{told} in a row" in text
    assert re.search("third (time|repetition)", text)
    for rules in cyvasse.rule_sets():
        page = (ROOT / "docs" / "rules" / f"{rules.id}.md").read_text()
        assert "\n[The platform rules](../platform-rules.md)\n" in page, rules.id
        assert "third" not in page.partition("## Platform rules")[2].partition("\n## ")[0]
    for name, words in {"formats": f"`{End.QUIET}`", "ugi": str(End.QUIET)}.items():
        assert words in (ROOT / "docs" / f"{name}.md").read_text(), name


def test_links_of_the_page() -> None:
    """Each leads to a screen of the list that server and page share, and each screen has one."""
    listed = json.loads((ROOT / "src" / "cyvasse" / "server" / "addresses.json").read_text())
    words = {name: {path.split("/")[1] for path in listed[name]["paths"]} for name in listed}
    texts = {
        path.name: path.read_text(encoding="utf-8")
        for path in SOURCES
        if ROOT / "web" / "src" in path.parents
    }
    links = {
        (word, name)
        for name, text in texts.items()
        for word in re.findall(r"""["'`]/([a-z]+)""", text)
    }
    assert len(links) > 10
    known = {"api", "icon"}.union(*words.values())
    astray = {link for link in links if link[0] not in known}
    assert astray == set(), "addresses.json has no screen at these addresses"
    # By its address, or by its name, which pathOf() takes.
    linked = {word for word, _ in links} | set(re.findall(r'"(\w+)"', "".join(texts.values())))
    unlinked = {name for name in listed if not {name, *words[name]} & linked}
    assert unlinked == set(), "nothing in web/src links to these screens"
