"""What is built for the browser: complete, compiled where that is possible, honest where not."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import BUILT, Node
from tests.browser.transcripts import ROOT

pytestmark = pytest.mark.slow

SCRIPT = ROOT / "web" / "package.py"
TOOLS = ROOT / "build" / "wasm"
BROKEN = "#!/bin/sh\necho 'error: no such machine' >&2\nexit 1\n"


def build(into: Path, tools: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build it where there is no network, with other tools."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("CYVASSE_")}
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(into), str(tools)],
        env={**kept, "PIP_NO_INDEX": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def tools(manifest: dict[str, Any], tmp_path: Path) -> Path:
    """Pyodide as npm gave it, and no Zig."""
    folder = tmp_path / "tools"
    folder.mkdir()
    (pyodide,) = TOOLS.glob("pyodide-*.tgz")
    shutil.copy(pyodide, folder)
    return folder


def break_zig(tools: Path) -> None:
    """Have a Zig that can nothing but complain."""
    (version,) = re.findall(r'^ZIG = "(.+)"', SCRIPT.read_text(), re.MULTILINE)
    zig = tools / f"zig-{version}" / "ziglang" / "zig"
    zig.parent.mkdir(parents=True)
    zig.write_text(BROKEN)
    zig.chmod(0o755)


def modules(folder: Path) -> set[str]:
    """The compiled modules of a build."""
    names = zipfile.ZipFile(folder / "cyvasse.zip").namelist()
    return {name.partition(".")[0] for name in names if name.endswith(".so")}


def hot() -> set[str]:
    """The modules that are compiled here."""
    source = ROOT / "src"
    return {
        path.relative_to(source).with_suffix("").as_posix()
        for path in source.rglob("*.pxd")
        if path.name != "__init__.pxd"
    }


def test_it_is_compiled(is_compiled: None, manifest: dict[str, Any]) -> None:
    assert modules(BUILT) == hot()
    assert manifest["why"] == ""


def test_the_manifest_lists_what_is_there(manifest: dict[str, Any]) -> None:
    there = {
        path.relative_to(BUILT).as_posix(): path for path in BUILT.rglob("*") if path.is_file()
    }
    del there["manifest.json"]
    assert manifest["files"] == {
        name: {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for name, path in there.items()
    }


def test_licences_go_along(manifest: dict[str, Any]) -> None:
    notice = (BUILT / "licences" / "notice.txt").read_text()
    assert f"Pyodide {manifest['pyodide']}\n" in notice
    assert f"CPython {manifest['python']}\n" in notice
    assert "{" not in notice
    assert "PYTHON SOFTWARE FOUNDATION" in (BUILT / "licences" / "python.txt").read_text()


def test_nothing_would_be_fetched_from_elsewhere(manifest: dict[str, Any]) -> None:
    assert json.loads((BUILT / "runtime" / "pyodide-lock.json").read_text())["packages"] == {}


def test_what_is_there_is_not_compiled_again(tools: Path, tmp_path: Path) -> None:
    """A Zig that fails would tell."""
    shutil.copytree(TOOLS / "modules", tools / "modules")
    break_zig(tools)
    told = build(tmp_path / "built", tools, CYVASSE_REQUIRE_COMPILED="1")
    assert told.returncode == 0, told.stderr
    for name in ("manifest.json", "cyvasse.zip"):
        assert (tmp_path / "built" / name).read_bytes() == (BUILT / name).read_bytes()


@pytest.mark.parametrize(
    ("broken", "why"),
    [(False, "cannot be installed"), (True, "Zig fails: error: no such machine")],
    ids=["no Zig", "a Zig that fails"],
)
def test_without_zig_it_is_plain_python_and_says_so(
    broken: bool, why: str, tools: Path, tmp_path: Path, node: Node
) -> None:
    if broken:
        break_zig(tools)
    demanded = build(tmp_path / "built", tools, CYVASSE_REQUIRE_COMPILED="1")
    assert demanded.returncode == 1
    assert why in demanded.stderr
    assert not (tmp_path / "built").exists()
    told = build(tmp_path / "built", tools)
    assert told.returncode == 0, told.stderr
    assert "not compiled" in told.stdout
    assert why in told.stdout
    manifest = json.loads((tmp_path / "built" / "manifest.json").read_text())
    assert not manifest["compiled"]
    assert why in manifest["why"]
    assert modules(tmp_path / "built") == set()
    if broken:
        compiled, _ = node.told(tmp_path / "built", "positions", 300, tmp_path / "answer")
        assert not compiled


def test_another_pyodide_is_refused(tools: Path, tmp_path: Path) -> None:
    (pyodide,) = tools.glob("pyodide-*.tgz")
    pyodide.write_bytes(pyodide.read_bytes()[:-1])
    told = build(tmp_path / "built", tools)
    assert told.returncode == 1
    assert "is not what it was" in told.stderr
    assert not pyodide.exists()


@pytest.mark.thorough
def test_plain_python_plays_the_same(tools: Path, tmp_path: Path, node: Node) -> None:
    assert build(tmp_path / "built", tools, CYVASSE_PURE="1").returncode == 0
    for transcript, every in (("edges", 1), ("positions", 60), ("low_levels", 1)):
        compiled, _ = node.told(tmp_path / "built", transcript, every, tmp_path / "answer")
        assert not compiled
