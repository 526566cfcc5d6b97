"""What each viewer is told of a contest.  Every byte about a board comes from ``Game.view``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from cyvasse.rules.terms import BLACK, WHITE, Color
from cyvasse.server.contest import Contest
from cyvasse.server.facts import Lifted, Numbered, Seat, word
from cyvasse.server.messages import Chair, Clocks, Current, Snapshot, Standing, Update


def clocks(contest: Contest, now: int) -> Clocks:
    """How much time is left."""
    clock = contest.clock
    return Clocks(clock.left(WHITE, now), clock.left(BLACK, now), seat(clock.running), now)


def standing(contest: Contest, now: int) -> Standing:
    """How the game stands apart from its board."""
    outcome = contest.outcome()
    game = contest.game
    return Standing(
        str(contest.status),
        _chair(contest, WHITE),
        _chair(contest, BLACK),
        {"white": game.is_ready(WHITE), "black": game.is_ready(BLACK)},
        clocks(contest, now),
        contest.deadline,
        {"result": outcome.result, "end": str(outcome.end)} if outcome else None,
        contest.aborted,
        seat(contest.offered),
        seat(contest.asked),
        seat(contest.rematch_asked),
        contest.rematch,
    )


def viewer(contest: Contest, person: str | None) -> Color | None:
    """As whom a person looks at the board.

    At one screen everyone looks as a spectator: a submitted setup is shown to nobody.
    """
    seats = contest.seats_of(person)
    return seats[0] if len(seats) == 1 and not contest.agreement.shared else None


def snapshot(
    contest: Contest,
    person: str | None,
    now: int,
    invitation: str | None = None,
    by_invitation: bool = False,
) -> Snapshot:
    """Everything that a person may know of a game."""
    return Snapshot(
        contest.id,
        contest.number,
        [word(color) for color in contest.seats_of(person)],
        contest.agreement,
        contest.created_at,
        standing(contest, now),
        contest.game.view(viewer(contest, person)),
        contest.tags,
        invitation,
        by_invitation,
    )


def update(contest: Contest, facts: Sequence[Numbered], now: int) -> Update:
    """What has happened, the same for everyone."""
    lifted = contest.game.screen_lifted
    setups: Any = UNSET
    if any(isinstance(numbered.fact, Lifted) for numbered in facts):
        setups = contest.game.view()["setups"]
    return Update(
        contest.id,
        contest.number,
        list(facts),
        standing(contest, now),
        contest.game.board_view() if lifted else UNSET,
        setups,
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
