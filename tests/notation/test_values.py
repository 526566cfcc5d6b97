"""Field values of every shape, also those that no registered rule set uses yet."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cyvasse import NotationError, RuleSet, rule_sets
from cyvasse.notation import write_setup
from cyvasse.notation.values import _Parser, _plain, _read, read_fields, write_fields
from cyvasse.rules.croft.board import CROFT
from cyvasse.rules.terms import (
    Counts,
    Direction,
    Field,
    Flag,
    PerColor,
    PerSquare,
    Record,
    Shape,
    Square,
    Squares,
    Word,
    check_fields,
    turn_fields,
)
from tests.strategies import IDS

FIELDS = (
    Field("held", Flag(), ""),
    Field("stage", Word(("corner", "promotion")), ""),
    Field("second_rabble", Square(), ""),
    Field("mountains", Squares(), ""),
    Field("facing", PerSquare(Direction()), ""),
    Field("reserves", PerColor(Counts(("king", "rabble"))), ""),
    Field("keeps", PerColor(Record({"at": Square(), "home": Squares()})), ""),
)
squares = st.sampled_from(CROFT.squares)
square_sets = st.sets(squares, max_size=5).map(sorted)
counts = st.dictionaries(st.sampled_from(["king", "rabble"]), st.integers(0, 99))
keeps = st.fixed_dictionaries({"at": st.none() | squares, "home": square_sets})


def both(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"white": values, "black": values})


values = st.fixed_dictionaries(
    {},
    optional={
        "held": st.booleans(),
        "stage": st.none() | st.sampled_from(["corner", "promotion"]),
        "second_rabble": st.none() | squares,
        "mountains": square_sets,
        "facing": st.dictionaries(squares, st.sampled_from(CROFT.directions), max_size=4),
        "reserves": both(counts),
        "keeps": both(keeps),
    },
)


@given(values)
def test_round_trip(given_values: dict[str, Any]) -> None:
    checked = check_fields(FIELDS, given_values, CROFT, "a test")
    text = write_fields(FIELDS, checked)
    assert " " not in text
    assert text.isascii()
    assert read_fields(FIELDS, text, CROFT, "a test") == checked
    turned = turn_fields(FIELDS, checked, CROFT)
    assert turn_fields(FIELDS, turned, CROFT) == checked


def test_looks() -> None:
    checked = check_fields(
        FIELDS,
        {
            "held": True,
            "mountains": ["b10", "a1"],
            "facing": {"c2": "SW"},
            "keeps": {"white": {"at": "d2", "home": ["c2", "c1"]}, "black": {}},
        },
        CROFT,
        "a test",
    )
    assert (
        write_fields(FIELDS, checked)
        == "held=yes;mountains=a1,b10;facing=c2:SW;keeps=white:(at:d2,home:(c1,c2))"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "held",
        "held=maybe",
        "held=(yes)no",
        "stage=other",
        "second_rabble=z9",
        "second_rabble=a1,b1",
        "mountains=a1,a1",
        "mountains=a1:b1",
        "mountains=(a1",
        "mountains=a1,,b1",
        "facing=a1",
        "facing=a1:UP",
        "facing=a1:N,a1:S",
        "reserves=white:(king:x)",
        "reserves=white:(king:100)",
        "reserves=white:(pawn:1)",
        "reserves=red:(king:1)",
        "keeps=white:(at:d2,home:(c1,c2)",
        "keeps=white:(at:(d2,d3))",
        "unknown=1",
        "held=yes;held=yes",
        "held=yes;;",
        "mountains=" + "(" * 5000,
        "mountains=ä1",
        "reserves=white:(king:\u0661)",
    ],
)
def test_malformed(text: str) -> None:
    with pytest.raises(NotationError):
        read_fields(FIELDS, text, CROFT, "a test")


@given(st.text(alphabet="aehkmn123,:()=;- ", max_size=60))
def test_garbage_raises_only_its_own_error(text: str) -> None:
    with contextlib.suppress(NotationError):
        read_fields(FIELDS, text, CROFT, "a test")


words = st.sampled_from(["yes", "no", "corner", "a1", "b2", "-", "white", "black", "at", "home"])
flat = st.lists(
    words | st.tuples(words, words).map(":".join), min_size=1, max_size=3, unique=True
).map(",".join)


@given(st.sampled_from([field.shape for field in FIELDS] + [PerColor(Flag())]), flat)
def test_a_plain_text_means_the_same(shape: Shape, text: str) -> None:
    """Texts without parentheses go a quicker way, or are left to the parser."""
    plain = _plain(shape, text, CROFT)
    if plain is not None:
        parsed = _read(shape, _Parser(text, "x").tree(), "x")
        assert plain == shape.check(parsed, CROFT, "x")
        assert repr(plain) == repr(shape.check(plain, CROFT, "x"))


@pytest.mark.parametrize("rules", rule_sets(), ids=IDS)
def test_setups_need_no_parser(rules: RuleSet) -> None:
    """Or the figures of the benchmark for files would be others."""
    for setup in rules.named_setups().values():
        fields = write_setup(setup).split()[-1]
        for part in [] if fields == "-" else fields.split(";"):
            name, _, text = part.partition("=")
            [shape] = [field.shape for field in rules.setup_fields if field.name == name]
            assert _plain(shape, text, rules.board) == setup.fields[name]
