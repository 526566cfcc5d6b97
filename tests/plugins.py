"""Packages with rule sets, installed into a folder that a Python finds by its PYTHONPATH."""

from __future__ import annotations

from pathlib import Path

HOP = (Path(__file__).parent / "rules" / "hop.py").read_text(encoding="utf-8")
"""A module with a rule set that is called HOP there."""


def install(folder: Path, name: str, module: str, entries: dict[str, str]) -> None:
    """A package ``name`` 1.0 that is one module and some rule sets."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").write_text(module, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{entry} = {value}" for entry, value in entries.items()]
    text = "\n".join(["[cyvasse.rule_sets]", *lines, ""])
    (info / "entry_points.txt").write_text(text)
