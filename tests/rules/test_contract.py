"""What every rule set promises (rules/base.py), tested over the registry: a new one is tested by
being registered."""

from __future__ import annotations

import copy
import gzip
import itertools
import json
import pickle
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Color, Game, Position, RuleSet, SetupError, StateError
from cyvasse.actions import CAPTURE, KINDS, LETTERS, SHOOT, Action, encode
from cyvasse.cli.verify import differences
from cyvasse.notation import read_setup, read_state, setup_document, state_document
from tests.strategies import IDS, games, positions, seeds

DATA = Path(__file__).parent.parent / "data"
pytestmark = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


def portrait(position: Position) -> tuple[Any, ...]:
    """Everything that can be seen of a position, the order of its actions included."""
    return (
        position.state(),
        position.text(),
        position.hash,
        position.turn,
        position.in_turn,
        position.quiet_turns,
        position.outcome(),
        position.facts(),
        [str(action) for action in position.legal_actions()],
    )


def replayed(rules: RuleSet, seed: int, length: int) -> Iterator[Position]:
    """A random walk, the position after each action."""
    chance = random.Random(seed)
    position = rules.random_position(chance)
    for _ in range(length):
        yield position
        legal = position.legal_actions()
        if not legal:
            return
        position.play(chance.choice(legal))


