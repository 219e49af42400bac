"""What cost people the games that they played.

Revision 0025, after 0024.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody had asked."""
    op.create_table(
        "game_review",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("upto", sa.Integer(), nullable=False),
        sa.Column("data", sa.String(), nullable=False),
        sa.Column("asked_ms", sa.Integer(), nullable=False),
        sa.Column("done_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_review_game_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_game_review_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_review")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_game_review_game_id_seat")),
    )
    op.create_index("ix_game_review_person_id", "game_review", ["person_id", "asked_ms"])


def downgrade() -> None:
    """They can be asked for again."""
    op.drop_table("game_review")
