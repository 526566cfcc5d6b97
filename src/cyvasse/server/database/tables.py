"""The tables.  Times are milliseconds since 1970; texts that programs read are JSON."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

people = Table(
    "people",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(40), nullable=False),
    # The name as it is looked for; only accounts have one.
    Column("account", String(80), unique=True),
    Column("password", String(200)),
    # Counted up to end every sign-in: a cookie with an older number is nobody's.
    Column("session", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    # Wrong passwords of strangers that the owner has not been told of: how many, since when, and
    # when the last one was.
    Column("guesses", Integer),
    Column("guesses_since", BigInteger),
    Column("guesses_last", BigInteger),
)

games = Table(
    "games",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("rule_set", String(40), nullable=False),
    Column("agreement", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Column("created_by", String(24), nullable=False, index=True),
    Column("white_id", String(24)),
    Column("black_id", String(24)),
    Column("white_name", String(80)),
    Column("black_name", String(80)),
    Column("white_bot", Integer),
    Column("black_bot", Integer),
    # Whoever knows this word may take the free seat; nobody else may.
    Column("invitation", String(24), unique=True),
    Column("public", Boolean, nullable=False, server_default=false()),
    Column("live", Boolean, nullable=False, server_default=false()),
    # What follows from the events is kept here too, so that lists need not read them.
    Column("number", Integer, nullable=False),
    Column("status", String(10), nullable=False),
    Column("turn", String(5)),
    Column("white_ready", Boolean, nullable=False, server_default=false()),
    Column("black_ready", Boolean, nullable=False, server_default=false()),
    Column("deadline", BigInteger),
    # When somebody should look whether the bot has been forgotten.
    Column("bot_due", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("finished_at", BigInteger),
    Column("result", String(7)),
    Column("ending", String(40)),
    Index("ix_games_white_id_finished_at", "white_id", "finished_at"),
    Index("ix_games_black_id_finished_at", "black_id", "finished_at"),
    Index("ix_games_public_status_created_at", "public", "status", "created_at"),
    Index("ix_games_public_finished_at", "public", "finished_at"),
    Index("ix_games_deadline", "deadline"),
    Index("ix_games_bot_due", "bot_due"),
)

events = Table(
    "events",
    metadata,
    # Two writers cannot both write event 17 of a game: this key is what keeps games right.
    Column("game_id", String(24), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    sqlite_with_rowid=False,
)

drafts = Table(
    "drafts",
    metadata,
    Column("game_id", String(24), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", String(5), primary_key=True),
    Column("setup", Text, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

saved_setups = Table(
    "saved_setups",
    metadata,
    Column("person_id", String(24), primary_key=True),
    Column("rule_set", String(40), primary_key=True),
    Column("name", String(40), primary_key=True),
    Column("setup", Text, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

remarks = Table(
    "remarks",
    metadata,
    Column("game_id", String(24), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("room", String(10), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person_id", String(24), nullable=False, index=True),
    Column("name", String(80), nullable=False),
    Column("seat", String(5)),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Who has a connection open to which game, as each worker last said.
presence = Table(
    "presence",
    metadata,
    Column("worker", String(24), primary_key=True),
    Column("game_id", String(24), primary_key=True),
    Column("viewer", String(10), primary_key=True),
    Column("connections", Integer, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Index("ix_presence_game_id", "game_id"),
)

# One row: when any worker last was alive.
pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
