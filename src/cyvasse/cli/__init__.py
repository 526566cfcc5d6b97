"""The ``cyvasse`` command."""

from cyvasse.cli.main import main

__all__ = ["main"]
