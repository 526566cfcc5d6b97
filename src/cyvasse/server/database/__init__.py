"""Where games and people are kept: SQLite in a folder, or PostgreSQL by its address."""

from cyvasse.server.database.database import WORKER, Database, DatabaseError
from cyvasse.server.database.writer import Conflict, Entry, Writer

__all__ = ["WORKER", "Conflict", "Database", "DatabaseError", "Entry", "Writer"]
