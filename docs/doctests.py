"""A Griffe extension: examples in docstrings are blocks of code in the reference.

Docstrings write them bare, as doctest reads them; Markdown would take ``>>>`` for quotations.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^( {0,3})>>> .*(?:\n\1\S.*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """The text with a fence around every example, which ends at the first empty line.

    Examples that are indented are blocks of code already.
    """
    return EXAMPLE.sub(lambda found: f"{found[1]}```pycon\n{found[0]}\n{found[1]}```", text)


class Doctests(griffe.Extension):
    """Fence the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
