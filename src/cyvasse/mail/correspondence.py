"""A correspondence game: one game by mail, as one player's side knows it.

A setup goes out first as a *commitment*: a number that fixes it without telling it.  Only who holds
the other's commitment opens the own one.  So neither can change a setup after seeing the other's,
and neither can tell the other's from its commitment, because a secret salt went into it.
"""

from __future__ import annotations

import hmac
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import accumulate
from typing import Any

from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.mail.checks import ChangedError, check, is_name
from cyvasse.mail.codes import (
    Code,
    MailError,
    actions_after,
    actions_before,
    base32,
    from_base32,
    number,
    packed,
    unpacked,
)
from cyvasse.mail.commitments import SALT, commitment, first_player, seal
from cyvasse.notation import parse_setup, write_setup
from cyvasse.rules import rule_set
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.sentences import Sentence
from cyvasse.rules.terms import BLACK, WHITE, Color, Outcome, Setup

FORMAT = "cyvasse mail 1"


@dataclass
class Correspondence:
    """One side of a game by mail: plain data, and what may be done with it."""

    rule_set: str
    game: str
    seat: str
    setup: str | None = None
    salt: str | None = None
    theirs: str | None = None
    """The other's commitment."""
    their_setup: str | None = None
    their_salt: str | None = None
    actions: list[str] = field(default_factory=list)
    offered: str | None = None
    """Who has offered a draw that still stands: ``white``, ``black``, or ``both``."""
    ended: str | None = None
    """``white`` or ``black`` for who resigned, ``draw`` for an agreement."""
    sent: list[str] = field(default_factory=list)
    """The codes that the other should have, the last ones last."""

    # --- beginning --------------------------------------------------------------------------------

    @classmethod
    def new(cls, rules: RuleSet, seat: Color) -> Correspondence:
        """A new game, in which this side plays ``seat``; ``sent`` holds the invitation."""
        game = cls(rules.id, base32(secrets.token_bytes(5)), str(seat))
        game._send("invite", rules.id, str(seat.other))
        return game

    @classmethod
    def join(cls, code: Code) -> Correspondence:
        """The other side of a game, from its invitation."""
        if code.kind != "invite":
            raise MailError(f"a game is joined with its invitation, not with a code '{code.kind}'")
        rules = rule_set(code.fields[0])
        if not is_name(code.game):
            raise MailError(f"{code.game[:20]!r} is no game's name")
        return cls(rules.id, code.game, str(_seat(code.fields[1])))

    @property
    def rules(self) -> RuleSet:
        """The rule set that is played."""
        return rule_set(self.rule_set)

    @property
    def me(self) -> Color:
        """The player on this side."""
        return Color.parse(self.seat)

    # --- setting up -------------------------------------------------------------------------------

    def choose(self, setup: Setup) -> Code:
        """Fix the own setup; the commitment is what the other gets now."""
        if self.setup is not None:
            raise MailError(
                "your setup is fixed since its commitment was made; it cannot be changed"
            )
        setup = self.rules.checked_setup(setup, self.me)
        salt = secrets.token_bytes(SALT)
        self.setup, self.salt = write_setup(setup), base32(salt)
        self._send(
            "commit", self.seat, base32(commitment(self.rules, self.game, self.me, setup, salt))
        )
        commit = self.sent[-1]
        self._open_if_safe()
        return _parsed(commit)

    def _open_if_safe(self) -> None:
        """Open the own setup as soon as the other's cannot change any more."""
        if self.setup is None or self.salt is None or self.theirs is None:
            return
        self._send("open", self.seat, self.salt, packed(self.setup))

    def _take_commitment(self, code: Code) -> str:
        seat, digest = code.fields
        self._from_other(seat)
        from_base32(digest, 32, "commitment")
        if self.setup is not None and hmac.compare_digest(digest, self._own_commitment()):
            raise MailError("this is your own commitment, copied; it says nothing of the other's")
        if self.theirs == digest:
            return f"You have {self._them}'s commitment already."
        if self.theirs is not None:
            raise MailError(
                f"{self._them} has committed to another setup before; a commitment cannot be "
                "exchanged, and this one is not taken"
            )
        self.theirs = digest
        self._open_if_safe()
        return f"{self._them}'s setup is fixed."

    def _take_opening(self, code: Code) -> str:
        seat, salt, letters = code.fields
        self._from_other(seat)
        if self.setup is None:
            raise MailError(
                "commit to your own setup first: who has seen the other's may not choose any more"
            )
        if self.theirs is None:
            raise MailError(f"{self._them}'s commitment must come before it is opened; ask for it")
        if self.their_setup is not None:
            if (self.their_salt, packed(self.their_setup)) == (salt, letters):
                return f"{self._them}'s setup is open already."
            raise MailError(f"{self._them}'s setup was opened before, and was another one")
        try:
            setup = parse_setup(unpacked(letters, "setup"))
            rules = rule_set(setup.rule_set)
            if rules is not self.rules:
                raise MailError(f"this is a setup of {rules.title}, not of {self.rules.title}")
            setup = self.rules.checked_setup(setup, self.me.other)
        except MailError:
            raise
        except CyvasseError as error:
            raise MailError(f"what was opened cannot be played: {error}") from None
        opened = commitment(
            self.rules, self.game, self.me.other, setup, from_base32(salt, SALT, "salt")
        )
        if not hmac.compare_digest(base32(opened), self.theirs):
            raise MailError(
                f"what {self._them} opened does not match the commitment: it is another setup, "
                "another salt, or of another game. It is refused; the commitment stands"
            )
        self.their_setup, self.their_salt = write_setup(setup), salt
        return f"{self._them}'s setup is open, and is the one that was committed to."

    def _own_commitment(self) -> str:
        assert self.setup is not None
        assert self.salt is not None
        salt = from_base32(self.salt, SALT, "salt")
        setup = parse_setup(self.setup)
        return base32(commitment(self.rules, self.game, self.me, setup, salt))

    # --- playing ----------------------------------------------------------------------------------

    def board(self) -> Game:
        """The game so far; MailError while the screen stands."""
        if None in (self.setup, self.salt, self.their_setup, self.their_salt):
            raise MailError(f"the screen stands. {self.next_step()}")
        sides = {
            self.me: (self.setup, self.salt),
            self.me.other: (self.their_setup, self.their_salt),
        }
        salts = {color: from_base32(str(salt), SALT, "salt") for color, (_, salt) in sides.items()}
        game = Game(self.rules)
        for color, (setup, _) in sides.items():
            game.submit(color, parse_setup(str(setup)))
        game.lift_screen(first_player(self.rules, salts[WHITE], salts[BLACK]))
        game.tags["Event"] = f"By mail, {self.game}"
        for place, action in enumerate(self.actions):
            try:
                game.play(action)
            except CyvasseError as error:
                raise ChangedError("actions", str(error), place) from None
        if self.ended == "draw":
            game.agree_draw()
        elif self.ended is not None:
            game.resign(self.ended)
        return game

    def play(self, actions: Sequence[str]) -> Code:
        """Play a whole turn; its code is what the other gets."""
        game = self._going_on()
        if game.turn is not self.me:
            raise MailError(f"it is {self._them}'s turn; take the mail with it first")
        ply = game.ply
        self._turn(game, actions)
        self.actions += [str(action) for action in game.actions[ply:]]
        self.offered = self.seat if self._offers(self.me) else None
        self._send("turn", str(ply), ",".join(self.actions[ply:]), seal(game.position))
        return _parsed(self.sent[-1])

    def _take_turn(self, code: Code) -> str:
        ply, actions, sealed = code.fields
        texts = actions.split(",")
        before = number(ply)
        if self.actions[before : before + len(texts)] == texts:
            return "You have this turn already."
        game = self._going_on()
        if before != game.ply:
            raise MailError(
                f"this turn follows {before} actions, but {game.ply} have been played: "
                + ("a mail is missing" if before > game.ply else "it is an old or a changed one")
            )
        if game.turn is self.me:
            raise MailError("it is your turn; a turn of yours cannot come by mail")
        try:
            self._turn(game, texts)
        except CyvasseError as error:
            raise MailError(f"{self._them}'s turn cannot be played: {error}") from None
        if seal(game.position) != sealed:
            raise MailError(
                "the board after this turn is not the one that the other side has: one of the two "
                "files was changed, or the two programs differ in their version. Nothing is played"
            )
        self.actions += [str(action) for action in game.actions[before:]]
        self.offered = str(self.me.other) if self._offers(self.me.other) else None
        return " ".join([f"{self._them} has played {' '.join(texts)}.", *self._told(game)])

    def told(self) -> list[str]:
        """What the last turn did, as this player reads it."""
        return self._told(self.board())

    def _told(self, game: Game) -> list[str]:
        """The next step tells how the game has ended, so this leaves it out."""
        ending = game.ending()
        told = [each for each in game.position.told() if ending is None or each != ending.said]
        return [self._words(sentence) for sentence in told]

    def _words(self, sentence: Sentence) -> str:
        return self.rules.scene.words(sentence, self.me)

    def _turn(self, game: Game, actions: Sequence[str]) -> None:
        """Play actions that make up one turn, no less and no more."""
        mover = game.turn
        if not actions:
            raise MailError("a turn has at least one action")
        for place, action in enumerate(actions):
            if place and (game.outcome() or not game.in_turn or game.turn is not mover):
                raise MailError(f"the turn is over before {action[:40]}")
            game.play(action)
        if game.in_turn and game.turn is mover and not game.outcome():
            raise MailError(
                "the turn goes on: add what follows, in one go. Possible now: "
                + ", ".join(game.position.action_texts()[:12])
            )

    # --- ending -----------------------------------------------------------------------------------

    def resign(self) -> Code:
        """Give up."""
        game = self._going_on()
        self.ended = self.seat
        self._send("resign", self.seat, str(game.ply))
        return _parsed(self.sent[-1])

    def offer(self) -> Code:
        """Offer a draw; it stands until the other plays."""
        game = self._going_on()
        if self.may_agree:
            raise MailError(f"{self._them} has offered a draw: agree to it")
        self.offered = self.seat
        self._send("offer", self.seat, str(game.ply))
        return _parsed(self.sent[-1])

    def agree(self) -> Code:
        """Agree to the draw that the other has offered."""
        game = self._going_on()
        if not self.may_agree:
            raise MailError("no draw is offered to you")
        self.ended = "draw"
        self._send("agree", self.seat, str(game.ply))
        return _parsed(self.sent[-1])

    @property
    def may_agree(self) -> bool:
        """Whether the other has offered a draw that still stands."""
        return self._offers(self.me.other)

    def _offers(self, color: Color) -> bool:
        return self.offered in (str(color), "both")

    def _take_resignation(self, code: Code) -> str:
        ply = self._said(code)
        if ply == len(self.actions):
            if self.ended == str(self.me.other):
                return f"You know already that {self._them} has resigned."
            if self.ended == self.seat and self.board().position.turn is self.me:
                return f"{self._them} has resigned too; yours counts, as it was your turn."
            if self.ended is None:
                self._going_on()
        elif not self._only(self.me, ply):
            raise self._too_old(ply)
        too = " too; that counts, as it was not your turn" if self.ended == self.seat else ""
        return f"{self._them} has resigned{too}.{self._settle(ply, str(self.me.other))}"

    def _take_offer(self, code: Code) -> str:
        ply = self._said(code)
        if self.board().outcome():
            return f"The game is over, and so is {self._them}'s offer of a draw."
        if not self._only(self.me.other, ply):
            return f"{self._them}'s offer of a draw has lapsed: you have played since."
        self.offered = "both" if self._offers(self.me) else str(self.me.other)
        return f"{self._them} offers a draw."

    def _take_agreement(self, code: Code) -> str:
        ply = self._said(code)
        if self.ended == str(self.me.other):
            self._going_on()
        if ply == len(self.actions):
            if self.ended == "draw":
                return "The game is drawn already."
            if self.ended is not None:
                return f"{self._them} agrees to a draw, but you have resigned."
            self._going_on()
        elif not self._only(self.me, ply):
            raise self._too_old(ply)
        if not self._had_offered(ply):
            raise MailError("you have offered no draw that could be agreed to")
        return f"{self._them} agrees to a draw.{self._settle(ply, 'draw')}"

    def _said(self, code: Code) -> int:
        """How many actions had been played when the other said something that is no turn."""
        seat, count = code.fields
        self._from_other(seat)
        ply = number(count)
        if ply > self.board().ply:
            self._going_on()
            raise MailError(
                f"this was said after {ply} actions, but {len(self.actions)} have been played "
                "here: a mail is missing"
            )
        return ply

    def _too_old(self, ply: int) -> MailError:
        return MailError(
            f"this was said after {ply} actions, but {len(self.actions)} have been played: "
            "it is an old or a changed one"
        )

    def _turns(self) -> list[tuple[int, Color]]:
        """How many actions were played before each turn, and whose turn it was."""
        turns = self.board().turns()
        starts = accumulate((len(turn.actions) for turn in turns), initial=0)
        return [(start, turn.color) for start, turn in zip(starts, turns, strict=False)]

    def _only(self, color: Color, ply: int) -> bool:
        """Whether all since then is that player's: no turn, or whole turns."""
        since = [turn for turn in self._turns() if turn[0] >= ply]
        whole = ply == len(self.actions) or (ply, color) in since
        return whole and all(mover is color for _, mover in since)

    def _had_offered(self, ply: int) -> bool:
        """Whether an offer of this side stood then: the other had not played since it was made."""
        played = [start for start, mover in self._turns() if mover is not self.me and start < ply]
        offers = [actions_after(code) for code in map(_parsed, self.sent) if code.kind == "offer"]
        return any(max(played, default=-1) < offer <= ply for offer in offers)

    def _settle(self, ply: int, ended: str) -> str:
        """End the game after so many actions: a turn that crossed the end on its way is undone.

        The other has not seen that turn, so only without it are both games the same.
        """
        undone = self.actions[ply:]
        del self.actions[ply:]
        self.sent = [text for text in self.sent if actions_after(_parsed(text)) <= ply]
        self.ended = ended
        return f" Your turn {' '.join(undone)} came too late and is taken back." if undone else ""

    # --- mails ------------------------------------------------------------------------------------

    def take(self, code: Code) -> str:
        """Take a code that has come; what it means, in a sentence.  MailError changes nothing."""
        if code.kind == "invite" and code.game == self.game:
            return "You are in this game already."
        if code.kind == "invite":
            raise MailError("an invitation begins a game of its own: join it with a new file")
        if code.game != self.game:
            raise MailError(f"this code is of another game, {code.game}; this one is {self.game}")
        takers: Mapping[str, Callable[[Code], str]] = {
            "commit": self._take_commitment,
            "open": self._take_opening,
            "turn": self._take_turn,
            "resign": self._take_resignation,
            "offer": self._take_offer,
            "agree": self._take_agreement,
        }
        return takers[code.kind](code)

    def take_all(self, codes: Sequence[Code]) -> tuple[list[str], list[MailError]]:
        """Take what a mail holds, whatever the order: what it means, and what is refused and why.

        Own codes are passed over: they come back when the other answers with a quotation.
        """
        known, refused = list[str](), list[MailError]()
        came = [code for code in dict.fromkeys(codes) if str(code) not in self.sent]
        if not came:
            refused.append(
                MailError(f"this is what you have mailed yourself; take what {self._them} mails")
            )
        for code in sorted(came, key=_order):
            try:
                known.append(self.take(code))
            except MailError as error:
                refused.append(error)
        return known, refused

    def next_step(self) -> str:
        """What has to happen now, in a sentence."""
        if self.setup is None:
            return "Choose your setup; its commitment is what you mail."
        if self.theirs is None:
            return f"Wait for {self._them}'s commitment."
        if self.their_setup is None:
            return f"Mail your opening and wait for {self._them}'s."
        game = self.board()
        ending = game.ending()
        if ending:
            return f"The game is over. {self._words(ending.said)}"
        who = "It is your turn." if game.turn is self.me else f"Wait for {self._them}'s turn."
        if self.may_agree:
            who = f"{self._them} offers a draw: agree, or play on. {who}"
        dangers = [each for each in game.position.dangers() if each.color is self.me]
        return " ".join([who, *(self._words(danger.said) for danger in dangers)])

    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.board().outcome() if self.their_setup is not None else None

    def waiting(self) -> list[Code]:
        """The codes that the other may still need: nothing shows yet that they have come."""
        turns = self._turns() if self.their_setup is not None else []
        answered = max((start for start, mover in turns if mover is not self.me), default=-1)
        return [code for code in map(_parsed, self.sent) if not self._has_come(code, answered)]

    def _has_come(self, code: Code, answered: int) -> bool:
        """Whether the other could not have done what it did without the code.

        ``answered`` is the number of actions before the other's last turn.
        """
        if code.kind == "invite":
            return self.theirs is not None
        if code.kind == "commit":
            return self.their_setup is not None
        return actions_before(code) <= answered

    def _going_on(self) -> Game:
        game = self.board()
        outcome = game.outcome()
        if outcome:
            raise MailError(f"the game is over. {outcome}.")
        return game

    def _from_other(self, seat: str) -> None:
        if _seat(seat) is self.me:
            raise MailError(
                f"this code is {self.me.title}'s, and {self.me.title} is you: "
                "it is not what the other has sent"
            )

    @property
    def _them(self) -> str:
        return self.me.other.title

    def _send(self, kind: str, *parts: str) -> None:
        self.sent.append(str(Code(kind, self.game, parts)))

    # --- keeping ----------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """All that this side knows, its secrets included, as plain data."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_document(cls, document: object) -> Correspondence:
        """The same side again; MailError if the data is none, or does not fit together."""
        if not isinstance(document, dict) or "format" not in document:
            raise MailError("this is no game by mail")
        if document["format"] != FORMAT:
            kind = f"{document['format']!a:.40}"
            raise MailError(f"this is kept as {kind} by another version; this one reads {FORMAT!r}")
        kept = {name: value for name, value in document.items() if name != "format"}
        known = {each.name for each in fields(cls)}
        for name in sorted(known - set(kept)):
            raise MailError(f"this game by mail was changed: its {name!r} is missing")
        for name in sorted(set(kept) - known):
            raise ChangedError(name, f"there should be no {name!a:.40}")
        for name, value in kept.items():
            if name in ("actions", "sent"):
                right, what = _texts(value), "a list of texts"
            else:
                right, what = isinstance(value, str | None), "a text"
            if not right or (value is None and name in ("rule_set", "game", "seat")):
                raise ChangedError(name, f"its {name!r} is not {what}")
        game = cls(**kept)
        check(game)
        return game


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _parsed(text: str) -> Code:
    _, kind, game, *parts = text.strip("[]").split(".")
    return Code(kind, game, tuple(parts[:-1]))


def _order(code: Code) -> tuple[int, int]:
    """Sorts codes as they were sent."""
    kinds = ("invite", "commit", "open", "offer", "turn", "agree", "resign")
    try:
        return actions_before(code), kinds.index(code.kind)
    except MailError:
        return sys.maxsize, 0


def _seat(text: str) -> Color:
    if text not in ("white", "black"):
        raise MailError(f"a seat is white or black, not {text[:20]!r}")
    return Color.parse(text)
