"""What a coach says to a newcomer in The Rules of Cyvasse."""

from __future__ import annotations

from collections.abc import Mapping

COACH: Mapping[str, tuple[str, ...]] = {
    "begin": (
        "Bring your shooters forward: the Catapult strikes two squares away and stays where it is.",
        "The Dragon flies over everything and may rest on a mountain, where few can reach it.",
        "Anything can take your King. Leave him behind the others, or in the fortress.",
    ),
    "danger": (
        (
            "Each piece takes those of its own rank and lower, and the rank just above. Bring "
            "yours out of reach, or where it can be avenged."
        ),
        "A forest hides from the Dragon: it attacks nothing that stands on one.",
        "A piece in a standing fortress stays when it is attacked, and the fortress falls instead.",
    ),
    "take": (
        (
            "Before you take, look whether somebody can take you back. A shot takes without going "
            "there."
        ),
        "A weak piece that takes a strong one is a good exchange, even if it is lost.",
    ),
    "quiet": (
        "Move so that you threaten two pieces at once.",
        "Mind the water: whoever enters it waits a turn, and is easily taken there.",
        (
            "The Trebuchet shoots in the direction of its last step. Step so that it looks where "
            "you want to strike."
        ),
    ),
}
