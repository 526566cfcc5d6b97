"""What a coach says to a newcomer in Croft's Cyvasse."""

from __future__ import annotations

from collections.abc import Mapping

COACH: Mapping[str, tuple[str, ...]] = {
    "begin": (
        "Make room around your keep: pieces come out of the reserve only to empty home tiles.",
        (
            "Bring out strong pieces from the reserve. Tap one beside the board, then an empty "
            "home tile."
        ),
        (
            "Send a piece towards the enemy keep. Two of yours on its home tiles destroy it, with "
            "all that is inside."
        ),
    ),
    "danger_keep": (
        (
            "Two opponents on your home tiles destroy your keep and all that waits in it. Take "
            "the one that is there, or fill the free home tiles."
        ),
    ),
    "danger": (
        "Move your King, take what threatens him, or put a piece in the way.",
        "Whoever overlooks a threat to the King loses him. Look where he is safe.",
    ),
    "take": (
        "Before you take, look whether somebody can take you back.",
        "An Elephant can only be taken while another piece of the taker's side stands beside it.",
    ),
    "quiet": (
        (
            "Look at the home tiles of the enemy keep: where can two of your pieces come to "
            "stand, one after the other?"
        ),
        "A Rabble may be followed by a second one in the same turn.",
        "Crossbowmen can go to any empty forest tile of the board at once.",
    ),
}
