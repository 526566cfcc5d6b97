"""What every Position promises: actions, play and undo, the hash, turning the board, the end."""

from __future__ import annotations

import contextlib
import copy
import itertools
import pickle
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse.actions import CAPTURE, KINDS, LETTERS, SHOOT, Action, encode
from cyvasse.errors import CyvasseError, IllegalActionError, NothingToUndoError, StateError
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Piece, State
from cyvasse.testing import every_rule_set
from cyvasse.testing.strategies import games, is_quick, positions, seeds, walk
from cyvasse.testing.words import broken, changes, portrait

pytestmark = every_rule_set


# --- play and undo --------------------------------------------------------------------------------


@given(st.data())
def test_asking_changes_nothing(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    # What is legal is found once a position: so two that are the same are asked, too.
    same = [rules.position(position.state()) for _ in range(2)]
    for one, other in ((position, position), same):
        changed = changes(portrait(one), portrait(other))
        assert not changed, broken(
            rules,
            f"Asking twice gives two answers: {changed}.",
            "Position.generate",
            "Position.state",
            "Position.ending",
        )


@given(st.data())
def test_undo_restores_everything(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    before = portrait(position)
    played = []
    for _ in range(data.draw(st.integers(1, 12))):
        legal = position.legal_actions()
        if not legal:
            break
        played.append(data.draw(st.sampled_from(legal)))
        position.play(played[-1])
    texts = " ".join(map(str, played))
    for action in reversed(played):
        undone = position.undo()
        assert undone == action, broken(
            rules,
            f"After {texts} undo() took back {undone} and not {action}.",
            "Position.make",
            "Position.unmake",
        )
    changed = changes(before, portrait(position))
    assert not changed, broken(
        rules,
        f"Playing {texts} and undoing it does not restore {before['text()']}: {changed}.",
        "Position.unmake",
        "Position.make",
    )


@given(seeds)
def test_every_action_undone(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    position = rules.random_position(chance, chance.randrange(80))
    before = portrait(position)
    for action in position.legal_actions():
        position.play(action)
        position.undo()
        changed = changes(before, portrait(position))
        assert not changed, broken(
            rules,
            f"Playing {action} and undoing it does not restore {before['text()']}: {changed}.",
            "Position.unmake",
            "Position.make",
        )


@given(st.data())
def test_copies_are_independent(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    before = portrait(position)
    for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        changed = changes(before, portrait(twin))
        assert not changed, broken(rules, f"A copy differs: {changed}.", "Position.copy")
        for action in twin.legal_actions()[:3]:
            twin.play(action)
            twin.undo()
        if twin.legal_actions():
            twin.play(twin.legal_actions()[0])
            assert twin != position, broken(
                rules, "A position equals what it was before an action.", "Position.make"
            )
    changed = changes(before, portrait(position))
    assert not changed, broken(
        rules, f"Playing on a copy changes the position itself: {changed}.", "Position.copy"
    )


def test_copies_remember_their_past(rules: RuleSet) -> None:
    position = rules.random_position(5)
    start = portrait(position)
    played = []
    for _ in range(30):
        legal = position.legal_actions()
        if not legal:
            break
        played.append(legal[len(legal) // 2])
        position.play(played[-1])
    twin = position.copy()
    for action in reversed(played):
        assert twin.undo() == action, broken(
            rules, "A copy undoes something else than was played.", "Position.copy"
        )
    changed = changes(start, portrait(twin))
    assert not changed, broken(
        rules, f"A copy undoes to another start: {changed}.", "Position.copy", "Position.unmake"
    )
    with pytest.raises(NothingToUndoError):
        twin.undo()


@given(st.data())
def test_illegal_actions_change_nothing(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    before = portrait(position)
    legal = set(position.legal_actions())
    other = rules.random_position(data.draw(seeds), actions=10)
    for action in other.legal_actions():
        if action not in legal:
            with pytest.raises(IllegalActionError) as caught:
                position.play(action)
            assert str(action) in str(caught.value)
    for text in ("", "e4", "z9-z8", "e4-e99", "end end", "e4-f5-g6", "\x00", "é4-e5"):
        with pytest.raises(CyvasseError):
            position.play(text)
    changed = changes(before, portrait(position))
    assert not changed, broken(
        rules, f"Asking for illegal actions changes a position: {changed}.", "Position.generate"
    )


# --- what is legal --------------------------------------------------------------------------------


def imagined_actions(rules: RuleSet, chance: random.Random) -> Iterator[Action]:
    """Every action that names up to two squares of the board, and many that name three."""
    squares = range(len(rules.board))
    for kind, (_, template) in KINDS.items():
        origins = squares if "{origin}" in template else [0]
        targets = squares if "{target}" in template else [0]
        letters = range(len(LETTERS)) if "{piece}" in template else [0]
        for origin, target, letter in itertools.product(origins, targets, letters):
            victim = 0
            if "{victim}" in template:
                victim = chance.choice(squares)
            elif kind in (CAPTURE, SHOOT):
                victim = target
            yield Action(encode(kind, origin, target, victim, letter), rules.board)


@given(st.data())
def test_what_is_legal_is_never_of_a_position_before(rules: RuleSet, data: st.DataObject) -> None:
    """It is found once however many ask, and anew whatever has changed the position."""
    position = rules.random_position(data.draw(seeds), data.draw(st.integers(0, 30)))
    others = [position.copy()]
    steps = st.sampled_from(["play", "play", "undo", "ask", "copy", "away", "perft"])
    for step in data.draw(st.lists(steps, max_size=12)):
        legal = rules.position(position.state()).legal_actions()
        if step == "play" and legal:
            position.play(data.draw(st.sampled_from(legal)))
        elif step == "undo":
            with contextlib.suppress(NothingToUndoError):
                position.undo()
        elif step == "copy":
            others.append(position)
            position = position.copy()
        elif step == "away":
            others.append(position.given_away() or position)
        elif step == "perft":
            cyvasse.perft(position, 1)
        else:
            position.legal_actions()
    for each in (position, *others):
        fresh = rules.position(each.state())
        assert sorted(each.action_texts()) == sorted(fresh.action_texts()), broken(
            rules, f"In {each.text()} what was legal before is still listed.", "Position.make"
        )
        assert sorted(map(str, each.legal_actions())) == sorted(each.action_texts())
        assert each.outcome() == fresh.outcome()


def test_one_action_is_legal_exactly_if_it_is_listed(rules: RuleSet) -> None:
    """Whether it is legal is found out without a list of all, see ``generate_like``."""
    chance = random.Random(5)
    imagined = list(imagined_actions(rules, chance))
    if not is_quick(rules):
        imagined = chance.sample(imagined, min(500, len(imagined)))
    listed_somewhere: set[Action] = set()
    for length in (0, 1, 5, 15, 30, 50, 70, 90, 120, 400):
        position = rules.random_position(chance, length)
        before = portrait(position)
        listed = set(position.legal_actions())
        listed_somewhere |= listed
        unlisted = rules.position(position.state())  # or it would only look at its list
        for action in itertools.chain(imagined, listed_somewhere):
            assert unlisted.is_legal(action) is (action in listed), broken(
                rules,
                f"In {position.text()} {action} is {'' if action in listed else 'not '}listed, "
                "but asked for by itself it is the other way round.",
                "Position.generate_like",
                "Position.generate",
            )
        changed = changes(before, portrait(position))
        assert not changed, broken(
            rules, f"Asking what is legal changes a position: {changed}.", "Position.generate"
        )
        assert not listed or cyvasse.perft(position, 1) == len(listed), broken(
            rules, f"{position.text()} lists an action twice.", "Position.generate"
        )


@given(seeds)
def test_capturing_actions_are_legal_and_complete(rules: RuleSet, seed: int) -> None:
    for position in walk(rules, seed, 60 if is_quick(rules) else 10):
        legal = set(position.legal_actions())
        capturing = position.capturing_actions()
        where = "Position.generate_captures"
        assert len(set(capturing)) == len(capturing), broken(
            rules, f"In {position.text()} a capture is listed twice.", where
        )
        assert set(capturing) <= legal, broken(
            rules, f"In {position.text()} a capture is listed that is not legal.", where
        )
        before = len(position.pieces())
        for action in legal - set(capturing):
            position.play(action)
            left = len(position.pieces())
            position.undo()
            assert left >= before, broken(
                rules, f"In {position.text()} {action} takes but is no capture.", where
            )


@given(st.data())
def test_texts_of_actions_are_unique_and_read_back(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    legal = position.legal_actions()
    texts = [str(action) for action in legal]
    assert len(set(texts)) == len(texts), broken(
        rules, f"In {position.text()} two actions have the same text.", "Position.generate"
    )
    for text, action in zip(texts, legal, strict=True):
        assert position.parse_action(text) == action, broken(
            rules, f"{text} is read as another action than it was written.", "Position.generate"
        )
        assert position.is_legal(action)


@given(st.data())
def test_perft_counts_what_play_reaches(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules, 40))
    expected = 0
    for action in position.legal_actions():
        position.play(action)
        expected += len(position.legal_actions())
        position.undo()
    assert cyvasse.perft(position, 2) == expected, broken(
        rules,
        f"From {position.text()} perft(2) and playing every action count differently.",
        "Position.generate",
        "Position.make",
        "Position.unmake",
    )
    assert cyvasse.perft(position, 0) == 1


def test_perft_leaves_its_position_alone(rules: RuleSet) -> None:
    position = rules.random_position(2, 10)
    before = portrait(position)
    cyvasse.perft(position, 2)
    changed = changes(before, portrait(position))
    assert not changed, broken(rules, f"perft changes a position: {changed}.", "Position.unmake")


# --- states and hashes ----------------------------------------------------------------------------


@given(st.data())
def test_a_position_is_what_its_state_says(rules: RuleSet, data: st.DataObject) -> None:
    """Nothing that decides what is legal is missing in the state, and the hash follows from it."""
    position = data.draw(positions(rules))
    again = rules.position(position.state())
    before, after = portrait(position), portrait(again)
    # The order of actions may depend on the past.
    for seen in (before, after):
        seen["legal_actions()"] = sorted(seen["legal_actions()"])
    changed = changes(before, after)
    assert not changed, broken(
        rules,
        f"A position made from the state of {position.text()} is another one, so something that "
        f"counts is missing in the state or in the hash: {changed}.",
        "Position.state",
        "Position.make",
        "Position.__init__",
    )
    assert again == position


@given(seeds)
def test_different_positions_have_different_hashes(rules: RuleSet, seed: int) -> None:
    seen: dict[int, State] = {}
    for position in walk(rules, seed, 60):
        state = position.state()
        known = seen.setdefault(position.hash, state)
        differing = [
            name
            for name in ("pieces", "terrain", "to_move", "passed", "fields")
            if getattr(known, name) != getattr(state, name)
        ]
        assert not differing, broken(
            rules,
            f"{position.text()} has the hash of an earlier position with other "
            f"{' and '.join(differing)}.",
            "Position.make",
            "Position.__init__",
        )


@given(st.data())
def test_fields_are_part_of_the_hash(rules: RuleSet, data: st.DataObject) -> None:
    """Positions that differ in one field only: those of two games, wherever both can be."""
    one, other = data.draw(positions(rules)), data.draw(positions(rules))
    state = one.state()
    for field in rules.state_fields:
        fields = {**state.fields, field.name: other.state().fields[field.name]}
        try:
            mixed = rules.position(State(**{**vars(state), "fields": fields}))
        except CyvasseError:
            continue  # such a position cannot be
        if mixed.state().fields != state.fields:
            assert mixed.hash != one.hash, broken(
                rules,
                f"{mixed.text()} and {one.text()} have the same hash.",
                "Position.__init__",
                "Position.make",
            )


@given(st.data())
def test_pickle(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    again = pickle.loads(pickle.dumps(position))
    assert again == position, broken(
        rules, f"{position.text()} is another one after pickling.", "Position.state"
    )
    legal = position.legal_actions()
    assert pickle.loads(pickle.dumps(legal)) == legal


def _count(position: Position) -> int:
    return cyvasse.perft(position, 2)


def test_process_pool(rules: RuleSet) -> None:
    """Bots think in other processes."""
    sample = [rules.random_position(seed, actions=20) for seed in range(4)]
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(_count, sample)) == [_count(position) for position in sample]


# --- both players have the same rules -------------------------------------------------------------


@given(st.data())
def test_turning_the_board_turns_the_actions(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    turned = position.turned()
    expected = {str(action.turned()) for action in position.legal_actions()}
    found = {str(action) for action in turned.legal_actions()}
    assert found == expected, broken(
        rules,
        f"The players do not have the same rules: in {turned.text()}, which is {position.text()} "
        f"with the board turned and the colours swapped, {_apart(expected, found)}.",
        "Position.generate",
    )
    assert turned.turned() == position, broken(
        rules,
        f"Turning the board twice does not give {position.text()} back.",
        "RuleSet.state_fields",
        "Position.state",
    )
    outcome, mirrored = position.outcome(), turned.outcome()
    winner = None if outcome is None or outcome.winner is None else outcome.winner.other
    assert mirrored == (None if outcome is None else outcome._replace(winner=winner)), broken(
        rules,
        f"{position.text()}: {outcome}; with the board turned and the colours swapped: {mirrored}.",
        "Position.ending",
        "Position.make",
    )


def _apart(expected: set[str], found: set[str]) -> str:
    missing, more = sorted(expected - found), sorted(found - expected)
    said = [f"{', '.join(missing)} should be legal"] if missing else []
    return " and ".join(said + ([f"{', '.join(more)} should not be"] if more else []))


# --- the end --------------------------------------------------------------------------------------


@given(st.data())
def test_finished_games_have_no_actions(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules, 600 if is_quick(rules) else 150))
    outcome, legal = position.outcome(), position.legal_actions()
    assert (outcome is None) == bool(legal), broken(
        rules,
        f"{position.text()}: the outcome is {outcome}, and {len(legal)} actions are legal.",
        "Position.generate",
        "Position.ending",
    )


@given(st.data())
def test_quiet_turns_count_turns(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    replay = game.start
    for action in game.actions:
        color, before = replay.turn, replay.quiet_turns
        replay.play(action)
        goes_on = replay.turn == color
        expected = (before, -1) if goes_on else (before + 1, 0, -1)
        assert replay.quiet_turns in expected, broken(
            rules,
            f"{action} turns {before} quiet turns into {replay.quiet_turns}.",
            "Position.make",
        )
    assert replay.quiet_turns == game.position.quiet_turns


# --- states that cannot be ------------------------------------------------------------------------


def test_states_that_cannot_be(rules: RuleSet) -> None:
    state = rules.random_position(3).state()
    first = next(iter(state.pieces))
    wrong: list[dict[str, Any]] = [
        {"pieces": {**state.pieces, "z99": state.pieces[first]}},
        {"pieces": {first: Piece(Color.WHITE, "pawn")}},
        {"terrain": {"z99": "water"}},
        {"terrain": {first: "lava"}},
        {"quiet_turns": -5},
        {"quiet_turns": 10**9},
        {"fields": {"nonsense": 1}},
        {"pieces": {first: ("white", "king")}},
        {"terrain": {first: ["water"]}},
        {"passed": "no"},
        {"drawn": 1},
        {"drawn": True},
        {"quiet_turns": True},
    ]
    for values in wrong:
        try:
            rules.position(State(**{**vars(state), **values}))
        except CyvasseError:
            continue
        pytest.fail(broken(rules, f"A state with {values} is accepted.", "Position.__init__"))


def test_things_that_are_no_position(rules: RuleSet) -> None:
    things: list[Any] = [None, {}, "text", State(5), State({}, None)]  # type: ignore[arg-type]
    for thing in things:
        with pytest.raises(CyvasseError):
            rules.position(thing)
        with pytest.raises(CyvasseError):
            cyvasse.perft(thing, 1)
    with pytest.raises(CyvasseError):
        cyvasse.perft(rules.random_position(1), True)
    assert rules.random_position(1) != "text"


def test_too_many_pieces_are_refused(rules: RuleSet) -> None:
    """Also by the class itself: C arrays have no room for more."""
    kind = rules.piece_types[0]
    squares = rules.board.squares[: kind.count + 1]
    pieces = {at: Piece(Color.WHITE, kind.name) for at in squares}
    with pytest.raises(StateError, match=kind.title):
        rules.position(State(pieces))
    with pytest.raises(StateError, match=kind.title):
        rules.position_type(rules, State(pieces))
