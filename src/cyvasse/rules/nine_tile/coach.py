"""What a coach says to a newcomer in Nine-Tile Cyvasse."""

from __future__ import annotations

from collections.abc import Mapping

COACH: Mapping[str, tuple[str, ...]] = {
    "begin": (
        (
            "Bring your Rabble forward, two of them in one turn: they are the ones that hold what "
            "others take."
        ),
        "Bring Crossbows near the middle. They hold a piece three squares away for others to take.",
        (
            "Look for a heavy piece of your opponent that two of yours can engage. Then a third, "
            "or one of the two, takes it."
        ),
    ),
    "danger": (
        (
            "Most pieces can only be taken while enough opponents engage them. Move away, take "
            "one that engages, or put a piece of yours in its line."
        ),
        (
            "There is no check here: whoever overlooks a threat to the King loses him. Look at "
            "your King first."
        ),
    ),
    "take": (
        "Before you take, count: how many opponents will engage your piece where it ends?",
        (
            "A piece without armour can be taken by anyone who gets there: Crossbows and the "
            "Trebuchet first of all."
        ),
    ),
    "quiet": (
        (
            "A capture often begins with a quiet move that brings the second piece to engage. The "
            "numbers beside the pieces show who still needs one."
        ),
        "Keep your King between your Towers: whoever stands beside a Tower engages nothing else.",
        "Leave the water empty: a piece that stands in it engages nothing.",
    ),
}
