"""The engine: what searches positions of any rule set."""
