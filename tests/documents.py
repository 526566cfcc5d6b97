"""The documents whose examples run: the README and everything in docs."""

from __future__ import annotations

import doctest
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from cyvasse.engine.ugi import serve
from tests import goldens
from tests.goldens import ROOT

TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROTOCOL = ROOT / "docs" / "ugi.md"


def examples(text: str, name: str) -> doctest.DocTest:
    """The examples of a document."""
    # A closing fence would count as expected output.
    text = re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
    return doctest.DocTestParser().get_doctest(text, {}, name, name, 0)


def remade() -> Iterator[tuple[Path, str]]:
    """The documents with what their examples print now, and their tables anew."""
    from tests import tables  # which need the server

    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        for name, (document, _) in tables.TABLES.items():
            if document == path:
                text = tables.renewed(name, text)
        text = with_answers(text, path.name)
        yield path, with_conversation(text) if path == PROTOCOL else text


def with_answers(text: str, name: str) -> str:
    """A document in which each example is followed by what it prints."""
    runner = _Listener()
    runner.run(examples(text, name), out=lambda _: None)
    lines = text.splitlines(keepends=True)
    for example, got in reversed(runner.other):  # from the end, so that no line moves
        first = example.lineno + example.source.count("\n")
        indent = " " * example.indent
        printed = [f"{indent}{line}".rstrip(" ") for line in got.splitlines(keepends=True)]
        lines[first : first + example.want.count("\n")] = printed
    return "".join(lines)


class _Listener(doctest.DocTestRunner):
    """Notes what an example prints, where that is not what the document says."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.other: list[tuple[doctest.Example, str]] = []

    def report_failure(
        self, out: object, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        self.other.append((example, got))

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: object
    ) -> None:
        raise RuntimeError(
            f"{test.name}, line {example.lineno + 1}: {example.source.strip()} fails"
        )


# --- the conversation with the engine -------------------------------------------------------------


def conversation(text: str) -> list[str]:
    """The lines of the conversation that docs/ugi.md shows; ``> `` marks what is sent."""
    return text.split("```text\n")[1].split("```")[0].splitlines()


def fixed(lines: Sequence[str]) -> list[str]:
    """The replies that are always the same: what a search tells depends on the machine."""
    return [line for line in lines if not line.startswith(("> ", "info depth", "bestmove"))]


def with_conversation(text: str) -> str:
    """The document with the conversation as it goes now, if that has changed."""
    shown = conversation(text)
    held = hold(shown)
    if fixed(held) == fixed(shown):
        return text
    return text.replace("\n".join(shown), "\n".join(held))


def hold(shown: Sequence[str]) -> list[str]:
    """The conversation anew: what is sent stays, and searches are given the time to answer."""
    said: list[str] = []
    changed = threading.Condition()

    def note(line: str) -> None:
        with changed:
            said.append(line)
            changed.notify_all()

    def wait_for(word: str, since: int) -> None:
        with changed:
            heard = changed.wait_for(lambda: any(x.startswith(word) for x in said[since:]), 60)
        assert heard, f"no {word} after {said}"

    def sent() -> Iterator[str]:
        for line in shown:
            if line.startswith("> "):
                note(line)
                since = len(said)
                yield line.removeprefix("> ")
                if line.startswith("> go"):
                    wait_for("info depth" if "infinite" in line else "bestmove", since)

    serve(sent(), note)
    return said


goldens.ours("documents", remade, "README.md", "docs/**/*.md")
