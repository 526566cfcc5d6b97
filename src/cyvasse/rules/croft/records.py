"""The words of position files of Croft's Cyvasse."""

from __future__ import annotations

from typing import Any

from cyvasse.actions import Action
from cyvasse.rules.records import Records


class CroftRecords(Records):
    """Records of Croft's Cyvasse."""

    def record(self, action: Action) -> dict[str, Any]:
        if action.kind in ("end", "pass"):
            return {"kind": action.kind}
        if action.kind == "drop":
            names = {kind.letter: kind.name for kind in self.rules.piece_types}
            return {"kind": "drop", "piece": names[str(action.piece)], "to": action.target}
        record = {"kind": action.kind, "from": action.origin, "to": action.target}
        if action.kind in ("swap", "jump"):
            return record
        captures = {
            "move": [],
            "capture": [action.target],
            "capture_two": [action.victim, action.target],
        }
        return {**record, "kind": "move", "captures": captures[action.kind]}
