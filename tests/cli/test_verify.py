"""`cyvasse verify` finds what differs, and survives files that are broken."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import cyvasse
from cyvasse.cli.verify import verify_file
from tests.cli.test_main import run

DATA = Path(__file__).parent.parent / "data" / "nine-tile.jsonl.gz"


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    with gzip.open(DATA, "rt") as file:
        return [json.loads(next(file)) for _ in range(40)]


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_agreement(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    told = run("verify", str(write(tmp_path / "nine-tile-few.jsonl", lines)))
    assert told.stdout == "40 positions, 0 differ\n"
    assert told.returncode == 0


@pytest.mark.parametrize("path", sorted(DATA.parent.glob("*.jsonl.gz")), ids=lambda path: path.name)
def test_our_own_files_agree(path: Path) -> None:
    for found in itertools.islice(verify_file(path), 20):
        assert found == []


def test_gzip_and_named_rules(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    path = tmp_path / "anything.gz"
    with gzip.open(path, "wt") as file:
        file.write("\n".join(json.dumps(line) for line in lines))
    told = run("verify", str(path), "--rules", "nine-tile")
    assert told.stdout == "40 positions, 0 differ\n"
    assert run("verify", str(path)).returncode == 2


def test_differences(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    wrong = json.loads(json.dumps(lines[:5]))
    lost = wrong[0]["actions"].pop(0)
    wrong[1]["actions"].append({"kind": "move", "from": "a5", "to": "l5"})
    wrong[2]["perft"][0] += 1
    square = next(iter(wrong[3]["engagement"]))
    wrong[3]["engagement"][square] += 1
    told = run("verify", str(write(tmp_path / "nine-tile.jsonl", wrong)))
    assert told.returncode == 1
    *found, last = told.stdout.splitlines()
    assert last == "5 positions, 4 differ"
    compact = json.dumps(lost, sort_keys=True, separators=(",", ":"))
    assert f"{wrong[0]['id']}: unexpected action {compact}" in found
    assert any('missing action {"from":"a5","kind":"move","to":"l5"}' in text for text in found)
    assert any(text.startswith(f"{wrong[2]['id']}: perft 1 is ") for text in found)
    assert any(text.startswith(f"{wrong[3]['id']}: engagement {square} is ") for text in found)


def test_broken_lines_are_differences(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    good = lines[0]
    broken = [
        "{",
        "[]",
        "3",
        '"text"',
        "{}",
        "[" * 3000,
        json.dumps({**good, "pieces": 3}),
        json.dumps({**good, "pieces": [{"type": "king"}]}),
        json.dumps({**good, "pieces": [good["pieces"][0], good["pieces"][0]]}),
        json.dumps({**good, "to_move": "red"}),
        json.dumps({**good, "terrain": {"z1": "water"}}),
        json.dumps({**good, "second_rabble": 4}),
        json.dumps({**good, "actions": 4}),
        json.dumps({**good, "perft": "many"}),
        json.dumps({**good, "magic": True}),
        json.dumps({**good, "engagement": 3}),
    ]
    path = tmp_path / "nine-tile.jsonl"
    path.write_text("\n".join([json.dumps(good), *broken]))
    found = list(verify_file(path))
    assert found[0] == []
    assert len(found) == 1 + len(broken)
    assert all(differences for differences in found[1:])


def test_truncated_and_binary_files(tmp_path: Path) -> None:
    cut = tmp_path / "nine-tile.gz"
    cut.write_bytes(DATA.read_bytes()[:5000])
    with pytest.raises(cyvasse.CyvasseError, match="cannot read"):
        list(verify_file(cut))
    damaged = bytearray(DATA.read_bytes())
    damaged[3000:3040] = bytes(40)
    cut.write_bytes(damaged)
    with pytest.raises(cyvasse.CyvasseError, match="cannot read"):
        list(verify_file(cut))
    noise = tmp_path / "nine-tile.jsonl"
    noise.write_bytes(bytes(range(256)))
    with pytest.raises(cyvasse.CyvasseError, match="cannot read"):
        list(verify_file(noise))
