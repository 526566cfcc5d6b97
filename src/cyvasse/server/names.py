"""Friendly names for guests, and what the name of an account may be."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_ADJECTIVES = """
Amber Brave Bright Bronze Calm Clever Coastal Copper Curious Daring Dornish Eager Early Fair
Gentle Gilded Golden Grey Hidden Honest Idle Ivory Jade Jolly Keen Kind Lapis Late Little
Lively Lucky Merry Mild Nimble Noble Northern Patient Plain Polite Proud Quiet Quick Ready
Roaming Sandy Scarlet Sharp Silent Silver Sly Southern Steady Stony Sunny Swift Tall Tidy
Velvet Wandering Warm Wary Western Wild Wise
"""
_NOUNS = """
Archer Armourer Baker Banner Bard Captain Castellan Cook Courier Drummer Elephant Envoy
Falconer Ferryman Fletcher Gardener Groom Guard Harper Herald Horse Hunter Innkeeper Juggler
Knight Lancer Lookout Maester Mason Merchant Miller Minstrel Mummer Mule Orange Page Painter
Peacock Pilot Porter Potter Rabble Raven Rider Sailor Scribe Shepherd Shield Singer Smith
Spear Squire Steward Stork Tailor Tower Trader Traveller Turtle Viper Warden Weaver Wolf
"""
ADJECTIVES = tuple(_ADJECTIVES.split())
NOUNS = tuple(_NOUNS.split())

_ACCOUNT = re.compile(r"[\w-]{2,20}")
# Letters that show nothing.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0")
# Scripts that are written together; every other name keeps to one.
_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK"}
# Who is called so would seem to be more than a player, or nobody.
_RESERVED = frozenset(
    ("admin", "administrator", "bot", "cyvasse", "moderator", "server", "someone", "system")
)
_JOINERS = "\u200c\u200d"  # several scripts and many emoji need them
_MOST_MARKS = 3  # on one letter; more would cover the lines above


def guest_name(id: str) -> str:
    """The name of a guest, always the same for the same id.

    >>> guest_name("abc")
    'Swift Turtle 074'
    """
    digest = int.from_bytes(hashlib.sha256(id.encode()).digest()[:8], "big")
    digest, number = divmod(digest, 1000)
    digest, noun = divmod(digest, len(NOUNS))
    return f"{ADJECTIVES[digest % len(ADJECTIVES)]} {NOUNS[noun]} {number:03}"


def account_name(name: str) -> str | None:
    """A name as an account may have it, or None.  Guests' names have spaces, accounts' do not.

    Letters of two scripts in one name look like somebody else: a Cyrillic a is no Latin one.

    >>> account_name("Arianne_1"), account_name("no spaces"), account_name("Ari\u0430nne")
    ('Arianne_1', None, None)
    """
    name = unicodedata.normalize("NFKC", name)
    if not _ACCOUNT.fullmatch(name) or account_key(name) in _RESERVED:
        return None
    letters = [c for c in name if not (c.isascii() and (c.isdigit() or c in "-_"))]
    visible = all(unicodedata.category(c)[0] == "L" and c not in _INVISIBLE for c in letters)
    return name if visible and len({_script(c) for c in letters}) < 2 else None


def _script(letter: str) -> str:
    word = unicodedata.name(letter, "?").split()[0]
    return _TOGETHER.get(word, word)


def account_key(name: str) -> str:
    """The name as it is looked for: letter case makes no second person."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def plain_text(text: str) -> str:
    """What somebody said, on one line and without anything that is no text.

    >>> plain_text("one\\n two\\u202e\\0 <b>")
    'one two <b>'
    """
    kept = []
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)[0]
        marks = marks + 1 if kind == "M" else 0
        if marks <= _MOST_MARKS:
            kept.append(" " if kind == "C" and letter not in _JOINERS else letter)
    return " ".join("".join(kept).split())
