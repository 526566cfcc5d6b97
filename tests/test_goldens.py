"""Kept answers: each file is known, and making them anew on what is committed changes nothing."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cyvasse
from tests.documents import with_answers
from tests.goldens import PLACES, ROOT, Registry, answers, main, read_modules
from tests.notation.golden import rewritten
from tests.rules.golden import edge_problems

REGISTRY = read_modules()


def test_every_kept_file_is_registered_once() -> None:
    owners = REGISTRY.owners()
    for path in sorted(REGISTRY.files(PLACES)):
        name = path.relative_to(ROOT)
        registered = [owner for owner, files in owners.items() if path in files]
        assert registered, f"{name} is kept, but tests/goldens.py does not know whose it is"
        assert len(registered) == 1, f"{name} is registered by {' and '.join(registered)}"


def test_nothing_is_registered_that_is_not_kept() -> None:
    kept = REGISTRY.files(PLACES)
    for owner, files in REGISTRY.owners().items():
        assert files, f"{owner} has no files"
        assert files <= kept, f"{owner} keeps files outside of PLACES"


@pytest.mark.slow
@pytest.mark.skipif(not cyvasse.COMPILED, reason="uncompiled there is no time for it")
@pytest.mark.skipif(
    not (importlib.util.find_spec("litestar") and importlib.util.find_spec("textual")),
    reason="screens and boards need the extras",
)
def test_nothing_changes_when_nothing_has_changed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.goldens", "--check", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("nothing has changed\n")


# --- the registry ---------------------------------------------------------------------------------


class Kept:
    """A registry over a folder of its own, with files that can be made to change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.registry = Registry(root)
        self.made = {"one.txt": "a\nb\n", "two.jsonl": "{}\n[]\n", "gone.txt": "x\n"}
        self.wrong: list[list[str]] = [[], []]
        self.registry.ours("texts", self.make, "ours/*")
        self.registry.outside("records", lambda path: self.wrong, "theirs/*", slow=True)
        self.registry.by_hand["picture.png"] = "painted"
        (root / "theirs").mkdir()
        (root / "theirs" / "known.jsonl").write_text("{}\n{}\n")

    def make(self) -> Iterator[tuple[Path, str]]:
        for name, text in self.made.items():
            yield self.root / "ours" / name, text

    def files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in (self.root / "ours").glob("*")}


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_what_changed_is_told_file_by_file(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(kept.registry, []) == 0
    assert kept.files() == kept.made
    assert capsys.readouterr().out.splitlines() == [
        "texts (ours): 3 files, 0 unchanged",
        "  ours/one.txt new",
        "  ours/two.jsonl new",
        "  ours/gone.txt new",
        "records (from outside, checked, not written): 1 file, 1 unchanged",
        "picture.png (by hand): painted",
        "look at what has changed before you commit it",
    ]
    assert main(kept.registry, []) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing has changed"

    kept.made = {"one.txt": "a\nc\nd\n", "two.jsonl": "{}\n[]\n"}
    before = kept.files()
    assert main(kept.registry, ["--check", "texts"]) == 1
    told = [
        "texts (ours): 3 files, 1 unchanged",
        "  ours/one.txt changed: 2 of 3 lines, 1 more",
        "  ours/gone.txt gone",
        "picture.png (by hand): painted",
    ]
    assert capsys.readouterr().out.splitlines() == told
    assert kept.files() == before
    assert main(kept.registry, ["texts"]) == 0
    assert kept.files() == kept.made


def test_what_contradicts_us_is_told_and_not_written(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.wrong = [[], ["line 2: missing action e4-e5", "and more"]]
    for words in ([], ["--check"], ["records"]):
        assert main(kept.registry, words) == 1
        assert (
            "  theirs/known.jsonl contradicts us in 1 of 2 answers: line 2: missing action e4-e5"
            in capsys.readouterr().out
        )
    assert main(kept.registry, ["--quick"]) == 0
    assert (kept.root / "theirs" / "known.jsonl").read_text() == "{}\n{}\n"


def test_what_cannot_be_made_does_not_keep_the_others_from_it(
    kept: Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> Iterator[tuple[Path, str]]:
        raise cyvasse.CyvasseError("no rules")

    kept.registry.made = {"broken": kept.registry.made["texts"], **kept.registry.made}
    kept.registry.ours("broken", fail, "broken/*")
    assert main(kept.registry, []) == 1
    assert "broken: could not be made: CyvasseError: no rules" in capsys.readouterr().out
    assert kept.files() == kept.made


def test_unknown_names_are_refused(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(kept.registry, ["test"])
    assert "no golden test; there are texts, records" in capsys.readouterr().err


def test_packing_differently_is_no_change(kept: Kept) -> None:
    path = kept.root / "ours" / "games.txt.gz"
    packed = [gzip.compress(b"same" * 100, level, mtime=0) for level in (1, 9)]
    assert packed[0] != packed[1]
    contents = iter(packed)
    kept.registry.ours("packed", lambda: [(path, next(contents))], "ours/*.gz")
    assert main(kept.registry, ["packed"]) == 0
    assert main(kept.registry, ["packed", "--check"]) == 0
    assert path.read_bytes() == packed[0]


def test_answers_are_counted() -> None:
    games = b"[Rules one]\n\n1. e4\n\n[Rules two]\n\n1. e5\n"
    assert len(answers(Path("corpus.txt"), games)[1]) == 2
    document = json.dumps({"a": [1, {"b": 2}], "c": {"d": [3]}}).encode()
    assert answers(Path("a.json"), document)[1] == ["/a/0 1", '/a/1 {"b": 2}', "/c/d [3]"]


# --- what can be made anew ------------------------------------------------------------------------


def test_examples_get_what_they_print() -> None:
    text = "Words.\n\n```python\n>>> 1 + 1\n3\n>>> print('a\\nb')\n  \n>>> 2 * 2\n4\n```\n  >>> 5\n"
    assert with_answers(text, "text") == (
        "Words.\n\n```python\n>>> 1 + 1\n2\n>>> print('a\\nb')\na\nb\n  \n>>> 2 * 2\n4\n```\n"
        "  >>> 5\n  5\n"
    )
    with pytest.raises(RuntimeError, match="line 1: 1 / 0 fails"):
        with_answers(">>> 1 / 0\n1\n", "text")


def test_a_game_that_cannot_be_read_is_played_anew() -> None:
    text = (ROOT / "tests" / "data" / "croft-game.txt").read_text()
    assert rewritten(text, lambda: "another") == text
    assert rewritten(text.replace("1. d1^c10", "1. d1^d1"), lambda: "another") == "another"


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_wrong_edges_are_found(rules: cyvasse.RuleSet) -> None:
    path = ROOT / "tests" / "data" / f"{rules.id}-edges.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    told = next(line for line in lines if line.get("actions"))
    assert list(edge_problems(rules, told)) == []
    assert list(edge_problems(rules, {**told, "actions": told["actions"][1:]}))
    for line in lines:
        for successor in line.get("after", [])[:1]:
            wrong = {**successor, "next": successor["next"] + 1}
            assert list(edge_problems(rules, line)) == []
            assert len(list(edge_problems(rules, {**line, "after": [wrong]}))) == 1
