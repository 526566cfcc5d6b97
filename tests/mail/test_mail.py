"""Games by mail: what goes round, what is refused, and that nobody can cheat with setups."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cyvasse
from cyvasse.mail import Code, Correspondence, MailError, commitment, read_codes
from cyvasse.mail.codes import base32, packed
from cyvasse.mail.commitments import first_player
from cyvasse.notation import write_setup
from cyvasse.rules.terms import BLACK, WHITE, Color

RULE_SETS = [rules.id for rules in cyvasse.rule_sets()]


def invited(rule_set: str = "croft") -> tuple[Correspondence, Correspondence]:
    """White, who began, and Black, who joined."""
    white = Correspondence.new(cyvasse.rule_set(rule_set), WHITE)
    (invitation,) = white.waiting()
    return white, Correspondence.join(invitation)


def committed(rule_set: str = "croft", seed: int = 1) -> tuple[Correspondence, Correspondence]:
    """Both have fixed a setup and hold the other's commitment; nothing is open yet."""
    white, black = invited(rule_set)
    codes = [
        side.choose(side.rules.random_setup(side.me, seed=seed + number))
        for number, side in enumerate((white, black))
    ]
    white.take(codes[1])
    black.take(codes[0])
    return white, black


def opened(rule_set: str = "croft", seed: int = 1) -> dict[Color, Correspondence]:
    white, black = committed(rule_set, seed)
    white.take(black.waiting()[-1])
    black.take(white.waiting()[-1])
    return {WHITE: white, BLACK: black}


def by_mail(code: Code) -> Code:
    """As it arrives: quoted, broken into lines, with words around it."""
    text = str(code)
    lines = "\n> ".join(text[i : i + 40] for i in range(0, len(text), 40))
    (again,) = read_codes(f"Dear friend,\n\n> {lines}\n\nYours [w.] ")
    assert again == code
    return again


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_whole_game(rule_set: str) -> None:
    sides = opened(rule_set, seed=5)
    chance = random.Random(3)
    turns = 0
    while not (game := sides[WHITE].board()).outcome() and turns < 30:
        mover, other = sides[game.turn], sides[game.turn.other]
        ahead = game.copy()
        actions: list[str] = []
        while not actions or (ahead.in_turn and ahead.turn is game.turn and not ahead.outcome()):
            actions.append(str(chance.choice(ahead.legal_actions())))
            ahead.play(actions[-1])
        code = by_mail(mover.play(actions))
        assert " ".join(actions) in other.take(code)
        assert "already" in other.take(code)  # a mail may come twice
        for side in sides.values():  # and each evening the computers are switched off
            text = json.dumps(side.document())
            assert Correspondence.from_document(json.loads(text)) == side
        assert sides[WHITE].board().position == sides[BLACK].board().position
        turns += 1
    assert turns > 10
    files = [cyvasse.write_game(side.board()) for side in sides.values()]
    assert files[0] == files[1]
    assert cyvasse.read_game(files[0]).ply == len(sides[WHITE].actions)


def test_a_setup_cannot_change_after_its_commitment() -> None:
    white, black = committed()
    with pytest.raises(MailError, match="cannot be changed"):
        white.choose(white.rules.random_setup(WHITE, seed=77))
    other = white.rules.random_setup(WHITE, seed=77)
    assert white.salt is not None
    forged = Code("open", white.game, ("white", white.salt, packed(write_setup(other))))
    with pytest.raises(MailError, match="does not match the commitment"):
        black.take(forged)
    assert black.their_setup is None
    exchanged = base32(commitment(white.rules, white.game, WHITE, other, b"s" * 16))
    with pytest.raises(MailError, match="cannot be"):
        black.take(Code("commit", white.game, ("white", exchanged)))
    assert "open, and is the one" in black.take(white.waiting()[-1])


def test_everything_is_in_the_commitment() -> None:
    rules = cyvasse.rule_set("croft")
    setups = rules.named_setups("white")
    one, two = list(setups.values())[:2]
    turned = rules.turned_setup(one)
    salt = bytes(16)
    known = {
        commitment(rules, "game", WHITE, one, salt),
        commitment(rules, "gamf", WHITE, one, salt),
        commitment(rules, "game", WHITE, two, salt),
        commitment(rules, "game", BLACK, turned, salt),
        commitment(rules, "game", WHITE, one, bytes(15) + b"\1"),
    }
    assert len(known) == 5
    assert commitment(rules, "game", WHITE, rules.canonical_setup(one), salt) in known


