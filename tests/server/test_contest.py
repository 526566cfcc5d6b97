"""A contest without a server: every command, every refusal, and the same again from its events."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import pytest

import cyvasse
from cyvasse.notation import write_setup
from cyvasse.notation.documents import setup_document
from cyvasse.notation.forms import SetupDocument
from cyvasse.rules.terms import BLACK, WHITE, Color
from cyvasse.server import messages as m
from cyvasse.server.clocks import DAY, DaysPerTurn, Fischer
from cyvasse.server.commands import decide, free_seat
from cyvasse.server.contest import Agreement, Ahead, Contest, Occupant, Status
from cyvasse.server.events import (
    Aborted,
    Agreed,
    AnyEvent,
    Asked,
    Declined,
    Flagged,
    Joined,
    Lifted,
    LoggedEvent,
    Offered,
    Outage,
    Played,
    Ready,
    RematchAsked,
    Rematched,
    Resigned,
    TookBack,
    restored,
    stored,
    word,
)
from cyvasse.server.problems import Behind, Illegal, NotYours, Refusal, Unfit

RULE_SETS = [rules.id for rules in cyvasse.rule_sets()]
START = 1_700_000_000_000
PEOPLE: dict[Color, Occupant | None] = {WHITE: Occupant("Wyl", "w"), BLACK: Occupant("Bors", "b")}
BOT: dict[Color, Occupant | None] = {WHITE: Occupant("Wyl", "w"), BLACK: Occupant("Bot", bot=3)}
ALONE: dict[Color, Occupant | None] = {WHITE: Occupant("Wyl", "w"), BLACK: Occupant("Wyl", "w")}


class Table:
    """A contest with a time of its own, and the events that were kept of it."""

    def __init__(
        self,
        rule_set: str = "nine-tile",
        players: dict[Color, Occupant | None] = PEOPLE,
        **agreement: Any,
    ) -> None:
        self.agreement = Agreement(rule_set, **agreement)
        self.contest = Contest("game", self.agreement, players, START)
        self.now = START
        self.kept: list[LoggedEvent] = []
        self.rules = cyvasse.rule_set(rule_set)

    def happen(self, events: list[AnyEvent]) -> list[AnyEvent]:
        for event in events:
            logged = LoggedEvent(self.contest.number + 1, self.now, event)
            self.contest.apply(logged)
            self.kept.append(LoggedEvent(logged.number, self.now, restored(stored(event))))
        return events

    def do(self, person: str | None, command: m.AnyCommand) -> list[AnyEvent]:
        events = decide(self.contest, person, command, self.now)
        assert isinstance(events, list), "it was only shown"
        return self.happen(events)

    def setup(self, color: Color, seed: int = 1) -> SetupDocument:
        return setup_document(self.rules, self.rules.random_setup(color, seed=seed))

    def ready(self) -> Table:
        """Both submit and the screen is lifted."""
        for color in Color:
            if not self.contest.game.is_ready(color):
                self.happen(self.contest.submit(color, self.setup(color)))
        return self

    def play(self, index: int = 0) -> list[AnyEvent]:
        game = self.contest.game
        legal = game.legal_actions()
        action = str(legal[index % len(legal)])
        return self.happen(self.contest.play(game.turn, action, game.ply))

    def play_turn(self) -> Color:
        """Play until somebody else is to act; who did."""
        mover = self.contest.game.turn
        while self.contest.game.turn is mover:
            self.play()
        return mover

    def person(self, color: Color) -> str:
        return "w" if color is WHITE else "b"

    @property
    def mover(self) -> Color:
        return self.contest.game.turn

    def again(self) -> Contest:
        """The same contest, made from what was kept, as another worker would."""
        other = Contest("game", self.agreement, self.contest.players, START)
        other.apply_all(self.kept)
        return other

    def assert_same(self) -> None:
        assert state(self.again(), self.now) == state(self.contest, self.now)


def state(contest: Contest, now: int) -> dict[str, Any]:
    """Everything about a contest, clocks included."""
    known = {key: value for key, value in vars(contest).items() if key not in ("game", "clock")}
    clock = contest.clock
    return {
        **known,
        "status": contest.status,
        "deadline": contest.deadline,
        "turn": contest.turn,
        "bot": contest.bot_to_act,
        "running": clock.running,
        "left": [clock.left(color, now + 777) for color in Color],
        "views": [contest.game.view(viewer) for viewer in (None, *Color)],
    }


def refused(act: Callable[[], object], words: str, kind: type[Refusal] = Refusal) -> None:
    with pytest.raises(kind, match=words) as error:
        act()
    assert type(error.value) is kind


# --- seats ----------------------------------------------------------------------------------------


def test_nobody_acts_for_another_seat() -> None:
    table = Table().ready()
    mover = table.mover
    action = str(table.contest.game.legal_actions()[0])
    play = m.Play(action=action, ply=0)
    for stranger in (None, "x", ""):
        refused(lambda who=stranger: table.do(who, play), "watching", NotYours)  # type: ignore[misc]
    refused(lambda: table.do(table.person(mover.other), play), "turn")
    other = m.Play(action=action, ply=0, seat=word(mover))
    refused(lambda: table.do(table.person(mover.other), other), "You play", NotYours)
    assert table.do(table.person(mover), other) == [Played(word(mover), action)]


def test_at_one_screen_a_seat_must_be_named() -> None:
    table = Table(players=ALONE, shared=True)
    refused(lambda: table.do("w", m.Resign()), "seat", Unfit)
    refused(lambda: table.do("w", m.Submit(setup={})), "seat", Unfit)
    table.ready()
    assert table.do("w", m.Play(action=str(table.contest.game.legal_actions()[0]), ply=0))


def test_joining() -> None:
    table = Table(players={WHITE: Occupant("Wyl", "w"), BLACK: None}, setup_seconds=60)
    contest = table.contest
    assert str(contest.status) == "open"
    assert contest.deadline is None
    bors = Occupant("Bors", "b")
    refused(lambda: free_seat(contest, Occupant("Wyl", "w"), "word", "word"), "already sit")
    refused(lambda: free_seat(contest, bors, None, "word"), "link", NotYours)
    refused(lambda: free_seat(contest, bors, "wrong", "word"), "link", NotYours)
    assert free_seat(contest, bors, "word", "word") is BLACK
    assert free_seat(contest, bors, None, None) is BLACK
    table.now += 5_000
    table.happen([Joined("black", "Bors", "b")])
    assert contest.players[BLACK] == bors
    assert contest.status is Status.SETUP
    assert contest.deadline == START + 65_000
    refused(lambda: free_seat(contest, Occupant("Ser", "s"), None, None), "taken")
    table.assert_same()


def test_nobody_joins_what_was_called_off() -> None:
    table = Table(players={WHITE: Occupant("Wyl", "w"), BLACK: None})
    table.do("w", m.Abort())
    refused(lambda: free_seat(table.contest, Occupant("Bors", "b"), None, None), "called off")


# --- behind the screen ----------------------------------------------------------------------------


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_the_screen_is_lifted_when_both_are_ready(rule_set: str) -> None:
    table = Table(rule_set, clock=Fischer(60))
    assert [type(event) for event in table.do("w", m.Submit(setup=table.setup(WHITE)))] == [Ready]
    assert str(table.contest.status) == "setup"
    assert table.contest.clock.running is None
    table.now += 3_000
    events = table.do("b", m.Submit(setup=table.setup(BLACK)))
    assert [type(event) for event in events] == [Ready, Lifted]
    assert table.contest.status is Status.PLAYING
    assert table.contest.clock.running is table.mover
    assert table.contest.deadline == table.now + 60_000
    table.assert_same()


def test_what_is_told_holds_no_setup() -> None:
    table = Table()
    table.do("w", m.Submit(setup=table.setup(WHITE)))
    assert [told.event for told in table.contest.log] == [Ready("white")]


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_every_problem_of_a_setup_is_named(rule_set: str) -> None:
    table = Table(rule_set)
    setup = table.setup(WHITE)
    setup["pieces"] = setup["pieces"][2:]
    with pytest.raises(Illegal) as error:
        table.do("w", m.Submit(setup=setup))
    assert error.value.problem.problems
    refused(lambda: table.do("w", m.Submit(setup={"pieces": 1})), "pieces", Illegal)
    refused(lambda: table.do("b", m.Submit(setup=table.setup(WHITE))), "White|white", Illegal)
    assert table.contest.number == 0


def test_a_setup_may_be_changed_until_the_screen_is_lifted() -> None:
    table = Table()
    refused(lambda: table.do("w", m.Withdraw()), "not submitted")
    table.do("w", m.Submit(setup=table.setup(WHITE)))
    assert table.do("w", m.Submit(setup=table.setup(WHITE, 2)))
    table.do("w", m.Withdraw())
    assert not table.contest.game.is_ready(WHITE)
    table.assert_same()
    table.ready()
    refused(lambda: table.do("w", m.Withdraw()), "lifted")
    refused(lambda: table.do("w", m.Submit(setup=table.setup(WHITE, 2))), "lifted")


def test_the_same_setup_twice_is_one() -> None:
    table = Table()
    submit = m.Submit(setup=table.setup(WHITE))
    assert len(table.do("w", submit)) == 1
    assert table.do("w", submit) == []
    table.do("w", m.Withdraw())
    assert len(table.do("w", submit)) == 1


def test_at_one_screen_a_setup_stays() -> None:
    table = Table(players=ALONE, shared=True)
    submit = m.Submit(setup=table.setup(WHITE), seat="white")
    table.do("w", submit)
    # The same setup too: else it could be guessed.
    refused(lambda: table.do("w", submit), "stays as it is")
    refused(lambda: table.do("w", m.Withdraw(seat="white")), "stays as it is")


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_who_begins(rule_set: str) -> None:
    rules = cyvasse.rule_set(rule_set)
    for color in Color:
        assert Table(rule_set, first=word(color)).ready().mover is color
    lots = {Table(rule_set, first="lot").ready().mover for _ in range(40)}
    assert lots == set(Color)
    usual = {Table(rule_set).ready().mover for _ in range(40)}
    assert usual == ({rules.first_player} if rules.first_player else set(Color))


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_legal_draft_is_submitted_when_the_time_is_over(rule_set: str) -> None:
    table = Table(rule_set, setup_seconds=60, clock=Fischer(60))
    assert table.contest.deadline == START + 60_000
    drafts = {color: table.rules.random_setup(color, seed=3) for color in Color}
    table.now += 60_000
    events = table.happen(table.contest.setup_over({**drafts}))
    assert [type(event) for event in events] == [Ready, Ready, Lifted]
    assert table.contest.game.setup(WHITE) == table.rules.canonical_setup(drafts[WHITE])
    assert table.contest.deadline == table.now + 60_000
    table.assert_same()


def test_a_submitted_setup_counts_more_than_a_draft() -> None:
    table = Table(setup_seconds=60)
    table.do("w", m.Submit(setup=table.setup(WHITE, 1)))
    drafts = {color: table.rules.random_setup(color, seed=2) for color in Color}
    events = table.happen(table.contest.setup_over({**drafts}))
    assert [type(event) for event in events] == [Ready, Lifted]
    expected = table.rules.canonical_setup(table.rules.random_setup(WHITE, seed=1))
    assert table.contest.game.setup(WHITE) == expected


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_without_a_legal_draft_the_game_is_aborted(rule_set: str) -> None:
    table = Table(rule_set, setup_seconds=60)
    legal = table.rules.random_setup(WHITE, seed=1)
    broken = dataclasses.replace(legal, pieces=dict(list(legal.pieces.items())[1:]))
    for drafts, who in (
        ({WHITE: legal}, "Black was not ready"),
        ({BLACK: table.rules.random_setup(BLACK, seed=1)}, "White was not ready"),
        ({WHITE: broken, BLACK: table.rules.random_setup(BLACK, seed=1)}, "White was"),
        ({}, "White and Black were not ready"),
    ):
        (event,) = table.contest.setup_over(drafts)
        assert isinstance(event, Aborted)
        assert who in event.reason
    table.happen(table.contest.setup_over({}))
    assert table.contest.status is Status.ABORTED
    assert table.contest.deadline is None
    table.assert_same()


# --- play -----------------------------------------------------------------------------------------


def test_play_begins_when_the_screen_is_lifted() -> None:
    table = Table()
    for command in (
        m.Play(action="a1-a2", ply=0),
        m.PlayTurn(actions=["a1-a2"], ply=0),
        m.Resign(),
        m.OfferDraw(),
        m.AcceptDraw(),
        m.DeclineDraw(),
        m.AskTakeBack(),
        m.AllowTakeBack(),
        m.RefuseTakeBack(),
        m.ClaimTime(),
    ):
        refused(lambda it=command: table.do("w", it), "screen stands")  # type: ignore[misc]
    assert table.contest.number == 0


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_refused_actions(rule_set: str) -> None:
    table = Table(rule_set).ready()
    contest, mover = table.contest, table.mover
    refused(lambda: contest.play(mover, "?!", 0), "action", Illegal)
    square = table.rules.board.rows()[0][0]
    with pytest.raises(Illegal):
        contest.play(mover, f"{square}-{square}", 0)
    legal = str(contest.game.legal_actions()[0])
    refused(lambda: contest.play(mover.other, legal, 0), "turn")
    refused(lambda: contest.play(mover, legal, 1), "You have seen 1 actions, but 0", Behind)
    assert contest.number == 3


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_the_same_action_twice_is_one(rule_set: str) -> None:
    table = Table(rule_set).ready()
    mover = table.mover
    (played,) = table.play()
    assert isinstance(played, Played)
    assert table.contest.play(mover, played.action, 0) == []
    for _ in range(5):
        table.play()
    assert table.contest.play(mover, played.action, 0) == []
    refused(lambda: table.contest.play(mover.other, played.action, 0), "seen 0", Behind)
    refused(lambda: table.contest.play(mover, "?!", 0), "seen 0", Behind)


def test_the_last_action_of_a_game_twice_is_one() -> None:
    chance = random.Random(5)
    table = Table("croft").ready()
    while not table.contest.over:
        mover, ply = table.mover, table.contest.game.ply
        (played,) = table.play(chance.randrange(1000))
    assert isinstance(played, Played)
    assert table.contest.status is Status.FINISHED
    assert table.contest.play(mover, played.action, ply) == []
    refused(lambda: table.contest.play(mover, played.action, ply + 1), "over")
    table.assert_same()


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_turn_is_played_as_a_whole(rule_set: str) -> None:
    """Turn by turn through games: what is not whole is only shown, and changes nothing."""
    held = sum(play_whole_turns(rule_set, seed) for seed in range(3))
    assert held or rule_set not in MULTI_ACTION


def play_whole_turns(rule_set: str, seed: int) -> int:
    """How many times a turn of a game was not whole yet."""
    chance = random.Random(seed)
    table = Table(rule_set).ready()
    contest, held = table.contest, 0
    while not contest.over and contest.game.ply < 200:
        mover, ply, number = table.mover, contest.game.ply, contest.number
        ahead = contest.game.position
        actions: list[str] = []
        while not actions or (ahead.in_turn and ahead.turn is mover and not ahead.outcome()):
            if actions:
                shown = contest.play_turn(mover, actions, ply)
                assert isinstance(shown, Ahead)
                assert not shown.whole
                board = shown.board
                assert sorted(board["legal_actions"]) == sorted(ahead.action_texts())
                assert (board["in_turn"], board["ply"]) == (True, ply + len(actions))
                held += 1
            index = long_turn(ahead.copy(), chance)
            actions.append(str(ahead.legal_actions()[index]))
            ahead.play(actions[-1])
        shown = contest.play_turn(mover, actions, ply, hold=True)
        assert isinstance(shown, Ahead)
        assert shown.whole
        assert (contest.number, contest.game.ply) == (number, ply)
        events = table.do(
            table.person(mover), m.PlayTurn(actions=actions, ply=ply, seat=word(mover))
        )
        assert events == [Played(word(mover), action) for action in actions]
        assert contest.game.position.text() == ahead.text()
        assert contest.play_turn(mover, actions, ply) == []  # the answer was lost: once is enough
    table.assert_same()
    return held


def test_refused_turns() -> None:
    table = Table("gameofcyvasse").ready()
    contest, mover = table.contest, table.mover
    first, second = (str(action) for action in contest.game.legal_actions()[:2])
    refused(lambda: contest.play_turn(mover, ["?!"], 0), "action", Illegal)
    refused(lambda: contest.play_turn(mover, [first, second], 0), "over before", Illegal)
    refused(lambda: contest.play_turn(mover.other, [first], 0), "turn")
    refused(lambda: contest.play_turn(mover, [first], 1), "You have seen 1", Behind)
    assert contest.game.ply == 0
    contest.play_turn(mover, [first], 0)
    assert contest.game.ply == 0  # asking changes nothing; only events do


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_the_clock_runs_on_within_a_turn(rule_set: str) -> None:
    """Over whole games: increments come with the end of a turn, whatever a turn is."""
    within = sum(play_with_clock(rule_set, seed) for seed in range(3))
    assert within or rule_set not in MULTI_ACTION


def play_with_clock(rule_set: str, seed: int) -> int:
    """How many actions of a game did not end a turn."""
    chance = random.Random(seed)
    table = Table(rule_set, clock=Fischer(3600, 5), first="white").ready()
    game, clock = table.contest.game, table.contest.clock
    within = 0
    left = dict.fromkeys(Color, 3_600_000)
    while not table.contest.over and game.ply < 200:
        mover = game.turn
        assert clock.running is mover
        table.now += 1_000
        left[mover] -= 1_000
        table.play(long_turn(game.position, chance))
        if game.in_turn and not table.contest.over:
            within += 1
        else:
            left[mover] += 5_000
        assert {color: clock.left(color, table.now) for color in Color} == left
    table.assert_same()
    return within


MULTI_ACTION = {"nine-tile", "croft"}


def long_turn(position: cyvasse.Position, chance: random.Random) -> int:
    """An action at random, but rather one that does not end the turn."""
    legal = position.legal_actions()
    indices = chance.sample(range(len(legal)), len(legal))
    for index in indices:
        position.play(legal[index])
        going_on = position.in_turn
        position.undo()
        if going_on:
            return index
    return indices[0]


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_whole_turn_is_taken_back(rule_set: str) -> None:
    chance = random.Random(11)
    table = Table(rule_set, clock=DaysPerTurn(1)).ready()
    game = table.contest.game
    texts = [game.position.text()]
    starts: dict[Color, int] = {}
    for _ in range(60):
        if table.contest.over:
            break
        if not game.in_turn:
            starts[game.turn] = game.ply
        table.play(chance.randrange(1000))
        texts.append(game.position.text())
        if table.contest.over:
            break
        if not game.in_turn and chance.random() < 0.7:
            continue
        for asker in starts:
            copy = Table(rule_set, clock=DaysPerTurn(1))
            copy.contest = table.again()
            copy.kept = list(table.kept)
            copy.now = table.now + 1_000
            other = copy.person(asker.other)
            assert copy.do(copy.person(asker), m.AskTakeBack()) == [Asked(word(asker))]
            (back,) = copy.do(other, m.AllowTakeBack())
            assert back == TookBack(word(asker), starts[asker])
            assert copy.contest.game.position.text() == texts[starts[asker]]
            assert copy.contest.turn is asker
            assert copy.contest.clock.running is asker
            assert copy.contest.deadline is not None
            assert copy.contest.deadline <= copy.now + DAY
            copy.assert_same()
            copy.play(chance.randrange(1000))
            copy.assert_same()


def test_taking_back_is_asked_and_answered() -> None:
    table = Table("croft").ready()
    first = table.play_turn()
    me, other = table.person(first), table.person(first.other)
    refused(lambda: table.do(other, m.AskTakeBack()), "not played anything")
    refused(lambda: table.do(other, m.AllowTakeBack()), "not asked")
    refused(lambda: table.do(other, m.RefuseTakeBack()), "not asked")
    table.do(me, m.AskTakeBack())
    refused(lambda: table.do(me, m.AskTakeBack()), "wait for the answer")
    refused(lambda: table.do(me, m.AllowTakeBack()), "not asked")
    table.do(other, m.RefuseTakeBack())
    assert table.contest.asked is None
    assert table.contest.game.ply > 0
    table.do(me, m.AskTakeBack())
    table.play_turn()  # an answer of its own
    assert table.contest.asked is None
    refused(lambda: table.do(other, m.AllowTakeBack()), "not asked")
    table.do(other, m.AskTakeBack())
    refused(lambda: table.do(me, m.AskTakeBack()), "Answer your opponent")
    table.assert_same()


def test_taking_back_may_be_excluded() -> None:
    table = Table(take_backs=False).ready()
    mover = table.play_turn()
    refused(lambda: table.do(table.person(mover), m.AskTakeBack()), "agreed")


def test_a_bot_lets_everything_be_taken_back() -> None:
    table = Table("croft", players=BOT, first="white").ready()
    table.play_turn()
    assert table.contest.bot_to_act == 3
    assert table.do("w", m.AskTakeBack()) == [TookBack("white", 0)]
    assert table.contest.bot_to_act is None
    assert table.contest.game.ply == 0


def test_an_action_may_come_again_after_it_was_taken_back() -> None:
    table = Table("croft", players=BOT, first="white").ready()
    (played,) = table.play()
    assert isinstance(played, Played)
    table.do("w", m.AskTakeBack())
    assert table.contest.play(WHITE, played.action, 0) == [played]


# --- draws, resignation, abort --------------------------------------------------------------------


def test_draws_by_agreement() -> None:
    table = Table().ready()
    mover = table.mover
    me, other = table.person(mover), table.person(mover.other)
    for command in (m.AcceptDraw(), m.DeclineDraw()):
        refused(lambda it=command: table.do(me, it), "No draw is offered")  # type: ignore[misc]
    assert table.do(me, m.OfferDraw()) == [Offered(word(mover))]
    refused(lambda: table.do(me, m.AcceptDraw()), "No draw is offered")
    refused(lambda: table.do(me, m.OfferDraw()), "next action")
    assert table.do(other, m.DeclineDraw()) == [Declined(word(mover.other))]
    refused(lambda: table.do(me, m.OfferDraw()), "next action")
    table.play_turn()
    table.do(me, m.OfferDraw())
    table.assert_same()
    table.play_turn()  # whoever plays on has declined
    assert table.contest.offered is None
    table.do(other, m.OfferDraw())
    assert table.do(me, m.OfferDraw()) == [Agreed(word(mover))]
    assert table.contest.status is Status.FINISHED
    assert table.contest.offered is None
    table.assert_same()


def test_an_offer_stands_while_its_owner_plays_on() -> None:
    table = Table().ready()
    mover = table.mover
    table.do(table.person(mover), m.OfferDraw())
    table.play_turn()
    assert table.contest.offered is mover
    table.do(table.person(mover.other), m.AcceptDraw())
    assert str(table.contest.outcome()).startswith("Draw") or table.contest.over


def test_a_bot_declines() -> None:
    table = Table(players=BOT).ready()
    assert table.do("w", m.OfferDraw()) == [Offered("white"), Declined("black")]
    assert table.contest.offered is None


def test_resigning() -> None:
    table = Table(clock=Fischer(60)).ready()
    table.now += 1_000
    assert table.do("b", m.Resign()) == [Resigned("black")]
    outcome = table.contest.outcome()
    assert outcome is not None
    assert outcome.winner is WHITE
    assert table.contest.finished_at == table.now
    assert table.contest.deadline is None
    assert table.contest.clock.running is None
    table.assert_same()


def test_leaving_before_the_first_turn() -> None:
    for table in (Table(), Table().ready()):
        (event,) = table.do("b", m.Abort())
        assert isinstance(event, Aborted)
        assert "Black left" in event.reason
        assert table.contest.status is Status.ABORTED
        refused(lambda it=table: it.do("w", m.Submit(setup={})), "aborted")  # type: ignore[misc]
        table.assert_same()
    table = Table().ready()
    table.play()
    refused(lambda: table.do("b", m.Abort()), "resigned")


@pytest.mark.parametrize("ending", [m.Resign(), m.Abort()])
def test_after_the_end_nothing_is_played(ending: m.Resign | m.Abort) -> None:
    table = Table(clock=Fischer(60)).ready()
    table.do("b", ending)
    number = table.contest.number
    action = str(table.contest.game.position.legal_actions()[0])
    for command in (
        m.Play(action=action, ply=0),
        m.Submit(setup=table.setup(WHITE)),
        m.Withdraw(),
        m.Resign(),
        m.OfferDraw(),
        m.AcceptDraw(),
        m.DeclineDraw(),
        m.AskTakeBack(),
        m.AllowTakeBack(),
        m.RefuseTakeBack(),
        m.Abort(),
        m.ClaimTime(),
    ):
        for person in ("w", "b"):
            refused(lambda it=command, who=person: table.do(who, it), "over|aborted")  # type: ignore[misc]
    assert table.contest.flag(table.now + DAY) == []
    assert table.contest.number == number


# --- time -----------------------------------------------------------------------------------------


def test_flags() -> None:
    table = Table(clock=Fischer(60)).ready()
    mover = table.mover
    me, other = table.person(mover), table.person(mover.other)
    table.now += 59_999
    refused(lambda: table.do(other, m.ClaimTime()), "still has 0.0 seconds")
    refused(lambda: table.do(me, m.ClaimTime()), "your turn")
    assert table.contest.flag(table.now) == []
    table.now += 1
    assert table.do(other, m.ClaimTime()) == [Flagged(word(mover))]
    outcome = table.contest.outcome()
    assert outcome is not None
    assert outcome.winner is mover.other
    assert table.contest.clock.left(mover, table.now) == 0
    assert table.do(other, m.ClaimTime()) == []  # it has fallen already
    refused(lambda: table.do(me, m.ClaimTime()), "over")
    table.assert_same()


def test_whoever_is_late_may_say_so_too() -> None:
    table = Table(clock=Fischer(60)).ready()
    mover = table.mover
    table.now += 60_000
    assert table.do(table.person(mover), m.ClaimTime()) == [Flagged(word(mover))]


def test_without_a_clock_no_time_is_claimed() -> None:
    table = Table().ready()
    table.now += 100 * DAY
    refused(lambda: table.do("w", m.ClaimTime()), "no clock")
    assert table.contest.flag(table.now) == []


@pytest.mark.parametrize("clock", [Fischer(60), DaysPerTurn(1)])
def test_an_outage_counts_for_nobody(clock: Fischer | DaysPerTurn) -> None:
    table = Table(clock=clock, setup_seconds=600)
    table.now += 1_000
    deadline = table.contest.deadline
    assert deadline is not None
    table.happen([Outage(500_000)])
    assert table.contest.deadline == deadline + 500_000
    table.ready()
    deadline = table.contest.deadline
    assert deadline is not None
    table.now += 1_000
    table.happen([Outage(7_000)])
    assert table.contest.deadline == deadline + 7_000
    table.assert_same()


# --- again ----------------------------------------------------------------------------------------


def test_rematch() -> None:
    table = Table().ready()
    refused(lambda: table.do("w", m.Rematch()), "when the game is over")
    table.do("w", m.Resign())
    assert not table.contest.ask_rematch(WHITE)
    assert table.do("w", m.Rematch()) == [RematchAsked("white")]
    refused(lambda: table.do("w", m.Rematch()), "wait for the answer")
    assert table.contest.ask_rematch(BLACK)
    table.happen([Rematched("next")])
    assert table.contest.rematch == "next"
    refused(lambda: table.do("b", m.Rematch()), "already")
    table.assert_same()


@pytest.mark.parametrize("players", [BOT, ALONE])
def test_a_rematch_that_needs_no_answer(players: dict[Color, Occupant | None]) -> None:
    table = Table(players=players, shared=players is ALONE).ready()
    table.happen(table.contest.resign(WHITE))
    assert table.contest.ask_rematch(WHITE)


def test_imported_games_are_over() -> None:
    table = Table()
    table.contest.agreement = Agreement("nine-tile", imported=True)
    events: list[AnyEvent] = []
    for color in Color:
        setup = write_setup(table.rules.random_setup(color, seed=1))
        events.append(Ready(word(color), setup))
    table.happen([*events, Lifted("white")])
    assert table.contest.status is Status.FINISHED
    refused(table.play, "imported")
    refused(lambda: table.do("w", m.Rematch()), "over")


def test_events_follow_each_other() -> None:
    table = Table().ready()
    for number in (0, 3, 5, 99):
        with pytest.raises(ValueError, match="cannot follow 3"):
            table.contest.apply(LoggedEvent(number, START, Resigned("white")))


# --- at random ------------------------------------------------------------------------------------

COMMANDS: list[Callable[[Table, random.Random], m.AnyCommand]] = [
    lambda table, chance: m.Submit(
        setup=table.setup(chance.choice(list(Color)), chance.randrange(3)), seat=_seat(chance)
    ),
    lambda _, chance: m.Withdraw(seat=_seat(chance)),
    lambda _, chance: m.OfferDraw(seat=_seat(chance)),
    lambda _, chance: m.DeclineDraw(seat=_seat(chance)),
    lambda _, chance: m.AskTakeBack(seat=_seat(chance)),
    lambda _, chance: m.AllowTakeBack(seat=_seat(chance)),
    lambda _, chance: m.RefuseTakeBack(seat=_seat(chance)),
    lambda _, chance: m.ClaimTime(seat=_seat(chance)),
    lambda _, chance: m.Rematch(seat=_seat(chance)),
]
ENDINGS: list[Callable[[random.Random], m.AnyCommand]] = [
    lambda chance: m.Resign(seat=_seat(chance)),
    lambda chance: m.Abort(seat=_seat(chance)),
    lambda chance: m.AcceptDraw(seat=_seat(chance)),
]


def _seat(chance: random.Random) -> Any:
    return chance.choice(["white", "black", None])


def _command(table: Table, chance: random.Random) -> m.AnyCommand:
    game = table.contest.game
    dice = chance.random()
    if dice < 0.6 and game.screen_lifted:
        legal = [str(action) for action in game.legal_actions()] or ["a1-a2"]
        ply = game.ply if chance.random() < 0.8 else max(0, game.ply - chance.randrange(3))
        return m.Play(action=chance.choice(legal), ply=ply)
    if dice < 0.995:
        return chance.choice(COMMANDS)(table, chance)
    return chance.choice(ENDINGS)(chance)


@pytest.mark.parametrize("rule_set", RULE_SETS)
@pytest.mark.parametrize(
    "more",
    [
        {"clock": Fischer(600, 3), "setup_seconds": 60},
        {"clock": DaysPerTurn(1)},
        {"players": BOT},
        {"players": ALONE, "shared": True},
    ],
    ids=["fischer", "days", "bot", "one-screen"],
)
def test_events_make_the_same_contest_again(rule_set: str, more: dict[str, Any]) -> None:
    """Whatever anyone does: what is refused changes nothing, what happens can be replayed."""
    done = refusals = 0
    people = ["w", "w", "w", "w", "x", None]
    people[2:4] = ["b", "b"] if more.get("players") is not ALONE else people[2:4]
    for seed in range(4):
        chance = random.Random(f"{rule_set} {sorted(more)} {seed}")
        table = Table(rule_set, first=chance.choice(["white", "black"]), **more)
        if more.get("players") is BOT:
            table.happen(table.contest.ready(BLACK, table.rules.random_setup(BLACK, seed=seed)))
        for step in range(250):
            table.now += chance.randrange(3_000)
            contest = table.contest
            look_at_clock(table, seed)
            if step % 50 == 30:
                table.happen([Outage(chance.randrange(10_000))])
            if contest.bot_to_act is not None:
                table.play(chance.randrange(1000))
                continue
            before = contest.number, contest.game.ply, contest.status, contest.deadline
            try:
                table.do(chance.choice(people), _command(table, chance))
                done += 1
            except Refusal:
                now = contest.number, contest.game.ply, contest.status, contest.deadline
                assert now == before
                refusals += 1
            if step % 60 == 59:
                table.assert_same()
        table.assert_same()
    assert done > 20
    assert refusals > 20


def look_at_clock(table: Table, seed: int) -> None:
    contest = table.contest
    if contest.deadline is None or table.now < contest.deadline:
        return
    if contest.status is Status.SETUP:
        drafts = {color: table.rules.random_setup(color, seed=seed) for color in Color}
        table.happen(contest.setup_over({**drafts}))
    else:
        table.happen(contest.flag(table.now))
