"""Mails that cross, come late, twice or in another order: both sides must end up with one game."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.mail import Code, Correspondence, MailError
from cyvasse.notation import write_game
from cyvasse.rules.terms import BLACK, WHITE, Color
from tests.mail.test_mail import opened

PASSES = "gameofcyvasse"  # its turns have one action each


def at_table(rule_set: str = PASSES) -> tuple[Correspondence, Correspondence]:
    """Who is to act, and the other."""
    sides = opened(rule_set)
    turn = sides[WHITE].board().turn
    return sides[turn], sides[turn.other]


def some_turn(side: Correspondence, seed: int = 0) -> Code:
    ahead, actions = side.board(), list[str]()
    chance = random.Random(seed)
    if ahead.outcome() or ahead.turn is not side.me:
        return side.play(["pass"])  # which is refused
    while not actions or (ahead.in_turn and ahead.turn is side.me and not ahead.outcome()):
        actions.append(str(chance.choice(ahead.legal_actions())))
        ahead.play(actions[-1])
    return side.play(actions)


def agree_on_everything(one: Correspondence, two: Correspondence) -> None:
    assert write_game(one.board()) == write_game(two.board())
    for side in (one, two):
        assert Correspondence.from_document(side.document()) == side


def test_a_resignation_crosses_a_turn() -> None:
    mover, other = at_table()
    turn, resigned = some_turn(mover), other.resign()
    told = mover.take(resigned)
    assert "has resigned" in told
    assert "taken back" in told
    assert mover.actions == []
    assert not any(code.kind == "turn" for code in mover.waiting())
    with pytest.raises(MailError, match="over"):
        other.take(turn)
    agree_on_everything(mover, other)


def test_an_agreement_crosses_a_turn() -> None:
    mover, other = at_table()
    other.take(mover.offer())
    some_turn(mover)
    agreed = other.agree()
    assert "taken back" in mover.take(agreed)
    agree_on_everything(mover, other)


def test_only_what_stood_can_be_agreed_to_later() -> None:
    mover, other = at_table()
    other.take(some_turn(mover))
    other.take(mover.offer())  # after the turn
    with pytest.raises(MailError, match="no draw"):
        mover.take(Code("agree", mover.game, (other.seat, "0")))
    mover.take(some_turn(other))  # the offer has lapsed
    some_turn(mover)
    for ply in ("0", "1", "2", "3"):
        with pytest.raises(MailError):
            mover.take(Code("agree", mover.game, (other.seat, ply)))
    with pytest.raises(MailError, match="have been played"):
        mover.take(Code("resign", mover.game, (other.seat, "1")))
    assert len(mover.actions) == 3


def test_a_turn_is_taken_back_whole() -> None:
    mover, other = at_table("nine-tile")
    while len(mover.actions) < 2:
        other.take(some_turn(mover, seed=len(mover.actions)))
        mover, other = other, mover
    before = list(mover.actions)
    with pytest.raises(MailError):
        mover.take(Code("resign", mover.game, (other.seat, "1")))
    assert mover.actions == before


def test_two_offers_cross() -> None:
    mover, other = at_table()
    first, second = mover.offer(), other.offer()
    mover.take(second)
    other.take(first)
    assert "offers a draw" in mover.next_step()
    one, two = mover.agree(), other.agree()
    assert "drawn" in mover.take(two)
    assert "drawn" in other.take(one)
    agree_on_everything(mover, other)


def test_an_offer_comes_after_the_turn_that_followed_it() -> None:
    mover, other = at_table()
    offer, turn = mover.offer(), some_turn(mover)
    other.take(turn)
    assert "offers a draw" in other.take(offer)
    mover.take(other.agree())
    agree_on_everything(mover, other)


def test_an_offer_that_has_lapsed_does_no_harm() -> None:
    mover, other = at_table()
    offer = other.offer()
    other.take(some_turn(mover))
    assert "lapsed" in mover.take(offer)
    assert mover.offered is None
    mover.take(other.resign())
    assert "over" in mover.take(offer)


def test_words_that_come_twice_do_no_harm() -> None:
    mover, other = at_table()
    resigned = other.resign()
    mover.take(resigned)
    assert "already" in mover.take(resigned)
    mover, other = at_table()
    other.take(mover.offer())
    agreed = other.agree()
    mover.take(agreed)
    assert "already" in mover.take(agreed)
    mover, other = at_table()
    with pytest.raises(MailError, match="a mail is missing"):
        mover.take(Code("resign", mover.game, (other.seat, "3")))


def test_both_resign() -> None:
    mover, other = at_table()
    one, two = mover.resign(), other.resign()
    assert "counts" in mover.take(two)
    assert "counts" in other.take(one)
    agree_on_everything(mover, other)
    assert mover.ended == mover.seat


def test_a_resignation_crosses_an_agreement() -> None:
    for number in range(2):
        sides = at_table()
        resigning, agreeing = sides[number], sides[1 - number]
        agreeing.take(resigning.offer())
        one, two = resigning.resign(), agreeing.agree()
        agreeing.take(one)
        assert "resigned" in resigning.take(two)
        agree_on_everything(*sides)
        assert resigning.ended == resigning.seat


DEEDS: dict[str, Callable[[Correspondence], Code]] = {
    "turn": some_turn,
    "offer": Correspondence.offer,
    "agree": Correspondence.agree,
    "resign": Correspondence.resign,
}


@given(st.data())
def test_whatever_crosses_there_is_one_game(data: st.DataObject) -> None:
    """Both do what they like, and mails travel in order but at any pace; in the end all arrive."""
    sides = opened(PASSES)
    roads: dict[Color, list[Code]] = {WHITE: [], BLACK: []}  # what is on its way to each

    def arrive(color: Color) -> None:
        try:
            sides[color].take(roads[color].pop(0))
        except MailError as error:
            assert "the game is over" in str(error)  # noqa: PT017

    deeds = st.sampled_from(["turn", "turn", "offer", "agree", "resign", "arrive"])
    steps = st.lists(st.tuples(st.sampled_from([WHITE, BLACK]), deeds), min_size=3, max_size=14)
    for color, deed in data.draw(steps):
        side = sides[color]
        if deed == "arrive":
            if roads[color]:
                arrive(color)
            continue
        try:
            code = DEEDS[deed](side)
        except MailError:
            continue
        roads[color.other].append(code)
    for color in itertools.chain(*([WHITE, BLACK] for _ in range(30))):
        if roads[color]:
            arrive(color)
    assert not any(roads.values())
    agree_on_everything(sides[WHITE], sides[BLACK])


def test_all_that_may_not_have_arrived_can_be_mailed_again() -> None:
    mover, other = at_table()
    turn, offer = some_turn(mover), mover.offer()
    assert [code.kind for code in mover.waiting()] == ["open", "turn", "offer"]
    other.take(turn)
    other.take(offer)
    mover.take(some_turn(other))
    assert mover.waiting() == []
    assert [code.kind for code in other.waiting()][-1:] == ["turn"]
