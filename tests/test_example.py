"""The example of a rule set, examples/ford: small, complete, and found out when it is broken.

What it does beside the published package is tested in web/test_example.py.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.wheels import ROOT, run

EXAMPLE = ROOT / "examples" / "ford"
PACKAGE = EXAMPLE / "src" / "cyvasse_ford"
ASPECTS = ("position", "setups", "scene", "evaluation")


def methods() -> list[tuple[str, str]]:
    """Every method and other part of the contract that the classes of the example write."""
    found = []
    for aspect in ASPECTS:
        for node in _class_of(aspect).body:
            match node:
                case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                    found.append((aspect, name))
    return found


def _class_of(aspect: str) -> ast.ClassDef:
    tree = ast.parse((PACKAGE / f"{aspect}.py").read_text())
    (only,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return only


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of the example in a folder of its own, with its entry point, as pip leaves it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name)
    about = tmp_path / f"{PACKAGE.name}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    ((group, entries),) = project["entry-points"].items()
    lines = [f"{key} = {value}" for key, value in entries.items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    return tmp_path


def test_it_is_small() -> None:
    files = [*EXAMPLE.glob("*.*"), *PACKAGE.glob("*.py"), *PACKAGE.glob("*.md")]
    assert len(files) >= 8
    assert sum(len(path.read_text().splitlines()) for path in files) < 400


def test_it_is_plain_python() -> None:
    assert not [path for path in EXAMPLE.rglob("*") if path.suffix in (".pxd", ".pyx", ".c", ".so")]


def test_nobody_in_the_house_knows_it() -> None:
    """Whatever shows or plays it does so without a word about it."""
    sources = [
        path
        for folder, kinds in (("src", ("*.py", "*.pxd")), ("web/src", ("*.ts", "*.svelte")))
        for kind in kinds
        for path in (ROOT / folder).rglob(kind)
    ]
    assert len(sources) > 100
    named = [
        f"{path.name}: {line}"
        for path in sources
        for line in path.read_text().splitlines()
        if "cyvasse_ford" in line or "FordPosition" in line
    ]
    # Sentences that explain something by an example.
    assert all("``" in line for line in named)


REGISTERED = """
import cyvasse
print(len(cyvasse.rule_sets()))
print(*cyvasse.left_out().values(), sep="\\n")
"""


@pytest.mark.parametrize(("aspect", "name"), methods(), ids=lambda word: word)
def test_without_one_of_its_methods_it_is_left_out(installed: Path, aspect: str, name: str) -> None:
    module = installed / "cyvasse_ford" / f"{aspect}.py"
    source, owner = module.read_text(), _class_of(aspect)
    (node,) = (
        each
        for each in owner.body
        if getattr(each, "name", None) == name
        or (isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name)
    )
    assert node.end_lineno is not None
    lines = source.splitlines(keepends=True)
    module.write_text("".join(lines[: node.lineno - 1] + lines[node.end_lineno :]))
    told = run(
        *(sys.executable, "-W", "ignore", "-c", REGISTERED),
        cwd=installed,
        PYTHONPATH=str(installed),
    )
    number, sentence, *more = told.splitlines()
    assert int(number) == 4  # the others are there
    assert more == []
    assert "the rule set ford of cyvasse-ford 1.0.0 is left out" in sentence
    assert owner.name in sentence
    assert name in sentence


def contract_tests(site: Path, *words: str) -> tuple[int, str]:
    """How ``pytest --pyargs cyvasse.testing`` ends for the example there, and what it says."""
    told = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--pyargs", "cyvasse.testing"),
            *("-p", "no:cacheprovider", "-p", "no:xdist", "--quiet", *words),
        ],
        cwd=site,
        # As on a machine for that: the same examples each time.
        env={**os.environ, "PYTHONPATH": str(site), "CYVASSE_TEST": "ford", "CI": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return told.returncode, told.stdout + told.stderr


@pytest.mark.slow
def test_it_keeps_the_contract(installed: Path) -> None:
    code, told = contract_tests(installed)
    assert code == 0, told
    assert "[ford]" not in told
    assert "skipped" not in told


class Error(NamedTuple):
    """Something that somebody may get wrong, and words of the contract tests about it."""

    module: str
    right: str
    wrong: str
    words: tuple[str, ...]


PLANTED = {
    "Black's Rabble goes the wrong way": Error(
        "board.py",
        'BLACK: ("SE", "S", "SW")',
        'BLACK: ("NE", "N", "NW")',
        ("The players do not have the same rules", "Look at FordPosition.actions."),
    ),
    "a bolt flies over pieces": Error(
        "position.py",
        "if len(line) >= 2 and line[0] not in position.men:",
        "if len(line) >= 2:",
        (
            "is listed as legal, but the reasons refuse it: What stands on",
            "Look at FordPosition.actions and cyvasse_ford.reasons.reasons.",
        ),
    ),
    "the King rests every other turn, which no field says": Error(
        "position.py",
        """                yield from walks(self, origin, piece)
                if piece.type == "crossbowman":
                    yield from shots(self, origin)

    def act(self, action: Action) -> None:
""",
        """                if piece.type != "king" or not getattr(self, "resting", False):
                    yield from walks(self, origin, piece)
                if piece.type == "crossbowman":
                    yield from shots(self, origin)

    def act(self, action: Action) -> None:
        self.resting = not getattr(self, "resting", False)
""",
        ("does not restore", "Look at FordPosition.act."),
    ),
    "the rock may lie on a piece": Error(
        "setups.py",
        "if rock in setup.pieces:",
        "if rock in ():",
        ("A setup is legal whose Rock is on a piece", "Look at FordSetups.problems."),
    ),
    "a rock is lost when the screen lifts": Error(
        "setups.py",
        '{"rocks": sorted(rocks)}',
        '{"rocks": sorted(rocks)[:1]}',
        ("is mountain in a setup and open after it", "Look at FordSetups.start_state"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("error", PLANTED)
def test_the_contract_tests_find_what_is_wrong(installed: Path, error: str) -> None:
    planted = PLANTED[error]
    module = installed / "cyvasse_ford" / planted.module
    source = module.read_text()
    assert source.count(planted.right) == 1
    module.write_text(source.replace(planted.right, planted.wrong))
    code, told = contract_tests(installed, "--exitfirst")
    assert code == 1, told
    for each in ("ford: ", *planted.words):
        assert each in " ".join(told.split()), told
