"""A game from the setups to the end: the screen, the platform rules, what viewers see."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import (
    Color,
    End,
    Game,
    GameOverError,
    IllegalActionError,
    NothingToUndoError,
    Outcome,
    RuleSet,
    ScreenError,
    SetupError,
    StateError,
)
from cyvasse.notation.documents import read_state
from tests.strategies import IDS, games

RULES = cyvasse.rule_set("nine-tile")
QUIET = "nine-tile 6k1/9/10/11/4H7/11/10/9/7K - w - {}"


def ready(first: str = "white") -> Game:
    game = Game("nine-tile")
    game.submit("white", RULES.random_setup("white", 1))
    game.submit("black", RULES.random_setup("black", 2))
    game.lift_screen(first)
    return game


def shuffle(game: Game, rounds: int) -> None:
    """Both Kings... one step out and back: every round brings the same position again."""
    for _ in range(rounds):
        for action in ("e5-f5", "g9-g8", "f5-e5", "g8-g9"):
            game.play(action)


def test_the_screen() -> None:
    game = Game("nine-tile")
    with pytest.raises(ScreenError, match="White and Black"):
        game.lift_screen()
    with pytest.raises(ScreenError):
        game.play("e4-e5")
    with pytest.raises(ScreenError):
        _ = game.position
    assert game.outcome() is None
    assert game.turns() == []
    game.submit("white", RULES.random_setup("white", 1))
    assert game.is_ready("white")
    with pytest.raises(ScreenError, match="until Black is ready"):
        game.lift_screen()
    with pytest.raises(ScreenError, match="no setup can be seen"):
        game.setup("white")
    game.withdraw("white")
    assert not game.is_ready("white")
    game.submit("white", RULES.random_setup("white", 3))
    game.submit("black", RULES.random_setup("black", 2))
    game.lift_screen("black")
    assert game.turn is Color.BLACK
    assert game.setup("white") == RULES.random_setup("white", 3)
    with pytest.raises(ScreenError, match="lifted"):
        game.submit("white", RULES.random_setup("white", 1))
    with pytest.raises(ScreenError, match="lifted"):
        game.lift_screen()


def test_the_lot_falls_on_both() -> None:
    starters = set()
    for _ in range(60):
        game = Game("nine-tile")
        game.submit("white", RULES.random_setup("white", 1))
        game.submit("black", RULES.random_setup("black", 2))
        game.lift_screen()
        starters.add(game.turn)
    assert starters == set(Color)


def test_an_illegal_setup_changes_nothing() -> None:
    game = Game("nine-tile")
    good = RULES.random_setup("white", 1)
    game.submit("white", good)
    with pytest.raises(SetupError) as caught:
        game.submit("white", good.with_pieces({}))
    assert len(caught.value.problems) == len(RULES.piece_types)
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems
    game.submit("black", RULES.random_setup("black", 1))
    game.lift_screen("white")
    assert game.setup("white") == good


def test_illegal_actions_change_nothing() -> None:
    game = ready()
    before = str(game)
    with pytest.raises(IllegalActionError):
        game.play("a9-a8")
    with pytest.raises(cyvasse.NotationError):
        game.play("castle")
    assert str(game) == before


def test_undo() -> None:
    game = ready()
    start = game.position
    with pytest.raises(NothingToUndoError):
        game.undo()
    played = []
    for _ in range(12):
        action = game.legal_actions()[3]
        game.play(action)
        played.append(action)
    game.comments[12] = "gone with its action"
    for action in reversed(played):
        assert game.undo() == action
    assert game.position == start == game.start
    assert game.comments == {}


def test_the_position_is_a_copy() -> None:
    game = ready()
    position = game.position
    position.play(position.legal_actions()[0])
    assert game.position != position
    assert game.ply == 0


def test_turns() -> None:
    game = Game.from_position(
        cyvasse.parse_position("nine-tile 6k1/9/10/11/4R2R4/11/10/9/7K - w - 0")
    )
    for action in ("e5-e6", "h5-h6", "g9-g8", "e6-e7", "end"):
        game.play(action)
    assert [(turn.color, str(turn)) for turn in game.turns()] == [
        (Color.WHITE, "e5-e6,h5-h6"),
        (Color.BLACK, "g9-g8"),
        (Color.WHITE, "e6-e7,end"),
    ]


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_what_each_action_did(rules: cyvasse.RuleSet) -> None:
    game = cyvasse.Game.from_position(rules.random_position(seed=5))
    letters = []
    told = []
    while not game.outcome() and game.ply < 30:
        action = game.legal_actions()[0]
        piece = game.position.piece_at(action.origin) if action.origin else None
        letters.append(rules.piece_type(piece.type).letter if piece else None)
        before = game.position
        game.play(action)
        told.append([each.template for each in rules.scene.tell(before, action, game.position)])
    assert [each["letter"] for each in game.told()] == letters
    assert [[said["template"] for said in each["told"]] for each in game.told()] == told
    assert len(letters) > 5
    assert game.told(since=4) == game.told()[4:]
    assert game.told(since=99) == []


def test_p1_resignation_and_agreement() -> None:
    game = ready()
    game.resign("black")
    assert game.outcome() == Outcome(Color.WHITE, End.RESIGNATION)
    assert game.legal_actions() == []
    for act in (game.agree_draw, lambda: game.resign("white"), game.undo, lambda: game.play("end")):
        with pytest.raises(GameOverError):
            act()
    game = ready()
    game.agree_draw()
    assert game.outcome() == Outcome(None, End.AGREEMENT)


def test_p1_resignation_behind_the_screen_reveals_nothing() -> None:
    game = Game("nine-tile")
    game.submit("white", RULES.random_setup("white", 1))
    game.resign("black")
    assert game.outcome() == Outcome(Color.WHITE, End.RESIGNATION)
    assert game.view("black")["setups"] == {}
    with pytest.raises(GameOverError):
        game.submit("black", RULES.random_setup("black", 1))


def test_p2_third_repetition() -> None:
    game = Game.from_position(cyvasse.parse_position(QUIET.format(0)))
    shuffle(game, 1)
    assert game.outcome() is None
    shuffle(game, 1)
    assert game.outcome() == Outcome(None, End.REPETITION)
    with pytest.raises(GameOverError):
        game.play("e5-f5")
    game.undo()
    assert game.outcome() is None
    game.play("g8-g9")
    assert game.outcome() == Outcome(None, End.REPETITION)


def test_p2_can_be_switched_off() -> None:
    game = Game.from_position(cyvasse.parse_position(QUIET.format(0)), repetition=False)
    shuffle(game, 3)
    assert game.outcome() is None


def test_p2_counts_only_the_start_of_a_turn() -> None:
    text = "nine-tile 6k1/9/10/11/4R2R4/11/10/9/7K - w - 0"
    game = Game.from_position(cyvasse.parse_position(text), quiet=False)
    for _ in range(2):
        for action in ("e5-e6", "end", "g9-g8", "e6-e5", "end", "g8-g9"):
            assert game.outcome() is None
            game.play(action)
    assert game.outcome() == Outcome(None, End.REPETITION)


def test_p3_a_hundred_quiet_turns() -> None:
    game = Game.from_position(cyvasse.parse_position(QUIET.format(98)))
    game.play("e5-f5")
    assert game.outcome() is None
    game.play("g9-g8")
    assert game.outcome() == Outcome(None, End.QUIET)
    off = Game.from_position(cyvasse.parse_position(QUIET.format(99)), quiet=False)
    off.play("e5-f5")
    assert off.outcome() is None


def test_p3_does_not_touch_the_hash() -> None:
    assert (
        cyvasse.parse_position(QUIET.format(0)).hash == cyvasse.parse_position(QUIET.format(7)).hash
    )


def test_p5_time() -> None:
    game = ready()
    game.lose_on_time("white")
    assert game.outcome() == Outcome(Color.BLACK, End.TIME)


def test_a_win_comes_before_a_draw() -> None:
    text = "nine-tile 6k1/6R2/10/11/12/11/10/9/7K - w - 99"
    game = Game.from_position(cyvasse.parse_position(text))
    game.play("g8xg9")
    assert game.outcome() == Outcome(Color.WHITE, End.KING_CAPTURED)
    assert str(game.outcome()) == "White wins: king captured"


def test_views() -> None:
    game = Game("nine-tile")
    mine = RULES.random_setup("white", 1)
    game.submit("white", mine)
    assert list(game.view("white")["setups"]) == ["white"]
    assert game.view("black")["setups"] == {}
    assert game.view(None)["setups"] == {}
    assert game.view(None)["ready"] == {"white": True, "black": False}
    assert "position" not in game.view("white")
    game.submit("black", RULES.random_setup("black", 1))
    game.lift_screen("white")
    for viewer in ("white", "black", None):
        seen = json.loads(json.dumps(game.view(viewer)))
        assert set(seen["setups"]) == {"white", "black"}
        assert RULES.position(read_state(RULES, seen["position"])) == game.position
        assert len(seen["dangers"]) == len(game.position.dangers())
        assert len(seen["legal_actions"]) == len(game.legal_actions())
    with pytest.raises(cyvasse.CyvasseError):
        game.view("grey")


def test_nothing_of_a_hidden_setup_in_any_text_of_the_game() -> None:
    def hidden(seed: int) -> list[str]:
        game = Game("nine-tile")
        game.submit("white", RULES.random_setup("white", seed))
        texts = [str(game), repr(game), json.dumps(game.view("black"))]
        with pytest.raises(ScreenError) as caught:
            game.setup("white")
        texts.append(str(caught.value))
        with pytest.raises(ScreenError) as caught:
            game.play("e4-e5")
        texts.append(str(caught.value))
        with pytest.raises(ScreenError) as caught:
            game.lift_screen()
        texts.append(str(caught.value))
        return texts

    assert hidden(1) == hidden(2)


def test_pickle_keeps_the_past() -> None:
    game = ready()
    for _ in range(9):
        game.play(game.legal_actions()[1])
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert again.undo() == game.undo()
    assert again.position == game.position
    hidden = Game("nine-tile")
    assert not pickle.loads(pickle.dumps(hidden)).screen_lifted


def test_who_begins_where_the_rule_set_says_so() -> None:
    rules = cyvasse.rule_set("mikelepage")
    for seed in range(5):
        game = Game(rules)
        for color in Color:
            game.submit(color, rules.random_setup(color, seed))
        game.lift_screen()
        assert game.turn is Color.WHITE


def test_both_colors_are_true() -> None:
    assert all(Color)


def test_copies_are_independent() -> None:
    game = ready()
    game.play(game.legal_actions()[0])
    before = str(game)
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        assert str(twin) == before
        twin.play(twin.legal_actions()[0])
        twin.comments[1] = "only here"
        twin.tags["White"] = "somebody"
        twin.undo()
        twin.undo()
        assert str(game) == before


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_what_is_handed_out_cannot_change_the_game(rules: cyvasse.RuleSet) -> None:
    game = Game(rules)
    game.submit("white", rules.random_setup("white", 1))
    seen = game.view("white")["setups"]["white"]
    for value in seen.values():
        if isinstance(value, dict | list):
            value.clear()
    game.submit("black", rules.random_setup("black", 1))
    game.lift_screen("white")
    before = str(game)
    setup = game.setup("white")
    assert setup is not None
    for values in (setup.pieces, setup.terrain, setup.fields):
        assert isinstance(values, dict)
        values.clear()
    assert str(game) == before


def test_a_game_from_a_position_begins_there() -> None:
    position = RULES.random_position(4, actions=9)
    game = Game.from_position(position)
    with pytest.raises(NothingToUndoError):
        game.position.undo()
    with pytest.raises(cyvasse.CyvasseError):
        Game.from_position(None)  # type: ignore[arg-type]


def test_unknown_rule_set() -> None:
    with pytest.raises(cyvasse.UnknownRuleSetError, match="nine-tile"):
        Game("chess")


# --- many actions at once -------------------------------------------------------------------------


def of_the_corpus(rules: RuleSet, end: End) -> Game:
    path = Path(__file__).parent / "data" / "corpus" / f"{rules.id}.txt.gz"
    text = gzip.decompress(path.read_bytes()).decode()
    return next(
        game
        for part in text.split("\n\n[Rules ")
        if f'[End "{end}"]' in part
        for game in cyvasse.read_games(part if part.startswith("[") else f"[Rules {part}")
    )


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)
@given(st.data())
def test_many_actions_at_once(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    at = data.draw(st.integers(0, game.ply))
    other = Game.from_position(game.start, repetition=game.repetition, quiet=game.quiet)
    one_by_one = Game.from_position(game.start, repetition=game.repetition, quiet=game.quiet)
    ends = []
    for number, action in enumerate(game.actions, 1):
        one_by_one.play(action)
        if not one_by_one.in_turn:
            ends.append(number)
    found = other.play_on(game.actions[:at]) if at else []
    found += other.play_on(game.actions[at:]) if at < game.ply else []
    assert found == ends
    assert other.turns() == one_by_one.turns()
    assert other.outcome() == one_by_one.outcome() == game.outcome()
    assert other.effects() == one_by_one.effects()
    assert other.view() == one_by_one.view()
    for number in range(1, game.ply + 1):
        assert other.effects(number) == game.effects(number)
    while other.ply:
        assert other.undo() == one_by_one.undo()
        assert other.outcome() == one_by_one.outcome()
    assert other.turns() == []


@pytest.mark.parametrize("end", [End.REPETITION, End.QUIET, End.KING_CAPTURED])
def test_nothing_is_played_on_after_the_end(end: End) -> None:
    game = of_the_corpus(cyvasse.rule_set("gameofcyvasse"), end)
    legal = game.position.legal_actions() or [game.actions[0]]
    other = Game.from_position(game.start)
    with pytest.raises(GameOverError, match=str(end)):
        other.play_on([*game.actions, legal[0], legal[0]])
    assert other.actions == game.actions
    assert other.outcome() == game.outcome()
    free = Game.from_position(game.start, repetition=False, quiet=False)
    free.play_on(game.actions)
    assert (free.outcome() is None) is (end is not End.KING_CAPTURED)


def test_an_illegal_action_among_many() -> None:
    game = of_the_corpus(cyvasse.rule_set("nine-tile"), End.KING_CAPTURED)
    other = Game.from_position(game.start)
    wrong = [*game.actions[:7], game.actions[0], *game.actions[7:]]
    with pytest.raises(IllegalActionError, match="is not legal here"):
        other.play_on(wrong)
    assert other.actions == game.actions[:7]
    other.play_on(game.actions[7:])
    assert other.turns() == game.turns()


def test_positions_and_effects_by_number() -> None:
    game = of_the_corpus(cyvasse.rule_set("mikelepage"), End.KING_CAPTURED)
    assert game.position_after(0) == game.start
    assert game.position_after(len(game.turns())) == game.position
    for wrong in (-1, len(game.turns()) + 1, "x"):
        with pytest.raises(StateError, match="there is no turn"):
            game.position_after(wrong)  # type: ignore[arg-type]
    for wrong in (0, game.ply + 1):
        with pytest.raises(StateError, match="there is no"):
            game.effects(wrong)
