"""States and setups as documents: plain dictionaries that JSON can hold.

A document has ``pieces`` (a list of ``{type, color, at}``), ``terrain``, ``to_move`` and the rule
set's own fields by name, as docs/formats.md lists them.  Fields about single pieces (who waits,
where it faces) stand in the pieces themselves.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, cast

from cyvasse.errors import StateError
from cyvasse.notation import forms
from cyvasse.rules import rule_set
from cyvasse.rules.dangers import Danger
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import Scene, SceneFeature, Store
from cyvasse.rules.sentences import Sentence
from cyvasse.rules.telling import Ending
from cyvasse.rules.terms import (
    BLACK,
    WHITE,
    Color,
    Field,
    Fields,
    Outcome,
    Piece,
    Setup,
    Squares,
    State,
)

Document = dict[str, Any]


def state_document(rules: RuleSet, state: State) -> forms.PositionDocument:
    """A state as plain data."""
    document: forms.PositionDocument = {
        "pieces": _piece_documents(rules.state_fields, state.pieces, state.fields),
        "terrain": dict(state.terrain),
        "to_move": state.to_move.word,
        "quiet_turns": state.quiet_turns,
        "passed": state.passed,
        "drawn": state.drawn,
    }
    own = {f.name: state.fields[f.name] for f in rules.state_fields if not f.of_piece}
    document.update(cast(Any, own))
    return document


def scenery_document(rules: RuleSet, state: State) -> forms.Scenery:
    """What there is to see beyond pieces and grounds, for whoever draws the board."""
    return {
        "features": [_feature(feature) for feature in rules.scene.features(state)],
        "stores": [_store(store) for store in rules.scene.stores(state) if store.pieces],
    }


def setup_scenery(rules: RuleSet, setup: Setup) -> forms.SetupScenery:
    """The same for one player's setup, with the ground of every square."""
    seen = rules.scene.of_setup(setup)
    return {
        "grounds": dict(seen.grounds),
        "features": [_feature(feature) for feature in seen.features],
        "stores": [_store(store) for store in seen.stores],
    }


def _feature(feature: SceneFeature) -> forms.FeatureDocument:
    return {
        "kind": feature.kind,
        "squares": list(feature.squares),
        "color": None if feature.color is None else feature.color.word,
        "direction": feature.direction,
    }


def _store(store: Store) -> forms.StoreDocument:
    return {"kind": store.kind, "color": store.color.word, "pieces": dict(store.pieces)}


def sentence_document(scene: Scene, sentence: Sentence) -> forms.SentenceDocument:
    """Something told, with the words as each reads them."""
    text, white, black = scene.readings(sentence, (None, WHITE, BLACK))
    return {
        "template": sentence.template,
        "data": dict(sentence.data),
        "text": text,
        "white": white,
        "black": black,
    }


def danger_document(scene: Scene, danger: Danger) -> forms.DangerDocument:
    """What a player has to fear."""
    return {
        "kind": danger.kind,
        "color": danger.color.word,
        "squares": list(danger.squares),
        "by": list(danger.by),
        "said": sentence_document(scene, danger.said),
    }


def outcome_document(scene: Scene, outcome: Outcome, ending: Ending) -> forms.OutcomeDocument:
    """How a game ended, and where."""
    return {
        "result": outcome.result,
        "end": str(outcome.end),
        "said": sentence_document(scene, ending.said),
        "squares": list(ending.squares),
    }


