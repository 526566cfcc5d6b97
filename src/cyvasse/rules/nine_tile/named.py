"""Good setups by name: triangle, tiles in the order of its slots, pieces from row 4 to row 1."""

NAMED: dict[str, tuple[str, str, tuple[str, str, str, str]]] = {}
