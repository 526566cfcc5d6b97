"""A. Marston Croft's Cyvasse: a keep, its home tiles, and the reserve that waits inside."""

from __future__ import annotations

from cyvasse.rules.croft.board import CROFT
from cyvasse.rules.croft.coach import COACH
from cyvasse.rules.croft.evaluation import CroftEvaluation
from cyvasse.rules.croft.named import CHARACTERS
from cyvasse.rules.croft.pieces import PIECES
from cyvasse.rules.croft.position import CroftPosition
from cyvasse.rules.croft.reasons import reasons
from cyvasse.rules.croft.records import CroftRecords
from cyvasse.rules.croft.scene import CroftScene
from cyvasse.rules.croft.setups import CroftSetups
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Counts, Field, PerColor, Record, Square, Squares

CROFT_RULES = RuleSet(
    id="croft",
    title="Croft's Cyvasse",
    author="A. Marston Croft",
    summary="Storm the other keep.",
    board=CROFT,
    piece_types=PIECES,
    terrain_letters={},
    state_fields=(
        Field("mountains", Squares(), "the mountains of both players"),
        Field(
            "keeps",
            PerColor(Record({"at": Square(), "home": Squares()})),
            "where each keep stands, or null once it is destroyed, and its home tiles",
        ),
        Field(
            "reserves",
            PerColor(Counts(tuple(kind.name for kind in PIECES))),
            "the pieces that wait in each keep",
        ),
        Field("second_rabble", Square(), "the Rabble that has just moved; another one may follow"),
    ),
    setup_fields=(
        Field("mountains", Squares(), "the three mountains"),
        Field("keep", Square(), "the tile of the keep"),
    ),
    noted_effects=("keep_destroyed",),
    turns=60,
    difficulty=2,
    coach=COACH,
    characters=CHARACTERS,
    position_type=CroftPosition,
    setups_type=CroftSetups,
    scene_type=CroftScene,
    evaluation_type=CroftEvaluation,
    reasons=reasons,
    records_type=CroftRecords,
)
