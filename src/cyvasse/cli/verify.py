"""Compare the library with files of positions whose answers are known."""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cyvasse.errors import CyvasseError
from cyvasse.notation.documents import read_state
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.base import Position
from cyvasse.rules.perft import perft
from cyvasse.rules.ruleset import RuleSet

# What a line says about the position, besides the position itself and the rule set's tallies.
_ANSWERS = ("id", "actions", "perft")


def verify_file(path: Path, rules_id: str | None = None) -> Iterator[list[str]]:
    """For each line of the file the differences found, in words."""
    rules = rule_set(rules_id) if rules_id else _rules_of(path)
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            name = f"line {number}"
            try:
                document = json.loads(line)
                if not isinstance(document, Mapping):
                    raise CyvasseError("a line holds one position, as a set of named values")
                name = str(document.get("id", name))
                yield [f"{name}: {text}" for text in differences(rules, document)]
            except RecursionError:
                yield [f"{name}: nested too deeply"]
            except ValueError as error:  # JSON's own errors and this library's
                yield [f"{name}: {error}"]


def differences(rules: RuleSet, document: Mapping[str, Any]) -> Iterator[str]:
    """Where this library does not agree with one line of a position file."""
    if "turns" in document:
        yield from rules.records.game_differences(document)
        return
    tallies = {key: document[key] for key in rules.records.tally_names if key in document}
    described = {key: value for key, value in document.items() if key not in (*_ANSWERS, *tallies)}
    position = rules.position(read_state(rules, described))
    if "actions" in document:
        yield from _compare_actions(position, document["actions"])
    if "perft" in document:
        yield from _compare_perft(position, document["perft"])
    found = position.tallies()
    for key, expected in tallies.items():
        yield from _compare(key, expected, found[key])


def _compare_actions(position: Position, expected: object) -> Iterator[str]:
    if not isinstance(expected, list):
        raise CyvasseError("actions is not a list")
    record = position.rules.records.record
    found = Counter(_compact(record(action)) for action in position.legal_actions())
    wanted = Counter(_compact(action) for action in expected)
    for action in sorted((wanted - found).elements()):
        yield f"missing action {action}"
    for action in sorted((found - wanted).elements()):
        yield f"unexpected action {action}"


def _compare_perft(position: Position, expected: object) -> Iterator[str]:
    if not isinstance(expected, list) or len(expected) > 8:
        raise CyvasseError("perft is not a list of a few numbers")
    for depth, number in enumerate(expected, 1):
        found = perft(position, depth)
        if found != number:
            yield f"perft {depth} is {found}, expected {number}"


def _compare(key: str, expected: Any, found: Any) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for part in sorted({*expected, *found}):
            yield from _compare(f"{key} {part}", expected.get(part), found.get(part))
    elif expected != found:
        yield f"{key} is {_compact(found)}, expected {_compact(expected)}"


def _compact(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _rules_of(path: Path) -> RuleSet:
    """The rule set whose id the file's name contains."""
    named = [rules for rules in rule_sets() if rules.id in path.name]
    if len(named) == 1:
        return named[0]
    known = ", ".join(rules.id for rules in rule_sets())
    raise CyvasseError(f"the name {path.name} does not tell the rule set; say --rules with {known}")


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt") if zipped else path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise CyvasseError(f"cannot read {path}: {error}") from None
