"""Good setups by name: each homeland from rank 4 to rank 1, as White sees it.

A square is its ground (m mountain, w water, f forest, c fortress, . grass) and its piece, if any.
In all of them the King stands on forest, where no Dragon can take him, and on rank 1, too far for
a Light Horse's first ride; the own Dragon stands on forest too, where its rival can neither take
nor pass it.
"""

NAMED: dict[str, tuple[str, str, str, str]] = {
    # Patience: the Catapult in the wood guards the King and everything around him, Crossbowman and
    # fortress are at hand, and mountains leave the enemy two narrow ways in.
    "sunspear": (
        "w. m. m. .. .. m. m. w.",
        ".R w. .S f. w. .. .. ..",
        "c. fX fC .. m. .E m. ..",
        ".. fK w. fT .H fD .L ..",
    ),
    # The Catapult holds a fortress in the front line, from where it reaches two ranks into the
    # enemy's land at once; the first blow against it only ruins the walls.
    "storms-end": (
        "m. .S .. cC .R m. m. ..",
        "w. .. m. .E fX .H w. m.",
        ".. .L w. .. fT m. .. ..",
        "w. .. fD fK f. .. w. f.",
    ),
    # Dragon, Catapult and Crossbowman in one wood before the King: whatever an enemy Dragon takes
    # near the middle is avenged, and two waters in front stop whoever comes straight on.
    "dragonstone": (
        ".. m. m. .S .. m. m. ..",
        "w. .. cH w. w. .R .. w.",
        ".. .E fC fD fX .L m. ..",
        ".. m. .. fK f. fT w. ..",
    ),
    # Canals: every square beside the King is water.  Who arrives there must wait a turn, and a
    # Crossbowman cannot shoot from it, while the King kills whoever came.
    "braavos": (
        "m. .. .. .S m. .R f. m.",
        ".. w. m. .E cH .. fX ..",
        ".. .. m. fT .L fC w. w.",
        ".. w. .. fD .. m. w. fK",
    ),
    # Attack: a wood carries Crossbowman, Catapult and Trebuchet towards the middle, Elephant and
    # Spearmen lead, the horses follow under the Catapult's guard, and the King sits far away on the
    # left beside his fortress.
    "meereen": (
        "m. m. .E f. .S .. m. w.",
        ".. w. .R fX .L .H .. ..",
        "w. m. c. fC fT m. .. w.",
        ".. fK .. .. .. fD m. w.",
    ),
}

# What each is like, for who has to choose.
CHARACTERS: dict[str, str] = {
    "sunspear": "Patience: a Catapult in the wood guards the King; two narrow ways lead in.",
    "storms-end": "A Catapult on a fortress in the front line reaches far into the enemy's land.",
    "dragonstone": "Dragon, Catapult and Crossbowman share one wood and avenge what falls.",
    "braavos": "Canals: whoever comes beside the King stands in water and must wait.",
    "meereen": "Attack: a wood carries the shooters to the middle; the King sits far away.",
}
