"""Good setups by name: rows 5 to 1 as White sees them; ``^`` is a mountain, ``.`` is empty.

In all of them no piece can take the King with its first action, wherever the opponent has put what.
The King sits in the first two rows, out of a dragon's range, and every line, diagonal and ring to
him is closed.  Pieces of tier 3 guard the fortress so that even a dragon that has taken the King on
it is flanked, taken, and the King replaced.  Where no Dragon is shown it waits in reserve.
"""

NAMED: dict[str, tuple[str, str, str, str, str]] = {
    # The King in the middle of the back row behind two mountains.  Both Trebuchets and both
    # Elephants reach the fortress, so there is always one more to replace the King.
    "sunspear": (
        "R . R S R ^ S ^ ^ ^",
        " H X . . . . R . R",
        "  . H L . . L . .",
        "   . E ^ ^ E . X",
        "    T . K . T R",
    ),
    # A keep in the second row that gives way to nothing: two Elephants, a Trebuchet, Spears,
    # Crossbows and two Rabble reach the fortress.
    "winterfell": (
        ". ^ . . ^ S . ^ ^ L",
        " . . R ^ S X . R .",
        "  H . E ^ R E . R",
        "   L X . K . H T",
        "    . . T R . R",
    ),
    # The King in the far corner, two Elephants on his diagonals, and the Dragon already in the
    # front row: for players who want to strike first.
    "dragonstone": (
        ". ^ ^ L D . X . S ^",
        " S R . . . . X R R",
        "  . . R . ^ ^ E .",
        "   H . . T E ^ R",
        "    R T H . L K",
    ),
    # The squares at distance four from the fortress are kept free, from e3 over h5 to k3: the Heavy
    # Horses patrol the whole front on them.
    "highgarden": (
        "^ . R H . . . . L ^",
        " ^ . . . X R . H S",
        "  ^ . X R S ^ . .",
        "   R . E R ^ E T",
        "    R T . K . L",
    ),
    # The King in the western corner behind mountains, where few pieces guard him well; the Dragon
    # stands beside him in front and the whole east is free to attack.
    "storms-end": (
        "R D R X . . H . . ^",
        " H . . . T ^ . X S",
        "  R E R ^ . . . R",
        "   ^ ^ E R . S L",
        "    K . . T L ^",
    ),
}

# What each is like, for who has to choose.
CHARACTERS: dict[str, str] = {
    "sunspear": "The King sits behind two mountains, and many pieces can replace him.",
    "winterfell": "A fortress in the second row that gives way to nothing.",
    "dragonstone": "The Dragon is in front from the start: for players who strike first.",
    "highgarden": "Heavy Horses patrol the whole front on squares that are kept free.",
    "storms-end": "The King sits far to the left, and the whole right is free to attack.",
}
