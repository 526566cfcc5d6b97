"""Good setups by name: rows 5 to 1 as White sees them; ``^`` is a mountain, ``.`` is empty."""

NAMED: dict[str, tuple[str, str, str, str, str]] = {}
