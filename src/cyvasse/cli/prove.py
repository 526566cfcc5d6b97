"""Tell in words what a proof found out."""

from __future__ import annotations

from cyvasse.engine.prove import Proof
from cyvasse.rules.base import Position


def verdict(position: Position, proof: Proof) -> str:
    """One line about a proof from that position."""
    who, nodes = position.turn.title, _number(proof.nodes, "node")
    if proof.won:
        best = " ".join(str(action) for action in proof.best)
        return f"{who} wins in {_number(proof.turns, 'turn')}: {best} ({nodes})"
    if proof.won is None:
        known = (
            f": {who} has no forced win in {_number(proof.turns, 'turn')}" if proof.turns else ""
        )
        return f"not decided within {nodes}{known}"
    return f"{who} has no forced win in {_number(proof.turns, 'turn')} ({nodes})"


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
