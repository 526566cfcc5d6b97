"""Tables in the documents that follow from the code.

``python -m tests.goldens documents`` writes all of them anew.  Each stands between two
comments with its name.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path

from cyvasse.engine.levels import ALL, LEVELS, limits
from cyvasse.rules import rule_sets
from cyvasse.server.settings import SETTINGS

ROOT = Path(__file__).parent.parent


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, *rows]
    drawn = ["|" + "|".join(f" {cell} " if cell else " " for cell in line) + "|" for line in lines]
    drawn.insert(1, "|" + "---|" * len(head))
    return "\n".join(drawn)


def settings() -> str:
    """What a server can be told."""
    rows = []
    for setting in SETTINGS:
        usual = str(setting.usual) and f"`{setting.usual}`"
        if setting.type is bool:
            usual = "on" if setting.usual else "off"
        rows.append([f"`{setting.flag}`", usual, setting.about.sentence])
    return table(["setting", "usual", ""], rows)


def levels() -> str:
    """What each level may do."""
    head = ["level", "nodes", "depth", *(rules.id for rules in rule_sets()), "sees of what follows"]
    rows = []
    for number, level in LEVELS.items():
        own = [limits(number, rules).own for rules in rule_sets()]
        looks = ["all" if each == ALL else str(each) for each in own]
        depth = str(level.depth) if level.depth < LEVELS[max(LEVELS)].depth else "any"
        sees = "nothing" if level.bold else f"{level.later / ALL:.0%}"
        nodes = "none" if level.bold else f"{level.nodes:,}"
        rows.append([str(number), nodes, depth, *looks, sees])
    return table(head, rows)


def level_matches() -> str:
    """What was measured of the levels as they are."""
    head = ["rule set", "player", "against", "games", "different", "won", "drawn", "lost"]
    rows = []
    measured = runpy.run_path(str(ROOT / "benchmarks" / "levels.py"))
    for result in measured["current"](measured["FOLDER"]):
        start = [result["rule_set"], result["first"], result["second"]]
        if result["first"] == measured["HINT"]:
            won = str(int(result["won"]))
            rows.append([*start, "1", "1", won, "", "", "", f"{result['turns']} turns"])
            continue
        games = ("games", "distinct_games", "wins", "draws", "losses")
        score, sprt = result["score"], result.get("sprt")
        bounds = f"{score['value']:.1%} ({score['low']:.1%} to {score['high']:.1%})"
        test = f"{sprt['decision'] or 'undecided'}, LLR {sprt['llr']:.2f}" if sprt else ""
        rows.append([*start, *(str(result[name]) for name in games), bounds, test])
    return table([*head, "score (95 %)", "SPRT"], rows)


TABLES: dict[str, tuple[Path, Callable[[], str]]] = {
    "settings": (ROOT / "docs" / "server.md", settings),
    "levels": (ROOT / "docs" / "engine.md", levels),
    "level matches": (ROOT / "docs" / "engine.md", level_matches),
}


def written(name: str) -> tuple[Path, str, str]:
    """The document of a table, its text as it is, and its text with the table written anew."""
    path, _ = TABLES[name]
    text = path.read_text(encoding="utf-8")
    return path, text, renewed(name, text)


def renewed(name: str, text: str) -> str:
    """The text of a document with one of its tables written anew."""
    path, made = TABLES[name]
    begin, end = f"<!-- table: {name} -->", f"<!-- end of table: {name} -->"
    anew, places = re.subn(
        f"{begin}.*?{end}", lambda _: f"{begin}\n\n{made()}\n\n{end}", text, flags=re.DOTALL
    )
    assert places == 1, f"{path} must have one {begin} … {end}"
    return anew
