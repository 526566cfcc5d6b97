"""The words of position files of Mikelepage's Cyvasse, and whole games as others recorded them.

A record has the setups, and for each turn its action, how many there were to choose from, what was
taken, and what happened by itself.  docs/formats.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cyvasse.actions import Action
from cyvasse.errors import StateError
from cyvasse.rules.base import Position
from cyvasse.rules.mikelepage.pieces import SPECS
from cyvasse.rules.mikelepage.position import MikelepagePosition
from cyvasse.rules.records import Records
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color, Effect, Piece, Setup


class MikelepageRecords(Records):
    """Records of Mikelepage's Cyvasse."""

    tally_names = ("defense", "flanking")

    def record(self, action: Action) -> dict[str, Any]:
        record: dict[str, Any] = {"kind": action.kind}
        if action.kind in ("move", "capture"):
            return {**record, "from": action.origin, "to": action.target}
        if action.kind == "bring_out":
            return {**record, "to": action.target}
        if action.kind == "corner":
            return {**record, "at": action.target}
        if action.kind == "promote":
            (name,) = (kind.name for kind in self.rules.piece_types if kind.letter == action.piece)
            return {**record, "at": action.target, "type": name}
        return record

    def tallies(self, position: Position) -> dict[str, Any]:
        """``defense``: the defence tier of each piece.  ``flanking``: the captures [from, to] that
        only flanking makes legal."""
        assert isinstance(position, MikelepagePosition)
        defense, pieces = position.defences(), position.pieces()
        flanking = [
            [action.origin, action.target]
            for action in position.legal_actions()
            if action.kind == "capture" and action.origin is not None and action.target is not None
            if SPECS[pieces[action.origin].type].tier < defense[action.target]
        ]
        return {"defense": defense, "flanking": sorted(flanking)}

    def game_differences(self, game: Mapping[str, Any]) -> Iterator[str]:
        """Play a recorded game again; every difference between record and position, in words."""
        try:
            yield from _Replay(self.rules, game).differences(game)
        except KeyError as error:
            raise StateError(f"this is no record of a whole game: {error} is missing") from None
        except (TypeError, AttributeError):
            raise StateError(
                "this is no record of a whole game: a part has the wrong form"
            ) from None


class _Replay:
    """A game on its way through a record."""

    def __init__(self, rules: RuleSet, game: Mapping[str, Any]) -> None:
        self.rules = rules
        white, black = (_setup(rules, color, game["setup"][str(color)]) for color in Color)
        self.position: Position = rules.start(white, black)
        self.effects: list[Effect] = []  # with the last action
        self.before = self.position.pieces()  # that action

    def differences(self, game: Mapping[str, Any]) -> Iterator[str]:
        for number, turn in enumerate(game["turns"], 1):
            happened = self._turn(turn)
            if happened is None:
                yield f"turn {number}: {turn['action']} is not legal"
                return
            for key in sorted({*happened, *turn}):
                if happened.get(key) != turn.get(key):
                    yield f"turn {number}: {key} is {happened.get(key)}, expected {turn.get(key)}"
        outcome = self.position.outcome()
        winner = None if outcome is None else outcome.winner
        result = "unfinished" if outcome is None else "draw" if winner is None else str(winner)
        if result != game["result"]:
            yield f"result is {result}, expected {game['result']}"
        if self._final() != {
            piece["at"]: Piece(Color.parse(piece["color"]), piece["type"])
            for piece in game["final"]
        }:
            yield "the pieces at the end differ"

    def _turn(self, turn: Mapping[str, Any]) -> dict[str, Any] | None:
        """Play one turn as recorded and tell it in the words of a record; None if it is illegal."""
        happened: dict[str, Any] = {"player": str(self.position.turn)}
        for effect in self.effects:
            if _of_next_turn(effect):
                happened[effect.kind] = effect.piece
        while True:
            legal = self.position.legal_actions()
            for action in legal:
                if self.rules.records.record(action) == turn["action"]:
                    happened |= {"choices": len(legal), "action": turn["action"]}
                    return happened | self._play(action)
            # Choices come before the action of the turn; the record tells what was chosen.
            chosen = [action for action in legal if self._choice(action).items() <= turn.items()]
            if not chosen or not self._choice(chosen[0]):
                return None
            happened |= self._choice(chosen[0])
            self._play(chosen[0])
            for effect in self.effects:
                happened[effect.kind] = effect.piece

    def _choice(self, action: Action) -> dict[str, Any]:
        record = self.rules.records.record(action)
        if record["kind"] == "corner":
            return {"corner": record["at"]}
        if record["kind"] == "promote":
            return {"promoted_at_beginning": record["type"]}
        return {}

    def _play(self, action: Action) -> dict[str, Any]:
        self.before = self.position.pieces()
        self.position.play(action)
        self.effects = self.position.effects()
        return {
            effect.kind: _recorded(effect) for effect in self.effects if not _of_next_turn(effect)
        }

    def _final(self) -> dict[str, Piece]:
        """The pieces before anything that already belongs to the next turn."""
        pieces = dict(self.position.pieces())
        for effect in self.effects:
            if _of_next_turn(effect) and effect.square is not None:
                pieces[effect.square] = self.before[effect.square]
        return pieces


def _setup(rules: RuleSet, color: Color, record: Mapping[str, Any]) -> Setup:
    return Setup(
        rules.id,
        color,
        {piece["at"]: piece["type"] for piece in record["pieces"]},
        fields={key: value for key, value in record.items() if key != "pieces"},
    )


def _of_next_turn(effect: Effect) -> bool:
    return effect.kind == "promoted_at_beginning"


def _recorded(effect: Effect) -> Any:
    if effect.kind == "fortress_ruined":
        return str(effect.color)
    return effect.piece or True
