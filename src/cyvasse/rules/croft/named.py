"""Good setups by name."""

NAMED: dict[str, tuple[str, ...]] = {}
