"""The game in a terminal: a table, a bench for setups, a plain text mode, and screens in colour.

Only ``screens`` needs Textual; everything else runs with the base install.
"""
