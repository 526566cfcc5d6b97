"""Every answer that is kept in this repository, and how it is made.

    make goldens                            make all of them anew and say what changed
    python -m tests.goldens search screens  only these
    python -m tests.goldens --check --quick write nothing, leave out what takes long

A kept file has one of three origins.  *Ours* is what this program answered; it is made anew.  *From
outside* is what others found out, by other programs or from the rules alone; it is never written,
since it is there to contradict us, but checked.  *By hand* is what no test compares with anything.

The modules below register what they keep.  A file in one of the places that nobody has registered
is an error, which a test names.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"

PLACES = (
    "README.md",
    "docs/**/*.md",
    "docs/images/*",
    "docs/rules/images/*",
    "tests/**/data/**/*",
    "tests/**/golden/*",
    "web/src/wire/*",
    "web/tests/**/*.json",
)
MODULES = (
    "tests.documents",
    "tests.draw.golden",
    "tests.engine.golden",
    "tests.notation.golden",
    "tests.rules.golden",
    "tests.terminal.screens.golden",
    "tests.web.golden",
)

Made = Iterable[tuple[Path, str | bytes]]


@dataclass(frozen=True)
class Ours:
    """Files that one function makes; what matches a pattern and is not made any more goes."""

    make: Callable[[], Made]
    patterns: tuple[str, ...]
    slow: bool


@dataclass(frozen=True)
class Outside:
    """Files that others made; ``check`` tells for each answer in a file what is wrong with it."""

    check: Callable[[Path], Iterable[list[str]]]
    patterns: tuple[str, ...]
    slow: bool


class Change(NamedTuple):
    """What became of one file."""

    path: Path
    words: str
    """``unchanged``, ``new``, ``gone`` or ``changed: …``."""


class Registry:
    """What is kept below a folder, by name."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.made: dict[str, Ours] = {}
        self.checked: dict[str, Outside] = {}
        self.by_hand: dict[str, str] = {}
        """Patterns, with the reason why nothing is compared with these files."""

    def ours(self, name: str, make: Callable[[], Made], *patterns: str, slow: bool = False) -> None:
        self.made[name] = Ours(make, patterns, slow)

    def outside(
        self,
        name: str,
        check: Callable[[Path], Iterable[list[str]]],
        *patterns: str,
        slow: bool = False,
    ) -> None:
        self.checked[name] = Outside(check, patterns, slow)

    def files(self, patterns: Iterable[str]) -> set[Path]:
        return {path for pattern in patterns for path in self.root.glob(pattern) if path.is_file()}

    def kept(self) -> dict[str, Ours | Outside]:
        """All that is made or checked, by name."""
        return {**self.made, **self.checked}

    def owners(self) -> dict[str, set[Path]]:
        """The files of each golden."""
        patterns = {name: golden.patterns for name, golden in self.kept().items()}
        patterns |= {f"by hand: {pattern}": (pattern,) for pattern in self.by_hand}
        return {name: self.files(each) for name, each in patterns.items()}

    def remake(self, name: str, *, write: bool) -> Iterator[Change]:
        """Make the files of a golden anew; what is the same is not touched."""
        golden = self.made[name]
        before = self.files(golden.patterns)
        for path, made in golden.make():
            content = made.encode() if isinstance(made, str) else made
            old = path.read_bytes() if path.exists() else None
            before.discard(path)
            words = "new" if old is None else difference(path, old, content)
            if write and words != "unchanged":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            yield Change(path, words)
        for path in sorted(before):
            if write:
                path.unlink()
            yield Change(path, "gone")

    def check(self, name: str) -> Iterator[Change]:
        """Hold the files of a golden against this program."""
        golden = self.checked[name]
        for path in sorted(self.files(golden.patterns)):
            found = list(golden.check(path))
            wrong = [problems for problems in found if problems]
            words = "unchanged"
            if wrong:
                words = f"contradicts us in {len(wrong)} of {len(found)} answers: {wrong[0][0]}"
            yield Change(path, words)


