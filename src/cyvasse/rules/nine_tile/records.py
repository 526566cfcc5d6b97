"""The words of position files of Nine-Tile Cyvasse."""

from __future__ import annotations

from typing import Any

from cyvasse.actions import Action
from cyvasse.rules.base import Position
from cyvasse.rules.nine_tile.position import NineTilePosition
from cyvasse.rules.records import Records


class NineTileRecords(Records):
    """Records of Nine-Tile Cyvasse."""

    tally_names = ("engagement",)

    def record(self, action: Action) -> dict[str, Any]:
        if action.kind == "end":
            return {"kind": "end"}
        record = {"from": action.origin, "to": action.target}
        if action.kind == "move":
            return {"kind": "move", **record}
        return {"kind": "capture", **record, "captured": action.victim}

    def tallies(self, position: Position) -> dict[str, Any]:
        assert isinstance(position, NineTilePosition)
        return {"engagement": position.engagement()}
