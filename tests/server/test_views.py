"""What each viewer is told: the same, whatever stands behind the other player's screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import cyvasse
from cyvasse import Color, Game, RuleSet, Setup
from cyvasse.notation import write_setup
from cyvasse.notation.documents import setup_document
from cyvasse.rules.terms import BLACK, WHITE
from cyvasse.server import views
from cyvasse.server.contest import Agreement, Contest, Occupant, Status
from cyvasse.server.events import Aborted, AnyEvent, Lifted, LoggedEvent, Played, Ready, public
from cyvasse.server.problems import Refusal
from cyvasse.server.routes.games import game_file, position_after
from tests.strategies import IDS, seeds

PEOPLE = {WHITE: "person-w", BLACK: "person-b"}
SPECTATOR, STRANGER = "person-s", None
encode = msgspec.json.Encoder(order="deterministic").encode

rule_sets = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=IDS)


class Step(NamedTuple):
    """Something that a player does before the screen is lifted."""

    do: str
    color: Color


steps = st.lists(
    st.builds(
        Step,
        st.sampled_from(["submit", "submit", "withdraw", "abort", "nonsense"]),
        st.sampled_from(list(Color)),
    ),
    max_size=8,
)


def new_contest(rules: RuleSet, *, shared: bool = False, **agreed: Any) -> Contest:
    """A game in which both sit; at one screen both are White's person."""
    people = {color: PEOPLE[WHITE if shared else color] for color in Color}
    players = {color: Occupant(color.title, people[color]) for color in Color}
    return Contest("game", Agreement(rules.id, shared=shared, **agreed), players, 1_000)


def happen(contest: Contest, events: Sequence[AnyEvent]) -> None:
    for event in events:
        contest.apply(LoggedEvent(contest.number + 1, 1_000 + contest.number, event))


def lift(contest: Contest, setups: dict[Color, Setup]) -> None:
    for color, setup in setups.items():
        happen(contest, contest.ready(color, setup))


def go(contest: Contest, script: Sequence[Step], setups: dict[Color, list[Setup]]) -> list[str]:
    """Let a script happen; what became of each step.  The screen stays where it is."""
    became = []
    for number, (do, color) in enumerate(script):
        setup = setups[color][number % len(setups[color])]
        try:
            if do == "submit":
                document = setup_document(contest.game.rules, setup)
                events = contest.submit(color, document)
            elif do == "withdraw":
                events = contest.withdraw(color)
            elif do == "abort":
                events = contest.abort(color)
            else:
                document = setup_document(contest.game.rules, setup)
                document["pieces"] = document["pieces"][1:]
                events = contest.submit(color, document)
        except Refusal as refusal:
            became.append(type(refusal).__name__)
            continue
        if any(isinstance(event, Lifted) for event in events):
            became.append("too early")
            continue
        happen(contest, events)
        became.append("done")
    return became


def known(contest: Contest, person: str | None) -> list[bytes]:
    """Everything that a person can be told of a contest, in bytes."""
    now = 10_000
    messages: list[Any] = [
        views.snapshot(contest, person, now),
        views.current(contest, now),
        views.standing(contest, now),
        *(views.update(contest, contest.log[n:], now) for n in range(contest.number + 1)),
    ]
    texts = [game_file(contest), str(contest.game), repr(contest.game)]
    for ply in (None, 0, 1):
        with pytest.raises(Refusal) as refusal:
            position_after(contest.game, ply)
        texts.append(str(refusal.value))
    return [encode(message) for message in messages] + [text.encode() for text in texts]


def check_no_interference(
    rules: RuleSet, script: Sequence[Step], hidden: Color, first: int, second: int
) -> None:
    """Play a script with two lots of setups for one player; the others learn the same."""
    knowledge = []
    for seed in (first, second):
        setups = {
            hidden: [rules.random_setup(hidden, seed=seed + i) for i in range(3)],
            hidden.other: [rules.random_setup(hidden.other, seed=i) for i in range(3)],
        }
        contest = new_contest(rules)
        became = go(contest, script, setups)
        others = (PEOPLE[hidden.other], SPECTATOR, STRANGER)
        knowledge.append([became, *(known(contest, person) for person in others)])
    assert knowledge[0] == knowledge[1]


@rule_sets
@given(steps, st.sampled_from(list(Color)), seeds, seeds)
@example([Step("submit", WHITE), Step("abort", BLACK)], WHITE, 1, 2)
@example([Step("submit", BLACK), Step("submit", BLACK), Step("withdraw", BLACK)], BLACK, 1, 2)
def test_no_setup_makes_a_difference_to_others(
    rules: RuleSet, script: list[Step], hidden: Color, first: int, second: int
) -> None:
    check_no_interference(rules, script, hidden, first, second)


def keep_secret(logged: LoggedEvent) -> LoggedEvent:
    return logged


def look_as_white(contest: Contest, person: str | None) -> Color:
    return WHITE


def view_all(game: Game, viewer: Color | None = None) -> dict[str, Any]:
    seen = view(game, viewer)
    return seen | {"setups": {str(c): write_setup(s) for c, s in game._setups.items()}}


def view_length(game: Game, viewer: Color | None = None) -> dict[str, Any]:
    lengths = [len(write_setup(setup)) for setup in game._setups.values()]
    return view(game, viewer) | {"setups": {"lengths": lengths}}


