"""The Rules of Cyvasse from gameofcyvasse.com: build your land, mind the forest and the dragons."""

from __future__ import annotations

from cyvasse.rules.gameofcyvasse.board import GAMEOFCYVASSE
from cyvasse.rules.gameofcyvasse.coach import COACH
from cyvasse.rules.gameofcyvasse.evaluation import GameOfCyvasseEvaluation
from cyvasse.rules.gameofcyvasse.named import CHARACTERS
from cyvasse.rules.gameofcyvasse.pieces import PIECES
from cyvasse.rules.gameofcyvasse.position import GameOfCyvassePosition
from cyvasse.rules.gameofcyvasse.reasons import reasons
from cyvasse.rules.gameofcyvasse.records import GameOfCyvasseRecords
from cyvasse.rules.gameofcyvasse.scene import GameOfCyvasseScene
from cyvasse.rules.gameofcyvasse.setups import GameOfCyvasseSetups
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Direction, Field, PerSquare, Squares

GAMEOFCYVASSE_RULES = RuleSet(
    id="gameofcyvasse",
    title="The Rules of Cyvasse",
    author="dylan (gameofcyvasse.com)",
    summary="Lay your land, then fight.",
    board=GAMEOFCYVASSE,
    piece_types=tuple(spec.type for spec in PIECES),
    terrain_letters={
        "mountain": "m",
        "water": "w",
        "forest": "f",
        "fortress": "c",
    },
    looks={"mountain": "crag"},
    state_fields=(
        Field("ruined", Squares(), "the fortresses that are ruined"),
        Field(
            "waiting",
            Squares(),
            "the pieces in water that cannot act on their owner's next turn",
            of_piece=True,
        ),
        Field(
            "facing",
            PerSquare(Direction()),
            "the direction in which a Trebuchet last moved, and shoots",
            of_piece=True,
        ),
    ),
    noted_effects=("ruined",),
    turns=60,
    difficulty=1,
    coach=COACH,
    characters=CHARACTERS,
    position_type=GameOfCyvassePosition,
    setups_type=GameOfCyvasseSetups,
    scene_type=GameOfCyvasseScene,
    evaluation_type=GameOfCyvasseEvaluation,
    reasons=reasons,
    records_type=GameOfCyvasseRecords,
)
