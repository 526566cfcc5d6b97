"""What the page shares with the package: ``make wire`` writes it too.

The server is an extra, so the script that needs it is run when the files are made.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

from tests import goldens
from tests.goldens import ROOT

WEB = ROOT / "web"


def wire() -> Iterator[tuple[Path, str]]:
    """What ``make wire`` writes."""
    module = runpy.run_path(str(WEB / "wire.py"))
    for name, text in module["files"]().items():
        yield WEB / name, text


goldens.ours("wire", wire, "web/src/wire/*", "web/tests/wire/*", slow=True)
