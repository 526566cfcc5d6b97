"""What fixes a setup without telling it, who begins, and whether both sides have one board."""

from __future__ import annotations

import hashlib

from cyvasse.mail.codes import base32
from cyvasse.notation import write_setup
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup

SALT = 16  # bytes


def commitment(rules: RuleSet, game: str, seat: Color, setup: Setup, salt: bytes) -> bytes:
    """What fixes a setup: of this rule set, in this game, for this seat.

    >>> import cyvasse
    >>> rules = cyvasse.rule_set("croft")
    >>> setup = next(iter(rules.named_setups().values()))
    >>> commitment(rules, "g", WHITE, setup, b"s" * 16).hex()[:16]
    'c49e4b817b3c6b6e'
    """
    text = write_setup(rules.checked_setup(setup, seat))
    parts = (b"cyvasse mail 1", rules.id.encode(), game.encode(), str(seat).encode())
    digest = hashlib.sha256()
    for part in (*parts, text.encode(), salt):
        digest.update(len(part).to_bytes(4, "big") + part)  # so that no part can lend to the next
    return digest.digest()


def first_player(rules: RuleSet, white: bytes, black: bytes) -> Color:
    """Who begins: the rules say so, or both salts together, which nobody could foresee."""
    if rules.first_player is not None:
        return rules.first_player
    lot = hashlib.sha256(b"cyvasse mail: who begins" + white + black).digest()
    return BLACK if lot[0] & 1 else WHITE


def seal(position: Position) -> str:
    """A few letters that tell whether both sides have the same board."""
    return base32(hashlib.sha256(position.text().encode()).digest())[:8]
