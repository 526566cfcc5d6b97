"""Call events what happens in a game: the table was ``facts``."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rename("facts", "fact", "events", "event")


def downgrade() -> None:
    _rename("events", "event", "facts", "fact")


def _rename(table: str, column: str, new_table: str, new_column: str) -> None:
    """Every row stays where it is."""
    op.rename_table(table, new_table)
    op.alter_column(new_table, column, new_column_name=new_column)
    # SQLite would have to copy the whole table for the names of its constraints.
    if op.get_bind().dialect.name == "postgresql":
        for name in ("pk_{}", "fk_{}_game_id"):
            old, new = name.format(table), name.format(new_table)
            op.execute(f"ALTER TABLE {new_table} RENAME CONSTRAINT {old} TO {new}")
