"""Whether what is known of a game by mail fits together: its file may be damaged or edited."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from cyvasse.errors import CyvasseError
from cyvasse.mail.codes import MailError, actions_before, base32, from_base32, read_codes
from cyvasse.mail.commitments import SALT, commitment
from cyvasse.notation import parse_setup
from cyvasse.rules.terms import Color

if TYPE_CHECKING:
    from cyvasse.mail.correspondence import Correspondence

T = TypeVar("T")


class ChangedError(MailError):
    """A game by mail that was changed: in which ``part``, and there at which ``place``."""

    def __init__(self, part: str, why: str, place: int | None = None) -> None:
        super().__init__(f"this game by mail was changed: {why}")
        self.part = part
        self.place = place


def is_name(text: str) -> bool:
    """Whether a game may be called so."""
    return re.fullmatch("[a-z2-7]{8}", text) is not None


def check(game: Correspondence) -> None:
    """ChangedError at the first part that is wrong by itself or does not fit the others."""
    _try("rule_set", lambda: game.rules)
    _try("seat", lambda: game.me)
    if not is_name(game.game):
        raise ChangedError("game", f"{game.game[:20]!a} is no game's name")
    _check_sent(game)
    mine = _check_side(game, game.me, "setup", "salt")
    sent = {read_codes(text)[0].fields[1] for text in game.sent if ".commit." in text}
    if sent != ({mine} if mine else set()):
        raise ChangedError("setup", "setup and salt are not what your commitment was made of")
    if game.theirs is not None:
        _try("theirs", lambda: from_base32(str(game.theirs), 32, "commitment"))
    theirs = _check_side(game, game.me.other, "their_setup", "their_salt")
    if theirs and (theirs != game.theirs or not mine):
        raise ChangedError("their_setup", f"it is not what {game.me.other.title} committed to")
    if game.offered not in (None, "white", "black", "both"):
        raise ChangedError("offered", f"{game.offered[:20]!a} cannot have offered a draw")
    if game.ended not in (None, "white", "black", "draw"):
        raise ChangedError("ended", f"no game ends with {game.ended[:20]!a}")
    if theirs:
        _try("ended", game.board)
    else:
        for part in ("actions", "offered", "ended"):
            if getattr(game, part):
                raise ChangedError(part, "nothing can be played while the screen stands")


def _check_sent(game: Correspondence) -> None:
    for place, text in enumerate(game.sent):
        try:
            (code,) = read_codes(text)
            actions_before(code)
        except ValueError as error:  # a MailError, or more than one code
            raise ChangedError("sent", str(error), place) from None
        if code.game != game.game or str(code) != text:
            raise ChangedError("sent", "this code is not of this game", place)


def _check_side(game: Correspondence, color: Color, setup: str, salt: str) -> str | None:
    """The commitment to a side's setup and salt, if both are there."""
    text, letters = getattr(game, setup), getattr(game, salt)
    if text is None and letters is None:
        return None
    if text is None or letters is None:
        raise ChangedError(salt if text else setup, f"{setup!r} and {salt!r} go together")
    data = _try(salt, lambda: from_base32(letters, SALT, "salt"))
    return _try(
        setup,
        lambda: base32(commitment(game.rules, game.game, color, parse_setup(text), data)),
    )


def _try(part: str, reading: Callable[[], T]) -> T:
    try:
        return reading()
    except ChangedError:
        raise
    except CyvasseError as error:
        raise ChangedError(part, str(error)) from None
