"""Good setups by name: each homeland from rank 4 to rank 1, as White sees it."""

NAMED: dict[str, tuple[str, str, str, str]] = {}
