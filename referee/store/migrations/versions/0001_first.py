"""The first schema.

Revision 0001, after nothing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alert",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("told_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
    )
    with op.batch_alter_table("alert", schema=None) as batch_op:
        batch_op.create_index(
            "ix_alert_untold",
            ["id"],
            unique=False,
            sqlite_where=sa.text("told_ms = 0"),
            postgresql_where=sa.text("told_ms = 0"),
        )

    op.create_table(
        "bookmark",
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("channel", "name", name=op.f("pk_bookmark")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("done_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("channel", "key", name=op.f("uq_inbox_channel_key")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_inbox_new",
            ["id"],
            unique=False,
            sqlite_where=sa.text("state = 'new'"),
            postgresql_where=sa.text("state = 'new'"),
        )
        batch_op.create_index(
            "ix_inbox_shunted",
            ["id"],
            unique=False,
            sqlite_where=sa.text("state = 'shunted'"),
            postgresql_where=sa.text("state = 'shunted'"),
        )

    op.create_table(
        "meta",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_meta")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.String(), nullable=False),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("upto", sa.Integer(), nullable=False),
        sa.Column("collapse", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("not_before_ms", sa.Integer(), nullable=False),
        sa.Column("expires_ms", sa.Integer(), nullable=False),
        sa.Column("wire_id", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("sent_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_outbox_collapse",
            ["collapse"],
            unique=False,
            sqlite_where=sa.text("collapse <> ''"),
            postgresql_where=sa.text("collapse <> ''"),
        )
        batch_op.create_index(
            "ix_outbox_failed",
            ["id"],
            unique=False,
            sqlite_where=sa.text("state = 'failed'"),
            postgresql_where=sa.text("state = 'failed'"),
        )
        batch_op.create_index("ix_outbox_game", ["game_id", "seat"], unique=False)
        batch_op.create_index(
            "ix_outbox_queued",
            ["not_before_ms"],
            unique=False,
            sqlite_where=sa.text("state = 'queued'"),
            postgresql_where=sa.text("state = 'queued'"),
        )
        batch_op.create_index(
            "ix_outbox_sending",
            ["id"],
            unique=False,
            sqlite_where=sa.text("state = 'sending'"),
            postgresql_where=sa.text("state = 'sending'"),
        )
        batch_op.create_index(
            "ix_outbox_unknown",
            ["id"],
            unique=False,
            sqlite_where=sa.text("state = 'unknown'"),
            postgresql_where=sa.text("state = 'unknown'"),
        )
        batch_op.create_index(
            "ix_outbox_wire",
            ["channel", "wire_id"],
            unique=False,
            sqlite_where=sa.text("wire_id <> ''"),
            postgresql_where=sa.text("wire_id <> ''"),
        )
        batch_op.create_index(
            "uq_outbox_collapse",
            ["collapse"],
            unique=True,
            sqlite_where=sa.text("state = 'queued' AND collapse <> ''"),
            postgresql_where=sa.text("state = 'queued' AND collapse <> ''"),
        )

    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("prefer", sa.String(), nullable=False),
        sa.Column("admin", sa.Integer(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
    )
    op.create_table(
        "room",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_room")),
        sa.UniqueConstraint("channel", "place", name=op.f("uq_room_channel_place")),
    )
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("proven_ms", sa.Integer(), nullable=False),
        sa.Column("seen_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_address_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address")),
        sa.UniqueConstraint("channel", "address", name=op.f("uq_address_channel_address")),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_person_id"), ["person_id"], unique=False)

    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("edition", sa.String(), nullable=False),
        sa.Column("settings", sa.String(), nullable=False),
        sa.Column("creator_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("seed_hash", sa.String(), nullable=False),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("move_no", sa.Integer(), nullable=False),
        sa.Column("event_no", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("started_ms", sa.Integer(), nullable=False),
        sa.Column("ended_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["creator_id"], ["person.id"], name=op.f("fk_game_creator_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_status"), ["status"], unique=False)

    op.create_table(
        "link_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("expires_ms", sa.Integer(), nullable=False),
        sa.Column("used_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_link_code_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link_code")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_link_code_code_hash")),
    )
    op.create_table(
        "deadline",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.Column("done_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_deadline_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadline")),
    )
    with op.batch_alter_table("deadline", schema=None) as batch_op:
        batch_op.create_index(
            "ix_deadline_due",
            ["due_ms"],
            unique=False,
            sqlite_where=sa.text("done_ms = 0"),
            postgresql_where=sa.text("done_ms = 0"),
        )
        batch_op.create_index(
            "ix_deadline_game",
            ["game_id"],
            unique=False,
            sqlite_where=sa.text("done_ms = 0"),
            postgresql_where=sa.text("done_ms = 0"),
        )

    op.create_table(
        "game_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("to_seat", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_event_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_event")),
        sa.UniqueConstraint("game_id", "no", name=op.f("uq_game_event_game_id_no")),
    )
    op.create_table(
        "game_room",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("room_id", sa.Integer(), nullable=False),
        sa.Column("wire_id", sa.String(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_room_game_id")),
        sa.ForeignKeyConstraint(["room_id"], ["room.id"], name=op.f("fk_game_room_room_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_room")),
        sa.UniqueConstraint("game_id", "room_id", name=op.f("uq_game_room_game_id_room_id")),
    )
    with op.batch_alter_table("game_room", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_room_room_id"), ["room_id"], unique=False)

    op.create_table(
        "journal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("order", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_journal_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_journal")),
        sa.UniqueConstraint("game_id", "no", name=op.f("uq_journal_game_id_no")),
    )
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ready", sa.Integer(), nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("misses", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_seat_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("game_id", "no", name=op.f("uq_seat_game_id_no")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_person_id"), ["person_id"], unique=False)

    op.create_table(
        "undo",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("due_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_undo_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_undo")),
        sa.UniqueConstraint("game_id", "no", name=op.f("uq_undo_game_id_no")),
    )


def downgrade() -> None:
    op.drop_table("undo")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_person_id"))

    op.drop_table("seat")
    op.drop_table("journal")
    with op.batch_alter_table("game_room", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_game_room_room_id"))

    op.drop_table("game_room")
    op.drop_table("game_event")
    with op.batch_alter_table("deadline", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_deadline_game", sqlite_where=sa.text("done_ms = 0"), postgresql_where=sa.text("done_ms = 0")
        )
        batch_op.drop_index(
            "ix_deadline_due", sqlite_where=sa.text("done_ms = 0"), postgresql_where=sa.text("done_ms = 0")
        )

    op.drop_table("deadline")
    op.drop_table("link_code")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_game_status"))

    op.drop_table("game")
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_address_person_id"))

    op.drop_table("address")
    op.drop_table("room")
    op.drop_table("person")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_outbox_collapse",
            sqlite_where=sa.text("state = 'queued' AND collapse <> ''"),
            postgresql_where=sa.text("state = 'queued' AND collapse <> ''"),
        )
        batch_op.drop_index(
            "ix_outbox_wire", sqlite_where=sa.text("wire_id <> ''"), postgresql_where=sa.text("wire_id <> ''")
        )
        batch_op.drop_index(
            "ix_outbox_unknown",
            sqlite_where=sa.text("state = 'unknown'"),
            postgresql_where=sa.text("state = 'unknown'"),
        )
        batch_op.drop_index(
            "ix_outbox_sending",
            sqlite_where=sa.text("state = 'sending'"),
            postgresql_where=sa.text("state = 'sending'"),
        )
        batch_op.drop_index(
            "ix_outbox_queued",
            sqlite_where=sa.text("state = 'queued'"),
            postgresql_where=sa.text("state = 'queued'"),
        )
        batch_op.drop_index("ix_outbox_game")
        batch_op.drop_index(
            "ix_outbox_failed",
            sqlite_where=sa.text("state = 'failed'"),
            postgresql_where=sa.text("state = 'failed'"),
        )
        batch_op.drop_index(
            "ix_outbox_collapse",
            sqlite_where=sa.text("collapse <> ''"),
            postgresql_where=sa.text("collapse <> ''"),
        )

    op.drop_table("outbox")
    op.drop_table("meta")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_inbox_shunted",
            sqlite_where=sa.text("state = 'shunted'"),
            postgresql_where=sa.text("state = 'shunted'"),
        )
        batch_op.drop_index(
            "ix_inbox_new", sqlite_where=sa.text("state = 'new'"), postgresql_where=sa.text("state = 'new'")
        )

    op.drop_table("inbox")
    op.drop_table("heartbeat")
    op.drop_table("bookmark")
    with op.batch_alter_table("alert", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_alert_untold", sqlite_where=sa.text("told_ms = 0"), postgresql_where=sa.text("told_ms = 0")
        )

    op.drop_table("alert")
