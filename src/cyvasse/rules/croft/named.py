"""Good setups by name, drawn for White from row 5 to row 1.

A letter is a piece, ``#`` the keep, ``^`` a mountain, ``~`` open water.  No opposing setup can take
these Kings in its first turn, not by Light Horses that come round the edge, Dragons over mountains,
Trebuchets over pieces or the Catapult's second capture; a King who is not drawn waits in the keep.
Against random setups they scored 74 to 88 per cent in 200 games each of a search two actions
deep, long games judged by material; that tells them from careless setups, not from one another.
"""

NAMED: dict[str, tuple[str, str, str, str, str]] = {
    # The King sits behind the keep.  Mountains close what remains: c4 the long diagonal, e1 the
    # way round the edge, d1 the one to the Catapult.  Elephants hold the open columns in front.
    "winterfell": (
        "..........",
        "..^LEE~...",
        "...T#H....",
        ".~.CKL..~.",
        "...^^.....",
    ),
    # The keep in the bend of the coast with the King in the water behind it: b1 bars the way round
    # the edge, the lake on d4 the only diagonal.  Dragon between Elephants, horses on the flanks
    # that ride out over the lower edge; the third mountain stands where it hinders nobody.
    "casterly-rock": (
        "..........",
        "EDE~..~...",
        "T#H.......",
        "LKL.....~.",
        ".^^..^....",
    ),
    # The King at the edge of the board, where only one diagonal leads to him, and h4 shuts it.  The
    # Dragon looks over the wall of i4 that stops everyone else.
    "pyke": (
        ".........^",
        "...~..~^^.",
        ".......CDE",
        ".~.....H#K",
        ".......ESH",
    ),
    # The King waits inside a keep that Elephants cover.  The Dragon stands in the lee of the horse
    # in front of it, and c4 leaves its diagonal to Dragons alone.  Two Rabble guard the lower edge,
    # and both Light Horses have a whole column to ride.
    "sunspear": (
        ".......^..",
        "..^~..~...",
        "....HEL...",
        ".~^.D#E.~.",
        "....RRL...",
    ),
    # The King and the Dragon wait inside.  Heavy pieces in front cover one another, Light Horses
    # ride over the lower edge into the enemy's back, and the mountains leave every own line open.
    "storms-end": (
        "..........",
        "^.CEH.~^..",
        "..H#E.....",
        ".~XLL...~.",
        ".....^....",
    ),
}

# What each is like, for who has to choose.
CHARACTERS: dict[str, str] = {
    "winterfell": "The King sits behind the keep, and Elephants hold the columns in front.",
    "casterly-rock": "The King stands in the water behind a keep in the bend of the coast.",
    "pyke": "The King sits at the edge; one diagonal leads to him, and a mountain shuts it.",
    "sunspear": "The King waits inside, Elephants cover the keep, and both Light Horses can ride.",
    "storms-end": "King and Dragon wait inside; heavy pieces in front cover one another.",
}
