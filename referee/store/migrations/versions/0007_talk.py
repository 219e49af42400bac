"""How much somebody has said lately, what they do not want to hear, and their calendar.

Revision 0007, after 0006.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "talker",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("since_ms", sa.Integer(), nullable=False),
        sa.Column("spoken", sa.Integer(), nullable=False),
        sa.Column("day_ms", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_talker_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_talker")),
        sa.UniqueConstraint("person_id", name=op.f("uq_talker_person_id")),
    )
    op.create_table(
        "mute",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_mute_game_id")),
        sa.ForeignKeyConstraint(["other_id"], ["person.id"], name=op.f("fk_mute_other_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_mute_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mute")),
    )
    op.create_index("ix_mute_person_id", "mute", ["person_id"])
    op.create_table(
        "calendar_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("made_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_calendar_link_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calendar_link")),
        sa.UniqueConstraint("person_id", name=op.f("uq_calendar_link_person_id")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_calendar_link_token_hash")),
    )
    op.create_table(
        "calendar_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("since_ms", sa.Integer(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("changed_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_calendar_entry_game_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_calendar_entry_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calendar_entry")),
        sa.UniqueConstraint(
            "person_id", "game_id", "since_ms", name=op.f("uq_calendar_entry_person_id_game_id_since_ms")
        ),
    )


def downgrade() -> None:
    for table in ("calendar_entry", "calendar_link", "mute", "talker"):
        op.drop_table(table)
