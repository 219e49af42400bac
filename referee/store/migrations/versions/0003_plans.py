"""What players file ahead, and which move set off an order that came from there.

Revision 0003, after 0002.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seat_plan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("data", sa.String(), nullable=False),
        sa.Column("memory", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("filed_ms", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_plan_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat_plan")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seat_plan_game_id_seat")),
    )
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cause", sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.drop_column("cause")
    op.drop_table("seat_plan")
