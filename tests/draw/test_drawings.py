"""The drawings themselves: each file stands by itself and takes its colours from where it is."""

from __future__ import annotations

from importlib.resources import files
from xml.etree import ElementTree

import pytest

from cyvasse.actions import LETTERS
from cyvasse.draw.drawings import KEEP, MOTIFS, PIECES, SMALL_MOTIFS, symbol

SVG = "{http://www.w3.org/2000/svg}"
FILES = {
    "pieces": {*PIECES.values(), KEEP},
    "terrain": {*MOTIFS, *(name for name in SMALL_MOTIFS.values() if name)},
}
ALL = [(folder, name) for folder, names in FILES.items() for name in sorted(names)]


@pytest.mark.parametrize("folder", FILES)
def test_every_file_is_used(folder: str) -> None:
    found = {path.name for path in (files("cyvasse.draw") / folder).iterdir()}
    assert found == {f"{name}.svg" for name in FILES[folder]}


@pytest.mark.parametrize(("folder", "name"), ALL)
def test_drawings_take_their_colours_from_outside(folder: str, name: str) -> None:
    root = ElementTree.fromstring(symbol(folder, name))
    assert root.attrib["id"] == f"cyvasse-{name}"
    shapes = [element for element in root.iter() if element.tag in ("path", "circle")]
    assert shapes
    for element in root.iter():
        for part in ("fill", "stroke"):
            assert element.get(part) in (None, "none", "currentColor")


@pytest.mark.parametrize(("folder", "name"), ALL)
def test_files_can_be_looked_at(folder: str, name: str) -> None:
    text = (files("cyvasse.draw") / folder / f"{name}.svg").read_text()
    root = ElementTree.fromstring(text)
    assert root.attrib["viewBox"] == "0 0 64 64"
    assert root.attrib["color"].startswith("#")
    assert root.findtext(f"{SVG}title")


def test_every_letter_has_a_drawing() -> None:
    assert set(PIECES) == set(LETTERS)
