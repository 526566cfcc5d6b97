"""Tables in the documents that follow from the code.

``python -m tests.goldens documents`` writes all of them anew.  Each stands between two
comments with its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

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


TABLES: dict[str, tuple[Path, Callable[[], str]]] = {
    "settings": (ROOT / "docs" / "server.md", settings),
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
