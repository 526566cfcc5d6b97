"""What the documents promise about themselves."""

from __future__ import annotations

import importlib
import re
import runpy
from pathlib import Path

import pytest

import cyvasse
from cyvasse import errors

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REFERENCE = [path.read_text() for path in sorted((DOCS / "reference").glob("*.md"))]
DIRECTIVE = re.compile(r"^::: (\S+)$", re.MULTILINE)


def documented() -> list[str]:
    return [name for page in REFERENCE for name in DIRECTIVE.findall(page)]


def test_no_name_stands_twice_in_the_reference() -> None:
    names = documented()
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("package", ["cyvasse.notation", "cyvasse.engine", "cyvasse.draw"])
def test_the_reference_has_every_name_of_a_package(package: str) -> None:
    """Where a name is also in `cyvasse` it may stand there."""
    names = set(documented())
    missing = [
        name
        for name in importlib.import_module(package).__all__
        if not {f"cyvasse.{name}", f"{package}.{name}"} & names
    ]
    assert missing == []


def test_the_reference_has_every_public_name_and_no_other() -> None:
    kinds = [name for name in cyvasse.__all__ if hasattr(errors, name)]  # the whole module is there
    assert "cyvasse.errors" in documented()
    top = {name for name in documented() if name.startswith("cyvasse.") and name.count(".") == 1}
    wanted = {f"cyvasse.{name}" for name in cyvasse.__all__ if name not in kinds}
    assert top - {"cyvasse.errors"} == wanted


def test_what_the_reference_names_can_be_imported() -> None:
    """But for what an extra brings."""
    for name in documented():
        if name.startswith("cyvasse.draw.raster."):
            continue
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            module, _, attribute = name.rpartition(".")
            assert hasattr(importlib.import_module(module), attribute), name


def test_examples_of_docstrings_are_blocks_of_code() -> None:
    pytest.importorskip("griffe")
    fenced = runpy.run_path(str(DOCS / "doctests.py"))["fenced"]
    assert fenced("Adds.\n\n>>> 1 + 1\n2") == "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```"
    assert fenced("    >>> 1\n    1") == "    >>> 1\n    1"
    assert fenced(">>> 1\n1\n\n>>> 2\n2").count("```") == 4


def test_every_decision_is_listed_by_its_title() -> None:
    index = (DOCS / "decisions" / "index.md").read_text()
    pages = [path for path in (DOCS / "decisions").glob("*.md") if path.name != "index.md"]
    assert pages
    for page in pages:
        title = page.read_text().splitlines()[0].removeprefix("# ")
        assert f"[{title}]({page.name})" in index


def test_a_decision_says_why_and_what_would_change_it() -> None:
    for page in (DOCS / "decisions").glob("*.md"):
        if page.name != "index.md":
            for part in ("**Decided.**", "**Why.**", "**What would change it.**"):
                assert part in page.read_text(), f"{page.name} lacks {part}"


def test_a_citation_names_this_version() -> None:
    assert f"\nversion: {cyvasse.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_files_that_decisions_point_to_are_there() -> None:
    """In the repository, or in the package."""
    named = {
        (page.name, name)
        for page in (DOCS / "decisions").glob("*.md")
        for name in re.findall(r"`([\w./-]+[./]\w*)`", page.read_text().rpartition("\nSee ")[2])
    }
    assert len(named) > 30
    roots = (ROOT, ROOT / "src" / "cyvasse")
    lost = {(page, name) for page, name in named if not any((r / name).exists() for r in roots)}
    assert lost == set()


# Lines that cannot be broken: rows of tables, pictures with their descriptions, what is printed.
UNBROKEN = ("|", "![", "cyvasse.errors.")
LONGEST = 120
PROSE = sorted({str(path.relative_to(ROOT)) for path in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"))})


@pytest.mark.parametrize("name", PROSE)
def test_lines_of_prose_are_short(name: str) -> None:
    lines = enumerate((ROOT / name).read_text().splitlines(), 1)
    long = [
        f"line {number} has {len(line)} columns"
        for number, line in lines
        if len(line) > LONGEST and not line.lstrip().startswith(UNBROKEN)
    ]
    assert long == []
