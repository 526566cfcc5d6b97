"""What holds for every explanation; the sentences of a rule set stand in its own tests."""

from __future__ import annotations

import pytest

import cyvasse
from cyvasse import IllegalActionError, UnknownSquareError
from cyvasse.explain import explain, why

POSITION = "nine-tile 6k1/9/10/11/4R2L2x1/11/10/9/7K - w - 0"


def refused(text: str, action: str) -> str:
    with pytest.raises(IllegalActionError) as caught:
        cyvasse.parse_position(text).play(action)
    return str(caught.value)


def test_unknown_squares() -> None:
    position = cyvasse.parse_position(POSITION)
    with pytest.raises(UnknownSquareError):
        explain(position, "z1", "e5")
    with pytest.raises(UnknownSquareError):
        explain(position, "e5", "z1")


def test_legal_reasons_come_first() -> None:
    first = explain(cyvasse.parse_position(POSITION), "e5", "e6")[0]
    assert first.legal
    assert first.rule == "nine-tile D1"
    assert str(first) == "Rabble may move to e6, 1 of 1 squares. (nine-tile D1)"


def test_refusals_say_why() -> None:
    assert refused(POSITION, "e5-e7") == (
        "e5-e7 is not legal here: Rabble moves at most 1 square; e7 is 2 away. (nine-tile D1)"
    )
    assert "from e5 what can be done on e6 is e5-e6." in refused(POSITION, "e5xe6")
    assert "White may now capture or move" in refused(POSITION, "end")
    assert "Black's, and it is White's turn" in refused(POSITION, "g9-g8")


SIEGE = (
    "gameofcyvasse 5t1T/8/6k1/8/4X3/5x2/3c3h/3LK1S1 "
    "w1mww3/wwmww2w/wm1fm1c1/w2mw1mw/wfwfwwwm/1fmf1cm1/www1w3/m1w2m1w b "
    "waiting=e4;facing=f8:E,h8:W 98"
)


def test_refusals_name_what_is_possible_instead() -> None:
    position = cyvasse.parse_position(SIEGE)
    sieges = [str(action) for action in position.legal_actions() if action.kind == "siege"]
    assert sieges
    origin, victim = sieges[0].partition("-")[0], sieges[0].partition("*")[2]
    for wrong in (f"{origin}x{victim}", f"{origin}-{victim}"):
        assert sieges[0] in refused(SIEGE, wrong)


def test_pieces_that_are_not_in_reserve() -> None:
    for rules in cyvasse.rule_sets():
        position = rules.random_position(2)
        for kind in rules.piece_types:
            for target in rules.board.squares[:9]:
                reasons = explain(position, kind.name, target)
                legal = [
                    action
                    for action in position.legal_actions()
                    if action.origin is None
                    and action.target == target
                    and action.piece in (kind.letter, None)
                    and kind.name in position.in_reserve(position.turn)
                ]
                assert reasons[0].legal == bool(legal)


def test_after_the_end() -> None:
    over = "nine-tile 8/9/10/11/4R7/11/10/9/7K - b - 0"
    assert "The game is over. White wins: king captured." in why(
        cyvasse.parse_position(over), "e5", "e6"
    )
    assert "the game is over" in refused(over, "e5-e6")
