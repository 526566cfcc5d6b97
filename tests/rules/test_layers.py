"""What single rule sets show on demand, compared with what their generators are sure of."""

from __future__ import annotations

from collections.abc import Iterator

import cyvasse
from cyvasse.rules.scene import Layer


def positions(rules: cyvasse.RuleSet) -> Iterator[cyvasse.Position]:
    for seed in range(12):
        yield rules.random_position(seed=seed, actions=5 * seed)


def layer(position: cyvasse.Position, name: str) -> Layer:
    return next(layer for layer in position.layers() if layer.name == name)


def test_engagement_is_as_the_generator_counts_it() -> None:
    seen = 0
    for position in positions(cyvasse.rule_set("nine-tile")):
        counts = position.tallies()["engagement"]
        shown = layer(position, "engagement")
        lines = [victim for _, victim in shown.lines]
        assert {at: lines.count(at) for at in counts} == counts
        bare = {"crossbows", "trebuchet"}
        armoured = {at for at, man in position.pieces().items() if man.type not in bare}
        assert set(shown.values) == armoured  # at any time, engaged or not
        for at, text in shown.values.items():
            engaged, needed = text.split("/")
            assert int(engaged) == counts.get(at, 0)
            assert needed in "12"
            seen += 1
    assert seen > 20


def test_tiers_and_defence() -> None:
    for position in positions(cyvasse.rule_set("mikelepage")):
        for at, text in layer(position, "tiers").values.items():
            assert sum(map(int, text.split("+"))) == position.tallies()["defense"][at]


def test_flanking_adds_up_to_what_is_legal() -> None:
    seen = 0
    for seed in range(60):
        position = cyvasse.rule_set("mikelepage").random_position(seed=seed, actions=60)
        shown = layer(position, "flanking")
        for origin, target in position.tallies()["flanking"]:
            best, defence = map(int, shown.values[target].split("/"))
            assert best >= defence
            assert (origin, target) in shown.lines
            seen += 1
        pieces = position.pieces()
        legal = {action.target for action in position.legal_actions() if action.kind == "capture"}
        for at, text in shown.values.items():
            best, defence = map(int, text.split("/"))
            if pieces[at].color is not position.turn and best >= defence:
                assert at in legal
    assert seen
