"""The package as it is published, and empty environments to install it into."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path

import pytest

from tests.once import once

ROOT = Path(__file__).parent.parent


def run(*words: str | Path, cwd: Path, **variables: str) -> str:
    """What a command prints; it must succeed, and finds nothing of ours in its environment."""
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("PYTHONPATH", "PYTHONWARNINGS") and not key.startswith("CYVASSE_")
    }
    told = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout + told.stderr


def unpacked_source(factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked: what it lacks nobody can build."""

    def make(folder: Path) -> None:
        run(sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT, cwd=folder)
        (archive,) = folder.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")

    (unpacked,) = (path for path in once(factory, "source", make).iterdir() if path.is_dir())
    return unpacked


def built_wheel(factory: pytest.TempPathFactory) -> Path:
    """The compiled wheel, built from that."""
    source = unpacked_source(factory)

    def make(folder: Path) -> None:
        # A copy: what is written while building must not get in the way of who reads the source.
        copied = shutil.copytree(source, folder / "source")
        run(
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"),
            *(folder, copied),
            cwd=folder,
            CYVASSE_REQUIRE_COMPILED="1",
        )

    (wheel,) = once(factory, "wheel", make).glob("*.whl")
    return wheel


def empty_environment(folder: Path) -> Path:
    """The Python of a new environment in which nothing but pip is installed."""
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def furnished_environment(folder: Path, *packages: Path) -> Path:
    """The Python of a new environment with these packages alone; what they need is found here."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    # Below what is installed there; links to sources being edited are not followed from there.
    (site / "furniture.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps"),
        "--no-build-isolation",
        *packages,
        cwd=folder,
    )
    return python
