"""Keep the limits of bots from before there were ten levels: level 5 of eight becomes -5."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

MOST = 8
"""The highest of the levels that there were before."""
NAME, FORMER = "Bot, level", "Bot, former level"


def upgrade() -> None:
    for seat in ("white", "black"):
        op.execute(
            f"UPDATE games SET {seat}_bot = -{seat}_bot, "
            f"{seat}_name = REPLACE({seat}_name, '{NAME}', '{FORMER}') WHERE {seat}_bot > 0"
        )


def downgrade() -> None:
    for seat in ("white", "black"):
        op.execute(f"UPDATE games SET {seat}_bot = {MOST} WHERE {seat}_bot > {MOST}")
        op.execute(
            f"UPDATE games SET {seat}_bot = -{seat}_bot, "
            f"{seat}_name = REPLACE({seat}_name, '{FORMER}', '{NAME}') WHERE {seat}_bot < 0"
        )
