"""The Ford, a rule set for cyvasse: two small armies and a river with three fords between them."""

from importlib.resources import files

from cyvasse.rules import Field, RuleSet, Square, Squares
from cyvasse_ford.board import BOARD, PIECES
from cyvasse_ford.evaluation import FordEvaluation
from cyvasse_ford.position import FordPosition
from cyvasse_ford.reasons import reasons
from cyvasse_ford.scene import FordScene
from cyvasse_ford.setups import CHARACTERS, FordSetups

FORD = RuleSet(
    id="ford",
    title="The Ford",
    author="the authors of cyvasse",
    summary="Three fords over one river.",
    board=BOARD,
    piece_types=PIECES,
    # What there is beyond pieces.  Texts, files, undo and the page's editor follow from the shapes.
    setup_fields=(Field("rock", Square(), "the square of the rock"),),
    state_fields=(Field("rocks", Squares(), "the squares of both rocks"),),
    turns=30,
    difficulty=1,
    characters=CHARACTERS,
    position_type=FordPosition,
    setups_type=FordSetups,
    scene_type=FordScene,
    evaluation_type=FordEvaluation,
    reasons=reasons,
    page=files(__package__).joinpath("rules.md").read_text(encoding="utf-8"),
)
