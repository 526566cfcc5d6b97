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

    >>> account_name("Arianne_1"), account_name("no spaces")
    ('Arianne_1', None)
    """
    name = unicodedata.normalize("NFKC", name)
    return name if _ACCOUNT.fullmatch(name) else None


def account_key(name: str) -> str:
    """The name as it is looked for: letter case makes no second person."""
    return unicodedata.normalize("NFKC", name).casefold()


def plain_text(text: str) -> str:
    """What somebody said, on one line and without anything that is no text."""
    kept = (c if unicodedata.category(c)[0] != "C" or c in "\u200d\u200c" else " " for c in text)
    return " ".join("".join(kept).split())
