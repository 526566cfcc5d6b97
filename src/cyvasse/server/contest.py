"""A contest: one game with its seats, its clock and its offers, as its events have made it.

Nothing here knows a network or a database.  Asking something of a contest gives the events that
would follow, or a refusal in words; only ``apply`` changes anything.  That is event sourcing: a
contest can always be made again from its events, on any worker, after any accident.
"""

from __future__ import annotations

import enum
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cyvasse.actions import Action
from cyvasse.errors import CyvasseError, SetupError
from cyvasse.game import Game, board_view
from cyvasse.notation import parse_position, parse_setup, write_setup
from cyvasse.notation.documents import read_setup, sentence_document
from cyvasse.notation.forms import BoardView, SentenceDocument
from cyvasse.rules import rule_set
from cyvasse.rules.terms import Color, End, Outcome, Setup
from cyvasse.server.clocks import Clock, Rate, Unlimited
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
    Refused,
    RematchAsked,
    Rematched,
    Resigned,
    Seat,
    SeatAsked,
    SeatDeclined,
    TookBack,
    Withdrew,
    public,
    word,
)
from cyvasse.server.problems import Behind, Illegal, Refusal

First = Literal["white", "black", "lot"]

MOST_TURNED_AWAY = 10


class Agreement(msgspec.Struct, frozen=True):
    """What holds for a game from its creation on."""

    rule_set: str
    clock: Rate = Unlimited()
    setup_seconds: Annotated[int, Meta(ge=10, le=30 * 24 * 60 * 60)] | None = None
    first: First | None = None
    """Who begins; None leaves it to the rule set."""
    public: bool = False
    repetition: bool = True
    quiet: bool = True
    take_backs: bool = True
    shared: bool = False
    """Whether both players sit at one screen."""
    imported: bool = False
    position: str | None = None
    """Where an imported game begins, if not with two setups."""


class Occupant(msgspec.Struct, frozen=True):
    """Who sits on a seat: a person, or a bot of some level."""

    name: str
    person: str | None = None
    bot: int | None = None


class Ahead(msgspec.Struct, frozen=True):
    """What a turn would lead to that is not played."""

    board: BoardView
    whole: bool
    """Whether the turn could be played as it is, or must go on."""
    risks: list[SentenceDocument] = []
    """What it would give away, if it was asked for with care."""


class Status(enum.StrEnum):
    """How far a game has come."""

    OPEN = "open"
    SETUP = "setup"
    PLAYING = "playing"
    FINISHED = "finished"
    ABORTED = "aborted"


