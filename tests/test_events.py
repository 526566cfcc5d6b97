"""What is told of a game, what is in danger, and what is asked before it is given away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cyvasse
from cyvasse import BLACK, WHITE, Game, Position, RuleSet
from cyvasse.actions import Action
from cyvasse.rules.dangers import opponents_turn
from cyvasse.rules.sentences import COMMON
from cyvasse.rules.terms import Color, End, Outcome
from cyvasse.testing.strategies import walk
from tests.events import EVENTS, FILE, NAMES, problems, told_of
from tests.strategies import IDS

every_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)
# Told without a board, or by rule sets of other packages.
ELSEWHERE = {
    "act",
    "defeat_in_danger",
    "risk_defeat",
    "risk_king_unseen",
    *(f"end_{end.name.lower()}" for end in End),
}


@pytest.mark.parametrize("event", EVENTS, ids=NAMES)
def test_every_event_is_told(event: dict[str, object]) -> None:
    assert told_of(event)[0] == event


def test_every_sentence_is_in_the_file() -> None:
    told = set().union(*(told_of(event)[1] for event in EVENTS))
    known = set(COMMON)
    for rules in cyvasse.rule_sets():
        known |= {name for name, words in rules.scene.sentences.items() if words}
    assert known - told - ELSEWHERE == set()
    assert not any(map(bool, problems(FILE)))


@pytest.mark.parametrize("end", End)
def test_every_end_has_a_sentence(end: End) -> None:
    winner = (
        None if "draw" in end or end.name in ("REPETITION", "QUIET", "FORCED_PASSES") else WHITE
    )
    game = Game("croft")
    ending = game.rules.scene.cause(game.rules.random_position(1), Outcome(winner, end))
    words = game.rules.scene.words(ending.said, BLACK)
    assert words.startswith("Drawn: " if winner is None else "White won: ")


def test_an_end_behind_the_screen_is_told() -> None:
    game = Game("croft")
    game.resign("black")
    outcome = game.outcome_document()
    assert outcome is not None
    assert outcome["said"]["text"] == "White won: Black resigned."
    assert outcome["squares"] == []


def kings(position: Position) -> dict[Color, str]:
    types = position.rules.types
    return {
        piece.color: at
        for at, piece in position.pieces().items()
        if types[piece.type].letter == "K"
    }


def ends_of_turn(position: Position) -> Iterator[tuple[Action, Position]]:
    """Wherever the turn of the player to act can lead, with the last action."""
    for action in position.legal_actions():
        ahead = position.copy()
        ahead.play(action)
        if ahead.in_turn and ahead.turn is position.turn and ahead.outcome() is None:
            yield from ends_of_turn(ahead)
        else:
            yield action, ahead


def takers(position: Position, color: Color) -> set[str | None] | None:
    """By trying everything: the pieces of the opponent that can take a King, or win; or None."""
    other, king = opponents_turn(position, color), kings(position).get(color)
    if other is None or other.turn is color or other.outcome() is not None:
        return None
    found: set[str | None] = set()
    for action, ahead in ends_of_turn(other):
        outcome = ahead.outcome()
        struck = king is not None and king in (action.target, *action.struck)
        gone = struck and kings(ahead).get(color) != king
        won = outcome is not None and outcome.winner is not color
        if gone or (won and outcome is not None and outcome.end is End.KING_CAPTURED):
            found.add(action.origin)
    return found or None


@every_rule_set
def test_a_king_is_in_danger_exactly_if_he_can_be_taken(rules: RuleSet) -> None:
    seen = 0
    for seed in range(6):
        for number, position in enumerate(walk(rules, seed, 120)):
            if number % 6 or position.outcome() is not None or position.in_turn:
                continue
            dangers = [each for each in position.dangers() if "_in_danger" in each.said.template]
            for color in Color:
                own = [each for each in dangers if each.color is color]
                feared = {at for each in own for at in each.by}
                expected = takers(position, color)
                assert bool(own) == (expected is not None), (position.text(), color)
                assert feared == {at for at in expected or () if at}, (position.text(), color)
                seen += bool(own)
    assert seen


@every_rule_set
def test_whoever_gives_the_king_away_is_asked(rules: RuleSet) -> None:
    given = kept = 0
    for seed in range(4):
        for number, position in enumerate(walk(rules, seed, 120)):
            if number % 20 or position.outcome() is not None:
                continue
            color, scene = position.turn, rules.scene
            before = position.text()
            for action in position.legal_actions()[::4]:
                ahead = position.copy()
                ahead.play(action)
                if ahead.in_turn and ahead.turn is color:
                    continue
                risks = {risk.template for risk in scene.risks(position, [action])}
                own = [at for at in action.struck if position.pieces()[at].color is color]
                assert ("own_struck" in risks) == bool(own)
                outcome = ahead.outcome()
                if outcome is not None:
                    expected = outcome.winner is color.other
                else:
                    expected = takers(ahead, color) is not None
                assert bool(risks - {"own_struck"}) == expected, (before, action)
                assert scene.gives_away(position, action) == expected
                given, kept = given + expected, kept + (not expected)
            assert position.text() == before
    assert given
    assert kept


def test_what_was_seen_is_told_again_on_any_copy() -> None:
    position = cyvasse.rule_set("croft").random_position(seed=1, actions=30)
    assert position.told() == position.copy().told() != []
    assert cyvasse.parse_position(position.text()).told() == []
