"""Nine-Tile Cyvasse by Zane Fisher: nine tiles a side, engagement, and no check."""

from __future__ import annotations

from cyvasse.rules.nine_tile import tiles
from cyvasse.rules.nine_tile.board import NINE_TILE
from cyvasse.rules.nine_tile.coach import COACH
from cyvasse.rules.nine_tile.evaluation import NineTileEvaluation
from cyvasse.rules.nine_tile.named import CHARACTERS
from cyvasse.rules.nine_tile.pieces import PIECES
from cyvasse.rules.nine_tile.position import NineTilePosition
from cyvasse.rules.nine_tile.reasons import reasons
from cyvasse.rules.nine_tile.records import NineTileRecords
from cyvasse.rules.nine_tile.scene import NineTileScene
from cyvasse.rules.nine_tile.setups import NineTileSetups
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Field, Record, Square, Word

NINE_TILE_RULES = RuleSet(
    id="nine-tile",
    title="Nine-Tile Cyvasse",
    author="Zane Fisher",
    summary="Surround what you take.",
    board=NINE_TILE,
    piece_types=tuple(spec.type for spec in PIECES),
    terrain_letters={"water": "w", "mountain": "m"},
    state_fields=(
        Field("second_rabble", Square(), "the Rabble that has just moved; another one may follow"),
    ),
    setup_fields=(
        Field("triangle", Word(tuple(tiles.TRIANGLES)), "where the triangular tile lies"),
        Field(
            "tiles",
            Record({slot: Word(tiles.TILES) for slot in tiles.SLOTS}),
            "the tile in each slot, followed by t if it is turned",
        ),
    ),
    turns=170,
    difficulty=3,
    coach=COACH,
    characters=CHARACTERS,
    position_type=NineTilePosition,
    setups_type=NineTileSetups,
    scene_type=NineTileScene,
    evaluation_type=NineTileEvaluation,
    reasons=reasons,
    records_type=NineTileRecords,
)
