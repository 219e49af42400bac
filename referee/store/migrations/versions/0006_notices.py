"""Of what people are told unasked, and the hour of their daily letter.

Revision 0006, after 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("person", "seat"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("notify", sa.String(), nullable=False, server_default=""))
    op.create_table(
        "daily_letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.Column("told_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_daily_letter_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_daily_letter")),
        sa.UniqueConstraint("person_id", name=op.f("uq_daily_letter_person_id")),
    )
    op.create_index("ix_daily_letter_due_ms", "daily_letter", ["due_ms"])


def downgrade() -> None:
    op.drop_index("ix_daily_letter_due_ms", table_name="daily_letter")
    op.drop_table("daily_letter")
    for table in ("seat", "person"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("notify")
