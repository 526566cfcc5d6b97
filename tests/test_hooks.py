"""What git checks before a commit, once `make hooks` has told it to."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pre_commit")

ROOT = Path(__file__).parent.parent
HOOKS = ".pre-commit-config.yaml"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A new one with our hooks and our ruff."""
    folder = tmp_path / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    shutil.copy(ROOT / HOOKS, folder)
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    return folder


def refusing(repository: Path, files: dict[str, str]) -> set[str]:
    """Which hooks refuse these files; those that look at the whole package are left out."""
    for name, content in files.items():
        (repository / name).write_bytes(content.encode())
    subprocess.run(["git", "add", HOOKS, *files], cwd=repository, check=True)
    home = repository.parent / "home"
    told = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"],
        env={**os.environ, "PRE_COMMIT_HOME": str(home), "SKIP": "imports,types"},
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    refused = set(re.findall(r"Failed\n- hook id: (\S+)", told.stdout))
    assert told.returncode == (1 if refused else 0), told.stdout + told.stderr
    assert refused or "Passed" in told.stdout
    return refused


def test_hooks_refuse_what_is_untidy(repository: Path) -> None:
    untidy = {"unused.py": "import os\n", "narrow.py": "number=1\n"}
    untidy |= {"spaces.txt": "one \ntwo\n", "half.txt": "one", "returns.txt": "one\r\n"}
    hooks = {"ruff-check", "ruff-format", "spaces", "last-line", "carriage-returns"}
    assert refusing(repository, untidy) == hooks
    tidy = {"spaces.txt": "one\ntwo\n", "half.txt": "one\n", "returns.txt": "one\n"}
    assert refusing(repository, tidy) == set()  # ruff has tidied up the others by itself


def test_nothing_is_fetched() -> None:
    text = (ROOT / HOOKS).read_text()
    assert text.count("repo:") == text.count("repo: local") == 1
    assert "://" not in text
