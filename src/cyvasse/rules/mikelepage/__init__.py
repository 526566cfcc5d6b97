"""Mikelepage's Cyvasse v5.0: tiers, flanking, home terrain, and fortresses that make new kings."""

from __future__ import annotations

from cyvasse.rules.mikelepage.board import MIKELEPAGE
from cyvasse.rules.mikelepage.coach import COACH
from cyvasse.rules.mikelepage.evaluation import MikelepageEvaluation
from cyvasse.rules.mikelepage.named import CHARACTERS
from cyvasse.rules.mikelepage.pieces import PIECES, SPECS
from cyvasse.rules.mikelepage.position import MikelepagePosition
from cyvasse.rules.mikelepage.reasons import reasons
from cyvasse.rules.mikelepage.records import MikelepageRecords
from cyvasse.rules.mikelepage.scene import MikelepageScene
from cyvasse.rules.mikelepage.setups import MikelepageSetups
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import WHITE, Counts, Field, Flag, PerColor, Record, Square, Squares, Word

MIKELEPAGE_RULES = RuleSet(
    id="mikelepage",
    title="Mikelepage's Cyvasse",
    author="Mikelepage",
    summary="Flank what is stronger.",
    board=MIKELEPAGE,
    piece_types=tuple(spec.type for spec in PIECES),
    terrain_letters={"hill": "h", "forest": "f", "grassland": "g"},
    state_fields=(
        Field("mountains", Squares(), "squares that only dragons pass"),
        Field(
            "fortress",
            PerColor(Record({"at": Square(), "ruined": Flag(), "corner": Square()})),
            "where each fortress was built, and the corner that replaces a ruined one as centre",
        ),
        Field("reserve", PerColor(Flag()), "whether the dragon is still off the board"),
        Field("king_taken", PerColor(Flag()), "whether the king is captured and not yet replaced"),
        Field(
            "lost",
            PerColor(Counts(tuple(name for name in SPECS if name != "king"))),
            "captured pieces that no promotion has used up",
        ),
        Field(
            "pending",
            Word(("corner", "promotion")),
            "what the player to act has to choose before the action of the turn",
        ),
        Field("in_turn", Flag(), "whether the player to act has already chosen something"),
        Field(
            "over",
            Word(("won", "lost")),
            "who has won the game, as the player to move sees it",
        ),
    ),
    setup_fields=(
        Field("dragon_in_reserve", Flag(), "whether the dragon is kept back"),
        Field("mountains", Squares(), "where the mountains stand"),
    ),
    noted_effects=("promoted_at_end", "fortress_ruined", "promoted_at_beginning"),
    first_player=WHITE,
    turns=30,
    difficulty=4,
    coach=COACH,
    characters=CHARACTERS,
    position_type=MikelepagePosition,
    setups_type=MikelepageSetups,
    scene_type=MikelepageScene,
    evaluation_type=MikelepageEvaluation,
    reasons=reasons,
    records_type=MikelepageRecords,
)
