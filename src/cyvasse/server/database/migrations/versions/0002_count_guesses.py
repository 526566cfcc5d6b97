"""Count wrong passwords with the account that they were tried for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("guesses", sa.Integer(), nullable=True))
    op.add_column("people", sa.Column("guesses_since", sa.BigInteger(), nullable=True))
    op.add_column("people", sa.Column("guesses_last", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("people") as batch_op:
        batch_op.drop_column("guesses_last")
        batch_op.drop_column("guesses_since")
        batch_op.drop_column("guesses")