def read_state(rules: RuleSet | str, document: Mapping[str, Any]) -> State:
    """The state that a document describes; keys it does not know are refused."""
    rules = rule_set(rules)
    document = _mapping(document, "a position")
    known = {"pieces", "terrain", "to_move", "quiet_turns", "passed", "drawn"}
    fields = _fields(rules.state_fields, document, known)
    pieces: dict[str, Piece] = {}
    for item in _items(document.get("pieces"), rules.state_fields, fields, ("type", "color", "at")):
        if item["at"] in pieces:
            raise StateError(f"two pieces stand on {item['at']}")
        pieces[item["at"]] = Piece(Color.parse(item.get("color")), item["type"])
    return rules.checked_state(
        State(
            pieces,
            _mapping(document.get("terrain", {}), "terrain"),
            Color.parse(document.get("to_move")),
            document.get("quiet_turns", 0),
            document.get("passed", False),
            fields,
            document.get("drawn", False),
        )
    )


def setup_document(rules: RuleSet, setup: Setup) -> forms.SetupDocument:
    """A setup as plain data."""
    document: forms.SetupDocument = {
        "rule_set": setup.rule_set,
        "color": setup.color.word,
        "pieces": [{"type": name, "at": at} for at, name in setup.pieces.items()],
        "terrain": dict(setup.terrain),
    }
    own = {f.name: copy.deepcopy(setup.fields[f.name]) for f in rules.setup_fields}
    document.update(cast(Any, own))
    return document


def read_setup(
    rules: RuleSet | str, document: Mapping[str, Any], color: Color | None = None
) -> Setup:
    """The setup that a document describes.  It may be illegal: ``rules.check_setup`` tells."""
    rules = rule_set(rules)
    document = _mapping(document, "a setup")
    fields = _fields(rules.setup_fields, document, {"rule_set", "color", "pieces", "terrain"})
    pieces: dict[str, str] = {}
    for item in _items(document.get("pieces"), (), fields, ("type", "at")):
        if item["at"] in pieces:
            raise StateError(f"two pieces stand on {item['at']}")
        pieces[item["at"]] = item["type"]
    return rules.canonical_setup(
        Setup(
            document.get("rule_set", rules.id),
            Color.parse(document.get("color", color)),
            pieces,
            _mapping(document.get("terrain", {}), "terrain"),
            fields,
        )
    )


def _piece_documents(
    fields: Fields, pieces: Mapping[str, Piece], values: Mapping[str, Any]
) -> list[forms.PieceAt]:
    documents: list[forms.PieceAt] = [
        {"type": name, "color": color.word, "at": at} for at, (color, name) in pieces.items()
    ]
    for field in fields:
        if field.of_piece:
            listed = isinstance(field.shape, Squares)
            value = values[field.name]
            for item in cast(list[Document], documents):
                at = item["at"]
                item[field.name] = at in value if listed else value.get(at)
    return documents


def _fields(fields: Fields, document: Mapping[str, Any], known: set[str]) -> Document:
    names = {field.name for field in fields if not field.of_piece}
    for key in document:
        if key not in names | known:
            raise StateError(f"no field {key!r}; there may be {', '.join(sorted(names | known))}")
    return {key: value for key, value in document.items() if key in names}


def _items(
    pieces: object, fields: Fields, values: Document, keys: Iterable[str]
) -> list[Mapping[str, Any]]:
    """The piece documents, with what they say about of-piece fields moved into ``values``."""
    if not isinstance(pieces, list):
        raise StateError("pieces is not a list")
    of_piece = {field.name: field for field in fields if field.of_piece}
    for item in pieces:
        item = _mapping(item, "a piece")
        if not isinstance(item.get("at"), str) or not isinstance(item.get("type"), str):
            raise StateError(f"a piece has a type and a square 'at': {item!r:.60}")
        for key, value in item.items():
            if key in of_piece:
                _put(of_piece[key], values, item["at"], value)
            elif key not in keys:
                raise StateError(f"no field {key!r} in the piece on {item['at']}")
    return pieces


def _put(field: Field, values: Document, at: str, value: Any) -> None:
    if isinstance(field.shape, Squares):
        if value:
            values.setdefault(field.name, []).append(at)
    elif value is not None:
        values.setdefault(field.name, {})[at] = value


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise StateError(f"{what} is {value!r:.40}, not a set of named values")
    return value