def test_a_copied_commitment_is_refused() -> None:
    """Black sends White's own commitment back, hoping to open it with White's setup later."""
    white, black = invited()
    mine = white.choose(white.rules.random_setup(WHITE, seed=1))
    with pytest.raises(MailError, match="White is you"):
        white.take(mine)
    with pytest.raises(MailError, match="your own commitment, copied"):
        white.take(Code("commit", white.game, ("black", mine.fields[1])))
    assert white.theirs is None
    # A copy with the seat changed could not be opened either: the seat is in the commitment.
    black.take(mine)
    assert white.waiting()[-1].kind == "commit"  # and White has opened nothing


def test_nobody_opens_before_the_other_is_fixed() -> None:
    white, black = invited()
    white.choose(white.rules.random_setup(WHITE, seed=1))
    assert [code.kind for code in white.waiting()] == ["invite", "commit"]
    assert white.setup is not None
    assert not any(packed(white.setup) in text for text in white.sent)
    black.take(white.waiting()[-1])
    assert not any("open" in text for text in black.sent)
    opening = Code("open", white.game, ("white", str(white.salt), packed(white.setup)))
    with pytest.raises(MailError, match="commit to your own setup first"):
        black.take(opening)
    black.choose(black.rules.random_setup(BLACK, seed=2))
    assert [code.kind for code in black.waiting()] == ["commit", "open"]


def test_what_is_opened_must_be_playable() -> None:
    white, black = committed()
    assert white.salt is not None
    for text in ("croft white", "nonsense", "nine-tile white x", "\0", "[" * 5000):
        with pytest.raises(cyvasse.CyvasseError):
            black.take(Code("open", white.game, ("white", white.salt, packed(text))))
    for letters in ("!!!", "AAA=", "é"):
        with pytest.raises(MailError):
            black.take(Code("open", white.game, ("white", white.salt, letters)))
    for salt in ("", "aaaa", white.salt[:-1], white.salt.upper()):
        assert white.setup is not None
        with pytest.raises(MailError, match="salt"):
            black.take(Code("open", white.game, ("white", salt, packed(white.setup))))
    assert black.their_setup is None


def test_who_begins_follows_from_both_salts() -> None:
    rules = cyvasse.rule_set("nine-tile")
    begins = [first_player(rules, bytes([number]) * 16, b"b" * 16) for number in range(64)]
    assert 10 < sum(color is WHITE for color in begins) < 54
    other = [first_player(rules, b"b" * 16, bytes([number]) * 16) for number in range(64)]
    assert begins != other
    assert first_player(cyvasse.rule_set("mikelepage"), b"a" * 16, b"b" * 16) is WHITE
    sides = opened("nine-tile")
    assert sides[WHITE].board().turn is sides[BLACK].board().turn


def test_turns_must_fit() -> None:
    sides = opened("nine-tile", seed=9)
    mover, other = sides[sides[WHITE].board().turn], sides[sides[WHITE].board().turn.other]
    board = mover.board()
    going_on = next(action for action in board.legal_actions() if _goes_on(board, str(action)))
    with pytest.raises(MailError, match="goes on"):
        mover.play([str(going_on)])
    with pytest.raises(MailError, match="at least one"):
        mover.play([])
    with pytest.raises(cyvasse.CyvasseError):
        mover.play(["a1-a99"])
    with pytest.raises(MailError, match="turn"):
        other.play(["end"])
    assert mover.actions == []
    code = mover.play([str(going_on), "end"])
    ply, actions, sealed = code.fields
    for wrong, words in (
        (("3", actions, sealed), "a mail is missing"),
        (("x", actions, sealed), "no number"),
        (("-1", actions, sealed), "no number"),
        ((ply, actions, "aaaaaaaa"), "not the one that the other side has"),
        ((ply, actions + ",end", sealed), "over before"),
        ((ply, str(going_on), sealed), "goes on"),
        ((ply, "", sealed), "action"),
    ):
        with pytest.raises(cyvasse.CyvasseError, match=words):
            other.take(Code("turn", other.game, wrong))
    with pytest.raises(MailError, match="another game"):
        other.take(Code("turn", "aaaaaaaa", code.fields))
    assert other.actions == []
    other.take(code)
    with pytest.raises(MailError, match="old or a changed"):
        other.take(Code("turn", other.game, (ply, "pass", sealed)))


def _goes_on(game: cyvasse.Game, action: str) -> bool:
    ahead = game.position
    ahead.play(action)
    return ahead.in_turn