def test_describes_itself(rules: RuleSet) -> None:
    assert cyvasse.rule_set(rules.id) is rules
    assert pickle.loads(pickle.dumps(rules)) is rules
    assert rules.title
    assert rules.author
    assert rules.summary
    letters = [kind.letter for kind in rules.piece_types]
    assert set(letters) <= set(LETTERS)
    assert len(set(letters)) == len(letters)
    assert all(kind.about and kind.title and kind.count > 0 for kind in rules.piece_types)
    assert set(rules.home(Color.WHITE)).isdisjoint(rules.home(Color.BLACK))
    assert {rules.board.turned(at) for at in rules.home(Color.WHITE)} == set(
        rules.home(Color.BLACK)
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
    for action in reversed(played):
        assert position.undo() == action
    assert portrait(position) == before


@given(seeds)
def test_every_action_undone(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    position = rules.random_position(chance, chance.randrange(80))
    before = portrait(position)
    for action in position.legal_actions():
        position.play(action)
        position.undo()
    assert portrait(position) == before


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


def test_one_action_is_legal_exactly_if_it_is_listed(rules: RuleSet) -> None:
    """Whether it is legal is found out without a list of all, see ``generate_like``."""
    chance = random.Random(5)
    imagined = list(imagined_actions(rules, chance))
    if not cyvasse.COMPILED:
        imagined = chance.sample(imagined, 500)
    listed_somewhere: set[Action] = set()
    for length in (0, 1, 5, 15, 30, 50, 70, 90, 120, 400):
        position = rules.random_position(chance, length)
        before = portrait(position)
        listed = set(position.legal_actions())
        listed_somewhere |= listed
        for action in itertools.chain(imagined, listed_somewhere):
            assert position.is_legal(action) is (action in listed), f"{position!r}: {action}"
        assert portrait(position) == before
        assert not listed or cyvasse.perft(position, 1) == len(listed)


@given(seeds)
def test_screens_are_lifted_without_checking_twice(rules: RuleSet, seed: int) -> None:
    """What two legal setups give is in canonical form as it is."""
    chance = random.Random(seed)
    white, black = (rules.random_setup(color, chance) for color in Color)
    first = chance.choice(list(Color))
    lifted = rules.lifted(white, black, first)
    checked = rules.position(rules.start_state(white, black, first))
    assert portrait(lifted) == portrait(checked)
    assert repr(lifted.state()) == repr(checked.state())


@given(st.data())
def test_hash_from_scratch(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    again = rules.position(position.state())
    assert again.hash == position.hash
    assert again == position
    assert again.in_turn == position.in_turn
    assert again.outcome() == position.outcome()
    assert set(again.legal_actions()) == set(position.legal_actions())


@given(seeds)
def test_different_positions_have_different_hashes(rules: RuleSet, seed: int) -> None:
    seen: dict[int, Any] = {}
    for position in replayed(rules, seed, 60):
        state = position.state()
        same = (state.pieces, state.terrain, state.to_move, state.passed, state.fields)
        assert seen.setdefault(position.hash, same) == same


@given(st.data())
def test_turning_the_board_turns_the_actions(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    turned = position.turned()
    assert {action.turned() for action in position.legal_actions()} == set(turned.legal_actions())
    assert turned.turned() == position
    outcome, mirrored = position.outcome(), turned.outcome()
    if outcome is None:
        assert mirrored is None
    else:
        assert mirrored is not None
        assert mirrored.end == outcome.end
        assert mirrored.winner == (None if outcome.winner is None else outcome.winner.other)


@given(st.data())
def test_texts_of_actions_are_unique_and_read_back(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    legal = position.legal_actions()
    texts = [str(action) for action in legal]
    assert len(set(texts)) == len(texts)
    for text, action in zip(texts, legal, strict=True):
        assert text.isascii()
        assert text[0].islower()
        assert " " not in text
        assert position.parse_action(text) == action
        assert position.is_legal(action)


@given(st.data())
def test_finished_games_have_no_actions(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules, longest=600))
    assert (position.outcome() is None) == bool(position.legal_actions())


@given(st.data())
def test_copies_are_independent(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    before = portrait(position)
    twins = [position.copy(), copy.copy(position), copy.deepcopy(position)]
    for twin in twins:
        assert portrait(twin) == before
        for action in twin.legal_actions()[:3]:
            twin.play(action)
            twin.undo()
        if twin.legal_actions():
            twin.play(twin.legal_actions()[0])
            assert twin != position
    assert portrait(position) == before


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
        assert twin.undo() == action
    assert portrait(twin) == start
    with pytest.raises(cyvasse.NothingToUndoError):
        twin.undo()


@given(st.data())
def test_pickle(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.hash == position.hash
    legal = position.legal_actions()
    assert pickle.loads(pickle.dumps(legal)) == legal


def _count(position: Position) -> int:
    return cyvasse.perft(position, 2)


def test_process_pool(rules: RuleSet) -> None:
    sample = [rules.random_position(seed, actions=20) for seed in range(4)]
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(_count, sample)) == [_count(position) for position in sample]


@given(st.data())
def test_perft_counts_what_play_reaches(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules, longest=40))
    expected = 0
    for action in position.legal_actions():
        position.play(action)
        expected += len(position.legal_actions())
        position.undo()
    assert cyvasse.perft(position, 2) == expected
    assert cyvasse.perft(position, 0) == 1


@given(st.data())
def test_documents_round_trip(rules: RuleSet, data: st.DataObject) -> None:
    state = data.draw(positions(rules)).state()
    document = state_document(rules, state)
    assert read_state(rules, json.loads(json.dumps(document))) == state


@given(seeds, st.sampled_from(Color))
def test_random_setups_are_legal_and_turn(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    assert setup.color is color
    assert rules.check_setup(setup) == []
    other = rules.turned_setup(setup)
    assert rules.check_setup(other) == []
    assert rules.turned_setup(other) == setup
    assert setup == rules.random_setup(color, seed)
    document = json.loads(json.dumps(setup_document(rules, setup)))
    assert read_setup(rules, document) == setup


@given(seeds, st.sampled_from(Color))
def test_varied_setups_differ_a_little(rules: RuleSet, seed: int, color: Color) -> None:
    setup = rules.random_setup(color, seed)
    before = json.dumps(setup_document(rules, setup))
    varied = rules.varied_setup(setup, seed)
    assert varied.color is color
    assert rules.check_setup(varied) == []
    assert varied != setup
    assert varied == rules.canonical_setup(varied)
    assert varied == rules.varied_setup(setup, seed)
    assert json.dumps(setup_document(rules, setup)) == before


def test_setups_vary_in_every_part(rules: RuleSet) -> None:
    chance = random.Random(1)
    setup = rules.random_setup("white", chance)
    seen: dict[str, set[str]] = {}
    for _ in range(300):
        setup = rules.varied_setup(setup, chance)
        for name, value in setup_document(rules, setup).items():
            seen.setdefault(name, set()).add(json.dumps(value))
    fixed = {"rule_set", "color"} | (set() if setup.terrain else {"terrain"})
    assert {name for name, values in seen.items() if len(values) == 1} == fixed


def test_an_illegal_setup_is_not_varied(rules: RuleSet) -> None:
    with pytest.raises(SetupError):
        rules.varied_setup(cyvasse.Setup(rules.id, Color.WHITE, {}), 1)


def test_named_setups(rules: RuleSet) -> None:
    for color in Color:
        setups = rules.named_setups(color)
        assert len(setups) >= 4
        for name, setup in setups.items():
            assert rules.check_setup(setup) == [], name
            assert name == name.lower()


def test_no_named_setup_loses_its_king_at_once(rules: RuleSet) -> None:
    chance = random.Random(11)
    first = rules.first_player or Color.BLACK
    for name, setup in rules.named_setups(first.other).items():
        rivals = list(rules.named_setups(first).values())
        rivals += [rules.random_setup(first, chance) for _ in range(40)]
        for rival in rivals:
            white, black = (rival, setup) if first is Color.WHITE else (setup, rival)
            position = rules.start(white, black, first)
            for action in position.legal_actions():
                position.play(action)
                assert position.outcome() is None, (name, str(action))
                assert action.victim is None or setup.pieces.get(action.victim) != "king", name
                position.undo()


def test_setup_for_the_wrong_player_is_refused(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    game = Game(rules)
    with pytest.raises(SetupError) as caught:
        game.submit("black", setup)
    assert "white" in str(caught.value)
    assert caught.value.problems
    assert not game.is_ready("black")


def test_setup_on_the_wrong_half_names_the_squares(rules: RuleSet) -> None:
    setup = rules.random_setup("white", 1)
    squares = {rules.board.turned(at): name for at, name in setup.pieces.items()}
    problems = rules.check_setup(setup.with_pieces(squares))
    named = {square for problem in problems for square in problem.squares}
    assert set(squares) <= named


def test_empty_setup_has_problems(rules: RuleSet) -> None:
    setup = cyvasse.Setup(rules.id, Color.WHITE, {})
    problems = rules.check_setup(setup)
    assert problems
    assert all(problem.text for problem in problems)


@given(st.data())
def test_reasons_agree_with_the_actions(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    if position.outcome():
        return
    legal = position.legal_actions()
    own = [at for at, piece in position.pieces().items() if piece.color == position.turn]
    for origin in data.draw(st.lists(st.sampled_from(own), min_size=1, max_size=4)):
        reached = {
            square
            for action in legal
            if action.origin == origin
            for square in (action.target, action.victim)
        }
        for target in rules.board.squares:
            if target != origin:
                reasons = cyvasse.explain(position, origin, target)
                assert reasons[0].legal == (target in reached), (position.text(), origin, target)
                assert all(reason.sentence and reason.rule for reason in reasons)


@given(st.data())
def test_illegal_actions_change_nothing(rules: RuleSet, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    before = portrait(position)
    legal = set(position.legal_actions())
    other = rules.random_position(data.draw(seeds), actions=10)
    for action in other.legal_actions():
        if action not in legal:
            with pytest.raises(cyvasse.IllegalActionError) as caught:
                position.play(action)
            assert str(action) in str(caught.value)
    for text in ("", "e4", "z9-z8", "e4-e99", "end end", "e4-f5-g6", "\x00", "é4-e5"):
        with pytest.raises(cyvasse.CyvasseError):
            position.play(text)
    assert portrait(position) == before


@given(st.data())
def test_views_do_not_depend_on_the_other_setup(rules: RuleSet, data: st.DataObject) -> None:
    mine = rules.random_setup("white", data.draw(seeds))
    views = []
    for _ in range(2):
        game = Game(rules)
        game.submit("white", mine)
        game.submit("black", rules.random_setup("black", data.draw(seeds)))
        views.append([game.view(viewer) for viewer in ("white", None)])
        assert "black" not in game.view("white")["setups"]
        assert game.view(None)["setups"] == {}
    assert json.dumps(views[0]) == json.dumps(views[1])


@given(st.data())
def test_quiet_turns_count_turns(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    position = game.position
    quiet = position.quiet_turns
    assert -1 <= quiet <= len(game.turns())
    replay = game.start
    for action in game.actions:
        color, before = replay.turn, replay.quiet_turns
        replay.play(action)
        if replay.turn == color:
            assert replay.quiet_turns in (before, -1)  # the turn goes on
        else:
            assert replay.quiet_turns in (before + 1, 0, -1)
    assert replay.quiet_turns == quiet


def test_states_that_cannot_be(rules: RuleSet) -> None:
    state = rules.random_position(3).state()
    first = next(iter(state.pieces))
    wrong = [
        {**vars(state), "pieces": {**state.pieces, "z99": state.pieces[first]}},
        {**vars(state), "pieces": {first: cyvasse.Piece(Color.WHITE, "pawn")}},
        {**vars(state), "terrain": {"z99": "water"}},
        {**vars(state), "terrain": {first: "lava"}},
        {**vars(state), "quiet_turns": -5},
        {**vars(state), "quiet_turns": 10**9},
        {**vars(state), "fields": {"nonsense": 1}},
        {**vars(state), "pieces": {first: ("white", "king")}},
        {**vars(state), "terrain": {first: ["water"]}},
        {**vars(state), "passed": "no"},
        {**vars(state), "drawn": 1},
        {**vars(state), "drawn": True},
        {**vars(state), "quiet_turns": True},
    ]
    for values in wrong:
        with pytest.raises(cyvasse.CyvasseError):
            rules.position(cyvasse.State(**values))


def test_things_that_are_no_position(rules: RuleSet) -> None:
    things: list[Any] = [None, {}, "text", cyvasse.State(5), cyvasse.State({}, None)]  # type: ignore[arg-type]
    for thing in things:
        with pytest.raises(cyvasse.CyvasseError):
            rules.position(thing)
        with pytest.raises(cyvasse.CyvasseError):
            cyvasse.perft(thing, 1)
    with pytest.raises(cyvasse.CyvasseError):
        cyvasse.perft(rules.random_position(1), True)
    assert rules.random_position(1) != "text"


def test_positions_cannot_be_half_made(rules: RuleSet) -> None:
    position = rules.random_position(2)
    with pytest.raises(StateError, match=r"rules\.position"):
        Position(rules, position.state())
    if cyvasse.COMPILED:
        shell = type(position).__new__(type(position))  # never initialised
        assert cyvasse.perft(shell, 2) == 0
        with pytest.raises(cyvasse.NothingToUndoError):
            shell.undo()
        with pytest.raises(AttributeError):
            shell.legal_actions()
    for color in ("white", Color.BLACK):
        assert isinstance(position.in_reserve(color), dict)
    strange: list[Any] = [5, -3, 10**9, None]
    for color in strange:
        with pytest.raises(cyvasse.CyvasseError):
            position.in_reserve(color)


def test_perft_leaves_its_position_alone(rules: RuleSet) -> None:
    position = rules.random_position(2, 10)
    before = portrait(position)
    cyvasse.perft(position, 2)
    assert portrait(position) == before


def test_too_many_pieces_are_refused(rules: RuleSet) -> None:
    """Also by the class itself: its C arrays have no room for more."""
    kind = rules.piece_types[0]
    squares = rules.board.squares[: kind.count + 1]
    pieces = {at: cyvasse.Piece(Color.WHITE, kind.name) for at in squares}
    with pytest.raises(StateError, match=kind.title):
        rules.position(cyvasse.State(pieces))
    with pytest.raises(StateError, match=kind.title):
        type(rules.random_position(1))(rules, cyvasse.State(pieces))


def test_edges(rules: RuleSet) -> None:
    """Small positions, each of which some wrong reading of the rules would get wrong."""
    edges = (DATA / f"{rules.id}-edges.jsonl").read_text()
    lines = [json.loads(line) for line in edges.splitlines()]
    for line in lines:
        successors = line.pop("after", [])
        assert list(differences(rules, line)) == [], line["id"]
        answers = {"id", "actions", "perft", *rules.fact_names}
        described = {key: value for key, value in line.items() if key not in answers}
        position = rules.position(read_state(rules, described))
        for successor in successors:
            check_successor(position, successor, line["id"])
    assert len(lines) > 20


def check_successor(position: Position, expected: dict[str, Any], name: str) -> None:
    """What an action leads to, where the number of actions would not tell."""
    rules = position.rules
    (action,) = (a for a in position.legal_actions() if rules.record(a) == expected["action"])
    position.play(action)
    document = state_document(rules, position.state())
    for key, value in expected["position"].items():
        if key == "pieces":
            assert sorted(document[key], key=str) == sorted(
                ({"type": p["type"], "color": p["color"], "at": p["at"]} for p in value), key=str
            )
        else:
            assert document[key] == value, (name, key)
    outcome = position.outcome()
    winner = None if outcome is None else outcome.winner
    told = None if outcome is None else "draw" if winner is None else str(winner)
    assert told == expected["outcome"], name
    assert len(position.legal_actions()) == expected["next"], name
    position.undo()


def test_position_file(rules: RuleSet) -> None:
    """Every line of the position file compiled, a sample of 200 uncompiled."""
    with gzip.open(DATA / f"{rules.id}.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    if not cyvasse.COMPILED:
        lines = random.Random(2).sample(lines, 200)
    wrong = [(line["id"], list(differences(rules, line))) for line in lines]
    assert [entry for entry in wrong if entry[1]] == []
    assert len(lines) >= 200


@given(seeds)
def test_capturing_actions_are_legal_and_complete(rules: RuleSet, seed: int) -> None:
    for position in replayed(rules, seed, 60):
        legal = position.legal_actions()
        capturing = position.capturing_actions()
        assert len(set(capturing)) == len(capturing)
        assert set(capturing) <= set(legal)
        left_out = set(legal) - set(capturing)
        before = len(position.pieces())
        for action in left_out:
            position.play(action)
            assert len(position.pieces()) >= before, action
            position.undo()


def test_whatever_happens_can_be_told(rules: RuleSet) -> None:
    assert set(rules.noted_events) <= set(rules.event_words)
    happened = [
        event
        for seed in range(60 if cyvasse.COMPILED else 2)
        for position in replayed(rules, seed, 200)
        for event in position.events()
    ]
    for event in happened:
        sentence = rules.told(event)
        assert str(event.square or "") in sentence
        assert event.color.title in sentence
        assert "None" not in sentence
    if cyvasse.COMPILED:
        assert {event.kind for event in happened} == set(rules.event_words)
