"""Text forms: reading and writing setups, positions and games, as docs/formats.md tells."""

from cyvasse.notation.anyform import read_any_games
from cyvasse.notation.diagrams import diagram
from cyvasse.notation.documents import read_setup, read_state, setup_document, state_document
from cyvasse.notation.gamedocuments import (
    game_document,
    read_game_document,
    read_game_documents,
)
from cyvasse.notation.games import read_game, read_games, write_game
from cyvasse.notation.positions import parse_position, write_position
from cyvasse.notation.setups import parse_setup, write_setup

__all__ = [
    "diagram",
    "game_document",
    "parse_position",
    "parse_setup",
    "read_any_games",
    "read_game",
    "read_game_document",
    "read_game_documents",
    "read_games",
    "read_setup",
    "read_state",
    "setup_document",
    "state_document",
    "write_game",
    "write_position",
    "write_setup",
]
