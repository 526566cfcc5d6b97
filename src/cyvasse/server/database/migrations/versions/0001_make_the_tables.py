"""Make the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("rule_set", sa.String(length=40), nullable=False),
        sa.Column("agreement", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("white_id", sa.String(length=24), nullable=True),
        sa.Column("black_id", sa.String(length=24), nullable=True),
        sa.Column("white_name", sa.String(length=80), nullable=True),
        sa.Column("black_name", sa.String(length=80), nullable=True),
        sa.Column("white_bot", sa.Integer(), nullable=True),
        sa.Column("black_bot", sa.Integer(), nullable=True),
        sa.Column("invitation", sa.String(length=24), nullable=True),
        sa.Column("public", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("live", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("turn", sa.String(length=5), nullable=True),
        sa.Column("white_ready", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("black_ready", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("bot_due", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.String(length=7), nullable=True),
        sa.Column("ending", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("invitation", name=op.f("uq_games_invitation")),
    )
    with op.batch_alter_table(
        "games",
    ) as batch_op:
        batch_op.create_index(
            "ix_games_black_id_finished_at", ["black_id", "finished_at"], unique=False
        )
        batch_op.create_index("ix_games_bot_due", ["bot_due"], unique=False)
        batch_op.create_index(batch_op.f("ix_games_created_by"), ["created_by"], unique=False)
        batch_op.create_index("ix_games_deadline", ["deadline"], unique=False)
        batch_op.create_index(
            "ix_games_public_finished_at", ["public", "finished_at"], unique=False
        )
        batch_op.create_index(
            "ix_games_public_status_created_at", ["public", "status", "created_at"], unique=False
        )
        batch_op.create_index(
            "ix_games_white_id_finished_at", ["white_id", "finished_at"], unique=False
        )

    op.create_table(
        "people",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=80), nullable=True),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("account", name=op.f("uq_people_account")),
    )
    op.create_table(
        "presence",
        sa.Column("worker", sa.String(length=24), nullable=False),
        sa.Column("game_id", sa.String(length=24), nullable=False),
        sa.Column("viewer", sa.String(length=10), nullable=False),
        sa.Column("connections", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("worker", "game_id", "viewer", name=op.f("pk_presence")),
    )
    with op.batch_alter_table(
        "presence",
    ) as batch_op:
        batch_op.create_index("ix_presence_game_id", ["game_id"], unique=False)

    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pulse")),
    )
    op.create_table(
        "saved_setups",
        sa.Column("person_id", sa.String(length=24), nullable=False),
        sa.Column("rule_set", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "rule_set", "name", name=op.f("pk_saved_setups")),
    )
    op.create_table(
        "drafts",
        sa.Column("game_id", sa.String(length=24), nullable=False),
        sa.Column("seat", sa.String(length=5), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_drafts_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_drafts")),
    )
    op.create_table(
        "facts",
        sa.Column("game_id", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("fact", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_facts_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_facts")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "remarks",
        sa.Column("game_id", sa.String(length=24), nullable=False),
        sa.Column("room", sa.String(length=10), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=5), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_remarks_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "room", "number", name=op.f("pk_remarks")),
    )
    with op.batch_alter_table(
        "remarks",
    ) as batch_op:
        batch_op.create_index(batch_op.f("ix_remarks_person_id"), ["person_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table(
        "remarks",
    ) as batch_op:
        batch_op.drop_index(batch_op.f("ix_remarks_person_id"))

    op.drop_table("remarks")
    op.drop_table("facts")
    op.drop_table("drafts")
    op.drop_table("saved_setups")
    op.drop_table("pulse")
    with op.batch_alter_table(
        "presence",
    ) as batch_op:
        batch_op.drop_index("ix_presence_game_id")

    op.drop_table("presence")
    op.drop_table("people")
    with op.batch_alter_table(
        "games",
    ) as batch_op:
        batch_op.drop_index("ix_games_white_id_finished_at")
        batch_op.drop_index("ix_games_public_status_created_at")
        batch_op.drop_index("ix_games_public_finished_at")
        batch_op.drop_index("ix_games_deadline")
        batch_op.drop_index(batch_op.f("ix_games_created_by"))
        batch_op.drop_index("ix_games_bot_due")
        batch_op.drop_index("ix_games_black_id_finished_at")

    op.drop_table("games")
