"""A file of results that grows line by line, so that work can be stopped and taken up again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cyvasse.errors import CyvasseError
from cyvasse.wholefiles import write_whole


class Journal:
    """JSON lines behind a heading that says what they are about.

    A line that was not finished, because somebody pulled the plug, is dropped.
    """

    def __init__(self, path: Path | None, heading: dict[str, Any]) -> None:
        """Without a path nothing is kept.  A file with another heading is refused."""
        self.path = path
        self.entries: list[Any] = []
        """What the file held when it was opened."""
        if path is None:
            return
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            whole, _, torn = text.rpartition("\n")
            lines = [json.loads(line) for line in whole.splitlines()]
        except ValueError as error:
            raise CyvasseError(f"{path} is no journal: {error}") from None
        if torn:
            write_whole(path, whole + "\n" if whole else "")
        if not lines:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.add(heading)
        elif lines[0] != heading:
            raise CyvasseError(
                f"{path} was begun with {json.dumps(lines[0])}, not with {json.dumps(heading)}; "
                "name another file or remove it"
            )
        self.entries = lines[1:]

    def add(self, entry: Any) -> None:
        """Write one more line."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry, separators=(",", ":")) + "\n")
