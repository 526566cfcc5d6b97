"""The words of position files of the Rules of Cyvasse."""

from __future__ import annotations

from typing import Any

from cyvasse.actions import Action
from cyvasse.rules.records import Records


class GameOfCyvasseRecords(Records):
    """Records of the Rules of Cyvasse."""

    def record(self, action: Action) -> dict[str, Any]:
        if action.kind == "pass":
            return {"kind": "pass"}
        if action.kind == "shoot":
            return {"kind": "shoot", "from": action.origin, "target": action.target}
        ends = {"from": action.origin, "to": action.target}
        if action.kind == "siege":
            return {"kind": "siege", **ends, "target": action.victim}
        return {"kind": "melee" if action.kind == "capture" else "move", **ends}
