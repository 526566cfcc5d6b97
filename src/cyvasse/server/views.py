"""What each viewer is told of a contest.  Every byte about a board comes from ``Game.view``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec import UNSET, Raw

from cyvasse.notation.forms import TableView
from cyvasse.rules.terms import BLACK, WHITE, Color
from cyvasse.server.contest import Contest
from cyvasse.server.events import Joined, Lifted, LoggedEvent, Ready, Seat, Withdrew, word
from cyvasse.server.messages import Chair, Clocks, Current, Snapshot, Standing, Update

_SEEN = tuple(TableView.__annotations__)


def clocks(contest: Contest, now: int) -> Clocks:
    """How much time is left."""
    clock = contest.clock
    return Clocks(clock.left(WHITE, now), clock.left(BLACK, now), seat(clock.running), now)


def standing(contest: Contest, now: int) -> Standing:
    """How the game stands apart from its board."""
    game = contest.game
    return Standing(
        contest.status,
        _chair(contest, WHITE),
        _chair(contest, BLACK),
        {"white": game.is_ready(WHITE), "black": game.is_ready(BLACK)},
        clocks(contest, now),
        contest.setup_deadline,
        game.outcome_document(),
        contest.aborted,
        seat(contest.offered),
        seat(contest.asked),
        None if contest.seat_asked is None else contest.seat_asked.name,
        seat(contest.rematch_asked),
        contest.rematch,
    )


def viewer(contest: Contest, person: str | None) -> Color | None:
    """As whom a person looks at the board.

    At one screen everyone looks as a spectator: a submitted setup is shown to nobody.
    """
    seats = contest.seats_of(person)
    return seats[0] if len(seats) == 1 and not contest.agreement.shared else None


def seen(contest: Contest, eyes: Color | None) -> TableView:
    """What this viewer sees on the table; the rest a snapshot says elsewhere."""
    view = contest.game.view(eyes)
    return cast(TableView, {name: told for name, told in view.items() if name in _SEEN})


def snapshot(
    contest: Contest,
    person: str | None,
    now: int,
    view: Raw | None = None,
    invitation: str | None = None,
    by_invitation: bool = False,
) -> Snapshot:
    """Everything that a person may know of a game.

    In long games the view is most of the work: whoever has encoded it for this viewer gives it.
    """
    return Snapshot(
        contest.id,
        contest.number,
        [word(color) for color in contest.seats_of(person)],
        contest.agreement,
        contest.created_at,
        standing(contest, now),
        cast(Any, view) or seen(contest, viewer(contest, person)),
        contest.tags,
        invitation,
        by_invitation,
    )


def concerns(contest: Contest, events: Sequence[LoggedEvent], person: str | None) -> bool:
    """Whether a person is told more of these events than others: the own seat, the own setup."""
    own = {word(color) for color in contest.seats_of(person)}
    kinds = (Joined, Ready, Withdrew)
    return any(isinstance(each.event, kinds) and each.event.seat in own for each in events)


def update(
    contest: Contest, events: Sequence[LoggedEvent], now: int, person: str | None = None
) -> Update:
    """What has happened, the same for everyone but for what only this person may know."""
    lifted = contest.game.screen_lifted
    setups: Any = UNSET
    you: Any = UNSET
    if any(isinstance(each.event, Lifted) for each in events):
        setups = contest.game.view()["setups"]
    elif concerns(contest, events, person):
        setups = contest.game.view(viewer(contest, person))["setups"]
    own = [word(color) for color in contest.seats_of(person)]
    if any(isinstance(each.event, Joined) and each.event.seat in own for each in events):
        you = own
    return Update(
        contest.id,
        contest.number,
        list(events),
        standing(contest, now),
        contest.game.board_view() if lifted else UNSET,
        setups,
        you,
    )


def current(contest: Contest, now: int) -> Current:
    """Nothing has happened since."""
    return Current(contest.id, contest.number, clocks(contest, now))


def seat(color: Color | None) -> Seat | None:
    """A colour as messages write it, or nobody's."""
    return None if color is None else word(color)


def _chair(contest: Contest, color: Color) -> Chair | None:
    player = contest.players[color]
    return None if player is None else Chair(player.name, player.bot)
