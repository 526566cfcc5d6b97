"""The drawing of a position in colour."""

from __future__ import annotations

from rich.text import Text

_GROUND_STYLES = {"^": "white", "~": "bright_blue", "*": "green", "#": "bright_red"}


def coloured(drawing: str) -> Text:
    """A position's drawing in the colours of the stones; plain where the output has none."""
    text = Text()
    *rows, last = drawing.splitlines()
    for row in rows:
        squares = row.index(" ", 4)
        text.append(row[:squares], "bright_black")
        for character in row[squares:]:
            if character.isalpha():
                text.append(
                    character, "bold bright_white" if character.isupper() else "bold yellow"
                )
            else:
                text.append(character, _GROUND_STYLES.get(character, "bright_black"))
        text.append("\n")
    return text.append(last, "bold")
