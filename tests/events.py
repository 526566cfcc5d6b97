"""Every kind of event once, from a composed position, with the sentences that tell it.

``tests/data/events.json`` is written by hand: what is said here is what people are to read.  The
actions begin at the position; ``told`` is what the last of their turns is told as, ``dangers`` is
what both players have to fear afterwards, ``risks`` is what that turn would have been asked about,
and ``outcome`` is how it ended the game, if it did.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyvasse import Game, parse_position
from cyvasse.actions import Action
from cyvasse.notation.documents import sentence_document
from cyvasse.notation.forms import SentenceDocument

FILE = Path(__file__).parent / "data" / "events.json"
EVENTS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = [f"{event['rule_set']}: {event['event']}" for event in EVENTS]


def told_of(event: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """The same with what the program tells, and the ids of all sentences in it."""
    game = Game.from_position(parse_position(event["position"]))
    scene, begun, first = game.rules.scene, game.position, 0
    for number, action in enumerate(event["actions"]):
        if not game.in_turn:
            begun, first = game.position, number
        game.play(action)
    turn = [Action.parse(text, game.rules.board) for text in event["actions"][first:]]
    board, outcome = game.board_view(), game.outcome_document()
    risks = [sentence_document(scene, risk) for risk in scene.risks(begun, turn)]
    dangers = [(danger, danger["said"]) for danger in board["dangers"]]
    said = [*board["told"], *risks, *(said for _, said in dangers)]
    told = {
        **{name: event[name] for name in ("rule_set", "event", "position", "actions")},
        "told": list(map(_words, board["told"])),
        "dangers": [
            {**{name: value for name, value in danger.items() if name != "said"}, **_words(said)}
            for danger, said in dangers
        ],
        "risks": list(map(_words, risks)),
        "outcome": outcome
        and {
            **{name: outcome[name] for name in ("result", "end", "squares")},
            **_words(outcome["said"]),
        },
    }
    return told, {each["template"] for each in said}


def problems(path: Path) -> Iterator[list[str]]:
    """What is told otherwise than the file says."""
    for event, name in zip(json.loads(path.read_text(encoding="utf-8")), NAMES, strict=True):
        told, _ = told_of(event)
        yield [f"{name}: {key} is {told[key]}" for key in event if told[key] != event[key]]


def _words(said: SentenceDocument) -> dict[str, str]:
    return {"text": said["text"], "white": said["white"], "black": said["black"]}
