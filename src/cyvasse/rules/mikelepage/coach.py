"""What a coach says to a newcomer in Mikelepage's Cyvasse."""

from __future__ import annotations

from collections.abc import Mapping

COACH: Mapping[str, tuple[str, ...]] = {
    "begin": (
        "Bring a Rabble or two forward first: two lower pieces together take a higher one.",
        "Find out how far your Trebuchets and Elephants see. Tap one: dots show where it may go.",
        "Move so that two of your pieces reach the same square. What comes there can be flanked.",
    ),
    "danger": (
        (
            "A piece on its home terrain defends one tier higher, and so does one on your "
            "fortress. Moving there may be enough."
        ),
        "Move your King, take what threatens him, or put a piece in the way.",
        (
            "If your King is taken, a piece of tier 3 that reaches your fortress in time takes "
            "his place. Keep one near."
        ),
    ),
    "danger_king_missing": (
        "Only a piece of tier 3 on your fortress can become the new King. Nothing else counts now.",
    ),
    "danger_fortress": (
        (
            "No opponent may stay on your fortress at the end of your turn, or it is ruined. Take "
            "whoever comes."
        ),
    ),
    "take": (
        (
            "Compare the tiers before you take: what you take with should be worth less than what "
            "you take, or be safe afterwards."
        ),
        (
            "Several lower pieces that reach one square bring down a higher one together. One of "
            "the highest of them makes the capture."
        ),
    ),
    "quiet": (
        (
            "A piece that begins your turn on your own fortress is promoted, if you have lost one "
            "of the kind that it becomes."
        ),
        "Look where your horses can ride: round your fortress and round the other one.",
        "Keep a piece of tier 3 close to your fortress, in case your King is taken.",
    ),
}
