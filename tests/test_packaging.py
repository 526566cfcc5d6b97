"""What people install: a wheel in an empty environment, and the package without a compiler."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import cyvasse
from tests.wheels import ROOT, built_wheel, empty_environment, run, unpacked_source

pytestmark = pytest.mark.thorough

USE = """
import cyvasse
game = cyvasse.Game("nine-tile")
for color in ("white", "black"):
    game.submit(color, game.rules.named_setups(color)["sunspear"])
game.lift_screen(first="white")
from cyvasse.draw import board_svg
assert "</svg>" in board_svg(game.position)
print(cyvasse.COMPILED, cyvasse.perft(game.position, 2), len(game.legal_actions()))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_source(tmp_path_factory)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory)


def page_of(folder: Path) -> set[str]:
    """The files of the page below a folder of sources."""
    page = folder / "cyvasse" / "server" / "page"
    return {str(file.relative_to(folder)) for file in page.rglob("*") if file.is_file()}


def test_sources_bring_the_page(source: Path) -> None:
    """Whoever installs from them needs no Node."""
    brought = page_of(source / "src")
    assert "cyvasse/server/page/index.html" in brought
    assert brought == page_of(ROOT / "src")
    for kind in (".js", ".css", ".js.br", ".css.gz"):
        assert any(name.endswith(kind) for name in brought)


def test_wheel_in_an_empty_environment(source: Path, wheel: Path, tmp_path: Path) -> None:
    assert wheel.name.startswith(f"cyvasse-{cyvasse.__version__}-")
    names = zipfile.ZipFile(wheel).namelist()
    hot = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.pxd")}
    assert hot <= set(names)
    assert "cyvasse/py.typed" in names
    assert page_of(source / "src") <= set(names)
    assert not any(name.endswith(".c") or name.startswith("tests") for name in names)
    assert sum(name.endswith(".so") for name in names) == len(hot)
    python = empty_environment(tmp_path / "empty")
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    assert run(python, "-W", "error", "-c", USE, cwd=tmp_path).startswith("True ")
    command = python.parent / "cyvasse"
    assert "White to act." in run(command, "show", "nine-tile", cwd=tmp_path)
    told = subprocess.run([command, "serve"], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 2
    assert "pip install 'cyvasse[server]'" in told.stderr
    run(python, "-m", "pip", "install", "--quiet", f"{wheel}[server]", cwd=tmp_path)
    serves(command, tmp_path)


def serves(command: Path, folder: Path) -> None:
    """The installed server starts, makes its tables, answers, and ends when told to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [str(command), "serve", "--port", str(port), "--data", str(folder / "data")]
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(300):
                try:
                    with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
                        assert json.load(answer)["status"] == "ok"
                        break
                except URLError:
                    assert server.poll() is None
                    time.sleep(0.1)
            else:
                pytest.fail("the server does not answer")
        finally:
            server.terminate()
    assert server.returncode == 0


def uncompiled(source: Path, folder: Path, **variables: str) -> str:
    """Build a wheel where there is no compiler, with the tools that are here already."""
    bare = folder / "source"
    shutil.copytree(source, bare, ignore=shutil.ignore_patterns("build"))
    return run(
        *(sys.executable, "-m", "pip", "wheel", "--verbose", "--no-build-isolation", "--no-deps"),
        *("--wheel-dir", folder, bare),
        cwd=folder,
        CC="no-such-compiler",
        **variables,
    )


def test_without_a_compiler_it_still_installs(source: Path, tmp_path: Path) -> None:
    assert "cyvasse: not compiled" in uncompiled(source, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    python = empty_environment(tmp_path / "empty")
    run(python, "-m", "pip", "install", "--quiet", "--no-cache-dir", wheel, cwd=tmp_path)
    assert not list((tmp_path / "empty").rglob("cyvasse/**/*.so"))
    used = run(python, "-c", USE, cwd=tmp_path)
    assert "False " in used
    assert "UncompiledWarning" in used


def test_compiling_can_be_demanded(source: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no-such-compiler"):
        uncompiled(source, tmp_path, CYVASSE_REQUIRE_COMPILED="1")
