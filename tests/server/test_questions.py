"""Questions to bots keep what decides the answer, in words that any UGI engine understands."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Engine, Game, RuleSet
from cyvasse.engine.ugi import serve
from cyvasse.server.questions import Question
from tests.strategies import games

AHEAD = "nine-tile 8/4k4/10/11/12/11/10/4K4/D7 - w - 0"
BACK_AND_FORTH = ["h2-i2", "e8-f8", "i2-h2", "f8-e8"]


def back_and_forth(repetition: bool) -> Game:
    game = Game.from_position(cyvasse.parse_position(AHEAD), repetition=repetition)
    for action in BACK_AND_FORTH:
        game.play(action)
    return game


def answer(question: Question) -> str:
    """What the engine protocol answers."""
    replies: list[str] = []
    answered = threading.Event()

    def lines() -> Iterator[str]:
        yield "setoption name Minimal value true"
        yield from question.commands().splitlines()
        assert answered.wait(60)

    def write(reply: str) -> None:
        replies.append(reply)
        answered.set()

    serve(lines(), write)
    (reply,) = replies
    return reply


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
@given(data=st.data())
def test_a_question_has_the_answer_of_the_whole_game(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    if game.outcome() is None:
        asked = Question.about(game, level=6)
        assert asked.game().position == game.position
        best = Engine(6).choose(game)
        assert asked.think() == best
        assert answer(asked) == f"bestmove {best}"


def test_without_repetition_the_past_is_left_out() -> None:
    asked = [Question.about(back_and_forth(holds), level=6) for holds in (True, False)]
    assert [len(question.actions) for question in asked] == [4, 0]


def test_what_happened_before_the_last_progress_is_left_out() -> None:
    rules = cyvasse.rule_set("nine-tile")
    game = Game.from_position(rules.random_position(seed=3))
    while game.position.quiet_turns != 0 or game.ply < 10:
        captures = [action for action in game.legal_actions() if "x" in str(action)]
        game.play((captures or game.legal_actions())[0])
    assert Question.about(game, level=6).actions == []


def test_the_words_of_a_question() -> None:
    asked = Question.about(back_and_forth(True), level=6, seconds=0.2509)
    assert asked.commands().splitlines() == [
        "uginewgame",
        "setoption name Level value 6",
        "setoption name Repetition value true",
        "setoption name Quiet value true",
        f"position fen {AHEAD} moves {' '.join(BACK_AND_FORTH)}",
        "go movetime 250",
    ]
    free = Question.about(back_and_forth(False), level=1)
    assert free.commands().splitlines()[2:] == [
        "setoption name Repetition value false",
        "setoption name Quiet value true",
        f"position fen {back_and_forth(False).position.text()}",
        "go",
    ]
