"""Forced wins: small ones by hand, the tactics files, and a second prover to agree with."""

from __future__ import annotations

import json
import random
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cyvasse
from cyvasse import Color, CyvasseError, Position, RuleSet, forced_win, parse_position

DATA = Path(__file__).parents[1] / "data"

# White's Light Horse takes the King at once; Black's King could not be caught without it.
OPEN_KING = "nine-tile 6k1/6L2/10/11/12/11/10/9/7K - w - 0"
BARE_KINGS = "nine-tile 6k1/9/10/11/12/11/10/9/7K - w - 0"
# Black's King has one square left between two mountains, and cannot take an Elephant there.
CORNERED = "nine-tile 7k/9/8E1/11/12/11/10/9/K7 6m1/7m1/10/11/12/11/10/9/8 w - 0"
# Black's King is in reserve; it falls with the keep, when two enemies stand around that.
TWO_RABBLE = (
    "croft 10/10/2r7/10/10/1R1R6/10/10/10/K9 - w keeps=white:(home:(a1,b1)),"
    "black:(at:c7,home:(b6,b7,b8,c6,c8,d6,d7,d8));reserves=black:(king:1) 0"
)
# White's Trebuchet takes Black's King; what else Black has decides what that is worth.
KING_BESIDE_FORTRESS = (
    "mikelepage {row}/7/7k/8T/10/11/10/9/8/7/K5 - w fortress=white:(at:f1),black:(at:f11) 0"
)


def told(text: str, turns: int) -> tuple[bool | None, int, list[str]]:
    position = parse_position(text)
    proof = forced_win(position, turns)
    assert position.text() == text
    return proof.won, proof.turns, [str(action) for action in proof.best]


@pytest.fixture(params=cyvasse.rule_sets(), ids=lambda rules: rules.id)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    found: RuleSet = request.param
    return found


def test_win_at_once() -> None:
    assert told(OPEN_KING, 1) == (True, 1, ["g8xg9"])
    assert told(OPEN_KING, 3) == (True, 1, ["g8xg9"])


def test_no_win() -> None:
    assert told(BARE_KINGS, 3) == (False, 3, [])
    assert told(OPEN_KING.replace(" w ", " b "), 1) == (False, 1, [])


def test_opponent_without_an_action_has_lost() -> None:
    assert told(CORNERED, 2) == (True, 1, ["i7-i8"])


def test_without_an_action_there_is_no_win() -> None:
    position = parse_position(CORNERED)
    position.play("i7-i8")
    assert forced_win(position, 2) == cyvasse.Proof(False, 2, (), 0)


def test_turn_of_two_actions_is_one_turn() -> None:
    assert told(TWO_RABBLE, 2) == (True, 1, ["b5-b6", "d5-d6"])
    position = parse_position(TWO_RABBLE)
    position.play("b5-b6")
    assert position.in_turn
    assert [str(action) for action in forced_win(position, 1).best] == ["d5-d6"]


def test_choice_at_the_beginning_is_part_of_the_turn() -> None:
    text = KING_BESIDE_FORTRESS.format(row="r5").replace(
        "black:(at:f11)", "black:(at:f11,ruined:yes);pending=corner"
    )
    won, turns, best = told(text, 2)
    assert (won, turns) == (True, 1)
    assert len(best) == 6
    assert all(action.startswith("corner@") for action in best)


def test_win_that_comes_with_the_turn_of_the_opponent() -> None:
    """The fortress stands, so Black has a turn to replace the King, and nobody to do it."""
    text = KING_BESIDE_FORTRESS.format(row="r5")
    assert told(text, 2) == (True, 1, ["i8xh9"])
    position = parse_position(text)
    position.play("i8xh9")
    assert position.outcome() is None


def test_king_that_is_replaced_is_no_win() -> None:
    """At the beginning of Black's turn by the Elephant, at its end by the Trebuchet."""
    assert told(KING_BESIDE_FORTRESS.format(row="r4e"), 2) == (False, 2, [])
    assert told(KING_BESIDE_FORTRESS.format(row="t5"), 1) == (False, 1, [])
    # The Trebuchet becomes King where the other Trebuchet strikes again.
    assert told(KING_BESIDE_FORTRESS.format(row="t5"), 2) == (True, 2, ["i8xh9"])


def test_nodes_run_out() -> None:
    position = parse_position(KING_BESIDE_FORTRESS.format(row="t5"))
    whole = forced_win(position, 2)
    assert forced_win(position, 2, whole.nodes) == whole
    short = forced_win(position, 2, whole.nodes - 1)
    assert short == cyvasse.Proof(None, 1, (), whole.nodes - 1)
    assert forced_win(position, 2, 1) == cyvasse.Proof(None, 0, (), 1)


def test_what_cannot_be_proved() -> None:
    position = parse_position(OPEN_KING)
    nonsense: list[tuple[Any, ...]] = [
        (None, 1),
        (OPEN_KING, 1),
        (position, 0),
        (position, 16),
        (position, True),
        (position, 1, 0),
        (position, 1, "many"),
    ]
    for arguments in nonsense:
        with pytest.raises(CyvasseError):
            forced_win(*arguments)
    position.play("g8xg9")
    with pytest.raises(CyvasseError, match="over"):
        forced_win(position, 1)


