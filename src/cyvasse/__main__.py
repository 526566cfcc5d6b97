"""``python -m cyvasse`` is the ``cyvasse`` command."""

from cyvasse.cli import main

main()
