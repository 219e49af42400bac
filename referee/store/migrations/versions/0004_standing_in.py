"""Who would take a seat, whom it was offered to, a season's vacation, and policies with a name.

Revision 0004, after 0003.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alternate",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("since_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_alternate_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alternate")),
        sa.UniqueConstraint("person_id", "game_id", name=op.f("uq_alternate_person_id_game_id")),
    )
    op.create_index("ix_alternate_game_id", "alternate", ["game_id"])
    op.create_table(
        "seat_offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("asked_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_offer_game_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_seat_offer_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat_offer")),
        sa.UniqueConstraint(
            "game_id", "seat", "person_id", name=op.f("uq_seat_offer_game_id_seat_person_id")
        ),
    )
    op.create_table(
        "season_time",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("vacations", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_season_time_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season_time")),
        sa.UniqueConstraint("season", "person_id", name=op.f("uq_season_time_season_person_id")),
    )
    op.create_table(
        "policy_row",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("row", sa.String(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_policy_row")),
    )


def downgrade() -> None:
    op.drop_table("policy_row")
    op.drop_table("season_time")
    op.drop_table("seat_offer")
    op.drop_index("ix_alternate_game_id", table_name="alternate")
    op.drop_table("alternate")
