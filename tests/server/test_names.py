"""Names and what is said: plain text, one line, nobody twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse.server.names import (
    ADJECTIVES,
    NOUNS,
    account_key,
    account_name,
    guest_name,
    plain_text,
)


@given(st.text(max_size=30))
def test_guests_have_friendly_names(id: str) -> None:
    adjective, noun, number = guest_name(id).split(" ")
    assert adjective in ADJECTIVES
    assert noun in NOUNS
    assert len(number) == 3
    assert number.isdecimal()
    assert guest_name(id) == guest_name(id)


def test_guests_differ() -> None:
    assert len({guest_name(str(i)) for i in range(1000)}) > 990


@given(st.text(max_size=30))
def test_no_account_is_named_like_a_guest(id: str) -> None:
    assert account_name(guest_name(id)) is None


@pytest.mark.parametrize("name", ["ab", "Arianne", "a" * 20, "x-y_z", "Ærys", "名前"])
def test_accounts_may_be_called(name: str) -> None:
    assert account_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "a", "a" * 21, "a b", "a\nb", "<b>", "a.b", "a\u202eb", "a\u200bb", "a/b", "ab\n"]
)
def test_accounts_may_not_be_called(name: str) -> None:
    assert account_name(name) is None


@pytest.mark.parametrize(
    ("one", "same"), [("Doran", "dORAN"), ("Strauß", "STRAUSS"), ("ﬁre", "FIRE")]
)
def test_letter_case_makes_no_second_person(one: str, same: str) -> None:
    assert account_key(one) == account_key(same)


@given(st.text())
def test_remarks_are_one_line_of_text(text: str) -> None:
    plain = plain_text(text)
    assert plain == plain_text(plain)
    assert plain == plain.strip()
    assert plain.splitlines() == ([plain] if plain else [])
    assert not any(c in plain for c in "\x00\x1b\x7f\u202e\u2066\ufeff")


def test_remarks_keep_what_was_written() -> None:
    assert plain_text("  <b>well\tplayed</b>\r\n& thanks 👩\u200d🎨 ") == (
        "<b>well played</b> & thanks 👩\u200d🎨"
    )
