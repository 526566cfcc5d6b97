"""The screens need Textual, which the base install has not."""

from __future__ import annotations

import importlib.util

collect_ignore_glob = ["test_*.py"] if importlib.util.find_spec("textual") is None else []
