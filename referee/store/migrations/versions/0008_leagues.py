"""Leagues: seasons, divisions, rounds and their tables, who runs them, and the log of what was done in
office.

Revision 0008, after 0007.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("settings", sa.String(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("closed_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("key", name=op.f("uq_league_key")),
    )
    op.create_table(
        "office_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_office_log")),
        sa.UniqueConstraint("scope", "no", name=op.f("uq_office_log_scope_no")),
    )
    op.create_table(
        "league_proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("args", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.Column("closed_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_proposal_league_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_proposal_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_proposal")),
    )
    op.create_index("ix_league_proposal_league_id", "league_proposal", ["league_id"])
    op.create_table(
        "league_role",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_role_league_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_league_role_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_role")),
        sa.UniqueConstraint("league_id", "person_id", name=op.f("uq_league_role_league_id_person_id")),
    )
    op.create_index("ix_league_role_person_id", "league_role", ["person_id"])
    op.create_table(
        "league_room",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("room_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_league_room_league_id")),
        sa.ForeignKeyConstraint(["room_id"], ["room.id"], name=op.f("fk_league_room_room_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_room")),
        sa.UniqueConstraint("league_id", "room_id", name=op.f("uq_league_room_league_id_room_id")),
    )
    op.create_index("ix_league_room_room_id", "league_room", ["room_id"])
    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("settings", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("drawn", sa.String(), nullable=False),
        sa.Column("opened_ms", sa.Integer(), nullable=False),
        sa.Column("closes_ms", sa.Integer(), nullable=False),
        sa.Column("starts_ms", sa.Integer(), nullable=False),
        sa.Column("ended_ms", sa.Integer(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_season_league_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("league_id", "no", name=op.f("uq_season_league_id_no")),
    )
    op.create_index(
        "ix_season_due_ms",
        "season",
        ["due_ms"],
        sqlite_where=sa.text("due_ms <> 0"),
        postgresql_where=sa.text("due_ms <> 0"),
    )
    op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("from_round", sa.Integer(), nullable=False),
        sa.Column("penalty", sa.Integer(), nullable=False),
        sa.Column("strength", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("since_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_entry_person_id")),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_entry_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry")),
        sa.UniqueConstraint("season_id", "person_id", name=op.f("uq_entry_season_id_person_id")),
    )
    op.create_index("ix_entry_person_id", "entry", ["person_id"])
    op.create_table(
        "season_division",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_season_division_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season_division")),
        sa.UniqueConstraint("season_id", "no", name=op.f("uq_season_division_season_id_no")),
    )
    op.create_table(
        "season_round",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("starts_ms", sa.Integer(), nullable=False),
        sa.Column("ends_ms", sa.Integer(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_season_round_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season_round")),
        sa.UniqueConstraint("season_id", "no", name=op.f("uq_season_round_season_id_no")),
    )
    op.create_table(
        "season_table",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("people", sa.String(), nullable=False),
        sa.Column("crown", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("replays", sa.Integer(), nullable=True),
        sa.Column("ended_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_season_table_game_id")),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_season_table_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season_table")),
        sa.UniqueConstraint("season_id", "no", name=op.f("uq_season_table_season_id_no")),
    )
    op.create_index("ix_season_table_game_id", "season_table", ["game_id"])
    op.create_index("ix_season_table_round", "season_table", ["season_id", "round"])
    op.create_table(
        "table_result",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("flags", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_table_result_person_id")),
        sa.ForeignKeyConstraint(["table_id"], ["season_table.id"], name=op.f("fk_table_result_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_result")),
        sa.UniqueConstraint("table_id", "person_id", name=op.f("uq_table_result_table_id_person_id")),
    )
    op.create_index("ix_table_result_person_id", "table_result", ["person_id"])
    # what was done in office is there for ever: nobody who speaks to this database can change a line or take
    # one out
    for verb in ("UPDATE", "DELETE"):
        if op.get_bind().dialect.name == "sqlite":
            op.execute(
                f"CREATE TRIGGER office_log_no_{verb.lower()} BEFORE {verb} ON office_log BEGIN "
                f"SELECT RAISE(ABORT, 'the office log only grows'); END"
            )
        else:
            op.execute(
                f"CREATE FUNCTION office_log_no_{verb.lower()}() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'the office log only grows' USING ERRCODE = "
                "'integrity_constraint_violation'; END $$"
            )
            op.execute(
                f"CREATE TRIGGER office_log_no_{verb.lower()} BEFORE {verb} ON office_log FOR EACH "
                f"ROW EXECUTE FUNCTION office_log_no_{verb.lower()}()"
            )


def downgrade() -> None:
    for table in (
        "table_result",
        "season_table",
        "season_round",
        "season_division",
        "entry",
        "season",
        "league_room",
        "league_role",
        "league_proposal",
        "office_log",
        "league",
    ):
        op.drop_table(table)
    if op.get_bind().dialect.name != "sqlite":
        for verb in ("update", "delete"):
            op.execute(f"DROP FUNCTION office_log_no_{verb}()")
