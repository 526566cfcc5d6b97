"""One source, two speeds: what is compiled is fresh, complete, and agrees with plain Python."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import cyvasse

PACKAGE = Path(cyvasse.__file__).parent

# Prints hash, actions, text and what is counted along random games, and perft at their ends.
TRANSCRIPT = """
import random, warnings
warnings.simplefilter("ignore")
import cyvasse
print(cyvasse.COMPILED)
for rules in cyvasse.rule_sets():
    try:
        evaluation = rules.evaluation()
    except NotImplementedError:
        evaluation = None
    for seed in range(6):
        chance = random.Random(seed)
        position = rules.random_position(chance)
        for _ in range(60):
            legal = position.legal_actions()
            print(position.hash, position.text(), *legal)
            print(position.tallies(), position.outcome(), position.effects())
            if evaluation:
                print(evaluation.worth(position), evaluation.count(position))
                print([evaluation.gain_of(position, action.code) for action in legal])
            if not legal:
                break
            position.play(chance.choice(legal))
        print(cyvasse.perft(position, 2))
        while position.hash and seed % 2:
            try:
                print(position.undo(), position.hash)
            except cyvasse.NothingToUndoError:
                break
"""


def run(folder: Path, script: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a script against the package in a folder, whatever is installed."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, *options, "-c", script],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same source files with nothing compiled."""
    folder = tmp_path_factory.mktemp("plain")
    shutil.copytree(
        PACKAGE, folder / "cyvasse", ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    )
    return folder


def test_both_builds_agree(plain: Path) -> None:
    ours = run(PACKAGE.parent, TRANSCRIPT)
    theirs = run(plain, TRANSCRIPT)
    assert ours.returncode == theirs.returncode == 0, ours.stderr + theirs.stderr
    first, *lines = ours.stdout.splitlines()
    other, *others = theirs.stdout.splitlines()
    assert first == str(cyvasse.COMPILED)
    assert other == "False"
    assert lines == others
    assert len(lines) > 500


def test_uncompiled_it_says_so(plain: Path) -> None:
    told = run(plain, "import cyvasse")
    assert told.returncode == 0
    assert "UncompiledWarning" in told.stderr
    assert "slower" in told.stderr
    strict = run(plain, "import cyvasse", "-W", "error")
    assert strict.returncode != 0


def test_uncompiled_needs_no_cython(plain: Path) -> None:
    script = "import sys; sys.modules['cython'] = None; import cyvasse; print(cyvasse.COMPILED)"
    told = run(plain, script, "-W", "ignore")
    assert told.stdout.strip() == "False", told.stderr


@pytest.mark.skipif(not cyvasse.COMPILED, reason="this run is uncompiled")
def test_compiled_it_is_silent() -> None:
    told = run(PACKAGE.parent, "import cyvasse; print(cyvasse.COMPILED)", "-W", "error")
    assert (told.stdout.strip(), told.stderr) == ("True", "")


@pytest.mark.skipif(not cyvasse.COMPILED, reason="this run is uncompiled")
def test_compiled_only_in_part_is_an_error(plain: Path, tmp_path: Path) -> None:
    shutil.copytree(plain / "cyvasse", tmp_path / "cyvasse")
    (library,) = PACKAGE.glob("actions.*.so")
    shutil.copy(library, tmp_path / "cyvasse")
    told = run(tmp_path, "import cyvasse")
    assert told.returncode != 0


@pytest.mark.skipif(not cyvasse.COMPILED, reason="this run is uncompiled")
def test_no_compiled_module_is_stale() -> None:
    """The compiled module wins over an edited source file in silence: `make build` mends it."""
    declarations = list(PACKAGE.rglob("*.pxd"))
    assert declarations
    for declaration in declarations:
        (library,) = declaration.parent.glob(declaration.stem + ".*.so")
        for source in (declaration, declaration.with_suffix(".py")):
            assert library.stat().st_mtime >= source.stat().st_mtime, (
                f"{source} is newer: make build"
            )


def test_every_hot_module_is_plain_python_with_declarations() -> None:
    for declaration in PACKAGE.rglob("*.pxd"):
        assert declaration.with_suffix(".py").exists()


def test_constants_that_stand_twice_agree() -> None:
    """C code reads them from the .pxd, plain Python from the .py."""
    number = re.compile(r"^ +([A-Z][A-Z_]+) = ([0-9]+)\b", re.MULTILINE)
    for declaration in PACKAGE.rglob("*.pxd"):
        declared = dict(number.findall(declaration.read_text()))
        written = dict(number.findall(declaration.with_suffix(".py").read_text()))
        assert {name: written.get(name) for name in declared} == declared, declaration.name


def test_import_brings_in_nothing_heavy() -> None:
    script = (
        "import sys, cyvasse; "
        "print([name for name in ('typer', 'rich', 'numpy', 'asyncio') if name in sys.modules])"
    )
    told = run(PACKAGE.parent, script, "-W", "ignore")
    assert told.stdout.strip() == "[]"


def test_threads_share_nothing() -> None:
    """Perft releases the GIL; several threads on their own positions do not disturb each other."""
    from concurrent.futures import ThreadPoolExecutor

    rules = cyvasse.rule_sets()[0]
    sample = [rules.random_position(seed, 20) for seed in range(4)]
    expected = [cyvasse.perft(position, 2) for position in sample]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda p: cyvasse.perft(p, 2), sample)) == expected


def test_perft_can_be_interrupted() -> None:
    """The signal comes while C counts; nobody could wait for the end of depth 20."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    position = cyvasse.rule_sets()[0].random_position(1)
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            cyvasse.perft(position, 20)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_warning_class_is_its_own() -> None:
    assert issubclass(cyvasse.UncompiledWarning, RuntimeWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cyvasse.UncompiledWarning)
        from cyvasse import _build

        _build.warn_if_slow(True)
        with pytest.raises(cyvasse.UncompiledWarning):
            _build.warn_if_slow(False)