class Contest:
    """One game with everything around it."""

    def __init__(
        self,
        id: str,
        agreement: Agreement,
        players: Mapping[Color, Occupant | None],
        created_at: int,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.id = id
        self.agreement = agreement
        self.players = dict(players)
        self.tags = dict(tags or {})
        self.created_at = created_at
        self.number = 0
        """How many events there are."""
        self.log: list[LoggedEvent] = []
        """The event log as anyone may know it."""
        self.clock = Clock(agreement.clock)
        self.aborted: str | None = None
        self.offered: Color | None = None
        self.asked: Color | None = None
        self.seat_asked: Occupant | None = None
        """Who asks for the free seat."""
        self.rematch_asked: Color | None = None
        self.rematch: str | None = None
        self.finished_at: int | None = None
        self._both_since: int | None = created_at if None not in players.values() else None
        self._offers: dict[Color, int] = {}  # at how many own actions each last offered a draw
        self._played = dict.fromkeys(Color, 0)
        self._submitted: dict[Color, Ready] = {}
        self._turned_away: list[str | None] = []  # who has asked for the seat and not got it
        repetition, quiet = agreement.repetition, agreement.quiet
        if agreement.position is None:
            rules = rule_set(agreement.rule_set)
            self.game = Game(rules, repetition=repetition, quiet=quiet)
        else:
            position = parse_position(agreement.position)
            self.game = Game.from_position(position, repetition=repetition, quiet=quiet)
        self.status = self._status()
        """How far the game has come."""

    # --- how it stands ----------------------------------------------------------------------------

    def _status(self) -> Status:
        if self.aborted is not None:
            return Status.ABORTED
        if self.agreement.imported or self.finished_at is not None:
            return Status.FINISHED
        if self.game.screen_lifted:
            return Status.PLAYING
        return Status.SETUP if self._both_since is not None else Status.OPEN

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.status in (Status.FINISHED, Status.ABORTED)

    @property
    def turn(self) -> Color | None:
        """Who is to act, while the game is played."""
        return self.game.turn if self.status is Status.PLAYING else None

    @property
    def bot_to_act(self) -> int | None:
        """The level of the bot whose turn it is."""
        turn = self.turn
        player = None if turn is None else self.players[turn]
        return None if player is None else player.bot

    @property
    def deadline(self) -> int | None:
        """When something happens by itself: a flag falls, or the time for setting up is over."""
        return self.clock.deadline if self.status is Status.PLAYING else self.setup_deadline

    @property
    def setup_deadline(self) -> int | None:
        """When the time for setting up is over."""
        limit = self.agreement.setup_seconds
        if self.status is Status.SETUP and limit is not None and self._both_since is not None:
            return self._both_since + limit * 1000
        return None

    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.game.outcome()

    def seats_of(self, person: str | None) -> list[Color]:
        """The seats of a person: none, one, or both at one screen."""
        return [
            color
            for color, player in self.players.items()
            if person is not None and player is not None and player.person == person
        ]

    # --- what has happened ------------------------------------------------------------------------

    def apply_all(self, events: Iterable[LoggedEvent]) -> None:
        """Let events happen one after the other."""
        for event in events:
            self.apply(event)

    def apply(self, logged: LoggedEvent) -> None:
        """Let an event happen.  It has been found possible before."""
        if logged.number != self.number + 1:
            raise ValueError(f"event {logged.number} of {self.id} cannot follow {self.number}")
        at = logged.at
        match logged.event:
            case Joined(seat, name, person):
                if name is not None:
                    self.players[Color.parse(seat)] = Occupant(name, person)
                self.seat_asked = None
                if None not in self.players.values():
                    self._both_since = at
            case SeatAsked(_, name, person):
                self.seat_asked = None if name is None else Occupant(name, person)
            case SeatDeclined():
                if self.seat_asked is not None:
                    self._turned_away.append(self.seat_asked.person)
                self.seat_asked = None
            case Ready(seat, setup) as ready:
                assert setup is not None
                self.game.submit(seat, parse_setup(setup))
                self._submitted[Color.parse(seat)] = ready
            case Withdrew(seat):
                self.game.withdraw(seat)
                del self._submitted[Color.parse(seat)]
            case Lifted(first):
                self.game.lift_screen(first)
                self.clock.start(self.game.turn, at)
            case Played(seat, action):
                self._play(Color.parse(seat), action, at)
            case Offered(seat):
                self.offered = Color.parse(seat)
                self._offers[self.offered] = self._played[self.offered]
            case Declined():
                self.offered = None
            case Agreed():
                self.game.agree_draw()
            case Asked(seat):
                self.asked = Color.parse(seat)
            case Refused():
                self.asked = None
            case TookBack(_, ply):
                while self.game.ply > ply:
                    self.game.undo()
                self.asked = self.offered = None
                self.clock.start(self.game.turn, at)
            case Resigned(seat):
                self.game.resign(seat)
            case Flagged(seat):
                self.game.lose_on_time(seat)
            case Aborted(reason):
                self.aborted = reason
            case Outage(milliseconds):
                self.clock.give_back(milliseconds)
                if self._both_since is not None:
                    self._both_since += milliseconds
            case RematchAsked(seat):
                self.rematch_asked = Color.parse(seat)
            case Rematched(game):
                self.rematch = game
        self.number = logged.number
        self.log.append(public(logged))
        if self.finished_at is None and (self.aborted or self.game.outcome()):
            self.finished_at = at
            self.offered = self.asked = self.seat_asked = None
            self.clock.stop(at)
        self.status = self._status()

    def _play(self, mover: Color, action: str, at: int) -> None:
        self.game.play(action)
        self._played[mover] += 1
        self.asked = None
        if self.offered is not mover:
            self.offered = None  # whoever plays on has declined
        if not self.game.in_turn or self.game.turn is not mover:
            self.clock.start(self.game.turn, at, turn_over=True)

    # --- the free seat ----------------------------------------------------------------------------

    def ask_seat(self, player: Occupant, free: Color) -> list[AnyEvent]:
        """Somebody without the invitation asks for the seat that is kept."""
        if player.person in self._turned_away:
            raise Refusal("You have asked for this seat and did not get it. You can watch.")
        if len(self._turned_away) >= MOST_TURNED_AWAY:
            raise Refusal(
                "Too many have asked for this seat; only the invitation's link leads to it."
            )
        if self.seat_asked is None:
            return [SeatAsked(word(free), player.name, player.person)]
        if self.seat_asked.person == player.person:
            return []
        raise Refusal("Somebody else has asked for this seat; wait for the answer.")

    def grant_seat(self, seat: Color) -> list[AnyEvent]:
        """A player gives the free seat to whoever asked for it."""
        asker = self._seat_asked()
        return [Joined(word(seat.other), asker.name, asker.person)]

    def decline_seat(self, seat: Color) -> list[AnyEvent]:
        """A player keeps the free seat for somebody else."""
        self._seat_asked()
        return [SeatDeclined(word(seat.other))]

    def _seat_asked(self) -> Occupant:
        self._not_over()
        if self.seat_asked is None:
            raise Refusal("Nobody asks for the free seat.")
        return self.seat_asked

    # --- behind the screen ------------------------------------------------------------------------

    def submit(self, seat: Color, document: Mapping[str, Any]) -> list[AnyEvent]:
        """A player is ready with a setup, given as plain data.

        No events follow if the very same setup was submitted already: the answer may have been
        lost.
        """
        self._behind_screen()
        if self.agreement.shared and self.game.is_ready(seat):
            raise Refusal(f"{seat.title} is ready; at one screen a setup stays as it is.")
        events = self.ready(seat, self.read_setup(seat, document))
        return [] if events == [self._submitted.get(seat)] else events

    def read_setup(self, seat: Color, document: Mapping[str, Any]) -> Setup:
        """The setup that a document describes, which may be unfinished or illegal."""
        try:
            return read_setup(self.game.rules, document, seat)
        except CyvasseError as error:
            raise Illegal(str(error)) from None

    def ready(self, seat: Color, setup: Setup) -> list[AnyEvent]:
        """A player is ready with a setup; the screen is lifted if the other one is too."""
        self._behind_screen()
        try:
            setup = self.game.rules.checked_setup(setup, seat)
        except SetupError as error:
            raise Illegal(str(error), problems=error.problems) from None
        events: list[AnyEvent] = [Ready(word(seat), write_setup(setup))]
        if self.game.is_ready(seat.other):
            events.append(Lifted(self._first()))
        return events

    def withdraw(self, seat: Color) -> list[AnyEvent]:
        """A player wants to change the setup."""
        self._behind_screen()
        if self.agreement.shared:
            raise Refusal("At one screen a setup that is ready stays as it is.")
        if not self.game.is_ready(seat):
            raise Refusal(f"{seat.title} has not submitted a setup.")
        return [Withdrew(word(seat))]

    def setup_over(self, drafts: Mapping[Color, Setup | None]) -> list[AnyEvent]:
        """The time for setting up is over: what legal drafts there are count as submitted."""
        events: list[AnyEvent] = []
        late = []
        for color in Color:
            if self.game.is_ready(color):
                continue
            draft = drafts.get(color)
            if draft is None or self.game.rules.check_setup(draft):
                late.append(color)
            else:
                events.append(Ready(word(color), write_setup(draft)))
        if late:
            who = " and ".join(color.title for color in late)
            verb = "was" if len(late) == 1 else "were"
            return [Aborted(f"{who} {verb} not ready when the time for setting up was over.")]
        return [*events, Lifted(self._first())]

    def _behind_screen(self) -> None:
        self._not_over()
        if self.game.screen_lifted:
            raise Refusal("The screen is lifted: setups can no longer be changed.")

    def _first(self) -> Seat:
        first = self.agreement.first
        if first is None and self.game.rules.first_player is not None:
            return word(self.game.rules.first_player)
        return word(secrets.choice(list(Color))) if first is None or first == "lot" else first

    # --- play -------------------------------------------------------------------------------------

    def play(self, seat: Color, action: str, ply: int) -> list[AnyEvent]:
        """A player does an action, having seen ``ply`` actions.

        Idempotent: no events follow if the very same action was done already, since the answer may
        have been lost.
        """
        if self._were_played(seat, [action], ply):
            return []
        self._to_act(seat, ply)
        try:
            self.game.parse_action(action)
        except CyvasseError as error:
            raise Illegal(str(error)) from None
        return [Played(word(seat), action)]

    def play_turn(
        self,
        seat: Color,
        actions: Sequence[str],
        ply: int,
        *,
        hold: bool = False,
        careful: bool = False,
    ) -> list[AnyEvent] | Ahead:
        """A player does a whole turn; if it would go on nothing happens, and the board is shown.

        With ``hold`` nothing happens in any case, with ``careful`` nothing that has risks.
        """
        if self._were_played(seat, actions, ply):
            return []
        self._to_act(seat, ply)
        ahead = self.game.position
        events: list[AnyEvent] = []
        for text in actions:
            if events and (ahead.turn is not seat or not ahead.in_turn):
                raise Illegal(f"The turn is over before {text}; it is {ahead.turn.title}'s turn.")
            try:
                ahead.play(text)
            except CyvasseError as error:
                raise Illegal(str(error)) from None
            events.append(Played(word(seat), text))
        goes_on = ahead.in_turn and ahead.turn is seat and ahead.outcome() is None
        risks = self._risks(actions) if careful and not goes_on else []
        if goes_on or hold or risks:
            return Ahead(board_view(ahead, ply + len(events)), not goes_on, risks)
        return events

    def _risks(self, actions: Sequence[str]) -> list[SentenceDocument]:
        scene, now = self.game.rules.scene, self.game.position
        risks = scene.risks(now, [Action.parse(text, now.board) for text in actions])
        return [sentence_document(scene, each) for each in risks]

    def _to_act(self, seat: Color, ply: int) -> None:
        """Refuse if it is not this player's turn, or if the game has gone on unseen."""
        self._playing()
        if ply != self.game.ply:
            raise Behind(
                f"You have seen {ply} actions, but {self.game.ply} have been played.",
                number=self.number,
            )
        if self.game.turn is not seat:
            raise Refusal(f"It is {self.game.turn.title}'s turn.")

    def _were_played(self, seat: Color, actions: Sequence[str], ply: int) -> bool:
        """Whether these very actions are there; actions that were taken back are not."""
        if not 0 <= ply < self.game.ply:
            return False
        played = [(turn.color, str(each)) for turn in self.game.turns() for each in turn.actions]
        there = played[ply : ply + len(actions)]
        return there == [(seat, action) for action in actions]

    def resign(self, seat: Color) -> list[AnyEvent]:
        """A player gives up."""
        self._playing()
        return [Resigned(word(seat))]

    def offer_draw(self, seat: Color) -> list[AnyEvent]:
        """A player offers a draw, or accepts the one that the other has offered."""
        self._playing()
        if self.offered is seat.other:
            return [Agreed(word(seat))]
        if self._offers.get(seat) == self._played[seat]:
            raise Refusal("You have offered a draw; offer again after your next action.")
        offer: list[AnyEvent] = [Offered(word(seat))]
        return [*offer, Declined(word(seat.other))] if self._is_bot(seat.other) else offer

    def accept_draw(self, seat: Color) -> list[AnyEvent]:
        """A player accepts a draw."""
        self._playing()
        if self.offered is not seat.other:
            raise Refusal("No draw is offered to you.")
        return [Agreed(word(seat))]

    def decline_draw(self, seat: Color) -> list[AnyEvent]:
        """A player plays on."""
        self._playing()
        if self.offered is not seat.other:
            raise Refusal("No draw is offered to you.")
        return [Declined(word(seat))]

    def ask_take_back(self, seat: Color) -> list[AnyEvent]:
        """A player wants the own last turn back; a bot, or oneself, lets it happen at once."""
        self._playing()
        if not self.agreement.take_backs:
            raise Refusal("In this game nothing is taken back, as was agreed at its start.")
        ply = self._start_of_last_turn(seat)
        if ply is None:
            raise Refusal("You have not played anything that could be taken back.")
        if self.agreement.shared or self._is_bot(seat.other):
            return [TookBack(word(seat), ply)]
        if self.asked is seat:
            raise Refusal("You have asked to take back; wait for the answer.")
        if self.asked is seat.other:
            raise Refusal("Answer your opponent first, who has asked to take back.")
        return [Asked(word(seat))]

    def allow_take_back(self, seat: Color) -> list[AnyEvent]:
        """A player lets the other take back."""
        self._asked_by(seat.other)
        ply = self._start_of_last_turn(seat.other)
        assert ply is not None
        return [TookBack(word(seat.other), ply)]

    def refuse_take_back(self, seat: Color) -> list[AnyEvent]:
        """A player does not let the other take back."""
        self._asked_by(seat.other)
        return [Refused(word(seat))]

    def _asked_by(self, seat: Color) -> None:
        self._playing()
        if self.asked is not seat:
            raise Refusal(f"{seat.title} has not asked to take back.")

    def _start_of_last_turn(self, seat: Color) -> int | None:
        """How many actions were played before the last turn of a player began."""
        ply = self.game.ply
        for turn in reversed(self.game.turns()):
            ply -= len(turn.actions)
            if turn.color is seat:
                return ply
        return None

    def abort(self, seat: Color) -> list[AnyEvent]:
        """A player leaves before anything has been played."""
        self._not_over()
        if self.game.screen_lifted and self.game.ply:
            raise Refusal("The game has begun; it can be resigned, not aborted.")
        return [Aborted(f"{seat.title} left before the first turn.", word(seat))]

    def claim_time(self, seat: Color, now: int) -> list[AnyEvent]:
        """A player says that the other's time is over; the server may have noticed just before."""
        if self.game.outcome() == Outcome(seat, End.TIME):
            return []
        self._playing()
        return self.flag(now) or self._still_running(seat, now)

    def _still_running(self, seat: Color, now: int) -> list[AnyEvent]:
        left = self.clock.left(seat.other, now)
        if left is None:
            raise Refusal("This game has no clock.")
        if self.clock.running is not seat.other:
            raise Refusal(f"It is your turn; {seat.other.title}'s clock does not run.")
        raise Refusal(f"{seat.other.title} still has {left / 1000:.1f} seconds.")

    def flag(self, now: int) -> list[AnyEvent]:
        """The player to act loses if the time is over."""
        deadline = self.clock.deadline
        if self.status is not Status.PLAYING or deadline is None or now < deadline:
            return []
        return [Flagged(word(self.game.turn))]

    # --- after the game ---------------------------------------------------------------------------

    def ask_rematch(self, seat: Color) -> bool:
        """Whether both now want to play again; RematchAsked is the event if only this one does."""
        if not self.over or self.agreement.imported:
            raise Refusal("A rematch can be asked for when the game is over.")
        if self.rematch is not None:
            raise Refusal("The rematch has been set up already.")
        if self.rematch_asked is seat and not self.agreement.shared:
            raise Refusal("You have asked for a rematch; wait for the answer.")
        return self.agreement.shared or self._is_bot(seat.other) or self.rematch_asked is seat.other

    def _is_bot(self, seat: Color) -> bool:
        player = self.players[seat]
        return player is not None and player.bot is not None

    def _playing(self) -> None:
        self._not_over()
        if not self.game.screen_lifted:
            raise Refusal("The screen stands: play begins when both setups are ready.")

    def _not_over(self) -> None:
        if self.aborted is not None:
            raise Refusal(f"The game was aborted. {self.aborted}")
        outcome = self.game.outcome()
        if outcome is not None:
            raise Refusal(f"The game is over. {outcome}.")
        if self.agreement.imported:
            raise Refusal("This game was imported; it cannot be played on.")