def telling_file(contest: Contest) -> str:
    return f"{contest.game._setups}"


view = Game.view

LEAKS: dict[str, tuple[str, Callable[..., Any]]] = {
    "events are told as they are": ("cyvasse.server.contest.public", keep_secret),
    "everyone looks as White": ("cyvasse.server.views.viewer", look_as_white),
    "the view shows all setups": ("cyvasse.game.Game.view", view_all),
    "the view shows their lengths": ("cyvasse.game.Game.view", view_length),
    "the file holds setups": (f"{__name__}.game_file", telling_file),
}


@rule_sets
@pytest.mark.parametrize("leak", LEAKS)
def test_the_check_finds_leaks(rules: RuleSet, leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = [Step("submit", WHITE)]
    lengths = [len(write_setup(rules.random_setup(WHITE, seed=seed))) for seed in range(20)]
    other = next(seed for seed in range(20) if lengths[seed] != lengths[0])
    check_no_interference(rules, script, WHITE, 0, other)
    monkeypatch.setattr(*LEAKS[leak])
    with pytest.raises(AssertionError):
        check_no_interference(rules, script, WHITE, 0, other)


@rule_sets
@given(seeds)
def test_the_owner_sees_the_own_setup_only(rules: RuleSet, seed: int) -> None:
    setups = {color: rules.random_setup(color, seed=seed) for color in Color}
    for owner in Color:
        contest = new_contest(rules)
        happen(contest, contest.ready(owner, setups[owner]))
        own = {str(owner): setup_document(rules, setups[owner])}
        for person, seen in [
            (PEOPLE[owner], own),
            (PEOPLE[owner.other], {}),
            (SPECTATOR, {}),
            (STRANGER, {}),
        ]:
            assert views.snapshot(contest, person, 0).view["setups"] == seen
        happen(contest, contest.abort(owner.other))
        assert contest.status is Status.ABORTED
        for person, seen in [(PEOPLE[owner], own), (PEOPLE[owner.other], {}), (SPECTATOR, {})]:
            assert views.snapshot(contest, person, 0).view["setups"] == seen


@rule_sets
@given(seeds)
def test_lifting_shows_both_to_everyone(rules: RuleSet, seed: int) -> None:
    setups = {color: rules.random_setup(color, seed=seed) for color in Color}
    contest = new_contest(rules)
    lift(contest, setups)
    expected = {str(color): setup_document(rules, setup) for color, setup in setups.items()}
    for person in (*PEOPLE.values(), SPECTATOR, STRANGER):
        assert views.snapshot(contest, person, 0).view["setups"] == expected
    for last in range(contest.number):
        assert views.update(contest, contest.log[last:], 0).setups == expected
    assert views.update(contest, [], 0).setups is msgspec.UNSET
    assert write_setup(setups[WHITE]) in game_file(contest)


@rule_sets
@given(seeds, seeds, st.sampled_from(list(Color)))
def test_one_screen_shows_the_first_setup_to_nobody(
    rules: RuleSet, one: int, other: int, first: Color
) -> None:
    assume(one != other)
    knowledge = []
    for seed in (one, other):
        contest = new_contest(rules, shared=True)
        happen(contest, contest.ready(first, rules.random_setup(first, seed=seed)))
        assert views.viewer(contest, PEOPLE[WHITE]) is None
        knowledge.append([known(contest, person) for person in (PEOPLE[WHITE], None)])
    assert knowledge[0] == knowledge[1]


@rule_sets
def test_one_screen_shows_nothing_to_who_has_one_of_its_seats(rules: RuleSet) -> None:
    contest = new_contest(rules, shared=True)
    happen(contest, contest.ready(WHITE, rules.random_setup(WHITE, seed=1)))
    contest.players[BLACK] = Occupant("Somebody", "another person")
    assert views.snapshot(contest, PEOPLE[WHITE], 0).view["setups"] == {}


@rule_sets
@given(seeds)
def test_only_legal_drafts_count_when_the_time_is_over(rules: RuleSet, seed: int) -> None:
    legal = {color: rules.random_setup(color, seed=seed) for color in Color}
    illegal = {color: replace(setup, pieces={}) for color, setup in legal.items()}
    contest = new_contest(rules, setup_seconds=10)
    assert [type(event) for event in contest.setup_over(dict(legal))] == [Ready, Ready, Lifted]
    cases: list[tuple[dict[Color, Setup | None], str]] = [
        ({}, "White and Black were"),
        ({WHITE: illegal[WHITE]}, "White and Black were"),
        ({WHITE: legal[WHITE], BLACK: illegal[BLACK]}, "Black was"),
        ({WHITE: None, BLACK: legal[BLACK]}, "White was"),
    ]
    for drafts, late in cases:
        assert contest.setup_over(drafts) == [
            Aborted(f"{late} not ready when the time for setting up was over.")
        ]


@given(st.text(), st.integers(1), st.integers(0), st.sampled_from(["white", "black"]))
def test_public_leaves_out_the_setup_and_nothing_else(
    text: str, number: int, at: int, seat: Any
) -> None:
    assert public(LoggedEvent(number, at, Ready(seat, text))) == LoggedEvent(
        number, at, Ready(seat)
    )
    played = LoggedEvent(number, at, Played(seat, text))
    assert public(played) is played
