"""The rules pages as content for the page: docs/rules/*.md becomes build/rules/*.json.

Each is ``{html, chapters}`` with its pictures as the text names them; vite.config.ts gives pages
and pictures the names under which they are served.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "rules"
BUILT = ROOT / "build" / "rules"


def write() -> None:
    """Write the pages anew."""
    made = rulespage()
    sizes = json.loads((DOCS / "images" / "sizes.json").read_text(encoding="utf-8"))

    def gallery(path: str) -> object:
        if Path(path).name not in sizes:
            raise FileNotFoundError(f"{text.name} shows {path}, which is not in docs/rules/images")
        return made.Picture(path, *sizes[Path(path).name])

    def read(path: str) -> str:
        return (DOCS / path).read_text(encoding="utf-8")

    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    for text in sorted(DOCS.glob("*.md")):
        page = made.rules_page(made.with_parts(read(text.name), read), gallery)
        chapters = [{"id": chapter.id, "text": chapter.text} for chapter in page.chapters]
        told = json.dumps({"html": page.html, "chapters": chapters}, ensure_ascii=False)
        (BUILT / f"{text.stem}.json").write_text(told, encoding="utf-8")


def rulespage() -> ModuleType:
    """The module of the package by itself: the rest of it may just be compiled beside this."""
    file = ROOT / "src" / "cyvasse" / "rulespage.py"
    spec = importlib.util.spec_from_file_location("rulespage", file)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found  # dataclasses look for their module there
    spec.loader.exec_module(found)
    return found
