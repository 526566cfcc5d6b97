"""A picture in words, for those who cannot see it: its title and its description."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import SceneFeature, Seen, Store
from cyvasse.rules.terms import Color, in_words

# The grounds that a board is made of unless something else is said.
_UNSAID = ("open", "plain", "grass")
_FEATURES: Mapping[str, str] = {
    "fortress": "fortress",
    "ruin": "ruined fortress",
    "keep": "keep",
    "home": "home tiles",
    "circle": "circle",
    "centre": "centre in place of the fortress",
}


def position_title(position: Position) -> str:
    """The rule set and who is to act, or how the game ended."""
    outcome = position.outcome()
    if outcome:
        return f"{position.rules.title}. {outcome}"
    again = " again" if position.in_turn else ""
    return f"{position.rules.title}, {position.turn.title} to act{again}"


def setup_title(seen: Seen, owner: Color) -> str:
    """The rule set and whose setup it is."""
    return f"{seen.rules.title}, {owner.title}'s setup"


def bare_title(rules: RuleSet) -> str:
    """The rule set whose board it is."""
    return f"{rules.title}, the bare board"


def description(seen: Seen, shown: Collection[str]) -> str:
    """Every piece, ground and feature on the squares that are shown, with its squares."""
    seen = _only(seen, frozenset(shown))
    sentences = [_army(seen, color) for color in Color]
    sentences += [_stored(seen, store) for store in seen.stores]
    by_ground: dict[str, list[str]] = {}
    for square, ground in seen.grounds.items():
        if ground not in (*_UNSAID, "fortress"):
            by_ground.setdefault(ground, []).append(square)
    sentences += [f"{name.capitalize()}: {_on(at)}." for name, at in sorted(by_ground.items())]
    sentences += [_feature(seen, each) for each in seen.features]
    return " ".join(sentence for sentence in sentences if sentence)


def _only(seen: Seen, shown: frozenset[str]) -> Seen:
    """What there is to see on some of the squares, and beside the board."""
    features = [
        feature._replace(squares=tuple(at for at in feature.squares if at in shown))
        for feature in seen.features
    ]
    return replace(
        seen,
        pieces={at: man for at, man in seen.pieces.items() if at in shown},
        grounds={at: ground for at, ground in seen.grounds.items() if at in shown},
        features=tuple(feature for feature in features if feature.squares),
    )


def _army(seen: Seen, color: Color) -> str:
    parts = []
    for kind in seen.rules.piece_types:
        squares = [at for at, man in seen.pieces.items() if man == (color, kind.name)]
        if squares:
            parts.append(f"{kind.title} {_on(squares)}")
    return f"{color.title}: {'; '.join(parts)}." if parts else ""


def _stored(seen: Seen, store: Store) -> str:
    counted = [seen.rules.piece_type(name).counted(n) for name, n in store.pieces.items()]
    where = "in reserve" if store.kind == "reserve" else store.kind
    return f"{store.color.title} {where}: {in_words(counted)}."


def _feature(seen: Seen, feature: SceneFeature) -> str:
    squares = _on(feature.squares)
    if feature.kind in _FEATURES:
        owner = f"{feature.color.title}'s " if feature.color is not None else ""
        words = f"{owner}{_FEATURES[feature.kind]}"
        return f"{words[0].upper()}{words[1:]}: {squares}."
    if feature.kind == "facing":
        man = seen.rules.piece_type(seen.pieces[feature.squares[0]].type)
        return f"The {man.title} on {squares} {man.does('point')} {feature.direction}."
    if feature.kind == "waiting":
        return f"Waiting: {squares}."
    return ""


def _on(squares: Iterable[str]) -> str:
    return in_words(list(squares))
