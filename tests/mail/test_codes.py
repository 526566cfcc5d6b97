"""Codes as they arrive: what mail programs do to them, and what hostile people put into them."""

from __future__ import annotations

import pytest

from cyvasse.mail import Code, MailError, read_codes

TURN = Code("turn", "q7wd2mzk", ("4", "e4-e5,end", "hq3mzx5a"))
OFFER = Code("offer", "q7wd2mzk", ("white", "4"))


@pytest.mark.parametrize(
    "mail",
    [
        f"\ufeff{TURN}",
        f"“{TURN}”.",
        f"{str(TURN)[:20]}\u200b{str(TURN)[20:]}",  # a place where a line may be broken
        f"{str(TURN)[:20]}\u00ad\r\n{str(TURN)[20:]}",
        f"{str(TURN)[:9]}\u00a0{str(TURN)[9:]}",
        f"> > {str(TURN)[:20]}\r\n> > {str(TURN)[20:]}\r\n",
        f"> {str(TURN)[:20]}\r> {str(TURN)[20:]}",
        f">> | {str(TURN)[:20]}\u2028>> | {str(TURN)[20:]}",
        f"Dear [cyvasse] friend,\n{TURN}, [cyv",
    ],
)
def test_what_mail_programs_do(mail: str) -> None:
    assert read_codes(mail) == [TURN]


@pytest.mark.parametrize(
    ("mail", "words"),
    [
        (f"{str(TURN)[:-3]}\n{OFFER}", "line 1, column 1: .*its end is missing"),
        (
            f"Hey!\n> ah, {str(TURN)[:-3]}\nGrüße {OFFER}",
            "line 2, column 7: .*its end is missing",
        ),
        (f"{OFFER} [x]\n [] {str(TURN).replace('e4', 'e3')}", r"line 2, column 5: .*does not add"),
        (str(TURN).upper(), "capitals"),
        (str(TURN).replace("e4", "\u04354"), r"line 1, column 1: .*'\\u0435'"),
        (str(Code("turn", "q7wd\x1bcmz", TURN.fields)), r"line 1, column 1: .*'\\x1b'"),
        ("[cyv1.turn.q7wd\udcffmz.aaaaa]", r"line 1, column 1: .*'\\udcff'"),
        (f"[cyv{'9' * 1000}.turn]", "version 99999"),
    ],
)
def test_where_a_code_is_wrong(mail: str, words: str) -> None:
    with pytest.raises(MailError, match=words) as refused:
        read_codes(mail)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300
