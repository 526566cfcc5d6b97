"""Stands in for the ``cython`` module where Cython is not installed and the files run as Python."""

import contextlib
from typing import Any

compiled = False
nogil = contextlib.nullcontext()


def cast(_: object, value: Any) -> Any:
    """Nothing to do: only C needs to be told what a value is."""
    return value
