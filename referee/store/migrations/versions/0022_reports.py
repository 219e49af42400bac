"""What is known of an entry and of a table of a league, and what players report.

Revision 0022, after 0021.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing more is known of anybody, and nobody has reported anything."""
    for table in ("entry", "season_table"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("facts", sa.String(), nullable=False, server_default="{}"))
    op.create_table(
        "league_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=True),
        sa.Column("table_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("closed_ms", sa.Integer(), nullable=False),
        sa.Column("closed_by", sa.Integer(), nullable=True),
        sa.Column("answer", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_report_league_id")),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_league_report_season_id")),
        sa.ForeignKeyConstraint(["table_id"], ["season_table.id"], name=op.f("fk_league_report_table_id")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_league_report_game_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_report_person_id")),
        sa.ForeignKeyConstraint(["closed_by"], ["person.id"], name=op.f("fk_league_report_closed_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_report")),
    )
    op.create_index("ix_league_report_league_id", "league_report", ["league_id"])
    op.create_index("ix_league_report_person_id", "league_report", ["person_id"])


def downgrade() -> None:
    """It is gone."""
    op.drop_table("league_report")
    for table in ("season_table", "entry"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("facts")