def test_draws_and_resigning() -> None:
    sides = opened()
    white, black = sides[WHITE], sides[BLACK]
    with pytest.raises(MailError, match="no draw"):
        white.agree()
    assert "offers a draw" in black.take(white.offer())
    with pytest.raises(MailError, match="agree to it"):
        black.offer()
    agreed = black.agree()
    assert "agrees" in white.take(agreed)
    assert str(white.outcome()) == str(black.outcome())
    with pytest.raises(MailError, match="over"):
        white.resign()
    sides = opened()
    assert "resigned" in sides[WHITE].take(sides[BLACK].resign())
    outcome = sides[WHITE].outcome()
    assert outcome is not None
    assert outcome.winner is WHITE
    sides = opened()
    with pytest.raises(MailError, match="no draw"):
        sides[WHITE].take(Code("agree", sides[WHITE].game, ("black", "0")))
    with pytest.raises(MailError, match="White is you"):
        sides[WHITE].take(Code("resign", sides[WHITE].game, ("white", "0")))


def test_an_offer_lapses_when_the_other_plays_on() -> None:
    sides = opened("gameofcyvasse")
    turn = sides[WHITE].board().turn
    mover, other = sides[turn], sides[turn.other]
    mover.take(other.offer())
    other.take(mover.play([str(mover.board().legal_actions()[0])]))
    assert mover.offered is other.offered is None


def test_codes_that_cannot_be_read() -> None:
    good = str(Code("commit", "abcdefgh", ("white", "x" * 52)))
    for text, words in (
        ("", "no code"),
        ("hello", "no code"),
        (good[:-1], "its end is missing"),
        (good.replace("x", "y", 1), "does not add up"),
        (good.replace("cyv1", "cyv2"), "version 2"),
        (str(Code("nothing", "g", ())), "no code of the kind"),
        (str(Code("turn", "g", ("1",))), "has a game"),
        ("[cyv1.]", "does not add up"),
        ("a" * 1_000_001, "too long"),
    ):
        with pytest.raises(MailError, match=words):
            read_codes(text)
    assert len(read_codes(good + "and" + good)) == 2


@given(st.text(max_size=200) | st.text("[]cyv1.turn\n> -a9,", max_size=200))
def test_no_text_is_too_strange(text: str) -> None:
    try:
        codes = read_codes(text)
    except MailError:
        return
    sides = opened()
    for code in codes:
        with pytest.raises(MailError):
            sides[WHITE].take(code)


@given(st.data())
def test_strange_codes_are_refused_and_change_nothing(data: st.DataObject) -> None:
    side = opened()[WHITE]
    known = ["white", "black", "0", "1", side.game, str(side.salt), "e4-e5", "pass", "", "é"]
    parts = st.sampled_from(known) | st.text("abcxyz0129-,@~^*=", max_size=12)
    kind = data.draw(
        st.sampled_from(["invite", "commit", "open", "turn", "resign", "offer", "agree"])
    )
    count = {"invite": 2, "commit": 2, "open": 3, "turn": 3}.get(kind, 2)
    fields = tuple(data.draw(parts) for _ in range(count))
    before = side.document()
    try:
        side.take(Code(kind, side.game, fields))
    except cyvasse.CyvasseError:
        assert side.document() == before


def test_files_that_were_changed() -> None:
    document = opened()[WHITE].document()
    good = Correspondence.from_document(document)
    assert good.document() == document
    for change in (
        {"format": "else"},
        {"seat": "green"},
        {"rule_set": "chess"},
        {"actions": ["a1-a1"]},
        {"actions": "e4"},
        {"their_setup": "nonsense"},
        {"their_salt": "x"},
        {"setup": 3},
        {"more": 1},
        {"game": None},
        {"ended": "both"},
    ):
        with pytest.raises(MailError):
            Correspondence.from_document({**document, **change})
    others: list[object] = [None, [], "text", {}]
    for other in others:
        with pytest.raises(MailError):
            Correspondence.from_document(other)


def test_each_reads_what_was_done_to_whom() -> None:
    """A turn comes with its sentences, the end with its cause, and both are addressed."""
    sides = opened("nine-tile", seed=5)
    mover = sides[sides[WHITE].board().turn]
    other = sides[mover.me.other]
    action = next(each for each in mover.board().legal_actions() if each.kind == "move")
    code = mover.play([str(action)] if not goes_on(mover, str(action)) else [str(action), "end"])
    told = other.take(code)
    assert f"{mover.me.title}'s" in told
    assert f"from {action.origin} to {action.target}." in told
    assert mover.told()[0].startswith("Your ")
    mover.resign()
    assert mover.next_step() == f"The game is over. {other.me.title} won: you resigned."


def goes_on(side: Correspondence, action: str) -> bool:
    ahead = side.board()
    ahead.play(action)
    return ahead.in_turn
