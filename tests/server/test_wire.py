"""What the page shares with the server is made from the server's side, and is not stale."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

from cyvasse.actions import KINDS, LETTERS
from cyvasse.draw.drawings import PIECES
from cyvasse.draw.palette import THEMES
from cyvasse.server.events import AnyEvent
from cyvasse.server.messages import AnyCommand, AnyMessage, AnyRequest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web" / "src"
WIRE = PAGE / "wire"
SOURCES = {
    path: path.read_text()
    for kind in ("*.ts", "*.svelte", "*.css")
    for path in PAGE.rglob(kind)
    if WIRE not in path.parents
}


def wire(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "web" / "wire.py"), *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_it_is_not_stale() -> None:
    done = wire("--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_staleness_is_told(tmp_path: Path) -> None:
    """In words that say what to do, with the lines that differ."""
    for folder in ("src/wire", "tests/wire"):
        shutil.copytree(ROOT / "web" / folder, tmp_path / folder)
    tables = tmp_path / "src" / "wire" / "tables.ts"
    tables.write_text(tables.read_text().replace('"remark": 500', '"remark": 501'))
    (tables.parent / "stray.ts").touch()
    done = wire("--check", str(tmp_path))
    assert done.returncode == 1
    assert "src/wire/stray.ts, src/wire/tables.ts; run `make wire`" in done.stdout
    assert '"remark": 501' in done.stdout


def test_every_message_has_its_type() -> None:
    types = (WIRE / "types.ts").read_text()
    for union in (AnyEvent, AnyCommand, AnyMessage, AnyRequest):
        for kind in get_args(union):
            assert f"export interface {kind.__name__} {{" in types
            assert f'"{kind.__struct_config__.tag}";' in types


def test_every_kind_of_action_is_there() -> None:
    tables = (WIRE / "tables.ts").read_text()
    for name, text in KINDS.values():
        assert f'"kind": "{name}", "text": "{text}"' in tables


def test_the_page_uses_all_of_it() -> None:
    constants = re.findall(r"^export const (\w+)", (WIRE / "tables.ts").read_text(), re.M)
    assert len(constants) > 5
    for name in constants:
        users = [path for path, text in SOURCES.items() if re.search(rf"\b{name}\b", text)]
        assert users, name
    assert 'export type * from "../wire/types";' in SOURCES[PAGE / "lib" / "types.ts"]
    assert '@import "../wire/palette.css";' in SOURCES[PAGE / "styles" / "base.css"]


def test_the_page_names_colours_and_drawings() -> None:
    """It writes no colour of the board, and has a drawing for each piece that pictures have."""
    palette = PAGE / "styles" / "palette.css"
    colors = {name for theme in THEMES.values() for name in theme}
    assert not {name for name in colors if f"--{name}:" in palette.read_text()}
    for path, text in SOURCES.items():
        assert path == palette or not re.search(r"#[0-9a-fA-F]{6}\b", text), path
    assert PIECES.keys() == set(LETTERS)
    for drawing in PIECES.values():
        assert (ROOT / "src" / "cyvasse" / "draw" / "pieces" / f"{drawing}.svg").exists()
