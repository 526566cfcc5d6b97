"""The pictures that are kept: one position a rule set, and those of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cyvasse
from cyvasse import BLACK, WHITE
from cyvasse.draw import board_svg, setup_svg
from tests import goldens
from tests.draw import diagrams
from tests.goldens import DATA, ROOT

GOLDEN = DATA / "draw"
IMAGES = ROOT / "docs" / "images"

# In the middle of games, so that there are ruins, trays, a piece that waits and one that points.
POSITIONS = {
    "nine-tile": (
        "nine-tile tkrs2rl/3xw1hs1/1re2l1h1s/r3wr2rDx/X1LSeX6/lT1RLL2EHd/1R2R4R/W2S1S3/WH1KR1R1 "
        "8/m2w1w3/4m3m1/7ww2/12/9w1/2w7/ww1w2m2/8 w - 4"
    ),
    "mikelepage": (
        "mikelepage 6/r4Dr/2hr2dl/1x6r/s3ke1x2/9XH/3S6/1R3st2/R1R1K3/1T1R1L1/1T4 "
        "2f3/7/7g/1h3g3/3fh5/11/5g4/5hhf1/7g/6f/6 b "
        "mountains=a9,b5,b7,c7,d10,d11,e4,f1,f5,g2,h8,j1;"
        "fortress=white:(at:h3),black:(at:e8,ruined:yes,corner:a6);"
        "lost=white:(rabble:2,crossbows:1,spears:1,light_horse:1,elephant:2,heavy_horse:1),"
        "black:(rabble:2,light_horse:1,trebuchet:1,elephant:1,heavy_horse:1) 3"
    ),
    "croft": (
        "croft d9/6l1s1/6x1k1/6r1le/4E1ehc1/2T6h/4X5/10/2RH1D4/lS1L1E4 - w "
        "mountains=b10,d7,e8,g4,i1,i5;"
        "keeps=white:(at:e1,home:(d1,d2,e2,f1,f2)),"
        "black:(at:h7,home:(g6,g7,g8,h6,h8,i6,i7,i8));"
        "reserves=white:(rabble:2,spearman:2,crossbowman:2,light_horse:2,heavy_horse:1,catapult:1,"
        "king:1),black:(rabble:2,spearman:2,crossbowman:2,trebuchet:1) 0"
    ),
    "gameofcyvasse": (
        "gameofcyvasse 2Dhs1k1/7x/2L5/4t3/8/2d2K2/ER6/3CS2T "
        "fmcw1m2/f1w1f1mf/w1f1w1mf/2w2m1m/1mmfw1m1/m2w1f1m/c2w1mww/3ffff1 b "
        "ruined=c8;waiting=d8;facing=e5:S 0"
    ),
}
LAST = {"nine-tile": "b8-a9", "mikelepage": "e8-f10", "croft": "l@i7", "gameofcyvasse": "d7xc8"}


def pictures() -> Iterator[tuple[Path, str]]:
    """Every picture that is kept, with the file it is kept in."""
    for name, text in POSITIONS.items():
        position = cyvasse.parse_position(text)
        yield GOLDEN / f"{name}.svg", board_svg(position, last=LAST[name])
    for rules in cyvasse.rule_sets():
        white, black = (rules.named_setups(color) for color in (WHITE, BLACK))
        first, *_, last_name = white
        start = rules.start(white[first], black[last_name], WHITE)
        yield IMAGES / f"{rules.id}-board.svg", board_svg(start, size=560)
    rules = cyvasse.rule_set("nine-tile")
    start = rules.start(
        rules.named_setups(WHITE)["sunspear"], rules.named_setups(BLACK)["sunspear"], WHITE
    )
    yield (
        IMAGES / "nine-tile-hexagons.svg",
        board_svg(start, style="hexagons", theme="dark", bottom=BLACK, size=400),
    )
    yield IMAGES / "setup.svg", setup_svg(rules.named_setups(WHITE)["sunspear"], size=400)
    position = cyvasse.parse_position(POSITIONS["gameofcyvasse"])
    marks = {"e5": "selected"}
    for action in position.legal_actions():
        if action.origin == "e5" and action.target:
            kinds = {"shoot": "shot", "capture": "take"}
            marks[action.target] = kinds.get(action.kind, "dot")
    yield (
        IMAGES / "marks.svg",
        board_svg(position, marks=marks, arrows=[("c3", "b2")], last="d7xc8", size=400),
    )


goldens.ours(
    "pictures",
    pictures,
    "tests/data/draw/*",
    *("docs/images/*-board.svg", "docs/images/nine-tile-hexagons.svg"),
    *("docs/images/setup.svg", "docs/images/marks.svg"),
)
goldens.ours("diagrams", diagrams.pictures, "docs/rules/images/*")
goldens.by_hand["docs/images/page.png"] = "a picture of the page, for the README"
goldens.by_hand["docs/images/server-growth.svg"] = "measured: benchmarks/server.py growth --plot"
