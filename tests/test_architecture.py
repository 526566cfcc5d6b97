"""What docs/architecture.md says about who may know what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cyvasse

SOURCE = Path(cyvasse.__file__).parent
OUTSIDE = sorted(
    path
    for pattern in ("*.py", "*.pxd")
    for path in SOURCE.rglob(pattern)
    if "rules" not in path.relative_to(SOURCE).parts[:1]
)
PAGE = Path(__file__).parents[1] / "web" / "src"
# nine-tile, NINE_TILE, NineTile …
NAMES = re.compile("|".join(rules.id.replace("-", "[-_ ]?") for rules in cyvasse.rule_sets()), re.I)


def words_of_code(path: Path) -> Iterator[str]:
    """Names and texts of a module, without its docstrings and the examples that it gives people."""
    if path.suffix == ".pxd":
        yield from (line.split("#")[0] for line in path.read_text().splitlines())
        return
    tree = ast.parse(path.read_text())
    docstrings = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                if id(node) not in docstrings and "such as" not in text.lower():
                    yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(module)):
                yield module


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_rule_set_is_named_outside_the_rules(path: Path) -> None:
    """Where one would be named, an aspect of the contract lacks a word."""
    named = [words for words in words_of_code(path) if NAMES.search(words)]
    assert named == []


def test_the_page_names_no_rule_set() -> None:
    """What it says of each comes from the server."""
    sources = [path for kind in ("*.ts", "*.svelte") for path in PAGE.rglob(kind)]
    assert sources
    named = [
        f"{path.relative_to(PAGE)}: {line.strip()}"
        for path in sources
        for line in path.read_text().splitlines()
        if NAMES.search(line) and not line.lstrip().startswith(("//", "*", "/*", "<!--"))
    ]
    assert named == []


def test_names_would_be_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    for code in (
        "from cyvasse.rules.nine_tile import tiles",
        "import cyvasse.rules.croft",
        "board = MIKELEPAGE",
        'if rules.id == "gameofcyvasse": pass',
        'print(f"croft {1}")',
        "class CroftPicture: pass",
        "rules.nine_tile",
    ):
        module.write_text(code)
        assert any(NAMES.search(words) for words in words_of_code(module)), code
    module.write_text('"""Croft."""\nhelp = "Such as nine-tile."  # as in croft')
    assert not any(NAMES.search(words) for words in words_of_code(module))
