"""The code in the README, the docs and the docstrings runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import cyvasse
from tests.documents import TEXTS, examples
from tests.goldens import ROOT

# Alembic runs its environment by itself.
UNREAD = ("__main__", "migrations.env")
# What the base install cannot import: modules, and what their extra brings.
EXTRAS = {
    "cyvasse.server.": "litestar",
    "cyvasse.terminal.screens.": "textual",
    "cyvasse.draw.raster": "resvg_py",
    "cyvasse.rulespage": "markdown_it",
}
MISSING = tuple(name for name, brings in EXTRAS.items() if not importlib.util.find_spec(brings))
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(cyvasse.__path__, "cyvasse.")
    if not module.name.endswith(UNREAD) and not module.name.startswith(MISSING)
)


@pytest.mark.parametrize("path", TEXTS, ids=[str(path.relative_to(ROOT)) for path in TEXTS])
def test_documents(path: Path) -> None:
    test = examples(path.read_text(encoding="utf-8"), str(path))
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_readme_has_examples() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(examples(readme, "README.md").examples) > 10


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_every_rule_set_is_documented(rules: cyvasse.RuleSet) -> None:
    page = (ROOT / "docs" / "rules" / f"{rules.id}.md").read_text()
    assert page.startswith(f"# {rules.title}\n")
    assert "## Decisions" in page
    for kind in rules.piece_types:
        assert kind.title in page
    formats = (ROOT / "docs" / "formats.md").read_text()
    for field in (*rules.state_fields, *rules.setup_fields):
        assert f"`{field.name}`" in formats
    for ground, letter in rules.terrain_letters.items():
        assert f"`{letter}` {ground}" in formats


def test_there_are_docstring_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [
        test
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
        if test.examples
    ]
    assert len(found) > 8
