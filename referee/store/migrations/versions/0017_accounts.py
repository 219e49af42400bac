"""Accounts that are joined: who agreed to it and what came with it; whose an address was before, who somebody
is by now, when a role was given.

Revision 0017, after 0016.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_NEW = {
    "person": ("now_id",),
    "address": ("home_id", "joined_ms"),
    "league_role": ("given_ms",),
    "link_code": ("address_id",),
}


def upgrade() -> None:
    """Nobody was joined with anybody in a way that could be undone."""
    for table, columns in _NEW.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.add_column(sa.Column(column, sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("address") as batch:
        batch.add_column(sa.Column("handle", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "account_join",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kept_id", sa.Integer(), nullable=False),
        sa.Column("folded_id", sa.Integer(), nullable=False),
        sa.Column("kept_at", sa.Integer(), nullable=False),
        sa.Column("folded_at", sa.Integer(), nullable=False),
        sa.Column("kept_word", sa.String(), nullable=False),
        sa.Column("folded_word", sa.String(), nullable=False),
        sa.Column("kept_yes", sa.Integer(), nullable=False),
        sa.Column("folded_yes", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("asked_ms", sa.Integer(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.Column("done_ms", sa.Integer(), nullable=False),
        sa.Column("undone_ms", sa.Integer(), nullable=False),
        sa.Column("moved", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["kept_id"], ["person.id"], name=op.f("fk_account_join_kept_id")),
        sa.ForeignKeyConstraint(["folded_id"], ["person.id"], name=op.f("fk_account_join_folded_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_join")),
    )
    op.create_index("ix_account_join_kept_id", "account_join", ["kept_id"])
    op.create_index("ix_account_join_folded_id", "account_join", ["folded_id"])
    op.create_table(
        "wrong_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("since_ms", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wrong_code")),
        sa.UniqueConstraint("channel", "address", name=op.f("uq_wrong_code_channel_address")),
    )


def downgrade() -> None:
    """Who is joined stays so."""
    for table in ("wrong_code", "account_join"):
        op.drop_table(table)
    with op.batch_alter_table("address") as batch:
        batch.drop_column("handle")
    for table, columns in reversed(_NEW.items()):
        with op.batch_alter_table(table) as batch:
            for column in reversed(columns):
                batch.drop_column(column)
