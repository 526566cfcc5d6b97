"""The rules pages as modules for the page: docs/rules/*.md becomes build/rules/*.js.

Each exports ``{html, chapters}``.  Its pictures are imported, so that Vite gives them their names.
"""

from __future__ import annotations

import importlib.util
import json
import re
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
        (BUILT / f"{text.stem}.js").write_text(module(page.html, chapters), encoding="utf-8")


def module(html: str, chapters: list[dict[str, str]]) -> str:
    """A page as a module; every second piece of its HTML is the address of a picture."""
    pieces = re.split(r'(?<=<img src=")([^"]+)(?=")', html)
    imports = [
        f"import picture{number} from {json.dumps(f'../../docs/rules/{path}?url&no-inline')};\n"
        for number, path in enumerate(pieces[1::2])
    ]
    told = [
        f"picture{number // 2}" if number % 2 else quoted(piece)
        for number, piece in enumerate(pieces)
    ]
    page = f"{{\n  html: {' + '.join(told)},\n  chapters: {quoted(chapters)},\n}}"
    return f"{''.join(imports)}export default {page};\n"


def quoted(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


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
