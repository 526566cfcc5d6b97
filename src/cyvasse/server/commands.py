"""Which events follow from what a person asks for, in whose name."""

from __future__ import annotations

import secrets

from cyvasse.rules.terms import Color
from cyvasse.server import messages as m
from cyvasse.server.contest import Ahead, Contest, Occupant, Status
from cyvasse.server.events import AnyEvent, RematchAsked, word
from cyvasse.server.problems import NotYours, Refusal, Unfit


def decide(
    contest: Contest, person: str | None, command: m.AnyCommand, now: int
) -> list[AnyEvent] | Ahead:
    """The events that follow, or what would be; a refusal in words if none may."""
    color = seat_for(contest, person, command)
    match command:
        case m.Play(action=action, ply=ply):
            return contest.play(color, action, ply)
        case m.PlayTurn(actions=actions, ply=ply, hold=hold, careful=careful):
            return contest.play_turn(color, actions, ply, hold=hold, careful=careful)
        case m.AskSeat():
            raise Refusal("You already sit at this game.")  # who does not asks elsewhere
        case m.GrantSeat():
            return contest.grant_seat(color)
        case m.DeclineSeat():
            return contest.decline_seat(color)
        case m.Submit(setup=setup):
            return contest.submit(color, setup)
        case m.Withdraw():
            return contest.withdraw(color)
        case m.Resign():
            return contest.resign(color)
        case m.OfferDraw():
            return contest.offer_draw(color)
        case m.AcceptDraw():
            return contest.accept_draw(color)
        case m.DeclineDraw():
            return contest.decline_draw(color)
        case m.AskTakeBack():
            return contest.ask_take_back(color)
        case m.AllowTakeBack():
            return contest.allow_take_back(color)
        case m.RefuseTakeBack():
            return contest.refuse_take_back(color)
        case m.Abort():
            return contest.abort(color)
        case m.ClaimTime():
            return contest.claim_time(color, now)
        case m.Rematch():
            contest.ask_rematch(color)
            return [RematchAsked(word(color))]


def seat_for(contest: Contest, person: str | None, command: m.AnyCommand) -> Color:
    """In whose name a person acts."""
    seats = contest.seats_of(person)
    if not seats:
        raise NotYours("You are watching this game; only its players can act in it.")
    if command.seat is not None:
        wanted = Color.parse(command.seat)
        if wanted not in seats:
            raise NotYours(f"You play {seats[0].title} in this game, not {wanted.title}.")
        return wanted
    if len(seats) == 1:
        return seats[0]
    if isinstance(command, m.Play | m.PlayTurn) and contest.turn is not None:
        return contest.turn
    raise Unfit("Both seats are yours: say which one acts, 'white' or 'black', as 'seat'.")


def free_seat(
    contest: Contest, player: Occupant, invitation: str | None, expected: str | None
) -> Color:
    """The seat that a person may take; an invitation is only for who has its word."""
    free = _free(contest, player)
    if expected is not None and not secrets.compare_digest(
        (invitation or "").encode(), expected.encode()
    ):
        raise NotYours("This seat is kept for whoever has the invitation's link.")
    return free


def ask_seat(contest: Contest, player: Occupant, expected: str | None) -> list[AnyEvent]:
    """What follows when somebody without the invitation asks for the seat."""
    free = _free(contest, player)
    if expected is None:
        raise Refusal("This seat is open to everyone: take it.")
    return contest.ask_seat(player, free)


def _free(contest: Contest, player: Occupant) -> Color:
    """The seat that is free for somebody who has none."""
    if contest.seats_of(player.person):
        raise Refusal("You already sit at this game.")
    if contest.status is Status.ABORTED:
        raise Refusal("This game was called off.")
    for color, sitting in contest.players.items():
        if sitting is None:
            return color
    raise Refusal("Both seats are taken. You can watch.")
