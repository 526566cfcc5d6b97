"""Stands in for the ``cython`` module where Cython is not installed and the files run as Python."""

import contextlib

compiled = False
nogil = contextlib.nullcontext()
