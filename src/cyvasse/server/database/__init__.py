"""Where games and people are kept: SQLite in a folder, or PostgreSQL by its address."""

from cyvasse.server.database.database import WORKER, Database, DatabaseError, is_away
from cyvasse.server.database.writer import Conflict, Entry, Kept, Writer

__all__ = ["WORKER", "Conflict", "Database", "DatabaseError", "Entry", "Kept", "Writer", "is_away"]
