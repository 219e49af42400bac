"""What players wrote below positions of finished games.

Revision 0020, after 0019.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody had written any."""
    op.create_table(
        "step_comment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("event_no", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_step_comment_game_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_step_comment_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_step_comment")),
    )
    op.create_index("ix_step_comment_game_id", "step_comment", ["game_id"])
    op.create_index("ix_step_comment_person_id", "step_comment", ["person_id"])


def downgrade() -> None:
    """They are gone."""
    op.drop_table("step_comment")
