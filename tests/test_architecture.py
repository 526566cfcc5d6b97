"""What docs/architecture.md says: who may know what, and what the words mean."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
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
ROOT = Path(__file__).parents[1]
CONTRACTS = ROOT / "pyproject.toml"
PAGE = ROOT / "web" / "src"
# nine-tile, NINE_TILE, NineTile …
NAMES = re.compile("|".join(rules.id.replace("-", "[-_ ]?") for rules in cyvasse.rule_sets()), re.I)

CIMPORT = re.compile(r"^from (cyvasse\S*) cimport|^cimport (cyvasse\S*)", re.MULTILINE)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The package as import-linter reads it, with what only C imports said in Python too."""
    pytest.importorskip("importlinter")
    package = shutil.copytree(
        SOURCE, tmp_path / "cyvasse", ignore=shutil.ignore_patterns("*.so", "*.c", "page")
    )
    for declarations in package.rglob("*.pxd"):
        found = ("".join(names) for names in CIMPORT.findall(declarations.read_text()))
        with declarations.with_suffix(".py").open("a") as module:
            module.writelines(f"\nimport {name}" for name in found)
    return package


def linted(package: Path) -> str:
    """What import-linter says of a package by our contracts."""
    told = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", CONTRACTS],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == (" 0 broken" not in told.stdout), told.stdout + told.stderr
    return told.stdout


def test_dependencies_point_downwards(copied: Path) -> None:
    """`make lint` looks at Python; here what C imports counts too."""
    assert " 0 broken" in linted(copied)


def test_imports_upwards_would_be_found(copied: Path) -> None:
    planted = {
        "boards": "cyvasse.actions",
        "rules/terms": "cyvasse.game",
        "rules/croft/position": "cyvasse.rules.nine_tile.tiles",
        "rules/scene": "cyvasse.rules.nine_tile",
        "draw/men": "cyvasse.explain",
        "notation/games": "cyvasse.wholefiles",
        "engine/search": "cyvasse.mail.codes",
        "mail/codes": "cyvasse.terminal.table",
        "server/chat": "cyvasse.cli.paint",
    }
    for module, imported in planted.items():
        with (copied / f"{module}.py").open("a") as file:
            file.write(f"\ndef late() -> None:\n    import {imported}\n")
    told = linted(copied)
    for module, imported in planted.items():
        assert f"cyvasse.{module.replace('/', '.')} -> {imported}" in told


def test_a_module_without_a_place_would_be_found(copied: Path) -> None:
    (copied / "placeless.py").touch()
    assert "cyvasse.placeless" in linted(copied)


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


# --- words ----------------------------------------------------------------------------------------


def classes_defined_twice(source: Path) -> dict[str, list[str]]:
    """The modules of every public class whose name stands in more than one."""
    modules: dict[str, set[str]] = defaultdict(set)
    for path in source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].add(path.relative_to(source).as_posix())
    return {name: sorted(paths) for name, paths in modules.items() if len(paths) > 1}


def test_every_class_has_a_name_of_its_own() -> None:
    assert classes_defined_twice(SOURCE) == {}


def test_a_name_that_stands_twice_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "draw").mkdir()
    (tmp_path / "game.py").write_text("class Table:\n    class Row: pass\nclass _Own: pass")
    (tmp_path / "draw" / "rows.py").write_text("class Row: pass\nclass _Own: pass\nTable = dict")
    assert classes_defined_twice(tmp_path) == {"Row": ["draw/rows.py", "game.py"]}


def glossary(text: str) -> dict[str, str]:
    """The words of the glossary, and where each is at home."""
    rows = text.partition("\n## Glossary\n")[2].partition("\n## ")[0]
    cells = [row.strip("| ").split(" | ") for row in rows.splitlines() if row.startswith("| ")]
    return {word: where for word, _, where in cells if word != "word"}


def strays(source: Path, words: dict[str, str]) -> list[str]:
    """What a glossary names that is not where it says: modules, and names in the one before."""
    found = []
    for word, where in words.items():
        defined: set[str] = set()
        for name in re.findall("`([^`]+)`", where):
            if not name.endswith(".py"):
                found += [] if name in defined else [f"{word}: {name}"]
            elif (source / name).is_file():
                defined = set(names_defined(ast.parse((source / name).read_text())))
            else:
                found.append(f"{word}: {name}")
    return found


def names_defined(module: ast.Module) -> Iterator[str]:
    """Classes, functions and values of a module."""
    for node in module.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def test_the_words_of_the_glossary_are_where_it_says() -> None:
    words = glossary((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    assert len(words) > 30
    assert list(words) == sorted(words)
    assert strays(SOURCE, words) == []


def test_strays_would_be_found() -> None:
    table = """# Words

## Glossary

| word | meaning | where |
|---|---|---|
| action | done | `actions.py` `Action` |
| event | happened | `server/facts.py` `Action` |
| turn | a while | `game.py` `Turn`, `actions.py` `Turn` |

## Tests

| none | of | these |
"""
    found = ["event: server/facts.py", "event: Action", "turn: Turn"]
    assert strays(SOURCE, glossary(table)) == found