REGISTRY = Registry()
ours = REGISTRY.ours
outside = REGISTRY.outside
by_hand = REGISTRY.by_hand


def read_modules() -> Registry:
    """The registry, once everything is in it."""
    for module in MODULES:
        importlib.import_module(module)
    return REGISTRY


def difference(path: Path, old: bytes, new: bytes) -> str:
    """How much of a file has changed, in words."""
    if path.suffix == ".gz":  # another library may pack the same otherwise
        path, old, new = path.with_suffix(""), gzip.decompress(old), gzip.decompress(new)
    if old == new:
        return "unchanged"
    unit, before = answers(path, old)
    _, after = answers(path, new)
    count = sum((Counter(after) - Counter(before)).values())
    fewer = len(before) - len(after)
    shorter = f", {abs(fewer)} {'fewer' if fewer > 0 else 'more'}" if fewer else ""
    return f"changed: {count} of {len(after)} {unit}{shorter}"


def answers(path: Path, content: bytes) -> tuple[str, list[str]]:
    """What a file keeps, one by one, and what to call that."""
    text = content.decode()
    if path.suffix == ".jsonl":
        return "records", text.splitlines()
    if path.suffix == ".json":
        return "answers", list(_leaves(json.loads(text)))
    if text.startswith("[Rules "):
        return "games", text.split("\n\n[Rules ")
    return "lines", text.splitlines()


def _leaves(document: Any, where: str = "", depth: int = 2) -> Iterator[str]:
    """The values of a document, down to the second level, each with its place."""
    if depth and isinstance(document, dict | list):
        pairs = document.items() if isinstance(document, dict) else enumerate(document)
        for key, value in pairs:
            yield from _leaves(value, f"{where}/{key}", depth - 1)
    else:
        yield f"{where} {json.dumps(document)}"


def report(registry: Registry, name: str, *, write: bool) -> tuple[bool, bool]:
    """Make or check a golden and say what changed: whether it is as it was, and as it should be."""
    is_ours = name in registry.made
    try:
        changes = list(registry.remake(name, write=write) if is_ours else registry.check(name))
    except Exception as error:
        print(f"{name}: could not be made: {type(error).__name__}: {error}")
        return False, False
    changed = [change for change in changes if change.words != "unchanged"]
    what = "ours" if is_ours else "from outside, checked, not written"
    files = "1 file" if len(changes) == 1 else f"{len(changes)} files"
    print(f"{name} ({what}): {files}, {len(changes) - len(changed)} unchanged", flush=True)
    for path, words in changed:
        print(f"  {path.relative_to(registry.root)} {words}")
    return not changed, not changed or (is_ours and write)


def main(registry: Registry, arguments: list[str]) -> int:
    """0 if everything is as it should be: as it was, or, where it may be written, made anew."""
    parser = argparse.ArgumentParser(prog="tests.goldens", description="Make kept answers anew.")
    kept = registry.kept()
    parser.add_argument("name", nargs="*", help=f"of: {', '.join(kept)}; all if none is given")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a change")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.name) - set(kept))
    if unknown:
        parser.error(f"no golden {', '.join(unknown)}; there are {', '.join(kept)}")
    chosen = [n for n in options.name or kept if not (options.quick and kept[n].slow)]
    results = [report(registry, name, write=not options.check) for name in chosen]
    for pattern, reason in registry.by_hand.items():
        print(f"{pattern} (by hand): {reason}")
    if all(same for same, _ in results):
        print("nothing has changed")
    elif not options.check:
        print("look at what has changed before you commit it")
    return 0 if all(right for _, right in results) else 1


if __name__ == "__main__":
    # Those that register themselves know this module by its name.
    from tests import goldens

    sys.exit(goldens.main(goldens.read_modules(), sys.argv[1:]))
