"""The rules once more: slow, plain, written from the pages in docs/rules alone.

Whoever wrote these had not read the rule sets' code, and what is changed here must not be taken
from there: two programs that agree tell something only if they were made apart.  Each module knows
one rule set and speaks in texts (docs/formats.md); ``compare.Reference`` says what it offers.
"""