def test_it_can_be_interrupted() -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    position = cyvasse.rule_set("nine-tile").random_position(1)
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            forced_win(position, 12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- a second prover, by the surface alone --------------------------------------------------------


def plainly_wins(position: Position, attacker: Color, left: int) -> bool:
    """The definition of a forced win, word for word."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner is attacker
    if position.turn is attacker and left == 0:
        return False
    return (any if position.turn is attacker else all)(
        plainly_wins_after(position, action, attacker, left) for action in position.legal_actions()
    )


def plainly_wins_after(
    position: Position, action: cyvasse.Action, attacker: Color, left: int
) -> bool:
    before = position.turn
    position.play(action)
    ended = before is attacker and position.turn is not attacker
    won = plainly_wins(position, attacker, left - 1 if ended else left)
    position.undo()
    return won


def plain_proof(position: Position, turns: int) -> tuple[bool, int, list[cyvasse.Action]]:
    for within in range(1, turns + 1):
        best = [
            action
            for action in position.legal_actions()
            if plainly_wins_after(position, action, position.turn, within)
        ]
        if best:
            return True, within, best
    return False, turns, []


def small_position(rules: RuleSet, seed: int) -> Position:
    """Both Kings with a few pieces each, after some random actions."""
    chance = random.Random(seed)
    while True:
        state = rules.random_position(chance).state()
        kept = {at: piece for at, piece in state.pieces.items() if piece.type == "king"}
        for color in Color:
            own = [at for at, p in state.pieces.items() if p.color is color and p.type != "king"]
            kept.update((at, state.pieces[at]) for at in chance.sample(own, min(3, len(own))))
        position = rules.position(replace(state, pieces=kept))
        for _ in range(chance.randrange(60)):
            legal = position.legal_actions()
            if legal:
                position.play(chance.choice(legal))
        if position.outcome() is None and len(position.legal_actions()) < 60:
            return position


def test_both_provers_agree(rules: RuleSet) -> None:
    seen = set()
    for seed in range(80 if cyvasse.COMPILED else 6):
        position = small_position(rules, seed)
        proof = forced_win(position, 1)
        assert (proof.won, proof.turns, list(proof.best)) == plain_proof(position, 1)
        if len(position.legal_actions()) < 20:
            proof = forced_win(position, 2)
            assert (proof.won, proof.turns, list(proof.best)) == plain_proof(position, 2)
        seen.add(proof.won)
    assert seen == {True, False} or not cyvasse.COMPILED


def test_threads_share_nothing(rules: RuleSet) -> None:
    sample = [small_position(rules, seed) for seed in range(4)]
    expected = [forced_win(position, 1) for position in sample]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda position: forced_win(position, 1), sample)) == expected


# --- the tactics files ----------------------------------------------------------------------------


def tactics(rules: RuleSet) -> list[dict[str, Any]]:
    lines = (DATA / f"tactics-{rules.id}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def check_tactic(line: dict[str, Any]) -> None:
    position = parse_position(line["position"])
    proof = forced_win(position, line["turns"])
    assert (proof.won, proof.turns) == (True, line["turns"]), line
    assert sorted(str(action) for action in proof.best) == line["best"], line


def test_tactics_are_enough_and_various(rules: RuleSet) -> None:
    lines = tactics(rules)
    turns = [line["turns"] for line in lines]
    assert len(lines) >= 40
    assert turns == sorted(turns)
    assert turns.count(1) <= 8
    assert turns.count(2) >= 20
    assert turns.count(3) >= 5
    assert set(turns) == {1, 2, 3}
    assert len({line["position"] for line in lines}) == len(lines)
    for line in lines:
        position = parse_position(line["position"])
        assert position.text() == line["position"]
        assert position.rules is rules
        assert not position.in_turn
        assert 0 <= position.quiet_turns <= 50
        assert len(line["best"]) <= 0.1 * len(position.legal_actions())


def test_tactics_of_one_and_two_turns(rules: RuleSet) -> None:
    """All of them compiled; uncompiled a few."""
    lines = [line for line in tactics(rules) if line["turns"] < 3]
    if not cyvasse.COMPILED:
        lines = lines[:3] + lines[-1:]
    for line in lines:
        check_tactic(line)


def test_the_plain_prover_agrees_with_the_tactics(rules: RuleSet) -> None:
    lines = [line for line in tactics(rules) if line["turns"] == 2]
    lines.sort(key=lambda line: len(parse_position(line["position"]).legal_actions()))
    for line in lines[: 2 if cyvasse.COMPILED else 1]:
        won, turns, best = plain_proof(parse_position(line["position"]), 2)
        assert (won, turns, sorted(map(str, best))) == (True, 2, line["best"])


@pytest.mark.slow
def test_tactics_of_three_turns(rules: RuleSet) -> None:
    for line in tactics(rules):
        if line["turns"] == 3:
            check_tactic(line)
